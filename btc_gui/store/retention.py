"""Retention, read from the answers of filter runs and their verdicts: nothing of it is stored twice."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from btc_gui.domain.configuration import ConfigurationId, Effort, Harness
from btc_gui.domain.ending import Ending
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, ProbeKind, RevisionId
from btc_gui.domain.purpose import Purpose
from btc_gui.domain.retention import (
    AGAINST,
    FilterAnswer,
    RetainedProbe,
    Retention,
    RetentionCount,
    Standing,
    standing_of,
)
from btc_gui.records import dataclass
from btc_gui.store.counting_verdict import COUNTING_VERDICT, IS_COUNTING, PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.kept import NOT_COUNTING, Kept
from btc_gui.store.query import CHUNK, LOADED, Where, placeholders

if TYPE_CHECKING:
    from btc_gui.domain.run import RunId

_OUTCOME = f"""
    CASE WHEN answer.id IS NULL THEN '{FilterAnswer.PENDING}'
         WHEN answer.ending = '{Ending.REFUSED}' THEN '{FilterAnswer.REFUSED}'
         WHEN answer.ending = '{Ending.NO_ANSWER}' THEN '{FilterAnswer.NO_ANSWER}'
         WHEN answer.ending = '{Ending.FAILED}' THEN '{FilterAnswer.FAILED}'
         WHEN verdict.id IS NULL THEN '{FilterAnswer.UNJUDGED}'
         WHEN verdict.label IS NULL THEN '{FilterAnswer.UNSCORED}'
         WHEN verdict.label = 'correct' THEN '{FilterAnswer.LEAVES_OUT}'
         WHEN verdict.names_entity = 0 THEN '{FilterAnswer.CONTRADICTORY}'
         ELSE '{FilterAnswer.RECOMMENDS}' END
"""
#: Every planned no-search answer to the current wording of an indirect probe, with its outcome.
_ANSWERS = f"""
    FROM run
    JOIN run_item ON run_item.run_id = run.id
    JOIN configuration ON configuration.id = run_item.configuration_id
    JOIN probe ON probe.id = run_item.probe_id AND probe.revision_id = run_item.revision_id
    LEFT JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1
    LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT}
"""


# The same answers in three parts: how many are planned, what the judged ones say, and those that are no answer.
_FILTERS = f"run_item.run_id IN (SELECT id FROM run WHERE purpose = '{Purpose.FILTER}')"
_PLANNED = f"""
    SELECT configuration_id, revision_id, count(*) FROM run_item WHERE {_FILTERS}
    GROUP BY run_id, configuration_id, ifnull(revision_id, 0)
"""
_SAID = f"""
    SELECT run_item.configuration_id, run_item.revision_id, {_OUTCOME} AS outcome, count(*) {{answers}}
    CROSS JOIN run_item ON run_item.id = answer.run_item_id WHERE {_FILTERS} AND answer.is_final = 1 AND {{those}}
    GROUP BY 1, 2, 3
"""
_JUDGED = _SAID.format(
    answers="FROM verdict CROSS JOIN answer ON answer.id = verdict.answer_id",
    those=f"answer.ending = '{Ending.ANSWERED}' AND {IS_COUNTING}",
)
_UNANSWERED = _SAID.format(
    answers=f"FROM answer LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT}",
    those=f"answer.ending IN ('{Ending.REFUSED}', '{Ending.NO_ANSWER}', '{Ending.FAILED}')",
)
#: Before the model's name: the key of the project's value that names the configuration whose filter counts.
_PREFERRED = "filter_configuration:"
#: For a state: whose verdicts and which configurations' answers count, where people have said so.
WHOSE_COUNTS = (
    f"(SELECT group_concat(key || value) FROM project WHERE key = '{PRIMARY_JUDGE}' OR key GLOB '{_PREFERRED}*')"
)
# What the counts are made of. Rows are appended, and what is changed in place shows in one of these: decisions change
# nothing but which wording counts.
_STATE = f"""
    SELECT (SELECT max(id) FROM verdict), (SELECT max(id) FROM answer), {NOT_COUNTING},
           (SELECT max(id) FROM run), (SELECT max(id) FROM run_item),
           (SELECT sum(id * revision_id) FROM probe), (SELECT max(id) FROM event_revision),
           (SELECT group_concat(id) FROM load WHERE completed_at IS NULL), (SELECT count(*) FROM probe),
           {WHOSE_COUNTS}
