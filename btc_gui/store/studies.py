"""Studies: the locked manifest, the key, the log. Packets and labels that came back are in `packets`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from btc_gui.domain.dates import now_utc
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import ItemId
from btc_gui.domain.study import (
    EXPOSED,
    LATE,
    Exposure,
    LogEntry,
    Study,
    StudyDesign,
    StudyId,
    StudyState,
    StudyStep,
    next_entry,
    state_after,
)
from btc_gui.domain.study_draw import ItemRole, LockedStudy, StudyItem
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, StudyError
from btc_gui.store import bodies
from btc_gui.store.database import Database

#: Whether people may still label by a study (`study` in the statement).
OPEN_STUDY = "study.state IN ({})".format(", ".join(f"'{state}'" for state in StudyState if state.is_open))


def _study(row: sqlite3.Row) -> Study:
    return Study(
        id=StudyId(row["id"]),
        name=row["name"],
        state=StudyState(row["state"]),
        design=StudyDesign.from_json(json.loads(row["design"])),
        manifest=json.loads(row["manifest"]) if row["manifest"] else {},
        manifest_sha256=row["manifest_sha256"],
        created_by=row["created_by"],
        created_at=row["created_at"],
    )


def _entry(row: sqlite3.Row) -> LogEntry:
    return LogEntry(
        row["number"], row["at"], row["actor"], row["step"], json.loads(row["detail"]), row["previous"], row["hash"]
    )


def advance(
    connection: sqlite3.Connection, study_id: StudyId, step: StudyStep, actor: str, detail: Mapping[str, Any]
) -> None:
    """Take a step within the caller's transaction: the state and a line of the log.

    Raises `StudyError` when the state does not allow it.
    """
    row = connection.execute("SELECT state, design FROM study WHERE id = ?", (study_id,)).fetchone()
    if row is None:
        raise StudyError(f"There is no study {study_id} in this project.")
    state = state_after(StudyState(row["state"]), step, has_practice=bool(json.loads(row["design"]).get("practice")))
    connection.execute("UPDATE study SET state = ? WHERE id = ?", (state, study_id))
    _append(connection, study_id, step, actor, detail)


def note_exposure(connection: sqlite3.Connection, study_id: StudyId, answer_id: AnswerId, person: str) -> None:
    """Note within the caller's transaction that `person` opened a case of an open study: a row, and a line of the
    log, which can't be taken away unseen. Only the first time counts."""
    cursor = connection.execute(
        "INSERT INTO exposure (study_id, answer_id, person, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (study_id, answer_id, person, now_utc()),
    )
    if cursor.rowcount:
        _append(connection, study_id, EXPOSED, person, {"answer": answer_id})


def note_late(connection: sqlite3.Connection, study_id: StudyId, actor: str, detail: Mapping[str, Any]) -> None:
    """A line of the log about labels that came too late, within the caller's transaction; the state stays."""
    _append(connection, study_id, LATE, actor, detail)


def _append(
    connection: sqlite3.Connection, study_id: StudyId, step: str, actor: str, detail: Mapping[str, Any]
) -> None:
    last = connection.execute(
        "SELECT * FROM study_log WHERE study_id = ? ORDER BY number DESC LIMIT 1", (study_id,)
    ).fetchone()
    entry = next_entry(_entry(last) if last else None, now_utc(), actor, step, detail)
    connection.execute(
        "INSERT INTO study_log (study_id, number, at, actor, step, detail, previous, hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            study_id,
            entry.number,
            entry.at,
            entry.actor,
            entry.step,
            canonical_json(dict(entry.detail)),
            entry.previous,
            entry.hash,
        ),
    )


