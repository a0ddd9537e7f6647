"""Passages that people marked as evidence in failure-mode studies whose key is open, found again in the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from btc_gui.domain.classification import Evidence
from btc_gui.domain.evidence import locate
from btc_gui.domain.mode_form import EvidenceSpan, ModeForm
from btc_gui.domain.trajectory import AnswerId, SearchResult, Step
from btc_gui.errors import InputError
from btc_gui.store.case_labels import case_labels
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore


@dataclass(frozen=True, slots=True)
class HumanMark:
    """A passage that an annotator marked. `evidence` is where it stands, None where it is not found again: a packet
    masks what tells the model, and a passage may reach over the heads of results."""

    annotator: str
    query: int
    quote: str
    evidence: Evidence | None


def human_marks(
    database: Database, answer_id: AnswerId, queries: Sequence[Step], delivered: Callable[[SearchResult], str]
) -> tuple[HumanMark, ...]:
    """What people marked in an answer's results, by study, annotator and place.

    Marks count as the study's design says: only relations that it takes for evidence, the label that is analysed,
    no repeats. `delivered` gives the whole text that a result delivered.
    """
    counting = [
        label
        for label in case_labels(database, answer_id)
        if label.is_first and not label.is_repeat and label.given.answers
    ]
    if not counting:
        return ()
    relations = {study.name: study.design.relations for study in StudyStore(database).all()}
    found: list[HumanMark] = []
    for label in counting:
        try:
            form = ModeForm.from_text(label.given.answers)
        except InputError:
            # The label of another kind of study.
            continue
        for span in form.spans:
            if span.relation in relations.get(label.study, ()) and 1 <= span.search <= len(queries):
                results = queries[span.search - 1].results
                found.append(HumanMark(label.annotator, span.search, span.quote, _place(span, results, delivered)))
    return tuple(found)


def _place(
    span: EvidenceSpan, results: Sequence[SearchResult], delivered: Callable[[SearchResult], str]
) -> Evidence | None:
    named = results[span.result - 1 : span.result] if span.result else ()
    for result in (*named, *results):
        text = delivered(result)
        place = locate(span.quote, text)
        if place is not None and result.id is not None:
            return Evidence(result.id, text[place[0] : place[1]], *place)
    return None
