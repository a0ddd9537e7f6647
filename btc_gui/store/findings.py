"""What a classifier found, part by part, with queries and results numbered as annotators see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from btc_gui.domain.classification import Classification
from btc_gui.domain.component_agreement import Components, Passage
from btc_gui.domain.trajectory import AnswerId, ResultId, StepId
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, placeholders


class Findings:
    """Reads the parts of classifications. Nothing is written."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_classifier(self, classifier: str, ids: Sequence[AnswerId]) -> dict[AnswerId, Components]:
        """What a classifier found for each of these answers.

        Answers without a usable classification are left out.
        """
        found = ClassificationStore(self._database).of_classifier(classifier, ids)
        used = {answer_id: each for answer_id, each in found.items() if each.mode is not None}
        queries = self._queries(list(used))
        places = self._places(list(used))
        return {answer_id: _components(each, queries.get(answer_id, []), places) for answer_id, each in used.items()}

    def _queries(self, ids: Sequence[AnswerId]) -> dict[AnswerId, list[StepId]]:
        """The queries of each answer, in order."""
        queries: dict[AnswerId, list[StepId]] = defaultdict(list)
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            for row in self._database.read().execute(
                "SELECT id, answer_id FROM step WHERE kind = 'query' "
                f"AND answer_id IN ({placeholders(part)}) ORDER BY answer_id, number",
                part,
            ):
                queries[AnswerId(row["answer_id"])].append(StepId(row["id"]))
        return queries

    def _places(self, ids: Sequence[AnswerId]) -> dict[ResultId, tuple[StepId, int]]:
        """The query and rank (from 1) of each result that holds evidence."""
        places: dict[ResultId, tuple[StepId, int]] = {}
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            for row in self._database.read().execute(
                "SELECT search_result.id, search_result.step_id, search_result.rank FROM evidence "
                "JOIN classification ON classification.id = evidence.classification_id "
                "JOIN search_result ON search_result.id = evidence.result_id "
                f"WHERE classification.answer_id IN ({placeholders(part)})",
                part,
            ):
                places[ResultId(row["id"])] = (StepId(row["step_id"]), row["rank"])
        return places


def _components(
    found: Classification, queries: Sequence[StepId], places: dict[ResultId, tuple[StepId, int]]
) -> Components:
    numbers = {step_id: number for number, step_id in enumerate(queries, start=1)}
    passages = []
    for evidence in found.evidence:
        step_id, rank = places[evidence.result_id]
        # Evidence may stand in a page that the answer cites: then it is of no query.
        passages.append(Passage(numbers.get(step_id, 0), rank, evidence.excerpt))
    return Components(tuple(found.queries.get(step_id) for step_id in queries), bool(found.evidence), tuple(passages))