class StudyStore:
    """The studies of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def all(self) -> list[Study]:
        """All studies, the newest first."""
        return [_study(row) for row in self._database.read().execute("SELECT * FROM study ORDER BY id DESC")]

    def get(self, study_id: StudyId) -> Study:
        """One study. Raises `StudyError` when there is none of that id."""
        row = self._database.read().execute("SELECT * FROM study WHERE id = ?", (study_id,)).fetchone()
        if row is None:
            raise StudyError(f"There is no study {study_id} in this project.")
        return _study(row)

    def find(self, reference: str) -> Study:
        """A study by its number or its name. Raises `StudyError` when none, or several, fit."""
        fitting = [study for study in self.all() if reference in (str(study.id), study.name)]
        if len(fitting) != 1:
            what = "several studies are" if fitting else "no study is"
            raise StudyError(f"In this project {what} called “{reference}”.", "See “btc-gui study list”.")
        return fitting[0]

    def items(self, study_id: StudyId) -> list[StudyItem]:
        """The key: which item is which answer, repeats included. In the order of the answers' keys."""
        manifest = self.get(study_id).manifest
        drawn = {entry["item"]: entry for entry in manifest.get("items", [])}
        rows = self._database.read().execute("SELECT * FROM study_item WHERE study_id = ?", (study_id,))
        items = [
            StudyItem(
                item=ItemId(row["item"]),
                answer_id=AnswerId(row["answer_id"]),
                key=drawn[row["item"]]["key"],
                page=drawn[row["item"]]["page"],
                stratum=row["stratum"],
                cell=row["cell"],
                frame_count=row["frame_count"],
                drawn_count=row["drawn_count"],
                machine_label=row["machine_label"],
                role=ItemRole(row["role"]),
                repeats=row["repeats"],
            )
            for row in rows
        ]
        return sorted(items, key=lambda item: (item.key, item.role is ItemRole.REPEAT))

    def frame_listing(self, study_id: StudyId) -> str:
        """The frame as it was locked, as `Frame.listing` has it; empty for a study from before it was kept."""
        digest = self.get(study_id).manifest.get("frame", {}).get("listing_sha256", "")
        return bodies.of_digest(self._database.read(), digest)

    def events(self, study_id: StudyId) -> dict[AnswerId, str]:
        """The event behind each drawn answer: answers to one event are not independent."""
        rows = self._database.read().execute(
            "SELECT study_item.answer_id, probe.event_id FROM study_item "
            "JOIN answer ON answer.id = study_item.answer_id JOIN run_item ON run_item.id = answer.run_item_id "
            "JOIN probe ON probe.id = run_item.probe_id WHERE study_id = ?",
            (study_id,),
        )
        return {AnswerId(row["answer_id"]): str(row["event_id"]) for row in rows}

    def stale(self, study_id: StudyId) -> int:
        """How many drawn answers belong to an event whose facts are not those of their probe any more."""
        row = self._database.read().execute(
            "SELECT count(DISTINCT study_item.answer_id) FROM study_item "
            "JOIN answer ON answer.id = study_item.answer_id JOIN run_item ON run_item.id = answer.run_item_id "
            "JOIN probe ON probe.id = run_item.probe_id JOIN event ON event.id = probe.event_id "
            "JOIN probe_revision ON probe_revision.id = run_item.revision_id "
            "JOIN event_revision ON event_revision.id = event.revision_id "
            "WHERE study_id = ? AND probe_revision.facts_hash <> event_revision.facts_hash",
            (study_id,),
        )
        return int(row.fetchone()[0])

    def recorded_names(self, study_id: StudyId) -> dict[tuple[str, str, str, int], ItemId]:
        """The item behind (probe key, model, effort, repetition): how recorded labels name an answer."""
        rows = self._database.read().execute(
            "SELECT study_item.item, probe.key, configuration.model, configuration.effort, run_item.repetition "
            "FROM study_item JOIN answer ON answer.id = study_item.answer_id "
            "JOIN run_item ON run_item.id = answer.run_item_id "
            "JOIN configuration ON configuration.id = run_item.configuration_id "
            "JOIN probe ON probe.id = run_item.probe_id WHERE study_id = ? AND role = 'sample'",
            (study_id,),
        )
        return {(row["key"], row["model"], row["effort"], row["repetition"]): ItemId(row["item"]) for row in rows}

    def log(self, study_id: StudyId) -> list[LogEntry]:
        """The log, oldest line first."""
        rows = self._database.read().execute("SELECT * FROM study_log WHERE study_id = ? ORDER BY number", (study_id,))
        return [_entry(row) for row in rows]

    # -- writing ---------------------------------------------------------------------------------------------

    def create(self, name: str, design: StudyDesign, actor: str) -> StudyId:
        """Begin a study as a draft. Raises `InputError` for a design that can't be carried out or a used name."""
        design.check()
        if not name.strip():
            raise InputError("A study needs a name.")
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM study WHERE name = ?", (name,)).fetchone():
                raise InputError(f"There is a study called “{name}” already.", "Choose another name.")
            cursor = connection.execute(
                "INSERT INTO study (name, kind, mode, state, design, created_by, created_at) "
                "VALUES (?, ?, ?, 'draft', ?, ?, ?)",
                (name, design.kind, design.mode, canonical_json(design.as_json()), actor, now_utc()),
            )
            assert cursor.lastrowid is not None
            study_id = StudyId(cursor.lastrowid)
            _append(connection, study_id, StudyStep.CREATE, actor, {"design": design.as_json()})
        return study_id

    def discard(self, study_id: StudyId) -> None:
        """Throw a draft away: nothing was drawn or shown. Raises `StudyError` for a study that was locked."""
        with self._database.write() as connection:
            gone = connection.execute("DELETE FROM study WHERE id = ? AND state = ?", (study_id, StudyState.DRAFT))
            if not gone.rowcount:
                raise StudyError("Only a draft can be thrown away.", "What was locked stays, and is told.")

    def lock(self, study_id: StudyId, locked: LockedStudy, actor: str) -> None:
        """Freeze manifest and key, in one transaction. Raises `StudyError` unless the study is a draft."""
        with self._database.write() as connection:
            detail = {"manifest_sha256": locked.manifest_sha256, "version": locked.manifest["made_with"]}
            advance(connection, study_id, StudyStep.LOCK, actor, detail)
            connection.execute(
                "UPDATE study SET manifest = ?, manifest_sha256 = ? WHERE id = ?",
                (canonical_json(locked.manifest), locked.manifest_sha256, study_id),
            )
            bodies.put(connection, locked.listing)
            connection.executemany(
                "INSERT INTO study_item (study_id, item, answer_id, stratum, cell, frame_count, drawn_count, "
                "machine_label, role, repeats) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        study_id,
                        item.item,
                        item.answer_id,
                        item.stratum,
                        item.cell,
                        item.frame_count,
                        item.drawn_count,
                        item.machine_label,
                        item.role,
                        item.repeats,
                    )
                    for item in locked.items
                ],
            )

    def take_step(self, study_id: StudyId, step: StudyStep, actor: str, detail: Mapping[str, Any]) -> None:
        """Close or unblind: the state and a line of the log. Raises `StudyError` when the state forbids it."""
        with self._database.write() as connection:
            advance(connection, study_id, step, actor, detail)

    # -- exposure --------------------------------------------------------------------------------------------

    def open_over(self, answer_ids: Sequence[AnswerId]) -> list[Study]:
        """The studies being labelled that hold one of these answers: to warn before a case is opened."""
        found: dict[int, Study] = {}
        for answer_id in answer_ids:
            rows = self._database.read().execute(
                "SELECT study.* FROM study JOIN study_item ON study_item.study_id = study.id "
                f"WHERE {OPEN_STUDY} AND study_item.answer_id = ?",
                (answer_id,),
            )
            found.update({row["id"]: _study(row) for row in rows})
        return list(found.values())

    def expose_all(self, person: str, *, of: StudyId | None = None) -> int:
        """Note that `person` has been shown the results of all answers in open studies; gives how many were new.

        With `of` only those that this study has as well: its report tells their labels. Nothing is written where they
        had seen them already.
        """
        rows = (
            self._database.read()
            .execute(
                "SELECT DISTINCT study_item.study_id, study_item.answer_id FROM study_item "
                f"JOIN study ON study.id = study_item.study_id WHERE {OPEN_STUDY} AND NOT EXISTS ("
                "SELECT 1 FROM exposure WHERE exposure.study_id = study.id "
                "AND exposure.answer_id = study_item.answer_id AND exposure.person = ?1) "
                "AND (?2 IS NULL OR study_item.answer_id IN (SELECT answer_id FROM study_item WHERE study_id = ?2)) "
                "ORDER BY study_item.study_id, study_item.answer_id",
                (person, of),
            )
            .fetchall()
        )
        if rows:
            with self._database.write() as connection:
                for study_id, answer_id in rows:
                    note_exposure(connection, StudyId(study_id), AnswerId(answer_id), person)
        return len({row[1] for row in rows})

    def exposures(self, study_id: StudyId) -> list[Exposure]:
        """The cases of a study that somebody opened while it was open, oldest first."""
        rows = self._database.read().execute("SELECT * FROM exposure WHERE study_id = ? ORDER BY at", (study_id,))
        return [Exposure(AnswerId(row["answer_id"]), row["person"], row["at"]) for row in rows]
