"""A terminal that text from outside can't act on: no colours, no titles, no clipboard, no line turned around."""

from __future__ import annotations

import sys
from typing import TextIO

from btc_gui.domain.outside_text import UNPRINTABLE

#: Our own: progress begins its line anew.
ERASE_LINE = "\r\x1b[K"


class PlainTerminal:
    """A stream to a terminal: control characters and marks that turn the direction are printed as `�`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text`; only the sequence with which progress begins its line anew keeps its effect."""
        own = ERASE_LINE if text.startswith(ERASE_LINE) else ""
        return self._stream.write(own + UNPRINTABLE.sub("\ufffd", text[len(own) :].replace("\r\n", "\n")))

    def __getattr__(self, name: str) -> object:
        """All else is the stream's."""
        return getattr(self._stream, name)


def make_terminals_plain() -> None:
    """From now on what this process prints to a terminal goes through `PlainTerminal`; pipes and files stay exact."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream.isatty() and not isinstance(stream, PlainTerminal):
            setattr(sys, name, PlainTerminal(stream))
