"""The filter, with the real engine: three answers each, kept small, asked once, judged as all others."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import load_categories
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText
from btc_gui.domain.retention import FilterAnswer, Standing
from btc_gui.domain.review import Action
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError, RunError
from btc_gui.evals.messages import Event, Finished
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.filter_probes import filter_probes, forecast_filter, probes_to_filter
from btc_gui.jobs.judge import judge
from btc_gui.jobs.run_evaluation import log_folder
from btc_gui.progress import Progress
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.results import ResultStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_no_search, write_recordings
from tests.run_builders import hurry, make_recipe
from tests.shared_worker import LentWorker

Start = Callable[[Path], Worker]


def scripted(name: str = "Larkspur-2") -> EvaluatedModel:
    """A model that replays recordings."""
    return EvaluatedModel(name, SCRIPTED, name)


def add_accepted(database: Database, count: int, **event: object) -> list[Probe]:
    """Indirect probes of one event, accepted."""
    event_id = add_event(database, **event)
    probes = [add_probe(database, event_id, f"Who suits evening {n}?", key=f"p{n}") for n in range(1, count + 1)]
    for probe in probes:
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    return ProbeStore(database).siblings(event_id)


def judge_file(folder: Path, labels: dict[str, Sequence[object]], model: str = "Larkspur-2") -> ScriptedLanguageModel:
    """A judge that gives the answers to a probe these labels in turn (True: recommends; a text: can't be read)."""
    rows = []
    for key, each in labels.items():
        for number, label in enumerate(each, 1):
            reply: object = label
            if isinstance(label, bool):
                word = "incorrect" if label else "correct"
                reply = {"rationale": "Because.", "names_entity": label, "label": word}
            rows.append({"subject": f"judge/{key}/{model}/low-none/{number}", "reply": reply})
    path = folder / "judge.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return ScriptedLanguageModel("demo-judge", path)


def judge_filter(database: Database, model: ScriptedLanguageModel) -> None:
    """Judge the answers of every filter run."""
    categories = load_categories(paths.resources() / "categories")
    for run_id in RetentionStore(database).runs():
        judge(database, model, categories, Progress(), run_id=run_id)


def test_a_probe_is_retained_when_all_three_answers_recommend_the_entity(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    probes = add_accepted(database, 6)
    answers = {f"p{n}": [f"Ask Ada {n}{k}." for k in "abc"] for n in range(1, 6)}
    folder = write_no_search(write_recordings(tmp_path / "replay", []), {**answers, "p3": ["A.", None, "C."]})

    outcome = filter_probes(
        database,
        [scripted()],
        probes_to_filter(database),
        folder,
        Progress(),
        author="tests",
        recipe=make_recipe(),
        start_worker=start_worker,
    )

    # p6 was not recorded: three failures.
    assert (outcome.stored, outcome.left, outcome.is_cancelled) == (18, 0, False)
    assert outcome.by_ending == {Ending.ANSWERED: 14, Ending.NO_ANSWER: 1, Ending.FAILED: 3}
    odd = {"rationale": "Hm.", "names_entity": False, "label": "incorrect"}
    judge_filter(
        database,
        judge_file(
            tmp_path,
            {
                "p1": [True, True, True],
                "p2": [True, False, True],
                "p3": [True, True, True],
                "p4": [True, True, "no label at all"],
                "p5": [True, odd, True],
            },
        ),
    )
    store = RetentionStore(database)
    found = {each.key: store.of_probes([each.id])[each.id]["Larkspur-2"] for each in probes}
    assert {key: (each.standing, dict(each.answers)) for key, each in found.items()} == {
        "p1": (Standing.RETAINED, {FilterAnswer.RECOMMENDS: 3}),
        "p2": (Standing.NOT_RETAINED, {FilterAnswer.RECOMMENDS: 2, FilterAnswer.LEAVES_OUT: 1}),
        "p3": (Standing.NOT_RETAINED, {FilterAnswer.RECOMMENDS: 2, FilterAnswer.NO_ANSWER: 1}),
        "p4": (Standing.UNDECIDED, {FilterAnswer.RECOMMENDS: 2, FilterAnswer.UNSCORED: 1}),
        "p5": (Standing.UNDECIDED, {FilterAnswer.RECOMMENDS: 2, FilterAnswer.CONTRADICTORY: 1}),
        "p6": (Standing.UNDECIDED, {FilterAnswer.FAILED: 3}),
    }
    assert found["p4"].reason == "2 recommend the entity, 1 unscored (the judge's reply can't be read)"
    (count,) = store.counts()
    assert (count.events, count.generated, count.filtered) == (1, 6, 6)
    assert (count.retained, count.not_retained, count.undecided, count.retained_events) == (1, 2, 3, 1)
    assert [each.probe_key for each in store.retained(["Larkspur-2"])] == ["p1"]


def test_filter_answers_are_small_rows_and_neither_cases_nor_results(
    database: Database, tmp_path: Path, lent_worker: LentWorker
) -> None:
    add_accepted(database, 2)
    folder = write_no_search(write_recordings(tmp_path / "replay", []), {"p1": ["Ask Ada."], "p2": ["Ask Ada."]})
    filter_probes(
        database,
        [scripted()],
        probes_to_filter(database),
        folder,
        Progress(),
        author="tests",
        recipe=make_recipe(),
        start_worker=lambda _: lent_worker,
    )
    (run_id,) = RetentionStore(database).runs()
    run = RunStore(database).get(run_id)
    assert run.purpose is Purpose.FILTER
    assert list(log_folder(database, run).glob("*.eval")) == []
    read = database.read()
    assert read.execute("SELECT count(*) FROM step").fetchone()[0] == 0
    # Six equal answers are one text.
    assert read.execute("SELECT count(*) FROM answer").fetchone()[0] == 6
    assert len({row.answer for row in AnswerStore(database).fetch(AnswerStore(database).ids(run_id)).values()}) == 1
    assert read.execute("SELECT count(*) FROM body WHERE id IN (SELECT body_id FROM answer)").fetchone()[0] == 1
    assert CaseStore(database).ids() == []
    assert ResultStore(database).answers() == []


def test_nothing_is_asked_twice_and_what_is_new_is_asked(
    database: Database, tmp_path: Path, lent_worker: LentWorker
) -> None:
    probes = add_accepted(database, 3)
    folder = write_no_search(
        write_recordings(tmp_path / "replay", []), {f"p{n}": ["Ask Ada."] for n in (1, 2, 3)}, models=["A", "B"]
    )
    models = [scripted("A"), scripted("B")]

    def run(progress: Progress | None = None, latency: float = 0.0) -> int:
        return filter_probes(
            database,
            models,
            probes_to_filter(database),
            folder,
            progress or Progress(),
            author="tests",
            recipe=make_recipe(at_once=2, latency=latency),
            start_worker=lambda _: lent_worker,
        ).stored

    assert forecast_filter(database, models, probes_to_filter(database), 8).answers == 18
    stopping = Progress(lambda report: stopping.cancel() if report.done >= 1 else None)
    # The last ones start a long while after the first have ended.
    first = run(stopping, latency=1.5)
    assert 0 < first < 18
    hurry(database)
    assert forecast_filter(database, models, probes_to_filter(database), 8).answers == 18 - first
    assert first + run() == 18
    assert run() == 0
    assert len(lent_worker.started) == len(set(lent_worker.started)) == 18
    # Another wording is another question.
    edited = ReviewStore(database).decide(
        probes[0].id, probes[0].revision_id, Action.EDIT, "tests", edited=ProbeText("Who suits the matinee?")
    )
    assert edited.new_revision_id is not None
    ReviewStore(database).decide(probes[0].id, edited.new_revision_id, Action.ACCEPT, "tests")
    assert forecast_filter(database, models, probes_to_filter(database), 8).answers == 6
    assert run() == 6
    assert probes[0].id in RetentionStore(database).of_model("A")


def test_only_accepted_indirect_probes_are_filtered_unless_asked(database: Database) -> None:
    probes = add_accepted(database, 2)
    add_probe(database, probes[0].event_id, "Is Ada alive?", ProbeKind.DIRECT, key="d1")
    waiting = add_probe(database, probes[0].event_id, "Who sings?", key="w1")
    refused = add_probe(database, probes[0].event_id, "Who cooks?", key="r1")
    ReviewStore(database).decide(refused.id, refused.revision_id, Action.REJECT, "tests", reasons=("wrong_facts",))
    assert [i for i, _ in probes_to_filter(database)] == [each.id for each in probes]
    assert [i for i, _ in probes_to_filter(database, include_unreviewed=True)] == [*(p.id for p in probes), waiting.id]
    assert len(probes_to_filter(database, limit=1)) == 1


def test_an_empty_filter_is_refused(database: Database, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no probe to filter"):
        filter_probes(database, [scripted()], [], tmp_path, Progress(), author="tests", recipe=make_recipe())


class _Crashing:
    """A worker whose app dies when it has heard of five finished samples, none of them stored for certain."""

    def __init__(self, worker: LentWorker) -> None:
        self._worker = worker
        self._finished = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._worker, name)

    def next_event(self, seconds: float) -> Event | None:
        event = self._worker.next_event(seconds)
        if isinstance(event, Finished):
            self._finished += 1
            if self._finished == 5:
                raise RuntimeError("the window is gone")
        return event


def test_answers_that_an_app_died_with_are_recovered_and_their_logs_deleted(
    database: Database, tmp_path: Path, lent_worker: LentWorker
) -> None:
    add_accepted(database, 3)
    folder = write_no_search(
        write_recordings(tmp_path / "replay", []), {f"p{n}": [f"Ask {n}{k}." for k in "abc"] for n in (1, 2, 3)}
    )

    def run(worker: object) -> int:
        return filter_probes(
            database,
            [scripted()],
            probes_to_filter(database),
            folder,
            Progress(),
            author="tests",
            recipe=make_recipe(at_once=3),
            start_worker=lambda _: cast("Worker", worker),
        ).stored

    with pytest.raises(RuntimeError, match="the window is gone"):
        run(_Crashing(lent_worker))
    (run_id,) = RetentionStore(database).runs()
    before = len(AnswerStore(database).ids(run_id))
    asked = len(lent_worker.started)
    lent_worker.started.clear()
    stored = run(lent_worker)
    assert before + stored == len(AnswerStore(database).ids(run_id)) == 9
    assert len(AnswerStore(database).uuids(run_id)) == len(AnswerStore(database).ids(run_id, only_final=False))
    # What had finished is not asked again: only what was in flight when the app died.
    assert len(lent_worker.started) <= 9 - 5
    assert asked >= 5
    assert list(log_folder(database, RunStore(database).get(run_id)).glob("*.eval")) == []


def test_the_command_filters_and_says_who_retains_what(database: Database, tmp_path: Path) -> None:
    add_accepted(database, 2)
    folder = write_no_search(write_recordings(tmp_path / "replay", [behaviour("p1")]), {"p1": ["Ask Ada."]})
    base = ["filter", "-p", str(database.path), "--replay", str(folder), "--json"]
    told = CliRunner().invoke(main, [*base, "--dry-run"], catch_exceptions=False)
    assert json.loads(told.stdout)["answers"] == 6
    again = [*base[:3], "--replay", str(folder), "--model", "GPT-9"]
    refused = CliRunner().invoke(main, again)
    assert isinstance(refused.exception, InputError)
    assert "Larkspur-2" in str(refused.exception)
    whole = ["pipeline", *base[1:], "--judge", "replay:" + str(_empty(tmp_path)), "--dry-run"]
    forecast = CliRunner().invoke(main, [*whole, "--classifier", "replay:" + str(_empty(tmp_path))])
    stages = json.loads(forecast.stdout)["stages"]
    assert [(each["stage"], each["items"]) for each in stages][:2] == [("filter", 6), ("judge filter", 6)]
    nobody = CliRunner().invoke(main, [*whole, "--classifier", "somebody"])
    assert "names no language model" in str(nobody.exception)


def _empty(folder: Path) -> Path:
    path = folder / "replies.jsonl"
    path.write_text("", encoding="utf-8")
    return path
