"""Load probes from a file and attach them to the project's events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rapidfuzz import process

from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.event import EventId
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected
from btc_gui.domain.load_preview import Preview
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.probe_rows import ReadProbe, read_probe
from btc_gui.domain.table_row import Row
from btc_gui.jobs.load_rows import RowLoader, look, refuse_unclear_mapping, settle_mapping
from btc_gui.jobs.read_table import open_table
from btc_gui.progress import Cancelled, Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.lint import LintStore
from btc_gui.store.loads import Batch, LoadId, LoadStore
from btc_gui.store.probes import NewProbe, ProbeStore

_ALIKE = 80
#: Looking for names alike takes a while in a large project: after so many rows without an event it is left.
_SUGGESTIONS = 50


class _Suggestions:
    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._found: dict[str, list[str]] = {}

    def __call__(self, text: str) -> Sequence[str]:
        if text not in self._found:
            if len(self._found) >= _SUGGESTIONS:
                return []
            alike = process.extract(text, self._names, limit=2, score_cutoff=_ALIKE)
            self._found[text] = [name for name, _, _ in alike]
        return self._found[text]


class _KnownProbes:
    """The wordings that the project has, to tell new probes from known ones and from clashes."""

    def __init__(self, store: ProbeStore) -> None:
        self._by_key: dict[str, tuple[EventId, ProbeKind, set[str]]] = {}
        self._texts: set[tuple[EventId, ProbeKind, str]] = set()
        self._ordinals = store.last_ordinals()
        for key, event_id, kind, text_hash in store.wordings():
            self._add(key, event_id, kind, text_hash)

    def _add(self, key: str, event_id: EventId, kind: ProbeKind, text_hash: str) -> None:
        self._by_key.setdefault(key, (event_id, kind, set()))[2].add(text_hash)
        self._texts.add((event_id, kind, text_hash))

    def is_known(self, probe: ReadProbe) -> bool:
        """Whether this very probe is there. Raises `Rejected` when its key stands for another one."""
        text_hash = probe.content.text_hash
        taken = self._by_key.get(probe.key)
        if taken is None:
            return (probe.event_id, probe.kind, text_hash) in self._texts
        event_id, kind, hashes = taken
        if event_id != probe.event_id or kind != probe.kind:
            raise Rejected(f"the key “{probe.key[:60]}” is taken by a probe of another event or kind: give it another")
        if text_hash not in hashes:
            raise Rejected(
                f"the key “{probe.key[:60]}” is taken by another wording: give this one another key, "
                "or edit the probe in Review"
            )
        return True

    def add(self, probe: ReadProbe) -> int:
        """Make the probe known; gives the ordinal that it gets."""
        self._add(probe.key, probe.event_id, probe.kind, probe.content.text_hash)
        place = (probe.event_id, probe.kind)
        ordinal = probe.ordinal or self._ordinals.get(place, 0) + 1
        self._ordinals[place] = max(ordinal, self._ordinals.get(place, 0))
        return ordinal


def preview_probes(
    path: Path, database: Database, *, mapping: Mapping[str, str] | None = None, default_kind: str = ""
) -> Preview:
    """How a file of probes would be read; `mapping` changes what was guessed or remembered.

    Raises `InputError` for a file that can't be read at all.
    """
    with open_table(path) as table:
        settled = settle_mapping(database, LoadSubject.PROBES, table, mapping)
        events = EventIndex(EventStore(database).all_facts())
        suggest = _Suggestions(events.names())
        known = _KnownProbes(ProbeStore(database))

        def read(row: Row) -> dict[str, str]:
            probe = read_probe(Cells(row.values, settled[0]), events, default_kind, suggest)
            known.is_known(probe)
            texts = {
                "key": probe.key,
                "event": f"{probe.facts.entity}, {probe.facts.date.text}",
                "kind": str(probe.kind),
                "text": probe.content.text,
                "requester": probe.content.requester,
                "situation": probe.content.situation,
                "consequence": probe.content.consequence,
                "ordinal": str(probe.ordinal or ""),
            }
            return {fact: text for fact, text in texts.items() if text}

        return look(table, LoadSubject.PROBES, settled, {"kind": default_kind}, read)


def load_probes(
    database: Database,
    path: Path,
    progress: Progress,
    *,
    mapping: Mapping[str, str] | None = None,
    author: str,
    default_kind: str = "",
) -> LoadReport:
    """Load the probes of a file, each attached to the event that its row names by QID, title, name or number.

    A probe that is known (same key or same event and kind, same wording) changes nothing. `mapping` (fact to
    column) changes what is guessed or was remembered for such columns; `default_kind` is for rows that name none.
    Raises `InputError` (`NothingLoaded` when every row is rejected), `ProjectError` and `Cancelled`; then nothing
    was loaded.
    """
    store = ProbeStore(database)
    with open_table(path, progress) as table:
        settled, _ = settle_mapping(database, LoadSubject.PROBES, table, mapping)
        refuse_unclear_mapping(LoadSubject.PROBES, table, settled, {"kind": default_kind})
        load_id = LoadStore(database).start(LoadSubject.PROBES, table.name, table.file.sha256, settled, progress)
        # Read after the load has begun: from here on no other window loads probes.
        events = EventIndex(EventStore(database).all_facts())
        suggest = _Suggestions(events.names())
        known = _KnownProbes(store)
        # An event's hash is needed for each of its probes, and takes longer than all the rest of a row.
        hashes: dict[EventId, str] = {}

        def read(row: Row) -> NewProbe | None:
            probe = read_probe(Cells(row.values, settled), events, default_kind, suggest)
            if known.is_known(probe):
                return None
            if probe.event_id not in hashes:
                hashes[probe.event_id] = probe.facts.facts_hash
            return NewProbe(
                key=probe.key,
                event_id=probe.event_id,
                kind=probe.kind,
                ordinal=known.add(probe),
                content=probe.content,
                facts_hash=hashes[probe.event_id],
                origin="loaded",
                author=author,
            )

        def write(connection: Batch, batch: Sequence[NewProbe], load: LoadId) -> None:
            store.add_many(connection, batch, load)

        report = RowLoader(database, LoadSubject.PROBES, table, settled, read, write).load(load_id, progress)
    # The load is complete: a cancel from here on ends the checking only, and the rest says that it is unchecked.
    with suppress(Cancelled):
        LintStore(database).refresh(progress=progress)
    return report
