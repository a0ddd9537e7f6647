"""Answers from logs and files: the runs they belong to, planned when they are first seen, and each answer once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.dates import now_utc
from btc_gui.domain.origin import LOG_ORIGIN, RUN_ORIGIN, Origin, run_identity
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.probe_index import Wording
from btc_gui.domain.run import ANSWERS_ORIGIN, RunId, RunItemId, RunRecipe
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, LOADED, placeholders
from btc_gui.store.runs import RunStore


@dataclass(frozen=True, slots=True)
class Asked:
    """What an item asked: a probe's wording, or the request of a sample of others."""

    request: str
    probe_key: str
    text_hash: str
    sample: str


class ImportStore:
    """Where the answers of logs and files go."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._runs = RunStore(database)

    def known(self, uuids: Sequence[str]) -> set[str]:
        """Those of `uuids` whose answers the project has."""
        found: set[str] = set()
        for start in range(0, len(uuids), CHUNK):
            part = uuids[start : start + CHUNK]
            rows = self._database.read().execute(f"SELECT uuid FROM answer WHERE uuid IN ({placeholders(part)})", part)
            found.update(row["uuid"] for row in rows)
        return found

    def run_of_log(self, log_id: str, name: str, recipe: RunRecipe, created_by: str) -> RunId:
        """The run that stands for a log of others; the same one each time."""
        return self._run(LOG_ORIGIN + log_id, name, recipe, created_by, now_utc())

    def run_of(self, origin: Origin) -> RunId:
        """The run that our logs name: the one planned here, else one that stands for it."""
        for run in self._runs.fetch(self._runs.ids()).values():
            if run_identity(run) == origin.run:
                return run.id
        return self._run(RUN_ORIGIN + origin.run, origin.name, origin.recipe, origin.created_by, origin.created_at)

    def run_of_answers(self, name: str, recipe: RunRecipe, created_by: str) -> RunId:
        """The run of that name that holds answers from files; the same one each time."""
        return self._run(ANSWERS_ORIGIN + name, name, recipe, created_by, now_utc())

    def answers_of_run(self, name: str) -> list[tuple[str, RevisionId, int, str]]:
        """The answers that `run_of_answers` has: configuration's identity, wording, repetition, uuid."""
        rows = self._database.read().execute(
            "SELECT configuration.identity, run_item.revision_id, run_item.repetition, answer.uuid FROM run "
            "JOIN run_item ON run_item.run_id = run.id "
            "JOIN configuration ON configuration.id = run_item.configuration_id "
            "JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1 "
            "WHERE run.origin = ? AND run_item.revision_id IS NOT NULL",
            (ANSWERS_ORIGIN + name,),
        )
        return [(row[0], RevisionId(row[1]), row[2], row[3]) for row in rows]

    def wordings(self) -> Iterator[Wording]:
        """Every wording of every probe that counts, those of a probe from the oldest to the newest."""
        rows = self._database.read().execute(
            "SELECT probe.id, probe.key, probe_revision.id, probe_revision.text_hash, "
            "probe_revision.id = probe.revision_id FROM probe "
            "JOIN probe_revision ON probe_revision.probe_id = probe.id "
            f"WHERE {LOADED.format(table='probe')} ORDER BY probe.id, probe_revision.number"
        )
        for row in rows:
            yield Wording(ProbeId(row[0]), row[1], RevisionId(row[2]), row[3], bool(row[4]))

    def _run(self, origin: str, name: str, recipe: RunRecipe, created_by: str, created_at: str) -> RunId:
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO run (name, purpose, recipe, created_by, created_at, origin) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (origin) WHERE origin <> '' DO NOTHING",
                (name, recipe.purpose, json.dumps(asdict(recipe), sort_keys=True), created_by, created_at, origin),
            )
            row = connection.execute("SELECT id FROM run WHERE origin = ?", (origin,)).fetchone()
            return RunId(row["id"])

    def asked(self, ids: Sequence[RunItemId]) -> dict[RunItemId, Asked]:
        """What these items asked."""
        found: dict[RunItemId, Asked] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT run_item.id, run_item.request, run_item.sample, probe.key, probe_revision.text, "
                "probe_revision.text_hash FROM run_item LEFT JOIN probe ON probe.id = run_item.probe_id "
                "LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id "
                f"WHERE run_item.id IN ({placeholders(part)})",
                part,
            )
            for row in rows:
                found[RunItemId(row["id"])] = Asked(
                    row["text"] or row["request"], row["key"] or "", row["text_hash"] or "", row["sample"]
                )
        return found

    def configuration(self, configuration: Configuration) -> ConfigurationId:
        """The id of a configuration, which is added when the project does not have it."""
        return self._runs.add_configuration(configuration)

    def revision(self, probe_key: str, text_hash: str) -> tuple[ProbeId, RevisionId] | None:
        """The probe of this key in this wording; None when the project does not have it."""
        row = (
            self._database.read()
            .execute(
                "SELECT probe.id AS probe_id, probe_revision.id FROM probe "
                "JOIN probe_revision ON probe_revision.probe_id = probe.id "
                "WHERE probe.key = ? AND probe_revision.text_hash = ? "
                f"AND {LOADED.format(table='probe')} ORDER BY probe_revision.number DESC LIMIT 1",
                (probe_key, text_hash),
            )
            .fetchone()
        )
        return (ProbeId(row["probe_id"]), RevisionId(row["id"])) if row else None

    def item_of_revision(
        self,
        run_id: RunId,
        configuration_id: ConfigurationId,
        probe_id: ProbeId,
        revision_id: RevisionId,
        repetition: int,
    ) -> RunItemId:
        """The item of a run for this wording of a probe; planned when it is not there."""
        with self._database.write(durable=False) as connection:
            return _item(connection, (run_id, configuration_id, probe_id, revision_id, "", repetition), "")

    def item_of_sample(
        self, run_id: RunId, configuration_id: ConfigurationId, sample: str, repetition: int, request: str
    ) -> RunItemId:
        """The item of a run for a sample that is about no probe of the project."""
        with self._database.write(durable=False) as connection:
            return _item(connection, (run_id, configuration_id, None, None, sample, repetition), request)


def _item(connection: sqlite3.Connection, key: tuple[object, ...], request: str) -> RunItemId:
    connection.execute(
        "INSERT INTO run_item (run_id, configuration_id, probe_id, revision_id, sample, repetition, request) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (*key, request),
    )
    run_id, configuration_id, _, revision_id, sample, repetition = key
    row = connection.execute(
        "SELECT id FROM run_item WHERE run_id = ? AND configuration_id = ? AND ifnull(revision_id, 0) = ? "
        "AND sample = ? AND repetition = ?",
        (run_id, configuration_id, revision_id or 0, sample, repetition),
    ).fetchone()
    return RunItemId(row["id"])
