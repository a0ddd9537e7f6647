"""A probe written by hand is a probe as any other."""

from __future__ import annotations

import pytest

from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeText, ReviewStatus
from btc_gui.errors import InputError, ProjectError
from btc_gui.sessions.writing import write_probe
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from tests.builders import add_event, add_probe


def test_it_stands_behind_the_others_and_waits_for_its_review(database: Database) -> None:
    event_id = add_event(database)
    add_probe(database, event_id)
    probe_id = write_probe(database, event_id, ProbeText("  Who could sing? ", "a choir", " ", "must sing"), "mara")
    probe = ProbeStore(database).get(probe_id)
    assert probe.content == ProbeText("Who could sing?", "a choir", "", "must sing")
    assert (probe.ordinal, probe.origin, probe.status) == (2, "written", ReviewStatus.UNREVIEWED)
    assert probe.facts_hash == EventStore(database).get(event_id).facts.facts_hash
    other = add_event(database, entity="Bo Brown")
    assert ProbeStore(database).get(write_probe(database, other, ProbeText("Who could sing?"), "mara")).ordinal == 1


def test_what_says_nothing_or_the_same_is_refused(database: Database) -> None:
    event_id = add_event(database)
    add_probe(database, event_id, "Who could sing?")
    with pytest.raises(InputError, match="needs a text"):
        write_probe(database, event_id, ProbeText(" \n"), "mara")
    with pytest.raises(InputError, match="indirect probe 1 of this event says the same"):
        write_probe(database, event_id, ProbeText("who  could SING?"), "mara")
    with pytest.raises(ProjectError):
        write_probe(database, EventId(99), ProbeText("Who?"), "mara")
