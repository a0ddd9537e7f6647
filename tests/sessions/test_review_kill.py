"""A reviewing process that is killed: decisions and drafts are there, nothing is half written."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from btc_gui.domain.probe import ProbeText, ReviewStatus
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe

_CURATOR = """
import sys
from pathlib import Path
from btc_gui.domain.probe import ProbeText
from btc_gui.domain.review import Action
from btc_gui.sessions.review_queue import Queue
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.database import Database

session = ReviewSession(Database.open(Path(sys.argv[1])), {}, "ann")
session.start(Queue())
session.decide(session.item().probe, Action.ACCEPT)
seen = session.item().probe
session.decide(seen, Action.EDIT, edited=ProbeText("Who else?", "a host"))
session.keep_note(seen.id, "half a no")
session.keep_edit(session.item().probe, ProbeText("Who els", "a ho"))
print("ready", flush=True)
input()
"""


def test_decisions_and_what_was_being_typed_survive_a_kill(database: Database, tmp_path: Path) -> None:
    event = add_event(database)
    first, second = add_probe(database, event, text="One?"), add_probe(database, event, text="Two?")
    database.close()
    with subprocess.Popen(
        [sys.executable, "-c", _CURATOR, str(database.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as curator:
        assert curator.stdout is not None
        assert curator.stdout.readline() == "ready\n"
        curator.send_signal(signal.SIGKILL)
    with Database.open(database.path) as again:
        probes = ProbeStore(again)
        assert probes.get(first.id).status is ReviewStatus.ACCEPTED
        assert probes.get(second.id).content == ProbeText("Who else?", "a host")
        session = ReviewSession(again, {}, "ann")
        assert session.note_draft(second.id) == "half a no"
        draft = session.edit_draft(second.id)
        assert draft is not None
        assert draft.content == ProbeText("Who els", "a ho")
        assert again.integrity_problems() == []
        for _ in range(2):
            step = ReviewStore(again).undo_step("ann")
            assert step is not None
            ReviewStore(again).undo(step.decision, "ann")
        assert probes.get(second.id).text == "Two?"
