"""The final answers with their verdicts and failure modes: what the tables of results are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from btc_gui.domain.change_table import Sides
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_blinding import Blinding
from btc_gui.domain.result_rows import ResultAnswer
from btc_gui.domain.studies import STUDY_KINDS
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.store.case_rows import HIDES_QUERIES
from btc_gui.store.classifications import COUNTING_CLASSIFICATION
from btc_gui.store.counting_verdict import COUNTING_VERDICT, PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.kept import NOT_COUNTING, Kept
from btc_gui.store.query import LOADED
from btc_gui.store.studies import OPEN_STUDY
from btc_gui.store.trials import NO_TRIAL

# The same answers as the cases: what a table counts can be opened there. Runs come first, so that the answers of
# filters, which are many more, are never looked at.
_ANSWERS = f"""
    SELECT answer.id, event.category, event.id, probe.key, probe.kind, run_item.configuration_id, answer.ending,
           verdict.label, verdict.id IS NOT NULL, classification.mode,
           iif({HIDES_QUERIES}, NULL, answer.queries),
           run_item.revision_id, run_item.run_id, run_item.repetition, verdict.judge
    FROM run
    CROSS JOIN run_item ON run_item.run_id = run.id
    CROSS JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1
    JOIN probe ON probe.id = run_item.probe_id
    JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON verdict.id = {COUNTING_VERDICT}
    LEFT JOIN classification ON classification.id = {COUNTING_CLASSIFICATION}
    WHERE run.purpose <> 'filter' AND ({NO_TRIAL} OR ?)
      AND {LOADED.format(table="probe")} AND {LOADED.format(table="event")}
    ORDER BY answer.id
"""
# What these rows are made of. Rows are appended, and what is changed in place shows in one of these.
_ROWS: Kept[list[tuple[Any, ...]]] = Kept(
    f"SELECT (SELECT max(id) FROM answer), {NOT_COUNTING}, "
    "(SELECT max(id) FROM verdict), (SELECT max(id) FROM classification), "
    "(SELECT max(id) FROM run_item), (SELECT max(id) FROM event_revision), (SELECT count(*) FROM probe), "
    "(SELECT group_concat(id) FROM load WHERE completed_at IS NULL), "
    f"(SELECT value FROM project WHERE key = '{PRIMARY_JUDGE}')"
)
# Looking a word up is several times faster than asking the enumeration for it, and there are thousands of rows.
_KINDS = {kind.value: kind for kind in ProbeKind}
_ENDINGS = {ending.value: ending for ending in Ending}
_LABELS: dict[str | None, Label | None] = {None: None, **{label.value: label for label in Label}}
_MODES: dict[str | None, FailureMode | None] = {None: None, **{mode.value: mode for mode in FailureMode}}


class ResultStore:
    """The answers behind the tables of results. One that is kept makes them anew only when something has changed.

    Answers of trials count only `with_trials`. `person` is who looks: what they have seen, and are on record for, is
    not kept from them. None is nobody (a file goes to anybody): another than "", somebody unnamed.
    """

    def __init__(self, database: Database, *, with_trials: bool = False, person: str | None = None) -> None:
        self._database = database
        self._person = person
        self._with_trials = with_trials
        self._rows: list[tuple[Any, ...]] = []
        self._answers: list[ResultAnswer] = []

    def answers(self) -> list[ResultAnswer]:
        """All final answers of evaluations to probes of the project, in the order in which they came.

        The very same list as before when none of them has changed.
        """
        rows = _ROWS.get(self._database, self._read, self._with_trials)
        if rows is not self._rows and rows != self._rows:
            self._rows, self._answers = rows, [_answer(*row[:-1]) for row in rows]
        return self._answers

    def _read(self) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._database.read().execute(_ANSWERS, (self._with_trials,))]

    def judges(self) -> dict[str, int]:
        """How many of the verdicts that count each judge gave, by name; of the answers as they were read last."""
        counts = Counter(row[-1] for row in self._rows)
        return {judge: counts[judge] for judge in sorted(name for name in counts if name is not None)}

    def trials(self) -> int:
        """How many final answers belong to trials."""
        row = self._database.read().execute(
            "SELECT count(*) FROM run CROSS JOIN run_item ON run_item.run_id = run.id "
            f"CROSS JOIN answer ON answer.run_item_id = run_item.id AND answer.is_final = 1 WHERE NOT ({NO_TRIAL})"
        )
        return int(row.fetchone()[0])

    def blinding(self) -> Blinding:
        """The answers of studies whose labels people still give, or whose key is still closed, and that the person
        who looks has not been shown."""
        rows = self._database.read().execute(
            "SELECT DISTINCT study.kind, study_item.answer_id FROM study_item "
            f"JOIN study ON study.id = study_item.study_id WHERE {OPEN_STUDY} AND NOT EXISTS ("
            "SELECT 1 FROM exposure WHERE exposure.study_id = study.id "
            "AND exposure.answer_id = study_item.answer_id AND exposure.person = ?)",
            (self._person,),
        )
        verdicts: set[AnswerId] = set()
        modes: set[AnswerId] = set()
        for kind, answer in rows:
            # A kind that this version does not know may be about anything.
            machine = STUDY_KINDS[kind].machine if kind in STUDY_KINDS else "judge"
            (verdicts if machine == "judge" else modes).add(AnswerId(answer))
        return Blinding(frozenset(verdicts), frozenset(modes))

    def sides(self, configurations: Mapping[ConfigurationId, Configuration]) -> Sides:
        """What the results can be compared by. `configurations` are those of the results."""
        read = self._database.read()
        runs = read.execute(
            "SELECT id, name, ifnull(json_extract(recipe, '$.current_date'), '') AS day FROM run "
            f"WHERE purpose <> 'filter' AND ({NO_TRIAL} OR ?) ORDER BY id",
            (self._with_trials,),
        ).fetchall()
        releases: dict[str, set[int]] = {}
        for row in read.execute(
            "SELECT release.name, revision_id, direct_revision_id FROM release "
            "JOIN release_item ON release_item.release_id = release.id ORDER BY release.id"
        ):
            releases.setdefault(row["name"], set()).update((row["revision_id"], row["direct_revision_id"]))
        return Sides(
            {row["id"]: row["name"] for row in runs},
            {row["id"]: row["day"] for row in runs},
            dict(configurations),
            {name: frozenset(wordings) for name, wordings in releases.items()},
        )


def _answer(
    number: AnswerId,
    category: str,
    event: EventId,
    probe: str,
    kind: str,
    configuration: ConfigurationId,
    ending: str,
    label: str | None,
    is_judged: int,
    mode: str | None,
    queries: int | None,
    revision: int | None,
    run: int,
    repetition: int,
) -> ResultAnswer:
    return ResultAnswer(
        number,
        category,
        event,
        probe,
        _KINDS[kind],
        configuration,
        _ENDINGS[ending],
        _LABELS[label],
        bool(is_judged),
        _MODES[mode],
        queries,
        revision or 0,
        run,
        repetition,
    )