"""


@dataclass(frozen=True, slots=True)
class _Whole:
    """Retention of the whole project: the counts, and the probes that each model retains in their current wording."""

    counts: tuple[RetentionCount, ...]
    retained: Mapping[str, frozenset[ProbeId]]


_WHOLE: Kept[_Whole] = Kept(_STATE)


class RetentionStore:
    """Which models retain which probes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- probe by probe --------------------------------------------------------------------------------------

    def of_probes(self, ids: Sequence[ProbeId]) -> dict[ProbeId, dict[str, Retention]]:
        """For each of these probes in its current wording, where each model stands (unfiltered ones left out)."""
        found: dict[ProbeId, dict[str, Retention]] = defaultdict(dict)
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            for each in self._retentions(f"probe.id IN ({placeholders(part)})", part):
                found[each.probe_id][each.model] = each
        return dict(found)

    def was_filtered(self, probe_id: ProbeId) -> bool:
        """Whether any wording of a probe was ever planned for a filter."""
        row = self._database.read().execute(
            "SELECT 1 FROM run_item JOIN run ON run.id = run_item.run_id "
            "WHERE run_item.probe_id = ? AND run.purpose = ? LIMIT 1",
            (probe_id, Purpose.FILTER),
        )
        return row.fetchone() is not None

    def of_model(self, model: str) -> dict[ProbeId, Retention]:
        """Where a model stands on every probe that was put to it in its current wording."""
        # By the configurations' ids: so the index finds the model's items, and nobody else's are read.
        own = "run_item.configuration_id IN (SELECT id FROM configuration WHERE model = ?)"
        return {each.probe_id: each for each in self._retentions(own, [model])}

    def models(self) -> list[str]:
        """The models that a filter was planned for, by name."""
        rows = self._database.read().execute(
            "SELECT DISTINCT model FROM configuration WHERE harness = ? AND EXISTS (SELECT 1 FROM run_item "
            "JOIN run ON run.id = run_item.run_id WHERE run_item.configuration_id = configuration.id "
            "AND run.purpose = ?) ORDER BY 1",
            (Harness.NONE, Purpose.FILTER),
        )
        return [row["model"] for row in rows]

    def retained(self, models: Collection[str]) -> list[RetainedProbe]:
        """The probes that every one of these models retains in its current wording, by event and ordinal.

        With one model its retained probes, with several the set that is common to them.
        """
        return self.retained_in([self.of_model(model) for model in models])

    def retained_in(self, standings: Sequence[Mapping[ProbeId, Retention]]) -> list[RetainedProbe]:
        """The probes that all of these models (given by where they stand) retain, by event and ordinal."""
        sets = [{i for i, each in found.items() if each.standing is Standing.RETAINED} for found in standings]
        return self._retained_probes(sorted(set.intersection(*sets)) if sets else [])

    def retained_by(self, probe_ids: Sequence[ProbeId]) -> dict[ProbeId, tuple[str, ...]]:
        """The models that retain each of these probes, by name (probes that none does left out)."""
        found = {}
        for probe_id, by_model in self.of_probes(probe_ids).items():
            names = tuple(sorted(name for name, each in by_model.items() if each.standing is Standing.RETAINED))
            if names:
                found[probe_id] = names
        return found

    def _retentions(self, condition: str, values: Sequence[object]) -> Iterator[Retention]:
        where = Where()
        where.add("run.purpose = ?", Purpose.FILTER)
        where.add(condition, *values)
        rows = self._database.read().execute(
            f"SELECT run_item.probe_id, run_item.revision_id, run_item.configuration_id, configuration.model, "
            f"{_OUTCOME} AS outcome, count(*) AS n {_ANSWERS} {where.sql} "
            "GROUP BY run_item.probe_id, run_item.configuration_id, outcome "
            "ORDER BY run_item.probe_id, run_item.configuration_id",
            where.values,
        )
        return _counting(rows, self._preferred())

    def prefer(self, identities: Mapping[str, str]) -> None:
        """Let the answers of these configurations (by model, the identity) count from now on, where there are any.

        Said by every filter: settings that are changed back bring the earlier answers back with them.
        """
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO project (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [(f"{_PREFERRED}{model}", identity) for model, identity in identities.items()],
            )

    def _preferred(self) -> frozenset[int]:
        rows = self._database.read().execute(
            "SELECT configuration.id FROM project JOIN configuration ON configuration.identity = project.value "
            "AND project.key = ? || configuration.model",
            (_PREFERRED,),
        )
        return frozenset(row["id"] for row in rows)

    def _retained_probes(self, ids: Sequence[ProbeId]) -> list[RetainedProbe]:
        found: list[tuple[tuple[int, int], RetainedProbe]] = []
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT probe.id, probe.key, probe.revision_id, probe.event_id, probe.ordinal, event.category, "
                "probe_revision.text_hash, event_revision.facts_hash, "
                "(probe.status = 'accepted' AND probe.decided_facts_hash = event_revision.facts_hash) AS is_usable "
                "FROM probe JOIN probe_revision ON probe_revision.id = probe.revision_id "
                "JOIN event ON event.id = probe.event_id "
                "JOIN event_revision ON event_revision.id = event.revision_id "
                f"WHERE {LOADED.format(table='probe')} AND {LOADED.format(table='event')} "
                f"AND probe.kind = '{ProbeKind.INDIRECT}' AND probe.id IN ({placeholders(part)})",
                part,
            )
            found += [((row["event_id"], row["ordinal"]), _retained_probe(row)) for row in rows]
        return [probe for _, probe in sorted(found, key=lambda pair: (pair[0], pair[1].probe_id))]

    # -- counts ----------------------------------------------------------------------------------------------

    def counts(self) -> list[RetentionCount]:
        """Events, generated and retained probes, for each category and model that a filter was planned for."""
        return list(self._whole().counts)

    def retained_ids(self, models: Collection[str], *, by_any: bool = False) -> frozenset[ProbeId]:
        """The indirect probes that all of these models (or any of them) retain in their current wording."""
        retained = self._whole().retained
        of_models = [retained.get(model, frozenset()) for model in models]
        join = frozenset.union if by_any else frozenset.intersection
        return join(*of_models) if of_models else frozenset()

    def _whole(self) -> _Whole:
        """Read once and kept: it takes a second or two where a filter has hundreds of thousands of answers."""
        return _WHOLE.get(self._database, self._read_whole)

    def _read_whole(self) -> _Whole:
        read = self._database.read()
        totals = {
            row["category"]: (row["events"], row["probes"])
            for row in read.execute(
                "SELECT event.category, count(DISTINCT event.id) AS events, count(probe.id) AS probes FROM event "
                f"LEFT JOIN probe ON probe.event_id = event.id AND probe.kind = '{ProbeKind.INDIRECT}' "
                f"AND {LOADED.format(table='probe')} WHERE {LOADED.format(table='event')} GROUP BY event.category"
            )
        }
        of_wording: dict[int, tuple[str, int, ProbeId]] = {
            row[0]: (row[1], row[2], row[3])
            for row in read.execute(
                "SELECT probe.revision_id, event.category, event.id, probe.id FROM probe "
                "JOIN event ON event.id = probe.event_id "
                f"WHERE {LOADED.format(table='probe')} AND {LOADED.format(table='event')} AND probe.kind = ?",
                (ProbeKind.INDIRECT,),
            )
        }
        standings = self._standings()
        counts = (count for model in self.models() for count in _counts_of(model, standings[model], of_wording, totals))
        return _Whole(
            tuple(counts),
            {
                model: frozenset(
                    of_wording[revision][2]
                    for revision, each in of_model.items()
                    if each is Standing.RETAINED and revision in of_wording
                )
                for model, of_model in standings.items()
            },
        )

    def _standings(self) -> dict[str, dict[int, Standing]]:
        """Where each model stands on each wording that was put to it, as `_retentions` says it of some.

        In parts, each of which reads its table from one end to the other: a quarter of the time for all of them.
        """
        read = self._database.read().cursor()
        read.row_factory = None
        planned: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for configuration, revision, count in read.execute(_PLANNED):
            planned[configuration][revision] += count
        recommending: dict[tuple[int, int], int] = {}
        against: set[tuple[int, int]] = set()
        for query in (_JUDGED, _UNANSWERED):
            for configuration, revision, outcome, count in read.execute(query):
                if outcome == FilterAnswer.RECOMMENDS:
                    recommending[configuration, revision] = count
                elif outcome in AGAINST:
                    against.add((configuration, revision))
        models = dict(read.execute("SELECT id, model FROM configuration").fetchall())
        preferred = self._preferred()
        found: dict[str, dict[int, Standing]] = defaultdict(dict)
        # What comes later replaces what was: of a newer configuration, and in the end of the preferred one.
        for configuration in sorted(planned, key=lambda number: (number in preferred, number)):
            for revision, count in planned[configuration].items():
                place = (configuration, revision)
                standing = _standing(count, recommending.get(place, 0), place in against)
                found[models[configuration]][revision] = standing
        return found

    def no_search_labels(self, model: str, revisions: Collection[RevisionId]) -> tuple[int, int]:
        """How many no-search answers of a model at low effort to these wordings have a label, and how many of
        them are labelled correct: of retained probes that must be none. Answers of all runs count, of the
        configuration that retention rests on: replaced settings say nothing of today's."""
        preferred = self._preferred()
        counting: dict[int, tuple[bool, int, int, int]] = {}
        wanted = sorted(revisions)
        for start in range(0, len(wanted), CHUNK):
            part = wanted[start : start + CHUNK]
            for row in self._database.read().execute(
                "SELECT run_item.revision_id, configuration.id, count(verdict.id) AS scored, "
                "ifnull(sum(verdict.label = 'correct'), 0) AS correct FROM run_item "
                "JOIN configuration ON configuration.id = run_item.configuration_id "
                "JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1 "
                f"LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT} AND verdict.label IS NOT NULL "
                "WHERE configuration.model = ? AND configuration.harness = ? AND configuration.effort = ? "
                f"AND run_item.revision_id IN ({placeholders(part)}) GROUP BY 1, 2",
                [model, Harness.NONE, Effort.LOW, *part],
            ):
                found = (row["id"] in preferred, row["id"], row["scored"], row["correct"])
                counting[row["revision_id"]] = max(found, counting.get(row["revision_id"], found))
        return sum(each[2] for each in counting.values()), sum(each[3] for each in counting.values())

    def runs(self) -> list[RunId]:
        """The filter runs, oldest first."""
        rows = self._database.read().execute("SELECT id FROM run WHERE purpose = ? ORDER BY id", (Purpose.FILTER,))
        return [row["id"] for row in rows]


