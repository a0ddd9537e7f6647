"""Loading answers of one's own agent: each finds its probe or says why not, and is there once, whatever is loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.load_report import LoadReport, NothingLoaded
from btc_gui.domain.probe import Probe
from btc_gui.domain.run import AnswerRow
from btc_gui.domain.trajectory import Ending, StepKind, Trajectory, Usage
from btc_gui.errors import InputError, RunError
from btc_gui.jobs.load_answers import load_answers, preview_answers
from btc_gui.progress import Cancelled, Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.loads import LoadStore
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import VerdictStore
from tests.builders import add_event, add_probe

STEPS = [
    {"kind": "reasoning", "text": "Who spoke lately?"},
    {
        "kind": "query",
        "text": "Ada Example 2026",
        "results": [
            {"title": "An obituary", "url": "https://e.org/o", "published": "2026-05-10", "excerpts": ["She died."]},
            {"title": "A talk", "link": "https://e.org/t", "date": "3 days ago", "snippet": "She spoke."},
        ],
        "output": "1. An obituary …",
        "seconds": 1.25,
    },
    {"search": "panel speakers", "output": "Nothing was found."},
    {"kind": "tool", "tool": "calculator", "input": {"sum": "1+1"}, "output": "2"},
    {"answer": "Ask Ada Example."},
]


def load(database: Database, path: Path, *rows: dict[str, object], **options: str) -> LoadReport:
    """Load a file of JSON lines with these rows (or the file as it is)."""
    if rows:
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return load_answers(database, path, Progress(), author="tests", **options)  # type: ignore[arg-type]


def answers(database: Database) -> list[AnswerRow]:
    """All answers that count, in order."""
    store = AnswerStore(database)
    found = store.fetch(store.ids())
    return [found[number] for number in sorted(found)]


def trajectory(database: Database) -> Trajectory:
    """The only answer, whole."""
    (row,) = answers(database)
    return AnswerStore(database).trajectory(row.id)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to load."""
    return tmp_path / "my agent.jsonl"


@pytest.fixture
def probe(database: Database) -> Probe:
    """A probe of a known key."""
    return add_probe(database, add_event(database), "Whom shall we invite?", key="p1")


def test_an_answer_with_its_steps(database: Database, file: Path, probe: Probe) -> None:
    """All that a row tells is kept: steps with their results, usage, cost, times; dates that are none are undated."""
    row = {
        "probe": "p1",
        "model": "Own-1",
        "effort": "high",
        "harness": "shared",
        "search": "my index",
        "steps": STEPS,
        "usage": {"input_tokens": 900, "output_tokens": 120},
        "cost": 0.0125,
        "seconds": 3.5,
        "started_at": "2026-07-15T12:00:00+02:00",
        "finished_at": "2026-07-15T10:00:03.5Z",
    }
    assert load(database, file, row).new == 1
    (answer,) = answers(database)
    assert answer.configuration == Configuration("Own-1", Harness.SHARED, Effort.HIGH, search="my index")
    assert (answer.probe_id, answer.revision_id, answer.repetition) == (probe.id, probe.revision_id, 1)
    assert (answer.ending, answer.answer, answer.queries, answer.results) == (
        Ending.ANSWERED,
        "Ask Ada Example.",
        2,
        3,
    )
    assert (answer.usage, answer.cost, answer.seconds) == (Usage(900, 120), 0.0125, 3.5)
    assert (answer.started_at, answer.finished_at) == (
        "2026-07-15T10:00:00.000+00:00",
        "2026-07-15T10:00:03.500+00:00",
    )
    steps = trajectory(database).steps
    assert [(step.number, step.kind, step.text) for step in steps] == [
        (1, StepKind.REASONING, "Who spoke lately?"),
        (2, StepKind.QUERY, "Ada Example 2026"),
        (3, StepKind.QUERY, "panel speakers"),
        (4, StepKind.TOOL, '{"sum": "1+1"}'),
        (5, StepKind.ANSWER, "Ask Ada Example."),
    ]
    first, second = steps[1].results
    assert (first.title, first.url, first.published, first.excerpts) == (
        "An obituary",
        "https://e.org/o",
        "2026-05-10",
        ("She died.",),
    )
    assert (second.url, second.published, second.excerpts) == ("https://e.org/t", "", ("She spoke.",))
    assert (steps[1].output, steps[1].seconds, steps[3].tool, steps[3].output) == (
        "1. An obituary …",
        1.25,
        "calculator",
        "2",
    )
    # What a search delivered in one piece is searched for evidence as well.
    assert [result.excerpts for result in steps[2].results] == [("Nothing was found.",)]


