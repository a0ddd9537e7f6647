"""What the labelling window says of its packet and of the item that is shown."""

from __future__ import annotations

from pathlib import Path

from btc_gui.domain.packet import GivenLabel
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.ui.widgets.plain_text import one_line


def place_of(packet: Path) -> str:
    """The file and its folder: `marks.btcp, in /home/me`."""
    path = packet.resolve()
    return f"{one_line(path.name, 80)}, in {one_line(str(path.parent), 200)}"


def state_words(session: LabellingSession) -> str:
    """What was said of the item, and how many were skipped."""
    words = []
    given, first = session.given, session.first
    if given is not None:
        words.append(f"you said: {_named(session, given)}")
        if first is not None and first.sequence != given.sequence:
            words.append(f"first label kept: {_named(session, first)}")
    if session.skipped:
        words.append(f"{session.skipped:,} skipped, asked again at the end")
    return " · ".join(words)


def _named(session: LabellingSession, given: GivenLabel) -> str:
    choice = session.manifest.choice(given.label)
    return choice.text if choice else given.label
