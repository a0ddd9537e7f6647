"""Putting many requests to a language model: replies that are stored already are used, new ones are kept at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from enum import StrEnum

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.event import EventFacts
from btc_gui.domain.trajectory import AnswerId, Usage
from btc_gui.errors import ModelError
from btc_gui.jobs.spending import NO_LIMIT, Spending, SpendingLimitError
from btc_gui.progress import Cancelled, Progress
from btc_gui.remote.language_model import LanguageModel, ModelReply, ModelRequest, NotRecordedError, UnusableModelError
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore, NewCall, StoredReply
from btc_gui.store.prompts import PromptStore

#: So many failures in a row mean that something is wrong with the model, the network or the account.
_TOO_MANY_FAILURES = 20
#: The longest request that is sent unless a job is told otherwise, in tokens of four characters.
LONGEST_REQUEST = 800_000


class Again(StrEnum):
    """What is asked anew although there is a reply to the very same request."""

    NOTHING = "nothing"
    UNSCORED = "unscored"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class FailedItem:
    """An answer that got no verdict because the call failed. It stays open and is tried again next time."""

    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Work:
    """One answer and the request about it; `stored` is the reply that there is already, if it may be used."""

    answer_id: AnswerId
    request: ModelRequest
    stored: StoredReply | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that could be worked on: its request, or the reason why there can be none.

    `known_hash` is the request behind the verdict it has, if any; `unscored` says why that one has no label.
    """

    answer_id: AnswerId
    subject: str
    request: ModelRequest | None
    reason: str = ""
    known_hash: str | None = None
    unscored: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """One part of the work, how many answers of this part need nothing, and those that can't be worked on.

    `too_long` are requests that no model is sent, each with the words to be kept instead of a label.
    """

    work: list[Work]
    skipped: int
    failures: list[FailedItem]
    too_long: list[tuple[AnswerId, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a job would do. `characters` is the length of the prompts that would be sent.

    `reply_tokens` is what a reply is taken to have: as measured in this project (`is_measured`), else a guess.
    `cost` is in US dollars; None when no price is known.
    """

    answers: int
    calls: int
    cached: int
    skipped: int
    characters: int
    too_long: int = 0
    reply_tokens: float = 0.0
    is_measured: bool = False
    cost: float | None = None

    @property
    def input_tokens(self) -> int:
        """About how many tokens would be sent: a token is taken as four characters."""
        return self.characters // 4

    @property
    def output_tokens(self) -> int:
        """About how many tokens would come back."""
        return round(self.calls * self.reply_tokens)

    def as_json(self) -> dict[str, object]:
        """The forecast for a machine."""
        return {
            "answers": self.answers,
            "calls": self.calls,
            "cached": self.cached,
            "skipped": self.skipped,
            "too_long": self.too_long,
            "input_tokens_about": self.input_tokens,
            "output_tokens_about": self.output_tokens,
            "output_tokens_measured": self.is_measured,
            "cost_about": None if self.cost is None else round(self.cost, 6),
        }


@dataclass
class Asked:
    """What asking has amounted to so far. `cost` is None until a call says what it cost."""

    calls: int = 0
    cached: int = 0
    failures: list[FailedItem] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    in_a_row: int = 0
    replies: int = 0
    prompts: set[str] = field(default_factory=set)
    promised: dict[str, float] = field(default_factory=dict)


#: Takes the work, the call and the reply (its text, and why it is incomplete); runs within a write transaction.
Keep = Callable[[Work, CallId, str, str], None]


def change_values(category: Category, facts: EventFacts) -> dict[str, str]:
    """What prompts say about the change."""
    return {
        "entity": facts.entity,
        "aliases": ", ".join(facts.aliases) or "none known",
        "description": facts.description or "none",
        "date": facts.date.text,
        "before": category.fact_before(facts),
        "after": category.fact_after(facts),
    }


def plan(
    database: Database,
    model: str,
    parts: Iterable[Sequence[Candidate]],
    limit: int | None,
    again: Again,
    longest: int = LONGEST_REQUEST,
) -> Iterator[Planned]:
    """What is to be done for the candidates, part by part, for `limit` answers at most.

    A candidate with a verdict on the same request needs nothing; a reply to it that is stored already is used.
    A request of more than `longest` tokens is not sent, nor shortened: it is told apart as too long.
    """
    left = limit
    for candidates in parts:
        if left is not None and left <= 0:
            return
        failures = [FailedItem(each.subject, each.reason) for each in candidates if each.request is None]
        wanted = [each for each in candidates if each.request is not None and _needs_asking(each, again, longest)]
        skipped = len(candidates) - len(wanted) - len(failures)
        if left is not None:
            wanted = wanted[:left]
            left -= len(wanted)
        too_long = [(each.answer_id, words) for each in wanted if (words := _too_long(each, longest))]
        unsent = {answer_id for answer_id, _ in too_long}
        sendable = [each for each in wanted if each.answer_id not in unsent]
        yield Planned(_with_stored(database, model, sendable, again), skipped, failures, too_long)


def still_open(
    database: Database,
    model: str,
    parts: Iterable[Sequence[Candidate]],
    limit: int | None,
    again: Again,
    asked: Asked,
    longest: int,
) -> int:
    """How many answers are left of a job that stopped after `asked`."""
    done = asked.replies + asked.cached + len(asked.failures)
    left = None if limit is None else limit - done
    open_now = sum(len(planned.work) for planned in plan(database, model, parts, left, again, longest))
    return open_now - done if again is Again.ALL else open_now


def _needs_asking(candidate: Candidate, again: Again, longest: int) -> bool:
    if not _is_same_request(candidate):
        words = _too_long(candidate, longest)
        return not words or candidate.unscored != words
    return again is Again.ALL or (again is Again.UNSCORED and bool(candidate.unscored))


def _is_same_request(candidate: Candidate) -> bool:
    return candidate.request is not None and candidate.known_hash == candidate.request.request_hash


def _too_long(candidate: Candidate, longest: int) -> str:
    """Why a request is not sent at all; nothing when it is short enough."""
    tokens = candidate.request.characters // 4 if candidate.request is not None else 0
    if tokens <= longest:
        return ""
    return (
        f"The request is too long: about {tokens:,} tokens, and at most {longest:,} are sent. "
        "Nothing was cut out of it, and nobody was asked."
    )


def _with_stored(database: Database, model: str, wanted: Sequence[Candidate], again: Again) -> list[Work]:
    work = [(each, Work(each.answer_id, each.request)) for each in wanted if each.request is not None]
    if again is Again.ALL:
        return [item for _, item in work]
    stored = ModelCallStore(database).replies(model, [item.request.request_hash for _, item in work])
    return [
        item if _is_same_request(each) else replace(item, stored=stored.get(item.request.request_hash))
        for each, item in work
    ]


def forecast(parts: Iterable[Planned], price: TokenPrice | None, reply_tokens: float, *, is_measured: bool) -> Forecast:
    """What the planned work comes to, without asking anybody."""
    answers = cached = skipped = characters = too_long = 0
    asked: set[str] = set()
    for planned in parts:
        skipped += planned.skipped
        too_long += len(planned.too_long)
        answers += len(planned.work)
        for work in planned.work:
            if work.stored is not None or work.request.request_hash in asked:
                cached += 1
                continue
            asked.add(work.request.request_hash)
            characters += work.request.characters
    told = Forecast(answers, len(asked), cached, skipped, characters, too_long, reply_tokens, is_measured)
    if price is None:
        return told
    return replace(told, cost=price.cost(Usage(input=told.input_tokens, output=told.output_tokens)))


def chunks(ids: Sequence[AnswerId], size: int) -> Iterator[Sequence[AnswerId]]:
    """The ids in parts, so that never all prompts are in memory at once."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def ask_all(
    database: Database,
    language_model: LanguageModel,
    work: Sequence[Work],
    progress: Progress,
    keep: Keep,
    asked: Asked,
    *,
    at_once: int,
    spending: Spending = NO_LIMIT,
) -> None:
    """Get a reply for all of `work`: from the store, or from the model, `at_once` requests at a time.

    Equal requests are sent once. Each reply is stored with what `keep` makes of it in one transaction, from
    this thread. When cancelled, nothing new is sent and what is under way is waited for and kept.
    Raises `Cancelled`; `SpendingLimitError` before a request that would cost too much; `ModelError` when the
    model can't be used at all, or fails too often in a row.
    """
    with database.write():
        for item in work:
            if item.stored is not None:
                asked.cached += 1
                keep(item, item.stored.call_id, item.stored.text, item.stored.error)
    groups: dict[str, list[Work]] = {}
    for item in work:
        if item.stored is None:
            groups.setdefault(item.request.request_hash, []).append(item)
    waiting = deque(groups.values())
    running: dict[Future[ModelReply], list[Work]] = {}
    stop: BaseException | None = None
    with ThreadPoolExecutor(max_workers=at_once, thread_name_prefix="ask") as pool:
        while True:
            while stop is None and len(running) < at_once and waiting:
                if progress.is_cancelled:
                    stop = Cancelled()
                    break
                if not _promise(waiting[0][0].request, asked, spending):
                    # What is under way may turn out cheaper than expected.
                    stop = None if running else SpendingLimitError()
                    break
                group = waiting.popleft()
                running[pool.submit(language_model.ask, group[0].request, progress.wait)] = group
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                group = running.pop(future)
                asked.promised.pop(group[0].request.request_hash, None)
                stop = _take(database, language_model.name, future, group, keep, asked) or stop
    if stop is not None:
        raise stop


def _promise(request: ModelRequest, asked: Asked, spending: Spending) -> bool:
    """Set aside what a request is expected to cost; False when that is more than the limit leaves."""
    expected = spending.expected(request.characters, asked.replies, asked.usage.output)
    if not spending.allows(asked.cost or 0.0, sum(asked.promised.values()) + expected):
        return False
    asked.promised[request.request_hash] = expected
    return True


def _take(
    database: Database, model: str, future: Future[ModelReply], group: Sequence[Work], keep: Keep, asked: Asked
) -> BaseException | None:
    """Store what came back; gives the reason to stop, if it is one."""
    error = future.exception()
    if isinstance(error, ModelError):
        return _take_failure(database, model, error, group, asked)
    if error is not None:
        return error
    reply = future.result()
    asked.calls += 1
    asked.replies += 1
    asked.in_a_row = 0
    asked.cached += len(group) - 1
    asked.usage += reply.usage
    if reply.cost is not None:
        asked.cost = (asked.cost or 0.0) + reply.cost
    call = replace(
        _call(model, group[0].request, reply.text, reply.cut),
        usage=reply.usage,
        cost=reply.cost,
        seconds=reply.seconds,
    )
    with database.write():
        if call.prompt_hash not in asked.prompts and group[0].request.prompt_text:
            PromptStore(database).keep(group[0].request.prompt_text)
            asked.prompts.add(call.prompt_hash)
        call_id = ModelCallStore(database).add(call)
        for item in group:
            keep(item, call_id, reply.text, reply.cut)
    return None


def _take_failure(
    database: Database, model: str, error: ModelError, group: Sequence[Work], asked: Asked
) -> BaseException | None:
    ModelCallStore(database).add(_call(model, group[0].request, None, str(error)))
    asked.calls += 1
    asked.failures += [FailedItem(item.request.subject, str(error)) for item in group]
    if isinstance(error, UnusableModelError):
        return error
    if isinstance(error, NotRecordedError):
        return None
    asked.in_a_row += 1
    if asked.in_a_row >= _TOO_MANY_FAILURES:
        return ModelError(
            f"{model} failed {asked.in_a_row} times in a row, the last time so: {error.message}",
            "What was answered before is kept; go on later with the same command.",
        )
    return None


def _call(model: str, request: ModelRequest, reply: str | None, error: str) -> NewCall:
    return NewCall(
        role=request.role,
        model=model,
        subject=request.subject,
        prompt_hash=request.prompt_hash,
        request_hash=request.request_hash,
        reply=reply,
        error=error,
    )
