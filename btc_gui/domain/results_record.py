"""All that the tables and figures of results are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.change_table import ChangeRow, Side, Sides, change_rows
from btc_gui.domain.model_tables import ModelFacts
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.result_table import Tells
from btc_gui.domain.results import Results
from btc_gui.domain.retention import RetentionCount
from btc_gui.domain.study_report import StudyReport
from btc_gui.domain.trajectory import AnswerId

#: Stands on every export of a project with made-up behaviour.
ILLUSTRATIVE = "Illustrative: invented behaviour of fictional models."


_NO_SIDES = Sides({}, {}, {}, {})


@dataclass(frozen=True, slots=True)
class ResultsRecord:
    """What window, tables and figures are made from.

    `reports` are those of unblinded studies; `problems` say of which none could be made. `blinded` are the answers of
    studies whose key is closed: nothing may tell what was said of one of them. `note` goes on every export.
    """

    results: Results
    retention: tuple[RetentionCount, ...]
    facts: ModelFacts
    reports: tuple[StudyReport, ...]
    problems: tuple[str, ...]
    blinded: frozenset[AnswerId]
    note: str
    sides: Sides = _NO_SIDES

    @property
    def answers(self) -> list[ResultAnswer]:
        """Every final answer: those that the tables count, and the further ones."""
        counted = [answer for group in self.results.whole for answer in group.answers]
        return sorted([*counted, *self.results.further_answers], key=lambda answer: answer.id)

    def hidden(self, answers: Sequence[ResultAnswer], tells: Tells) -> frozenset[AnswerId]:
        """Which of the answers behind a figure may not be opened from it: it would tell a label of a closed study.

        Where a comparison of labels is what picked them, that is also those which stand beside one of a closed study:
        about the same event by the same configuration, or in the same list.
        """
        if not tells or not self.blinded:
            return frozenset()
        closed = {answer.id for answer in answers if answer.id in self.blinded}
        if tells is Tells.LABEL:
            return frozenset(closed)
        events = {answer.event for answer in answers if answer.id in closed}
        beside = {(each.configuration, each.event) for each in self.answers if each.id in self.blinded}
        return frozenset(
            answer.id for answer in answers if answer.event in events or (answer.configuration, answer.event) in beside
        )

    def changes(self, before: Side, after: Side) -> list[ChangeRow]:
        """What got better and worse from one side to the other; without rows that rest on answers of a closed study."""
        answers, sides = self.answers, self.sides
        one, other = sides.answers(before, answers), sides.answers(after, answers)
        return change_rows(one, other, sides.configurations, self.blinded)
