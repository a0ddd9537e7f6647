"""Dark or white writing on a coloured surface, whichever contrasts more (WCAG's relative luminance)."""

from __future__ import annotations

from PySide6.QtGui import QColor

_DARK = QColor("#15171B")
_WHITE = QColor("#FFFFFF")


def ink_on(surface: QColor) -> QColor:
    """The colour to write with on `surface`."""
    level = _luminance(surface)
    on_white = (_luminance(_WHITE) + 0.05) / (level + 0.05)
    on_dark = (level + 0.05) / (_luminance(_DARK) + 0.05)
    return _WHITE if on_white > on_dark else _DARK


def _luminance(color: QColor) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (color.redF(), color.greenF(), color.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
