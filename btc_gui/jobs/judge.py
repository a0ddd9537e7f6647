"""Judging answers: whether each is consistent with the change, by a language model and the category's criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.prompt import Prompt
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply
from btc_gui.domain.trajectory import AnswerId, Usage
from btc_gui.domain.verdict import JudgeReply, Verdict
from btc_gui.jobs.ask_model import (
    LONGEST_REQUEST,
    Again,
    Asked,
    Candidate,
    FailedItem,
    Forecast,
    Work,
    ask_all,
    change_values,
    chunks,
    forecast,
    plan,
    still_open,
)
from btc_gui.jobs.spending import NO_LIMIT, Spending, SpendingLimitError
from btc_gui.progress import Progress
from btc_gui.remote.language_model import LanguageModel, ModelRequest
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.verdicts import AnswerToJudge, NewVerdict, VerdictStore

_CHUNK = 200
#: What a reply is taken to have before one was counted: a sentence or two and the label.
_REPLY_TOKENS = 150.0


@dataclass(frozen=True, slots=True)
class JudgeOutcome:
    """What judging did. Every answer is in exactly one of judged, unscored, skipped and failures.

    `unscored` got a reply that can't be read as a label, or is too long to be asked about; `cached` of judged and
    unscored needed no call of their own; `skipped` had a verdict on the very same request; `failures` got no reply
    and are tried again next time. `left` answers were not asked about because the spending limit was reached.
    """

    judged: int
    unscored: int
    cached: int
    skipped: int
    failures: tuple[FailedItem, ...] = ()
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    left: int = 0

    @property
    def failed(self) -> int:
        """How many answers got no reply."""
        return len(self.failures)

    def as_json(self) -> dict[str, object]:
        """The outcome for a machine."""
        return {
            "judged": self.judged,
            "unscored": self.unscored,
            "cached": self.cached,
            "skipped": self.skipped,
            "failed": [{"subject": item.subject, "reason": item.reason} for item in self.failures],
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost": self.cost,
            "left_by_spending_limit": self.left,
        }


def judge_request(answer: AnswerToJudge, category: Category, prompt: Prompt) -> ModelRequest:
    """The complete request about one answer: the change, the criteria for its kind of probe, the whole answer."""
    criteria = category.criteria[answer.kind]
    text = prompt.text_with(criteria)
    return ModelRequest(
        role="judge",
        system=prompt.system,
        prompt=prompt.fill(
            **change_values(category, answer.facts), criteria=criteria, probe=answer.probe_text, answer=answer.answer
        ),
        schema=JudgeReply,
        subject=f"judge/{answer.subject}",
        prompt_hash=sha256(text),
        prompt_text=text,
    )


def judge(
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
) -> JudgeOutcome:
    """Give every answer (of a run) that ended as answered a verdict of this judge.

    An answer with a verdict on the same request is skipped, a stored reply to it is read again instead of asked
    for. Earlier verdicts stay as rows. `limit` is how many answers to work on at most; a request of more than
    `longest` tokens is never cut, but leaves its answer unscored.
    Raises `Cancelled` (what was answered is kept) and `ModelError` when the model can't be used at all.
    """
    store = VerdictStore(database)
    asked = Asked()
    counts = {"judged": 0, "unscored": 0, "skipped": 0}
    total = len(store.judgeable(run_id))

    def keep(work: Work, call_id: CallId, text: str, cut: str) -> None:
        verdict = _verdict(work.answer_id, language_model.name, call_id, text, cut)
        store.add(verdict)
        counts["unscored" if verdict.label is None else "judged"] += 1
        progress.tell(sum(counts.values()) + len(asked.failures), total, work.request.subject)

    parts = _candidates(database, language_model.name, categories, run_id)
    left = 0
    for planned in plan(database, language_model.name, parts, limit, again, longest):
        counts["skipped"] += planned.skipped
        asked.failures += planned.failures
        progress.report(sum(counts.values()) + len(asked.failures), total)
        with database.write():
            for answer_id, words in planned.too_long:
                store.add(NewVerdict(answer_id, language_model.name, None, None, unscored=words))
                counts["unscored"] += 1
        try:
            ask_all(database, language_model, planned.work, progress, keep, asked, at_once=at_once, spending=spending)
        except SpendingLimitError:
            parts = _candidates(database, language_model.name, categories, run_id)
            left = still_open(database, language_model.name, parts, limit, again, asked, longest)
            break
    else:
        progress.tell(total, total)
    return JudgeOutcome(
        judged=counts["judged"],
        unscored=counts["unscored"],
        cached=asked.cached,
        skipped=counts["skipped"],
        failures=tuple(asked.failures),
        calls=asked.calls,
        usage=asked.usage,
        cost=asked.cost,
        left=left,
    )


def forecast_judging(
    database: Database,
    judge_name: str,
    categories: Mapping[str, Category],
    *,
    run_id: int | None = None,
    limit: int | None = None,
    again: Again = Again.NOTHING,
    price: TokenPrice | None = None,
    longest: int = LONGEST_REQUEST,
) -> Forecast:
    """What `judge` would do, without asking anybody."""
    parts = _candidates(database, judge_name, categories, run_id)
    typical = ModelCallStore(database).typical_reply("judge", judge_name)
    return forecast(
        plan(database, judge_name, parts, limit, again, longest),
        price,
        typical or _REPLY_TOKENS,
        is_measured=typical is not None,
    )


@dataclass(frozen=True, slots=True)
class StaleVerdicts:
    """How many current verdicts of a judge were given for something else than what is asked now.

    `criteria`: prompt or criteria have changed; `facts`: they are the same, but the event's facts, the category's
    sentences or the answer's texts are not. `unknown`: verdicts without a call, which can't be told.
    """

    judge: str
    verdicts: int
    criteria: int
    facts: int
    unknown: int

    @property
    def total(self) -> int:
        """How many are stale for certain."""
        return self.criteria + self.facts


def stale_verdicts(database: Database, judge_name: str, categories: Mapping[str, Category]) -> StaleVerdicts:
    """Compare the requests behind a judge's current verdicts with those that would be sent now.

    Requests are made again only where facts have changed since, and once for each category and kind of probe: when
    that one differs, the category's own sentences have changed, and all of them are looked at.
    """
    store, prompt = VerdictStore(database), PromptStore(database).prompt("judge")
    hashes = {
        (name, kind): prompt.hash_with(category.criteria[kind])
        for name, category in categories.items()
        for kind in ProbeKind
    }
    counts = dict.fromkeys(("verdicts", "criteria", "unknown"), 0)
    suspects: list[AnswerId] = []
    trusted: dict[tuple[str, ProbeKind], list[AnswerId]] = {}
    for origin in store.origins(judge_name):
        counts["verdicts"] += 1
        place = origin.category, origin.kind
        if not origin.prompt_hash or place not in hashes:
            counts["unknown"] += 1
        elif origin.prompt_hash != hashes[place]:
            counts["criteria"] += 1
        elif origin.has_newer_facts:
            suspects.append(origin.answer_id)
        else:
            trusted.setdefault(place, []).append(origin.answer_id)
    for alike in trusted.values():
        if _count_changed(database, judge_name, categories, prompt, alike[:1]):
            suspects += alike
    return StaleVerdicts(judge_name, **counts, facts=_count_changed(database, judge_name, categories, prompt, suspects))


def _count_changed(
    database: Database,
    judge_name: str,
    categories: Mapping[str, Category],
    prompt: Prompt,
    answer_ids: Sequence[AnswerId],
) -> int:
    """How many of these answers would be asked about in other words now."""
    store, count = VerdictStore(database), 0
    for ids in chunks(answer_ids, _CHUNK):
        current = store.of_judge(judge_name, ids)
        for answer_id, answer in store.answers(ids).items():
            request = judge_request(answer, categories[answer.facts.category], prompt)
            count += current[answer_id].request_hash != request.request_hash
    return count


def _candidates(
    database: Database, judge_name: str, categories: Mapping[str, Category], run_id: int | None
) -> Iterator[list[Candidate]]:
    store = VerdictStore(database)
    prompt = PromptStore(database).prompt("judge")
    for ids in chunks(store.judgeable(run_id), _CHUNK):
        current = store.of_judge(judge_name, ids)
        yield [
            _candidate(answer, categories, prompt, current.get(answer_id))
            for answer_id, answer in store.answers(ids).items()
        ]


def _candidate(
    answer: AnswerToJudge, categories: Mapping[str, Category], prompt: Prompt, known: Verdict | None
) -> Candidate:
    subject = f"judge/{answer.subject}"
    category = categories.get(answer.facts.category)
    if category is None:
        reason = f"There is no category “{answer.facts.category}”."
        return Candidate(answer.answer_id, subject, None, reason)
    request = judge_request(answer, category, prompt)
    if known is None:
        return Candidate(answer.answer_id, subject, request)
    return Candidate(answer.answer_id, subject, request, known_hash=known.request_hash, unscored=known.unscored)


def _verdict(answer_id: AnswerId, judge_name: str, call_id: CallId, text: str, cut: str) -> NewVerdict:
    """Read a reply as a verdict: a label, or unscored with the reason. Never a label that is only mentioned."""
    if cut:
        return NewVerdict(answer_id, judge_name, call_id, None, unscored=cut)
    try:
        reply = read_reply(text, JudgeReply)
    except UnreadableReplyError as reason:
        return NewVerdict(answer_id, judge_name, call_id, None, unscored=str(reason))
    return NewVerdict(
        answer_id, judge_name, call_id, reply.label, names_entity=reply.names_entity, rationale=reply.rationale
    )
