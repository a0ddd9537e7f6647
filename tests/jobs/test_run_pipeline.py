"""The pipeline with the real engine: from accepted probes to classified failures, stopped and gone on with anywhere."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel, TokenPrice
from btc_gui.domain.pipeline import Stage
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.retention import Standing
from btc_gui.domain.review import Action
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import InputError
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.pair_probes import usable_direct_probes
from btc_gui.jobs.run_pipeline import PipelinePlan, StageOutcome, forecast_pipeline, run_pipeline
from btc_gui.progress import Progress, Report
from btc_gui.remote.language_model import LanguageModel, ModelReply, ModelRequest, Wait
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import set_project_models
from btc_gui.store.model_calls import ModelCallStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_no_search, write_recordings
from tests.run_builders import make_recipe
from tests.shared_worker import LentWorker

MODEL = EvaluatedModel("Larkspur-2", SCRIPTED, "Larkspur-2")
#: Which probes the model retains: all of Ada's, one of Ben's two, none of Cleo's.
RETAINED = {"ada-1": True, "ada-2": True, "ben-1": True, "ben-2": False, "cleo-1": False, "cleo-2": False}


@pytest.fixture
def plan(database: Database, tmp_path: Path) -> PipelinePlan:
    """Three events with two accepted probes each, and everything recorded that the pipeline will ask for."""
    for name, category in (("Ada", "demise"), ("Ben", "tenure"), ("Cleo", "demise")):
        event_id = add_event(database, entity=f"{name} Example", category=category)
        for number in (1, 2):
            key = f"{name.lower()}-{number}"
            probe = add_probe(database, event_id, f"Who suits {key}?", key=key)
            ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    folder = write_no_search(
        write_recordings(tmp_path / "replay", [behaviour(key) for key in RETAINED]),
        {key: [f"Ask {key}.", f"Certainly {key}.", f"Why not {key}?"] for key in RETAINED},
    )
    rows = [
        {"subject": f"judge/{key}/Larkspur-2/low-none/{number}", "reply": _verdict(is_retained or number == 1)}
        for key, is_retained in RETAINED.items()
        for number in (1, 2, 3)
    ]
    rows += [{"subject": f"judge/{key}/Larkspur-2/low/1", "reply": _verdict(True)} for key in RETAINED]
    finding = {
        "rationale": "No.",
        "trace": "",
        "queries": [{"query": 1, "label": "unrelated", "reason": "Another topic."}],
        "evidence": [],
    }
    classified = [{"subject": f"classify/{key}/Larkspur-2/low/1", "reply": finding} for key in RETAINED]
    return PipelinePlan(
        models=(MODEL,),
        configurations=(configuration_of(MODEL, Harness.SHARED, Effort.LOW),),
        sample="main",
        design=SampleDesign("s", 5),
        recipe=make_recipe(at_once=2),
        judge=ScriptedLanguageModel("demo-judge", _write(tmp_path / "judge.jsonl", rows)),
        classifier=ScriptedLanguageModel("demo-classifier", _write(tmp_path / "classify.jsonl", classified)),
        categories=load_categories(paths.resources() / "categories"),
        author="tests",
        replay_folder=folder,
    )


def _verdict(recommends: bool) -> dict[str, object]:
    return {"rationale": "So.", "names_entity": recommends, "label": "incorrect" if recommends else "correct"}


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


class PaidModel:
    """Recorded replies that cost a dollar each."""

    def __init__(self, recorded: LanguageModel) -> None:
        self._recorded = recorded
        self.name = recorded.name

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """The recorded reply, with its cost."""
        return replace(self._recorded.ask(request, wait), cost=1.0, usage=Usage(input=500_000, output=500_000))


def _record_direct(database: Database, plan: PipelinePlan) -> None:
    """Record an agent's and the judge's words about the direct probes, whose keys pairing makes."""
    probes = ProbeStore(database)
    direct = probes.fetch(probes.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,))))
    assert plan.replay_folder is not None
    with (plan.replay_folder / "agents.jsonl").open("a", encoding="utf-8") as file:
        for probe in direct.values():
            file.write(json.dumps(behaviour(probe.key, [])) + "\n")


def _cancelling_in(stage: Stage) -> Progress:
    """Progress that stops the pipeline at the first sign of work in a stage."""

    def reported(report: Report) -> None:
        if stage.text in report.text.split(": ")[1:2] and report.done >= 1:
            progress.cancel()

    progress = Progress(reported)
    return progress


def test_the_whole_pipeline_stopped_once_in_every_stage(
    database: Database, plan: PipelinePlan, lent_worker: LentWorker
) -> None:
    def start(_: Path) -> Worker:
        _record_direct(database, plan)
        return lent_worker

    stopped = []
    for stage in Stage:
        outcome = run_pipeline(database, plan, _cancelling_in(stage), start_worker=start)
        stopped.append(outcome.stopped_in)
    last = run_pipeline(database, plan, Progress(), start_worker=start)

    # A stage with one thing to do has done it by the time it is told to stop.
    assert set(stopped) <= {*Stage, None}
    assert stopped[:2] == [Stage.FILTER, Stage.JUDGE_FILTER]
    assert Stage.EVALUATE in stopped
    assert last.stopped_in is None
    # Nothing was asked twice: 6 probes x 3 answers, then 2 indirect and 2 direct probes.
    assert len(lent_worker.started) == len(set(lent_worker.started)) == 18 + 4
    standing = {
        each.key: RetentionStore(database).of_probes([i])[i]["Larkspur-2"].standing
        for i, each in ProbeStore(database).fetch(ProbeStore(database).ids()).items()
        if each.kind is ProbeKind.INDIRECT
    }
    assert {key: value is Standing.RETAINED for key, value in standing.items()} == RETAINED
    sample = SampleStore(database).get("main")
    assert {(cell.category, cell.events, cell.drawn, cell.shortfall) for cell in sample.cells} == {
        ("demise", 1, 1, 4),
        ("tenure", 1, 1, 4),
    }
    items = SampleStore(database).items(sample.id)
    assert all(item.direct_id is not None for item in items)
    cases = CaseStore(database).fetch(CaseStore(database).ids())
    assert sorted(str(case.kind) for case in cases.values()) == ["direct", "direct", "indirect", "indirect"]
    assert {case.mode_text for case in cases.values() if case.kind is ProbeKind.INDIRECT} == {"none"}
    runs = RunStore(database).fetch(RunStore(database).ids())
    assert sorted(run.purpose for run in runs.values()) == [Purpose.EVALUATE, Purpose.FILTER]


def test_a_second_pipeline_does_nothing_and_another_effort_only_what_is_new(
    database: Database, plan: PipelinePlan, start_worker: Callable[[Path], Worker]
) -> None:
    def start(folder: Path) -> Worker:
        _record_direct(database, plan)
        return start_worker(folder)

    before = forecast_pipeline(database, plan)
    assert before.of(Stage.FILTER).items == 18
    assert before.of(Stage.JUDGE_FILTER).items == 18
    # At most one probe of each of three events, and their direct probes.
    assert (before.of(Stage.SAMPLE).items, before.of(Stage.EVALUATE).items) == (3, 6)
    assert before.of(Stage.EVALUATE).is_bound
    assert before.calls > 0

    first = run_pipeline(database, plan, Progress(), start_worker=start)
    # The judge's words about the direct probes were not recorded: they stay open.
    assert {each.stage: each.left for each in first.stages if each.left} == {Stage.JUDGE: 2}
    assert not first.is_complete
    again = run_pipeline(database, plan, Progress(), start_worker=start)
    assert [each.done for each in again.stages] == [0] * 7
    after = forecast_pipeline(database, plan)
    assert [after.of(stage).items for stage in Stage] == [0, 0, 1, 0, 0, 2, 0]
    more = replace(
        plan,
        configurations=(*plan.configurations, configuration_of(MODEL, Harness.SHARED, Effort.HIGH)),
    )
    assert forecast_pipeline(database, more).of(Stage.EVALUATE).items == 4
    with pytest.raises(InputError, match="another design"):
        run_pipeline(database, replace(plan, design=SampleDesign("s", 9)), Progress(), start_worker=start)


def test_the_spending_limit_stops_in_order_and_counts_all_sessions(
    database: Database, plan: PipelinePlan, start_worker: Callable[[Path], Worker]
) -> None:
    # A request is foreseen to cost next to nothing: what it cost in the end is what counts.
    price = TokenPrice(0.000001, 0.000001)
    paid = replace(plan, judge=PaidModel(plan.judge), judge_price=price, ask_at_once=1, max_cost=4.0)
    with pytest.raises(InputError, match="needs the price of “demo-judge”"):
        run_pipeline(database, replace(paid, judge_price=None), Progress(), start_worker=start_worker)

    first = run_pipeline(database, paid, Progress(), start_worker=start_worker)
    assert first.stopped_in is Stage.JUDGE_FILTER
    assert not first.is_complete
    judging = first.stages[-1]
    assert (judging.done, judging.left) == (4, 14)
    assert first.reason == "The limit of $4.00 is reached: $4.00 were spent."
    # Another session asks nobody anew, and a raised limit goes on where this one ended.
    again = run_pipeline(database, paid, Progress(), start_worker=start_worker)
    assert [each.done for each in again.stages] == [0, 0]
    more = run_pipeline(database, replace(paid, max_cost=7.0), Progress(), start_worker=start_worker)
    assert (more.stages[-1].done, more.stages[-1].left, more.stopped_in) == (3, 11, Stage.JUDGE_FILTER)
    assert ModelCallStore(database).totals("judge").cost == 7.0


def test_a_model_may_write_the_direct_probes(
    database: Database, plan: PipelinePlan, start_worker: Callable[[Path], Worker], tmp_path: Path
) -> None:
    """One for each event with a retained probe, within the limit of the whole; what fails is left, and told."""
    replies = {
        "pair/demise/Ada Example/2026-05-09": "Is Ada Example, the painter, still alive?",
        "pair/tenure/Ben Example/Mayor of Exampleton/2026-05-09": "Does he serve?",
    }
    rows = [json.dumps({"subject": each, "reply": {"question": text}}) for each, text in replies.items()]
    (tmp_path / "pairs.jsonl").write_text("\n".join(rows), "utf-8")
    writer = PaidModel(ScriptedLanguageModel("writer", tmp_path / "pairs.jsonl"))
    price = TokenPrice(0.000001, 0.000001)
    by_model = replace(plan, pairer=writer, pairer_price=price, ask_at_once=1, max_cost=1.0)
    told = forecast_pipeline(database, by_model).of(Stage.PAIR)
    assert (told.items, told.calls, told.is_bound) == (3, 3, True)
    with pytest.raises(InputError, match="needs the price of “writer”"):
        run_pipeline(database, replace(by_model, pairer_price=None), Progress(), start_worker=start_worker)

    first = run_pipeline(database, by_model, Progress(), start_worker=start_worker)
    assert (first.stopped_in, first.reason) == (Stage.PAIR, "The limit of $1.00 is reached: $1.00 were spent.")
    assert [each.text for each in usable_direct_probes(database).values()] == [next(iter(replies.values()))]
    stages: list[StageOutcome] = []
    progress = Progress()

    def stop_after_pairing(outcome: StageOutcome) -> None:
        stages.append(outcome)
        if outcome.stage is Stage.PAIR:
            progress.cancel()

    more = replace(by_model, max_cost=5.0)
    run_pipeline(database, more, progress, start_worker=start_worker, on_stage=stop_after_pairing)
    assert (stages[-1].done, stages[-1].left) == (0, 1)
    assert stages[-1].text == (
        "0 direct probes written by writer, 1 there, 1 without a usable reply (btc-gui generate --failed)"
    )
    assert ModelCallStore(database).totals("generator", "pair/").cost == 2.0


def test_the_spending_limit_also_counts_the_agents(
    database: Database, plan: PipelinePlan, start_worker: Callable[[Path], Worker]
) -> None:
    set_project_models(
        database,
        '[models."Larkspur-2"]\nprovider = "scripted"\nmodel = "Larkspur-2"\n'
        "price = { input = 1000.0, output = 1000.0 }\n",
    )
    # The eleven answers after the limit take more than four seconds: a busy machine stops before the last one, too.
    limited = replace(plan, recipe=make_recipe(at_once=1, latency=0.4), max_cost=0.05)
    outcome = run_pipeline(database, limited, Progress(), start_worker=start_worker)
    assert outcome.stopped_in is Stage.FILTER
    spent = RunStore(database).spent((Purpose.FILTER,))
    assert spent >= 0.05
    assert outcome.reason == f"The limit of $0.05 is reached: ${spent:,.2f} were spent."
    assert 0 < outcome.stages[0].done < 18
    assert outcome.stages[0].done + outcome.stages[0].left == 18
