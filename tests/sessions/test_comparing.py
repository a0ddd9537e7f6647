"""Comparing: two trajectories side by side, with everything that explains where they part."""

from __future__ import annotations

from datetime import date

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.classification import Evidence, delivered_text
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import AnswerId, SearchResult, Step, StepKind
from btc_gui.errors import InputError, ProjectError
from btc_gui.progress import Progress
from btc_gui.sessions.comparing import ComparingSession, Target, TargetKind, neighbour
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.case_builders import (
    add_answer,
    add_answers,
    add_verdict,
    make_configuration,
    make_query,
    make_result,
    make_trajectory,
)

OBITUARY = "Ada Example died on 9 May 2026."


@pytest.fixture
def session(database: Database) -> ComparingSession:
    return ComparingSession(database, load_categories(paths.resources() / "categories"), "ann")


def _pair(database: Database) -> tuple[AnswerId, AnswerId]:
    """Two failures of one probe: one searched only for speakers, the other also found the obituary."""
    probe = add_probe(database, add_event(database))
    left = add_answer(
        database,
        probe,
        make_trajectory("Ask Ada Example.", [make_query("good panel speakers", make_result("Ada Example is great."))]),
    )
    right = add_answer(
        database,
        probe,
        make_trajectory(
            "Ask Ms Example.",
            [
                make_query("Ada Example alive", make_result("Nothing."), make_result(OBITUARY, published="2026-05-12")),
                make_query("panel speakers good", make_result("Undated.", published="")),
            ],
        ),
        make_configuration("Model B"),
    )
    return left, right


def _classify(database: Database, answer_id: AnswerId) -> SearchResult:
    trajectory = AnswerStore(database).trajectory(answer_id)
    first, second = trajectory.queries
    result = first.results[1]
    assert first.id is not None
    assert second.id is not None
    assert result.id is not None
    start = delivered_text(result).index("died")
    add_verdict(database, answer_id)
    ClassificationStore(database).add(
        NewClassification(
            answer_id,
            "test classifier",
            None,
            FailureMode.REASONING,
            trace="because",
            queries={first.id: QueryClass.EXPLICIT, second.id: QueryClass.UNRELATED},
            evidence=[Evidence(result.id, "died on 9 May 2026", start, start + 18)],
        )
    )
    return result


def _texts(session: ComparingSession) -> list[tuple[str, ...]]:
    def text(step: Step | None) -> str:
        return step.text if step else "-"

    return [tuple(map(text, row.steps)) for row in session.rows]


def test_alone(database: Database, session: ComparingSession) -> None:
    """One case is read from its first thought to its answer."""
    left, _ = _pair(database)
    session.open(left)
    assert _texts(session) == [
        ("Who could be asked?",),
        ("good panel speakers",),
        ("That helps.",),
        ("Ask Ada Example.",),
    ]
    assert len(session.sides) == 1
    assert session.first_divergence is None
    assert session.change == "Ada Example died on 9 May 2026."


def test_side_by_side(database: Database, session: ComparingSession) -> None:
    """Alike queries, thoughts and the answers stand in one row; what one side did alone has a row of its own."""
    left, right = _pair(database)
    session.open(left)
    session.compare_with(right)
    assert _texts(session) == [
        ("Who could be asked?", "Who could be asked?"),
        ("-", "Ada Example alive"),
        ("-", "That helps."),
        ("good panel speakers", "panel speakers good"),
        ("That helps.", "That helps."),
        ("Ask Ada Example.", "Ask Ms Example."),
    ]
    assert session.first_divergence == 1
    session.compare_with()
    assert len(session.sides) == 1
    assert len(session.rows) == 4


def test_others_are_the_same_change(database: Database, session: ComparingSession) -> None:
    """Offered are the other answers to the probe, every repetition of it, and the direct probe's."""
    event = add_event(database)
    probe = add_probe(database, event)
    _, (first, second) = add_answers(database, probe, [make_trajectory(), make_trajectory()])
    direct = add_answer(database, add_probe(database, event, "Is she alive?", ProbeKind.DIRECT))
    foreign = add_answer(database, add_probe(database, add_event(database, entity="Bo Sample")))
    session.open(first)
    assert [case.answer_id for case in session.others] == [second, direct]
    with pytest.raises(InputError, match="about Bo Sample, not about Ada Example"):
        session.compare_with(foreign)
    with pytest.raises(ProjectError):
        session.open(AnswerId(999))


def test_evidence_classes_and_mentions(database: Database, session: ComparingSession) -> None:
    """Query classes, evidence and mentions come with their places in the texts that were delivered."""
    _, right = _pair(database)
    result = _classify(database, right)
    session.open(right)
    side = session.left
    first, second = side.trajectory.queries
    assert (side.query_class(first), side.query_class(second)) == (QueryClass.EXPLICIT, QueryClass.UNRELATED)
    assert side.query_class(side.trajectory.steps[0]) is None
    assert result.id is not None
    (evidence,) = side.evidence(first)[result.id]
    assert delivered_text(result)[evidence.start : evidence.stop] == "died on 9 May 2026"
    assert side.evidence(second) == {}
    (mention,) = side.result_mentions(result)
    assert delivered_text(result)[mention.start : mention.stop] == "Ada Example"
    answer = side.trajectory.steps[-1]
    assert [answer.text[m.start : m.stop] for m in side.mentions(answer)] == ["Example"]


