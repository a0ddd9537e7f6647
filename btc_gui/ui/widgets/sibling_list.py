"""The probes of the same event: do they differ enough, and how does each stand? Click or Enter goes to one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.probe import Probe, ProbeId, ProbeKind
from btc_gui.ui.marks import draw_mark
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.frames import tab_after
from btc_gui.ui.widgets.picture import Picture
from btc_gui.ui.widgets.plain_text import one_line, tooltip
from btc_gui.ui.wording import STATUS_WORDS


class _Row(QPushButton):
    """One sibling: its number, its state, the beginning of its text."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.probe: Probe | None = None
        self._is_current = False
        self._picture = Picture(self, self._draw)
        self.setProperty("role", "row")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def show_probe(self, probe: Probe, is_current: bool) -> None:
        """Show this sibling; one that is shown already in the same state is not drawn again."""
        if (probe, is_current) == (self.probe, self._is_current):
            return
        self.probe, self._is_current = probe, is_current
        number = "direct" if probe.kind is ProbeKind.DIRECT else str(probe.ordinal)
        state = STATUS_WORDS[probe.status]
        self.setAccessibleName(
            f"Probe {number}, {state}{', shown now' if is_current else ''}: {one_line(probe.text, 80)}"
        )
        self.setToolTip(tooltip(f"{state}. {probe.text}"))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawPixmap(0, 0, self.picture())

    def picture(self) -> QPixmap:
        """The row as it stands."""
        look = (self.probe, self._is_current, self.underMouse(), self.hasFocus(), self._theme.is_dark)
        return self._picture.of(*look)

    def _draw(self, painter: QPainter) -> None:
        if self.probe is None:
            return
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._is_current or self.underMouse():
            painter.setBrush(self._theme.color("selection" if self._is_current else "hover"))
            painter.drawRoundedRect(box, 4, 4)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRoundedRect(box, 4, 4)
        inner = self.rect().adjusted(8, 0, -8, 0)
        mark = "flagged" if self.probe.is_flagged else "stale" if self.probe.is_stale else self.probe.status.value
        metrics = self.fontMetrics()
        size = round(metrics.height() * 0.52)
        draw_mark(painter, QRectF(inner.left(), box.center().y() - size / 2, size, size), self._theme.mark(mark))
        number = "D" if self.probe.kind is ProbeKind.DIRECT else str(self.probe.ordinal)
        centre = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(self._theme.color("secondary"))
        painter.drawText(inner.adjusted(size + 8, 0, 0, 0), centre, number)
        text_box = inner.adjusted(size + 8 + metrics.horizontalAdvance("00") + 6, 0, 0, 0)
        painter.setPen(self._theme.color("text"))
        beginning = metrics.elidedText(one_line(self.probe.text, 160), Qt.TextElideMode.ElideRight, text_box.width())
        painter.drawText(text_box, centre, beginning)


class SiblingList(QWidget):
    """`chosen` carries the id of the sibling that was clicked."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._rows: list[_Row] = []

    def show_probes(self, probes: Sequence[Probe], current: ProbeId) -> None:
        """Show these probes."""
        while len(self._rows) < len(probes):
            row = _Row(self._theme, self)
            row.clicked.connect(self._choose)
            self._column.addWidget(row)
            tab_after(self._rows[-1] if self._rows else self, [row])
            self._rows.append(row)
        for position, row in enumerate(self._rows):
            row.setVisible(position < len(probes))
            if position < len(probes):
                row.show_probe(probes[position], probes[position].id == current)

    def draw_ahead(self) -> None:
        """Draw the rows before they are seen."""
        for row in self._rows:
            row.picture()

    def _choose(self) -> None:
        row = self.sender()
        if isinstance(row, _Row) and row.probe is not None:
            self.chosen.emit(row.probe.id)
