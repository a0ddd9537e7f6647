"""Cases: one answer to one probe with all that is known of it. Filters, facets and orders are SQL's."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

from btc_gui.domain.case import (
    ALL_CASES,
    IN_STUDY,
    LOG,
    PROBE,
    UNCLASSIFIED,
    UNJUDGED,
    UNSCORED,
    CaseQuery,
    CaseRow,
    answer_of_reference,
    is_reference,
)
from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.dates import now_utc, parse_event_date
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.folding import search_key
from btc_gui.domain.probe import ProbeId, ProbeKind, RevisionId
from btc_gui.domain.run import RunId
from btc_gui.domain.study import StudyId
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError, ProjectError
from btc_gui.store import case_text, probe_text
from btc_gui.store.classifications import COUNTING_CLASSIFICATION
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, LOADED, Where, order_by, placeholders
from btc_gui.store.runs import configuration_from_row
from btc_gui.store.studies import OPEN_STUDY, note_exposure
from btc_gui.store.verdicts import COUNTING_VERDICT

NoteId = NewType("NoteId", int)

# A sample that is about no probe is called by its task and its id.
_ENTITY = """
    CASE WHEN run_item.probe_id IS NULL
         THEN ifnull(json_extract(configuration.settings, '$.task'), run.name) || ' · ' || run_item.sample
         ELSE event.entity END
"""
_LABEL = f"""
    CASE WHEN verdict.label IS NOT NULL THEN verdict.label
         WHEN verdict.id IS NOT NULL THEN '{UNSCORED}'
         WHEN answer.ending = 'answered' AND run_item.probe_id IS NOT NULL THEN '{UNJUDGED}'
         ELSE '' END
"""
# An answer that is judged correct by now has no failure mode, whatever was found in it before.
_MODE = f"""
    CASE WHEN verdict.label IS NOT 'incorrect' THEN ''
         WHEN classification.mode IS NOT NULL THEN classification.mode
         WHEN classification.id IS NOT NULL THEN '{UNSCORED}'
         WHEN probe.kind = 'indirect' AND configuration.harness = 'shared' THEN '{UNCLASSIFIED}'
         ELSE '' END
"""
_FACETS = {
    "categories": "event.category",
    "kinds": "probe.kind",
    "models": "configuration.model",
    "efforts": "configuration.effort",
    "harnesses": "configuration.harness",
    "labels": _LABEL,
    "modes": _MODE,
    "endings": "answer.ending",
    "queries": "CASE WHEN answer.queries >= 2 THEN '2+' ELSE CAST(answer.queries AS TEXT) END",
    "sources": f"CASE WHEN run_item.probe_id IS NULL THEN '{LOG}' ELSE '{PROBE}' END",
}
_COLUMNS = {
    "entity": f"{_ENTITY} COLLATE NOCASE",
    "category": "event.category",
    "date": "event.date",
    "kind": "probe.kind",
    "probe": "ifnull(probe_revision.text, run_item.request) COLLATE NOCASE",
    "model": "configuration.model COLLATE NOCASE",
    "effort": "configuration.effort",
    "harness": "configuration.harness",
    "ending": "answer.ending",
    "queries": "answer.queries",
    "label": _LABEL,
    "mode": _MODE,
    "stored": "answer.stored_at",
}
_FROM = f"""
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN run ON run.id = run_item.run_id AND run.purpose <> 'filter'
    JOIN configuration ON configuration.id = run_item.configuration_id
    LEFT JOIN probe ON probe.id = run_item.probe_id
    LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id
    LEFT JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT}
    LEFT JOIN classification ON classification.id = {COUNTING_CLASSIFICATION}
"""
# The cases of open studies that the person has not opened: who labels them must not know what the judge said.
_BLIND = f"""
    WITH blind AS (
        SELECT study_item.answer_id FROM study_item JOIN study ON study.id = study_item.study_id
        WHERE {OPEN_STUDY} AND NOT EXISTS (
            SELECT 1 FROM exposure WHERE exposure.study_id = study.id
            AND exposure.answer_id = study_item.answer_id AND exposure.person = ?)
    )
