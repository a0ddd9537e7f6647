"""Packets that were issued, and the labels that came back in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from btc_gui.domain.dates import now_utc
from btc_gui.domain.packet import GivenLabel, ItemId, Layer, PacketId, labels_digest, summarise
from btc_gui.domain.study import Account, IssuedPacket, Study, StudyId, StudyStep
from btc_gui.errors import PacketError, StudyError
from btc_gui.store.database import Database
from btc_gui.store.studies import advance

_LABELLED = (
    "(SELECT count(DISTINCT item) FROM human_label WHERE packet_id = packet.id AND human_label.undoes IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM human_label AS undo "
    "WHERE undo.packet_id = packet.id AND undo.undoes = human_label.sequence))"
)


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


class PacketStore:
    """The packets of a project's studies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_study(self, study_id: StudyId) -> list[IssuedPacket]:
        """The packets of a study, in the order in which they were issued."""
        rows = self._database.read().execute(
            f"SELECT packet.*, {_LABELLED} AS back FROM packet WHERE study_id = ? ORDER BY packet.rowid", (study_id,)
        )
        return [_packet(row) for row in rows]

    def find(self, packet_id: PacketId) -> IssuedPacket | None:
        """A packet by its id; None when this project did not issue it."""
        row = self._database.read().execute(
            f"SELECT packet.*, {_LABELLED} AS back FROM packet WHERE id = ?", (packet_id,)
        )
        found = row.fetchone()
        return _packet(found) if found else None

    def add(self, packet: IssuedPacket, actor: str) -> None:
        """Note that a packet was issued. Raises `StudyError` when the annotator has one, or the state forbids it."""
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
            }
            advance(connection, packet.study_id, StudyStep.ISSUE, actor, {**detail, "items": packet.items})
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

    def note_again(self, packet: IssuedPacket, actor: str) -> None:
        """Note that a packet was written once more. Raises `StudyError` when the state of the study forbids it."""
        with self._database.write() as connection:
            detail = {"packet": packet.id, "annotator": packet.annotator, "digest": packet.digest, "again": True}
            advance(connection, packet.study_id, StudyStep.ISSUE, actor, detail)

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
        """Where the items of each annotator of the design are."""
        issued = {packet.annotator: packet for packet in self.of_study(study.id)}
        items = len(study.manifest.get("items", []))
        found = []
        for annotator in study.design.annotators:
            packet = issued.get(annotator)
            labels = self.labels(packet.id) if packet else []
            back = len(summarise(labels).analysed)
            found.append(
                Account(
                    annotator=annotator,
                    packet=packet.id if packet else "",
                    sent=packet.items if packet else 0,
                    back=back,
                    missing=items - back,
                    labels_sha256=labels_digest(labels),
                )
            )
        return found

    def take(self, packet: IssuedPacket, labels: Sequence[GivenLabel], actor: str) -> int:
        """Add the rows of `labels` that are not here yet, with a line of the study's log; gives how many.

        The same log again, or an older state of it, changes nothing, whatever the state of the study. Raises
        `PacketError` when the log differs from what is here, `StudyError` when the study takes no labels any more.
        """
        with self._database.write() as connection:
            known = self.labels(packet.id)
            common = min(len(known), len(labels))
            if list(labels[:common]) != known[:common]:
                raise PacketError(
                    "This packet came back before, with other labels.",
                    "It was labelled on two machines, or altered. What came back first stays.",
                )
            new = labels[common:]
            if not new and (known or not labels) and packet.returned_at:
                return 0
            digest = labels_digest(labels)
            detail = {"packet": packet.id, "new_rows": len(new), "labels_sha256": digest}
            detail["labelled"] = len(summarise(labels).analysed)
            advance(connection, packet.study_id, StudyStep.RETURN, actor, detail)
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
                    for row in new
                ],
            )
            connection.execute(
                "UPDATE packet SET returned_at = ?, labels_sha256 = ? WHERE id = ?", (now_utc(), digest, packet.id)
            )
        return len(new)
