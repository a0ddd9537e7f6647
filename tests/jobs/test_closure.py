"""A category that is data alone, from collecting to a matrix: places that are closed for a time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.review import Action
from btc_gui.domain.studies.kind import Stratum
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.collect_events import collect_events, question_of
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.load_probes import load_probes
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.run_pipeline import PipelinePlan, run_pipeline
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.remote.language_model import ModelReply, ModelRequest, Wait
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.settings import Settings
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.studies import StudyStore
from tests.fakes.patience import Impatient
from tests.fakes.wdqs import QueryWorld, Table, wdqs
from tests.recordings import behaviour, write_no_search, write_recordings
from tests.run_builders import make_recipe
from tests.study_builders import make_design
from tests.wikidata_rows import row

CATEGORIES = load_categories(paths.resources() / "categories")
CLOSURE = CATEGORIES["closure"]
MODEL = EvaluatedModel("Larkspur-2", SCRIPTED, "Larkspur-2")
CLOSED, IN_USE = "Q55653430", "Q55654238"
FIRST, LAST = date(2026, 2, 1), date(2026, 6, 30)


def closes(number: int, start: str, end: str = "", prec: str = "11") -> dict[str, dict[str, str]]:
    """A place that closes, as the query service tells it."""
    name = f"Museum {number} of Exampleton"
    told = {"place": f"Q{number}", "st": f"Q{number}$a", "state": CLOSED, "rank": "normal", "title": name, "len": name}
    until = {"end": end, "endprec": "11"} if end else {}
    found = row(**told, start=start, startprec=prec, links="9", den="museum in Exampleton", **until)
    return {name: dict(cell) for name, cell in found.items()}


def tables() -> list[Table]:
    """Five closures: two hold, one is over, one was followed by another state, one is known to the month only."""
    assert CLOSURE.collection is not None
    columns = {spec.name: spec.variables for spec in CLOSURE.collection.all_queries}
    found = [
        closes(1, "2026-03-02", "2027-10-31"),
        closes(2, "2026-04-07"),
        closes(3, "2026-02-10", "2026-05-01"),
        closes(4, "2026-02-11"),
        closes(5, "2026-06-01", prec="10"),
    ]
    reopened = row(place="Q4", st="Q4$b", state=IN_USE, rank="normal", start="2026-06-20", startprec="11")
    return [
        Table(columns["closures"], found, "start"),
        Table(columns["all_states"], [*found, reopened]),
        Table(columns["names"], [row(item="Q1", alias="Old Mint")]),
    ]


class Said:
    """Judge and classifier that go by a few words."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """What they say of one answer: museum 2 is seen to be closed, and so is everything asked for directly."""
        if request.subject.startswith("classify/"):
            queries = [{"query": 1, "label": "indirect", "reason": "Opening hours."}]
            return ModelReply(json.dumps({"rationale": "So.", "trace": "", "queries": queries, "evidence": []}))
        assert "is closed to visitors from" in request.prompt
        is_right = "closed until" in request.prompt.partition("<answer>")[2]
        label = "correct" if is_right else "incorrect"
        return ModelReply(json.dumps({"rationale": "So.", "names_entity": True, "label": label}))


def collect(database: Database) -> None:
    """Collect from a query service on the loopback."""
    with wdqs(QueryWorld(tables())) as server:
        settings = Settings(operator_contact="curator@example.org", services={"wdqs": f"{server.address}/sparql"})
        question = question_of(CLOSURE, FIRST, LAST, settings)
        outcome = collect_events(database, CLOSURE, question, settings, Impatient(), author="mara")
    assert {step.name: step.dropped for step in outcome.funnel.steps if step.dropped} == {
        "not_over": 1,
        "latest_state": 1,
        "day_precision": 1,
    }
    store = EventStore(database)
    events = {event.facts.qid: event.facts for event in store.fetch(store.ids()).values()}
    assert set(events) == {"Q1", "Q2"}
    assert CLOSURE.fact_after(events["Q1"]) == (
        "Museum 1 of Exampleton is closed to visitors from 2 March 2026 until 31 October 2027."
    )
    assert CLOSURE.fact_after(events["Q2"]).endswith("from 7 April 2026 until further notice.")
    assert events["Q1"].aliases == ("Old Mint",)


def probes(database: Database, folder: Path) -> None:
    """Load an indirect probe for each, and accept them."""
    path = folder / "probes.jsonl"
    lines = [
        {"key": f"m{number}", "qid": f"Q{number}", "kind": "indirect", "text": f"Which museums suit class {number}?"}
        for number in (1, 2)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert load_probes(database, path, Progress(), author="mara").new == 2
    store = ProbeStore(database)
    for probe in store.fetch(store.ids()).values():
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "mara")


def evaluate(database: Database, folder: Path, start_worker: Callable[[Path], Worker]) -> None:
    """Filter, pair, sample, evaluate, judge and classify, with the real engine and recorded behaviour."""
    hours = [["museum opening hours"]]
    recorded = write_recordings(
        folder / "replay",
        [
            behaviour("m1", hours, "Take them to Museum 1 of Exampleton."),
            behaviour("m2", hours, "Museum 2 is closed until further notice: take Museum 9."),
        ],
    )
    write_no_search(recorded, {key: ["Museum 1!", "Museum 2!", "Go there."] for key in ("m1", "m2")})

    def start(place: Path) -> Worker:
        store = ProbeStore(database)
        with (recorded / "agents.jsonl").open("a", encoding="utf-8") as file:
            for probe in store.fetch(store.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,)))).values():
                file.write(json.dumps(behaviour(probe.key, [], "It is closed until autumn.")) + "\n")
        return start_worker(place)

    plan = PipelinePlan(
        models=(MODEL,),
        configurations=(configuration_of(MODEL, Harness.SHARED, Effort.LOW),),
        sample="main",
        design=SampleDesign("s", 5),
        recipe=make_recipe(at_once=2),
        judge=Said("judge"),
        classifier=Said("classifier"),
        categories=CATEGORIES,
        author="mara",
        replay_folder=recorded,
    )
    outcome = run_pipeline(database, plan, Progress(), start_worker=start)
    assert outcome.is_complete


def test_from_collecting_to_a_matrix(
    database: Database, tmp_path: Path, start_worker: Callable[[Path], Worker]
) -> None:
    """Nothing but the folder of the category makes closures what they are, on the whole way."""
    collect(database)
    probes(database, tmp_path)
    evaluate(database, tmp_path, start_worker)
    cases = CaseStore(database).fetch(CaseStore(database).ids())
    assert sorted((case.category, str(case.kind), case.label_text) for case in cases.values()) == [
        ("closure", "direct", "correct"),
        ("closure", "direct", "correct"),
        ("closure", "indirect", "correct"),
        ("closure", "indirect", "incorrect"),
    ]
    assert [case.mode_text for case in cases.values() if case.label_text == "incorrect"] == ["indirect"]
    store = ProbeStore(database)
    direct = store.fetch(store.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,)))).values()
    assert "Is Museum 1 of Exampleton, museum in Exampleton, currently open to visitors?" in {
        probe.content.text for probe in direct
    }

    strata = (Stratum("accepted", 3, {"label": "correct"}), Stratum("rejected", 1, {"label": "incorrect"}))
    study = StudyStore(database).create("Judge", make_design(strata=strata), "mara")
    lock_study(database, study, CATEGORIES, "mara", Progress())
    packet = issue_packet(database, study, "PK", tmp_path, CATEGORIES, "mara", Progress())
    with LabellingSession(packet) as session:
        for _ in range(session.total):
            assert session.current is not None
            session.label(session.current.item, "correct")
    return_packet(database, packet, "mara", Progress())
    close_study(database, study, "mara")
    unblind_study(database, study, "mara")
    (annotator,) = study_report(database, study, Progress()).annotators
    matrix = annotator.matrix
    # The annotator called everything correct: the judge's one incorrect answer stands off the diagonal.
    assert matrix.classes == ("correct", "incorrect")
    assert matrix.counts == ((3, 0), (1, 0))
