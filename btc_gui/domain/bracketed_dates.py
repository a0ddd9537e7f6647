"""Dates in brackets, which give a change away: “American actor (1930–2026)”."""

from __future__ import annotations

import re

_YEAR = r"(?:1\d|20)\d\d"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
# Brackets that hold nothing but dates: “(1958–2026)”, “(born 4 May 1943)”, “(4 May 1943 – 9 May 2026)”.
_DATES_IN_BRACKETS = re.compile(
    rf"\s*[(\[](?=[^()\[\]]*{_YEAR})"
    rf"(?:\s|\d|[-–—/,.;:?~†*]|{_MONTH}|since|until|from|to|born|died|[bdcr]\.|ca\.|circa|present|now|and|in|on)+[)\]]",
    re.IGNORECASE,
)


def without_bracketed_dates(text: str) -> str:
    """`text` without dates in brackets: “American actor (1930–2026)” would tell what must not be told."""
    return _DATES_IN_BRACKETS.sub("", text).strip()
