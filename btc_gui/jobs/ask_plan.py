"""What a language model is to be asked about: answers without a verdict on the same request, and what that comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.event import EventFacts
from btc_gui.domain.trajectory import AnswerId, Usage
from btc_gui.jobs.ask_model import Asked, FailedItem, Work
from btc_gui.remote.language_model import ModelRequest
from btc_gui.store.database import Database
from btc_gui.store.model_calls import ModelCallStore

#: The longest request that is sent unless a job is told otherwise, in tokens of four characters.
LONGEST_REQUEST = 800_000


class Again(StrEnum):
    """What is asked anew although there is a reply to the very same request."""

    NOTHING = "nothing"
    UNSCORED = "unscored"
    ALL = "all"


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
    """How many answers are left of a job that stopped after `asked`; those that failed in it are told apart."""
    answered = asked.replies + asked.cached
    open_now, unaskable = 0, set()
    for planned in plan(database, model, parts, limit, again, longest):
        open_now += len(planned.work)
        unaskable.update(planned.failures)
    # What failed has no verdict, so it is among what is open by now.
    failed = sum(each not in unaskable for each in asked.failures)
    left = open_now - failed - (answered if again is Again.ALL else 0)
    return left if limit is None else min(left, limit - answered - failed)


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
