"""The states of a study in their order, the present one standing out; it wraps where there is no room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.domain.study import StudyState
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.flow_layout import FlowLayout


class StateLine(QWidget):
    """Shows where a study stands: states passed, the present one, states to come."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, 0)
        self._steps = [_Step(theme, state) for state in StudyState]
        for step in self._steps:
            self._flow.addWidget(step)

    def show_state(self, present: StudyState, states: Sequence[StudyState]) -> None:
        """Mark the present one of the states that this study goes through."""
        order = list(StudyState)
        for step in self._steps:
            step.setVisible(step.state in states)
            step.show_place(order.index(step.state) - order.index(present), is_last=step.state is states[-1])
        passed = [state.value for state in states if order.index(state) < order.index(present)]
        self.setAccessibleName(f"State: {present.value}")
        self.setAccessibleDescription(f"Passed: {', '.join(passed) or 'nothing'}")


class _Step(QWidget):
    """One state: a dot (a tick once it is passed), its name, and a line to the next."""

    def __init__(self, theme: Theme, state: StudyState) -> None:
        super().__init__()
        self.state = state
        self._theme = theme
        self._is_last = False
        self._place = 0
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._take_theme)

    def show_place(self, place: int, *, is_last: bool) -> None:
        """Before the present state (negative), the present one (0), or to come."""
        self._place, self._is_last = place, is_last
        self.updateGeometry()
        self.update()

    def _take_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def _dot(self) -> int:
        return round(self.fontMetrics().height() * 0.62)

    def sizeHint(self) -> QSize:
        font = self._theme.font("body", bold=True)
        words = QFontMetrics(font).horizontalAdvance(self.state.value)
        tail = 0 if self._is_last else self._dot() * 2 + 8
        return QSize(self._dot() + 6 + words + tail + 4, self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, middle, dot = self._theme, self.height() / 2, self._dot()
        circle = QRectF(1, middle - dot / 2, dot, dot)
        strong = theme.color("accent")
        if self._place > 0:
            painter.setPen(QPen(theme.color("outline"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(circle.adjusted(1, 1, -1, -1))
        else:
            painter.setPen(QPen(strong, 1.5))
            painter.setBrush(strong if self._place == 0 else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(circle.adjusted(1, 1, -1, -1))
        if self._place < 0:
            tick = ((0.28, 0.52), (0.44, 0.68), (0.72, 0.34))
            painter.drawPolyline([circle.topLeft() + QPointF(across, down) * dot for across, down in tick])
        painter.setFont(theme.font("body", bold=self._place == 0))
        painter.setPen(theme.color("text" if self._place <= 0 else "secondary"))
        words = painter.fontMetrics().horizontalAdvance(self.state.value)
        start = circle.right() + 6
        place = QRectF(start, 0, words + 2, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.state.value)
        if not self._is_last:
            painter.setPen(QPen(strong if self._place < 0 else theme.color("outline"), 1.5))
            painter.drawLine(round(start + words + 8), round(middle), self.width() - 6, round(middle))
        painter.end()
