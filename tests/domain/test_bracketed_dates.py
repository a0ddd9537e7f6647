"""Dates in brackets are taken out, and nothing else."""

from __future__ import annotations

import pytest

from btc_gui.domain.bracketed_dates import without_bracketed_dates


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("American actor (1930–2026)", "American actor"),
        ("Ukrainian-American businessman (1982–2026)", "Ukrainian-American businessman"),
        ("Prime Minister of Hungary (2010-present)", "Prime Minister of Hungary"),
        ("Ada (born 4 May 1943) writes.\n\nShe (4 May 1943 – 9 May 2026) sang.", "Ada writes.\n\nShe sang."),
        ("a mill [c. 1850], a barn (since 1999)", "a mill, a barn"),
        ("(1999) first and last (2001)", "first and last"),
        # What holds more than dates says something else.
        ("a poet (and from 1972 a critic) of (West) Berlin", "a poet (and from 1972 a critic) of (West) Berlin"),
        ("Supreme Leader since 1989", "Supreme Leader since 1989"),
        ("room (12), vol. (3)", "room (12), vol. (3)"),
        ("(1999 unclosed", "(1999 unclosed"),
        ("", ""),
    ],
)
def test_brackets_with_nothing_but_dates_go(text: str, left: str) -> None:
    assert without_bracketed_dates(text) == left
