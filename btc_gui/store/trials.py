"""Trials: probes put to an agent to see what comes, in runs that are no evaluations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.dates import day_words, now_utc
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import TRIALS_ORIGIN, RunId, RunItemId, RunRecipe
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import RunError
from btc_gui.store.database import Database
from btc_gui.store.leases import LeaseStore
from btc_gui.store.query import placeholders
from btc_gui.store.runs import RunStore

#: A condition on runs (as `run`) that leaves trials out.
NO_TRIAL = f"run.origin NOT LIKE '{TRIALS_ORIGIN}%'"


class TrialStore:
    """The trials of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def plan(
        self, recipe: RunRecipe, configurations: Sequence[Configuration], probe: tuple[ProbeId, RevisionId], author: str
    ) -> tuple[RunId, list[RunItemId]]:
        """Plan one more answer of each configuration to a probe, in the run of trials of the recipe's day.

        Earlier trials that were given up are not asked again: only what is planned now will be pending. Raises
        `RunError` while a trial of that day goes on elsewhere.
        """
        origin = TRIALS_ORIGIN + recipe.current_date
        runs = RunStore(self._database)
        with self._database.write() as connection:
            row = connection.execute("SELECT * FROM run WHERE origin = ?", (origin,)).fetchone()
            if row is None:
                cursor = connection.execute(
                    "INSERT INTO run (name, purpose, recipe, created_by, created_at, origin) VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        f"Trials of {day_words(date.fromisoformat(recipe.current_date))}",
                        recipe.purpose,
                        json.dumps(asdict(recipe), sort_keys=True),
                        author,
                        now_utc(),
                        origin,
                    ),
                )
                run_id = RunId(int(cursor.lastrowid or 0))
            else:
                run_id = RunId(row["id"])
                if LeaseStore(self._database).is_driven(run_id):
                    raise RunError("Another probe is being tried.", "Wait until that is done, or stop it.")
            connection.execute(
                "DELETE FROM run_item WHERE run_id = ? "
                "AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.run_item_id = run_item.id)",
                (run_id,),
            )
            connection.execute(
                "UPDATE answer SET is_final = 1 WHERE id IN (SELECT max(answer.id) FROM answer "
                "JOIN run_item ON run_item.id = answer.run_item_id WHERE run_item.run_id = ? "
                "GROUP BY run_item.id HAVING max(answer.is_final) = 0)",
                (run_id,),
            )
            items = []
            for configuration in configurations:
                key = (run_id, runs.add_configuration(configuration), *probe)
                cursor = connection.execute(
                    "INSERT INTO run_item (run_id, configuration_id, probe_id, revision_id, repetition) "
                    "SELECT ?1, ?2, ?3, ?4, 1 + ifnull(max(repetition), 0) FROM run_item "
                    "WHERE run_id = ?1 AND configuration_id = ?2 AND revision_id = ?4",
                    key,
                )
                items.append(RunItemId(int(cursor.lastrowid or 0)))
        return run_id, items

    def answers(self, items: Sequence[RunItemId]) -> list[AnswerId]:
        """The newest answer to each of these items that has one, in the items' order."""
        rows = self._database.read().execute(
            f"SELECT max(id) FROM answer WHERE run_item_id IN ({placeholders(items)}) "
            "GROUP BY run_item_id ORDER BY run_item_id",
            items,
        )
        return [AnswerId(row[0]) for row in rows]
