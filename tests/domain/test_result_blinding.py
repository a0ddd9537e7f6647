"""While labels are given, no table or figure tells one of them: exchanging the open labels changes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from btc_gui.domain.configuration import ConfigurationId, Effort
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.catalogue import figures_of
from btc_gui.domain.model_tables import ModelFacts
from btc_gui.domain.result_blinding import Blinding
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.results import Results, results_of
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.domain.trajectory import AnswerId
from btc_gui.exports.results import answer_table, result_tables
from tests.result_builders import INDIRECT, RIGHT, WRONG, make_answer, make_head, make_pairs

_LOW = make_head().configuration
KNOWN = {ConfigurationId(1): _LOW, ConfigurationId(2): replace(_LOW, effort=Effort.HIGH)}


def _answers() -> list[ResultAnswer]:
    answers = make_pairs(20, 6, 5, 4) + make_pairs(9, 9, 3, 3, configuration=2)
    for number, answer in enumerate(answers, 1):
        answer.id, answer.queries = AnswerId(number), number % 4
        if answer.label is WRONG and answer.kind is INDIRECT:
            answer.mode = (FailureMode.NONE, FailureMode.INDIRECT)[number % 3 == 0]
    return answers


def _told(answers: Sequence[ResultAnswer], blinding: Blinding) -> object:
    """All that tables and figures say."""
    results = results_of(answers, KNOWN, blinding)
    record = ResultsRecord(results, (), ModelFacts(), (), (), blinding.answers, "")
    tables = [(table.name, table.words, table.rows) for table in result_tables(record)]
    # The answers behind a piece aside: those of an open study are taken out when it is opened.
    figures = [re.sub(r"answers=\([^)]*\)", "", repr(figure)) for figure in figures_of(record, {})]
    return tables, figures, answer_table(results).rows


def _open(answers: Sequence[ResultAnswer], right: int, wrong: int) -> list[ResultAnswer]:
    """So many indirect answers of the first configuration of either label, about events with either direct label."""
    own = [each for each in answers if each.configuration == 1 and each.kind is INDIRECT]
    own = [*own[::7], *(each for place, each in enumerate(own) if place % 7)]
    return [
        *[each for each in own if each.label is RIGHT][:right],
        *[each for each in own if each.label is WRONG][:wrong],
    ]


def _results(answers: Sequence[ResultAnswer], opened: Sequence[ResultAnswer]) -> Results:
    return results_of(answers, KNOWN, Blinding(frozenset(answer.id for answer in opened)))


def test_whichever_of_the_open_answers_is_right_tables_and_figures_are_the_same() -> None:
    """Five open ones, two of them right: every way to give out these labels looks alike, but for the modes' counts."""
    before = _answers()
    blinding = Blinding(frozenset(answer.id for answer in _open(before, 2, 3)))
    after = _answers()
    labels = [(answer.label, answer.mode) for answer in _open(before, 2, 3)]
    for answer, (label, mode) in zip(_open(after, 2, 3), [*labels[1:], labels[0]], strict=True):
        answer.label, answer.mode = label, mode
    assert _told(before, blinding) == _told(after, blinding)
    assert _told(before, Blinding()) != _told(after, Blinding())


def test_the_label_of_one_open_answer_is_nowhere_in_tables_or_figures() -> None:
    before, after = _answers(), _answers()
    blinding = Blinding(frozenset({_open(before, 1, 0)[0].id}))
    _open(after, 1, 0)[0].label = WRONG
    assert _told(before, blinding) == _told(after, blinding)
    assert _told(before, Blinding()) != _told(after, Blinding())


def test_few_open_answers_or_equal_labels_withhold_a_configuration() -> None:
    answers = _answers()
    for opened, shown in (
        (_open(answers, 2, 3), ["accuracy only", "all"]),
        (_open(answers, 2, 2), ["all"]),
        (_open(answers, 6, 0), ["all"]),
        ([], ["all", "all"]),
    ):
        results = _results(answers, opened)
        free = {group.head.title for group in results.groups}
        assert ["all" if group.head.title in free else "accuracy only" for group in results.shown] == shown


def test_of_a_covered_configuration_only_accuracies_and_modes_are_told() -> None:
    answers = _answers()
    results = _results(answers, _open(answers, 2, 3))
    covered, free = results.accuracy
    assert (covered.indirect.correct, covered.indirect.scored, covered.direct.scored) == (25, 35, 35)
    assert covered.paired_drop is None
    assert covered.p is None
    assert free.paired_drop is not None
    assert len(results.composition) == 2
    assert (
        {row.head.title for row in results.queries()} == {row.head.title for row in results.behaviour()} == {free.title}
    )
    assert results.by_effort() == []
    assert results.withheld_words.startswith(
        "1 of 2 rows have answers in a study that isn't unblinded: only their accuracies and failure modes are shown"
    )


def test_failures_whose_mode_is_asked_may_all_be_failures() -> None:
    """In a study of the classifier only the modes must differ: that all are failures is its design."""
    answers = _answers()
    failures = _open(answers, 0, 9)
    assert len({answer.mode for answer in failures}) == 2
    results = results_of(answers, KNOWN, Blinding(modes=frozenset(answer.id for answer in failures)))
    assert len(results.shown) == 2
    assert len(results.groups) == 1


def test_a_sum_over_all_does_not_tell_what_is_withheld() -> None:
    """All together less what is shown is what is withheld: a category's sums are shown only where these cover it."""
    answers = _answers()
    assert len(_results(answers, _open(answers, 1, 0)).pooled) == 0
    assert len(_results(answers, _open(answers, 2, 3)).pooled) == 2
    tenure = make_answer(1, RIGHT, category="tenure")
    assert [group.head.category for group in _results([*answers, tenure], [tenure]).pooled] == ["demise", "demise"]
