"""How cells of results are written, and which rows stand where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.arranged_table import Arrangement, Line, arranged, values_of
from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.event import EventId
from btc_gui.domain.result_cases import BETTER, LOST, WORSE, ResultCases, failed_by, repeated
from btc_gui.domain.result_table import Form, ResultTable, ShownColumn, Tells, cell_text, cell_words
from btc_gui.domain.results import results_of
from tests.result_builders import (
    DIRECT,
    INDIRECT,
    RIGHT,
    WRONG,
    make_answer,
    make_groups,
    make_head,
    make_pairs,
    make_record,
)

TABLE = ResultTable(
    "t",
    "T",
    "",
    ("category", "model", "share", "low", "high", "k", "n", "points", "p"),
    (
        ("tenure", "B", 0.625, 0.306, 0.863, 5, 8, -0.0621, 0.00004),
        ("demise", "A", None, None, None, 0, 0, None, None),
        ("demise", "C", 1.0, 0.6, 1.0, 1200, 1200, 0.0, 0.5),
        ("demise", "b", 0.1, None, None, 1, 10, 0.5, 1.0),
    ),
)
SHARE = ShownColumn("Right", "share", Form.SHARE, 0, "low", "high", "k", "n", words="What it is.")


@pytest.mark.parametrize(
    ("row", "column", "text"),
    [
        (0, SHARE, "62.5 % [31, 86] of 8"),
        (1, SHARE, "–"),
        (2, SHARE, "100.0 % [60, 100] of 1,200"),
        (3, SHARE, "10.0 % of 10"),
        (0, ShownColumn("D", "points", Form.POINTS), "−6.2"),
        (2, ShownColumn("D", "points", Form.POINTS), "0.0"),
        (3, ShownColumn("D", "points", Form.POINTS), "+50.0"),
        (0, ShownColumn("p", "p", Form.P), "< 0.001"),
        (3, ShownColumn("p", "p", Form.P), "1.000"),
        (0, ShownColumn("R", "low", Form.RANGE, high="high"), "30.6 to 86.3 %"),
        (1, ShownColumn("R", "low", Form.RANGE, high="high"), "–"),
        (2, ShownColumn("n", "n", Form.COUNT), "1,200"),
        (2, ShownColumn("m", "share", Form.MEDIAN), "1"),
        (3, ShownColumn("m", "p", Form.MEDIAN), "1"),
        (3, ShownColumn("m", "points", Form.MEDIAN), "0.5"),
        (0, ShownColumn("M", "model"), "B"),
    ],
)
def test_a_cell_is_written_as_a_person_reads_it(row: int, column: ShownColumn, text: str) -> None:
    assert cell_text(TABLE, row, column) == text


def test_a_hover_tells_counts_interval_and_what_it_is() -> None:
    assert cell_words(TABLE, 0, SHARE) == "Right: 62.5 %, 5 of 8, between 30.6 % and 86.3 %\nWhat it is."
    assert cell_words(TABLE, 1, SHARE) == "Right: none\nWhat it is."


def test_rows_are_chosen_sorted_and_grouped() -> None:
    def rows(arrangement: Arrangement) -> list[int]:
        return [line.row for line in arranged(TABLE, arrangement)]

    assert rows(Arrangement()) == [0, 1, 2, 3]
    # What is undefined stands last either way; names are sorted whatever their case.
    assert rows(Arrangement(order="share")) == [3, 0, 2, 1]
    assert rows(Arrangement(order="share", is_descending=True)) == [2, 0, 3, 1]
    assert rows(Arrangement(order="model")) == [1, 0, 3, 2]
    assert rows(Arrangement(chosen={"category": frozenset({"demise"}), "harness": frozenset({"shared"})})) == [1, 2, 3]
    assert arranged(TABLE, Arrangement(group_by="category", order="model")) == [
        *(Line(-1, "tenure", 1), Line(0), Line(-1, "demise", 3), Line(1), Line(3), Line(2))
    ]
    assert rows(Arrangement(group_by="effort")) == [0, 1, 2, 3]
    assert values_of([TABLE], "category") == ["tenure", "demise"]


def test_columns_that_nobody_described_are_those_of_the_page() -> None:
    found = {column.name: column.form for column in TABLE.window_columns}
    assert (found["model"], found["share"], found["n"]) == (Form.TEXT, Form.NUMBER, Form.COUNT)


def test_the_answers_behind_a_drop_are_those_that_direct_had_right() -> None:
    groups = make_groups(make_pairs(2, 3, 4, 1))
    found = ResultCases(groups).of(groups[0].head)(LOST)
    assert {answer.event for answer in found} == {3, 4, 5}
    assert {answer.kind for answer in found} == {INDIRECT}


def test_the_answers_between_two_configurations_come_in_pairs() -> None:
    first = make_head().configuration
    answers = [make_answer(event, label) for event, label in ((1, RIGHT), (2, WRONG), (3, RIGHT))]
    answers += [make_answer(event, label, configuration=2) for event, label in ((1, WRONG), (2, RIGHT), (3, RIGHT))]
    one, other = make_groups(answers, first, make_head(model="Model B").configuration)
    cases = ResultCases((one, other)).between(one.head, other.head)
    assert [answer.event for answer in cases(BETTER)] == [2, 2]
    assert [answer.event for answer in cases(WORSE)] == [1, 1]


def test_what_stands_beside_an_answer_of_an_open_study_does_not_tell_its_label() -> None:
    """Who sees an event among the drops, or among what got better, knows both labels of it."""
    answers = make_pairs(1, 3, 0, 1)
    record = make_record(results_of(answers, {ConfigurationId(1): make_head().configuration}))
    direct = {answer.event: answer.id for answer in answers if answer.kind is DIRECT}
    closed = replace(record, blinded=frozenset({direct[EventId(2)]}))
    drops = ResultCases(record.results.groups).of(make_head())(LOST)
    assert {answer.event for answer in drops} == {2, 3, 4}
    told = {answer.event for answer in drops if answer.id not in closed.hidden(drops, Tells.COMPARISON)}
    assert told == {3, 4}
    pair = [make_answer(7, RIGHT), make_answer(7, WRONG, configuration=ConfigurationId(2)), make_answer(8, RIGHT)]
    closed = replace(record, blinded=frozenset({pair[1].id}))
    assert closed.hidden(pair, Tells.COMPARISON) == {pair[0].id, pair[1].id}
    assert closed.hidden(pair, Tells.LABEL) == {pair[1].id}
    assert closed.hidden(pair, Tells.NOTHING) == record.hidden(pair, Tells.COMPARISON) == frozenset()


def test_repeated_answers_and_those_of_a_mode() -> None:
    twice = [make_answer(1, RIGHT), make_answer(1, WRONG, repetition=2), make_answer(2, RIGHT), make_answer(3, RIGHT)]
    twice.append(make_answer(3, RIGHT, repetition=2))
    cases = repeated(twice, make_head(), INDIRECT)
    assert [answer.event for answer in cases("answers to the same probe")] == [1, 1, 3, 3]
    assert [answer.event for answer in cases("same")] == [3, 3]
    assert repeated(twice, make_head(), DIRECT)("same") == []
    (group,) = make_groups([make_answer(1, WRONG), make_answer(2, RIGHT)])
    assert [each.event for each in ResultCases([group]).of(group.head)(failed_by(None))] == [1]
