"""All that judges, classifiers and people said of an answer, which of it counts, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from btc_gui.domain.category import Category
from btc_gui.domain.classification import Classification
from btc_gui.domain.studies.label_words import label_text, rationale_text
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label, Verdict
from btc_gui.jobs.stale_replies import Requests, Staleness, classify_requests, judge_requests
from btc_gui.store.case_labels import CaseLabel, case_labels
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.verdicts import AnswerToJudge, VerdictStore

_STALE = {
    Staleness.CRITERIA: "given by other criteria than now",
    Staleness.FACTS: "given for other facts than now",
}


class OpinionKind(StrEnum):
    """What an opinion is."""

    VERDICT = "verdict"
    CLASSIFICATION = "classification"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Opinion:
    """One verdict, classification or human label of an answer.

    `who` gave it; `text` is the label or mode, or that there is none and why; `mark` is the label's or mode's value,
    empty without one. `prompt_hash` is empty when nobody was asked. `reason` says why it counts or does not; `stale`
    why it is out of date, empty when it is not (or when that can't be told). `rationale` is the model's own,
    or what the person wrote and marked.
    """

    kind: OpinionKind
    who: str
    text: str
    mark: str
    at: str
    prompt_hash: str
    counts: bool
    reason: str
    stale: str
    rationale: str


def opinions_on(database: Database, answer_id: AnswerId, categories: Mapping[str, Category]) -> tuple[Opinion, ...]:
    """Every verdict and then every classification of an answer, the newest first, replaced ones included; then the
    labels that people gave it in studies that are unblinded."""
    labels = tuple(_of_label(each) for each in case_labels(database, answer_id))
    verdicts = VerdictStore(database).history(answer_id)
    classifications = ClassificationStore(database).history(answer_id)
    if not verdicts and not classifications:
        return labels
    answer = VerdictStore(database).answers([answer_id]).get(answer_id)
    counting = VerdictStore(database).counting([answer_id]).get(answer_id)
    primary = JudgeStore(database).primary
    of_judges = _staleness(partial(judge_requests, database), answer, categories, verdicts)
    of_classifiers = _staleness(partial(classify_requests, database), answer, categories, classifications)
    is_failure = counting is not None and counting.label is Label.INCORRECT
    return (
        *(_of_verdict(each, verdicts, counting, primary, of_judges[each.id]) for each in reversed(verdicts)),
        *(
            _of_classification(each, classifications, is_failure, of_classifiers[each.id])
            for each in reversed(classifications)
        ),
        *labels,
    )


def _staleness(
    requests: Callable[[], Requests],
    answer: AnswerToJudge | None,
    categories: Mapping[str, Category],
    replies: Sequence[Verdict] | Sequence[Classification],
) -> dict[int, str]:
    """Why each reply is out of date, by its id; empty for one that is not, or where that can't be told."""
    if answer is None or not any(each.request_hash for each in replies):
        return {each.id: "" for each in replies}
    category, asked_now = categories.get(answer.facts.category), requests()
    return {
        each.id: _STALE.get(asked_now.staleness(answer, category, each.prompt_hash, each.request_hash), "")
        for each in replies
    }


def _of_verdict(
    verdict: Verdict, history: Sequence[Verdict], counting: Verdict | None, primary: str, stale: str
) -> Opinion:
    counts = counting is not None and verdict.id == counting.id
    is_current = verdict.id == max(each.id for each in history if each.judge == verdict.judge)
    if counts:
        reason = "counts: the primary judge's" if primary else "counts: the newest"
    elif not is_current:
        reason = "replaced by a later one of the same judge"
    elif primary:
        reason = f"does not count: {primary} is the primary judge"
    else:
        reason = "does not count: another judge's is newer"
    return Opinion(
        OpinionKind.VERDICT,
        verdict.judge,
        verdict.label.value if verdict.label else f"unscored: {verdict.unscored}",
        verdict.label.value if verdict.label else "",
        verdict.at,
        verdict.prompt_hash,
        counts,
        reason,
        stale,
        verdict.rationale,
    )


def _of_classification(
    found: Classification, history: Sequence[Classification], is_failure: bool, stale: str
) -> Opinion:
    is_current = found.id == max(each.id for each in history if each.classifier == found.classifier)
    newest = max(
        each.id
        for each in history
        if each.id == max(other.id for other in history if other.classifier == each.classifier)
    )
    counts = is_failure and found.id == newest
    if counts:
        reason = "counts: without a query there is no other mode" if found.by_construction else "counts: the newest"
    elif not is_current:
        reason = "replaced by a later one of the same classifier"
    elif not is_failure:
        reason = "does not count: the answer is no failure by the verdict that counts"
    else:
        reason = "does not count: another classifier's is newer"
    return Opinion(
        OpinionKind.CLASSIFICATION,
        found.classifier,
        found.mode.text if found.mode else f"unscored: {found.unscored}",
        found.mode.value if found.mode else "",
        found.at,
        found.prompt_hash,
        counts,
        f"{reason}; {found.trace}" if found.trace and found.mode else reason,
        stale,
        found.rationale,
    )


def _of_label(label: CaseLabel) -> Opinion:
    given = label.given
    reason = "analysed" if label.is_first else "changed later: the first one is analysed"
    if label.is_repeat:
        reason = "a repeat: compared with the first label only"
    return Opinion(
        OpinionKind.LABEL,
        label.annotator,
        label_text(label.kind, given.label),
        given.label,
        given.at,
        "",
        label.is_first and not label.is_repeat,
        f"{label.layer}, in “{label.study}”; {reason}",
        "",
        rationale_text(label.kind, given),
    )
