"""Which probes an evaluation may use."""

from __future__ import annotations

from collections.abc import Collection

from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ReviewStatus, RevisionId
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore


def choose_probes(
    database: Database, kinds: Collection[ProbeKind] = tuple(ProbeKind), limit: int | None = None
) -> list[tuple[ProbeId, RevisionId]]:
    """The probes that passed the review, by event, in their current wording; the first `limit` of them.

    A probe accepted for facts that have changed since does not count. A direct probe follows a template and
    accompanies the indirect ones of its event: it needs no review of its own, but may not have been rejected.
    """
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(order="event"))
    probes = [probe for probe in store.fetch(ids).values() if _is_usable(probe)]
    accompanied = {probe.event_id for probe in probes if probe.kind is ProbeKind.INDIRECT}
    chosen = [
        probe
        for probe in probes
        if probe.kind in kinds and (probe.status is ReviewStatus.ACCEPTED or probe.event_id in accompanied)
    ]
    order = {probe_id: place for place, probe_id in enumerate(ids)}
    chosen.sort(key=lambda probe: order[probe.id])
    return [(probe.id, probe.revision_id) for probe in chosen[:limit]]


def _is_usable(probe: Probe) -> bool:
    if probe.status is ReviewStatus.ACCEPTED:
        return not probe.is_stale
    return probe.kind is ProbeKind.DIRECT and probe.status is ReviewStatus.UNREVIEWED
