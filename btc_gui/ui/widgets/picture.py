"""What a widget looks like, as a picture that is drawn once: marks and words take longer to draw than to copy."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget


class Picture:
    """The picture of one widget. `draw` draws it, in the widget's own font."""

    def __init__(self, widget: QWidget, draw: Callable[[QPainter], None]) -> None:
        self._widget, self._draw = widget, draw
        self._look: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def of(self, *look: object) -> QPixmap:
        """The picture for this look (whatever it depends on, but for size, font and colours): drawn if it is new."""
        widget, ratio = self._widget, self._widget.devicePixelRatioF()
        if widget.size().isEmpty():
            return QPixmap()
        wanted = (*look, widget.size(), ratio, widget.font(), widget.palette().cacheKey())
        if wanted != self._look:
            self._look = wanted
            self._pixmap = QPixmap(widget.size() * ratio)
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._pixmap)
            painter.setFont(widget.font())
            painter.setLayoutDirection(widget.layoutDirection())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw(painter)
            painter.end()
        return self._pixmap
