"""Loading a release into an empty project: events, probes and approvals come back, and the release itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.probe import ProbeId, ProbeKind, RevisionId
from btc_gui.domain.release import (
    DATASHEET_FILE,
    FORMAT,
    MANIFEST_FILE,
    PAIRS_FILE,
    TABLE_FILE,
    Release,
    ReleasedProbe,
    ReleasePair,
    in_order,
    read_pair,
)
from btc_gui.domain.review import Action
from btc_gui.errors import InputError
from btc_gui.jobs.read_text import look_through, read_lines
from btc_gui.outside_data import json_from
from btc_gui.progress import Progress
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.lint import LintStore
from btc_gui.store.loads import Batch, LoadId, LoadStore
from btc_gui.store.probes import NewProbe, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.releases import ReleaseItem, ReleaseStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.whole_text import whole_text

_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class ReleaseFolder:
    """A release as read from its files. Without a manifest, `name` is that of the file, and no date is known."""

    path: Path
    name: str
    note: str
    created_by: str
    created_at: str
    datasheet: str
    sha256: str
    pairs: tuple[ReleasePair, ...]


def read_release(path: Path, progress: Progress) -> ReleaseFolder:
    """Read a release from its folder, or from its file of pairs alone.

    A release is one thing: a line that can't be read, a file that is not the one which the manifest names, a pair that
    stands twice are refused with file, line and remedy (`InputError`), and nothing of it is taken. Raises `Cancelled`.
    """
    path = Path(path)
    pairs_path = path / PAIRS_FILE if path.is_dir() else path
    text = look_through(pairs_path, progress)
    manifest = _manifest(path / MANIFEST_FILE) if path.is_dir() else {}
    if manifest:
        _check_files(path, manifest)
    pairs: list[ReleasePair] = []
    probes: dict[str, tuple[int, ReleasedProbe, str]] = {}
    with text.open() as file:
        for line in read_lines(file):
            progress.check()
            if not line.text.strip():
                continue
            try:
                if line.problem:
                    raise ValueError(line.problem)
                pair = read_pair(line.text)
                _know(probes, pair, line.number)
            except ValueError as error:
                raise InputError(
                    f"{pairs_path.name}, line {line.number}: {error}.", "Get the release again: it is taken whole."
                ) from error
            pairs.append(pair)
    if not pairs:
        raise InputError(f"{pairs_path.name} holds no pairs.", "Choose the folder of a release.")
    datasheet = path / DATASHEET_FILE
    return ReleaseFolder(
        path=path,
        name=str(manifest.get("name") or (path.stem if path.suffix else path.name)),
        note=str(manifest.get("note", "")),
        created_by=str(manifest.get("created_by", "")),
        created_at=str(manifest.get("created_at", "")),
        datasheet=whole_text(datasheet, "utf-8") if manifest else "",
        sha256=text.sha256,
        pairs=tuple(in_order(pairs)),
    )


def load_release(database: Database, path: Path, progress: Progress, *, author: str) -> Release:
    """Restore a release in a project that has no events and no probes yet.

    Both wordings of every pair stand as accepted, by those who accepted them (as the release says). Exporting the
    release from here gives the bytes that were loaded. Raises `InputError` for a project that is not empty, and what
    `read_release` raises; `Cancelled`. Nothing is loaded then.
    """
    counts = ProjectStore(database).counts()
    if counts.events or counts.probes:
        raise InputError(
            f"A release is restored in an empty project; this one has {counts.events:,} events and "
            f"{counts.probes:,} probes.",
            "Make a new project for it (btc-gui new).",
        )
    release = read_release(path, progress)
    loads = LoadStore(database)
    load_id = loads.start(LoadSubject.PROBES, release.path.name, release.sha256, {}, progress)
    try:
        items = _add_pairs(database, release, load_id, author, progress)
        # In one transaction: a project with the probes of a release that doesn't know the release could not be mended.
        with database.write():
            loads.complete(load_id, LoadReport(release.path.name, len(items), len(items), 0))
            ReleaseStore(database).add(
                release.name,
                items,
                release.datasheet,
                release.created_by or author,
                note=release.note,
                created_at=release.created_at,
            )
    except BaseException:
        loads.discard(load_id)
        raise
    LintStore(database).refresh(progress=progress)
    return ReleaseStore(database).get(release.name)


def _add_pairs(
    database: Database, release: ReleaseFolder, load_id: LoadId, author: str, progress: Progress
) -> list[ReleaseItem]:
    adding = _Adding(database, load_id, release.name, author)
    items = []
    for start in range(0, len(release.pairs), _AT_ONCE):
        progress.check()
        part = release.pairs[start : start + _AT_ONCE]
        with LoadStore(database).batch(load_id) as connection:
            items += adding.add(connection, part)
            # Here, in short steps, and not when the release itself is added.
            bodies.put_all(connection, [pair.as_line() for pair in part])
        progress.report(start + len(part), len(release.pairs), part[-1].facts.entity)
    return items


class _Adding:
    """Adds pairs, each event and each direct probe once."""

    def __init__(self, database: Database, load_id: LoadId, name: str, author: str) -> None:
        self._database, self._load_id, self._author = database, load_id, author
        self._note = f"Restored from the release “{name}”."
        self._events: dict[str, EventId] = {}
        self._directs: dict[str, tuple[ProbeId, RevisionId]] = {}
        self._ordinals: dict[tuple[EventId, ProbeKind], int] = {}

    def add(self, connection: Batch, pairs: Sequence[ReleasePair]) -> list[ReleaseItem]:
        found = []
        for pair in pairs:
            event_id = self._event(connection, pair.facts)
            direct = self._directs.get(pair.direct.key)
            if direct is None:
                direct = self._probe(connection, pair, pair.direct, ProbeKind.DIRECT, event_id)
                self._directs[pair.direct.key] = direct
            indirect = self._probe(connection, pair, pair.indirect, ProbeKind.INDIRECT, event_id)
            found.append(ReleaseItem(pair, *indirect, *direct))
        return found

    def _event(self, connection: Batch, facts: EventFacts) -> EventId:
        key = json.dumps(facts.identities())
        if key not in self._events:
            store = EventStore(self._database)
            self._events[key] = store.add_many(connection, [facts], self._author, self._load_id)[0]
        return self._events[key]

    def _probe(
        self, connection: Batch, pair: ReleasePair, probe: ReleasedProbe, kind: ProbeKind, event_id: EventId
    ) -> tuple[ProbeId, RevisionId]:
        ordinal = self._ordinals.get((event_id, kind), 0) + 1
        self._ordinals[event_id, kind] = ordinal
        new = NewProbe(
            probe.key, event_id, kind, ordinal, probe.content, pair.facts.facts_hash, probe.origin, self._author
        )
        store = ProbeStore(self._database)
        (probe_id,) = store.add_many(connection, [new], self._load_id)
        revision_id = store.current_revisions([probe_id])[probe_id]
        by: Mapping[str, Any] = pair.provenance.get(str(kind)) or {}
        reviewer = str(by.get("accepted_by") or self._author)
        ReviewStore(self._database).decide(probe_id, revision_id, Action.ACCEPT, reviewer, note=self._note)
        return probe_id, revision_id


def _know(probes: dict[str, tuple[int, ReleasedProbe, str]], pair: ReleasePair, number: int) -> None:
    """Note the probes of a pair, by key. Raises `ValueError` when a key stands for something else already: only the
    direct probe of an event stands in several lines."""
    if pair.indirect.key in probes:
        raise ValueError(f"the key {pair.key} stands in line {probes[pair.key][0]} already")
    probes[pair.indirect.key] = (number, pair.indirect, pair.facts.facts_hash)
    line, *known = probes.setdefault(pair.direct.key, (number, pair.direct, pair.facts.facts_hash))
    if known != [pair.direct, pair.facts.facts_hash]:
        raise ValueError(f"the key {pair.direct.key} is another probe in line {line}")


def _manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json_from(whole_text(path))
    except FileNotFoundError as error:
        raise InputError(
            f"{path.parent.name} has no {MANIFEST_FILE}.", f"Choose the folder of a release, or its {PAIRS_FILE}."
        ) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name} can't be read: {error}.", "Get the release again.") from error
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
        raise InputError(f"{path.name} is no manifest of a release.", "Choose the folder of a release.")
    if manifest.get("format") != FORMAT:
        raise InputError(
            f"{path.name} is of the form “{str(manifest.get('format'))[:60]}”; this version reads “{FORMAT}”.",
            "Use the version of the app that wrote it.",
        )
    return manifest


def _check_files(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Every file is the one that the manifest names. Names that lead out of the folder are no files of it."""
    for name in (PAIRS_FILE, TABLE_FILE, DATASHEET_FILE):
        expected = manifest["files"].get(name)
        if not isinstance(expected, dict):
            raise InputError(f"{MANIFEST_FILE} does not name {name}.", "Get the release again.")
        try:
            with (folder / name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"{name} can't be read: {error}.", "Get the release again.") from error
        if found != expected.get("sha256"):
            raise InputError(
                f"{name} is not the file that the manifest names: it was changed since it was released.",
                "Get the release again.",
            )
