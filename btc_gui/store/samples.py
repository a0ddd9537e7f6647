"""Frozen samples of retained probes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.probe_sample import (
    ALGORITHM,
    ProbeSample,
    SampleCell,
    SampleDesign,
    SampleId,
    SampleItem,
    digest_of,
)
from btc_gui.errors import InputError
from btc_gui.store.database import Database
from btc_gui.store.query import LOADED


@dataclass(frozen=True, slots=True)
class SampleFaults:
    """What has come between a sample and the project since it was drawn; how many items each.

    `reworded` probes have another current wording, `changed_facts` other facts of the event, `unaccepted` are not
    accepted any more, `unpaired` have no direct probe, `gone` belong to a load that did not finish.
    """

    reworded: int = 0
    changed_facts: int = 0
    unaccepted: int = 0
    unpaired: int = 0
    gone: int = 0

    @property
    def is_stale(self) -> bool:
        """Whether the sample says something else than the project does now."""
        return bool(self.reworded or self.changed_facts or self.unaccepted or self.gone)


class SampleStore:
    """The samples of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        design: SampleDesign,
        cells: Sequence[SampleCell],
        items: Sequence[SampleItem],
        created_by: str,
        extends: SampleId | None = None,
    ) -> SampleId:
        """Freeze a sample, in one transaction. Raises `InputError` when the name is empty or taken."""
        name = name.strip()
        if not name:
            raise InputError("A sample needs a name.")
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM sample WHERE name = ?", (name,)).fetchone():
                raise InputError(
                    f"There is a sample “{name}” already.", "A sample stays as it is: choose another name."
                )
            cursor = connection.execute(
                "INSERT INTO sample (name, algorithm, seed, size, per_event, common, extends, cells, sha256, "
                "created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    name,
                    ALGORITHM,
                    design.seed,
                    design.size,
                    design.per_event,
                    int(design.is_common),
                    extends,
                    json.dumps([asdict(cell) for cell in cells], ensure_ascii=False),
                    digest_of(items),
                    created_by,
                    now_utc(),
                ),
            )
            assert cursor.lastrowid is not None
            sample_id = SampleId(cursor.lastrowid)
            connection.executemany(
                "INSERT INTO sample_item (sample_id, model, category, place, event_id, probe_id, revision_id, "
                "text_hash, facts_hash, direct_id, direct_revision_id, direct_text_hash) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        sample_id,
                        item.model,
                        item.category,
                        item.place,
                        item.event_id,
                        item.probe_id,
                        item.revision_id,
                        item.text_hash,
                        item.facts_hash,
                        item.direct_id,
                        item.direct_revision_id,
                        item.direct_text_hash,
                    )
                    for item in items
                ],
            )
            return sample_id

    def all(self) -> list[ProbeSample]:
        """All samples, the newest first."""
        rows = self._database.read().execute("SELECT * FROM sample ORDER BY id DESC")
        return [_sample(row) for row in rows]

    def find(self, name: str) -> ProbeSample | None:
        """The sample of this name, if there is one."""
        row = self._database.read().execute("SELECT * FROM sample WHERE name = ?", (name.strip(),)).fetchone()
        return _sample(row) if row else None

    def get(self, name: str) -> ProbeSample:
        """The sample of this name. Raises `InputError` with the names there are when there is none."""
        sample = self.find(name)
        if sample is None:
            known = ", ".join(f"“{each.name}”" for each in self.all()) or "none"
            raise InputError(f"There is no sample “{name}” in this project.", f"Its samples: {known}.")
        return sample

    def items(self, sample_id: SampleId, model: str = "") -> list[SampleItem]:
        """The items of a sample (of one model), by model, category and place."""
        rows = self._database.read().execute(
            "SELECT * FROM sample_item WHERE sample_id = ? AND (? = '' OR model = ?) ORDER BY model, category, place",
            (sample_id, model, model),
        )
        return [
            SampleItem(
                model=row["model"],
                category=row["category"],
                place=row["place"],
                event_id=EventId(row["event_id"]),
                probe_id=ProbeId(row["probe_id"]),
                revision_id=RevisionId(row["revision_id"]),
                text_hash=row["text_hash"],
                facts_hash=row["facts_hash"],
                direct_id=ProbeId(row["direct_id"]) if row["direct_id"] else None,
                direct_revision_id=RevisionId(row["direct_revision_id"]) if row["direct_revision_id"] else None,
                direct_text_hash=row["direct_text_hash"],
            )
            for row in rows
        ]

    def faults(self, sample_id: SampleId) -> SampleFaults:
        """What has changed in the project since the sample was drawn."""
        row = (
            self._database.read()
            .execute(
                "SELECT ifnull(sum(probe.revision_id <> item.revision_id), 0) AS reworded, "
                "ifnull(sum(event_revision.facts_hash <> item.facts_hash), 0) AS changed_facts, "
                "ifnull(sum(probe.status <> 'accepted'), 0) AS unaccepted, "
                "ifnull(sum(item.direct_id IS NULL OR direct.status = 'rejected'), 0) AS unpaired, "
                f"ifnull(sum(NOT {LOADED.format(table='probe')} OR NOT {LOADED.format(table='event')}), 0) AS gone "
                "FROM sample_item AS item JOIN probe ON probe.id = item.probe_id "
                "JOIN event ON event.id = item.event_id "
                "JOIN event_revision ON event_revision.id = event.revision_id "
                "LEFT JOIN probe AS direct ON direct.id = item.direct_id WHERE item.sample_id = ?",
                (sample_id,),
            )
            .fetchone()
        )
        return SampleFaults(**dict(row))


def _sample(row: sqlite3.Row) -> ProbeSample:
    return ProbeSample(
        id=SampleId(row["id"]),
        name=row["name"],
        design=SampleDesign(row["seed"], row["size"], row["per_event"], bool(row["common"])),
        algorithm=row["algorithm"],
        extends=SampleId(row["extends"]) if row["extends"] else None,
        cells=tuple(SampleCell(**cell) for cell in json.loads(row["cells"])),
        sha256=row["sha256"],
        created_by=row["created_by"],
        created_at=row["created_at"],
    )
