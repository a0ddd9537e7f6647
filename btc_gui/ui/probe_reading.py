"""What the page of probes reads, on whatever thread: rows of its list, and all that is shown of the chosen probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.event import Event
from btc_gui.domain.generation import Provenance
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.probe import Probe, ProbeId, ProbeRevision, ReviewStatus
from btc_gui.domain.retention import retention_line
from btc_gui.domain.review import Decision
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.tables.lazy_table import page_of


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """A probe with its event, and the worst that the linter found in it."""

    probe: Probe
    event: Event | None
    worst: Severity | None = None


@dataclass(frozen=True, slots=True)
class ProbeDetail:
    """All that is shown of one probe. `findings` is None where the linter has not looked at it yet."""

    row: ProbeRow
    findings: tuple[Finding, ...] | None
    source: Provenance | None
    retention: str
    revisions: tuple[ProbeRevision, ...]
    log: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class FoundProbes:
    """What a query found, with the rows that are seen first and the probe that is shown beside them."""

    query: ProbeQuery
    counts: dict[ReviewStatus, int]
    ids: list[ProbeId]
    models: list[str]
    lint: dict[str, int]
    rows: dict[ProbeId, ProbeRow]
    detail: ProbeDetail | None


class ProbeReading:
    """Reads from the stores of a project."""

    def __init__(self, database: Database) -> None:
        self._events, self._probes, self._reviews = EventStore(database), ProbeStore(database), ReviewStore(database)
        self._retention, self._lint = RetentionStore(database), LintStore(database)
        self._generations = GenerationStore(database)

    def find(self, query: ProbeQuery, item: ProbeId | None, progress: Progress) -> FoundProbes:
        """What a query finds, seen from `item` or, where that is not found, from the first one."""
        ids = self._probes.ids(query)
        rows = self.rows(page_of(ids, item))
        shown = item if item in rows else ids[0] if ids else None
        return FoundProbes(
            query=query,
            counts=self._probes.count_by_status(),
            ids=ids,
            models=self._retention.models(),
            lint=self._lint.counts(),
            rows=rows,
            detail=self._detail(rows[shown]) if shown in rows else None,
        )

    def rows(self, ids: Sequence[ProbeId]) -> dict[ProbeId, ProbeRow]:
        """The rows of these probes (unknown ones left out)."""
        probes = self._probes.fetch(ids)
        events = self._events.fetch(list({probe.event_id for probe in probes.values()}))
        worst = self._lint.worst(list(probes))
        return {i: ProbeRow(probe, events.get(probe.event_id), worst.get(i)) for i, probe in probes.items()}

    def detail(self, probe_id: ProbeId) -> ProbeDetail | None:
        """One probe, or None when it is gone."""
        row = self.rows([probe_id]).get(probe_id)
        return self._detail(row) if row is not None else None

    def _detail(self, row: ProbeRow) -> ProbeDetail:
        probe = row.probe
        return ProbeDetail(
            row=row,
            findings=self._lint.findings([probe.id]).get(probe.id),
            source=self._generations.provenance([probe.revision_id]).get(probe.revision_id),
            retention=retention_line(self._retention.of_probes([probe.id]).get(probe.id, {}).values()),
            revisions=tuple(self._probes.revisions(probe.id)),
            log=tuple(self._reviews.log(probe.id)),
        )
