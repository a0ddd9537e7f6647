"""Marks as widgets, and which mark a query or a failure has."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.ui.marks import draw_mark
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import tooltip


def mark_of_query(query_class: QueryClass | None) -> str:
    """The name of a query class's mark; a ring for a query that nobody classified."""
    return query_class.value if query_class else "unreviewed"


def mark_of_mode(mode: FailureMode | None) -> str:
    """The name of a failure mode's mark; a ring for a failure without one."""
    return mode.value if mode else "unreviewed"


class MarkLabel(QWidget):
    """One mark as a widget, as high as a line of text."""

    def __init__(self, theme: Theme, name: str, words: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.show_mark(name, words)
        theme.changed.connect(self.update)

    def show_mark(self, name: str, words: str = "") -> None:
        """Show another mark; `words` (default: the mark's own) for tooltips and screen readers."""
        self._name = name
        words = words or self._theme.mark(name).text
        self.setAccessibleName(words)
        self.setToolTip(tooltip(words))
        self.update()

    def sizeHint(self) -> QSize:
        """A square of the font's height."""
        side = int(self.fontMetrics().height() * 0.9)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """As `sizeHint`: a mark does not shrink."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the mark in the middle."""
        side = self.fontMetrics().height() * 0.6
        rect = QRectF(0, 0, side, side)
        rect.moveCenter(QRectF(self.rect()).center())
        painter = QPainter(self)
        draw_mark(painter, rect, self._theme.mark(self._name))
        painter.end()
