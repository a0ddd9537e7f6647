"""Text from outside keeps to its place."""

from __future__ import annotations

import unicodedata

import pytest

from btc_gui.domain.outside_text import on_one_line, printable, spreadsheet_text

_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand tabs", "two lines and tabs"),
        ("\x1b[31mred\x07", "\ufffd[31mred\ufffd"),
        ("invoice\u202egpj.exe", "invoice\ufffdgpj.exe"),
        ("\u2066inside\u2069", "\ufffdinside\ufffd"),
        ("\ud800", "\ufffd"),
        # Arabic, Hebrew with its own mark, an emoji of several parts: as they are.
        (
            "\u0645\u0631\u062d\u0628\u0627 \u200f1\u200e \U0001f468\u200d\U0001f469",
            "\u0645\u0631\u062d\u0628\u0627 \u200f1\u200e \U0001f468\u200d\U0001f469",
        ),
        ("x" * 201, "x" * 200 + "\u2026"),
        ("x" * 1_000_000, "x" * 200 + "\u2026"),
    ],
)
def test_a_line_of_a_list_is_one_line_and_hides_nothing(text: str, shown: str) -> None:
    assert on_one_line(text) == shown


def test_no_control_character_and_no_override_is_printed() -> None:
    everything = "".join(map(chr, range(0x11000)))
    left = printable(everything)
    assert {sign for sign in left if unicodedata.category(sign) in ("Cc", "Cs")} == {"\n", "\t"}
    assert not {sign for sign in left if unicodedata.bidirectional(sign) in _TURNING}
    # Nothing else is lost.
    assert all(unicodedata.category(sign) in ("Cc", "Cs", "Cf", "Zl", "Zp") for sign in set(everything) - set(left))


def test_text_that_is_no_formula_stays_as_it_is() -> None:
    for text in ("", "a=b", "1-2", "-5", "+3.5", "-1e-5", "'=1", "\u22121.2"):
        assert spreadsheet_text(text) == text
