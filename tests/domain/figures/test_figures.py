"""What a figure draws is what the tables count, and every point leads to the answers behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from btc_gui.domain.configuration import Configuration, ConfigurationId, Effort, Harness
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.accuracy_figures import accuracy_figures, common_figures, gap_figures, repeat_figures
from btc_gui.domain.figures.arranging import by_value, lines_of, names_of, with_words
from btc_gui.domain.figures.behaviour_figures import (
    behaviour_figures,
    category_figures,
    effort_figures,
    harness_figures,
)
from btc_gui.domain.figures.catalogue import figures_of
from btc_gui.domain.figures.figure import PointFigure, Scale, nice_ticks
from btc_gui.domain.figures.mode_figures import merged_mode_figures, mode_figures
from btc_gui.domain.figures.query_figures import figures_of_model, query_figures
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.results import Results, results_of
from btc_gui.domain.trajectory import Ending
from tests.result_builders import DIRECT, RIGHT, WRONG, make_answer, make_head, make_pairs, make_record

LOW = make_head().configuration
HIGH = replace(LOW, effort=Effort.HIGH)
NATIVE = replace(LOW, harness=Harness.NATIVE)
NAMES = {"demise": "demises"}


def _results(answers: list[ResultAnswer], *configurations: Configuration) -> Results:
    known = {ConfigurationId(number): each for number, each in enumerate(configurations or (LOW,), 1)}
    return results_of(answers, known)


def test_a_drop_is_drawn_with_its_interval_and_opens_the_pairs_it_is_made_of() -> None:
    # R's contingencytables gives -0.1186 to -0.0046 for 59, 6, 16 and 80 (Newcombe's method 10).
    answers = make_pairs(59, 6, 16, 80)
    alone = [make_answer(900, RIGHT, DIRECT), make_answer(901, None, DIRECT, ending=Ending.NO_ANSWER, is_judged=False)]
    (figure,) = accuracy_figures(_results([*answers, *alone]), NAMES)
    assert (figure.name, figure.title) == ("accuracy_demise", "Direct and indirect accuracy, demises")
    (row,) = figure.rows
    (drop,) = row.points[1]
    assert drop.value == pytest.approx(-10 / 161)
    assert drop.interval == pytest.approx((-0.1186, -0.0046), abs=1e-4)
    assert sorted(drop.answers) == sorted(answer.id for answer in answers)
    direct, indirect = row.points[0]
    assert (direct.value, indirect.value) == (66 / 162, 75 / 161)
    assert direct.counts == "66 of 162 correct; 1 without an answer"
    assert len(direct.answers) == 162
    assert row.beside == "162 · 161 (1)"
    assert (row.group, row.label) == ("Model A", "low · shared")


def test_a_configuration_without_an_answer_has_a_row_and_no_point() -> None:
    answers = [make_answer(n, None, ending=Ending.NO_ANSWER, is_judged=False) for n in range(3)]
    (figure,) = accuracy_figures(_results(answers), NAMES)
    assert figure.rows[0].points == ((), ())
    assert figure.rows[0].beside == "0 · 0 (3)"
    assert figure.ticks(1)[0] <= 0 < figure.ticks(1)[-1]


def test_groups_of_nine_are_drawn_and_smaller_ones_only_have_their_share() -> None:
    answers = [make_answer(n, RIGHT if n < 6 else WRONG, queries=0) for n in range(9)]
    answers += [make_answer(20 + n, RIGHT, queries=3) for n in range(8)]
    answers += [make_answer(50 + n, WRONG, queries=1, configuration=2) for n in range(9)]
    answers += [make_answer(80, RIGHT, queries=1, configuration=3)]
    (figure,) = query_figures(_results(answers, LOW, HIGH, NATIVE), NAMES)
    (panel,) = figure.panels  # What a provider does not reveal is not drawn.
    low, high = panel.lines
    assert [series.key for series in figure.series] == ["low", "high"]
    assert [(p.queries, p.is_drawn, p.share.count) for p in low.points] == [(0, True, 9), (3, False, 8)]
    assert low.points[0].accuracy.value == 6 / 9
    assert low.overall.value == 14 / 17
    assert (panel.last, panel.beyond) == (1, 8)
    assert low.points[1].answers == tuple(answer.id for answer in answers[9:17])
    assert high.points[0].words("High effort").startswith("High effort, 1 query: 0 of 9 correct (0.0 %, 95 % interval")
    assert [alone.panels for alone in figures_of_model(figure, "Model A")] == [(panel,)]


def test_a_single_answer_with_very_many_queries_does_not_stretch_the_axis() -> None:
    answers = [make_answer(n, RIGHT, queries=n // 4) for n in range(32)] + [make_answer(99, RIGHT, queries=1000)]
    (panel,) = query_figures(_results(answers), NAMES)[0].panels
    assert (panel.last, panel.beyond) == (7, 1)


def test_a_bar_has_all_failures_and_each_piece_opens_its_own() -> None:
    modes = [FailureMode.REASONING, FailureMode.NONE, FailureMode.NONE, FailureMode.INDIRECT, None]
    answers = [make_answer(n, WRONG, mode=mode) for n, mode in enumerate(modes)] + [make_answer(9, RIGHT)]
    results = _results(answers)
    (bar,) = mode_figures(results, NAMES)[0].bars
    assert bar.total == 5
    assert [(piece.series.key, piece.count) for piece in bar.pieces] == [
        ("reasoning", 1),
        ("indirect", 1),
        ("none", 2),
        ("unclassified", 1),
    ]
    assert bar.pieces[2].answers == (answers[1].id, answers[2].id)
    assert bar.words(bar.pieces[2]) == "No or unrelated search: 2 of 5 (40.0 %)"
    (merged,) = merged_mode_figures(results, NAMES)[0].bars
    assert [(piece.series.key, piece.count) for piece in merged.pieces] == [
        ("reasoning", 1),
        ("indirect_or_none", 3),
        ("unclassified", 1),
    ]


def test_contrasts_are_drawn_with_the_change_of_each_mode() -> None:
    low = [make_answer(n, RIGHT if n < 2 else WRONG, mode=None if n < 2 else FailureMode.NONE) for n in range(8)]
    high = [
        make_answer(n, RIGHT if n < 6 else WRONG, configuration=2, mode=None if n < 6 else FailureMode.EXPLICIT)
        for n in range(8)
    ]
    (figure,) = effort_figures(_results(low + high, LOW, HIGH), NAMES)
    (row,) = figure.rows
    assert row.points[0][0].value == 0.5
    changes = {point.series.key: point.value for point in row.points[1]}
    assert changes == {"reasoning": 0.0, "explicit": 0.25, "indirect": 0.0, "none": -0.75}
    assert len(row.points[0][0].answers) == 16
    assert not harness_figures(_results(low + high, LOW, HIGH), NAMES)
    (figure,) = harness_figures(_results(low + high, NATIVE, LOW), NAMES)
    assert len(figure.panels) == 1


def test_behaviour_is_drawn_over_the_answers_it_names() -> None:
    answers = [make_answer(n, RIGHT if n % 2 else WRONG, queries=n) for n in range(5)]
    (figure,) = behaviour_figures(_results(answers), NAMES)
    none, median, one, two = (points[0] for points in figure.rows[0].points)
    assert (none.value, median.value, one.value, two.value) == (0.2, 2.0, 0.5, 1 / 3)
    assert none.answers == (answers[0].id,)
    assert two.answers == tuple(answer.id for answer in answers[2:])


def test_categories_gaps_common_probes_and_repetitions_have_figures_where_there_is_something_to_draw() -> None:
    answers = make_pairs(5, 3, 1, 1) + make_pairs(4, 1, 0, 1, category="tenure")
    answers += [*make_pairs(6, 2, 1, 1, configuration=2), make_answer(1, RIGHT, run=9)]
    results = _results(answers, LOW, Configuration("Model B", Harness.SHARED, Effort.LOW))
    (difference,) = category_figures(results, NAMES)
    # 0.2 is the gap of three less one in ten, 1/6 that of one in six.
    assert difference.rows[0].points[0][0].value == pytest.approx(0.2 - 1 / 6)
    assert difference.title == "Gap of demises less gap of tenure"
    (gaps,) = gap_figures(results, NAMES)
    assert gaps.rows[0].group == "Demises"
    (common,) = common_figures(results, NAMES)
    assert [len(point.answers) for point in common.rows[0].points[0]] == [10, 10]
    assert [figure.name for figure in repeat_figures(results, NAMES)] == ["repetitions_demise"]
    chosen = figures_of(make_record(results), NAMES, ("gaps", "repetitions"))
    assert [figure.kind for figure in chosen] == ["gaps", "repetitions"]
    assert figures_of(make_record(results_of([], {})), NAMES) == []


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        (-0.118, 0.42, (-0.2, 0.0, 0.2, 0.4, 0.6)),
        (0.0, 0.0, (0.0, 0.02, 0.04, 0.06, 0.08, 0.1)),
        (0.0, 37.0, (0.0, 10.0, 20.0, 30.0, 40.0)),
    ],
)
def test_axes_end_at_round_numbers_beyond_what_is_drawn(low: float, high: float, ticks: tuple[float, ...]) -> None:
    assert nice_ticks(low, high, 0.1) == ticks


def test_numbers_are_written_as_the_axis_counts_them() -> None:
    assert Scale.POINTS.text(-0.0352) == "−3.5 points"
    assert Scale.SHARE.text(0.85) == "85.0 %"
    assert (Scale.COUNT.text(2.5), Scale.COUNT.text(12)) == ("2.5", "12")
    assert Scale.POINTS.tick(-0.2) == "−20"
    assert Scale.SHARE.text(-0.0001) == "0.0 %"


def test_rows_are_chosen_by_words_sorted_by_value_and_headed_where_that_saves_words() -> None:
    answers = make_pairs(5, 1, 0, 1) + make_pairs(1, 5, 0, 1, configuration=2) + make_pairs(4, 1, 1, 1, configuration=3)
    (figure,) = accuracy_figures(_results(answers, LOW, HIGH, NATIVE), NAMES)
    assert [(line.name, line.row) for line in lines_of(names_of(figure))] == [
        ("Model A", -1),
        ("low · native", 0),
        ("low · shared", 1),
        ("high · shared", 2),
    ]
    # Indirect: 5, 1 and 5 of 7 are right; of equals the first stays the first.
    ordered = by_value(figure)
    assert isinstance(ordered, PointFigure)
    assert [row.label for row in ordered.rows] == ["low · native", "low · shared", "high · shared"]
    shared = with_words(ordered, "model SHARED high")
    assert isinstance(shared, PointFigure)
    assert [line.name for line in lines_of(names_of(shared))] == ["Model A · high · shared"]
    assert names_of(shared) == [("Model A", "high · shared")]
    assert lines_of([]) == ()
    (bars,) = mode_figures(_results([make_answer(1, WRONG)]), NAMES)
    assert with_words(bars, "nothing") == replace(bars, bars=())
