"""docs/known_faults.md names tests that exist, for every fault."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
_PAGE = TESTS.parent / "docs" / "known_faults.md"
#: The catalogue that the product is held to: kinds of fault, with their numbers.
_NUMBERS: dict[str, tuple[int, ...]] = {
    "A": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16),
    "K": (1, 2, 4, 5, 6),
    "B": (1, 3, 4, 5, 7),
    "S": (1, 2, 4, 5, 6, 7, 8, 10, 11, 12),
    "Q": (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 15),
    "D": (1, 2, 3, 4, 6, 7),
    "X": (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15),
    "R": (1, 3, 4),
    "W": (1, 2, 3, 4, 5, 7),
}
_FAULTS = [f"{kind}{number}" for kind, numbers in _NUMBERS.items() for number in numbers]


def _rows() -> dict[str, str]:
    found = re.findall(r"^\| ([A-Z]\d+) \| [^|]+ \| ([^|]+) \|$", _PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(found)


@cache
def _tests_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(each.name for each in tree.body if isinstance(each, ast.FunctionDef))


def test_every_fault_has_a_test_or_a_reason() -> None:
    rows = _rows()
    assert list(rows) == _FAULTS
    missing = []
    for fault, held in rows.items():
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", held)
        missing += [f"{fault}: {file}::{test}" for file, test in named if test not in _tests_in(TESTS / file)]
        # A reason is a sentence of its own.
        assert named or (len(held) > 40 and held.endswith(".")), fault
    assert missing == []
