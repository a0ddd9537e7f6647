"""A run as a log: Inspect reads it, and reading it back gives the same answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.configuration import Effort
from btc_gui.domain.probe import Probe
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.export_log import export_log
from btc_gui.jobs.load_logs import load_logs
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.run_builders import add_answer, add_run, make_configuration, make_trajectory
from tests.study_builders import put_in_open_study

Start = Callable[[Path], Worker]
AT = "2026-07-15T10:00:0{}.500+00:00"


def _bare(trajectory: Trajectory) -> Trajectory:
    """Without row ids and cost, which logs don't hold."""
    steps = tuple(
        replace(step, id=None, results=tuple(replace(each, id=None) for each in step.results))
        for step in trajectory.steps
    )
    return replace(trajectory, steps=steps, cost=None)


def _all(database: Database) -> dict[str, Trajectory]:
    store = AnswerStore(database)
    found = [store.trajectory(each) for each in store.ids()]
    return {each.uuid: _bare(each) for each in found}


def _probes(database: Database, count: int) -> list[Probe]:
    event = add_event(database)
    return [add_probe(database, event, text=f"Who for evening {n}?", key=f"p{n}") for n in range(1, count + 1)]


def _endings() -> list[Trajectory]:
    """One attempt of each ending, with agents, tools, native searches and odd texts among their steps."""
    first = (SearchResult("Ж", "https://example.org/1", "2026-03-01", ("one", "two")),)
    second = (SearchResult("Other", "https://example.org/2"),)
    return [
        make_trajectory(
            "Ask Ada.",
            steps=(
                Step(1, StepKind.REASONING, "Hm.", at=AT.format(1), seconds=1.5),
                Step(2, StepKind.MESSAGE, "Let me look.", at=AT.format(1)),
                Step(3, StepKind.QUERY, "who", first, "text one", tool="web_search", at=AT.format(2), seconds=0.5),
                Step(4, StepKind.QUERY, "who", second, "text two", tool="web_search", at=AT.format(3)),
                Step(5, StepKind.QUERY, "none", (), "", "it failed", tool="web_search", at=AT.format(4)),
                Step(6, StepKind.TOOL, '{"cmd": "ls", "n": 1}', (), "a\nb", tool="bash", at=AT.format(5)),
                Step(7, StepKind.REASONING, "", is_hidden=True, at=AT.format(6), seconds=2.0),
                Step(8, StepKind.ANSWER, "Ask Ada.", at=AT.format(6)),
            ),
        ),
        make_trajectory(
            "Ask Bo.",
            ending_reason="cut off at the token limit",
            steps=(
                Step(1, StepKind.MESSAGE, "I hand over.", at=AT.format(1), agent="lead", span="s1"),
                Step(
                    2,
                    StepKind.TOOL,
                    "{}",
                    (),
                    "done",
                    tool="handoff",
                    at=AT.format(2),
                    agent="sub",
                    span="s2",
                    parent_span="s1",
                ),
                Step(3, StepKind.ANSWER, "Ask Bo.", at=AT.format(3), agent="lead", span="s1"),
            ),
        ),
        make_trajectory(
            "",
            ending=Ending.NO_ANSWER,
            ending_reason="no final answer within the message limit of 60",
            steps=(Step(1, StepKind.MESSAGE, "Still looking.", at=AT.format(1)),),
        ),
        make_trajectory("", ending=Ending.NO_ANSWER, ending_reason="the final answer is empty", steps=()),
        make_trajectory(
            "",
            ending=Ending.REFUSED,
            ending_reason="I can't.",
            steps=(Step(1, StepKind.MESSAGE, "I can't.", at=AT.format(1)),),
        ),
        make_trajectory("", ending=Ending.FAILED, ending_reason="RateLimitError('429')", steps=()),
        make_trajectory(
            "From words alone.",
            steps=(
                Step(1, StepKind.QUERY, "who", first, "text", tool="web_search"),
                Step(2, StepKind.QUERY, "who", second, "text", tool="web_search"),
                Step(3, StepKind.ANSWER, "From words alone."),
            ),
        ),
    ]


