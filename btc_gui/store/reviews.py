"""The review log: decisions are appended, and the probe's standing is derived from them in the same transaction."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from btc_gui.domain.dates import now_utc
from btc_gui.domain.probe import ProbeId, ProbeText, RevisionId
from btc_gui.domain.review import Action, Decision, DecisionId, check_decision, review_state, undoable, withdraws
from btc_gui.errors import InputError, ProjectError
from btc_gui.records import dataclass
from btc_gui.store import probe_text
from btc_gui.store.database import Database
from btc_gui.store.lint_check import relint

#: After so many rows of a bulk action that were all decided after, the rest of it is not looked through.
_ROWS_OF_BULK = 200
_LIVE = "NOT EXISTS (SELECT 1 FROM decision AS later WHERE later.undoes = decision.id)"
#: Undos of decisions bring nothing about that could be undone; only undos of undos may.
_MADE = "(action <> 'undo' OR (SELECT action FROM decision AS named WHERE named.id = decision.undoes) = 'undo')"


@dataclass(frozen=True, slots=True)
class Step:
    """What one undo or redo is about: one decision, or a bulk action.

    `decision` is the newest row to be withdrawn; `about` the decision that the person made (the same one, unless it
    was withdrawn and brought back before).
    """

    decision: Decision
    about: Decision

    @property
    def bulk_id(self) -> int | None:
        """The bulk action that is to be withdrawn as a whole, if it is one."""
        return self.decision.bulk_id


def read_decision(row: sqlite3.Row) -> Decision:
    """A row of `decision` as what it says."""
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
        bulk_id=row["bulk_id"],
    )


class ReviewStore:
    """The decisions of curators."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def log(self, probe_id: ProbeId) -> list[Decision]:
        """All decisions on a probe, oldest first, undone ones and undos included."""
        return _log(self._database.read(), probe_id)

    def undo_step(self, reviewer: str) -> Step | None:
        """What Undo withdraws: the reviewer's newest standing decision, whenever it was made.

        Passes over decisions that somebody has decided after on the same probe: they can't be undone any more.
        """
        looked_at: Counter[int] = Counter()
        for decision in self._live_rows(reviewer):
            if decision.bulk_id is not None:
                looked_at[decision.bulk_id] += 1
                if looked_at[decision.bulk_id] > _ROWS_OF_BULK:
                    continue
            about = self._origin(decision)
            if about is not None and self._is_newest(about):
                return Step(decision, about)
        return None

    def redo_step(self, reviewer: str) -> Step | None:
        """What Redo brings back: what the reviewer undid last, unless something was decided since."""
        newest = (
            self._database.read()
            .execute("SELECT max(id) FROM decision WHERE reviewer = ? AND action <> 'undo'", (reviewer,))
            .fetchone()[0]
        )
        rows = self._database.read().execute(
            f"SELECT * FROM decision WHERE reviewer = ? AND action = 'undo' AND id > ? AND {_LIVE} ORDER BY id DESC",
            (reviewer, newest or 0),
        )
        for row in rows:
            decision = read_decision(row)
            about, is_back = withdraws(decision, self.log(decision.probe_id))
            if about is not None and not is_back and self._is_last(decision):
                return Step(decision, about)
        return None

    def decided_since(self, reviewer: str, since: str) -> list[str]:
        """When this reviewer accepted, rejected, edited or deferred since a time: for the pace.

        Bulk actions don't count: nobody looked at each of their probes.
        """
        rows = self._database.read().execute(
            "SELECT at FROM decision WHERE reviewer = ? AND at >= ? AND bulk_id IS NULL "
            "AND action IN ('accept', 'reject', 'edit', 'defer') ORDER BY at",
            (reviewer, since),
        )
        return [row["at"] for row in rows]

    def reviewers(self) -> list[str]:
        """Who has decided anything, by name."""
        rows = self._database.read().execute("SELECT DISTINCT reviewer FROM decision ORDER BY 1")
        return [row[0] for row in rows]

    def _live_rows(self, reviewer: str) -> Iterator[Decision]:
        """The reviewer's rows that no undo has withdrawn, newest first: decisions and redos."""
        rows = self._database.read().execute(
            f"SELECT * FROM decision WHERE reviewer = ? AND {_LIVE} AND {_MADE} ORDER BY id DESC", (reviewer,)
        )
        for row in rows:
            yield read_decision(row)

    def _origin(self, decision: Decision) -> Decision | None:
        """The decision itself, the one that a redo has brought back, or None for an undo that stands."""
        if decision.action is not Action.UNDO:
            return decision
        about, is_back = withdraws(decision, self.log(decision.probe_id))
        return about if is_back else None

    def _is_newest(self, about: Decision) -> bool:
        newest = undoable(self.log(about.probe_id))
        return newest is not None and newest.id == about.id

    def _is_last(self, undo: Decision) -> bool:
        return self.log(undo.probe_id)[-1].id == undo.id

    # -- deciding --------------------------------------------------------------------------------------------

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
        origin: str = "edited",
        bulk_id: int | None = None,
        facts_hash: str | None = None,
    ) -> Decision:
        """Append one decision and derive the probe's standing from its log, in one durable transaction.

        `revision_id` is the wording that the reviewer saw: when the probe has another one by now, somebody
        else edited it, and `ProjectError` asks to look again. So it does when the event has other facts by now
        than the `facts_hash` that was seen (None: the facts of now are meant, whatever they are). An edit needs
        `edited`; its wording becomes a new revision of that `origin`, even when the text is the same (requester
        or situation may differ). Raises `InputError` for what `check_decision` does not let pass.
        """
        if action is Action.UNDO:
            raise InputError("An undo names the decision that it withdraws: use `undo`.")
        check_decision(action, reasons, note)
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
            if facts_hash is not None and probe["facts_hash"] != facts_hash:
                raise ProjectError(
                    "The facts of its event were changed in the meantime.", "Look at them and decide again."
                )
            new_revision: int | None = None
            if action is Action.EDIT:
                if edited is None or not edited.text.strip():
                    raise InputError("An edited probe needs a text.")
                new_revision = _add_revision(connection, probe_id, edited, probe["facts_hash"], origin, reviewer)
            connection.execute(
                "INSERT INTO decision (probe_id, revision_id, action, reasons, note, text_hash, facts_hash, "
                "new_revision_id, reviewer, at, bulk_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
                    bulk_id,
                ),
            )
            return derive(connection, probe_id)[-1]

    # -- undo and redo ---------------------------------------------------------------------------------------

    def undo(self, decision: Decision, reviewer: str, *, bulk_id: int | None = None) -> Decision:
        """Withdraw a decision by one more row. Raises `ProjectError` when it is not the newest standing one.

        `decision` may be a redo: then what it brought back is withdrawn again.
        """
        with self._database.write() as connection:
            log = _log(connection, decision.probe_id)
            about, _ = withdraws(decision, log) if decision.action is Action.UNDO else (decision, True)
            newest = undoable(log)
            if newest is None or about is None or newest.id != about.id:
                raise ProjectError("This decision can't be undone: there is a newer one on the same probe.")
            # A decision that was brought back is withdrawn by withdrawing what brought it back.
            return _withdraw(connection, _keeper(log, about), reviewer, bulk_id)

    def redo(self, undo: Decision, reviewer: str, *, bulk_id: int | None = None) -> Decision:
        """Withdraw an undo. Raises `ProjectError` when something was decided on the probe since."""
        with self._database.write() as connection:
            log = _log(connection, undo.probe_id)
            if not log or log[-1].id != undo.id:
                raise ProjectError("This can't be done again: there is a newer decision on the same probe.")
            return _withdraw(connection, undo, reviewer, bulk_id)

    # -- bulk actions ----------------------------------------------------------------------------------------

    def start_bulk(self, action: str, planned: int, scope: str, reviewer: str) -> int:
        """Begin a bulk action: its decisions name the id that this gives."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO review_bulk (action, planned, scope, reviewer, at) VALUES (?, ?, ?, ?, ?)",
                (action, planned, scope, reviewer, now_utc()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def of_bulk(self, bulk_id: int) -> list[Decision]:
        """The rows of a bulk action, oldest first, less those that were withdrawn since."""
        rows = self._database.read().execute(
            f"SELECT * FROM decision WHERE bulk_id = ? AND {_LIVE} ORDER BY id", (bulk_id,)
        )
        return [read_decision(row) for row in rows]


def _log(connection: sqlite3.Connection, probe_id: ProbeId) -> list[Decision]:
    rows = connection.execute("SELECT * FROM decision WHERE probe_id = ? ORDER BY id", (probe_id,))
    return [read_decision(row) for row in rows]


def _keeper(log: Sequence[Decision], about: Decision) -> Decision:
    """The row that makes a decision stand: itself, or the newest redo of it."""
    by_undone = {decision.undoes: decision for decision in log if decision.action is Action.UNDO}
    keeper = about
    while (undo := by_undone.get(keeper.id)) is not None and (redo := by_undone.get(undo.id)) is not None:
        keeper = redo
    return keeper


def _withdraw(connection: sqlite3.Connection, decision: Decision, reviewer: str, bulk_id: int | None) -> Decision:
    connection.execute(
        "INSERT INTO decision (probe_id, revision_id, action, text_hash, facts_hash, undoes, reviewer, at, bulk_id) "
        "VALUES (?, ?, 'undo', ?, ?, ?, ?, ?, ?)",
        (
            decision.probe_id,
            decision.revision_id,
            decision.text_hash,
            decision.facts_hash,
            decision.id,
            reviewer,
            now_utc(),
            bulk_id,
        ),
    )
    return derive(connection, decision.probe_id)[-1]


def _add_revision(
    connection: sqlite3.Connection, probe_id: ProbeId, edited: ProbeText, facts_hash: str, origin: str, author: str
) -> int:
    cursor = connection.execute(
        "INSERT INTO probe_revision (probe_id, number, text, text_hash, requester, situation, consequence, "
        "facts_hash, origin, author, at) "
        "SELECT ?, max(number) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM probe_revision WHERE probe_id = ?",
        (
            probe_id,
            edited.text,
            edited.text_hash,
            edited.requester,
            edited.situation,
            edited.consequence,
            facts_hash,
            origin,
            author,
            now_utc(),
            probe_id,
        ),
    )
    assert cursor.lastrowid is not None
    wording = (cursor.lastrowid, edited.text, edited.requester, edited.situation, edited.consequence)
    probe_text.index(connection, [wording])
    return cursor.lastrowid


def derive(connection: sqlite3.Connection, probe_id: ProbeId) -> list[Decision]:
    """Derive a probe's standing from its log and its assignments, within the caller's transaction. Gives the log."""
    first, before = connection.execute(
        "SELECT (SELECT id FROM probe_revision WHERE probe_id = probe.id ORDER BY number LIMIT 1), revision_id "
        "FROM probe WHERE id = ?",
        (probe_id,),
    ).fetchone()
    rows = connection.execute("SELECT reviewer FROM review_assignment WHERE probe_id = ?", (probe_id,))
    log = _log(connection, probe_id)
    state = review_state(log, first, {row[0] for row in rows})
    connection.execute(
        "UPDATE probe SET status = ?, flagged = ?, decided_facts_hash = ?, disputed = ? WHERE id = ?",
        (state.status, int(state.is_flagged), state.decided_facts_hash, int(state.is_disputed), probe_id),
    )
    if state.revision_id != before:
        # An edit, or the undo of one: another wording counts now. Set by itself, since it stands in an index.
        connection.execute("UPDATE probe SET revision_id = ? WHERE id = ?", (state.revision_id, probe_id))
        relint(connection, [probe_id])
    return log
