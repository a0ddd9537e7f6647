"""Classifying failures: why an indirect answer in the shared harness missed the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.classification import Classification
from btc_gui.domain.classifier_reply import ClassifierReply
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.evidence import examine
from btc_gui.domain.failure_mode import derive_mode
from btc_gui.domain.hashing import sha256
from btc_gui.domain.mode_codebook import evidence_rule
from btc_gui.domain.prompt import Prompt
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply
from btc_gui.domain.trajectory import AnswerId, SearchResult, Trajectory
from btc_gui.jobs.ask_about import AskOutcome, Tally, ask_about
from btc_gui.jobs.ask_model import Work
from btc_gui.jobs.ask_plan import (
    LONGEST_REQUEST,
    Again,
    Candidate,
    Forecast,
    change_values,
    chunks,
    forecast,
    plan,
)
from btc_gui.jobs.spending import NO_LIMIT, Spending
from btc_gui.progress import Progress
from btc_gui.remote.language_model import LanguageModel, ModelRequest
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.verdicts import AnswerToJudge, VerdictStore

#: Whose classification that of a failure without queries is.
BY_CONSTRUCTION = "by construction"
# Prompts hold whole searches: few at a time are in memory.
_CHUNK = 40
#: What a reply is taken to have before one was counted: some queries, an excerpt, three sentences.
_REPLY_TOKENS = 400.0


@dataclass(frozen=True, slots=True)
class ClassifyOutcome(AskOutcome):
    """What classifying did: `classified` failures got a mode from the classifier's findings.

    `by_construction` had no query and so needed no classifier; the others are as in `AskOutcome`.
    """

    classified: int = 0
    by_construction: int = 0

    def as_json(self) -> dict[str, object]:
        """The outcome for a machine."""
        return {
            "classified": self.classified,
            "by_construction": self.by_construction,
            **self.counts_as_json(),
        }


def classify_request(answer: AnswerToJudge, trajectory: Trajectory, category: Category, prompt: Prompt) -> ModelRequest:
    """The complete request about one failure: the change, the classes, every query with all its results."""
    rule = evidence_rule()
    text = prompt.text_with(rule, category.query_classes)
    return ModelRequest(
        role="classifier",
        system=prompt.system,
        prompt=prompt.fill(
            **change_values(category, answer.facts),
            evidence_rule=rule,
            classes=category.query_classes,
            probe=answer.probe_text,
            search=search_text(trajectory),
            answer=answer.answer,
            count=str(len(trajectory.queries)),
        ),
        schema=ClassifierReply,
        subject=f"classify/{answer.subject}",
        prompt_hash=sha256(text),
        prompt_text=text,
    )


def search_text(trajectory: Trajectory) -> str:
    """A trajectory's queries with their results, both numbered, as the classifier reads them."""
    parts: list[str] = []
    number = 0
    for index, query in enumerate(trajectory.queries, 1):
        parts.append(f"## Query {index}\n\n<query>{query.text}</query>\n")
        if not query.results:
            parts.append(f"(no results{': ' + query.error if query.error else ''})\n")
        for result in query.results:
            number += 1
            parts.append(_result_text(number, result))
    return "\n".join(parts)


def _result_text(number: int, result: SearchResult) -> str:
    head = f"### Result {number}\n\nTitle: {result.title}\nAddress: {result.url}\n"
    return f"{head}Published: {result.published or 'not known'}\n\n" + "\n\n".join(result.excerpts) + "\n"


def classify(
    database: Database,
    language_model: LanguageModel,
    categories: Mapping[str, Category],
    progress: Progress,
    *,
    run_id: int | None = None,
    limit: int | None = None,
    again: Again = Again.NOTHING,
    at_once: int = 8,
    spending: Spending = NO_LIMIT,
    longest: int = LONGEST_REQUEST,
) -> ClassifyOutcome:
    """Give every indirect failure of the shared harness (of a run) its failure mode.

    A failure without queries gets it by construction, beyond any `limit`. For the others the classifier's
    excerpts are looked up in what was delivered, and the benchmark's rule derives the mode. Searches are given
    whole: with more than `longest` tokens the failure stays unscored, and says so.
    Raises `Cancelled` (what was answered is kept) and `ModelError` when the model can't be used at all.
    """
    store, tally = ClassificationStore(database), Tally()

    def keep(work: Work, call_id: CallId, text: str, cut: str) -> str:
        trajectory = AnswerStore(database).trajectory(work.answer_id)
        new = _classification(work.answer_id, language_model.name, call_id, trajectory, text, cut)
        store.add(new)
        return "" if new.mode is not None else new.unscored or "no reason was given"

    def leave(answer_id: AnswerId, words: str) -> None:
        store.add(NewClassification(answer_id, language_model.name, None, None, unscored=words))

    by_construction, known = _add_those_without_queries(database, run_id, progress)
    ask_about(
        database,
        language_model,
        lambda: _candidates(database, language_model.name, categories, run_id),
        len(store.classifiable(run_id)) - by_construction - known,
        progress,
        keep,
        leave,
        tally=tally,
        limit=limit,
        again=again,
        at_once=at_once,
        spending=spending,
        longest=longest,
    )
    tally.skipped += known
    return ClassifyOutcome(classified=tally.scored, by_construction=by_construction, **tally.counts())


