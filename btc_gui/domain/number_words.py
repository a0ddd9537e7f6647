"""How numbers stand in text: one form for the window, the terminal, pages and papers.

A minus is the sign, not the hyphen; nothing is minus zero; a number and its noun agree. Files that are read by
programs (CSV, JSON) hold plain numbers instead.
"""

from __future__ import annotations

_MINUS = "−"


def decimal(value: float, digits: int = 3) -> str:
    """`0.995`, `−0.023`; what rounds to zero has no sign."""
    text = f"{value:,.{digits}f}"
    if not text.startswith("-"):
        return text
    return f"{_MINUS}{text[1:]}" if text.strip("-0.,") else text[1:]


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent: `97.5 %`."""
    return f"{decimal(share * 100, digits)} %"


def signed(value: float, digits: int = 1) -> str:
    """A difference, whose sign is always told: `+3.5`, `−0.4`, `0.0`."""
    text = decimal(value, digits)
    return text if text.startswith(_MINUS) or not text.strip("0.,") else f"+{text}"


def span(interval: tuple[float, float], digits: int = 3) -> str:
    """`0.972 to 0.999`."""
    return " to ".join(decimal(end, digits) for end in interval)


def estimated(value: float, interval: tuple[float, float] | None, digits: int = 3) -> str:
    """`0.995 [0.972, 0.999]`, or the value alone."""
    words = decimal(value, digits)
    return f"{words} [{', '.join(decimal(end, digits) for end in interval)}]" if interval else words


def brief(value: float) -> str:
    """`0.25`, `−10`, `1.5`: with as many digits as it has, as axes and whole numbers stand."""
    return f"{value or 0.0:.10g}".replace("-", _MINUS)


def p_value(value: float) -> str:
    """`0.034`, `< 0.001`."""
    return "< 0.001" if value < 0.001 else decimal(value)


def counted(count: int, one: str, many: str = "") -> str:
    """`1 case`, `3 cases`, `1,234 cases`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
