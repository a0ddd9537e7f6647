"""A table whose first column stays in sight while the others are scrolled sideways."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from btc_gui.ui.tables.lazy_table import Id, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme


class _Header(QHeaderView):
    """Paints the title of the pinned column once more, over those that were scrolled below it."""

    def __init__(self, table: PinnedTable[Any]) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._of = table

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if width := self._of.pinned_width:
            painter = QPainter(self.viewport())
            self.paintSection(painter, QRect(0, 0, width, self.height()), self._of.first_column)


class PinnedTable(TableView[Id]):
    """What a row is, is told by its first column; figures without it can't be read."""

    def __init__(self, table: LazyTable[Id, Any], theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(table, theme, name, parent)
        self.horizontalScrollBar().valueChanged.connect(self._repaint)

    def own_header(self) -> QHeaderView:
        return _Header(self)

    @property
    def first_column(self) -> int:
        """The first column that is shown."""
        return next((i for i in range(self.model().columnCount()) if not self.isColumnHidden(i)), 0)

    @property
    def pinned_width(self) -> int:
        """How much of the left the first column covers; 0 while it stands where it belongs."""
        width = self.columnWidth(self.first_column)
        # Where it would leave hardly any room, it scrolls away with the others.
        is_pinned = self.horizontalScrollBar().value() > 0 and width <= self.viewport().width() * 0.6
        return width if is_pinned else 0

    def _repaint(self, *_: int) -> None:
        # Qt moves the pixels that are there already, and with them those of the pinned column.
        self.viewport().update()
        self.horizontalHeader().viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if width := self.pinned_width:
            self._row_painter.paint_pinned(QPainter(self.viewport()), event.rect(), width)

    def indexAt(self, position: QPoint) -> QModelIndex:
        """The cell that is seen there."""
        if position.x() < self.pinned_width:
            return self.model().index(self.rowAt(position.y()), self.first_column)
        return super().indexAt(position)

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QTableView.ScrollHint = QTableView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll until a cell is seen, not below the pinned column."""
        super().scrollTo(index, hint)
        covered = self.pinned_width - self.columnViewportPosition(index.column())
        if covered > 0 and index.column() != self.first_column:
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - covered)
