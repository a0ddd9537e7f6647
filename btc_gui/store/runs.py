"""Runs, their planned items, the configurations they compare, and who drives a run now."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict

from btc_gui.domain.configuration import Configuration, ConfigurationId, Effort, Harness
from btc_gui.domain.dates import now_utc
from btc_gui.domain.forecast import Typical
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import ConfigurationProgress, PlannedItem, Purpose, Run, RunId, RunItemId, RunRecipe
from btc_gui.domain.trajectory import Ending, Usage
from btc_gui.errors import ProjectError, RunError
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders
from btc_gui.store.run_log import RunLogStore
from btc_gui.store.run_progress import tallies

#: Joins every attempt of an item (alias `answer`); with `is_final = 1` the one that counts.
_IS_PENDING = "NOT EXISTS (SELECT 1 FROM answer WHERE answer.run_item_id = run_item.id AND answer.is_final = 1)"


def configuration_from_row(row: sqlite3.Row) -> Configuration:
    """Read a configuration from a row that has the columns of its table."""
    return Configuration(
        model=row["model"],
        harness=Harness(row["harness"]),
        effort=Effort(row["effort"]),
        search=row["search"],
        prompt_hash=row["prompt_hash"],
        as_of=row["as_of"],
        settings=json.loads(row["settings"]),
    )


def usage_from_row(row: sqlite3.Row) -> Usage:
    """Read the tokens from a row that has an answer's columns (or their sums)."""
    return Usage(
        input=row["input_tokens"] or 0,
        output=row["output_tokens"] or 0,
        reasoning=row["reasoning_tokens"] or 0,
        cache_read=row["cache_read_tokens"] or 0,
        cache_write=row["cache_write_tokens"] or 0,
    )


