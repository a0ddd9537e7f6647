"""From the answers of Wikidata to events: every row is kept, or dropped at a step with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from btc_gui.domain.category import Category
from btc_gui.domain.claims import ClaimMaker, Missing
from btc_gui.domain.collection_plan import Binding, CollectionPlan
from btc_gui.domain.event import EventFacts
from btc_gui.domain.funnel import BY_HAND, IN_SPITE_OF, Candidate, Collected, Decision, Funnel, FunnelStep
from btc_gui.domain.rules import Claim, Rule, Window, World, compose, refusal
from btc_gui.domain.sparql_rows import Gathered, Sighting, gather
from btc_gui.domain.statements import Item, Statement
from btc_gui.errors import SettingsError

_READ = ("read", "Rows of the answers")
_ONCE = ("once", "Each statement once")
_COMPLETE = ("complete", "Entity, date and what the category needs are told")
_ONE_EVENT = ("one_event", "Each event once")
_NO_OVERRIDES: Mapping[str, object] = MappingProxyType({})
_NONE_BACK: Mapping[str, str] = MappingProxyType({})


def decide(
    category: Category,
    rows: Mapping[str, Sequence[Binding]],
    *,
    window: Window,
    run_date: date,
    put_back: Mapping[str, str] = _NONE_BACK,
    overrides: Mapping[str, object] = _NO_OVERRIDES,
) -> Collected:
    """What the rows (by name of their query in the category's plan) come to by the category's rules.

    `run_date` is the day on which the service was asked: later days are announcements. `put_back` are notes by key
    of candidates that a curator takes in spite of the rules; `overrides` change parameters of rules (`acting`).
    The order of rows makes no difference, and rows that came twice count once.

    Raises `SettingsError` for a category that isn't collected, and for overrides of rules that don't exist.
    """
    plan = plan_of(category)
    return decide_gathered(
        category, gather(plan, rows), window=window, run_date=run_date, put_back=put_back, overrides=overrides
    )


def decide_items(
    category: Category,
    items: Mapping[str, Item],
    about: Sequence[str],
    *,
    window: Window | None,
    run_date: date,
    overrides: Mapping[str, object] = _NO_OVERRIDES,
) -> Collected:
    """The same for whole items (entity JSON): each statement of the items `about` is a candidate."""
    sightings = [Sighting(statement.id, qid) for qid in about for statement in items[qid].statements]
    gathered = Gathered(items, tuple(sorted(sightings, key=lambda sighting: sighting.key)))
    return decide_gathered(category, gathered, window=window, run_date=run_date, overrides=overrides)


def plan_of(category: Category) -> CollectionPlan:
    """How a category is collected. Raises `SettingsError` when its file doesn't say."""
    if category.collection is None:
        raise SettingsError(
            f"{category.plural} can't be collected: the category has no [collection].",
            f"Add it to resources/categories/{category.name}/category.toml.",
        )
    return category.collection


def rules_of(category: Category, overrides: Mapping[str, object] = _NO_OVERRIDES) -> tuple[Rule, ...]:
    """The category's rules in order. Raises `SettingsError` for a rule or parameter that doesn't exist."""
    try:
        return compose(category.rules, overrides)
    except ValueError as error:
        raise SettingsError(f"The rules of {category.title} are wrong: {error}.") from error


def decide_gathered(
    category: Category,
    gathered: Gathered,
    *,
    window: Window | None,
    run_date: date,
    put_back: Mapping[str, str] = _NONE_BACK,
    overrides: Mapping[str, object] = _NO_OVERRIDES,
) -> Collected:
    """What gathered items come to: the part of `decide` that is not about rows."""
    rules = rules_of(category, overrides)
    maker = ClaimMaker(category, plan_of(category), gathered.items, run_date=run_date, window=window)
    desk = _Desk(rules, maker, World(run_date, maker.terms, window), put_back)
    decisions = []
    seen: Counter[str] = Counter()
    for sighting in gathered.sightings:
        seen[sighting.key] += 1
        decisions.append(desk.decide(gathered.items, sighting, seen[sighting.key]))
    return _collected(_each_event_once(decisions), rules)


class _Desk:
    def __init__(self, rules: tuple[Rule, ...], maker: ClaimMaker, world: World, put_back: Mapping[str, str]) -> None:
        self._rules = rules
        self._maker = maker
        self._world = world
        self._put_back = put_back

    def decide(self, items: Mapping[str, Item], sighting: Sighting, times: int) -> Decision:
        item = items.get(sighting.item)
        statement = _statement(item, sighting.key) if item is not None else None
        if item is None or statement is None:
            key = f"{sighting.key}#{times}" if times > 1 else sighting.key
            reason = "entity is missing: the row names no item and statement"
            return Decision(Candidate(key, sighting.item, "", ""), False, _COMPLETE[0], reason)
        claim = self._maker.claim(item, statement)
        if isinstance(claim, Missing):
            candidate = Candidate(sighting.key, item.qid, claim.name, claim.date, claim.position)
        else:
            facts = claim.facts
            candidate = Candidate(sighting.key, item.qid, facts.entity, facts.date.text, facts.position, facts)
        if times > 1:
            again = replace(candidate, key=f"{sighting.key}#{times}", facts=None)
            return Decision(again, False, _ONCE[0], "the same statement in another row")
        if isinstance(claim, Missing):
            return Decision(candidate, False, _COMPLETE[0], claim.reason)
        return self._judge(candidate, claim)

    def _judge(self, candidate: Candidate, claim: Claim) -> Decision:
        step, reason = refusal(self._rules, claim, self._world)
        note = self._put_back.get(candidate.key)
        if step and note is None:
            return Decision(candidate, False, step, reason)
        marks = tuple(mark for rule in self._rules if (mark := rule.marks(claim, self._world)))
        marked = replace(candidate, facts=replace(claim.facts, note="; ".join(filter(None, [*marks, note]))))
        if step:
            return Decision(marked, True, BY_HAND, note or "", (f"{IN_SPITE_OF}{reason}", *marks))
        return Decision(marked, True, marks=marks)


def _statement(item: Item, key: str) -> Statement | None:
    return next((statement for statement in item.statements if statement.id == key), None)


def _order(decision: Decision) -> tuple[str, str, str]:
    facts = decision.candidate.facts
    return (facts.date.iso if facts else "9999", decision.candidate.name, decision.candidate.key)


def _each_event_once(decisions: list[Decision]) -> list[Decision]:
    """Two statements of one change (another reference, a copy) are one event: the first by key."""
    known: dict[str, str] = {}
    settled = []
    for decision in sorted(decisions, key=_order):
        facts = decision.candidate.facts
        if not decision.kept or facts is None:
            settled.append(decision)
            continue
        identity = facts.identities()[0]
        if identity in known:
            reason = f"the same event as statement {known[identity]}"
            # There is nothing to put back: the event is there.
            settled.append(Decision(replace(decision.candidate, facts=None), False, _ONE_EVENT[0], reason))
            continue
        known[identity] = decision.candidate.key
        settled.append(decision)
    return settled


def _collected(decisions: list[Decision], rules: tuple[Rule, ...]) -> Collected:
    dropped = Counter(decision.step for decision in decisions if not decision.kept)
    left = len(decisions)
    steps = [FunnelStep(*_READ, 0, left)]
    for name, text in (_ONCE, _COMPLETE, *((rule.name, rule.text) for rule in rules), _ONE_EVENT):
        left -= dropped[name]
        steps.append(FunnelStep(name, text, dropped[name], left))
    events: list[EventFacts] = [
        decision.candidate.facts for decision in decisions if decision.kept and decision.candidate.facts is not None
    ]
    return Collected(tuple(events), tuple(decisions), Funnel(tuple(steps)))


__all__ = ["Window", "decide", "decide_gathered", "decide_items", "plan_of", "rules_of"]
