"""A chip: one short fact, with its mark when it has one."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.ui.marks import draw_mark
from btc_gui.ui.theme import MARKS, Theme
from btc_gui.ui.widgets.plain_text import one_line, tooltip

_PADDING = 8
_GAP = 6
_LONGEST = 60


class Chip(QWidget):
    """Shows a mark (a name in `theme.MARKS`, or none) and words, never markup."""

    def __init__(self, theme: Theme, text: str = "", mark: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = self._mark = ""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)
        self.show_fact(text or MARKS[mark].text if mark else text, mark)

    def show_fact(self, text: str, mark: str = "") -> None:
        """Show other words and another mark."""
        shown = one_line(text, _LONGEST), mark if mark in MARKS else ""
        if shown == (self._text, self._mark):
            return
        self._text, self._mark = shown
        self.setAccessibleName(self._text)
        self.setToolTip(tooltip(text) if self._text != text else "")
        self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """The words shown."""
        return self._text

    def _mark_size(self) -> int:
        return round(self.fontMetrics().height() * 0.52)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        mark = self._mark_size() + _GAP if self._mark else 0
        return QSize(metrics.horizontalAdvance(self._text) + mark + 2 * _PADDING + 2, metrics.height() + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 64), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("border")))
        painter.setBrush(self._theme.color("sunken"))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, 6, 6)
        inner = self.rect().adjusted(_PADDING, 0, -_PADDING, 0)
        if self._mark:
            centre, size = box.center().y(), self._mark_size()
            draw_mark(painter, QRectF(inner.left(), centre - size / 2, size, size), self._theme.mark(self._mark))
            inner.setLeft(inner.left() + size + _GAP)
        painter.setPen(self._theme.color("text"))
        text = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, inner.width() + 1)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