class RunStore:
    """The runs of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- configurations --------------------------------------------------------------------------------------

    def add_configuration(self, configuration: Configuration) -> ConfigurationId:
        """The id of a configuration, which is added when the project does not have it yet."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO configuration (identity, model, harness, effort, search, prompt_hash, as_of, settings) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (identity) DO NOTHING",
                (
                    configuration.identity,
                    configuration.model,
                    configuration.harness,
                    configuration.effort,
                    configuration.search,
                    configuration.prompt_hash,
                    configuration.as_of,
                    json.dumps(dict(configuration.settings), ensure_ascii=False, sort_keys=True),
                ),
            )
            row = connection.execute("SELECT id FROM configuration WHERE identity = ?", (configuration.identity,))
            return ConfigurationId(row.fetchone()["id"])

    def configurations(self, ids: Sequence[ConfigurationId] | None = None) -> dict[ConfigurationId, Configuration]:
        """The configurations of `ids` by id (unknown ids left out), or all of the project."""
        connection = self._database.read()
        if ids is None:
            rows = connection.execute("SELECT * FROM configuration ORDER BY id").fetchall()
        else:
            rows = []
            for start in range(0, len(ids), CHUNK):
                part = ids[start : start + CHUNK]
                marks = placeholders(part)
                rows += connection.execute(f"SELECT * FROM configuration WHERE id IN ({marks})", part).fetchall()
        return {ConfigurationId(row["id"]): configuration_from_row(row) for row in rows}

    # -- runs ------------------------------------------------------------------------------------------------

    def create(
        self,
        name: str,
        recipe: RunRecipe,
        configurations: Sequence[Configuration],
        items: Sequence[tuple[ProbeId, RevisionId]],
        repetitions: int,
        created_by: str,
    ) -> RunId:
        """Plan a run: every item × configuration × repetition, in one transaction.

        An item or configuration named twice is planned once.
        """
        return self.create_each(name, recipe, [(each, items) for each in configurations], repetitions, created_by)

    def create_each(
        self,
        name: str,
        recipe: RunRecipe,
        plan: Sequence[tuple[Configuration, Sequence[tuple[ProbeId, RevisionId]]]],
        repetitions: int,
        created_by: str,
    ) -> RunId:
        """Plan a run in which each configuration has items of its own, in one transaction.

        An item that a configuration has twice is planned once.
        """
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO run (name, purpose, recipe, created_by, created_at) VALUES (?, ?, ?, ?, ?)",
                (name, recipe.purpose, json.dumps(asdict(recipe), sort_keys=True), created_by, now_utc()),
            )
            assert cursor.lastrowid is not None
            run_id = RunId(cursor.lastrowid)
            items_of: dict[ConfigurationId, dict[tuple[ProbeId, RevisionId], None]] = {}
            for configuration, items in plan:
                items_of.setdefault(self.add_configuration(configuration), {}).update(dict.fromkeys(items))
            connection.executemany(
                "INSERT INTO run_item (run_id, configuration_id, probe_id, revision_id, repetition) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    (run_id, configuration_id, probe_id, revision_id, repetition)
                    for configuration_id, items_once in items_of.items()
                    for repetition in range(1, repetitions + 1)
                    for probe_id, revision_id in items_once
                ),
            )
        return run_id

    def planned(self, run_ids: Sequence[RunId]) -> dict[str, set[RevisionId]]:
        """Which wordings these runs have planned, by the configuration's identity."""
        found: dict[str, set[RevisionId]] = {}
        for start in range(0, len(run_ids), CHUNK):
            part = run_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT DISTINCT configuration.identity, run_item.revision_id FROM run_item "
                "JOIN configuration ON configuration.id = run_item.configuration_id "
                f"WHERE run_item.revision_id IS NOT NULL AND run_item.run_id IN ({placeholders(part)})",
                part,
            )
            for row in rows:
                found.setdefault(row["identity"], set()).add(RevisionId(row["revision_id"]))
        return found

    def count_pending(self, run_id: RunId) -> int:
        """How many items of a run have no answer yet."""
        row = self._database.read().execute(
            f"SELECT count(*) FROM run_item WHERE run_id = ? AND {_IS_PENDING}", (run_id,)
        )
        return int(row.fetchone()[0])

    def ids(self) -> list[RunId]:
        """All runs, the newest first."""
        return [RunId(row["id"]) for row in self._database.read().execute("SELECT id FROM run ORDER BY id DESC")]

    def fetch(self, ids: Sequence[RunId]) -> dict[RunId, Run]:
        """The runs of `ids` by id (unknown ids left out)."""
        found: dict[RunId, Run] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(f"SELECT * FROM run WHERE id IN ({placeholders(part)})", part)
            for row in rows:
                recipe = json.loads(row["recipe"])
                found[RunId(row["id"])] = Run(
                    id=RunId(row["id"]),
                    name=row["name"],
                    recipe=RunRecipe(**{**recipe, "purpose": Purpose(row["purpose"])}),
                    created_by=row["created_by"],
                    created_at=row["created_at"],
                    lease_owner=row["lease_owner"],
                    lease_until=row["lease_until"],
                    origin=row["origin"],
                )
        return found

    def get(self, run_id: RunId) -> Run:
        """One run. Raises `ProjectError` when there is none of that id."""
        run = self.fetch([run_id]).get(run_id)
        if run is None:
            raise ProjectError(f"There is no run {run_id} in this project.")
        return run

    def set_max_cost(self, run_id: RunId, dollars: float | None) -> None:
        """Change what a run may cost; None takes the limit away."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE run SET recipe = json_set(recipe, '$.max_cost', ?) WHERE id = ?", (dollars, run_id)
            )

    def pending(self, run_id: RunId) -> list[PlannedItem]:
        """The items that have no answer yet, by configuration, in the order in which they were planned.

        The text is that of the revision the item was planned for, whatever the probe says now.
        """
        rows = self._database.read().execute(
            "SELECT run_item.*, probe.key AS probe_key, probe_revision.text FROM run_item "
            "JOIN probe ON probe.id = run_item.probe_id "
            "JOIN probe_revision ON probe_revision.id = run_item.revision_id "
            f"WHERE run_item.run_id = ? AND {_IS_PENDING} ORDER BY run_item.configuration_id, run_item.id",
            (run_id,),
        )
        return [
            PlannedItem(
                id=RunItemId(row["id"]),
                run_id=run_id,
                configuration_id=ConfigurationId(row["configuration_id"]),
                probe_id=ProbeId(row["probe_id"]),
                probe_key=row["probe_key"],
                revision_id=RevisionId(row["revision_id"]),
                text=row["text"],
                repetition=row["repetition"],
            )
            for row in rows
        ]

    def progress(self, run_id: RunId) -> list[ConfigurationProgress]:
        """How far each configuration of a run has come, in the order in which they were planned."""
        found = tallies(self._database, run_id)
        retries = RunLogStore(self._database).retries(run_id)
        configurations = self.configurations(list(found))
        return [
            ConfigurationProgress(
                configuration_id=number,
                configuration=configurations[number],
                planned=each.planned,
                pending=each.planned - each.by_ending.total(),
                attempts=each.attempts,
                by_ending=each.by_ending,
                usage=each.usage,
                cost=each.cost,
                seconds=each.seconds,
                retries=retries.get(number, {}),
            )
            for number, each in found.items()
        ]

    def spent(self, purposes: Sequence[Purpose]) -> float:
        """What all attempts in runs for these purposes have cost, in US dollars, as far as it is known."""
        row = self._database.read().execute(
            "SELECT total(answer.cost) FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
            f"JOIN run ON run.id = run_item.run_id WHERE run.purpose IN ({placeholders(purposes)})",
            tuple(purposes),
        )
        return float(row.fetchone()[0])

    def typical(self) -> dict[str, Typical]:
        """What one answer took on average in this project, by the configuration's identity.

        Cancelled and failed attempts say little about a whole answer, and are left out. A call is counted for
        each query and one for the answer.
        """
        rows = self._database.read().execute(
            "SELECT configuration.identity, avg(answer.queries) AS queries, "
            "avg(input_tokens + cache_read_tokens + cache_write_tokens) AS input, avg(output_tokens) AS output, "
            "avg(seconds) AS seconds FROM answer "
            "JOIN run_item ON run_item.id = answer.run_item_id "
            "JOIN configuration ON configuration.id = run_item.configuration_id "
            "WHERE answer.ending IN ('answered', 'no_answer', 'refused') GROUP BY configuration.id"
        )
        return {
            row["identity"]: Typical(
                row["queries"] + 1, row["input"], row["output"], row["seconds"] or 0.0, row["queries"]
            )
            for row in rows
        }

    def retry_failed(self, run_id: RunId) -> int:
        """Make the failed attempts of a run count no more, so that their items are pending again; how many.

        The attempts stay as rows. Raises `RunError` for a run that was read from somebody else's log: its samples
        are about no probe of the project, so nobody could ask them again, and they would be without an answer.
        """
        run = self.get(run_id)
        if run.is_import and not run.is_log:
            raise RunError("The answers of this run were loaded from files: they can't be asked again from here.")
        if run.is_import:
            raise RunError(
                "This run was read from somebody else's log: its samples can't be asked again from here.",
                "Run them again where the log is from, and load the new log.",
            )
        with self._database.write() as connection:
            cursor = connection.execute(
                "UPDATE answer SET is_final = 0 WHERE is_final = 1 AND ending = ? "
                "AND run_item_id IN (SELECT id FROM run_item WHERE run_id = ?)",
                (Ending.FAILED, run_id),
            )
            return cursor.rowcount
