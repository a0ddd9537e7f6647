"""Asking again about events of the project: what has moved since they were collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from btc_gui.domain.category import Category
from btc_gui.domain.claims import ClaimMaker, Missing, dates_of_change
from btc_gui.domain.collecting import plan_of, rules_of
from btc_gui.domain.collection_plan import Binding, CollectionPlan, DateOfChange
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.domain.rules import Rule, World, refusal
from btc_gui.domain.sparql_rows import gather
from btc_gui.domain.statements import Item, Rank, StatedDate, Statement, best

_DEPRECATED = "The source keeps the statement as wrong: it is deprecated now."
_NONE_OVERRULED: Mapping[str, str] = MappingProxyType({})


class Movement(StrEnum):
    """What asking again may find about an event."""

    UNCHANGED = "unchanged"
    DATE_CORRECTED = "date corrected"
    GONE = "statement gone"
    HELD_AGAIN = "held again"
    MERGED = "item merged"
    REFUSED = "refused now"


@dataclass(frozen=True, slots=True)
class Moved:
    """What was found about one event: `now` are its facts as the source has them today, None when it has none.

    `reason` is a sentence for the queue. REFUSED means that a rule drops the event today for another reason.
    """

    facts: EventFacts
    movement: Movement
    reason: str
    now: EventFacts | None = None


def what_moved(
    category: Category,
    known: Sequence[EventFacts],
    rows: Mapping[str, Sequence[Binding]],
    *,
    run_date: date,
    overruled: Mapping[str, str] = _NONE_OVERRULED,
) -> tuple[Moved, ...]:
    """What moved about events with a QID, by the rows of the plan's `verify` queries. One entry for each event.

    Events without a QID are left out: nothing can be asked about them. `overruled` are the reasons in spite of which
    rows were put back, by their statements: they have been answered, and are told no more. Raises
    `SettingsError` for a category that isn't collected.
    """
    plan = plan_of(category)
    items = dict(gather(plan, rows).items)
    present = {former: item.qid for item in items.values() for former in item.former}
    asked = [facts for facts in known if facts.qid and facts.category == category.name]
    for facts in asked:
        _lend_names(items, facts, present.get(facts.qid, facts.qid))
    maker = ClaimMaker(category, plan, items, run_date=run_date)
    desk = _Desk(plan, rules_of(category), maker, World(run_date, maker.terms), overruled)
    return tuple(desk.look(facts, items[present.get(facts.qid, facts.qid)]) for facts in asked)


def _lend_names(items: dict[str, Item], facts: EventFacts, qid: str) -> None:
    # Names were asked for when the event was collected; they are no part of what is verified.
    item = items.get(qid, Item(qid))
    items[qid] = replace(
        item,
        label_en=item.label_en or facts.entity,
        title=item.title or facts.article or facts.entity,
        description=item.description or facts.description,
    )
    position = items.get(facts.position_qid)
    if facts.position_qid and (position is None or not position.name):
        items[facts.position_qid] = replace(position or Item(facts.position_qid), label_en=facts.position)


class _Desk:
    def __init__(
        self,
        plan: CollectionPlan,
        rules: tuple[Rule, ...],
        maker: ClaimMaker,
        world: World,
        overruled: Mapping[str, str],
    ) -> None:
        self._plan = plan
        self._rules = rules
        self._maker = maker
        self._world = world
        self._overruled = overruled

    def look(self, facts: EventFacts, item: Item) -> Moved:
        overruled = self._overruled.get(_statement_of(facts), "")
        statement = self._find(facts, item)
        if statement is None:
            return Moved(facts, Movement.GONE, f"The source no longer states this about {item.qid}.")
        if statement.rank is Rank.DEPRECATED and not overruled:
            return Moved(facts, Movement.GONE, _DEPRECATED)
        claim = self._maker.claim(item, statement)
        if isinstance(claim, Missing):
            return Moved(facts, Movement.GONE, f"The statement has no such date any more: {claim.reason}.")
        when = claim.facts.date
        if overruled and when.as_day() is None and when.may_be(facts.date):
            # The curator who put it back knows the day, which the source does not.
            when = facts.date
        now = replace(facts, qid=item.qid, date=when, started=claim.facts.started, ends=claim.facts.ends)
        step, reason = refusal(self._rules, claim, self._world, overruled)
        if step == "not_deprecated":
            return Moved(facts, Movement.GONE, _DEPRECATED)
        if step == "not_held_again":
            return Moved(facts, Movement.HELD_AGAIN, f"{_sentence(reason)}.", now)
        if step:
            return Moved(facts, Movement.REFUSED, f"{_sentence(reason)}.", now)
        if now.date != facts.date:
            return Moved(facts, Movement.DATE_CORRECTED, f"{facts.date.text} is {now.date.text} now.", now)
        if now.ends != facts.ends and self._plan.change is DateOfChange.START:
            until = now.ends.text if now.ends else "nobody knows when"
            return Moved(facts, Movement.DATE_CORRECTED, f"It lasts until {until} now.", now)
        if now.qid != facts.qid:
            return Moved(facts, Movement.MERGED, f"{facts.qid} was merged into {now.qid}.", now)
        return Moved(facts, Movement.UNCHANGED, "As it was.", now)

    def _find(self, facts: EventFacts, item: Item) -> Statement | None:
        """The statement that the event is from: by its id, else the one that says most nearly the same."""
        key = _statement_of(facts)
        about = [
            statement
            for statement in item.statements
            if not self._plan.names_position or statement.value == facts.position_qid
        ]
        found = [statement for statement in item.statements if statement.id == key]
        if found and key in self._overruled:
            return found[0]
        found += [statement for statement in about if _states(dates_of_change(self._plan, statement), facts.date)]
        if self._plan.change is DateOfChange.VALUE:
            # One date is true: that of best rank, if the old one is outranked or stated no longer.
            top = best(about)
            one_date = len({tuple(one.date for one in statement.dates) for statement in top}) == 1
            is_best = bool(found) and found[0] in top
            found = [*top, *found] if one_date and not is_best else [*found, *top]
        elif self._plan.change is DateOfChange.END and facts.started is not None:
            found += [statement for statement in about if _states(statement.starts, facts.started)]
        return next(iter(found), None)


def _statement_of(facts: EventFacts) -> str:
    return facts.source.rpartition("#")[2]


def _states(stated: tuple[StatedDate, ...], when: EventDate) -> bool:
    return any(one.date == when for one in stated)


def _sentence(reason: str) -> str:
    return reason[:1].upper() + reason[1:]
