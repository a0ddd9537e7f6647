"""Single cases with all that lists show of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from btc_gui.domain.case import IN_STUDY, UNCLASSIFIED, UNJUDGED, UNSCORED, CasePool, CaseRow
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeId, ProbeKind, RevisionId
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.store.classifications import COUNTING_CLASSIFICATION
from btc_gui.store.counting_verdict import COUNTING_VERDICT
from btc_gui.store.query import CHUNK, placeholders
from btc_gui.store.runs import configuration_from_row
from btc_gui.store.studies import OPEN_STUDY

#: Whether an answer without a query may have searched all the same: a search of the provider's that it does not reveal,
#: or an agent of others that told no steps. A thought that is hidden says nothing of searches.
HIDES_QUERIES = """
    (answer.queries = 0 AND run_item.configuration_id IN
        (SELECT id FROM configuration WHERE harness NOT IN ('shared', 'none'))
     AND EXISTS (SELECT 1 FROM step WHERE step.answer_id = answer.id AND step.kind = 'tool' AND step.hidden = 1))
"""
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
_FROM = f"""
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN run ON run.id = run_item.run_id
    JOIN configuration ON configuration.id = run_item.configuration_id
    LEFT JOIN probe ON probe.id = run_item.probe_id
    LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id
    LEFT JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT}
    LEFT JOIN classification ON classification.id = {COUNTING_CLASSIFICATION}
"""
_MODES = {mode.value: mode for mode in FailureMode}
# The cases of open studies that the person has not opened: who labels them must not know what the judge said.
_BLIND = f"""
    WITH blind AS (
        SELECT study_item.answer_id FROM study_item JOIN study ON study.id = study_item.study_id
        WHERE {OPEN_STUDY} AND NOT EXISTS (
            SELECT 1 FROM exposure WHERE exposure.study_id = study.id
            AND exposure.answer_id = study_item.answer_id AND exposure.person = ?)
    )
"""


def case_rows(connection: sqlite3.Connection, ids: Sequence[AnswerId], person: str | None) -> dict[AnswerId, CaseRow]:
    """The cases of `ids`, by id, as `person` may see them (None: all is told); unknown ids are left out."""
    blind, who, label, mode = "", [], _LABEL, _MODE
    if person is not None:
        blind, who = _BLIND, [person]
        label, mode = _unless_blind(label), _unless_blind(mode)
    found: dict[AnswerId, CaseRow] = {}
    # Many cases have few configurations: each is read once.
    configurations: dict[int, Configuration] = {}
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        rows = connection.execute(
            f"""
            {blind} SELECT answer.id, answer.ending, answer.ending_reason, answer.queries, answer.stored_at,
                   {HIDES_QUERIES} AS hides_queries,
                   run_item.run_id, run_item.probe_id, run_item.revision_id, run_item.configuration_id,
                   run_item.repetition,
                   probe.event_id, probe.kind, ifnull(probe_revision.text, run_item.request) AS text,
                   {_ENTITY} AS entity, event.category, event.date, run.purpose,
                   configuration.model, configuration.harness, configuration.effort, configuration.search,
                   configuration.prompt_hash, configuration.as_of, configuration.settings,
                   verdict.label, verdict.names_entity, verdict.unscored, {label} AS label_text,
                   {mode} AS mode_text, classification.by_construction,
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
            [*who, *part],
        )
        found.update({AnswerId(row["id"]): _case(row, configurations) for row in rows})
    return found


def _unless_blind(column: str) -> str:
    return f"CASE WHEN answer.id IN (SELECT answer_id FROM blind) THEN '{IN_STUDY}' ELSE {column} END"


def relatives(connection: sqlite3.Connection, own: CaseRow) -> list[AnswerId]:
    """The other cases of the same pool about the same event (see `CaseStore.relatives`)."""
    same_pool = "run.purpose = 'filter'" if own.pool is CasePool.FILTER else "run.purpose <> 'filter'"
    if own.event_id is None:
        rows = connection.execute(
            f"SELECT answer.id {_FROM} WHERE answer.is_final = 1 AND answer.id <> ? AND {same_pool} "
            f"AND run_item.probe_id IS NULL AND {_ENTITY} = ? "
            "ORDER BY configuration.model COLLATE NOCASE, run_item.repetition, answer.id",
            (own.answer_id, own.entity),
        )
        return [AnswerId(row["id"]) for row in rows]
    rows = connection.execute(
        f"SELECT answer.id {_FROM} "
        "JOIN answer AS own ON own.id = ? JOIN run_item AS own_item ON own_item.id = own.run_item_id "
        "JOIN probe AS own_probe ON own_probe.id = own_item.probe_id AND own_probe.event_id = probe.event_id "
        f"WHERE answer.is_final = 1 AND answer.id <> own.id AND {same_pool} "
        "ORDER BY probe.id <> own_probe.id, probe.kind, probe.ordinal, "
        "run_item.configuration_id <> own_item.configuration_id, configuration.model COLLATE NOCASE, "
        "configuration.effort, configuration.harness, run_item.repetition, answer.id",
        (own.answer_id,),
    )
    return [AnswerId(row["id"]) for row in rows]


def _case(row: sqlite3.Row, configurations: dict[int, Configuration]) -> CaseRow:
    configuration = configurations.get(row["configuration_id"])
    if configuration is None:
        configuration = configurations[row["configuration_id"]] = configuration_from_row(row)
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
        configuration=configuration,
        repetition=row["repetition"],
        ending=Ending(row["ending"]),
        queries=row["queries"],
        hides_queries=bool(row["hides_queries"]),
        label=Label(row["label"]) if row["label"] and not is_blind else None,
        label_text=row["label_text"],
        names_entity=None if is_blind or row["names_entity"] is None else bool(row["names_entity"]),
        unscored="" if is_blind else row["unscored"] or "",
        mode=_MODES.get(mode),
        mode_text=mode,
        by_construction=bool(row["by_construction"]) and bool(mode) and not is_blind,
        human_labels=row["human_labels"],
        notes=row["notes"],
        stored_at=row["stored_at"],
        pool=CasePool.FILTER if row["purpose"] == "filter" else CasePool.EVALUATION,
        ending_reason=row["ending_reason"],
    )
