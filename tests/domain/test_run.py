"""What agents are told about their knowledge cutoff."""

from __future__ import annotations

import pytest

from btc_gui.domain.run import cutoff_day


@pytest.mark.parametrize(
    ("reported", "told"),
    [
        ("2026-01", "2026-01-31"),
        ("2024-02", "2024-02-29"),
        ("2025-02", "2025-02-28"),
        ("2024-12", "2024-12-31"),
        ("2025-08-31", "2025-08-31"),
        ("", "2026-01-31"),
    ],
)
def test_a_month_means_its_last_day_and_no_report_the_latest_one(reported: str, told: str) -> None:
    assert cutoff_day(reported) == told


@pytest.mark.parametrize("wrong", ["2026-13", "soon", "2025-02-30", "2026"])
def test_what_is_no_month_or_day_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        cutoff_day(wrong)
