"""Frozen releases: their pairs as others get them, and their datasheet."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from btc_gui.domain.dates import now_utc
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.release import Release, ReleaseId, ReleasePair, counts_of, pairs_file, read_pair
from btc_gui.domain.review import Action, Decision, standing
from btc_gui.errors import InputError
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders
from btc_gui.store.reviews import read_decision

#: So many lines are stored in one step.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class ReleaseItem:
    """A pair and the wordings of this project that it is."""

    pair: ReleasePair
    probe_id: ProbeId
    revision_id: RevisionId
    direct_id: ProbeId
    direct_revision_id: RevisionId


class ReleaseStore:
    """The releases of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        items: Sequence[ReleaseItem],
        datasheet: str,
        created_by: str,
        *,
        note: str = "",
        created_at: str = "",
    ) -> ReleaseId:
        """Freeze a release: it is there whole or not at all.

        Raises `InputError` when the name is empty or taken, and when something of it was decided, edited or corrected
        since it was put together.
        """
        name = name.strip()
        if not name:
            raise InputError("A release needs a name.")
        pairs = [item.pair for item in items]
        lines = [pair.as_line() for pair in pairs]
        digest = sha256(pairs_file(pairs))
        ids: dict[str, bodies.BodyId] = {}
        # Before the release itself and in short steps: somebody's decision in another window waits for each of them.
        for start in range(0, len(lines), _AT_ONCE):
            with self._database.write(durable=False) as connection:
                ids.update(bodies.put_all(connection, lines[start : start + _AT_ONCE]))
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM release WHERE name = ?", (name,)).fetchone():
                raise InputError(
                    f"There is a release “{name}” already.", "A release stays as it is: choose another name."
                )
            cursor = connection.execute(
                "INSERT INTO release (name, note, counts, sha256, datasheet_id, created_by, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    name,
                    note,
                    json.dumps(counts_of(pairs)),
                    digest,
                    bodies.put(connection, datasheet),
                    created_by,
                    created_at or now_utc(),
                ),
            )
            assert cursor.lastrowid is not None
            release_id = ReleaseId(cursor.lastrowid)
            connection.executemany(
                "INSERT INTO release_item (release_id, place, line_id, probe_id, revision_id, direct_id, "
                "direct_revision_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        release_id,
                        place,
                        ids[line],
                        item.probe_id,
                        item.revision_id,
                        item.direct_id,
                        item.direct_revision_id,
                    )
                    for place, (line, item) in enumerate(zip(lines, items, strict=True), 1)
                ],
            )
            moved = self.moved(release_id)
            if moved:
                raise InputError(
                    f"{moved:,} of the pairs were decided on, edited or corrected while the release was put together.",
                    "Freeze it again.",
                )
        return release_id

    def all(self) -> list[Release]:
        """All releases, the newest first."""
        rows = self._database.read().execute("SELECT * FROM release ORDER BY id DESC")
        return [_release(row) for row in rows]

    def get(self, name: str) -> Release:
        """The release of this name. Raises `InputError` with the names there are when there is none."""
        row = self._database.read().execute("SELECT * FROM release WHERE name = ?", (name.strip(),)).fetchone()
        if row is None:
            known = ", ".join(f"“{each.name}”" for each in self.all()) or "none"
            raise InputError(f"There is no release “{name}” in this project.", f"Its releases: {known}.")
        return _release(row)

    def pairs(self, release_id: ReleaseId) -> Iterator[ReleasePair]:
        """The pairs of a release, in its order."""
        rows = self._database.read().execute(
            "SELECT body.encoding, body.content FROM release_item JOIN body ON body.id = release_item.line_id "
            "WHERE release_id = ? ORDER BY place",
            (release_id,),
        )
        for row in rows:
            yield read_pair(bodies.decode(row["encoding"], row["content"]))

    def datasheet(self, release_id: ReleaseId) -> str:
        """The datasheet, Markdown."""
        row = (
            self._database.read()
            .execute(
                "SELECT body.encoding, body.content FROM release JOIN body ON body.id = release.datasheet_id "
                "WHERE release.id = ?",
                (release_id,),
            )
            .fetchone()
        )
        return bodies.decode(row["encoding"], row["content"])

    def acceptances(self, probe_ids: Sequence[ProbeId]) -> dict[ProbeId, Decision]:
        """Whose standing decision accepted each of these probes, the newest where there are several."""
        logs: dict[ProbeId, list[Decision]] = {}
        for start in range(0, len(probe_ids), CHUNK):
            part = probe_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"SELECT * FROM decision WHERE probe_id IN ({placeholders(part)}) ORDER BY id", part
            )
            for row in rows:
                decision = read_decision(row)
                logs.setdefault(decision.probe_id, []).append(decision)
        accepted = {
            probe_id: [each for each in standing(log) if each.action is Action.ACCEPT] for probe_id, log in logs.items()
        }
        return {probe_id: decisions[-1] for probe_id, decisions in accepted.items() if decisions}

    def moved(self, release_id: ReleaseId) -> int:
        """How many pairs have another wording or other facts in the project now, or are not accepted any more."""
        row = self._database.read().execute(
            "SELECT count(*) FROM release_item AS item JOIN probe ON probe.id = item.probe_id "
            "JOIN probe AS direct ON direct.id = item.direct_id "
            "JOIN event ON event.id = probe.event_id "
            "JOIN event_revision ON event_revision.id = event.revision_id "
            "WHERE item.release_id = ? AND (probe.revision_id <> item.revision_id OR probe.status <> 'accepted' "
            "OR direct.revision_id <> item.direct_revision_id OR direct.status <> 'accepted' "
            "OR probe.decided_facts_hash <> event_revision.facts_hash "
            "OR direct.decided_facts_hash <> event_revision.facts_hash "
            "OR EXISTS (SELECT 1 FROM event_rejection AS rejection "
            "WHERE rejection.event_id = event.id AND rejection.withdrawn_at IS NULL))",
            (release_id,),
        )
        return int(row.fetchone()[0])


def _release(row: sqlite3.Row) -> Release:
    return Release(
        id=ReleaseId(row["id"]),
        name=row["name"],
        note=row["note"],
        counts=json.loads(row["counts"]),
        sha256=row["sha256"],
        created_by=row["created_by"],
        created_at=row["created_at"],
    )
