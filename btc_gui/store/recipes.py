"""What a run consists of, by the names that are the same in every project; and finding those names again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import RunId
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders


@dataclass(frozen=True, slots=True)
class RecipeItem:
    """A planned wording of a probe; `facts_hash` is that of its event's current facts."""

    configuration_id: ConfigurationId
    probe_key: str
    kind: str
    category: str
    revision: int
    text_hash: str
    facts_hash: str
    repetitions: int


@dataclass(frozen=True, slots=True)
class MachineUse:
    """A judge or classifier of a run's answers: by which prompts, and how many labels it gave them."""

    role: str
    name: str
    prompts: tuple[str, ...]
    labels: int


@dataclass(frozen=True, slots=True)
class RunDates:
    """When a run's answers began and ended (empty without answers), and how many count."""

    first: str
    last: str
    answers: int


@dataclass(frozen=True, slots=True)
class KnownProbe:
    """A probe of this project: its event's facts, and its wordings by the hash of their text."""

    probe_id: ProbeId
    facts_hash: str
    revisions: dict[str, RevisionId]


class RecipeStore:
    """Reads what recipes are made of. Nothing here writes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def items(self, run_id: RunId) -> list[RecipeItem]:
        """What each configuration was to answer, in the order in which it was planned."""
        rows = self._database.read().execute(
            "SELECT run_item.configuration_id, probe.key, probe.kind, event.category, probe_revision.number, "
            "probe_revision.text_hash, event_revision.facts_hash, max(run_item.repetition) AS repetitions "
            "FROM run_item JOIN probe ON probe.id = run_item.probe_id "
            "JOIN probe_revision ON probe_revision.id = run_item.revision_id "
            "JOIN event ON event.id = probe.event_id JOIN event_revision ON event_revision.id = event.revision_id "
            "WHERE run_item.run_id = ? GROUP BY run_item.configuration_id, run_item.revision_id "
            "ORDER BY min(run_item.id)",
            (run_id,),
        )
        return [
            RecipeItem(
                ConfigurationId(row["configuration_id"]),
                row["key"],
                row["kind"],
                row["category"],
                row["number"],
                row["text_hash"],
                row["facts_hash"],
                row["repetitions"],
            )
            for row in rows
        ]

    def without_probe(self, run_id: RunId) -> int:
        """How many items belong to no probe of the project (samples of others' logs)."""
        row = self._database.read().execute(
            "SELECT count(*) FROM run_item WHERE run_id = ? AND (probe_id IS NULL OR revision_id IS NULL)", (run_id,)
        )
        return int(row.fetchone()[0])

    def dates(self, run_id: RunId) -> RunDates:
        """When its answers were made."""
        row = (
            self._database.read()
            .execute(
                "SELECT min(nullif(started_at, '')) AS first, max(nullif(finished_at, '')) AS last, count(*) AS n "
                "FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
                "WHERE run_item.run_id = ? AND answer.is_final = 1",
                (run_id,),
            )
            .fetchone()
        )
        return RunDates(row["first"] or "", row["last"] or "", row["n"])

    def machines(self, run_id: RunId) -> list[MachineUse]:
        """The judges and classifiers that labelled answers of a run, with the prompts they were asked by."""
        found = []
        for role, table, name in (("judge", "verdict", "judge"), ("classifier", "classification", "classifier")):
            rows = self._database.read().execute(
                f"SELECT {table}.{name} AS name, json_group_array(DISTINCT model_call.prompt_hash) AS prompts, "
                f"count(*) AS labels FROM {table} JOIN model_call ON model_call.id = {table}.call_id "
                f"JOIN answer ON answer.id = {table}.answer_id JOIN run_item ON run_item.id = answer.run_item_id "
                f"WHERE run_item.run_id = ? AND {table}.is_current = 1 GROUP BY 1 ORDER BY 1",
                (run_id,),
            )
            found += [
                MachineUse(role, row["name"], tuple(sorted(json.loads(row["prompts"]))), row["labels"]) for row in rows
            ]
        return found

    def probes(self, keys: Sequence[str]) -> dict[str, KnownProbe]:
        """The probes of these keys, with all their wordings (unknown keys left out)."""
        found: dict[str, KnownProbe] = {}
        for start in range(0, len(keys), CHUNK):
            part = keys[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT probe.key, probe.id, event_revision.facts_hash, probe_revision.id AS revision_id, "
                "probe_revision.text_hash FROM probe JOIN probe_revision ON probe_revision.probe_id = probe.id "
                "JOIN event ON event.id = probe.event_id JOIN event_revision ON event_revision.id = event.revision_id "
                f"WHERE probe.key IN ({placeholders(part)}) ORDER BY probe_revision.id",
                part,
            )
            for row in rows:
                known = found.setdefault(row["key"], KnownProbe(ProbeId(row["id"]), row["facts_hash"], {}))
                known.revisions[row["text_hash"]] = RevisionId(row["revision_id"])
        return found
