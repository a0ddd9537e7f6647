"""Notes on cases and their steps: appended, edited by a new row, withdrawn; never overwritten."""

from __future__ import annotations

import sqlite3

from btc_gui.domain.case_remarks import LONGEST_NOTE, CaseNote, NoteId
from btc_gui.domain.dates import now_utc
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.database import Database


class CaseNoteStore:
    """The notes of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, answer_id: AnswerId, *, with_withdrawn: bool = False) -> list[CaseNote]:
        """The notes on a case and its steps, oldest first; an edited one stands where the first one was."""
        condition = "" if with_withdrawn else "AND withdrawn_at = ''"
        rows = self._database.read().execute(
            f"""
            WITH RECURSIVE first (id, origin) AS (
                SELECT id, id FROM case_note WHERE answer_id = ?1 AND replaces IS NULL
                UNION ALL
                SELECT case_note.id, first.origin FROM case_note JOIN first ON case_note.replaces = first.id
                WHERE case_note.answer_id = ?1
            )
            SELECT case_note.* FROM case_note JOIN first ON first.id = case_note.id
            WHERE answer_id = ?1 {condition} ORDER BY first.origin, case_note.id
            """,
            (answer_id,),
        )
        return [_note(row) for row in rows]

    def add(self, answer_id: AnswerId, note: str, author: str, step_number: int | None = None) -> NoteId:
        """Append a note to a case, or to one of its steps. Raises `InputError` for an empty one."""
        with self._database.write() as connection:
            return _insert(connection, answer_id, step_number, note, author, None)

    def edit(self, note_id: NoteId, note: str, author: str) -> NoteId:
        """Put another wording in a note's place: a new row; the old one is withdrawn with it.

        Raises `InputError` for an empty one, `ProjectError` when the note was edited or withdrawn meanwhile.
        """
        with self._database.write() as connection:
            row = connection.execute(
                "SELECT answer_id, step_number FROM case_note WHERE id = ? AND withdrawn_at = ''", (note_id,)
            ).fetchone()
            if row is None:
                raise ProjectError(
                    "This note was edited or withdrawn meanwhile.", "Read the case again, then add a note of your own."
                )
            _withdraw(connection, note_id, author)
            return _insert(connection, AnswerId(row["answer_id"]), row["step_number"], note, author, note_id)

    def withdraw(self, note_id: NoteId, author: str) -> None:
        """Withdraw a note: it stays in the project, and is no longer shown. Twice is once."""
        with self._database.write() as connection:
            _withdraw(connection, note_id, author)


def _insert(
    connection: sqlite3.Connection,
    answer_id: AnswerId,
    step_number: int | None,
    note: str,
    author: str,
    replaces: NoteId | None,
) -> NoteId:
    if not note.strip():
        raise InputError("A note needs a text.")
    if len(note) > LONGEST_NOTE:
        raise InputError(f"A note has {LONGEST_NOTE:,} characters at most; this one has {len(note):,}.")
    cursor = connection.execute(
        "INSERT INTO case_note (answer_id, step_number, note, author, at, replaces) VALUES (?, ?, ?, ?, ?, ?)",
        (answer_id, step_number, note.strip(), author, now_utc(), replaces),
    )
    assert cursor.lastrowid is not None
    return NoteId(cursor.lastrowid)


def _withdraw(connection: sqlite3.Connection, note_id: NoteId, author: str) -> None:
    connection.execute(
        "UPDATE case_note SET withdrawn_at = ?, withdrawn_by = ? WHERE id = ? AND withdrawn_at = ''",
        (now_utc(), author, note_id),
    )


def _note(row: sqlite3.Row) -> CaseNote:
    return CaseNote(
        id=NoteId(row["id"]),
        answer_id=AnswerId(row["answer_id"]),
        step_number=row["step_number"],
        note=row["note"],
        author=row["author"],
        at=row["at"],
        withdrawn_at=row["withdrawn_at"],
        withdrawn_by=row["withdrawn_by"],
        replaces=NoteId(row["replaces"]) if row["replaces"] else None,
    )
