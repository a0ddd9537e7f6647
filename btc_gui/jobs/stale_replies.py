"""Verdicts and classifications that were given for something else than what would be asked now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from btc_gui.domain.category import Category
from btc_gui.domain.mode_codebook import evidence_rule
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId
from btc_gui.jobs.classify import classify_request
from btc_gui.jobs.judge import judge_request
from btc_gui.remote.language_model import ModelRequest
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.prompts import PromptStore
from btc_gui.store.verdicts import AnswerToJudge, ReplyOrigin, VerdictStore

_CHUNK = 200


class Staleness(StrEnum):
    """What a reply was given for, as against now. `UNKNOWN`: it came without a request, so it can't be told."""

    CURRENT = "current"
    CRITERIA = "other criteria"
    FACTS = "other facts"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class StaleReplies:
    """How many current replies of a model were given for something else than what is asked now.

    `criteria`: prompt or criteria have changed; `facts`: they are the same, but the event's facts, the category's
    sentences or the answer's texts are not. `unknown`: replies without a request.
    """

    model: str
    replies: int
    criteria: int
    facts: int
    unknown: int

    @property
    def total(self) -> int:
        """How many are stale for certain."""
        return self.criteria + self.facts


@dataclass(frozen=True, slots=True)
class Requests:
    """How the requests of a role are made now: the whole one about an answer, and the hash of its prompt alone."""

    about: Callable[[AnswerToJudge, Category], ModelRequest]
    prompt_hash: Callable[[Category, ProbeKind], str]

    def staleness(
        self, answer: AnswerToJudge, category: Category | None, prompt_hash: str, request_hash: str
    ) -> Staleness:
        """What a reply by this prompt to this request is by now."""
        if not request_hash or category is None:
            return Staleness.UNKNOWN
        if prompt_hash != self.prompt_hash(category, answer.kind):
            return Staleness.CRITERIA
        return Staleness.CURRENT if self.about(answer, category).request_hash == request_hash else Staleness.FACTS


def judge_requests(database: Database) -> Requests:
    """How judges are asked now."""
    prompt = PromptStore(database).prompt("judge")
    return Requests(
        lambda answer, category: judge_request(answer, category, prompt),
        lambda category, kind: prompt.hash_with(category.criteria[kind]),
    )


def classify_requests(database: Database) -> Requests:
    """How classifiers are asked now."""
    prompt, answers = PromptStore(database).prompt("classify"), AnswerStore(database)
    return Requests(
        lambda answer, category: classify_request(answer, answers.trajectory(answer.answer_id), category, prompt),
        lambda category, _: prompt.hash_with(evidence_rule(), category.query_classes),
    )


def stale_verdicts(database: Database, judge_name: str, categories: Mapping[str, Category]) -> StaleReplies:
    """Compare the requests behind a judge's current verdicts with those that would be sent now."""
    store = VerdictStore(database)

    def known(ids: Sequence[AnswerId]) -> dict[AnswerId, str]:
        return {answer_id: each.request_hash for answer_id, each in store.of_judge(judge_name, ids).items()}

    return _compare(database, judge_name, store.origins(judge_name), known, judge_requests(database), categories)


def stale_classifications(database: Database, classifier: str, categories: Mapping[str, Category]) -> StaleReplies:
    """Compare the requests behind a classifier's current classifications with those that would be sent now."""
    store = ClassificationStore(database)

    def known(ids: Sequence[AnswerId]) -> dict[AnswerId, str]:
        return {answer_id: each.request_hash for answer_id, each in store.of_classifier(classifier, ids).items()}

    return _compare(database, classifier, store.origins(classifier), known, classify_requests(database), categories)


def _compare(
    database: Database,
    model: str,
    origins: Iterable[ReplyOrigin],
    known: Callable[[Sequence[AnswerId]], dict[AnswerId, str]],
    requests: Requests,
    categories: Mapping[str, Category],
) -> StaleReplies:
    """Requests are made again only where facts have changed since, and once for each category and kind of probe:
    when that one differs, the category's own sentences have changed, and all of them are looked at."""
    hashes = {
        (name, kind): requests.prompt_hash(category, kind)
        for name, category in categories.items()
        for kind in ProbeKind
    }
    counts = dict.fromkeys(("replies", "criteria", "unknown"), 0)
    suspects: list[AnswerId] = []
    trusted: dict[tuple[str, ProbeKind], list[AnswerId]] = {}
    for origin in origins:
        counts["replies"] += 1
        place = origin.category, origin.kind
        if not origin.prompt_hash or place not in hashes:
            counts["unknown"] += 1
        elif origin.prompt_hash != hashes[place]:
            counts["criteria"] += 1
        elif origin.has_newer_facts:
            suspects.append(origin.answer_id)
        else:
            trusted.setdefault(place, []).append(origin.answer_id)

    def count_changed(answer_ids: Sequence[AnswerId]) -> int:
        """How many of these answers would be asked about in other words now."""
        answers, count = VerdictStore(database), 0
        for start in range(0, len(answer_ids), _CHUNK):
            ids = answer_ids[start : start + _CHUNK]
            before = known(ids)
            for answer_id, answer in answers.answers(ids).items():
                request = requests.about(answer, categories[answer.facts.category])
                count += before[answer_id] != request.request_hash
        return count

    for alike in trusted.values():
        if count_changed(alike[:1]):
            suspects += alike
    return StaleReplies(model, **counts, facts=count_changed(suspects))
