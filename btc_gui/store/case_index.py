"""All cases of a pool as columns of numbers in memory: filters, counts and orders of many take milliseconds.

Read anew when something changed that the columns are made of. A case takes some dozens of bytes; texts stay in the
project. Import this module only when cases are about to be looked for: it brings numpy along.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from btc_gui.domain.case import (
    ANNOTATORS_DIFFER,
    DIRECT_BOTH,
    DIRECT_NONE,
    DIRECT_RIGHT,
    DIRECT_UNJUDGED,
    DIRECT_WRONG,
    IN_STUDY,
    LOG,
    PROBE,
    QUERIES_UNKNOWN,
    UNCLASSIFIED,
    UNJUDGED,
    UNSCORED,
    CasePool,
)
from btc_gui.domain.folding import search_key
from btc_gui.domain.study import StudyState
from btc_gui.store import case_text
from btc_gui.store.case_rows import HIDES_QUERIES
from btc_gui.store.coded import Coded, Mask, Numbers
from btc_gui.store.counting_verdict import PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.kept import NOT_COUNTING, Kept
from btc_gui.store.studies import OPEN_STUDY

_UNBLINDED = ", ".join(f"'{state}'" for state in StudyState if state.is_unblinded)
_UNFINISHED = "(SELECT id FROM load WHERE completed_at IS NULL)"
# From runs on: the answers of the other pool, perhaps many times more, are never touched.
_FINAL = """
    FROM run JOIN run_item ON run_item.run_id = run.id
    JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1
"""
# What the columns are made of. Rows are appended, and what is changed in place shows in one of these.
_STATE = f"""
    SELECT (SELECT max(id) FROM answer), (SELECT max(id) FROM verdict), (SELECT max(id) FROM classification),
           (SELECT max(id) FROM event_revision), (SELECT max(id) FROM run), (SELECT max(id) FROM human_label),
           (SELECT max(id) FROM case_tag), (SELECT count(*) FROM case_tag WHERE withdrawn_at = ''),
           (SELECT max(id) FROM release), (SELECT max(id) FROM sample), (SELECT group_concat(id) FROM {_UNFINISHED}),
           (SELECT group_concat(id || state) FROM study), (SELECT count(*) FROM exposure),
           (SELECT value FROM project WHERE key = '{PRIMARY_JUDGE}'), {NOT_COUNTING}
