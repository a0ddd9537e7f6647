"""What `btc-gui packet --pieces FILE` prints for the leak audit: all that the labelling window and its process say."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.leak_audit import Piece
from btc_gui.domain.packet import PacketItem
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from btc_gui.ui.labelling.channels import window_pieces
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.theme import Theme


def print_pieces(path: Path, theme: Theme) -> None:
    """Print every piece once, as JSON lines of `Piece`. Raises `PacketError` for a file that is no packet.

    The window opens unlabelled copies of the packet in a temporary folder: the packet itself is only read, and what
    the annotator wrote is theirs.
    """
    told: set[int] = set()
    for piece in chain(_process(), _windows(path, theme)):
        line = json.dumps(asdict(piece))
        if hash(line) not in told:
            told.add(hash(line))
            print(line)


def _process() -> Iterator[Piece]:
    for argument in sys.orig_argv:
        yield Piece("process arguments", "labelling process", argument)
    for name, value in os.environ.items():
        yield Piece("environment", name, f"{name}={value}")


def _windows(path: Path, theme: Theme) -> Iterator[Piece]:
    with PacketFile.open(path, to_label=False) as packet, TemporaryDirectory(prefix="packet-") as folder:
        outline = packet.outline()
        # Without practice items every item can be reached; with them, the practice is what is reached.
        for name, practice in {"items": (), "practice": outline.practice}.items():
            if name == "practice" and not practice:
                continue
            copy = Path(folder) / name / path.name
            copy.parent.mkdir()
            items = (packet.item(entry) for entry in outline.entries)
            PacketFile.create(copy, outline.manifest, outline.pages, items, practice)
            with LabellingSession(copy) as session:
                yield from _walk(session, theme)


def _walk(session: LabellingSession, theme: Theme) -> Iterator[Piece]:
    window = LabellingWindow(session, theme)
    window.show()
    if session.practice is not None:
        yield from window_pieces(window, session.manifest, [])
        window.action("go_on").trigger()
        for item in session.practice.open_items:
            if window.form is not None:
                page = session.pages[item.page]
                window.form.show_item(item, page, None, ItemState())
                yield from window_pieces(window, session.manifest, _texts(item, page))
    while session.practice is None and session.current is not None:
        yield from window_pieces(window, session.manifest, _texts(session.current, session.page))
        forward = window.action("forward")
        if not forward.isEnabled():
            break
        forward.trigger()
    window.close()


def _texts(item: PacketItem, page: str) -> list[str]:
    return [*item.values.values(), page]
