"""Rows of steps as a lane area shows them, and about how high they will be before anybody has seen them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from btc_gui.domain.trajectory import StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.marked_text import Passage
from btc_gui.ui.widgets.step_card import CardState, StepView

_FOLDED = 38


@dataclass(frozen=True, slots=True)
class LaneRow:
    """A row as an area shows it: its number among all rows, a step a lane, a heading above it or none."""

    number: int
    steps: tuple[StepView | None, ...]
    heading: str = ""


class LaneBody(QWidget):
    """What scrolls in a lane area: it draws the places of steps that a lane does not have, where `gaps` says."""

    def __init__(self, theme: Theme, gaps: Callable[[int, int], Sequence[QRectF]]) -> None:
        super().__init__()
        self._theme, self._gaps = theme, gaps
        self.setProperty("role", "page")
        # When it becomes higher, nothing that is seen already is painted anew.
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sunken"))
        for gap in self._gaps(event.rect().top(), event.rect().bottom()):
            painter.drawRoundedRect(gap, 6, 6)
        painter.end()


def guessed_heights(
    rows: Sequence[LaneRow],
    lanes: Sequence[int],
    width: int,
    scale: float,
    state_of: Callable[[tuple[int, int]], CardState],
) -> list[int]:
    """About how high each row will be, in pixels, with columns of `width` and text of `scale`."""
    characters = max(int(width / (7 * scale)), 20)
    heights = []
    for row in rows:
        pairs = [(lane, view) for lane, view in zip(lanes, row.steps, strict=True) if view is not None]
        height = max(
            [
                _FOLDED if state_of((lane, view.step.number)).is_folded else _guessed_height(view, characters)
                for lane, view in pairs
            ],
            default=40,
        )
        heights.append(int(height * scale))
    return heights


def _guessed_height(view: StepView, characters: int) -> int:
    text = min(len(view.step.text), 400 if view.step.kind is StepKind.REASONING else 3_000)
    height = 60 + 18 * (text // characters + 1)
    if view.step.results:
        height += 30
    if view.has(Passage.EVIDENCE):
        height += 150 * min(len(view.step.results), 8)
    return height
