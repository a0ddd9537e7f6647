"""The judge's verdicts, appended; and the answers that a judge or classifier needs to see."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventFacts
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label, Verdict, VerdictId
from btc_gui.store import bodies
from btc_gui.store.counting_verdict import PRIMARY_JUDGE
from btc_gui.store.database import Database
from btc_gui.store.facts_json import facts_from_json
from btc_gui.store.model_calls import CallId
from btc_gui.store.projects import ProjectStore
from btc_gui.store.query import CHUNK, Where, placeholders


@dataclass(frozen=True, slots=True)
class AnswerToJudge:
    """All that a judge may see of an answer (and the names under which replies to it are recorded).

    The facts are the event's current ones: a corrected fact makes another request, and so a new verdict.
    """

    answer_id: AnswerId
    probe_key: str
    kind: ProbeKind
    probe_text: str
    facts: EventFacts
    model: str
    effort: Effort
    harness: Harness
    repetition: int
    answer: str

    @property
    def subject(self) -> str:
        """`<probe key>/<model>/<effort>/<repetition>`: the name of this answer in replay files.

        The effort stands alone for the shared harness; of the others it says which: `low-none`.
        """
        effort = self.effort if self.harness is Harness.SHARED else f"{self.effort}-{self.harness}"
        return f"{self.probe_key}/{self.model}/{effort}/{self.repetition}"


@dataclass(frozen=True, slots=True)
class ReplyOrigin:
    """By which prompt a current verdict or classification was given (empty without a call), and whether facts changed
    since then."""

    answer_id: AnswerId
    category: str
    kind: ProbeKind
    prompt_hash: str
    has_newer_facts: bool


@dataclass(frozen=True, slots=True)
class NewVerdict:
    """A verdict to be added: a label, or the reason why there is none."""

    answer_id: AnswerId
    judge: str
    call_id: CallId | None
    label: Label | None
    names_entity: bool | None = None
    rationale: str = ""
    unscored: str = ""


def _verdict(row: sqlite3.Row) -> Verdict:
    return Verdict(
        id=VerdictId(row["id"]),
        answer_id=AnswerId(row["answer_id"]),
        judge=row["judge"],
        label=Label(row["label"]) if row["label"] else None,
        names_entity=None if row["names_entity"] is None else bool(row["names_entity"]),
        rationale=row["rationale"],
        unscored=row["unscored"],
        prompt_hash=row["prompt_hash"] or "",
        request_hash=row["request_hash"] or "",
        at=row["at"],
    )


_VERDICTS = """
    SELECT verdict.*, model_call.prompt_hash, model_call.request_hash
    FROM verdict LEFT JOIN model_call ON model_call.id = verdict.call_id
