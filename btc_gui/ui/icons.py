"""The line icons of resources/icons, tinted by the palette and crisp at every scale."""

from __future__ import annotations

import os
from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from btc_gui.paths import resources


@cache
def _names() -> frozenset[str]:
    return frozenset(name.removesuffix(".svg") for name in os.listdir(resources() / "icons"))


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))


class _TintedEngine(QIconEngine):
    """Draws one icon in the palette's colour of the moment, so that it follows light and dark by itself."""

    def __init__(self, name: str, role: QPalette.ColorRole, color: str) -> None:
        super().__init__()
        self._name, self._role, self._color = name, role, color
        #: The picture that was asked for last, and what it was for: buttons ask again with every repaint.
        self._kept: tuple[tuple[object, ...], QPixmap] | None = None

    def _tint(self, mode: QIcon.Mode) -> str:
        palette = QGuiApplication.palette()
        if mode == QIcon.Mode.Disabled:
            return palette.color(QPalette.ColorRole.PlaceholderText).name(QColor.NameFormat.HexRgb)
        return self._color or palette.color(self._role).name(QColor.NameFormat.HexRgb)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if mode == QIcon.Mode.Disabled:
            painter.setOpacity(0.5)
        _renderer(self._name, self._tint(mode)).render(painter, QRectF(rect))
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        wanted = (QGuiApplication.palette().cacheKey(), mode, size.width(), size.height())
        if self._kept is None or self._kept[0] != wanted:
            self._kept = wanted, self._pixmap(size, mode)
        return self._kept[1]

    def _pixmap(self, size: QSize, mode: QIcon.Mode) -> QPixmap:
        # Many buttons have the same icon. The tint is part of the key, so that the theme is followed.
        key = f"btc/{self._name}/{self._tint(mode)}/{mode.name}/{size.width()}x{size.height()}"
        pixmap = QPixmap()
        if QPixmapCache.find(key, pixmap):
            return pixmap
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, QIcon.State.Off)
        painter.end()
        QPixmapCache.insert(key, pixmap)
        return pixmap

    def clone(self) -> QIconEngine:
        # Qt takes the clone over but Python would free it on return: keep it (icons are hardly ever altered).
        _CLONES.append(_TintedEngine(self._name, self._role, self._color))
        return _CLONES[-1]


_CLONES: list[QIconEngine] = []


def icon(name: str, role: QPalette.ColorRole = QPalette.ColorRole.WindowText, color: str = "") -> QIcon:
    """The icon of that name (a file of resources/icons without its ending).

    It follows the palette's `role`, or has a fixed `color` (#RRGGBB, from the theme's tokens).
    """
    if name not in _names():  # It fails here, not while painting.
        raise FileNotFoundError(f"There is no icon {name}.")
    return QIcon(_TintedEngine(name, role, color))
