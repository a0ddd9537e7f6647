"""What became of every row of a collection, the funnel, and rows that a curator put back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.collection import CandidateId, CandidateRow, CollectionId, Provenance
from btc_gui.domain.dates import EventDate, now_utc
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.funnel import BY_HAND, Decision, Funnel, FunnelStep
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.facts_json import facts_from_json, facts_to_json
from btc_gui.store.loads import LoadStore
from btc_gui.store.query import CHUNK, Where, containing, order_by, placeholders

_COLUMNS = {
    "name": "candidate.name COLLATE NOCASE",
    "date": "candidate.date",
    "position": "candidate.position COLLATE NOCASE",
    "reason": "candidate.step, candidate.reason",
}
_PUT_BACK = """
    LEFT JOIN put_back ON put_back.category = collection.category AND put_back.key = candidate.key
        AND put_back.withdrawn_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """Which rows of a collection. `steps` are those that dropped them; `only_kept` are those that are events now, by
    the rules or by hand; `order` is name, date, position or reason."""

    collection_id: CollectionId
    steps: tuple[str, ...] = ()
    contains: str = ""
    only_dropped: bool = False
    only_kept: bool = False
    only_put_back: bool = False
    only_marked: bool = False
    order: str = "name"
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A decision as it will be stored: made before the file is held, since there are thousands. `key` names it."""

    key: str
    values: tuple[object, ...]


def prepare(decision: Decision, rank: str) -> Prepared:
    """What is stored of a decision, with the rank of its statement."""
    candidate = decision.candidate
    facts = facts_to_json(candidate.facts) if candidate.facts else None
    marks = json.dumps(decision.marks, ensure_ascii=False)
    said = (candidate.key, candidate.qid, candidate.name, candidate.date, candidate.position, rank)
    return Prepared(candidate.key, (*said, facts, int(decision.kept), decision.step, decision.reason, marks))


class CandidateStore:
    """The candidates of a project's collections."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- reading ---------------------------------------------------------------------------------------------

    def funnel(self, collection_id: CollectionId) -> Funnel:
        """The funnel of a complete collection, as it was when it was made, and what was put back by hand; without
        steps for one that is not."""
        connection = self._database.read()
        rows = connection.execute(
            "SELECT * FROM collection_step WHERE collection_id = ? ORDER BY ordinal", (collection_id,)
        )
        steps = tuple(FunnelStep(row["name"], row["text"], row["dropped"], row["remaining"]) for row in rows)
        since, before = connection.execute(
            f"""
            SELECT ifnull(sum(candidate.kept = 0 AND put_back.id IS NOT NULL), 0),
                ifnull(sum(candidate.kept = 1 AND candidate.step = ?), 0)
            FROM candidate JOIN collection ON collection.id = candidate.collection_id {_PUT_BACK}
            WHERE candidate.collection_id = ?
            """,
            (BY_HAND, collection_id),
        ).fetchone()
        return Funnel(steps, since, before)

    def reasons(self, collection_id: CollectionId) -> dict[str, dict[str, int]]:
        """How many rows each step dropped for which reason, the commonest first."""
        rows = self._database.read().execute(
            "SELECT step, reason, count(*) AS n FROM candidate WHERE collection_id = ? AND kept = 0 "
            "GROUP BY step, reason ORDER BY n DESC, reason",
            (collection_id,),
        )
        found: dict[str, dict[str, int]] = {}
        for row in rows:
            found.setdefault(row["step"], {})[row["reason"]] = row["n"]
        return found

    def ids(self, query: CandidateQuery) -> list[CandidateId]:
        """The ids of the rows of `query`, in its order."""
        where = Where()
        where.add("candidate.collection_id = ?", query.collection_id)
        where.add_in("candidate.step", query.steps)
        if query.only_dropped:
            where.add("candidate.kept = 0")
        if query.only_kept:
            where.add("(candidate.kept = 1 OR put_back.id IS NOT NULL)")
        if query.only_marked:
            where.add("candidate.marks <> '[]'")
        if query.only_put_back:
            where.add("put_back.id IS NOT NULL")
        if query.contains:
            pattern = containing(query.contains)
            columns = ("name", "qid", "position", "reason")
            where.add(
                "(" + " OR ".join(f"candidate.{name} LIKE ? ESCAPE '\\'" for name in columns) + ")",
                *(pattern for _ in columns),
            )
        joins = "JOIN collection ON collection.id = candidate.collection_id " + (
            _PUT_BACK if query.only_put_back or query.only_kept else ""
        )
        order = order_by(_COLUMNS, query.order, query.descending, "candidate.id")
        rows = self._database.read().execute(
            f"SELECT candidate.id FROM candidate {joins} {where.sql} {order}", where.values
        )
        return [CandidateId(row[0]) for row in rows]

    def fetch(self, ids: Sequence[CandidateId]) -> dict[CandidateId, CandidateRow]:
        """The rows of `ids`, by id (unknown ids left out)."""
        found: dict[CandidateId, CandidateRow] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"""
                SELECT candidate.*, put_back.note, put_back.author, put_back.at FROM candidate
                JOIN collection ON collection.id = candidate.collection_id {_PUT_BACK}
                WHERE candidate.id IN ({placeholders(part)})
                """,
                part,
            )
            for row in rows:
                found[CandidateId(row["id"])] = _candidate(row)
        return found

    def put_back_notes(self, category: str) -> dict[str, str]:
        """The notes of what curators put back, by the candidates' keys."""
        rows = self._database.read().execute(
            "SELECT key, note FROM put_back WHERE category = ? AND withdrawn_at IS NULL ORDER BY id", (category,)
        )
        return {row["key"]: row["note"] for row in rows}

    def put_back_rows(self, category: str) -> dict[str, CandidateRow]:
        """The rows that curators put back and that are events, by their keys: as they were dropped, where they are."""
        rows = self._database.read().execute(
            f"""
            SELECT candidate.*, put_back.note, put_back.author, put_back.at FROM candidate
            JOIN collection ON collection.id = candidate.collection_id {_PUT_BACK}
            WHERE collection.category = ? AND put_back.id IS NOT NULL AND candidate.event_id IS NOT NULL
            ORDER BY candidate.kept DESC, candidate.id
            """,
            (category,),
        )
        return {row["key"]: _candidate(row) for row in rows}

    def provenance(self, event_id: EventId) -> Provenance | None:
        """Where an event is from; None for one that was loaded from a file or added by hand."""
        row = (
            self._database.read()
            .execute(
                f"""
                SELECT candidate.*, put_back.note, put_back.author, put_back.at FROM candidate
                JOIN collection ON collection.id = candidate.collection_id {_PUT_BACK}
                WHERE candidate.event_id = ? ORDER BY candidate.id DESC LIMIT 1
                """,
                (event_id,),
            )
            .fetchone()
        )
        if row is None:
            return None
        collection = CollectionStore(self._database).get(CollectionId(row["collection_id"]))
        return Provenance(collection, row["key"], row["rank"], row["note"] or "", row["author"] or "")

    # -- writing ---------------------------------------------------------------------------------------------

    def complete(
        self,
        connection: sqlite3.Connection,
        collection_id: CollectionId,
        prepared: Iterable[Prepared],
        event_of: Callable[[str], EventId | None],
        funnel: Funnel,
    ) -> None:
        """Keep what a collection came to, within the caller's transaction, and mark it complete.

        `event_of` gives the event that a candidate is, by its key.
        """
        connection.execute("DELETE FROM candidate WHERE collection_id = ?", (collection_id,))
        connection.execute("DELETE FROM collection_step WHERE collection_id = ?", (collection_id,))
        connection.executemany(
            "INSERT INTO candidate (collection_id, key, qid, name, date, position, rank, facts, kept, step, reason, "
            "marks, event_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(collection_id, *each.values, event_of(each.key)) for each in prepared],
        )
        connection.executemany(
            "INSERT INTO collection_step (collection_id, ordinal, name, text, dropped, remaining) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [
                (collection_id, ordinal, step.name, step.text, step.dropped, step.left)
                for ordinal, step in enumerate(funnel.steps)
            ],
        )
        connection.execute("UPDATE collection SET completed_at = ? WHERE id = ?", (now_utc(), collection_id))

    def put_back(self, candidate_id: CandidateId, note: str, author: str, day: EventDate | None = None) -> EventId:
        """Take a dropped row as an event in spite of its reason, now and in later collections.

        `day` is the day of a row whose date is known to the month or year only: an event needs one. Raises
        `InputError` without a note, without that day or for one outside the month, or for a row that can't be an
        event or is one already; `ProjectError` while a file of events is being loaded.
        """
        row = self.fetch([candidate_id]).get(candidate_id)
        if row is None:
            raise ProjectError(f"There is no candidate {candidate_id} in this project.")
        if not note.strip():
            raise InputError("A note is needed: it says why this row is taken in spite of the reason.")
        if row.facts is None:
            raise InputError(
                f"{row.name} can't be put back: a date or a name is missing.", "Add the event by hand instead."
            )
        if not row.can_be_put_back:
            raise InputError(f"{row.name} is an event already.")
        facts = _on_a_day(row.facts, day)
        category = CollectionStore(self._database).get(row.collection_id).question.category
        events = EventStore(self._database)
        with self._database.write() as connection:
            LoadStore(self._database).refuse_while_adding_events(connection)
            known = EventIndex(events.all_facts()).find(facts)
            facts = replace(facts, note=" ".join(f"{facts.note} Put back: {note.strip()}".split()))
            # Withdrawn and put back again: its event has stayed.
            event_id = row.event_id or known or events.add_many(connection, [facts], author, None)[0]
            connection.execute(
                "INSERT INTO put_back (category, key, note, author, at) VALUES (?, ?, ?, ?, ?)",
                (category, row.key, note.strip(), author, now_utc()),
            )
            connection.execute("UPDATE candidate SET event_id = ? WHERE id = ?", (event_id, candidate_id))
        return event_id

    def withdraw_put_back(self, candidate_id: CandidateId, author: str) -> None:
        """Let the rules decide about a row again that was put back, from now on.

        Its event stays: whether it is wrong is another question (`EventDesk.reject`). Raises `ProjectError` for a row
        that isn't put back.
        """
        with self._database.write() as connection:
            changed = connection.execute(
                "UPDATE put_back SET withdrawn_at = ?, withdrawn_by = ? WHERE withdrawn_at IS NULL AND (category, key) "
                "IN (SELECT category, key FROM candidate JOIN collection ON collection.id = collection_id "
                "WHERE candidate.id = ?)",
                (now_utc(), author, candidate_id),
            )
            if not changed.rowcount:
                raise ProjectError("This row is not put back.")


