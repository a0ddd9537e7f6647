"""Where the review of all probes stands, read once: each queue is a part of it."""

from __future__ import annotations

from collections.abc import Mapping

from btc_gui.domain.probe import ProbeId
from btc_gui.store.database import Database
from btc_gui.store.kept import Kept
from btc_gui.store.probes import Place, ProbeStore
from btc_gui.store.queue_state import STATE

_PLACES: Kept[Mapping[ProbeId, Place]] = Kept(STATE)


def all_places(database: Database) -> Mapping[ProbeId, Place]:
    """The place of every probe, in the order of events: read anew after a decision."""
    return _PLACES.get(database, ProbeStore(database).places)
