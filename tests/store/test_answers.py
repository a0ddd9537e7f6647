"""Answers: stored whole, once, and read back as they came."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from btc_gui.domain.probe import Probe
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import AnswerId, Ending, SearchResult, Step, StepKind, Trajectory
from btc_gui.errors import ProjectError
from btc_gui.store.answers import AnswerStore, prepare
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.run_builders import add_answer, add_run, make_configuration, make_trajectory

_ODD = "現任は誰？ 🕊️ Орбан\u202e \x00 end \ud83d half"


@pytest.fixture
def probe(database: Database) -> Probe:
    return add_probe(database, add_event(database), key="ada-1")


@pytest.fixture
def run_id(database: Database, probe: Probe) -> RunId:
    return add_run(database, [probe])


def _without_ids(trajectory: Trajectory) -> Trajectory:
    steps = [
        replace(step, id=None, results=tuple(replace(result, id=None) for result in step.results))
        for step in trajectory.steps
    ]
    return replace(trajectory, steps=tuple(steps))


def test_an_answer_is_read_back_whole(database: Database, run_id: RunId) -> None:
    trajectory = make_trajectory(cost=0.0123)
    answer_id = add_answer(database, run_id, trajectory)
    stored = AnswerStore(database).trajectory(answer_id)
    assert _without_ids(stored) == trajectory
    assert all(step.id is not None for step in stored.steps)
    assert [result.id is not None for result in stored.queries[0].results] == [True, True]


def test_text_of_any_script_comes_back_as_it_was(database: Database, run_id: RunId) -> None:
    result = SearchResult("訃報 🕯️", "https://example.org/訃報", "2026-05-12", (_ODD, _ODD * 200))
    steps = (
        Step(1, StepKind.REASONING, _ODD, agent="研究者", span="s1", parent_span="s0", at="2026-07-15T10:00:00+00:00"),
        Step(2, StepKind.QUERY, _ODD, (result,), output=_ODD, error="", tool="web_search", seconds=0.25, dropped=3),
        Step(3, StepKind.TOOL, "fetch", output="x" * 2_000_000, error="timeout ⏱", tool="fetch", is_hidden=True),
        Step(4, StepKind.ANSWER, _ODD),
    )
    trajectory = make_trajectory(_ODD, steps=steps)
    answer_id = add_answer(database, run_id, trajectory)
    assert _without_ids(AnswerStore(database).trajectory(answer_id)) == trajectory
    assert AnswerStore(database).get(answer_id).answer == _ODD
    assert database.integrity_problems() == []


def test_half_a_character_in_a_title_is_shown_rather_than_fatal(database: Database, run_id: RunId) -> None:
    step = Step(1, StepKind.QUERY, "q", (SearchResult("a \ud83d title", "https://example.org/\udc00"),), tool="\ud800")
    answer_id = add_answer(
        database, run_id, make_trajectory("", ending=Ending.FAILED, ending_reason="bad \udfff", steps=(step,))
    )
    stored = AnswerStore(database).trajectory(answer_id)
    assert stored.steps[0].results[0].title == "a \\ud83d title"
    assert stored.ending_reason == "bad \\udfff"


def test_the_same_sample_twice_is_stored_once(database: Database, run_id: RunId) -> None:
    trajectory = make_trajectory()
    item = RunStore(database).pending(run_id)[0]
    answers = AnswerStore(database)
    assert answers.add(item.id, trajectory) is not None
    assert answers.add(item.id, trajectory) is None
    assert answers.add(item.id, replace(trajectory, answer="another text")) is None
    assert len(answers.ids(run_id, only_final=False)) == 1
    assert answers.uuids(run_id) == {trajectory.uuid}


def test_an_item_has_one_final_answer_and_other_attempts_stay(database: Database, run_id: RunId) -> None:
    item = RunStore(database).pending(run_id)[0]
    answers = AnswerStore(database)
    cancelled = answers.add(item.id, make_trajectory("", ending=Ending.CANCELLED))
    assert RunStore(database).pending(run_id) == [item]
    first = answers.add(item.id, make_trajectory("first"))
    second = answers.add(item.id, make_trajectory("second"))
    assert answers.ids(run_id) == [first]
    assert answers.ids(run_id, only_final=False) == [cancelled, first, second]
    assert RunStore(database).pending(run_id) == []


def test_a_row_says_what_was_asked_of_whom_and_what_it_took(database: Database, probe: Probe, run_id: RunId) -> None:
    answer_id = add_answer(database, run_id)
    row = AnswerStore(database).fetch([answer_id])[answer_id]
    assert (row.probe_id, row.probe_key, row.revision_id) == (probe.id, "ada-1", probe.revision_id)
    assert (row.run_id, row.repetition, row.is_final) == (run_id, 1, True)
    assert row.configuration == make_configuration()
    assert (row.ending, row.answer, row.queries, row.results) == (Ending.ANSWERED, "Ask Ada Example.", 1, 2)
    assert (row.usage.total, row.seconds, row.cost) == (1020, 1.5, None)


def test_nothing_of_an_answer_is_kept_when_a_part_of_it_can_not_be_stored(database: Database, run_id: RunId) -> None:
    item = RunStore(database).pending(run_id)[0]
    twice = (Step(1, StepKind.REASONING, "a"), Step(1, StepKind.ANSWER, "b"))
    with pytest.raises(ProjectError):
        AnswerStore(database).add(item.id, make_trajectory(steps=twice))
    assert AnswerStore(database).ids(only_final=False) == []
    assert RunStore(database).pending(run_id) == [item]


def test_an_unknown_answer_is_a_plain_refusal(database: Database) -> None:
    with pytest.raises(ProjectError, match="no answer 7"):
        AnswerStore(database).trajectory(AnswerId(7))
    with pytest.raises(ProjectError, match="no answer 7"):
        AnswerStore(database).get(AnswerId(7))


def test_what_was_made_ready_beforehand_is_stored_as_if_it_came_now(database: Database, run_id: RunId) -> None:
    known = Step(1, StepKind.REASONING, "said before " * 40)
    add_answer(database, run_id, make_trajectory("x", uuid="before", steps=(known,)))
    late = make_trajectory(_ODD * 90, uuid="late", steps=(known, Step(2, StepKind.ANSWER, _ODD * 90)))
    ready = pickle.loads(pickle.dumps(prepare(late)))
    item = database.read().execute("SELECT id FROM run_item WHERE run_id = ?", (run_id,)).fetchone()[0]
    store = AnswerStore(database)
    answer_id = store.add_prepared(item, ready)
    assert answer_id is not None
    assert _without_ids(store.trajectory(answer_id)) == late
    assert store.add_prepared(item, ready) is None
    # Nor does it matter that a text which was stored when it was made ready is not there any more.
    gone = make_trajectory("nobody has this", uuid="gone", steps=(Step(1, StepKind.ANSWER, "nobody has this"),))
    answer_id = store.add_prepared(item, prepare(gone, lambda digests: digests))
    assert answer_id is not None
    assert _without_ids(store.trajectory(answer_id)) == gone
    assert database.integrity_problems() == []
