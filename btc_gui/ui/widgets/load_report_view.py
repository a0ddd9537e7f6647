"""What came of a file: the counts, and every row that was not taken with its line and reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from btc_gui.domain.load_report import LoadReport, Rejection
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import AROUND, Theme
from btc_gui.ui.widgets.plain_text import copy_to_clipboard, label
from btc_gui.ui.wording import counted

_COLUMNS: tuple[Column[Rejection], ...] = (
    Column("Line", lambda rejection: f"{rejection.line:,}", 80, is_number=True),
    Column("Reason", lambda rejection: rejection.reason, 480),
    Column("Content", lambda rejection: rejection.content, 0),
)


class LoadReportView(QWidget):
    """Shows a `LoadReport`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rejected: Sequence[Rejection] = ()
        self._report: LoadReport | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        grid = QGridLayout()
        grid.setHorizontalSpacing(AROUND)
        grid.setVerticalSpacing(0)
        self.numbers = {}
        for position, name in enumerate(("read", "new", "known already", "rejected")):
            number = label("", "display", wraps=False)
            self.numbers[name] = number
            grid.addWidget(number, 0, position)
            grid.addWidget(label(name, "secondary", wraps=False), 1, position)
        grid.setColumnStretch(4, 1)
        column.addLayout(grid)
        self.kinds = label("", "secondary", selectable=True)
        column.addWidget(self.kinds)
        self.advice = label("Correct these rows in the file and import it again: what is in already stays as it is.")
        column.addWidget(self.advice)
        self.table = LazyTable[int, Rejection](_COLUMNS, self._fetch, self)
        self.view = TableView(self.table, theme, "Rejected rows")
        column.addWidget(self.view, 1)
        self._fill = QWidget()
        column.addWidget(self._fill, 1)

    def show_report(self, report: LoadReport) -> None:
        """Show this report."""
        self._report = report
        self._rejected = report.rejected
        for name, count in zip(
            self.numbers, (report.read, report.new, report.known, len(report.rejected)), strict=True
        ):
            self.numbers[name].setText(f"{count:,}")
        kinds = [f"{counted(count, 'row')}: {reason}" for reason, count in report.kinds_of_rejection()[:6]]
        self.kinds.setText("\n".join(kinds))
        self.kinds.setVisible(bool(kinds))
        self.table.show_ids(range(len(report.rejected)))
        self.view.setVisible(bool(report.rejected))
        self.advice.setVisible(bool(report.rejected))
        self._fill.setVisible(not report.rejected)

    def copy(self) -> None:
        """Put the whole report on the clipboard."""
        if self._report is not None:
            lines = [self._report.text, *(f"line {r.line}: {r.reason}" for r in self._report.rejected)]
            copy_to_clipboard("\n".join(lines))

    def _fetch(self, ids: Sequence[int]) -> dict[int, Rejection]:
        return {i: self._rejected[i] for i in ids}
