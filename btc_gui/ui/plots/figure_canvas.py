"""What all figures of results have in common in the window: spots that are hovered, clicked and walked by keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from btc_gui.domain.figures.figure import Series
from btc_gui.domain.trajectory import AnswerId
from btc_gui.ui.announcing import announce
from btc_gui.ui.plots.shapes import draw_series
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import tooltip

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_PageUp: (-8, 0),
    Qt.Key.Key_PageDown: (8, 0),
}
_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class Spot:
    """Something drawn that stands for answers: whose it is, what it says, the answers.

    `tells_label` where which answers they are tells what was said of them.
    """

    title: str
    words: str
    answers: tuple[AnswerId, ...]
    tells_label: bool = False


class FigureCanvas(QWidget):
    """Painted by hand: rows of names need exact type, keys and a screen reader's words more than zoom.

    Those who draw give the spots by line (`show_spots`), say where each lies (`place_spots`) and paint.
    """

    #: The spot whose cases are wanted.
    opened = Signal(object)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._lines: tuple[tuple[Spot, ...], ...] = ()
        self._places: list[list[QRectF]] | None = None
        self._current = (0, 0)
        self.hovered: tuple[int, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self._changed_theme)

    def show_spots(self, lines: Sequence[Sequence[Spot]]) -> None:
        """Take other spots, line by line from the top."""
        self._lines = tuple(tuple(line) for line in lines if line)
        self._current, self.hovered = (0, 0), None
        self.forget_places()
        self._describe()
        self.updateGeometry()
        self.update()

    @property
    def spot(self) -> Spot | None:
        """The present spot."""
        return self._lines[self._current[0]][self._current[1]] if self._lines else None

    @property
    def current_words(self) -> str:
        """The present spot in words, as a screen reader hears it."""
        spot = self.spot
        return "" if spot is None else f"{spot.title}: {spot.words}"

    @property
    def has_cases(self) -> bool:
        """Whether any spot has answers behind it."""
        return any(spot.answers for line in self._lines for spot in line)

    def place_spots(self) -> list[list[QRectF]]:
        """Where each spot lies; same order as the spots were given."""
        raise NotImplementedError

    @property
    def places(self) -> list[list[QRectF]]:
        """Where each spot lies now."""
        if self._places is None:
            self._places = self.place_spots()
        return self._places

    def forget_places(self) -> None:
        """Something has another size: all is placed anew."""
        self._places = None

    # -- painting --------------------------------------------------------------------------------------------

    def paint_key(self, painter: QPainter, series: Sequence[Series], left: int, top: int, room: int) -> None:
        """The key: each series as it is drawn, with its name."""
        for entry, place in zip(series, self.key_places(series, room), strict=True):
            box = QRectF(left + place.x(), top + place.y(), self.line(), self.line())
            draw_series(painter, self.theme, entry, box.center(), self.line() * 0.62)
            painter.setPen(self.theme.color("secondary"))
            words = QRectF(box.right() + 6, box.y(), room, self.line())
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, entry.text)

    def key_places(self, series: Sequence[Series], room: int) -> list[QPointF]:
        """Where the entries of the key begin, in lines that fit in `room`."""
        places, x, y = [], 0.0, 0.0
        for entry in series:
            width = self.line() + 6 + self.fontMetrics().horizontalAdvance(entry.text) + 16
            if x and x + width > room:
                x, y = 0.0, y + self.line() + 4
            places.append(QPointF(x, y))
            x += width
        return places

    def key_height(self, series: Sequence[Series], room: int) -> int:
        """How high the key is in that room; nothing without a series."""
        places = self.key_places(series, room)
        return int(places[-1].y()) + self.line() + 8 if places else 0

    def paint_current(self, painter: QPainter) -> None:
        """The ring around the present spot while the figure has the focus."""
        if self.hasFocus() and self._lines:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.theme.color("accent"), 2))
            place = self.places[self._current[0]][self._current[1]]
            painter.drawRoundedRect(place.adjusted(-2, -2, 2, 2), 3, 3)

    def line(self) -> int:
        """The height of a line of text."""
        return self.fontMetrics().height()

    # -- mouse and keys --------------------------------------------------------------------------------------

    def spot_at(self, point: QPointF) -> tuple[int, int] | None:
        """The nearest spot that the point is on."""
        found = [
            ((point - place.center()).manhattanLength(), (line, number))
            for line, places in enumerate(self.places)
            for number, place in enumerate(places)
            if place.contains(point)
        ]
        return min(found)[1] if found else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer."""
        found = self.spot_at(event.position())
        if found != self.hovered:
            self.hovered = found
            self.update()
        if found is None:
            self.setCursor(Qt.CursorShape.ArrowCursor)
            self.setToolTip("")
            return
        spot = self._lines[found[0]][found[1]]
        more = " Click to open these cases." if spot.answers else ""
        self.setCursor(Qt.CursorShape.PointingHandCursor if spot.answers else Qt.CursorShape.ArrowCursor)
        self.setToolTip(tooltip(f"{spot.title}: {spot.words}.{more}"))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self.hovered = None
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open what is under the pointer."""
        found = self.spot_at(event.position())
        if found is not None and event.button() is Qt.MouseButton.LeftButton:
            self._move_to(*found)
            self._open()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Home and End go to the first and last line, Enter and Space open."""
        key = Qt.Key(event.key())
        if not self._lines or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        elif key in _STEPS:
            down, right = _STEPS[key]
            self._move_to(self._current[0] + down, self._current[1] + right)
        elif key is Qt.Key.Key_Home:
            self._move_to(0, 0)
        elif key is Qt.Key.Key_End:
            self._move_to(len(self._lines) - 1, 0)
        elif key in _OPENS and not event.isAutoRepeat():
            self._open()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the present spot."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the present spot."""
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Everything has another place."""
        super().resizeEvent(event)
        self.forget_places()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # Narrower, the key takes more lines and panels go below each other.

    def changeEvent(self, event: QEvent) -> None:
        """Another font makes other sizes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._changed_theme()

    def _changed_theme(self) -> None:
        self.forget_places()
        self.updateGeometry()
        self.update()

    def _move_to(self, line: int, number: int) -> None:
        line = min(max(line, 0), len(self._lines) - 1)
        self._current = line, min(max(number, 0), len(self._lines[line]) - 1)
        self._describe()
        announce(self, self.current_words)
        self.update()
        area: QWidget | None = self
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        body = area.widget() if area is not None else None
        if area is not None and body is not None:
            place = self.places[self._current[0]][self._current[1]].center().toPoint()
            place = self.mapTo(body, place)
            area.ensureVisible(place.x(), place.y(), 24, self.line() * 4)

    def _describe(self) -> None:
        self.setAccessibleDescription(self.current_words)

    def _open(self) -> None:
        spot = self.spot
        if spot is not None and spot.answers:
            self.opened.emit(spot)
