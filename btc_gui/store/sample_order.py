"""All probes as a sample ranks them, worked out once: hashing thousands takes some tenths of a second."""

from __future__ import annotations

from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.kept import Kept
from btc_gui.store.probes import ProbeStore
from btc_gui.store.samples import SampleStore

_DEFAULT_SEED = "1"

# Keys of probes don't change; an event is known by its facts.
_RANKED: Kept[list[tuple[ProbeId, str]]] = Kept(
    "SELECT (SELECT max(id) FROM probe), (SELECT count(*) FROM probe), (SELECT max(id) FROM event_revision), "
    "(SELECT count(*) FROM event), (SELECT group_concat(id) FROM load WHERE completed_at IS NULL)"
)


def ranked_probes(database: Database) -> list[tuple[ProbeId, str]]:
    """Every probe with its event's identity: events by their rank, the probes of each by their own.

    The seed is that of the newest sample, else what a sample is drawn with by default.
    """
    samples = SampleStore(database).all()
    seed = samples[0].design.seed if samples else _DEFAULT_SEED

    def read() -> list[tuple[ProbeId, str]]:
        # Only who asks needs what draws samples.
        from btc_gui.domain.probe_sample import Candidate, ranked

        identities: dict[EventId, str] = {i: facts.identities()[0] for i, facts in EventStore(database).all_facts()}
        of_key = {key: (i, identities[of]) for i, (key, of) in ProbeStore(database).names().items() if of in identities}
        return [of_key[each.probe] for each in ranked((Candidate(key, of_key[key][1]) for key in of_key), seed)]

    return _RANKED.get(database, read, key=seed)