def _on_a_day(facts: EventFacts, day: EventDate | None) -> EventFacts:
    if facts.date.as_day() is not None:
        if day in (None, facts.date):
            return facts
        raise InputError(
            f"The date is known to the day already: {facts.date.text}.", "Put it back, then correct the event."
        )
    if day is None or day.as_day() is None:
        raise InputError(
            f"The date is known only as {facts.date.text}, and an event needs its day.",
            "Say the day with the note (--date 2026-03-03 on the command line).",
        )
    if not facts.date.may_be(day):
        raise InputError(f"{day.text} does not lie in {facts.date.text}.", "Is it the right row?")
    return replace(facts, date=day)


def _candidate(row: sqlite3.Row) -> CandidateRow:
    return CandidateRow(
        id=CandidateId(row["id"]),
        collection_id=CollectionId(row["collection_id"]),
        key=row["key"],
        qid=row["qid"],
        name=row["name"],
        date=row["date"],
        position=row["position"],
        rank=row["rank"],
        kept=bool(row["kept"]),
        step=row["step"],
        reason=row["reason"],
        marks=tuple(json.loads(row["marks"])),
        facts=facts_from_json(row["facts"]) if row["facts"] else None,
        event_id=None if row["event_id"] is None else EventId(row["event_id"]),
        note=row["note"] or "",
        author=row["author"] or "",
        at=row["at"] or "",
    )