def test_answers_in_csv(database: Database, tmp_path: Path, probe: Probe) -> None:
    """A table of answers alone: the probe by its text or number, and what nobody recorded is said to be unknown."""
    path = tmp_path / "answers.csv"
    path.write_text(
        'question,probe_id,model,response\n"Whom shall we invite?",,Own-1,Ask Ada.\n'
        f',{probe.id},Own-1,"Ask Bea,\nthen"\n,p1,Own-2,\n'
    )
    assert load(database, path).new == 3
    first, second, third = answers(database)
    assert (first.answer, first.repetition, second.answer, second.repetition) == ("Ask Ada.", 1, "Ask Bea,\nthen", 2)
    assert (third.ending, third.ending_reason) == (Ending.NO_ANSWER, "the final answer is empty")
    assert first.configuration == Configuration("Own-1", Harness.OTHER, Effort.UNKNOWN)
    steps = AnswerStore(database).trajectory(first.id).steps
    assert [(step.kind, step.is_hidden) for step in steps] == [(StepKind.TOOL, True), (StepKind.ANSWER, False)]
    cases = CaseStore(database)
    assert cases.fetch([first.id])[first.id].queries_text == "queries not known"
    assert cases.facets()["queries"] == {"not known": 3}
    assert cases.ids(CaseQuery(queries=("0",))) == []
    assert {each.queries for each in ResultStore(database).answers()} == {None}


#: What makes an answer none, and how the reason begins.
BAD_ROWS: list[tuple[dict[str, object], str]] = [
    ({}, "the row names no probe: give its key, its number or its text"),
    ({"probe": "p9"}, "no such probe: none of this project is called, numbered or asks “p9”"),
    ({"text": "Who?"}, "no such probe: none of this project asks “Who?”"),
    ({"probe": "p1", "text": "Who?"}, "another wording: the probe “p1” never asked “Who?”"),
    ({"probe": "p1", "model": ""}, "the model is missing"),
    ({"probe": "p1", "effort": "huge"}, "unknown effort: “huge” (there are none, minimal, low"),
    ({"probe": "p1", "harness": "mine"}, "unknown harness: “mine” (there are shared, native, none, other)"),
    ({"probe": "p1", "harness": "shared"}, "the steps are missing: in the shared harness every search is known"),
    ({"probe": "p1", "ending": "odd"}, "unknown ending: “odd” (there are answered, no_answer, refused"),
    ({"probe": "p1", "answer": "", "ending": "answered"}, "the answer is missing, though"),
    ({"probe": "p1", "repetition": 0}, "repetition is no whole number from 1: “0”"),
    ({"probe": "p1", "cost": "-3"}, "cost is no number from 0: “-3”"),
    ({"probe": "p1", "seconds": "9e999"}, "seconds is no number from 0: “9e999”"),
    ({"probe": "p1", "input_tokens": 2.5}, "input_tokens is no whole number from 0: “2.5”"),
    ({"probe": "p1", "as_of": "2026-05"}, "the as-of is no day: “2026-05”"),
    ({"probe": "p1", "started_at": "noon"}, "the start is no time: “noon”"),
    ({"probe": "p1", "steps": "[1"}, "the steps are not JSON"),
    ({"probe": "p1", "steps": "7"}, "the steps are no list in brackets"),
    ({"probe": "p1", "steps": [[]]}, "step 1 is not an object in braces"),
    ({"probe": "p1", "steps": [{"x": "y"}]}, "step 1 says nothing of its kind"),
    ({"probe": "p1", "steps": [{"kind": "dream"}]}, "step 1 is of an unknown kind: “dream”"),
    ({"probe": "p1", "steps": [{"kind": "query"}]}, "step 1 is a search without its query"),
    ({"probe": "p1", "steps": [{"query": "q", "results": "r"}]}, "the results of step 1 are no list"),
    ({"probe": "p1", "steps": [{"query": "q", "results": [[]]}]}, "result 1 of step 1 is not an object in braces"),
]


def test_what_is_no_answer(database: Database, file: Path, probe: Probe) -> None:
    """A row that can't be an answer is rejected with its line and the reason; the others are taken."""
    good: dict[str, object] = {"probe": "p1", "model": "Own-1", "answer": "Ask Ada."}
    report = load(database, file, *({**good, "probe": "", **row} for row, _ in BAD_ROWS), good)
    assert report.new == 1
    assert [each.line for each in report.rejected] == list(range(1, len(BAD_ROWS) + 1))
    for rejection, (_, reason) in zip(report.rejected, BAD_ROWS, strict=True):
        assert rejection.reason.startswith(reason)


def test_probe_that_several_rows_may_mean(database: Database, file: Path, probe: Probe) -> None:
    """A text that two probes ask says not which; an older wording belongs to the revision that asked it."""
    other = add_event(database, entity="Bea Example")
    add_probe(database, other, "Whom shall we invite?", key="p2")
    report = load(
        database,
        file,
        {"text": "Whom shall we invite?", "model": "Own-1", "answer": "Ada."},
        {"text": "Whom shall we invite?", "probe": "p2", "model": "Own-1", "answer": "Ada."},
    )
    assert report.rejected[0].reason == "several probes: “p1”, “p2” ask this; name one by its key"
    assert [answer.probe_key for answer in answers(database)] == ["p2"]


