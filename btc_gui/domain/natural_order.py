"""Names in the order in which people count: Model 2 before Model 10."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """What to sort names by: numbers within them by size, all else by letters without regard to case."""
    # Words and numbers alternate, so that equal places hold the same kind. Of numbers the longer one is larger.
    parts = _DIGITS.split(name.casefold())
    return tuple(_number(part) if place % 2 else (0, part) for place, part in enumerate(parts))


def _number(digits: str) -> tuple[int, str]:
    plain = digits.lstrip("0")
    return len(plain), plain