def forecast_classifying(
    database: Database,
    classifier_name: str,
    categories: Mapping[str, Category],
    *,
    run_id: int | None = None,
    limit: int | None = None,
    again: Again = Again.NOTHING,
    price: TokenPrice | None = None,
    longest: int = LONGEST_REQUEST,
) -> Forecast:
    """What `classify` would ask, without asking anybody (failures without queries need no call)."""
    parts = _candidates(database, classifier_name, categories, run_id)
    typical = ModelCallStore(database).typical_reply("classifier", classifier_name)
    return forecast(
        plan(database, classifier_name, parts, limit, again, longest),
        price,
        typical or _REPLY_TOKENS,
        is_measured=typical is not None,
    )


def _add_those_without_queries(database: Database, run_id: int | None, progress: Progress) -> tuple[int, int]:
    """Give failures without queries their mode; how many got it now, and how many had it."""
    store = ClassificationStore(database)
    ids = store.without_queries(run_id)
    known = store.of_classifier(BY_CONSTRUCTION, ids)
    derived = derive_mode(False, [])
    for part in chunks([answer_id for answer_id in ids if answer_id not in known], _CHUNK):
        progress.check()
        with database.write():
            for answer_id in part:
                store.add(
                    NewClassification(
                        answer_id, BY_CONSTRUCTION, None, derived.mode, trace=derived.trace, by_construction=True
                    )
                )
    return len(ids) - len(known), len(known)


def _candidates(
    database: Database, classifier_name: str, categories: Mapping[str, Category], run_id: int | None
) -> Iterator[list[Candidate]]:
    store, answers = ClassificationStore(database), VerdictStore(database)
    prompt = PromptStore(database).prompt("classify")
    without = set(store.without_queries(run_id))
    for ids in chunks([i for i in store.classifiable(run_id) if i not in without], _CHUNK):
        current = store.of_classifier(classifier_name, ids)
        yield [
            _candidate(database, answer, categories, prompt, current.get(answer_id))
            for answer_id, answer in answers.answers(ids).items()
        ]


def _candidate(
    database: Database,
    answer: AnswerToJudge,
    categories: Mapping[str, Category],
    prompt: Prompt,
    known: Classification | None,
) -> Candidate:
    subject = f"classify/{answer.subject}"
    category = categories.get(answer.facts.category)
    if category is None:
        return Candidate(answer.answer_id, subject, None, f"There is no category “{answer.facts.category}”.")
    trajectory = AnswerStore(database).trajectory(answer.answer_id)
    request = classify_request(answer, trajectory, category, prompt)
    if known is None:
        return Candidate(answer.answer_id, subject, request)
    return Candidate(answer.answer_id, subject, request, known_hash=known.request_hash, unscored=known.unscored)


def _classification(
    answer_id: AnswerId, classifier: str, call_id: CallId, trajectory: Trajectory, text: str, cut: str
) -> NewClassification:
    """Read a reply as a classification: checked evidence, labels and mode, or unscored with the reason."""
    if cut:
        return NewClassification(answer_id, classifier, call_id, None, unscored=cut)
    try:
        reply = read_reply(text, ClassifierReply)
    except UnreadableReplyError as reason:
        return NewClassification(answer_id, classifier, call_id, None, unscored=str(reason))
    finding = examine(reply, trajectory)
    return NewClassification(
        answer_id,
        classifier,
        call_id,
        finding.mode,
        trace=finding.trace,
        rationale=reply.rationale,
        unscored=finding.unscored,
        queries=finding.queries,
        evidence=finding.evidence,
    )
