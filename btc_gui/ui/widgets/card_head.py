"""The head of a step's card: painted by one widget, since there are as many of them as steps are in sight."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from btc_gui.ui.marks import draw_mark
from btc_gui.ui.theme import MARKS, Theme
from btc_gui.ui.widgets.plain_text import tooltip

_ARROW, _GAP, _PADDING = 18, 6, 8


@dataclass(frozen=True, slots=True)
class HeadWords:
    """What a head says: its title with a mark (a name in `theme.MARKS`, or none) before it, a `fact` with its mark and
    what that means, and whose step it is."""

    title: str
    mark: str = ""
    is_heading: bool = False
    fact: str = ""
    fact_mark: str = ""
    fact_words: str = ""
    agent: str = ""


class CardHead(QAbstractButton):
    """Its arrow, a button, folds and shows the step; the rest of it is the card's. `summary` stands beside the title
    of a folded step, as much as there is room for."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = HeadWords("")
        self._summary = ""
        self._is_folded = False
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def show_words(self, words: HeadWords, *, is_folded: bool, summary: str) -> None:
        """Show another step's head."""
        self._words, self._is_folded, self._summary = words, is_folded, summary
        act = "Show this step" if is_folded else "Fold this step"
        named = ", ".join(part for part in (words.title, words.fact, summary) if part)
        self.setAccessibleName(f"{act}: {named}")
        self.setToolTip(tooltip("\n".join(part for part in (f"{act} (X)", words.fact_words) if part)))
        self.update()

    def hitButton(self, place: QPoint) -> bool:
        """Only the arrow folds: a click on the rest chooses the card."""
        return place.x() < _ARROW * max(1.0, self._theme.text_scale)

    def sizeHint(self) -> QSize:
        """A line, as high as a fact."""
        return QSize(120, self.fontMetrics().height() + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, words, height = self._theme, self._words, self.height()
        scale = max(1.0, theme.text_scale)
        body, small = QFontMetricsF(self.font()), theme.font("small")
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        left, right = _ARROW * scale, float(self.width())
        painter.setPen(theme.color("text"))
        painter.drawText(
            QRectF(0, 0, left, height), Qt.AlignmentFlag.AlignCenter, "▸" if self._is_folded else "▾"
        )  # fmt: skip
        left += _GAP
        if words.agent:
            painter.setFont(small)
            painter.setPen(theme.color("secondary"))
            right -= QFontMetricsF(small).horizontalAdvance(words.agent)
            painter.drawText(QRectF(right, 0, self.width() - right, height), middle, words.agent)
            right -= _GAP
        if words.fact:
            right = self._paint_fact(painter, right, body) - _GAP
        if words.mark:
            side = body.height() * 0.6
            draw_mark(painter, QRectF(left + side * 0.25, (height - side) / 2, side, side), theme.mark(words.mark))
            left += side * 1.5 + _GAP
        font = QFont(self.font()) if words.is_heading else small
        if words.is_heading:
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text" if words.is_heading else "secondary"))
        left = self._paint_elided(painter, words.title, left, right, QFontMetricsF(font)) + _GAP
        if self._summary:
            painter.setFont(self.font())
            painter.setPen(theme.color("secondary"))
            self._paint_elided(painter, self._summary, left, right, body)
        painter.end()

    def _paint_elided(
        self, painter: QPainter, words: str, left: float, right: float, metrics: QFontMetricsF
    ) -> float:  # fmt: skip
        """Words between two edges; gives where they end."""
        room = max(right - left, 0.0)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
        box = QRectF(left, 0, room, self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        return left + metrics.horizontalAdvance(shown)

    def _paint_fact(self, painter: QPainter, right: float, metrics: QFontMetricsF) -> float:
        """What is known of the step, as a chip that ends at an edge; gives where it begins."""
        theme, words = self._theme, self._words
        side = metrics.height() * 0.52 if words.fact_mark in MARKS else 0.0
        width = metrics.horizontalAdvance(words.fact) + 2 * _PADDING + (side + _GAP if side else 0)
        box = QRectF(right - width, 0, width, self.height()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(theme.color("border")))
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(box, 6, 6)
        inner = box.adjusted(_PADDING, 0, 0, 0)
        if side:
            mark = QRectF(inner.left(), inner.center().y() - side / 2, side, side)
            draw_mark(painter, mark, theme.mark(words.fact_mark))
            inner.setLeft(inner.left() + side + _GAP)
        painter.setFont(self.font())
        painter.setPen(theme.color("text"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words.fact)
        return box.left()
