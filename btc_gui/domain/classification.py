"""What the classifier finds in one failed answer: a class for each query, and excerpts that reveal the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NewType

from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.trajectory import AnswerId, ResultId, SearchResult, StepId

ClassificationId = NewType("ClassificationId", int)


@dataclass(frozen=True, slots=True)
class Evidence:
    """An excerpt found in what a result delivered; `start` and `stop` are offsets in its `delivered_text`."""

    result_id: ResultId
    excerpt: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Classification:
    """One classification. `mode` is None when the reply could not be used; then `unscored` says why.

    `trace` names the rule that fired (and claims of evidence that were refused); `by_construction` marks a
    failure without queries, which needs no classifier.
    """

    id: ClassificationId
    answer_id: AnswerId
    classifier: str
    mode: FailureMode | None
    trace: str
    rationale: str
    by_construction: bool
    unscored: str
    queries: Mapping[StepId, QueryClass]
    evidence: tuple[Evidence, ...]
    request_hash: str
    prompt_hash: str
    at: str


def delivered_text(result: SearchResult) -> str:
    """What a result put into the model's context, title and excerpts a line each: where evidence is looked for."""
    return "\n".join((result.title, *result.excerpts))
