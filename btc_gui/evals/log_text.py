"""Texts of logs as a project keeps them: whole, but without pictures as text and without texts of absurd length."""

from __future__ import annotations

import re

#: The longest text that is kept whole (characters). Ten times the longest page a search tool gives.
LONGEST_TEXT = 1_000_000
#: The longest texts of a sample together (characters). Each can be named in many places of a log and stand there once.
LONGEST_SAMPLE = 200_000_000
_INLINE = ";base64,"
_INLINE_DATA = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,([A-Za-z0-9+/=_-]{64,})")


def kept(text: str) -> str:
    """A text of a trajectory; what is left out is said in its place."""
    if _INLINE in text:
        text = _INLINE_DATA.sub(_note, text)
    return shortened(text, LONGEST_TEXT)


def shortened(text: str, longest: int) -> str:
    """The first `longest` characters, and how many more the log has."""
    if len(text) <= longest:
        return text
    return f"{text[:longest]}\n[… {len(text) - longest:,} more characters are in the log]"


def _note(found: re.Match[str]) -> str:
    size = len(found.group(2)) * 3 // 4
    return f"[{found.group(1)}, {size:,} bytes, in the log]"
