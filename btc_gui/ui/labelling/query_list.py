"""The queries of one item: a line each with its mark, its class, and how many passages were found in its results."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from btc_gui.domain.mode_form import ModeForm, QueryLabel
from btc_gui.domain.outside_text import showable
from btc_gui.domain.packet import Search
from btc_gui.ui.marks import mark_icon
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import one_line, tooltip

_MOST_LINES = 6
_MARKS = {
    None: "unreviewed",
    QueryLabel.EXPLICIT: "explicit",
    QueryLabel.INDIRECT: "indirect",
    QueryLabel.UNRELATED: "unrelated",
    QueryLabel.UNSURE: "stale",
}


class QueryList(QTreeWidget):
    """Lists the queries in order. `chosen` tells the number (from 1) of the one that the list moved to."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._form = ModeForm()
        self._searches: Sequence[Search] = ()
        self._most_lines = _MOST_LINES
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Queries")
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Fixed)
        self.currentItemChanged.connect(self._moved)
        theme.changed.connect(self._write)

    def show_queries(self, searches: Sequence[Search], form: ModeForm) -> None:
        """Show another item's queries."""
        self._searches, self._form = searches, form
        was_blocked = self.blockSignals(True)
        self.clear()
        self.addTopLevelItems([QTreeWidgetItem() for _ in searches])
        self.blockSignals(was_blocked)
        self._write()

    def show_form(self, form: ModeForm) -> None:
        """Show other answers about the same queries."""
        self._form = form
        self._write()

    def set_most_lines(self, lines: int) -> None:
        """Take the room of so many lines at most."""
        self._most_lines = lines
        self._fit()

    def shows_whole(self, text: str) -> bool:
        """Whether there is room for a query as long as this one in its line."""
        return "\n" not in text and self.fontMetrics().horizontalAdvance(text[:500]) < self.columnWidth(1) - 16

    def go_to(self, number: int) -> None:
        """Move to a query without telling."""
        was_blocked = self.blockSignals(True)
        item = self.topLevelItem(number - 1)
        if item is not None:
            self.setCurrentItem(item)
            self.scrollToItem(item)
        self.blockSignals(was_blocked)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here, they don't look for a line."""

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(240, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Let classes be read whole, but not at the cost of the queries."""
        self.setColumnWidth(2, min(self.sizeHintForColumn(2), self.viewport().width() // 2))

    def _moved(self, current: QTreeWidgetItem | None) -> None:
        if current is not None:
            self.chosen.emit(self.indexOfTopLevelItem(current) + 1)

    def _write(self) -> None:
        for number, (search, answer) in enumerate(zip(self._searches, self._form.queries, strict=False), start=1):
            item = self.topLevelItem(number - 1)
            if item is None:
                continue
            passages = sum(span.search == number for span in self._form.spans)
            words = [answer.label.value if answer.label else "not classed"]
            if answer.first is not None:
                words.append(f"{answer.first.value} before")
            if search.finding:
                words.append(f"classifier: {search.finding}")
            if passages:
                words.append(f"{passages} passage{'' if passages == 1 else 's'}")
            item.setText(0, str(number))
            item.setIcon(0, mark_icon(self._theme.mark(_MARKS[answer.label])))
            item.setText(1, one_line(showable(search.query)) or "(no text)")
            item.setText(2, " · ".join(words))
            item.setToolTip(2, tooltip(item.text(2)))
            item.setForeground(2, self._theme.color("secondary"))
            item.setData(1, Qt.ItemDataRole.AccessibleTextRole, f"Query {number}: {item.text(1)}, {item.text(2)}")
        self._fit()

    def _fit(self) -> None:
        first = self.topLevelItem(0)
        row = self.rowHeight(self.indexFromItem(first)) if first is not None else 24
        lines = min(max(self.topLevelItemCount(), 1), self._most_lines)
        self.setFixedHeight(row * lines + 2 * self.frameWidth() + 2)
        self._share_width()
