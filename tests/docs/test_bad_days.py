"""docs/bad_days.md and docs/trust.md name tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ["bad_days.md", "trust.md"])
def test_every_row_is_held_by_a_test(name: str) -> None:
    page = (TESTS.parent / "docs" / name).read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| wh"))]
    assert len(rows) > 10
    for row in rows:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", row)
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (TESTS / file).read_text(encoding="utf-8"), f"{file}::{test}"
