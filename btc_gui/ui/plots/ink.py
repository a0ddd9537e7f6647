"""Black or white writing on a coloured surface, whichever contrasts more (WCAG's relative luminance).

With a grey instead of black, writing on some middle tones would have less than 4.5 : 1.
"""

from __future__ import annotations

from PySide6.QtGui import QColor

_BLACK = QColor("#000000")
_WHITE = QColor("#FFFFFF")


def ink_on(surface: QColor) -> QColor:
    """The colour to write with on `surface`."""
    level = _luminance(surface)
    on_white = (_luminance(_WHITE) + 0.05) / (level + 0.05)
    on_black = (level + 0.05) / (_luminance(_BLACK) + 0.05)
    return _WHITE if on_white > on_black else _BLACK


def _luminance(color: QColor) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (color.redF(), color.greenF(), color.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
