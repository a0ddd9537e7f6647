"""An axis of days for plots: writes months and years."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pyqtgraph
from PySide6.QtGui import QFont, QFontMetricsF

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
#: So many pixels are left between two names.
_BETWEEN = 24
#: The first and last day that can be shown, as ordinals.
FIRST_DAY = float(date(1000, 1, 1).toordinal())
LAST_DAY = float(date(2999, 12, 31).toordinal())


class DayAxis(pyqtgraph.AxisItem):  # type: ignore[misc]
    """An axis of days that writes years and months."""

    def tickValues(self, start: float, stop: float, size: float) -> list[tuple[float, list[float]]]:
        """The first of every so many months, far enough apart that their names are."""
        months = max((stop - start) / 30.44, 0.1)
        font = self.style["tickFont"] or QFont()
        wanted = max(size / (QFontMetricsF(font).horizontalAdvance("May 2026") + _BETWEEN), 1)
        step = next((s for s in (1, 2, 3, 6, 12, 24, 60, 120, 240, 600) if months / s <= wanted), 1200)
        first = date.fromordinal(int(min(max(start, FIRST_DAY), LAST_DAY)))
        number = (first.year * 12 + first.month - 1) // step * step
        values: list[float] = []
        while len(values) < 60:
            year, month = divmod(number, 12)
            if year > 2999:
                break
            day = float(date(max(year, 1), month + 1, 1).toordinal())
            if day > stop:
                break
            if day >= start:
                values.append(day)
            number += step
        return [(step * 30.44, values)]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """`2025` for a year's first day, else `Oct 2025`."""
        days = [date.fromordinal(int(value)) for value in values]
        yearly = spacing > 300
        return [str(day.year) if yearly else f"{_MONTHS[day.month - 1]} {day.year}" for day in days]
