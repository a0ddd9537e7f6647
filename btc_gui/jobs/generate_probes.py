"""Generating probes: an event's five indirect ones, one of them anew, direct ones from a template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from btc_gui.domain.category import Category
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.generation import GeneratedText, about_request
from btc_gui.domain.model_family import Role, SameFamily, same_families
from btc_gui.domain.probe import ProbeId, ProbeKind
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply
from btc_gui.domain.trajectory import Usage
from btc_gui.domain.written_probes import (
    BrokenRuleError,
    WrittenProbes,
    WrittenQuestion,
    usable_probes,
    usable_question,
)
from btc_gui.errors import BtcError, ProjectError
from btc_gui.jobs.ask_model import Asked, FailedItem, ask_all
from btc_gui.jobs.ask_plan import Forecast
from btc_gui.jobs.claim_generations import Claiming
from btc_gui.jobs.generation_plan import LONGEST_REQUEST, Asking, Target, plan_requests
from btc_gui.jobs.spending import NO_LIMIT, Spending, SpendingLimitError
from btc_gui.progress import Progress
from btc_gui.remote.language_model import LanguageModel, NoModelThereError, UnusableModelError
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.model_calls import CallId, ModelCallStore
from btc_gui.store.model_roles import models_by_role
from btc_gui.store.own_categories import keep_categories
from btc_gui.store.probes import ProbeStore

#: What a reply is taken to have before one was counted: five requests, and the thoughts before them.
REPLY_TOKENS = 4_000.0
AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class GenerationOutcome:
    """What generating did. Every target is in exactly one of `served`, `unusable`, `failed`, `refused` and `left`.

    `unusable` got a reply that breaks a rule or can't be read, `failed` got none; both are kept as rows. `refused`
    could not be asked for. `left` targets were not asked for because the spending limit was reached.
    """

    served: int = 0
    probes: tuple[ProbeId, ...] = ()
    unusable: tuple[FailedItem, ...] = ()
    failed: tuple[FailedItem, ...] = ()
    refused: tuple[FailedItem, ...] = ()
    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    left: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every target was served."""
        return not (self.unusable or self.failed or self.refused or self.left)

    def as_json(self) -> dict[str, object]:
        """The outcome for a machine."""
        return {
            "served": self.served,
            "probes": len(self.probes),
            "unusable": _as_json(self.unusable),
            "failed": _as_json(self.failed),
            "refused": _as_json(self.refused),
            "calls": self.calls,
            "input_tokens": self.usage.input,
            "output_tokens": self.usage.output,
            "cost": self.cost,
            "left_by_spending_limit": self.left,
        }


@dataclass(frozen=True, slots=True)
class GenerationForecast:
    """What generating would come to, and the targets that could not be asked for."""

    forecast: Forecast
    refused: tuple[FailedItem, ...] = ()

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Why targets can't be asked for, each with how many, the most frequent first."""
        return Counter(each.reason for each in self.refused).most_common()


def generate_probes(
    database: Database,
    language_model: LanguageModel,
    categories: Mapping[str, Category],
    targets: Sequence[Target],
    progress: Progress,
    *,
    author: str,
    limit: int | None = None,
    without_context: bool = False,
    at_once: int = AT_ONCE,
    spending: Spending = NO_LIMIT,
    longest: int = LONGEST_REQUEST,
    on_written: Callable[[Sequence[ProbeId]], None] | None = None,
) -> GenerationOutcome:
    """Have probes written for all `targets`, `at_once` requests at a time.

    What a reply comes to is stored with the call in one transaction: all probes of a request or none. Nothing is asked
    twice, and what another window or terminal has under way is refused with that reason. A reply that breaks a rule,
    or none at all, is a row with the reason. `on_written` hears of new wordings now and then. Raises `Cancelled` (what
    was under way is waited for and kept) and `ModelError` when the model can't be used at all.
    """
    keep_categories(database)
    desk = _Desk(database, progress, len(targets) if limit is None else min(limit, len(targets)))
    claiming = Claiming(database, targets)
    parts = plan_requests(
        database,
        language_model.name,
        categories,
        targets,
        author,
        limit=limit,
        without_context=without_context,
        longest=longest,
    )
    left, is_over = 0, False
    for part in parts:
        desk.refused += part.refused
        if is_over:
            left += len(part.askings)
            continue
        with claiming.claimed(part.askings) as (askings, refused):
            desk.refused += refused
            progress.report(desk.done, desk.total)
            before, written = desk.done, len(desk.probes)
            try:
                ask_all(
                    database,
                    language_model,
                    askings,
                    progress,
                    desk.keep,
                    desk.asked,
                    at_once=at_once,
                    spending=spending,
                )
            except SpendingLimitError:
                left, is_over = len(askings) - (desk.done - before), True
            except (UnusableModelError, NoModelThereError):
                # It says nothing of the events: with another key or name they are asked for as before.
                desk.asked.failures.clear()
                raise
            finally:
                desk.keep_failures(askings)
                if on_written is not None and len(desk.probes) > written:
                    on_written(desk.probes[written:])
    return GenerationOutcome(
        served=desk.served,
        probes=tuple(desk.probes),
        unusable=tuple(desk.unusable),
        failed=tuple(desk.failed),
        refused=tuple(desk.refused),
        calls=desk.asked.calls,
        usage=desk.asked.usage,
        cost=desk.asked.cost,
        left=left,
    )


