"""A chip: one short fact, with its mark when it has one."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.ui.marks import draw_mark
from btc_gui.ui.theme import MARKS, Theme
from btc_gui.ui.widgets.plain_text import one_line, tooltip

_PADDING = 8
_GAP = 6
_LONGEST = 60


def fact_shown(text: str, mark: str = "") -> tuple[str, str]:
    """The words and the mark that a chip shows of a fact."""
    return one_line(text, _LONGEST), mark if mark in MARKS else ""


def chip_size(metrics: QFontMetrics, text: str, mark: str) -> QSize:
    """How large a chip with these words and this mark is."""
    beside = _mark_size(metrics) + _GAP if mark else 0
    return QSize(metrics.horizontalAdvance(text) + beside + 2 * _PADDING + 2, metrics.height() + 6)


def draw_chip(painter: QPainter, theme: Theme, rect: QRect, text: str, mark: str) -> None:
    """Draw a chip with these words and this mark; words without room end in an ellipsis."""
    painter.setPen(QPen(theme.color("border")))
    painter.setBrush(theme.color("sunken"))
    box = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(box, 6, 6)
    inner, metrics = rect.adjusted(_PADDING, 0, -_PADDING, 0), painter.fontMetrics()
    if mark:
        centre, size = box.center().y(), _mark_size(metrics)
        draw_mark(painter, QRectF(inner.left(), centre - size / 2, size, size), theme.mark(mark))
        inner.setLeft(inner.left() + size + _GAP)
    painter.setPen(theme.color("text"))
    if metrics.horizontalAdvance(text) > inner.width() + 1:
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width() + 1)
    painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def _mark_size(metrics: QFontMetrics) -> int:
    return round(metrics.height() * 0.52)


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
        shown = fact_shown(text, mark)
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

    def sizeHint(self) -> QSize:
        return chip_size(self.fontMetrics(), self._text, self._mark)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 64), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_chip(painter, self._theme, self.rect(), self._text, self._mark)
