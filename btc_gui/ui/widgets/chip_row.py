"""Chips in lines that break like words, drawn by one widget: at each probe they change, and widgets take time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.chip import chip_size, draw_chip, fact_shown
from btc_gui.ui.widgets.picture import Picture
from btc_gui.ui.widgets.plain_text import tooltip

_GAP = 8
_LEAST_WIDTH = 64


class ChipRow(QWidget):
    """Shows facts, each with its mark (a name in `theme.MARKS`, or none)."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts: list[tuple[str, str]] = []
        self._shown: list[tuple[str, str]] = []
        self._sizes: list[QSize] = []
        self._places: dict[int, list[QRect]] = {}
        self._picture = Picture(self, self._draw)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these facts: words and mark of each."""
        if self._facts == list(facts):
            return
        self._facts = list(facts)
        self._shown = [fact_shown(*fact) for fact in facts]
        cut = [words for (words, _), text in zip(facts, self.texts, strict=True) if words != text]
        self.setAccessibleName(", ".join(self.texts))
        self.setToolTip(tooltip("\n".join(cut)))
        self._measure()
        self.updateGeometry()
        self.update()

    @property
    def texts(self) -> list[str]:
        """The words shown."""
        return [text for text, _ in self._shown]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()

    def _measure(self) -> None:
        """Measure the chips, once: layouts ask for the height at a dozen widths."""
        metrics = self.fontMetrics()
        self._sizes = [chip_size(metrics, *fact) for fact in self._shown]
        self._places = {}

    def _places_in(self, width: int) -> list[QRect]:
        """Where the chips stand in a row of this width."""
        if width not in self._places:
            places, x, y = list[QRect](), 0, 0
            for size in self._sizes:
                wide = min(size.width(), width)
                if x and x + wide > width:
                    x, y = 0, y + size.height() + _GAP
                places.append(QRect(x, y, wide, size.height()))
                x += wide + _GAP
            self._places[width] = places
        return self._places[width]

    def heightForWidth(self, width: int) -> int:
        places = self._places_in(width)
        return places[-1].bottom() + 1 if places else 0

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        if not self._sizes:
            return QSize(0, 0)
        return QSize(min(_LEAST_WIDTH, max(size.width() for size in self._sizes)), self._sizes[0].height())

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawPixmap(0, 0, self.picture())

    def picture(self) -> QPixmap:
        """The chips at the present size."""
        return self._picture.of(self._shown, self._theme.is_dark)

    def _draw(self, painter: QPainter) -> None:
        for place, fact in zip(self._places_in(self.width()), self._shown, strict=True):
            draw_chip(painter, self._theme, place, *fact)
