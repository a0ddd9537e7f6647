"""The review log: decisions are appended, and the probe's standing is derived from them in the same transaction."""

from __future__ import annotations

import json
import sqlite3

from btc_gui.domain.dates import now_utc
from btc_gui.domain.probe import ProbeId, ProbeText, RevisionId
from btc_gui.domain.review import Action, Decision, DecisionId, review_state, undoable
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.database import Database


def _decision(row: sqlite3.Row) -> Decision:
    return Decision(
        id=DecisionId(row["id"]),
        probe_id=ProbeId(row["probe_id"]),
        revision_id=RevisionId(row["revision_id"]),
        action=Action(row["action"]),
        reasons=tuple(json.loads(row["reasons"])),
        note=row["note"],
        text_hash=row["text_hash"],
        facts_hash=row["facts_hash"],
        new_revision_id=RevisionId(row["new_revision_id"]) if row["new_revision_id"] else None,
        undoes=DecisionId(row["undoes"]) if row["undoes"] else None,
        reviewer=row["reviewer"],
        at=row["at"],
    )


def _log(connection: sqlite3.Connection, probe_id: ProbeId) -> list[Decision]:
    rows = connection.execute("SELECT * FROM decision WHERE probe_id = ? ORDER BY id", (probe_id,))
    return [_decision(row) for row in rows]


class ReviewStore:
    """The decisions of curators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def log(self, probe_id: ProbeId) -> list[Decision]:
        """All decisions on a probe, oldest first, undone ones and undos included."""
        return _log(self._database.read(), probe_id)

    def last_undoable(self, reviewer: str) -> Decision | None:
        """The newest standing decision of a reviewer, whenever it was made: what Undo withdraws."""
        rows = self._database.read().execute(
            "SELECT * FROM decision WHERE reviewer = ? AND action <> 'undo' "
            "AND id NOT IN (SELECT undoes FROM decision WHERE undoes IS NOT NULL) ORDER BY id DESC",
            (reviewer,),
        )
        for row in rows:
            decision = _decision(row)
            newest = undoable(self.log(decision.probe_id))
            if newest is not None and newest.id == decision.id:
                return decision
        return None

    def decided_since(self, reviewer: str, since: str) -> list[str]:
        """When this reviewer accepted, rejected, edited or deferred since a time: for the pace."""
        rows = self._database.read().execute(
            "SELECT at FROM decision WHERE reviewer = ? AND at >= ? "
            "AND action IN ('accept', 'reject', 'edit', 'defer') ORDER BY at",
            (reviewer, since),
        )
        return [row["at"] for row in rows]

    def decide(
        self,
        probe_id: ProbeId,
        revision_id: RevisionId,
        action: Action,
        reviewer: str,
        *,
        reasons: tuple[str, ...] = (),
        note: str = "",
        edited: ProbeText | None = None,
    ) -> Decision:
        """Append one decision and derive the probe's standing from its log, in one durable transaction.

        `revision_id` is the wording that the reviewer saw: when the probe has another one by now, somebody
        else edited it, and `ProjectError` asks to look again. An edit needs `edited`; its wording becomes a
        new revision, even when the text is the same (requester or situation may differ).
        """
        if action is Action.UNDO:
            raise InputError("An undo names the decision that it withdraws: use `undo`.")
        with self._database.write() as connection:
            probe = connection.execute(
                "SELECT probe.revision_id, probe_revision.text_hash, event_revision.facts_hash FROM probe "
                "JOIN probe_revision ON probe_revision.id = probe.revision_id "
                "JOIN event ON event.id = probe.event_id "
                "JOIN event_revision ON event_revision.id = event.revision_id WHERE probe.id = ?",
                (probe_id,),
            ).fetchone()
            if probe is None:
                raise ProjectError(f"There is no probe {probe_id} in this project.")
            if probe["revision_id"] != revision_id:
                raise ProjectError(
                    "This probe was edited in the meantime.", "Look at its new wording and decide again."
                )
            new_revision: int | None = None
            if action is Action.EDIT:
                if edited is None or not edited.text.strip():
                    raise InputError("An edited probe needs a text.")
                new_revision = _add_revision(connection, probe_id, edited, probe["facts_hash"], reviewer)
            cursor = connection.execute(
                "INSERT INTO decision (probe_id, revision_id, action, reasons, note, text_hash, facts_hash, "
                "new_revision_id, reviewer, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    probe_id,
                    revision_id,
                    action,
                    json.dumps(list(reasons)),
                    note,
                    probe["text_hash"],
                    probe["facts_hash"],
                    new_revision,
                    reviewer,
                    now_utc(),
                ),
            )
            _derive(connection, probe_id)
            row = connection.execute("SELECT * FROM decision WHERE id = ?", (cursor.lastrowid,)).fetchone()
            return _decision(row)

    def undo(self, decision: Decision, reviewer: str) -> Decision:
        """Withdraw a decision by one more row. Raises `ProjectError` when it is not the newest standing one."""
        with self._database.write() as connection:
            newest = undoable(_log(connection, decision.probe_id))
            if newest is None or newest.id != decision.id:
                raise ProjectError("This decision can't be undone: there is a newer one on the same probe.")
            cursor = connection.execute(
                "INSERT INTO decision (probe_id, revision_id, action, text_hash, facts_hash, undoes, reviewer, at) "
                "VALUES (?, ?, 'undo', ?, ?, ?, ?, ?)",
                (
                    decision.probe_id,
                    decision.revision_id,
                    decision.text_hash,
                    decision.facts_hash,
                    decision.id,
                    reviewer,
                    now_utc(),
                ),
            )
            _derive(connection, decision.probe_id)
            row = connection.execute("SELECT * FROM decision WHERE id = ?", (cursor.lastrowid,)).fetchone()
            return _decision(row)


def _add_revision(
    connection: sqlite3.Connection, probe_id: ProbeId, edited: ProbeText, facts_hash: str, author: str
) -> int:
    cursor = connection.execute(
        "INSERT INTO probe_revision (probe_id, number, text, text_hash, requester, situation, consequence, "
        "facts_hash, origin, author, at) "
        "SELECT ?, max(number) + 1, ?, ?, ?, ?, ?, ?, 'edited', ?, ? FROM probe_revision WHERE probe_id = ?",
        (
            probe_id,
            edited.text,
            edited.text_hash,
            edited.requester,
            edited.situation,
            edited.consequence,
            facts_hash,
            author,
            now_utc(),
            probe_id,
        ),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _derive(connection: sqlite3.Connection, probe_id: ProbeId) -> None:
    first = connection.execute(
        "SELECT id FROM probe_revision WHERE probe_id = ? ORDER BY number LIMIT 1", (probe_id,)
    ).fetchone()["id"]
    state = review_state(_log(connection, probe_id), first)
    connection.execute(
        "UPDATE probe SET status = ?, revision_id = ?, flagged = ?, decided_facts_hash = ? WHERE id = ?",
        (state.status, state.revision_id, int(state.is_flagged), state.decided_facts_hash, probe_id),
    )
