"""Names sort as people count."""

from __future__ import annotations

from btc_gui.domain.natural_order import natural_key


def test_numbers_in_names_sort_by_size_and_letters_without_case() -> None:
    long = "1" * 5000
    names = ["model 10", "Model 9", "Model 9.10", "model 9.2", "Model", "9 lives", "10 lives", "模型 2", "", long]
    assert sorted(names, key=natural_key) == [
        *("", "9 lives", "10 lives", long, "Model", "Model 9", "model 9.2", "Model 9.10", "model 10", "模型 2")
    ]