def test_jumping(database: Database, session: ComparingSession) -> None:
    """Next query, evidence and mention, through both columns and to the end."""
    left, right = _pair(database)
    _classify(database, right)
    session.open(left)
    session.compare_with(right)
    queries = session.targets(TargetKind.QUERY)
    assert queries == [Target(1, 1, 2), Target(3, 0, 2), Target(3, 1, 4)]
    assert session.targets(TargetKind.EVIDENCE) == [Target(1, 1, 2)]
    assert [t.step_number for t in session.targets(TargetKind.MENTION)] == [2, 2, 4, 6]
    first, second, third = queries
    assert neighbour(queries, (-1, 0), forward=True) == first
    assert neighbour(queries, (1, 1), forward=True) == second
    assert neighbour(queries, (3, 0), forward=True) == third
    assert neighbour(queries, (3, 1), forward=True) is None
    assert neighbour(queries, (3, 1), forward=False) == second
    assert neighbour(queries, (1, 1), forward=False) is None
    assert neighbour(session.targets(TargetKind.MENTION), (3, 0), forward=True) == Target(5, 0, 4)
    assert session.targets(TargetKind.ANSWER) == [Target(5, 0, 4), Target(5, 1, 6)]


def test_timeline(database: Database, session: ComparingSession) -> None:
    """The change, each result at its date with its query's class, the first that reveals it; undated ones last."""
    _, right = _pair(database)
    _classify(database, right)
    session.open(right)
    shown = session.timeline()
    assert [(mark.published, mark.query, mark.step_number) for mark in shown.marks] == [
        ("1 April 2026", 1, 2),
        ("12 May 2026", 1, 2),
        ("", 2, 4),
    ]
    assert [mark.is_evidence for mark in shown.marks] == [False, True, False]
    revealing = shown.marks[1]
    assert (revealing.is_first, revealing.names_entity, revealing.query_class) == (True, True, QueryClass.EXPLICIT)
    assert shown.event is not None
    assert shown.event.text == "9 May 2026"
    assert shown.asked == date(2026, 7, 1).toordinal()
    assert shown.lanes == ("high",)


def test_opening_a_case_of_an_open_study_is_noted(database: Database, session: ComparingSession) -> None:
    """Both sides of a comparison count as seen."""
    left, right = _pair(database)
    with database.write() as connection:
        connection.execute(
            "INSERT INTO study (id, name, kind, mode, state, design, created_by, created_at) "
            "VALUES (1, 'Study', 'judge_verdict', 'blind', 'locked', '{}', 'tests', '2026-07-01')"
        )
        connection.executemany(
            "INSERT INTO study_item (study_id, item, answer_id, stratum, cell, frame_count, drawn_count, "
            "machine_label) VALUES (1, ?, ?, 's', 'c', 1, 1, 'correct')",
            [("a", left), ("b", right)],
        )
    session.open(left)
    session.compare_with(right)
    rows = database.read().execute("SELECT answer_id, person FROM exposure ORDER BY answer_id").fetchall()
    assert [tuple(row) for row in rows] == [(left, "ann"), (right, "ann")]


def test_mentions_behind_what_is_read_at_once_are_found_afterwards(
    database: Database, session: ComparingSession
) -> None:
    noise = "word " * 30_000
    asked = [make_query("q", make_result(f"{noise} said Ada Example.")), make_query("r", make_result(noise))]
    answer = add_answer(
        database, add_probe(database, add_event(database)), make_trajectory("Nobody.", asked, reasoning=noise)
    )
    session.open(answer)
    assert session.targets(TargetKind.MENTION) == []
    assert session.has_rest
    assert session.mentions_in_rest(Progress()) == [Target(1, 0, 2)]


def test_the_answer_of_a_filter_is_read_though_it_is_stored_without_steps(
    database: Database, session: ComparingSession
) -> None:
    probe = add_probe(database, add_event(database))
    answer_id = add_answers(database, probe, [make_trajectory("Ask Ada Example.", [])], purpose=Purpose.FILTER)[1][0]
    with database.write() as connection:  # As `add_texts` leaves it.
        connection.execute("DELETE FROM step WHERE answer_id = ?", (answer_id,))
    session.open(answer_id)
    [row] = session.rows
    assert row.steps == (Step(1, StepKind.ANSWER, "Ask Ada Example."),)
    assert session.targets(TargetKind.ANSWER) == [Target(0, 0, 1)]
    assert session.targets(TargetKind.MENTION) == [Target(0, 0, 1)]


def test_an_attempt_without_answer_and_steps_stays_empty(database: Database, session: ComparingSession) -> None:
    probe = add_probe(database, add_event(database))
    answer_id = add_answer(database, probe, make_trajectory("", []))
    with database.write() as connection:
        connection.execute("DELETE FROM step WHERE answer_id = ?", (answer_id,))
    session.open(answer_id)
    assert session.rows == ()