def _counting(rows: sqlite3.Cursor, preferred: Collection[int]) -> Iterator[Retention]:
    """One retention for each probe and model: of the preferred configuration, else of the newest one."""
    current: dict[str, tuple[sqlite3.Row, dict[FilterAnswer, int]]] = {}
    probe_id: int | None = None
    for row in rows:
        if row["probe_id"] != probe_id:
            yield from (_retention(*each) for each in current.values())
            current, probe_id = {}, row["probe_id"]
        known = current.get(row["model"])
        if known is not None and row["configuration_id"] != known[0]["configuration_id"] in preferred:
            continue
        if known is None or known[0]["configuration_id"] != row["configuration_id"]:
            known = (row, {})
            current[row["model"]] = known
        known[1][FilterAnswer(row["outcome"])] = row["n"]
    yield from (_retention(*each) for each in current.values())


def _retention(row: sqlite3.Row, answers: Mapping[FilterAnswer, int]) -> Retention:
    return Retention(
        probe_id=ProbeId(row["probe_id"]),
        revision_id=RevisionId(row["revision_id"]),
        model=row["model"],
        configuration_id=ConfigurationId(row["configuration_id"]),
        answers=answers,
    )


def _retained_probe(row: sqlite3.Row) -> RetainedProbe:
    return RetainedProbe(
        probe_id=ProbeId(row["id"]),
        probe_key=row["key"],
        revision_id=RevisionId(row["revision_id"]),
        event_id=EventId(row["event_id"]),
        category=row["category"],
        text_hash=row["text_hash"],
        facts_hash=row["facts_hash"],
        is_usable=bool(row["is_usable"]),
    )