"""


class VerdictStore:
    """The verdicts of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- what there is to judge ------------------------------------------------------------------------------

    def judgeable(self, run_id: int | None = None) -> list[AnswerId]:
        """The answers that can have a verdict: final ones to a probe that ended as answered. By id.

        No answer, refused and failed are outcomes of their own and never scored.
        """
        where = Where()
        where.add("answer.is_final = 1 AND answer.ending = ?", Ending.ANSWERED)
        where.add("run_item.probe_id IS NOT NULL")
        if run_id is not None:
            where.add("run_item.run_id = ?", run_id)
        rows = self._database.read().execute(
            f"SELECT answer.id FROM answer JOIN run_item ON run_item.id = answer.run_item_id {where.sql} ORDER BY 1",
            where.values,
        )
        return [AnswerId(row["id"]) for row in rows]

    def answers(self, ids: Sequence[AnswerId]) -> dict[AnswerId, AnswerToJudge]:
        """What a judge sees of these answers, whole (ids that are not final answers to a probe left out)."""
        found: dict[AnswerId, AnswerToJudge] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT answer.id, probe.key, probe.kind, probe_revision.text, event_revision.facts, "
                "configuration.model, configuration.effort, configuration.harness, run_item.repetition, "
                "body.encoding, body.content "
                "FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
                "JOIN configuration ON configuration.id = run_item.configuration_id "
                "JOIN probe ON probe.id = run_item.probe_id "
                "JOIN probe_revision ON probe_revision.id = run_item.revision_id "
                "JOIN event ON event.id = probe.event_id "
                "JOIN event_revision ON event_revision.id = event.revision_id "
                "LEFT JOIN body ON body.id = answer.body_id "
                f"WHERE answer.is_final = 1 AND answer.id IN ({placeholders(part)})",
                part,
            )
            for row in rows:
                answer_id = AnswerId(row["id"])
                found[answer_id] = AnswerToJudge(
                    answer_id=answer_id,
                    probe_key=row["key"],
                    kind=ProbeKind(row["kind"]),
                    probe_text=row["text"],
                    facts=facts_from_json(row["facts"]),
                    model=row["model"],
                    effort=Effort(row["effort"]),
                    harness=Harness(row["harness"]),
                    repetition=row["repetition"],
                    answer="" if row["content"] is None else bodies.decode(row["encoding"], row["content"]),
                )
        return found

    # -- verdicts --------------------------------------------------------------------------------------------

    def counting(self, ids: Sequence[AnswerId]) -> dict[AnswerId, Verdict]:
        """The verdict that counts for each of these answers (unjudged ones left out): see `COUNTING_VERDICT`."""
        return self._newest(ids, ProjectStore(self._database).value(PRIMARY_JUDGE))

    def of_judge(self, judge: str, ids: Sequence[AnswerId]) -> dict[AnswerId, Verdict]:
        """The current verdict of one judge for each of these answers (unjudged ones left out)."""
        return self._newest(ids, judge)

    def _newest(self, ids: Sequence[AnswerId], judge: str) -> dict[AnswerId, Verdict]:
        found: dict[AnswerId, Verdict] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            where = Where()
            where.add("verdict.is_current = 1")
            where.add_in("verdict.answer_id", part)
            if judge:
                where.add("verdict.judge = ?", judge)
            rows = self._database.read().execute(f"{_VERDICTS} {where.sql} ORDER BY verdict.id", where.values)
            found.update({AnswerId(row["answer_id"]): _verdict(row) for row in rows})
        return found

    def history(self, answer_id: AnswerId) -> list[Verdict]:
        """All verdicts on an answer, oldest first, replaced ones included."""
        rows = self._database.read().execute(f"{_VERDICTS} WHERE answer_id = ? ORDER BY verdict.id", (answer_id,))
        return [_verdict(row) for row in rows]

    def origins(self, judge: str) -> Iterator[ReplyOrigin]:
        """Where each current verdict of a judge is from, by answer. No texts are read."""
        rows = self._database.read().execute(
            "SELECT verdict.answer_id, event.category, probe.kind, model_call.prompt_hash, "
            "event_revision.number > 1 AND event_revision.at >= verdict.at AS has_newer_facts FROM verdict "
            "JOIN answer ON answer.id = verdict.answer_id AND answer.is_final = 1 "
            "JOIN run_item ON run_item.id = answer.run_item_id JOIN probe ON probe.id = run_item.probe_id "
            "JOIN event ON event.id = probe.event_id JOIN event_revision ON event_revision.id = event.revision_id "
            "LEFT JOIN model_call ON model_call.id = verdict.call_id "
            "WHERE verdict.judge = ? AND verdict.is_current = 1 ORDER BY verdict.answer_id",
            (judge,),
        )
        for row in rows:
            yield ReplyOrigin(
                AnswerId(row["answer_id"]),
                row["category"],
                ProbeKind(row["kind"]),
                row["prompt_hash"] or "",
                bool(row["has_newer_facts"]),
            )

    def judges(self) -> list[str]:
        """The names of the judges that gave a current verdict."""
        rows = self._database.read().execute("SELECT DISTINCT judge FROM verdict WHERE is_current = 1 ORDER BY judge")
        return [row["judge"] for row in rows]

    def add(self, verdict: NewVerdict) -> VerdictId:
        """Append a verdict; an earlier one of the same judge on the same answer stays, no longer current."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE verdict SET is_current = 0 WHERE answer_id = ? AND judge = ? AND is_current = 1",
                (verdict.answer_id, verdict.judge),
            )
            cursor = connection.execute(
                "INSERT INTO verdict (answer_id, call_id, judge, label, names_entity, rationale, unscored, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    verdict.answer_id,
                    verdict.call_id,
                    verdict.judge,
                    verdict.label,
                    None if verdict.names_entity is None else int(verdict.names_entity),
                    verdict.rationale,
                    verdict.unscored,
                    now_utc(),
                ),
            )
            assert cursor.lastrowid is not None
            return VerdictId(cursor.lastrowid)
