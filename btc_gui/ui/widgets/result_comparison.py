"""Two releases or dates of the same configurations side by side: what got better, what got worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.arranged_table import Arrangement
from btc_gui.domain.change_table import ChangeRow, Side
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.exports.change_tables import change_table
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import EmptyState
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.widgets.result_table_view import ResultTableView

_WITHHELD = " Rows with answers of a study that isn't unblinded are withheld, since pairs would tell labels."


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison as it was made."""

    record: ResultsRecord
    before: Side
    after: Side
    rows: Sequence[ChangeRow]


class ResultComparison(QWidget):
    """`cell_opened` carries the table, the row and the `ShownColumn` whose cases are wanted; `made` the comparison."""

    cell_opened = Signal(object, int, object)
    made = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = context.theme
        self._record: ResultsRecord | None = None
        self.comparison: Comparison | None = None
        self.view: ResultTableView | None = None
        self._arrangement = Arrangement(group_by="category")
        self._job = LatestJob(context.job_runner, "Compare", self._show, self, drops_older=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.before, self.after = Combo("Before"), Combo("After")
        for words, combo in (("Before", self.before), ("After", self.after)):
            combo.setMinimumContentsLength(20)
            combo.currentIndexChanged.connect(self._ask)
            row.addWidget(label(words, "secondary", wraps=False))
            row.addWidget(combo, 1)
        row.addStretch(1)
        self._sides = QWidget()
        self._sides.setLayout(row)
        row.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._sides)
        self._words = label("", "small")
        column.addWidget(self._words)
        self._stack = QStackedWidget()
        self._nothing = EmptyState("columns-2", "Nothing to compare", "")
        self._stack.addWidget(self._nothing)
        column.addWidget(self._stack, 1)

    def show_record(self, record: ResultsRecord) -> None:
        """Offer the sides of a project, and compare those that were chosen; at first the last two of a kind."""
        self._record = record
        sides = record.sides.all()
        choices = [(side.name, side.words) for side in sides]
        names = {side.name for side in sides}
        before, after = self.before.value, self.after.value
        if before not in names or after not in names:
            before, after = _first_choice(sides)
        self.before.set_choices(choices, before)
        self.after.set_choices(choices, after)
        self._sides.setVisible(len(sides) > 1)
        self._ask()

    def _ask(self) -> None:
        record = self._record
        if record is None:
            return
        names = {side.name: side for side in record.sides.all()}
        before, after = names.get(self.before.value), names.get(self.after.value)
        if before is None or after is None or len(names) < 2:
            self._say("There is only one run, and no release. A second run on another day, or two releases, compare.")
            return
        if before == after:
            self._say("Both sides are the same. Choose another one.")
            return

        def compare(progress: Progress) -> Comparison:
            return Comparison(record, before, after, record.changes(before, after))

        self._job.ask(compare)

    def _say(self, words: str) -> None:
        self.comparison = None
        self._words.setText("")
        self._nothing.say("Nothing to compare", words)
        self._stack.setCurrentWidget(self._nothing)
        self.made.emit(None)

    def _show(self, comparison: object) -> None:
        if not isinstance(comparison, Comparison):
            return
        withheld = _WITHHELD if comparison.record.blinded else ""
        if not comparison.rows:
            self._say(
                f"No configuration has scored answers about the same events in “{comparison.before.words}” and "
                f"“{comparison.after.words}”.{withheld}"
            )
            return
        self.comparison = comparison
        better = sum(row.pairs.first_only for row in comparison.rows)
        worse = sum(row.pairs.second_only for row in comparison.rows)
        pairs = sum(row.pairs.n for row in comparison.rows)
        self._words.setText(
            f"Of {pairs:,} pairs about the same events, {better:,} got better and {worse:,} got worse. "
            f"Enter or a double click on a number opens both answers about each event.{withheld}"
        )
        table = change_table(comparison.rows, comparison.before, comparison.after)
        if self.view is None:
            self.view = ResultTableView(table, self._theme, self._stack)
            self.view.cell_opened.connect(self._open)
            self.view.sort_asked.connect(self._sort)
            self._stack.addWidget(self.view)
        self.view.show_table(table, self._arrangement)
        self._stack.setCurrentWidget(self.view)
        self.made.emit(comparison)

    def _sort(self, order: str, is_descending: bool) -> None:
        self._arrangement = self._arrangement.ordered(order, is_descending)
        if self.view is not None:
            self.view.show_table(self.view.table, self._arrangement)

    def _open(self, row: int, column: object) -> None:
        if self.view is not None:
            self.cell_opened.emit(self.view.table, row, column)


def _first_choice(sides: Sequence[Side]) -> tuple[str, str]:
    """The last two of the first kind that has two."""
    for kind in dict.fromkeys(side.kind for side in sides):
        same = [side for side in sides if side.kind is kind]
        if len(same) > 1:
            return same[-2].name, same[-1].name
    return (sides[0].name, sides[-1].name) if sides else ("", "")
