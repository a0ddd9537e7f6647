"""Putting many requests to a language model: replies that are stored already are used, new ones are kept at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from btc_gui.domain.trajectory import AnswerId, Usage
from btc_gui.errors import ModelError
from btc_gui.jobs.spending import NO_LIMIT, Spending, SpendingLimitError
from btc_gui.progress import Cancelled, Progress
from btc_gui.remote.language_model import (
    LanguageModel,
    ModelReply,
    ModelRequest,
    NoModelThereError,
    NotRecordedError,
    UnusableModelError,
)
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore, NewCall, StoredReply
from btc_gui.store.prompts import PromptStore

#: So many failures in a row mean that something is wrong with the model, the network or the account.
_TOO_MANY_FAILURES = 20


@dataclass(frozen=True, slots=True)
class FailedItem:
    """An answer that got no verdict because the call failed. It stays open and is tried again next time.

    `subject` is what recorded replies are found by; `about` says it for a person, where there is more to say.
    """

    subject: str
    reason: str
    about: str = ""


class Question(Protocol):
    """A request, and the reply to it that there is already, if it may be used."""

    @property
    def request(self) -> ModelRequest:
        """What is asked."""
        ...

    @property
    def stored(self) -> StoredReply | None:
        """The reply that nobody has to be asked for."""
        ...


Asking = TypeVar("Asking", bound=Question)


@dataclass(frozen=True, slots=True)
class Work:
    """One answer and the request about it; `stored` is the reply that there is already, if it may be used."""

    answer_id: AnswerId
    request: ModelRequest
    stored: StoredReply | None = None


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


#: Takes the question, the call and the reply (its text, and why it is incomplete); runs within a write transaction.
Keep = Callable[[Asking, CallId, str, str], None]


def ask_all(
    database: Database,
    language_model: LanguageModel,
    work: Sequence[Asking],
    progress: Progress,
    keep: Keep[Asking],
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
    groups: dict[str, list[Asking]] = {}
    for item in work:
        if item.stored is None:
            groups.setdefault(item.request.request_hash, []).append(item)
    waiting = deque(groups.values())
    running: dict[Future[ModelReply], list[Asking]] = {}
    stop: BaseException | None = None
    pool = ThreadPoolExecutor(max_workers=at_once, thread_name_prefix="ask")
    try:
        while True:
            # The first request goes alone: what is wrong with key, name or address is found out once.
            while stop is None and len(running) < (at_once if asked.calls else 1) and waiting:
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
                stop = _take_or_why(database, language_model.name, future, group, keep, asked) or stop
    finally:
        # Only an interrupt or a fault leaves requests under way: nobody waits for them.
        pool.shutdown(wait=False, cancel_futures=True)
    if stop is not None:
        raise stop


def _promise(request: ModelRequest, asked: Asked, spending: Spending) -> bool:
    """Set aside what a request is expected to cost; False when that is more than the limit leaves."""
    expected = spending.expected(request.characters, asked.replies, asked.usage.output)
    if not spending.allows(asked.cost or 0.0, sum(asked.promised.values()) + expected):
        return False
    asked.promised[request.request_hash] = expected
    return True


def _take_or_why(
    database: Database,
    model: str,
    future: Future[ModelReply],
    group: Sequence[Asking],
    keep: Keep[Asking],
    asked: Asked,
) -> BaseException | None:
    """Like `_take`; that the project can't be written (locked, no space) is a reason to stop too.

    The replies under way are paid for: an error raised here would leave them behind.
    """
    try:
        return _take(database, model, future, group, keep, asked)
    except Exception as error:
        return error


def _take(
    database: Database,
    model: str,
    future: Future[ModelReply],
    group: Sequence[Asking],
    keep: Keep[Asking],
    asked: Asked,
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
    database: Database, model: str, error: ModelError, group: Sequence[Question], asked: Asked
) -> BaseException | None:
    ModelCallStore(database).add(_call(model, group[0].request, None, str(error)))
    asked.calls += 1
    asked.failures += [FailedItem(item.request.subject, str(error)) for item in group]
    if isinstance(error, UnusableModelError) or (isinstance(error, NoModelThereError) and not asked.replies):
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