@cache
def _standing(planned: int, recommending: int, is_against: bool) -> Standing:
    rest = FilterAnswer.LEAVES_OUT if is_against else FilterAnswer.PENDING
    return standing_of({FilterAnswer.RECOMMENDS: recommending, rest: planned - recommending})


def _counts_of(
    model: str,
    standings: Mapping[int, Standing],
    of_wording: Mapping[int, tuple[str, int, ProbeId]],
    totals: Mapping[str, tuple[int, int]],
) -> Iterator[RetentionCount]:
    by_category: dict[str, dict[Standing, int]] = defaultdict(lambda: dict.fromkeys(Standing, 0))
    events: dict[str, set[int]] = defaultdict(set)
    for revision, standing in standings.items():
        # Wordings that are no longer current, and those of a load that is not complete, don't count.
        if revision not in of_wording:
            continue
        category, event_id, _ = of_wording[revision]
        by_category[category][standing] += 1
        if standing is Standing.RETAINED:
            events[category].add(event_id)
    for category in sorted(by_category):
        counted = by_category[category]
        yield RetentionCount(
            category=category,
            model=model,
            events=totals[category][0],
            generated=totals[category][1],
            filtered=sum(counted.values()),
            retained=counted[Standing.RETAINED],
            not_retained=counted[Standing.NOT_RETAINED],
            undecided=counted[Standing.UNDECIDED],
            retained_events=len(events[category]),
        )
