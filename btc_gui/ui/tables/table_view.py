"""The one table view: fixed row heights, sorting by the query, a selection that stays with its id."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Generic

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QWidget,
)

from btc_gui.ui.tables.lazy_table import Id, LazyTable
from btc_gui.ui.tables.row_notes import RowNote, RowNotes
from btc_gui.ui.tables.row_painter import PADDING, RowPainter
from btc_gui.ui.theme import ROW_HEIGHT, Theme
from btc_gui.ui.widgets.plain_text import copy_to_clipboard

_Index = QModelIndex | QPersistentModelIndex
_NARROWEST = 88
#: A column that names the rows takes one in so many parts of what the columns with a width leave.
_NAME_PARTS = 4
_FEWEST_ROWS = 2.5


class TableView(QTableView, Generic[Id]):
    """Shows a `LazyTable`.

    `current_changed` carries the id of the row that became current (None for none); `opened` the id of one that
    was double-clicked or entered; `sort_asked` the query's order and whether it descends.
    """

    current_changed = Signal(object)
    opened = Signal(object)
    sort_asked = Signal(str, bool)

    def __init__(self, table: LazyTable[Id, Any], theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self._theme = table, theme
        self.hovered_row = -1
        self._current_id: Id | None = None
        self._is_resetting = self._is_filling = False
        self.notes = RowNotes(theme)
        #: What is said where there is no row.
        self.empty_words = ""
        self.setModel(table)
        self.setAccessibleName(name)
        self.setObjectName(f"table-{name}")
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        if (own := self.own_header()) is not None:
            self.setHorizontalHeader(own)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(28)
        header.sectionClicked.connect(self._sort_by_section)
        self.doubleClicked.connect(self._open)
        self.clicked.connect(self._follow_link)
        table.modelAboutToBeReset.connect(self._remember)
        table.modelReset.connect(self._select_again)
        theme.changed.connect(self._take_theme)
        self._width_scale = max(1.0, theme.text_scale)
        self._row_painter = RowPainter(theme, self, table)
        self._take_theme()
        self._set_widths()

    def own_header(self) -> QHeaderView | None:
        """A header other than Qt's, for a table that paints its own."""
        return None

    def is_mark_only(self, column: int) -> bool:
        """Whether a column shows marks without words."""
        return self._table.columns[column].is_mark_only

    # -- selection --------------------------------------------------------------------------------------------

    @property
    def current_id(self) -> Id | None:
        """The id of the current row, or None."""
        return self._current_id

    def selected_ids(self) -> list[Id]:
        """The ids of the selected rows, in the table's order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._table.ids[row] for row in rows]

    def select_id(self, item: Id) -> bool:
        """Make the row of an id current; whether it is in the table."""
        row = self._table.row_of(item)
        if row < 0:
            return False
        self._make_current(row)
        return True

    def _make_current(self, row: int) -> None:
        """Select this row alone. `setCurrentIndex` would ask the keyboard: with Shift held, as in a shortcut, it
        selects all rows from the last one to this."""
        index = self._table.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def ids_in_view(self) -> list[Id]:
        """The ids of the rows that can be seen."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        if first < 0:
            return []
        return self._table.ids[first : last + 1 if last >= 0 else None]

    def show_notes(self, notes: Mapping[Id, RowNote] | None) -> None:
        """Show a second line under rows, by their ids; None: rows have one line. Rows whose line is still to come are
        as high as the others."""
        before = self.notes.height
        self.notes.show(notes)
        if self.notes.height != before:
            self._set_row_height()
        self.viewport().update()

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if not self._is_resetting:
            self._tell(self._table.id_at(current.row()) if current.isValid() else None)

    def _tell(self, item: Id | None) -> None:
        if item != self._current_id:
            self._current_id = item
            self.current_changed.emit(item)

    def _remember(self) -> None:
        self._is_resetting = True

    def _select_again(self) -> None:
        self._is_resetting = False
        row = self._table.row_of(self._current_id) if self._current_id is not None else -1
        if row >= 0:
            self._make_current(row)
        else:
            self._tell(None)

    def select_first(self) -> None:
        """Make the first row current when no row is."""
        if self._current_id is None and self._table.ids:
            self._make_current(0)

    # -- sorting ----------------------------------------------------------------------------------------------

    def show_order(self, order: str, descending: bool) -> None:
        """Show by which column the rows are sorted."""
        header = self.horizontalHeader()
        for section, column in enumerate(self._table.columns):
            if column.order and column.order == order:
                way = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
                header.setSortIndicatorShown(True)
                header.setSortIndicator(section, way)
                return
        header.setSortIndicatorShown(False)

    def _sort_by_section(self, section: int) -> None:
        header = self.horizontalHeader()
        order = self._table.columns[section].order
        if not order:
            return
        same = header.isSortIndicatorShown() and header.sortIndicatorSection() == section
        descending = same and header.property("descending") is False
        header.setProperty("descending", descending)
        self.show_order(order, descending)
        self.sort_asked.emit(order, descending)

    # -- looks ------------------------------------------------------------------------------------------------

    def _take_theme(self) -> None:
        scale = max(1.0, self._theme.text_scale)
        self.notes.take_theme()
        self._set_row_height()
        self._row_painter.take_theme()
        self._scale_widths(scale)
        self.viewport().update()

    def _set_row_height(self) -> None:
        scale = max(1.0, self._theme.text_scale)
        self.verticalHeader().setDefaultSectionSize(round(ROW_HEIGHT * scale) + self.notes.height)
        if self._current_id is not None and (row := self._table.row_of(self._current_id)) >= 0:
            self.scrollTo(self._table.index(row, 0))

    def _set_widths(self) -> None:
        header = self.horizontalHeader()
        titles = QFontMetrics(self._theme.font("small", bold=True))
        header.blockSignals(True)
        for section, column in enumerate(self._table.columns):
            width = round((column.width or _NARROWEST) * self._width_scale)
            header.resizeSection(section, max(width, titles.horizontalAdvance(column.title) + 3 * PADDING))
        header.blockSignals(False)
        header.sectionResized.connect(self._fill_width)

    def set_widths(self, widths: Mapping[int, int]) -> None:
        """Make these columns so many pixels wide; those without a width share what is left then."""
        header = self.horizontalHeader()
        header.blockSignals(True)
        for section, width in widths.items():
            header.resizeSection(section, width)
        header.blockSignals(False)
        self._fill_width()

    def _scale_widths(self, scale: float) -> None:
        """Let the columns grow and shrink with the text, also those that somebody has drawn wider."""
        factor, self._width_scale = scale / self._width_scale, scale
        if factor == 1:
            return
        header = self.horizontalHeader()
        for section, column in enumerate(self._table.columns):
            if column.width:
                # A hidden one would be remembered as being nothing wide.
                is_hidden = header.isSectionHidden(section)
                header.showSection(section)
                header.resizeSection(section, round(header.sectionSize(section) * factor))
                header.setSectionHidden(section, is_hidden)

    @property
    def width_scale(self) -> float:
        """The size of text that the columns are as wide for."""
        return self._width_scale

    def restore_columns(self, state: QByteArray, scale: float) -> None:
        """Give the columns the state they had, which was kept at this size of text."""
        header = self.horizontalHeader()
        if header.restoreState(state):
            now, self._width_scale = self._width_scale, scale
            self._scale_widths(now)
            self._fill_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fill_width()
        # What stands above the table grows and shrinks; the current row must not slip out of sight by that.
        current = self.currentIndex()
        if current.isValid() and 0 <= self.rowViewportPosition(current.row()) < event.oldSize().height():
            self.scrollTo(current)

    def minimumSizeHint(self) -> QSize:
        """Room for the titles and a few rows."""
        rows = round(_FEWEST_ROWS * self.verticalHeader().defaultSectionSize())
        return QSize(super().minimumSizeHint().width(), self.horizontalHeader().sizeHint().height() + rows + 4)

    def hide_columns(self, hidden: AbstractSet[int]) -> None:
        """Hide these columns and show all others."""
        header = self.horizontalHeader()
        if hidden != {place for place in range(header.count()) if header.isSectionHidden(place)}:
            header.blockSignals(True)
            for place in range(header.count()):
                header.setSectionHidden(place, place in hidden)
            header.blockSignals(False)
            self._fill_width()
            self.updateGeometries()
            self.viewport().update()

    def _fill_width(self, *_: int) -> None:
        """Give the columns without a width what the others leave, but never so little that they can't be read."""
        if self._is_filling:
            return
        header, columns = self.horizontalHeader(), self._table.columns
        shown = [place for place in range(header.count()) if not header.isSectionHidden(place)]
        fillers = [place for place in shown if not columns[place].width]
        room = self.viewport().width() - sum(header.sectionSize(place) for place in shown if columns[place].width)
        before = [header.sectionSize(place) for place in fillers]
        self._is_filling = True
        # The table would hear of each of them and paint all once more in a moment; it is told in the end.
        header.blockSignals(True)
        for number, place in enumerate(fillers):
            # What tells which row it is takes a part of the room; what is to be read of it takes the rest.
            is_named = columns[place].most and any(not columns[each].most for each in fillers[number:])
            share = room // (_NAME_PARTS if is_named else len(fillers) - number)
            least = round(max(_NARROWEST, columns[place].least) * self._width_scale)
            most = round(columns[place].most * self._width_scale) or share
            header.resizeSection(place, max(least, min(share, most)))
            room -= header.sectionSize(place)
        header.blockSignals(False)
        self._is_filling = False
        if before != [header.sectionSize(place) for place in fillers]:
            self.updateGeometries()
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        self._hover(self.rowAt(place.y()))
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if self._is_link(self.indexAt(place)) else Qt.CursorShape.ArrowCursor
        )
        super().mouseMoveEvent(event)

    def _is_link(self, index: QModelIndex) -> bool:
        return index.isValid() and self._table.columns[index.column()].is_link

    def _follow_link(self, index: QModelIndex) -> None:
        if self._is_link(index):
            self._open(index)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, row: int) -> None:
        if row != self.hovered_row:
            for each in (self.hovered_row, row):
                if each >= 0:
                    place = self.rowViewportPosition(each), self.viewport().width(), self.rowHeight(each)
                    self.viewport().update(0, *place)
            self.hovered_row = row

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self._row_painter.paint(painter, event.rect())
        if self.empty_words and not self._table.ids:
            painter.setPen(self._theme.color("secondary"))
            room = self.viewport().rect().adjusted(PADDING, 3 * PADDING, -PADDING, 0)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(room, flags | Qt.TextFlag.TextWordWrap, self.empty_words)

    # -- keys -------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current_id is not None:
            self.opened.emit(self._current_id)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.text().strip() and event.text().isprintable():
            # Letters are commands here; Qt's own search by them would fetch every row of the table.
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self._table.id_at(index.row()))

    def _copy(self) -> None:
        lines = []
        if self.selectionBehavior() == QAbstractItemView.SelectionBehavior.SelectItems:
            index = self.currentIndex()
            copy_to_clipboard(str(index.data() or "") if index.isValid() else "")
            return
        for index in self.selectionModel().selectedRows():
            record = self._table.record(index.row())
            if record is not None:
                lines.append("\t".join(" ".join(column.text(record).split()) for column in self._table.columns))
        copy_to_clipboard("\n".join(lines))
