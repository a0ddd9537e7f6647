"""One table of results: rows are grouped and sorted, a cell tells its counts and opens its cases."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.arranged_table import Arrangement, Line, arranged
from btc_gui.domain.result_table import NO_FIGURE, ResultTable, ShownColumn, cell_text, cell_words
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.pinned_table import PinnedTable
from btc_gui.ui.tables.row_painter import PADDING
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme
from btc_gui.ui.words import counted

#: The name of a configuration can be read in so many pixels.
_LEAST = 184
#: Figures farther away from it than this are no longer in line for the eye.
_MOST = 400
#: Columns of longer tables keep the widths that their authors gave them.
_MEASURED = 100


def heading_of(line: Line) -> str:
    """The words over a group of rows."""
    if line.row >= 0:
        return ""
    return f"{line.heading[:1].upper()}{line.heading[1:]} · {counted(line.count, 'row')}"


class ResultTableView(QWidget):
    """Shows a table as it is arranged.

    `cell_opened` carries the row and the `ShownColumn` of a cell that was entered or double-clicked; `sort_asked` the
    column and whether it descends.
    """

    cell_opened = Signal(int, object)
    sort_asked = Signal(str, bool)

    def __init__(self, table: ResultTable, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._arrangement: Arrangement | None = None
        self._theme = theme
        self._texts: dict[tuple[int, str, str], str] = {}
        #: The widths of columns that were made as wide as their cells.
        self._fitted: dict[int, int] = {}
        self.columns = table.window_columns
        self.model: LazyTable[Line, Line] = LazyTable(
            [self._column(each) for each in self.columns], self._fetch, self, heading=heading_of
        )
        self.view: PinnedTable[Line] = PinnedTable(self.model, theme, f"results-{table.name}", self)
        self.view.setAccessibleName(table.title)
        self.view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        # A cell, not a row, opens its cases.
        self.view.setSelectionBehavior(TableView.SelectionBehavior.SelectItems)
        self.view.setAccessibleDescription("Enter opens the cases behind the current cell")
        self.view.opened.connect(self._open_current)
        self.view.sort_asked.connect(self.sort_asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.setFocusProxy(self.view)

    @property
    def table(self) -> ResultTable:
        """The table that is shown."""
        return self._table

    @property
    def lines(self) -> list[Line]:
        """Headings and rows as they are shown."""
        return self.model.ids

    @property
    def row_count(self) -> int:
        """How many rows are shown, headings aside."""
        return sum(line.row >= 0 for line in self.model.ids)

    def show_table(self, table: ResultTable, arrangement: Arrangement) -> None:
        """Show a table of the same columns."""
        is_same = table is self._table and self._arrangement is not None
        if is_same and arrangement == self._arrangement:
            return
        self._table, self._arrangement = table, arrangement
        lines = arranged(table, arrangement)
        if not is_same:
            self._texts = {}
            self._fit()
        self.view.clearSpans()
        # Rows of the same table in another order are what they were.
        self.model.show_ids(lines, {line: line for line in lines} if is_same else None)
        has_headings = any(line.row < 0 for line in lines)
        # What the headings say need not stand in each row.
        names = [column.name for column in self.columns] if has_headings else []
        self.view.hide_columns({place for place, name in enumerate(names) if name == arrangement.group_by})
        first = next((place for place in range(len(self.columns)) if not self.view.isColumnHidden(place)), 0)
        for place, line in enumerate(lines):
            if line.row < 0 and len(self.columns) - first > 1:
                self.view.setSpan(place, first, 1, len(self.columns) - first)
        self.view.show_order(arrangement.order, arrangement.is_descending)
        if not self.view.currentIndex().isValid():
            self._select_first(lines)

    def _fit(self) -> None:
        """Make columns as wide as what stands in them and their titles; those that somebody has drawn stay."""
        table, header = self._table, self.view.horizontalHeader()
        if len(table.rows) > _MEASURED:
            return
        numbers = QFontMetrics(self._theme.font("body", tabular=True))
        titles = QFontMetrics(self._theme.font("small", bold=True))
        fitting: dict[int, int] = {}
        for place, column in enumerate(self.columns):
            texts = {self._text(row, column) for row in range(len(table.rows))}
            is_drawn = place in self._fitted and header.sectionSize(place) != self._fitted[place]
            if not column.width or is_drawn or not (column.is_number or texts <= {NO_FIGURE}):
                continue
            widest = max((numbers.horizontalAdvance(text) for text in texts), default=0) + 3 * PADDING
            fitting[place] = max(widest, titles.horizontalAdvance(column.title) + 3 * PADDING)
        self.view.set_widths(fitting)
        self._fitted.update({place: header.sectionSize(place) for place in fitting})

    def _text(self, row: int, column: ShownColumn) -> str:
        """What a cell shows: asked for when columns are fitted, and when they are painted."""
        key = row, column.name, column.title
        if key not in self._texts:
            self._texts[key] = cell_text(self._table, row, column)
        return self._texts[key]

    def text_of(self, line: int, column: int) -> str:
        """What a cell shows."""
        return self.model.cell(line, column).text

    def _select_first(self, lines: Sequence[Line]) -> None:
        first = next((place for place, line in enumerate(lines) if line.row >= 0), None)
        shown = next((i for i in range(len(self.columns)) if not self.view.isColumnHidden(i)), 0)
        if first is not None:
            self.view.setCurrentIndex(self.model.index(first, shown))

    def _column(self, column: ShownColumn) -> Column[Line]:
        def text(line: Line) -> str:
            return self._text(line.row, column) if line.row >= 0 else ""

        def hover(line: Line) -> str:
            return cell_words(self._table, line.row, column)

        return Column(
            column.title,
            text,
            column.width,
            order=column.name,
            is_number=column.is_number,
            hover=hover,
            words=column.words,
            least=_LEAST,
            most=_MOST,
        )

    def _fetch(self, lines: Sequence[Line]) -> dict[Line, Line]:
        return {line: line for line in lines}

    def _open_current(self) -> None:
        self.open_cell(self.view.currentIndex())

    def open_cell(self, index: QModelIndex) -> None:
        """Ask for the cases of a cell."""
        line = self.model.id_at(index.row()) if index.isValid() else None
        if line is not None and line.row >= 0:
            self.cell_opened.emit(line.row, self.columns[index.column()])


def row_title(table: ResultTable, row: int) -> str:
    """What a row is, in words: its configuration, or all that names it."""
    names: list[str] = [name for name in ("category", "configuration") if name in table.header]
    if "configuration" not in names:
        names = [
            column.name
            for column in table.window_columns
            if not column.is_number and column.name not in ("reason", "study")
        ]
    words = [str(table.cell(row, name)) for name in names if table.cell(row, name)]
    return " · ".join(words)
