"""What the classifier found: a failure mode with the query classes and the evidence behind it, appended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.classification import Classification, ClassificationId, Evidence
from btc_gui.domain.configuration import Harness
from btc_gui.domain.dates import now_utc
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId, ResultId, StepId
from btc_gui.domain.verdict import Label
from btc_gui.store import bodies
from btc_gui.store.counting_verdict import COUNTING_VERDICT
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId
from btc_gui.store.query import CHUNK, Where, placeholders
from btc_gui.store.verdicts import ReplyOrigin

#: The classification that counts for an answer: the newest current one, whichever classifier gave it.
COUNTING_CLASSIFICATION = (
    "(SELECT max(id) FROM classification WHERE classification.answer_id = answer.id AND classification.is_current = 1)"
)


@dataclass(frozen=True, slots=True)
class NewClassification:
    """A classification to be added: a mode, or the reason why there is none."""

    answer_id: AnswerId
    classifier: str
    call_id: CallId | None
    mode: FailureMode | None
    trace: str = ""
    rationale: str = ""
    by_construction: bool = False
    unscored: str = ""
    queries: Mapping[StepId, QueryClass] = field(default_factory=dict)
    evidence: Sequence[Evidence] = ()


class ClassificationStore:
    """The classifications of a project."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def classifiable(self, run_id: int | None = None) -> list[AnswerId]:
        """The answers that have a failure mode: to indirect probes, in the shared harness, judged incorrect."""
        return self._failures(run_id, "1")

    def without_queries(self, run_id: int | None = None) -> list[AnswerId]:
        """Those of `classifiable` that made no query: their mode is known by construction."""
        return self._failures(
            run_id, "NOT EXISTS (SELECT 1 FROM step WHERE step.answer_id = answer.id AND step.kind = 'query')"
        )

    def _failures(self, run_id: int | None, condition: str) -> list[AnswerId]:
        where = Where()
        where.add("answer.is_final = 1")
        where.add(condition)
        where.add("probe.kind = ?", ProbeKind.INDIRECT)
        where.add("configuration.harness = ?", Harness.SHARED)
        where.add("verdict.label = ?", Label.INCORRECT)
        if run_id is not None:
            where.add("run_item.run_id = ?", run_id)
        rows = self._database.read().execute(
            "SELECT answer.id FROM answer JOIN run_item ON run_item.id = answer.run_item_id "
            "JOIN configuration ON configuration.id = run_item.configuration_id "
            "JOIN probe ON probe.id = run_item.probe_id "
            f"JOIN verdict ON verdict.id = {COUNTING_VERDICT} {where.sql} ORDER BY answer.id",
            where.values,
        )
        return [AnswerId(row["id"]) for row in rows]

    def counting(self, ids: Sequence[AnswerId]) -> dict[AnswerId, Classification]:
        """The classification that counts for each of these answers: the newest current one."""
        return self._read(ids, "")

    def of_classifier(self, classifier: str, ids: Sequence[AnswerId]) -> dict[AnswerId, Classification]:
        """The current classification of one classifier for each of these answers."""
        return self._read(ids, classifier)

    def history(self, answer_id: AnswerId) -> list[Classification]:
        """All classifications of an answer, oldest first, replaced ones included."""
        return self._fetch("classification.answer_id = ?", [answer_id])

    def classifiers(self) -> list[str]:
        """The names of the models that gave a current classification."""
        rows = self._database.read().execute(
            "SELECT DISTINCT classifier FROM classification WHERE is_current = 1 AND by_construction = 0 ORDER BY 1"
        )
        return [row["classifier"] for row in rows]

    def origins(self, classifier: str) -> Iterator[ReplyOrigin]:
        """Where each current classification of a classifier is from, by answer. No texts are read."""
        rows = self._database.read().execute(
            "SELECT classification.answer_id, event.category, probe.kind, model_call.prompt_hash, "
            "event_revision.number > 1 AND event_revision.at >= classification.at AS has_newer_facts "
            "FROM classification "
            "JOIN answer ON answer.id = classification.answer_id AND answer.is_final = 1 "
            "JOIN run_item ON run_item.id = answer.run_item_id JOIN probe ON probe.id = run_item.probe_id "
            "JOIN event ON event.id = probe.event_id JOIN event_revision ON event_revision.id = event.revision_id "
            "LEFT JOIN model_call ON model_call.id = classification.call_id "
            "WHERE classification.classifier = ? AND classification.is_current = 1 "
            "AND classification.by_construction = 0 ORDER BY classification.answer_id",
            (classifier,),
        )
        for row in rows:
            yield ReplyOrigin(
                AnswerId(row["answer_id"]),
                row["category"],
                ProbeKind(row["kind"]),
                row["prompt_hash"] or "",
                bool(row["has_newer_facts"]),
            )

    def _read(self, ids: Sequence[AnswerId], classifier: str) -> dict[AnswerId, Classification]:
        found: dict[AnswerId, Classification] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            condition = f"classification.is_current = 1 AND classification.answer_id IN ({placeholders(part)})"
            values: list[object] = list(part)
            if classifier:
                condition += " AND classification.classifier = ?"
                values.append(classifier)
            found.update({c.answer_id: c for c in self._fetch(condition, values)})
        return found

    def _fetch(self, condition: str, values: Sequence[object]) -> list[Classification]:
        read = self._database.read()
        rows = read.execute(
            "SELECT classification.*, model_call.request_hash, model_call.prompt_hash FROM classification "
            f"LEFT JOIN model_call ON model_call.id = classification.call_id WHERE {condition} "
            "ORDER BY classification.id",
            values,
        ).fetchall()
        chosen = f"SELECT id FROM classification WHERE {condition}"
        queries: dict[int, dict[StepId, QueryClass]] = {}
        for row in read.execute(
            "SELECT query_label.* FROM query_label JOIN step ON step.id = query_label.step_id "
            f"WHERE classification_id IN ({chosen}) ORDER BY step.number",
            values,
        ):
            queries.setdefault(row["classification_id"], {})[StepId(row["step_id"])] = QueryClass(row["label"])
        evidence: dict[int, list[Evidence]] = {}
        for row in read.execute(f"SELECT * FROM evidence WHERE classification_id IN ({chosen}) ORDER BY id", values):
            found = Evidence(ResultId(row["result_id"]), row["excerpt"], row["start"], row["stop"])
            evidence.setdefault(row["classification_id"], []).append(found)
        return [
            Classification(
                id=ClassificationId(row["id"]),
                answer_id=AnswerId(row["answer_id"]),
                classifier=row["classifier"],
                mode=FailureMode(row["mode"]) if row["mode"] else None,
                trace=row["trace"],
                rationale=row["rationale"],
                by_construction=bool(row["by_construction"]),
                unscored=row["unscored"],
                queries=queries.get(row["id"], {}),
                evidence=tuple(evidence.get(row["id"], ())),
                request_hash=row["request_hash"] or "",
                prompt_hash=row["prompt_hash"] or "",
                at=row["at"],
            )
            for row in rows
        ]

    def add(self, new: NewClassification) -> ClassificationId:
        """Append a classification with its query labels and evidence; an earlier one stays, no longer current."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE classification SET is_current = 0 WHERE answer_id = ? AND classifier = ? AND is_current = 1",
                (new.answer_id, new.classifier),
            )
            cursor = connection.execute(
                "INSERT INTO classification (answer_id, call_id, classifier, mode, trace, rationale, "
                "by_construction, unscored, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    new.answer_id,
                    new.call_id,
                    new.classifier,
                    new.mode,
                    new.trace,
                    new.rationale,
                    int(new.by_construction),
                    new.unscored,
                    now_utc(),
                ),
            )
            assert cursor.lastrowid is not None
            number = cursor.lastrowid
            connection.executemany(
                "INSERT INTO query_label (classification_id, step_id, label) VALUES (?, ?, ?)",
                [(number, step_id, label) for step_id, label in new.queries.items()],
            )
            connection.executemany(
                "INSERT INTO evidence (classification_id, result_id, excerpt, start, stop) VALUES (?, ?, ?, ?, ?)",
                [(number, e.result_id, bodies.storable(e.excerpt), e.start, e.stop) for e in new.evidence],
            )
            return ClassificationId(number)