def test_a_run_comes_back_as_it_was(database: Database, tmp_path: Path, start_worker: Start) -> None:
    """Every ending; in an empty project the samples stand alone, beside their probes they attach to them."""
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    trajectories = _endings()
    run_id = add_run(database, _probes(database, len(trajectories)))
    answers = [add_answer(database, run_id, each) for each in trajectories]
    for judge, label in (("judge A", Label.CORRECT), ("judge B", Label.INCORRECT)):
        VerdictStore(database).add(NewVerdict(answers[0], judge, None, label, True, "Because."))
    VerdictStore(database).add(NewVerdict(answers[1], "judge A", None, None, unscored="no JSON"))
    # What a judge said of it stays in the project while people label it.
    VerdictStore(database).add(NewVerdict(answers[6], "judge A", None, Label.CORRECT, True, "Because."))
    put_in_open_study(database, [answers[6]])

    written = export_log(database, run_id, tmp_path / "run.eval", Progress(), start_worker=start_worker)
    assert [(each.path.name, each.samples) for each in written] == [("run.eval", 7)]
    log = read_eval_log(str(tmp_path / "run.eval"))
    assert (log.status, log.eval.model, log.eval.task) == ("success", "Larkspur-2", "Test run")
    assert log.eval.model_generate_config.reasoning_effort == "low"
    summaries = {each.id: each for each in read_eval_log_sample_summaries(str(tmp_path / "run.eval"))}
    scores = {judge: score.value for judge, score in (summaries["p1"].scores or {}).items()}
    assert scores == {"judge A": "C", "judge B": "I"}
    assert (summaries["p2"].scores or {})["judge A"].value == "N"
    assert not summaries["p7"].scores

    again = load_logs(database, [tmp_path], Progress(), author="tests", start_worker=start_worker)[0].report
    assert (again.new, again.known) == (0, 7)
    with Database.create(tmp_path / "empty.btc") as empty:
        outcome = load_logs(empty, [tmp_path / "run.eval"], Progress(), author="tests", start_worker=start_worker)[0]
        assert (outcome.report.new, outcome.attached) == (7, 0)
        assert _all(empty) == _all(database)
    with Database.create(tmp_path / "other.btc") as other:
        probes = _probes(other, len(trajectories))
        outcome = load_logs(other, [tmp_path / "run.eval"], Progress(), author="tests", start_worker=start_worker)[0]
        assert (outcome.report.new, outcome.attached) == (7, 7)
        store = AnswerStore(other)
        rows = list(store.fetch(store.ids()).values())
        assert {row.probe_id for row in rows} == {probe.id for probe in probes}
        assert {row.configuration.identity for row in rows} == {make_configuration().identity}
        run = RunStore(other).get(rows[0].run_id)
        assert (run.name, run.purpose, len(RunStore(other).pending(run.id))) == ("Test run", Purpose.EVALUATE, 0)


def test_logs_of_others_come_back_too(
    database: Database, shared_data: Path, tmp_path: Path, start_worker: Start
) -> None:
    """Real trajectories: tools, reasoning, epochs, native searches, submitted answers."""
    folder = shared_data / "inspect_logs"
    names = (
        "docent_intercode_10epochs.eval", "metr_oxdna_opus41_6epochs.eval", "gen_native_anthropic_replay.eval",
        "gen_shared_cancelled_multilingual.eval", "ia_2epochs_v0.3.42.eval", "ia_browser.json",
    )  # fmt: skip
    load_logs(database, [folder / name for name in names], Progress(), author="tests", start_worker=start_worker)
    for run_id in RunStore(database).ids():
        export_log(database, run_id, tmp_path / "logs" / f"{run_id}.eval", Progress(), start_worker=start_worker)
    with Database.create(tmp_path / "empty.btc") as empty:
        load_logs(empty, [tmp_path / "logs"], Progress(), author="tests", start_worker=start_worker)
        before, after = _all(database), _all(empty)
    assert set(before) == set(after)
    for uuid, trajectory in before.items():
        assert after[uuid] == trajectory


def test_several_configurations_are_several_logs_and_nothing_is_replaced(
    database: Database, tmp_path: Path, start_worker: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of the name of a model as much as a file's name takes.
    model = f"../Quill/Mini \u202e{'非常' * 40}"
    probes = _probes(database, 1)
    run_id = add_run(database, probes, [make_configuration(), make_configuration(model, Effort.HIGH)])
    with pytest.raises(InputError, match="no answers"):
        export_log(database, run_id, tmp_path / "run.eval", Progress(), start_worker=start_worker)
    add_answer(database, run_id)
    add_answer(database, run_id)
    # As typed at a prompt: the worker that writes has another folder than the person.
    monkeypatch.chdir(tmp_path)
    written = export_log(database, run_id, Path("run"), Progress(), start_worker=start_worker)
    names = ["run-..-Quill-Mini-非常非常非常非常非常非常非常非-high-shared.eval", "run-Larkspur-2-low-shared.eval"]
    assert sorted(each.path for each in written) == [tmp_path / name for name in names]
    with pytest.raises(InputError, match="exists already"):
        export_log(database, run_id, tmp_path / "run", Progress(), start_worker=start_worker)
    assert sorted(path.name for path in tmp_path.glob("*.eval")) == names
