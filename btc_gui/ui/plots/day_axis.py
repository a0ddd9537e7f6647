"""The axis of days of a timeline: where months and years are written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

import pyqtgraph
from PySide6.QtGui import QFont, QFontMetricsF

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
#: As wide as the names get, and so many pixels are left between two of them.
_WIDEST_NAME: Final = "May 2026"
_BETWEEN = 24
_MONTH_DAYS = 30.44
#: The first and last day that can be shown, as ordinals.
FIRST_DAY: Final = float(date(1000, 1, 1).toordinal())
LAST_DAY: Final = float(date(2999, 12, 31).toordinal())


class DayAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis of days, as ordinals, that writes years and months."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self._names: dict[float, str] = {}

    def tickValues(self, start: float, stop: float, size: float) -> list[tuple[float, list[float]]]:
        """The days that have a name, `size` pixels being there for them."""
        width = QFontMetricsF(self.style["tickFont"] or QFont()).horizontalAdvance(_WIDEST_NAME)
        self._names = dict(day_names(start, stop, size, width))
        return [(_MONTH_DAYS, list(self._names))]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Their names."""
        return [self._names[value] for value in values]


def day_names(start: float, stop: float, width: float, name_width: float) -> list[tuple[float, str]]:
    """The first of every so many months between two days, far enough apart on `width` pixels for names of
    `name_width`: each with its name, `2025` where only years are written, else `Oct 2025`."""
    months = max((stop - start) / _MONTH_DAYS, 0.1)
    wanted = max(width / (name_width + _BETWEEN), 1)
    step = next((s for s in (1, 2, 3, 6, 12, 24, 60, 120, 240, 600) if months / s <= wanted), 1200)
    first = date.fromordinal(int(min(max(start, FIRST_DAY), LAST_DAY)))
    number = (first.year * 12 + first.month - 1) // step * step
    found: list[tuple[float, str]] = []
    while number < 3000 * 12:
        year, month = divmod(number, 12)
        day = float(date(max(year, 1), month + 1, 1).toordinal())
        if day > stop:
            break
        if day >= start:
            found.append((day, str(year) if step >= 12 else f"{_MONTHS[month]} {year}"))
        number += step
    return found
