"""Several judges on the same answers: who they are, which one counts, and what they say side by side."""

from __future__ import annotations

import json
from dataclasses import dataclass

from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError
from btc_gui.store.counting_verdict import IS_COUNTING, PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore


@dataclass(frozen=True, slots=True)
class JudgeCounts:
    """The verdicts of one judge. `replaced` are earlier ones on answers that it judged again.

    `is_primary`: results count this judge alone. `counting` is how many of its verdicts count in results; those on
    answers of a filter never do.
    """

    judge: str
    correct: int
    incorrect: int
    unscored: int
    replaced: int
    counting: int
    first_at: str
    last_at: str
    is_primary: bool

    @property
    def current(self) -> int:
        """How many answers it has a verdict on."""
        return self.correct + self.incorrect + self.unscored


@dataclass(frozen=True, slots=True)
class JudgedTwice:
    """An answer that two judges have a verdict on; a label is None where the reply could not be read."""

    answer_id: AnswerId
    category: str
    kind: str
    event_id: int
    left: Label | None
    right: Label | None


@dataclass(frozen=True, slots=True)
class PromptVersion:
    """A prompt that a model was asked by; `models` names all that were. `is_kept`: its text can be read back."""

    hash: str
    models: tuple[str, ...]
    calls: int
    first_at: str
    last_at: str
    is_kept: bool


class JudgeStore:
    """The judges of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counts(self) -> list[JudgeCounts]:
        """All judges that gave a verdict, by name."""
        primary, read = self.primary, self._database.read()
        # From the runs of evaluations on: the answers of filters, many times more, are not looked at.
        counting = dict(
            read.execute(
                "SELECT verdict.judge, count(*) FROM run CROSS JOIN run_item ON run_item.run_id = run.id "
                "CROSS JOIN answer ON answer.run_item_id = run_item.id "
                f"CROSS JOIN verdict ON verdict.answer_id = answer.id AND {IS_COUNTING} "
                "WHERE run.purpose <> 'filter' GROUP BY verdict.judge"
            ).fetchall()
        )
        rows = read.execute(
            """
            SELECT judge, sum(is_current AND label = 'correct') AS correct,
                   sum(is_current AND label = 'incorrect') AS incorrect,
                   sum(is_current AND label IS NULL) AS unscored, sum(NOT is_current) AS replaced,
                   min(at) AS first_at, max(at) AS last_at
            FROM verdict GROUP BY judge ORDER BY judge
            """
        )
        return [
            JudgeCounts(
                judge=row["judge"],
                correct=row["correct"] or 0,
                incorrect=row["incorrect"] or 0,
                unscored=row["unscored"] or 0,
                replaced=row["replaced"] or 0,
                counting=counting.get(row["judge"], 0),
                first_at=row["first_at"],
                last_at=row["last_at"],
                is_primary=row["judge"] == primary,
            )
            for row in rows
        ]

    @property
    def primary(self) -> str:
        """The judge whose verdicts count; nothing: the newest verdict on each answer does, whoever gave it."""
        return ProjectStore(self._database).value(PRIMARY_JUDGE)

    def set_primary(self, judge: str) -> None:
        """Let only this judge's verdicts count, or with an empty name the newest on each answer again.

        Raises `InputError` when nobody of that name has judged here.
        """
        known = [row[0] for row in self._database.read().execute("SELECT DISTINCT judge FROM verdict ORDER BY judge")]
        if judge and judge not in known:
            raise InputError(f"No judge “{judge}” has judged here.", f"Judges: {', '.join(known) or 'none'}.")
        ProjectStore(self._database).set_value(PRIMARY_JUDGE, judge)

    def judged_twice(self, left: str, right: str) -> list[JudgedTwice]:
        """The answers that both judges have a current verdict on, by answer."""
        rows = self._database.read().execute(
            "SELECT one.answer_id, event.category, probe.kind, event.id AS event_id, one.label AS left_label, "
            "two.label AS right_label FROM verdict AS one "
            "JOIN verdict AS two ON two.answer_id = one.answer_id AND two.judge = ? AND two.is_current = 1 "
            "JOIN answer ON answer.id = one.answer_id AND answer.is_final = 1 "
            "JOIN run_item ON run_item.id = answer.run_item_id JOIN probe ON probe.id = run_item.probe_id "
            "JOIN event ON event.id = probe.event_id "
            "WHERE one.judge = ? AND one.is_current = 1 ORDER BY one.answer_id",
            (right, left),
        )
        return [
            JudgedTwice(
                AnswerId(row["answer_id"]),
                row["category"],
                row["kind"],
                row["event_id"],
                Label(row["left_label"]) if row["left_label"] else None,
                Label(row["right_label"]) if row["right_label"] else None,
            )
            for row in rows
        ]

    def prompt_versions(self, role: str) -> list[PromptVersion]:
        """The prompts that models of this role were asked by, in the order of their first use."""
        rows = self._database.read().execute(
            "SELECT prompt_hash, json_group_array(DISTINCT model) AS models, count(*) AS calls, min(at) AS first_at, "
            "max(at) AS last_at, EXISTS (SELECT 1 FROM project WHERE key = 'prompt_text:' || prompt_hash) AS is_kept "
            "FROM model_call WHERE role = ? GROUP BY prompt_hash ORDER BY min(model_call.id)",
            (role,),
        )
        return [
            PromptVersion(
                row["prompt_hash"],
                tuple(sorted(json.loads(row["models"]))),
                row["calls"],
                row["first_at"],
                row["last_at"],
                bool(row["is_kept"]),
            )
            for row in rows
        ]
