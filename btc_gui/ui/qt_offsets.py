"""Places in a text as Qt counts them."""

from __future__ import annotations

from collections.abc import Sequence


def utf16_offsets(text: str, offsets: Sequence[int]) -> dict[int, int]:
    """Each offset as Qt counts it: Qt counts UTF-16 units, Python characters; they part at the first emoji."""
    wanted = sorted(set(offsets))
    units, before, found = 0, 0, {}
    for offset in wanted:
        units += len(text[before:offset].encode("utf-16-le")) // 2
        found[offset], before = units, offset
    return found
