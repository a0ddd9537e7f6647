"""Numbers in text: a minus that is one, no minus zero, nouns that agree."""

from __future__ import annotations

from btc_gui.domain.estimate import Estimate
from btc_gui.domain.number_words import brief, counted, decimal, estimated, p_value, percent, signed, span


def test_a_minus_is_the_sign_and_nothing_is_minus_zero() -> None:
    assert [decimal(value) for value in (0.9951, -0.0234, -0.0004, 0.0, 1234.5)] == [
        "0.995",
        "−0.023",
        "0.000",
        "0.000",
        "1,234.500",
    ]
    assert [signed(value) for value in (3.54, -0.42, -0.04, 0.04, 0)] == ["+3.5", "−0.4", "0.0", "0.0", "0.0"]
    assert [percent(0.97549), percent(-0.1, 0)] == ["97.5 %", "−10 %"]
    assert [brief(value) for value in (-0.25, 30.0, -0.0, 2.5)] == ["−0.25", "30", "0", "2.5"]
    assert [p_value(value) for value in (0.0343, 0.00099, 1)] == ["0.034", "< 0.001", "1.000"]


def test_intervals_stand_beside_their_value_or_the_reason_does() -> None:
    assert span((-0.1, 0.25), 2) == "−0.10 to 0.25"
    assert estimated(0.5, (-0.25, 1)) == "0.500 [−0.250, 1.000]"
    assert Estimate(0.5, (0.25, 1), "exact", "few").text == "0.500 [0.250, 1.000]"
    assert Estimate(0.5, reason="no interval: few").text == "0.500 (no interval: few)"
    assert Estimate(None, reason="undefined: no labels").text == "undefined: no labels"


def test_a_number_and_its_noun_agree() -> None:
    assert [counted(count, "case") for count in (0, 1, 1234)] == ["0 cases", "1 case", "1,234 cases"]
    assert counted(2, "query", "queries") == "2 queries"
