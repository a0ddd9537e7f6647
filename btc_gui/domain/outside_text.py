"""Text from outside keeps to its place: in a view, a list, a title, a message, a terminal.

A control character, or a mark that turns the direction of what follows, would make other words look different from
what they are; on one line a line break would, too. What is kept and searched is always the text as it was received.
"""

from __future__ import annotations

import re

#: Control characters, half characters, marks that turn or embed directions (U+202A–E, U+2066–9), interlinear marks
#: and the byte-order mark. Letters of right-to-left scripts and U+200E/F, which turn nothing else, stay.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufeff]")
#: As far as Qt is concerned, these as well: it uses them itself.
_UNSHOWABLE = re.compile(f"{UNPRINTABLE.pattern[:-1]}\ufdd0-\ufdef\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n|[\r\x85\u2028\u2029]")
#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def printable(text: str) -> str:
    """Outside text for a page: without control characters and direction overrides, line ends of one kind."""
    return UNPRINTABLE.sub("", _LINE_ENDS.sub("\n", text))


def shown(text: str) -> str:
    """Outside text for a screen: as `printable`, but with `�` where something was, so that nothing is hidden."""
    return UNPRINTABLE.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def showable(text: str) -> str:
    """Outside text for a view in which passages are marked: as `shown`, but character for character, so that offsets
    stay true."""
    text = text.replace("\r\n", " \n")
    return _UNSHOWABLE.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def on_one_line(text: str, limit: int = 200) -> str:
    """The beginning of `text` on one line, as `shown`. No more is read than is shown."""
    cut = " ".join(text[: limit * 2].split())
    return shown(cut if len(cut) <= limit and len(text) <= limit * 2 else f"{cut[:limit]}…")


def spreadsheet_text(text: str) -> str:
    """The text as a cell that no spreadsheet runs: an apostrophe before what begins like a formula. Numbers stay.

    After https://owasp.org/www-community/attacks/CSV_Injection.
    """
    begins = text.startswith(_FORMULA) or text.lstrip("\ufeff\0 \u00a0\u3000").startswith(_FORMULA)
    return f"'{text}" if begins and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