"""


class Told:
    """What a person may know: the facets that depend on labels, without those that an open study keeps from them."""

    def __init__(self, coded: dict[str, Coded], humans: dict[str, Numbers]) -> None:
        self.coded, self.humans = coded, humans


class CaseIndex:
    """The cases of one pool, by ascending id."""

    def __init__(self, connection: sqlite3.Connection, pool: CasePool) -> None:
        self.pool = pool
        self._condition = "run.purpose = 'filter'" if pool is CasePool.FILTER else "run.purpose <> 'filter'"
        self._connection = connection
        self._read_rows()
        self._name_rows()
        self._read_labels()
        self.many = {
            "tags": self._grouped("SELECT tag, answer_id FROM case_tag WHERE withdrawn_at = ''"),
            "releases": self._released(),
            "samples": self._sampled(),
        }
        self._humans = self._read_humans()
        self._told: dict[str | None, Told] = {}
        self._orders: dict[tuple[str, str | None], Numbers] = {}
        #: For whoever searches: what was found lately, by what was asked.
        self.found: dict[object, Mask] = {}
        self._unsearched = -1, 0
        del self._connection

    def __len__(self) -> int:
        return len(self.ids)

    # -- reading ---------------------------------------------------------------------------------------------

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor()
        cursor.row_factory = None
        return cursor.execute(sql, values).fetchall()

    def _read_rows(self) -> None:
        rows = self._rows(
            "SELECT answer.id, run_item.id, run.id, run_item.configuration_id, ifnull(run_item.probe_id, 0), "
            "ifnull(run_item.revision_id, 0), answer.queries, "
            "CASE answer.ending WHEN 'answered' THEN 0 WHEN 'no_answer' THEN 1 WHEN 'refused' THEN 2 "
            f"WHEN 'failed' THEN 3 ELSE 4 END {_FINAL} WHERE {self._condition} ORDER BY answer.id"
        )
        probes = self._rows(
            "SELECT id, event_id, kind = 'direct' FROM probe WHERE "
            f"(load_id IS NULL OR load_id NOT IN {_UNFINISHED}) AND event_id NOT IN "
            f"(SELECT id FROM event WHERE load_id IN {_UNFINISHED})"
        )
        event_of = np.full(max((row[0] for row in probes), default=0) + 1, -1, np.int64)
        event_of[0] = 0
        direct_of = np.zeros(len(event_of), np.bool_)
        for probe, event, is_direct in probes:
            event_of[probe], direct_of[probe] = event, is_direct
        table = np.array(rows, np.int64).reshape(-1, 8)
        probe_ids = table[:, 4]
        event_ids = event_of[np.where(probe_ids < len(event_of), probe_ids, 0)]
        # A probe that is being loaded does not count, nor do answers to it.
        table, self.event_ids = table[event_ids >= 0], event_ids[event_ids >= 0]
        self.event_ids = self.event_ids.astype(np.int32)
        self.ids, self.item_ids, self.run_ids, self.configuration_ids = table[:, :4].T.astype(np.int32)
        self.probe_ids, self.revision_ids, self.queries, self._endings = table[:, 4:].T.astype(np.int32)
        self.is_log = self.probe_ids == 0
        self.is_direct = direct_of[np.where(self.is_log, 0, self.probe_ids)] & ~self.is_log

    def _name_rows(self) -> None:
        events = self._rows("SELECT id, category, entity, date FROM event")
        self.entities = {row[0]: str(row[2]) for row in events}
        kinds = np.where(self.is_log, 0, np.where(self.is_direct, 1, 2))
        buckets = np.minimum(self.queries, 2) + 1
        unknown = self._rows(f"SELECT answer.id {_FINAL} WHERE {self._condition} AND {HIDES_QUERIES}")
        self._put(buckets, [(answer, 4) for (answer,) in unknown])
        self.coded = {
            "categories": Coded.by(self.event_ids, {row[0]: str(row[1]) for row in events}),
            "kinds": Coded(kinds, ("", "direct", "indirect")),
            "endings": Coded(self._endings + 1, ("", "answered", "no_answer", "refused", "failed", "cancelled")),
            "queries": Coded(buckets, ("", "0", "1", "2+", QUERIES_UNKNOWN)),
            "sources": Coded(np.where(self.is_log, 1, 2), ("", LOG, PROBE)),
        }
        self._dates = Coded.by(self.event_ids, {row[0]: str(row[3]) for row in events})
        configurations = self._rows(
            "SELECT id, model, effort, harness, ifnull(json_extract(settings, '$.task'), '') FROM configuration"
        )
        for place, facet in enumerate(("models", "efforts", "harnesses"), 1):
            texts = {row[0]: str(row[place]) for row in configurations}
            self.coded[facet] = Coded.by(self.configuration_ids, texts)
        runs = {row[0]: str(row[1]) for row in self._rows("SELECT id, name FROM run")}
        #: The words of runs, whose values are their numbers.
        self.run_names = {str(number): name for number, name in runs.items()}
        self.coded["runs"] = Coded.by(self.run_ids, {number: str(number) for number in runs})
        #: The names of samples of logs, by their place here: their task and id.
        self.log_names: dict[int, str] = {}
        if self.is_log.any():
            tasks = {row[0]: str(row[4]) for row in configurations}
            samples = self._rows(
                f"SELECT answer.id, run_item.sample {_FINAL} WHERE {self._condition} AND run_item.probe_id IS NULL"
            )
            for answer, sample in samples:
                place = int(np.searchsorted(self.ids, answer))
                task = tasks[int(self.configuration_ids[place])] or runs[int(self.run_ids[place])]
                self.log_names[place] = f"{task} · {sample}"

    def _read_labels(self) -> None:
        primary = self._rows("SELECT value FROM project WHERE key = ? AND value <> ''", PRIMARY_JUDGE)
        verdicts = self._rows(
            f"SELECT answer.id, CASE verdict.label WHEN 'correct' THEN 1 WHEN 'incorrect' THEN 2 ELSE 4 END {_FINAL} "
            "JOIN verdict ON verdict.answer_id = answer.id AND verdict.is_current = 1 "
            f"{'AND verdict.judge = ?' if primary else ''} WHERE {self._condition} ORDER BY verdict.id",
            *(primary[0] if primary else ()),
        )
        codes = np.where((self._endings == 0) & ~self.is_log, 3, 0)
        self._put(codes, verdicts)
        self.labels = Coded(codes, ("", "correct", "incorrect", UNJUDGED, UNSCORED))
        names = ("", "explicit", "indirect", "none", "reasoning", UNCLASSIFIED, UNSCORED)
        cases = " ".join(f"WHEN '{name}' THEN {code}" for code, name in enumerate(names[1:5], 1))
        modes = np.zeros(len(self), np.int64)
        found = self._rows(
            f"SELECT answer.id, CASE classification.mode {cases} ELSE 6 END {_FINAL} "
            "JOIN classification ON classification.answer_id = answer.id AND classification.is_current = 1 "
            f"WHERE {self._condition} ORDER BY classification.id"
        )
        self._put(modes, found)
        is_shared = self.coded["harnesses"].mask(["shared"])
        modes[(modes == 0) & is_shared & ~self.is_direct & ~self.is_log] = 5
        # An answer that is judged correct by now has no failure mode, whatever was found in it before.
        self.modes = Coded(np.where(self.labels.mask(["incorrect"]), modes, 0), names)

    def _put(self, codes: Numbers, rows: Sequence[tuple[Any, ...]]) -> None:
        """Write values (oldest first, so that the newest counts) to the cases that they are of."""
        if rows:
            table = np.array(rows, np.int64)
            places = self.places(table[:, 0])
            codes[places[places >= 0]] = table[places >= 0, 1]

    def _read_humans(self) -> list[tuple[str, int]]:
        """What people said of cases, in studies whose key is open: label and place."""
        rows = self._rows(
            "SELECT study_item.answer_id, study.id, packet.layer IN ('blind', 'assisted'), human_label.label, "
            "min(human_label.sequence) "
            "FROM study JOIN study_item ON study_item.study_id = study.id "
            "JOIN human_label ON human_label.study_id = study.id AND human_label.item = study_item.item "
            "JOIN packet ON packet.id = human_label.packet_id "
            f"WHERE study.state IN ({_UNBLINDED}) AND study_item.role = 'sample' AND human_label.undoes IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM human_label AS undo WHERE undo.packet_id = human_label.packet_id "
            "AND undo.undoes = human_label.sequence) GROUP BY study_item.answer_id, human_label.packet_id"
        )
        found = {(str(label), answer) for answer, _, _, label, _ in rows}
        # Of each annotator the first label of a study: who thinks again once findings are shown differs from nobody.
        first: dict[tuple[int, int], set[str]] = {}
        for answer, study, is_first, label, _ in rows:
            if is_first:
                first.setdefault((answer, study), set()).add(str(label))
        found |= {(ANNOTATORS_DIFFER, answer) for (answer, _), labels in first.items() if len(labels) > 1}
        places = self.places(np.array([answer for _, answer in sorted(found)], np.int64))
        return [(label, int(place)) for (label, _), place in zip(sorted(found), places, strict=True) if place >= 0]

    def _grouped(self, sql: str) -> dict[str, Numbers]:
        groups: dict[str, set[int]] = {}
        for value, answer in self._rows(sql):
            groups.setdefault(str(value), set()).add(answer)
        return self._placed(groups)

    def _placed(self, groups: Mapping[str, Iterable[int]]) -> dict[str, Numbers]:
        placed = {}
        for value, answers in sorted(groups.items()):
            places = self.places(np.array(sorted(answers), np.int64))
            if (places >= 0).any():
                placed[value] = places[places >= 0]
        return placed

    def _released(self) -> dict[str, Numbers]:
        revisions: dict[str, set[int]] = {}
        for name, one, other in self._rows(
            "SELECT release.name, revision_id, direct_revision_id FROM release_item "
            "JOIN release ON release.id = release_item.release_id"
        ):
            revisions.setdefault(str(name), set()).update((one, other))
        found = {name: np.flatnonzero(np.isin(self.revision_ids, list(ids))) for name, ids in revisions.items()}
        return {name: places for name, places in sorted(found.items()) if len(places)}

    def _sampled(self) -> dict[str, Numbers]:
        """The answers of each model to what was drawn for it."""
        revisions: dict[tuple[str, str], set[int]] = {}
        for name, model, one, other in self._rows(
            "SELECT sample.name, model, revision_id, ifnull(direct_revision_id, 0) FROM sample_item "
            "JOIN sample ON sample.id = sample_item.sample_id"
        ):
            revisions.setdefault((str(name), str(model)), set()).update({one, other} - {0})
        masks: dict[str, Mask] = {}
        for (name, model), ids in sorted(revisions.items()):
            mask = self.coded["models"].mask([model]) & np.isin(self.revision_ids, list(ids))
            masks[name] = masks.get(name, np.zeros(len(self), np.bool_)) | mask
        return {name: np.flatnonzero(mask) for name, mask in masks.items() if mask.any()}

    @cached_property
    def folded_names(self) -> tuple[dict[int, str], dict[int, str]]:
        """The names of the entities of events, and of samples of logs by their place, as a search compares them."""
        # NumPy's own way to tell them loads a part of it that nothing else needs.
        used = set(self.event_ids.tolist())
        events = {number: search_key(name) for number, name in self.entities.items() if number in used}
        return events, {place: search_key(name) for place, name in self.log_names.items()}

    # -- places ----------------------------------------------------------------------------------------------

    def places(self, answer_ids: Numbers) -> Numbers:
        """Where these answers stand here; -1 for those that are no cases of this pool."""
        if not len(self.ids):
            return np.full(len(answer_ids), -1, np.int64)
        places = np.minimum(np.searchsorted(self.ids, answer_ids), len(self.ids) - 1)
        return np.where(self.ids[places] == answer_ids, places, -1)

    def mask_of(self, answer_ids: Sequence[int]) -> Mask:
        """Which cases are these answers."""
        mask = np.zeros(len(self), np.bool_)
        places = self.places(np.array(answer_ids, np.int64))
        mask[places[places >= 0]] = True
        return mask

    def count_unsearched(self, connection: sqlite3.Connection) -> int:
        """How many of the cases can't be found by their words yet.

        Not the difference of two counts: answers that were asked anew are in the index, and no cases.
        """
        indexed = case_text.count_indexed(connection, self.pool)
        if self._unsearched[0] != indexed:
            known = np.array(case_text.indexed_ids(connection, self.pool), np.int64)
            self._unsearched = indexed, int((~np.isin(self.ids, known)).sum())
        return self._unsearched[1]

    # -- what a person may know ------------------------------------------------------------------------------

    def told(self, connection: sqlite3.Connection, person: str | None) -> Told:
        """Labels, modes and what follows from them, as `person` may see them (None: all)."""
        if person not in self._told:
            blind = np.zeros(len(self), np.bool_)
            if person is not None:
                rows = connection.execute(
                    "SELECT DISTINCT study_item.answer_id FROM study_item JOIN study ON study.id = study_item.study_id "
                    f"WHERE {OPEN_STUDY} AND NOT EXISTS (SELECT 1 FROM exposure WHERE exposure.study_id = study.id "
                    "AND exposure.answer_id = study_item.answer_id AND exposure.person = ?)",
                    (person,),
                )
                blind = self.mask_of([row[0] for row in rows])
            coded = {"labels": self.labels, "modes": self.modes}
            if blind.any():
                coded = {name: each.with_value(blind, IN_STUDY) for name, each in coded.items()}
            coded["directs"] = self._directs(blind)
            humans: dict[str, list[int]] = {}
            for label, place in self._humans:
                humans.setdefault(IN_STUDY if blind[place] else label, []).append(place)
            self._told[person] = Told(
                coded, {label: np.array(sorted(set(places)), np.int64) for label, places in sorted(humans.items())}
            )
        return self._told[person]

    def _directs(self, blind: Mask) -> Coded:
        """What the same configuration answered to the direct probe of the same event."""
        configurations = int(self.configuration_ids.max(initial=0)) + 1
        keys = self.event_ids.astype(np.int64) * configurations + self.configuration_ids
        correct, incorrect = self.labels.mask(["correct"]), self.labels.mask(["incorrect"])
        asked = np.isin(keys, keys[self.is_direct])
        right = np.isin(keys, keys[self.is_direct & correct])
        wrong = np.isin(keys, keys[self.is_direct & incorrect])
        hidden = np.isin(keys, keys[self.is_direct & blind])
        values = ("", *sorted((DIRECT_BOTH, DIRECT_NONE, DIRECT_RIGHT, DIRECT_UNJUDGED, DIRECT_WRONG, IN_STUDY)))
        code = values.index
        codes = np.select(
            [self.is_direct | self.is_log, hidden, right & wrong, right, wrong, asked],
            [0, *(code(v) for v in (IN_STUDY, DIRECT_BOTH, DIRECT_RIGHT, DIRECT_WRONG, DIRECT_UNJUDGED))],
            code(DIRECT_NONE),
        )
        return Coded(codes.astype(np.int64), values)

    # -- orders ----------------------------------------------------------------------------------------------

    def order(self, connection: sqlite3.Connection, name: str, person: str | None) -> Numbers:
        """All places in ascending order of a column, ties by id. Raises KeyError for what is no column."""
        key = name, person if name in ("label", "mode") else None
        if key not in self._orders:
            self._orders[key] = np.lexsort((self.ids, self._ranks(connection, name, person))).astype(np.int32)
        return self._orders[key]

    def _ranks(self, connection: sqlite3.Connection, name: str, person: str | None) -> Numbers:
        told = self.told(connection, person).coded
        coded = {
            "category": self.coded["categories"],
            "kind": self.coded["kinds"],
            "model": self.coded["models"],
            "effort": self.coded["efforts"],
            "harness": self.coded["harnesses"],
            "ending": self.coded["endings"],
            "date": self._dates,
            "label": told["labels"],
            "mode": told["modes"],
        }
        if name in coded:
            return coded[name].ranks
        if name == "entity":
            return self._entity_ranks()
        if name == "probe":
            return self._probe_ranks(connection)
        numbers: dict[str, Numbers] = {"queries": self.queries, "stored": self.ids}
        return numbers[name]

    def _entity_ranks(self) -> Numbers:
        coded = Coded.by(self.event_ids, self.entities)
        if not self.log_names:
            return coded.ranks
        texts = [coded.values[code] for code in coded.codes]
        for place, text in self.log_names.items():
            texts[place] = text
        return Coded.of(texts).ranks

    def _probe_ranks(self, connection: sqlite3.Connection) -> Numbers:
        texts = {row[0]: row[1] for row in connection.execute("SELECT id, text FROM probe_revision")}
        asked = [texts.get(int(revision), "") for revision in self.revision_ids]
        if self.is_log.any():
            wanted = json.dumps([int(item) for item in self.item_ids[self.is_log]])
            requests = connection.execute(
                "SELECT id, request FROM run_item WHERE id IN (SELECT value FROM json_each(?))", (wanted,)
            )
            request_of = {row[0]: row[1] for row in requests}
            for place in np.flatnonzero(self.is_log):
                asked[place] = request_of.get(int(self.item_ids[place]), "")
        return Coded.of(asked).ranks


_INDEXES: Kept[CaseIndex] = Kept(_STATE)


def case_index(database: Database, pool: CasePool) -> CaseIndex:
    """The present cases of a pool; read anew when they changed. Safe from any thread."""
    connection = database.read()
    return _INDEXES.get(database, lambda: _load(connection, pool), pool)


def _load(connection: sqlite3.Connection, pool: CasePool) -> CaseIndex:
    if connection.in_transaction:
        return CaseIndex(connection, pool)
    # One view of the project for all that is read.
    connection.execute("BEGIN")
    try:
        return CaseIndex(connection, pool)
    finally:
        connection.execute("COMMIT")
