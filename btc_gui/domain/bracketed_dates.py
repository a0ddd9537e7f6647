"""Dates in brackets, which give a change away: “American actor (1930–2026)”."""

from __future__ import annotations

import re

_YEAR = r"(?:1\d|20)\d\d"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
# Brackets that hold nothing but dates: “(1958–2026)”, “(born 4 May 1943)”, “(4 May 1943 – 9 May 2026)”. What was read
# is never read in another way (`++`): “(2020 marmarmar…!)” can be cut into months in as many ways as you like.
_DATES_IN_BRACKETS = re.compile(
    rf"[(\[](?=[^()\[\]]*{_YEAR})"
    rf"(?:\s|\d|[-–—/,.;:?~†*]|{_MONTH}|since|until|from|to|born|died|[bdcr]\.|ca\.|circa|present|now|and|in|on)++[)\]]",
    re.IGNORECASE,
)


def without_bracketed_dates(text: str) -> str:
    """`text` without dates in brackets: “American actor (1930–2026)” would tell what must not be told."""
    # The spaces before a bracket go with it; looking for them by the pattern would stop at every space of an article.
    kept, place = [], 0
    for found in _DATES_IN_BRACKETS.finditer(text):
        kept.append(text[place : found.start()].rstrip())
        place = found.end()
    return "".join([*kept, text[place:]]).strip()