def forecast_generation(
    database: Database,
    model: str,
    categories: Mapping[str, Category],
    targets: Sequence[Target],
    *,
    limit: int | None = None,
    without_context: bool = False,
    price: TokenPrice | None = None,
    longest: int = LONGEST_REQUEST,
) -> GenerationForecast:
    """What `generate_probes` would do, without asking anybody."""
    typical = ModelCallStore(database).typical_reply("generator", model)
    refused: list[FailedItem] = []
    characters = calls = 0
    for part in plan_requests(
        database, model, categories, targets, "", limit=limit, without_context=without_context, longest=longest
    ):
        refused += part.refused
        calls += len(part.askings)
        characters += sum(each.request.characters for each in part.askings)
    told = Forecast(calls, calls, 0, 0, characters, 0, typical or REPLY_TOKENS, is_measured=typical is not None)
    if price is not None:
        told = replace(told, cost=price.cost(Usage(input=told.input_tokens, output=told.output_tokens)))
    return GenerationForecast(told, tuple(refused))


def generator_kin(database: Database, name: str) -> list[SameFamily]:
    """The families that the generator `name` shares with other models of the project.

    Before anything was evaluated, the models that can be: a generator's own kind may find its probes familiar.
    Raises `SettingsError` when a models file is wrong.
    """
    roles, models = models_by_role(database), available_models(database)
    roles[Role.GENERATOR] = [name]
    roles[Role.EVALUATED] = roles[Role.EVALUATED] or [model.name for model in models]
    return [each for each in same_families(roles, models) if Role.GENERATOR in each.members]


class _Desk:
    """Takes the replies, and counts."""

    def __init__(self, database: Database, progress: Progress, total: int) -> None:
        self._database, self._progress = database, progress
        self._store = GenerationStore(database)
        self.total = total
        self.asked = Asked()
        self.served = 0
        self.probes: list[ProbeId] = []
        self.unusable: list[FailedItem] = []
        self.failed: list[FailedItem] = []
        self.refused: list[FailedItem] = []

    @property
    def done(self) -> int:
        """How many targets nothing more is to be done about in this session."""
        return self.served + len(self.unusable) + len(self.failed) + len(self.refused) + len(self.asked.failures)

    def keep(self, asking: Asking, call_id: CallId, text: str, cut: str) -> None:
        """Make probes of a reply, or a row with the reason why there are none; within a write transaction."""
        try:
            texts = _read(asking, text, cut)
            self._check_still_wanted(asking)
            self.probes += self._write(asking, call_id, texts)
        except (UnreadableReplyError, BrokenRuleError, BtcError) as reason:
            self._store.add(asking.new, call_id, str(reason))
            self.unusable.append(FailedItem(asking.request.subject, str(reason), _about(asking)))
        else:
            self.served += 1
        self._progress.tell(self.done, self.total, asking.order.facts.entity)

    def keep_failures(self, askings: Sequence[Asking]) -> None:
        """Keep a row for each call that brought no reply."""
        known = {each.request.subject: each for each in askings}
        failures, self.asked.failures = self.asked.failures, []
        with self._database.write():
            for failure in failures:
                self._store.add(known[failure.subject].new, None, failure.reason)
        self.failed += [replace(failure, about=_about(known[failure.subject])) for failure in failures]

    def _check_still_wanted(self, asking: Asking) -> None:
        event = EventStore(self._database).get(asking.target.event_id)
        if event.is_rejected:
            raise ProjectError("The event was rejected while the model was writing.")
        if event.facts.facts_hash != asking.new.facts_hash:
            raise ProjectError("The event's facts were changed while the model was writing.", "Ask again.")
        if not asking.rewritten and asking.target.probe_id is None:
            probes = ProbeStore(self._database).siblings(asking.target.event_id)
            if any(each.kind is asking.target.kind for each in probes):
                raise ProjectError("The event got probes from elsewhere while the model was writing.")

    def _write(self, asking: Asking, call_id: CallId, texts: Sequence[GeneratedText]) -> list[ProbeId]:
        rewritten = asking.rewritten
        written = [each.id for each in rewritten]
        if rewritten:
            self._store.rewrite_probes(asking.new, call_id, rewritten, texts[: len(rewritten)])
        if len(texts) > len(rewritten):
            facts, rest = asking.order.facts, texts[len(rewritten) :]
            written += self._store.add_probes(asking.new, call_id, facts, rest)
        return written


def _about(asking: Asking) -> str:
    target = asking.target
    return about_request(asking.order.facts.entity, target.event_id, target.kind, target.probe_id)


def _read(asking: Asking, text: str, cut: str) -> list[GeneratedText]:
    """The texts of a reply. Raises `UnreadableReplyError` or `BrokenRuleError` when it can't be used."""
    if cut:
        raise UnreadableReplyError(cut)
    if asking.target.kind is ProbeKind.DIRECT:
        return [usable_question(read_reply(text, WrittenQuestion), asking.order)]
    return usable_probes(read_reply(text, WrittenProbes), asking.order)


def _as_json(items: Sequence[FailedItem]) -> list[dict[str, str]]:
    return [{"subject": item.subject, "reason": item.reason} for item in items]
