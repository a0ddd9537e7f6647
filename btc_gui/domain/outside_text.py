"""Text from outside where it has to keep to its place: in a list, a title, a message, a terminal.

Reading views show a text as it was received. Elsewhere a line break, a control character or a mark that turns the
direction of what follows would make other words look different from what they are.
"""

from __future__ import annotations

import re

#: Control characters, half characters, marks that turn or embed directions (U+202A–E, U+2066–9), interlinear marks
#: and the byte-order mark. Letters of right-to-left scripts and U+200E/F, which turn nothing else, stay.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ufeff\ud800-\udfff]"
)


def on_one_line(text: str, limit: int = 200) -> str:
    """The beginning of `text` on one line, with `�` for what can't be printed. No more is read than is shown."""
    cut = " ".join(text[: limit * 2].split())
    whole = len(cut) <= limit and len(text) <= limit * 2
    return UNPRINTABLE.sub("\ufffd", cut if whole else f"{cut[:limit]}…")
