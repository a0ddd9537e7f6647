"""Dates in brackets are taken out, and nothing else."""

from __future__ import annotations

import subprocess
import sys

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


def test_words_that_can_be_cut_in_many_ways_are_read_once() -> None:
    """Articles are written by anybody: no text may take the time of every way of reading it.

    A process of its own, as a pattern that is lost in a text can't be stopped from outside; the minutes are only
    for the report of a failure.
    """
    texts = [f"Ada (2020 {part * 100}!) sang" for part in ("mar", "mar.", "jan. ", "in", "May-", "1. ")]
    code = (
        "import sys; from btc_gui.domain.bracketed_dates import without_bracketed_dates as without; "
        "assert [without(text) for text in sys.argv[1:]] == sys.argv[1:]"
    )
    subprocess.run([sys.executable, "-c", code, *texts], check=True, timeout=120)
