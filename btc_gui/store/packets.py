"""Packets that were issued, and the labels that came back in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from btc_gui.domain.dates import now_utc
from btc_gui.domain.masking import MASKING_LIST, MaskedPassage
from btc_gui.domain.merge_labels import MergedLabels, merge_labels
from btc_gui.domain.packet import GivenLabel, ItemId, Layer, PacketId, labels_digest, summarise
from btc_gui.domain.practice import PracticeLabel
from btc_gui.domain.study import Account, IssuedPacket, Study, StudyId, StudyStep, rows_in_time
from btc_gui.domain.study_draw import ItemRole, annotator_items
from btc_gui.errors import StudyError
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore, advance, note_late

#: Packets with how many items have a label, of the rows in time: those that returns brought, by the log (as in
#: `rows_in_time`). Which were withdrawn is found once for all, not once a label: that would take minutes for 10,000.
_PACKETS = f"""
WITH in_time AS (
    SELECT label.packet_id, label.item, label.sequence, label.undoes
    FROM human_label AS label
    JOIN (
        SELECT json_extract(detail, '$.packet') AS packet_id, sum(json_extract(detail, '$.new_rows')) AS rows
        FROM study_log WHERE step = '{StudyStep.RETURN}' GROUP BY 1
    ) AS brought ON brought.packet_id = label.packet_id AND label.sequence <= brought.rows
)
SELECT packet.*, (
    SELECT count(DISTINCT item) FROM in_time WHERE packet_id = packet.id AND undoes IS NULL
    AND (packet_id, sequence) NOT IN (SELECT packet_id, undoes FROM in_time WHERE undoes IS NOT NULL)
) AS back
FROM packet
"""


def _packet(row: sqlite3.Row) -> IssuedPacket:
    return IssuedPacket(
        id=PacketId(row["id"]),
        study_id=StudyId(row["study_id"]),
        annotator=row["annotator"],
        layer=Layer(row["layer"]),
        digest=row["digest"],
        items=row["items"],
        issued_at=row["issued_at"],
        returned_at=row["returned_at"],
        labels_sha256=row["labels_sha256"],
        back=row["back"],
    )


def _step(layer: Layer) -> StudyStep:
    return StudyStep.ADJUDICATE if layer is Layer.ADJUDICATION else StudyStep.ISSUE


class PacketStore:
    """The packets of a project's studies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_study(self, study_id: StudyId) -> list[IssuedPacket]:
        """The packets of a study, in the order in which they were issued."""
        rows = self._database.read().execute(f"{_PACKETS} WHERE packet.study_id = ? ORDER BY packet.rowid", (study_id,))
        return [_packet(row) for row in rows]

    def find(self, packet_id: PacketId) -> IssuedPacket | None:
        """A packet by its id; None when this project did not issue it."""
        row = self._database.read().execute(f"{_PACKETS} WHERE packet.id = ?", (packet_id,))
        found = row.fetchone()
        return _packet(found) if found else None

    def of_annotator(self, study_id: StudyId, annotator: str, layer: Layer) -> IssuedPacket | None:
        """The packet of one person and layer; None while there is none."""
        return next((p for p in self.of_study(study_id) if p.annotator == annotator and p.layer is layer), None)

    def add(
        self,
        packet: IssuedPacket,
        actor: str,
        masked: Mapping[ItemId, Sequence[MaskedPassage]] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        """Note that a packet was issued, what was masked in its items (part of the key), and `more` in the log's line.

        Raises `StudyError` when the annotator has one of this layer, or the state forbids it.
        """
        passages = [(item, passage) for item, found in (masked or {}).items() for passage in found]
        with self._database.write() as connection:
            taken = connection.execute(
                "SELECT 1 FROM packet WHERE study_id = ? AND annotator = ? AND layer = ?",
                (packet.study_id, packet.annotator, packet.layer),
            ).fetchone()
            if taken:
                raise StudyError(
                    f"{packet.annotator} has a packet of this study already.",
                    "Two packets of one annotator could hold different labels. Use the one that was issued.",
                )
            detail = {
                "packet": packet.id,
                "annotator": packet.annotator,
                "digest": packet.digest,
                "layer": packet.layer,
                "items": packet.items,
                "masked": len(passages),
                "masking_list": MASKING_LIST,
                **(more or {}),
            }
            advance(connection, packet.study_id, _step(packet.layer), actor, detail)
            connection.execute(
                "INSERT INTO packet (id, study_id, annotator, layer, digest, items, issued_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    packet.id,
                    packet.study_id,
                    packet.annotator,
                    packet.layer,
                    packet.digest,
                    packet.items,
                    packet.issued_at,
                ),
            )
            # The same item of another packet has the same text, and so the same passages.
            connection.executemany(
                "INSERT OR IGNORE INTO masked (study_id, item, field, place, original) VALUES (?, ?, ?, ?, ?)",
                [(packet.study_id, item, each.field, each.place, each.original) for item, each in passages],
            )

    def masked(self, study_id: StudyId) -> dict[ItemId, list[MaskedPassage]]:
        """What was masked in the items of a study's packets: part of the key."""
        found: dict[ItemId, list[MaskedPassage]] = {}
        for row in self._database.read().execute(
            "SELECT * FROM masked WHERE study_id = ? ORDER BY item, field, place", (study_id,)
        ):
            passage = MaskedPassage(row["field"], row["place"], row["original"])
            found.setdefault(ItemId(row["item"]), []).append(passage)
        return found

    def note_again(self, packet: IssuedPacket, actor: str, file: str) -> None:
        """Note that a packet was written again, into `file`. Raises `StudyError` when the study is past that."""
        detail = {"packet": packet.id, "annotator": packet.annotator, "digest": packet.digest, "file": file}
        with self._database.write() as connection:
            advance(connection, packet.study_id, _step(packet.layer), actor, {**detail, "again": True})

    def labels(self, packet_id: PacketId) -> list[GivenLabel]:
        """The log of labels that came back in a packet, oldest first."""
        rows = self._database.read().execute(
            "SELECT * FROM human_label WHERE packet_id = ? ORDER BY sequence", (packet_id,)
        )
        return [
            GivenLabel(
                sequence=row["sequence"],
                item=ItemId(row["item"]),
                label=row["label"],
                reason=row["reason"],
                note=row["note"],
                undoes=row["undoes"],
                active_seconds=row["active_seconds"],
                at=row["at"],
                confidence=row["confidence"],
                answers=row["answers"],
            )
            for row in rows
        ]

    def accounts(self, study: Study) -> list[Account]:
        """Where the items of each annotator of the design are, repeats among them, in each layer of its mode."""
        store = StudyStore(self._database)
        items, log = store.items(study.id), store.log(study.id)
        found = []
        for layer in study.design.mode.layers:
            for annotator in study.design.annotators:
                packet = self.of_annotator(study.id, annotator, layer)
                mine = annotator_items(items, study.design, annotator)
                if layer is Layer.REVEALED:
                    mine = [item for item in mine if item.role is ItemRole.SAMPLE]
                wanted = packet.items if packet else len(mine)
                labels = self.labels(packet.id)[: rows_in_time(log, packet.id)] if packet else []
                back = len(summarise(labels).analysed)
                found.append(
                    Account(
                        annotator=annotator,
                        packet=packet.id if packet else "",
                        sent=packet.items if packet else 0,
                        back=back,
                        missing=wanted - back,
                        labels_sha256=labels_digest(labels),
                        layer=layer,
                    )
                )
        return found

    def take(
        self,
        packet: IssuedPacket,
        labels: Sequence[GivenLabel],
        actor: str,
        *,
        practice: Sequence[PracticeLabel] = (),
        late: str = "",
    ) -> MergedLabels:
        """Add the rows of `labels` and `practice` that are not here yet, with a line of the study's log.

        The same log again, or an older state of it, changes nothing, whatever the state of the study; the log of a
        copy that was labelled on another machine is merged. `late` says why the rows do not count any more; they are
        then kept after all others. Raises `PacketError` when a row was altered, `StudyError` when the study takes no
        labels.
        """
        with self._database.write() as connection:
            known = self.labels(packet.id)
            merged = merge_labels(known, labels, at_end=bool(late))
            practised = self._new_practice(packet.id, practice)
            is_first = not packet.returned_at and not late
            if not merged.new_rows and not practised and not is_first:
                return merged
            digest = labels_digest(merged.labels)
            detail = {"packet": packet.id, "new_rows": merged.new_rows, "labels_sha256": digest}
            if late:
                note_late(connection, packet.study_id, actor, {**detail, "late": late})
            else:
                detail["labelled"] = len(summarise(merged.labels).analysed)
                detail |= {"labelled_twice": merged.twice} if merged.twice else {}
                detail |= {"practised": len(practised)} if practised else {}
                advance(connection, packet.study_id, StudyStep.RETURN, actor, detail)
            if not merged.extends:
                # Rows of two machines stand in the order of their times: all get their numbers anew.
                connection.execute("DELETE FROM human_label WHERE packet_id = ?", (packet.id,))
            _insert(connection, packet, merged.labels[len(known) if merged.extends else 0 :])
            connection.executemany(
                "INSERT INTO practice_label (packet_id, sequence, item, label, answers, active_seconds, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(packet.id, r.sequence, r.item, r.label, r.answers, r.active_seconds, r.at) for r in practised],
            )
            if not late:
                connection.execute(
                    "UPDATE packet SET returned_at = ?, labels_sha256 = ? WHERE id = ?", (now_utc(), digest, packet.id)
                )
        return merged

    def practice_labels(self, packet_id: PacketId) -> list[PracticeLabel]:
        """What came back of the practice, oldest first. It is never analysed as a label."""
        rows = self._database.read().execute(
            "SELECT * FROM practice_label WHERE packet_id = ? ORDER BY sequence", (packet_id,)
        )
        return [
            PracticeLabel(
                row["sequence"], ItemId(row["item"]), row["label"], row["answers"], row["active_seconds"], row["at"]
            )
            for row in rows
        ]

    def _new_practice(self, packet_id: PacketId, practice: Sequence[PracticeLabel]) -> list[PracticeLabel]:
        known = self.practice_labels(packet_id)
        here = {replace(row, sequence=0) for row in known}
        fresh = [row for row in practice if replace(row, sequence=0) not in here]
        return [replace(row, sequence=number) for number, row in enumerate(fresh, start=len(known) + 1)]


def _insert(connection: sqlite3.Connection, packet: IssuedPacket, labels: Sequence[GivenLabel]) -> None:
    connection.executemany(
        "INSERT INTO human_label (study_id, packet_id, item, sequence, annotator, label, reason, note, "
        "undoes, active_seconds, at, confidence, answers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                packet.study_id,
                packet.id,
                row.item,
                row.sequence,
                packet.annotator,
                row.label,
                row.reason,
                row.note,
                row.undoes,
                row.active_seconds,
                row.at,
                row.confidence,
                row.answers,
            )
            for row in labels
        ],
    )