def test_the_same_file_again(database: Database, file: Path, probe: Probe) -> None:
    """Known answers change nothing: also in another order, under another name, or with more rows after them."""
    one: dict[str, object] = {"probe": "p1", "model": "Own-1", "answer": "Ask Ada."}
    two: dict[str, object] = {"probe": "p1", "model": "Own-1", "answer": "Ask Bea."}
    assert (load(database, file, one, two, one).new, len(answers(database))) == (3, 3)
    again = load(database, file)
    assert (again.new, again.known) == (0, 3)
    copy = file.with_name("copy.jsonl")
    copy.write_bytes(file.read_bytes())
    assert load(database, copy).known == 3
    report = load(database, file, two, one, {**one, "answer": "Ask Cleo."}, one)
    assert (report.new, report.known) == (1, 3)
    assert [answer.repetition for answer in answers(database)] == [1, 2, 3, 4]
    (run,) = RunStore(database).fetch(RunStore(database).ids()).values()
    assert run.name == "my agent"


def test_numbered_answers(database: Database, file: Path, probe: Probe) -> None:
    """A number that another answer has is refused; in a run of another name it is free."""
    row: dict[str, object] = {"probe": "p1", "model": "Own-1", "answer": "Ask Ada.", "epoch": 2}
    load(database, file, row)
    with pytest.raises(NothingLoaded, match="another answer is there: “my agent” has repetition 2"):
        load(database, file, {**row, "answer": "Ask Bea."})
    assert load(database, file, run="second run").new == 1
    assert [(answer.answer, answer.repetition) for answer in answers(database)] == [("Ask Ada.", 2), ("Ask Bea.", 2)]


def test_they_count_like_others(database: Database, file: Path, probe: Probe) -> None:
    """Loaded answers are judged and counted; failures without a search are known as such only where searches are."""
    row: dict[str, object] = {"probe": "p1", "model": "Own-1", "answer": "Ask Ada."}
    load(database, file, row, {**row, "harness": "shared", "steps": []})
    own, shared = answers(database)
    assert [answer.id for answer in ResultStore(database).answers()] == [own.id, shared.id]
    with database.write() as connection:
        connection.executemany(
            "INSERT INTO verdict (answer_id, judge, label, at) VALUES (?, 'judge', 'incorrect', '')",
            [(own.id,), (shared.id,)],
        )
    assert set(VerdictStore(database).answers([own.id, shared.id])) == {own.id, shared.id}
    assert ClassificationStore(database).without_queries() == [shared.id]
    run_id = own.run_id
    assert not RunStore(database).pending(run_id)
    with pytest.raises(RunError, match="loaded from files"):
        RunStore(database).retry_failed(run_id)


def test_mapping_is_shown_and_remembered(database: Database, tmp_path: Path, probe: Probe) -> None:
    """Columns are guessed, corrected once, and read that way the next time; the first rows are shown as taken."""
    path = tmp_path / "a.csv"
    path.write_text("pid,llm,said\np1,Own-1,Ask Ada.\nq,Own-1,x\n")
    preview = preview_answers(path, database)
    assert preview.problems == (
        "no column holds the probe (its key, number or text)",
        "no column holds the model",
        "no column holds the answer",
    )
    with pytest.raises(InputError, match="no column holds the probe"):
        load(database, path)
    changes = {"probe": "pid", "model": "llm", "answer": "said"}
    assert load_answers(database, path, Progress(), author="tests", mapping=changes).new == 1
    again = preview_answers(path, database)
    assert (again.origin, again.mapping) == ("remembered", changes)
    assert again.sample[0].facts["model"] == "Own-1 · effort unknown · other"
    assert again.sample[1].reason.startswith("no such probe")
    assert LoadStore(database).loads()[0].subject is LoadSubject.ANSWERS


def test_large_answers_and_stopping(database: Database, file: Path, probe: Probe) -> None:
    """A row of more than a megabyte is taken whole; a load that was stopped keeps what came, and goes on from there."""
    text = "Ünïcode " * 150_000
    big: dict[str, object] = {
        "probe": "p1",
        "model": "Own-1",
        "harness": "shared",
        "answer": "Yes.",
        "steps": [{"query": "q", "output": text}],
    }
    rows = [big, *(dict[str, object](probe="p1", model=f"Own-{n}", answer="No.") for n in range(150))]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")

    class Stopping(Progress):
        def report(self, done: int, total: int, text: str = "") -> None:
            if done and answers(database):
                raise Cancelled
            super().report(done, total, text)

    with pytest.raises(Cancelled):
        load_answers(database, file, Stopping(), author="tests")
    stopped = len(answers(database))
    assert 0 < stopped < 151
    report = load(database, file)
    assert (report.known, report.new) == (stopped, 151 - stopped)
    (result,) = AnswerStore(database).trajectory(answers(database)[0].id).steps[0].results
    assert result.excerpts == (text,)
