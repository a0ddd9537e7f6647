"""Judging answers: whether each is consistent with the change, by a language model and the category's criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.hashing import sha256
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.prompt import Prompt
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Verdict
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
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.verdicts import AnswerToJudge, NewVerdict, VerdictStore

_CHUNK = 200
#: What a reply is taken to have before one was counted: a sentence or two and the label.
_REPLY_TOKENS = 150.0


@dataclass(frozen=True, slots=True)
class JudgeOutcome(AskOutcome):
    """What judging did: `judged` answers got a label, the others are as in `AskOutcome`."""

    judged: int = 0

    def as_json(self) -> dict[str, object]:
        """The outcome for a machine."""
        return {"judged": self.judged, **self.counts_as_json()}


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
    store, tally = VerdictStore(database), Tally()

    def keep(work: Work, call_id: CallId, text: str, cut: str) -> str:
        verdict = _verdict(work.answer_id, language_model.name, call_id, text, cut)
        store.add(verdict)
        return "" if verdict.label is not None else verdict.unscored or "no reason was given"

    def leave(answer_id: AnswerId, words: str) -> None:
        store.add(NewVerdict(answer_id, language_model.name, None, None, unscored=words))

    ask_about(
        database,
        language_model,
        lambda: _candidates(database, language_model.name, categories, run_id),
        len(store.judgeable(run_id)),
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
    return JudgeOutcome(judged=tally.scored, **tally.counts())


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