"""


@dataclass(frozen=True, slots=True)
class CaseNote:
    """What somebody noted on a case, or on one step of it."""

    id: NoteId
    answer_id: AnswerId
    step_number: int | None
    note: str
    author: str
    at: str
    withdrawn_at: str


class CaseStore:
    """The cases of a project: its final answers (one a planned item, every repetition a case of its own).

    With `blind_for`, labels and modes of cases of open studies are told (in rows, facets, filters and orders) only
    where this person has opened the case, which is on record as an exposure.
    """

    def __init__(self, database: Database, *, blind_for: str | None = None) -> None:
        self._database = database
        self._with = _BLIND if blind_for is not None else ""
        self._person = [blind_for] if blind_for is not None else []
        told = {name: self._told(column) for name, column in (("label", _LABEL), ("mode", _MODE))}
        self._facets = {**_FACETS, "labels": told["label"], "modes": told["mode"]}
        self._columns = {**_COLUMNS, **told}

    def _told(self, column: str) -> str:
        if not self._with:
            return column
        return f"CASE WHEN answer.id IN (SELECT answer_id FROM blind) THEN '{IN_STUDY}' ELSE {column} END"

    # -- reading ---------------------------------------------------------------------------------------------

    def ids(self, query: CaseQuery = ALL_CASES) -> list[AnswerId]:
        """The cases of `query`, in its order. Raises KeyError for an order that is not a column."""
        where = self._where(query)
        for facet, column in self._facets.items():
            where.add_in(column, getattr(query, facet))
        order = order_by(self._columns, query.order, query.descending, "answer.id")
        rows = self._database.read().execute(
            f"{self._with} SELECT answer.id {_FROM} {where.sql} {order}", [*self._person, *where.values]
        )
        return [AnswerId(row["id"]) for row in rows]

    def facets(self, query: CaseQuery = ALL_CASES) -> dict[str, dict[str, int]]:
        """For each facet, how many cases each of its values has under the other filters of `query`.

        A facet's own filter does not count, so that a second value of it can be chosen. Values without any
        case are left out; `""` (such as the mode of a correct answer) too.
        """
        where = self._where(query)
        columns = ", ".join(f"{column} AS {facet}" for facet, column in self._facets.items())
        rows = self._database.read().execute(
            f"{self._with} SELECT {columns}, count(*) AS n {_FROM} {where.sql} GROUP BY {', '.join(_FACETS)}",
            [*self._person, *where.values],
        )
        chosen = {facet: frozenset(str(v) for v in getattr(query, facet)) for facet in _FACETS}
        counts: dict[str, dict[str, int]] = {facet: {} for facet in _FACETS}
        for row in rows:
            missed = [facet for facet in _FACETS if chosen[facet] and row[facet] not in chosen[facet]]
            if len(missed) > 1:
                continue
            for facet in missed or _FACETS:
                if row[facet]:
                    counts[facet][row[facet]] = counts[facet].get(row[facet], 0) + row["n"]
        return {facet: dict(sorted(values.items())) for facet, values in counts.items()}

    def _where(self, query: CaseQuery) -> Where:
        where = Where()
        where.add("answer.is_final = 1")
        where.add(LOADED.format(table="probe"))
        where.add(LOADED.format(table="event"))
        for column, value in (
            ("run_item.run_id", query.run_id),
            ("probe.event_id", query.event_id),
            ("probe.id", query.probe_id),
            ("run_item.configuration_id", query.configuration_id),
        ):
            if value is not None:
                where.add(f"{column} = ?", value)
        words = query.contains.strip()
        if is_reference(words):
            where.add("answer.id = ?", answer_of_reference(words))
        elif words:
            read = self._database.read()
            found = case_text.matching(read, words)
            wording, values = probe_text.revisions_containing(words, "run_item.revision_id")
            where.add(
                "(answer.body_id IN (SELECT value FROM json_each(?)) "
                "OR answer.id IN (SELECT step.answer_id FROM step "
                "WHERE step.kind = 'query' AND step.body_id IN (SELECT value FROM json_each(?))) "
                f"OR {wording} OR probe.event_id IN (SELECT value FROM json_each(?)) "
                "OR run_item.id IN (SELECT value FROM json_each(?)))",
                found,
                found,
                *values,
                probe_text.events_named(read, words),
                _samples_containing(read, words),
            )
        return where

    def fetch(self, ids: Sequence[AnswerId]) -> dict[AnswerId, CaseRow]:
        """The cases of `ids`, by id (unknown ids and attempts that don't count left out)."""
        found: dict[AnswerId, CaseRow] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"""
                {self._with} SELECT answer.id, answer.ending, answer.queries, answer.stored_at, run_item.run_id,
                       run_item.probe_id, run_item.revision_id, run_item.configuration_id, run_item.repetition,
                       probe.event_id, probe.kind, ifnull(probe_revision.text, run_item.request) AS text,
                       {_ENTITY} AS entity, event.category, event.date,
                       configuration.model, configuration.harness, configuration.effort, configuration.search,
                       configuration.prompt_hash, configuration.as_of, configuration.settings,
                       verdict.label, verdict.names_entity, verdict.unscored, {self._columns["label"]} AS label_text,
                       {self._columns["mode"]} AS mode_text, classification.by_construction,
                       (SELECT count(DISTINCT human_label.packet_id) FROM study_item
                        JOIN human_label ON human_label.study_id = study_item.study_id
                            AND human_label.item = study_item.item AND human_label.undoes IS NULL
                            AND NOT EXISTS (SELECT 1 FROM human_label AS undo
                                WHERE undo.packet_id = human_label.packet_id AND undo.undoes = human_label.sequence)
                        WHERE study_item.answer_id = answer.id) AS human_labels,
                       (SELECT count(*) FROM case_note
                        WHERE case_note.answer_id = answer.id AND withdrawn_at = '') AS notes
                {_FROM} WHERE answer.is_final = 1 AND answer.id IN ({placeholders(part)})
                """,
                [*self._person, *part],
            )
            found.update({AnswerId(row["id"]): _case(row) for row in rows})
        return found

    def get(self, answer_id: AnswerId) -> CaseRow:
        """One case. Raises `ProjectError` when there is none of that id."""
        case = self.fetch([answer_id]).get(answer_id)
        if case is None:
            raise ProjectError(f"There is no case btc:{answer_id} in this project.")
        return case

    def relatives(self, answer_id: AnswerId) -> list[AnswerId]:
        """The other cases about the same event: those of the same probe first, then by kind and configuration.

        For a sample of a log: the other answers to the same sample of that task.
        """
        own = self.get(answer_id)
        if own.event_id is None:
            rows = self._database.read().execute(
                f"SELECT answer.id {_FROM} WHERE answer.is_final = 1 AND answer.id <> ? "
                f"AND run_item.probe_id IS NULL AND {_ENTITY} = ? "
                "ORDER BY configuration.model COLLATE NOCASE, run_item.repetition, answer.id",
                (answer_id, own.entity),
            )
            return [AnswerId(row["id"]) for row in rows]
        rows = self._database.read().execute(
            f"SELECT answer.id {_FROM} "
            "JOIN answer AS own ON own.id = ? JOIN run_item AS own_item ON own_item.id = own.run_item_id "
            "JOIN probe AS own_probe ON own_probe.id = own_item.probe_id AND own_probe.event_id = probe.event_id "
            "WHERE answer.is_final = 1 AND answer.id <> own.id "
            "ORDER BY probe.id <> own_probe.id, probe.kind, probe.ordinal, "
            "run_item.configuration_id <> own_item.configuration_id, configuration.model COLLATE NOCASE, "
            "configuration.effort, configuration.harness, run_item.repetition, answer.id",
            (answer_id,),
        )
        return [AnswerId(row["id"]) for row in rows]

    # -- notes -----------------------------------------------------------------------------------------------

    def notes(self, answer_id: AnswerId, *, with_withdrawn: bool = False) -> list[CaseNote]:
        """The notes on a case, oldest first."""
        condition = "" if with_withdrawn else "AND withdrawn_at = ''"
        rows = self._database.read().execute(
            f"SELECT * FROM case_note WHERE answer_id = ? {condition} ORDER BY id", (answer_id,)
        )
        return [
            CaseNote(
                id=NoteId(row["id"]),
                answer_id=AnswerId(row["answer_id"]),
                step_number=row["step_number"],
                note=row["note"],
                author=row["author"],
                at=row["at"],
                withdrawn_at=row["withdrawn_at"],
            )
            for row in rows
        ]

    def add_note(self, answer_id: AnswerId, note: str, author: str, step_number: int | None = None) -> NoteId:
        """Append a note to a case, or to one of its steps. Raises `InputError` for an empty one."""
        if not note.strip():
            raise InputError("A note needs a text.")
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO case_note (answer_id, step_number, note, author, at) VALUES (?, ?, ?, ?, ?)",
                (answer_id, step_number, note.strip(), author, now_utc()),
            )
            assert cursor.lastrowid is not None
            return NoteId(cursor.lastrowid)

    def withdraw_note(self, note_id: NoteId) -> None:
        """Withdraw a note: it stays in the project, and is no longer shown. Twice is once."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE case_note SET withdrawn_at = ? WHERE id = ? AND withdrawn_at = ''", (now_utc(), note_id)
            )

    # -- exposure --------------------------------------------------------------------------------------------

    def record_exposure(self, answer_id: AnswerId, person: str) -> int:
        """Note that `person` has seen this case while studies over it were open; gives how many there are.

        Nothing is written for a case of no open study. The first time counts.
        """
        rows = self._database.read().execute(
            "SELECT DISTINCT study.id FROM study JOIN study_item ON study_item.study_id = study.id "
            f"WHERE study_item.answer_id = ? AND {OPEN_STUDY} ORDER BY study.id",
            (answer_id,),
        )
        found = [StudyId(row["id"]) for row in rows]
        if found:
            with self._database.write() as connection:
                for study_id in found:
                    note_exposure(connection, study_id, answer_id, person)
        return len(found)


def _samples_containing(connection: sqlite3.Connection, words: str) -> str:
    """The items that are samples of somebody else's log and have `words` in their name or in what was asked, as a
    JSON array for `json_each`."""
    key = search_key(words)
    rows = connection.execute(
        f"SELECT run_item.id, {_ENTITY}, run_item.request FROM run_item JOIN run ON run.id = run_item.run_id "
        "JOIN configuration ON configuration.id = run_item.configuration_id "
        "LEFT JOIN probe ON probe.id = run_item.probe_id LEFT JOIN event ON event.id = probe.event_id "
        "WHERE run_item.probe_id IS NULL"
    )
    return json.dumps([row[0] for row in rows if key in search_key(row[1] or "") or key in search_key(row[2] or "")])


def _case(row: sqlite3.Row) -> CaseRow:
    mode, is_blind = row["mode_text"], row["label_text"] == IN_STUDY
    return CaseRow(
        answer_id=AnswerId(row["id"]),
        run_id=RunId(row["run_id"]),
        event_id=EventId(row["event_id"]) if row["event_id"] else None,
        probe_id=ProbeId(row["probe_id"]) if row["probe_id"] else None,
        revision_id=RevisionId(row["revision_id"]) if row["revision_id"] else None,
        entity=row["entity"],
        category=row["category"] or "",
        date=parse_event_date(row["date"]) if row["date"] else None,
        kind=ProbeKind(row["kind"]) if row["kind"] else None,
        probe_text=row["text"],
        configuration_id=ConfigurationId(row["configuration_id"]),
        configuration=configuration_from_row(row),
        repetition=row["repetition"],
        ending=Ending(row["ending"]),
        queries=row["queries"],
        label=Label(row["label"]) if row["label"] and not is_blind else None,
        label_text=row["label_text"],
        names_entity=None if is_blind or row["names_entity"] is None else bool(row["names_entity"]),
        unscored="" if is_blind else row["unscored"] or "",
        mode=FailureMode(mode) if mode in set(FailureMode) else None,
        mode_text=mode,
        by_construction=bool(row["by_construction"]) and bool(mode) and not is_blind,
        human_labels=row["human_labels"],
        notes=row["notes"],
        stored_at=row["stored_at"],
    )
