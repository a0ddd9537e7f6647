"""What studies draw from: one row for every answer that counts, with what the machines said of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import Purpose
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import FrameRow
from btc_gui.domain.study import FrameFilter, StudyDesign
from btc_gui.domain.study_draw import Frame, build_frame
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import StudyError
from btc_gui.store.bodies import decode
from btc_gui.store.counting_verdict import COUNTING_VERDICT, PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.query import CHUNK, LOADED, Where, placeholders
from btc_gui.store.trials import NO_TRIAL

#: Of which role: the column and table that name its machines.
_MACHINES = {
    "judge": "SELECT DISTINCT judge FROM verdict WHERE is_current = 1 ORDER BY judge",
    "classifier": (
        "SELECT DISTINCT classifier FROM classification WHERE is_current = 1 AND by_construction = 0 ORDER BY 1"
    ),
}


class StudyFrameStore:
    """Reads frames. Nothing here writes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def machines(self, role: str) -> list[str]:
        """The judges or classifiers that have labelled something."""
        return [row[0] for row in self._database.read().execute(_MACHINES[role])]

    def machine(self, role: str, wanted: str) -> str:
        """The judge or classifier that a study is about: the one named, the primary judge, or the only one.

        Raises `StudyError` when there is none, another one, or a choice to make.
        """
        known = self.machines(role)
        if role == "judge" and not wanted:
            wanted = ProjectStore(self._database).value(PRIMARY_JUDGE)
        if wanted in known:
            return wanted
        if wanted:
            raise StudyError(f"No {role} “{wanted}” has labelled anything here.", f"There is: {', '.join(known)}.")
        if not known:
            raise StudyError(f"No {role} has labelled anything yet.", "Judge (or classify) the answers first.")
        if len(known) > 1:
            raise StudyError(f"There are several: {', '.join(known)}.", f"Name the {role} that the study is about.")
        return known[0]

    def answer_texts(self, answer_ids: Sequence[AnswerId]) -> Iterator[tuple[AnswerId, str]]:
        """The answers themselves, without those that have none."""
        for start in range(0, len(answer_ids), CHUNK):
            part = answer_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT answer.id, encoding, content FROM answer JOIN body ON body.id = answer.body_id "
                f"WHERE answer.id IN ({placeholders(part)})",
                part,
            )
            yield from ((AnswerId(row[0]), decode(row[1], row[2])) for row in rows)

    def frame(self, design: StudyDesign) -> Frame:
        """What a design would draw from, with every exclusion counted.

        Raises `StudyError` when no (or more than one) judge or classifier fits, `InputError` for a design that
        can't be carried out.
        """
        design.check()
        return build_frame(design, self.rows(design.frame, study_kind(design.kind).machine))

    def rows(self, chosen: FrameFilter, role: str) -> list[FrameRow]:
        """Every final answer that the filter lets through, with the labels of the machine of `role`.

        The other role's label is the one that counts. Raises `StudyError` (see `machine`).
        """
        machine = self.machine(role, chosen.machine)
        where = Where()
        where.add(f"answer.is_final = 1 AND run.purpose <> ? AND {NO_TRIAL}", Purpose.FILTER)
        where.add(LOADED.format(table="probe"))
        where.add_in("event.category", chosen.categories)
        where.add_in("probe.kind", chosen.probe_kinds)
        where.add_in("configuration.harness", chosen.harnesses)
        where.add_in("configuration.model", chosen.models)
        where.add_in("configuration.effort", chosen.efforts)
        where.add_in("run.id", chosen.run_ids)
        rows = (
            self._database.read()
            .execute(
                f"""
            SELECT answer.id, answer.ending, answer.queries, run_item.repetition,
                   probe.key, probe.kind, probe.event_id, probe_revision.number AS revision,
                   probe_revision.facts_hash <> event_revision.facts_hash AS stale, event.category,
                   configuration.model, configuration.harness, configuration.effort, configuration.identity,
                   verdict.id AS verdict_id, verdict.label, verdict.names_entity,
                   classification.id AS classification_id, classification.mode, classification.by_construction
            FROM answer
            JOIN run_item ON run_item.id = answer.run_item_id
            JOIN run ON run.id = run_item.run_id
            JOIN configuration ON configuration.id = run_item.configuration_id
            JOIN probe ON probe.id = run_item.probe_id
            JOIN probe_revision ON probe_revision.id = run_item.revision_id
            JOIN event ON event.id = probe.event_id
            JOIN event_revision ON event_revision.id = event.revision_id
            LEFT JOIN verdict ON verdict.id = (
                CASE WHEN ? = 'judge' THEN (SELECT max(id) FROM verdict
                    WHERE verdict.answer_id = answer.id AND is_current = 1 AND judge = ?)
                ELSE {COUNTING_VERDICT} END)
            LEFT JOIN classification ON classification.id = (
                SELECT max(id) FROM classification
                WHERE classification.answer_id = answer.id AND is_current = 1
                AND (? <> 'classifier' OR classifier = ? OR by_construction = 1))
            {where.sql} ORDER BY answer.id
            """,
                [role, machine, role, machine, *where.values],
            )
            .fetchall()
        )
        titles = _titles(rows)
        return [_row(row, titles[row["identity"]]) for row in rows]


def _titles(rows: list[sqlite3.Row]) -> dict[str, str]:
    """A title for each configuration; those that share one get the beginning of their identity added."""
    plain = {row["identity"]: f"{row['model']} · {row['effort']} · {row['harness']}" for row in rows}
    shared = list(plain.values())
    return {
        identity: f"{title} · {identity[:8]}" if shared.count(title) > 1 else title for identity, title in plain.items()
    }


def _row(row: sqlite3.Row, title: str) -> FrameRow:
    return FrameRow(
        answer_id=AnswerId(row["id"]),
        key=f"{row['key']}/{row['revision']}/{title}/{row['repetition']}",
        event=str(row["event_id"]),
        category=row["category"],
        probe_kind=ProbeKind(row["kind"]),
        model=row["model"],
        harness=row["harness"],
        effort=row["effort"],
        configuration=title,
        ending=Ending(row["ending"]),
        queries=row["queries"],
        is_stale=bool(row["stale"]),
        judged=row["verdict_id"] is not None,
        label=Label(row["label"]) if row["label"] else None,
        names_entity=None if row["names_entity"] is None else bool(row["names_entity"]),
        classified=row["classification_id"] is not None,
        mode=FailureMode(row["mode"]) if row["mode"] else None,
        by_construction=bool(row["by_construction"]),
    )
