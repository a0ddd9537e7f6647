"""Counts over final answers, their verdicts and failure modes: what the tables of results are made from."""

from __future__ import annotations

from btc_gui.domain.accuracy_table import AnswerTally, Pooling
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import Ending
from btc_gui.domain.verdict import Label
from btc_gui.store.classifications import COUNTING_CLASSIFICATION
from btc_gui.store.database import Database
from btc_gui.store.query import LOADED
from btc_gui.store.verdicts import COUNTING_VERDICT

_WHERE = f"answer.is_final = 1 AND {LOADED.format(table='probe')} AND {LOADED.format(table='event')}"
_COUNTED = f"""
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN run ON run.id = run_item.run_id AND run.purpose <> 'filter'
    JOIN configuration ON configuration.id = run_item.configuration_id
    JOIN probe ON probe.id = run_item.probe_id
    JOIN event ON event.id = probe.event_id
    WHERE {_WHERE}
"""
# The same answers as the cases: what a table counts can be opened there.
_TALLIES = f"""
    SELECT event.category, probe.kind, configuration.model, configuration.effort, configuration.harness,
           answer.ending, verdict.label, verdict.id IS NOT NULL AS is_judged,
           classification.mode, classification.id IS NOT NULL AS is_classified, count(*) AS n
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN run ON run.id = run_item.run_id AND run.purpose <> 'filter'
    JOIN configuration ON configuration.id = run_item.configuration_id
    JOIN probe ON probe.id = run_item.probe_id
    JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT}
    LEFT JOIN classification ON classification.id = {COUNTING_CLASSIFICATION}
    WHERE {_WHERE}
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""


class ResultStore:
    """The counts behind the tables of results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tallies(self) -> list[AnswerTally]:
        """All final answers of evaluations, counted by everything that the tables need."""
        return [
            AnswerTally(
                category=row["category"],
                kind=ProbeKind(row["kind"]),
                model=row["model"],
                effort=row["effort"],
                harness=row["harness"],
                ending=Ending(row["ending"]),
                label=Label(row["label"]) if row["label"] else None,
                is_judged=bool(row["is_judged"]),
                mode=FailureMode(row["mode"]) if row["mode"] else None,
                is_classified=bool(row["is_classified"]),
                count=row["n"],
            )
            for row in self._database.read().execute(_TALLIES).fetchall()
        ]

    def pooling(self) -> Pooling:
        """What the tables put together that a reader would hold apart."""
        read = self._database.read()
        rows = read.execute(
            "SELECT model, effort, harness FROM (SELECT DISTINCT configuration.id, model, effort, harness "
            f"{_COUNTED}) GROUP BY 1, 2, 3 HAVING count(*) > 1 ORDER BY model COLLATE NOCASE, harness, effort"
        ).fetchall()
        repeated = read.execute(
            "SELECT ifnull(sum(n), 0) FROM (SELECT count(*) AS n, row_number() OVER "
            "(PARTITION BY run_item.configuration_id, run_item.revision_id ORDER BY run.id) AS place "
            f"{_COUNTED} GROUP BY run_item.configuration_id, run_item.revision_id, run.id) WHERE place > 1"
        ).fetchone()
        titles = tuple(f"{row['model']} · {row['effort']} · {row['harness']}" for row in rows)
        return Pooling(titles, repeated[0])
