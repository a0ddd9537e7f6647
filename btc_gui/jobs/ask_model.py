"""Putting many requests to a language model: replies that are stored already are used, new ones are kept at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from enum import StrEnum

from btc_gui.domain.category import Category
from btc_gui.domain.event import EventFacts
from btc_gui.domain.trajectory import AnswerId, Usage
from btc_gui.errors import ModelError
from btc_gui.progress import Cancelled, Progress
from btc_gui.remote.language_model import LanguageModel, ModelReply, ModelRequest, NotRecordedError, UnusableModelError
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore, NewCall, StoredReply

#: So many failures in a row mean that something is wrong with the model, the network or the account.
_TOO_MANY_FAILURES = 20


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

    `known_hash` is the request behind the verdict it has, if any; `is_unscored` says that it has no label.
    """

    answer_id: AnswerId
    subject: str
    request: ModelRequest | None
    reason: str = ""
    known_hash: str | None = None
    is_unscored: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """One part of the work, how many answers of this part need nothing, and those that can't be worked on."""

    work: list[Work]
    skipped: int
    failures: list[FailedItem]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a job would do. `characters` is the length of the prompts that would be sent."""

    answers: int
    calls: int
    cached: int
    skipped: int
    characters: int

    def as_json(self) -> dict[str, int]:
        """The forecast for a machine; a token is taken as four characters."""
        return {
            "answers": self.answers,
            "calls": self.calls,
            "cached": self.cached,
            "skipped": self.skipped,
            "input_tokens_about": self.characters // 4,
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
    database: Database, model: str, parts: Iterable[Sequence[Candidate]], limit: int | None, again: Again
) -> Iterator[Planned]:
    """What is to be done for the candidates, part by part, for `limit` answers at most.

    A candidate with a verdict on the same request needs nothing; a reply to it that is stored already is used.
    """
    left = limit
    for candidates in parts:
        if left is not None and left <= 0:
            return
        failures = [FailedItem(each.subject, each.reason) for each in candidates if each.request is None]
        wanted = [each for each in candidates if each.request is not None and _needs_asking(each, again)]
        skipped = len(candidates) - len(wanted) - len(failures)
        if left is not None:
            wanted = wanted[:left]
            left -= len(wanted)
        yield Planned(_with_stored(database, model, wanted, again), skipped, failures)


def _needs_asking(candidate: Candidate, again: Again) -> bool:
    if not _is_same_request(candidate):
        return True
    return again is Again.ALL or (again is Again.UNSCORED and candidate.is_unscored)


def _is_same_request(candidate: Candidate) -> bool:
    return candidate.request is not None and candidate.known_hash == candidate.request.request_hash


def _with_stored(database: Database, model: str, wanted: Sequence[Candidate], again: Again) -> list[Work]:
    work = [(each, Work(each.answer_id, each.request)) for each in wanted if each.request is not None]
    if again is Again.ALL:
        return [item for _, item in work]
    stored = ModelCallStore(database).replies(model, [item.request.request_hash for _, item in work])
    return [
        item if _is_same_request(each) else replace(item, stored=stored.get(item.request.request_hash))
        for each, item in work
    ]


def forecast(parts: Iterable[Planned]) -> Forecast:
    """What the planned work comes to, without asking anybody."""
    answers = cached = skipped = characters = 0
    asked: set[str] = set()
    for planned in parts:
        skipped += planned.skipped
        answers += len(planned.work)
        for work in planned.work:
            if work.stored is not None or work.request.request_hash in asked:
                cached += 1
                continue
            asked.add(work.request.request_hash)
            characters += len(work.request.system) + len(work.request.prompt)
    return Forecast(answers, len(asked), cached, skipped, characters)


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
) -> None:
    """Get a reply for all of `work`: from the store, or from the model, `at_once` requests at a time.

    Equal requests are sent once. Each reply is stored with what `keep` makes of it in one transaction, from
    this thread. When cancelled, nothing new is sent and what is under way is waited for and kept.
    Raises `Cancelled`; `ModelError` when the model can't be used at all, or fails too often in a row.
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
    waiting = iter(groups.values())
    running: dict[Future[ModelReply], list[Work]] = {}
    stop: BaseException | None = None
    with ThreadPoolExecutor(max_workers=at_once, thread_name_prefix="ask") as pool:
        while True:
            while stop is None and len(running) < at_once and (group := next(waiting, None)) is not None:
                if progress.is_cancelled:
                    stop = Cancelled()
                    break
                running[pool.submit(language_model.ask, group[0].request, progress.wait)] = group
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                group = running.pop(future)
                stop = _take(database, language_model.name, future, group, keep, asked) or stop
    if stop is not None:
        raise stop


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
