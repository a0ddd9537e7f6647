"""From items to claims: what each statement would be as an event, and the times in office of everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from btc_gui.domain.category import Category
from btc_gui.domain.collection_plan import CollectionPlan, DateOfChange
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.domain.office_terms import Holder, Office, OfficeTerms, Term, state_of_term
from btc_gui.domain.rules import Claim, Window
from btc_gui.domain.rules.office_rules import too_general
from btc_gui.domain.statements import DateState, Item, Rank, StatedDate, Statement, best

_NOT_STATED = {
    DateOfChange.VALUE: "no date is stated",
    DateOfChange.START: "no start is stated",
    DateOfChange.END: "no end is stated: still in office, or unknown",
}


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a statement can't be an event even by hand, with what is known of it."""

    reason: str
    name: str = ""
    date: str = ""
    position: str = ""


class ClaimMaker:
    """Makes claims of the statements of some items by a category's plan."""

    def __init__(
        self,
        category: Category,
        plan: CollectionPlan,
        items: Mapping[str, Item],
        *,
        run_date: date,
        window: Window | None = None,
    ) -> None:
        self._category = category
        self._plan = plan
        self._items = items
        self._today = run_date
        self._window = window
        self._too_general = too_general(category.rules.get("not_held_again"))
        self._offices: dict[str, Office] = {}
        self._terms: dict[tuple[str, str], Term] = {}
        self.terms = OfficeTerms(run_date)
        if plan.names_position:
            for item in items.values():
                for statement in item.statements:
                    if statement.rank is not Rank.DEPRECATED:
                        self.terms.add(self._term(item, statement))

    def claim(self, item: Item, statement: Statement) -> Claim | Missing:
        """The claim of a statement, or why it can be none."""
        name, position = item.name, self._office(statement.value).name if self._plan.names_position else ""
        change = self._change(statement)
        if change is None or change.date is None:
            why = change.why if change is not None else _NOT_STATED[self._plan.change]
            return Missing(why, name, change.text if change is not None else "", position)
        if not name:
            return Missing(
                f"entity is missing: {item.qid} has no English name and no article", "", change.text, position
            )
        facts = self._facts(item, statement, change.date, name, position)
        for fact in self._category.required:
            if not getattr(facts, fact, ""):
                title = self._category.title.casefold()
                return Missing(f"{fact} is missing: a {title} can't do without", name, change.text, position)
        if self._plan.values and statement.value not in self._plan.values:
            return Missing(f"another state: {statement.value or 'none'}", name, change.text, position)
        return Claim(
            facts=facts,
            deaths=item.died,
            term=self._term(item, statement) if self._plan.names_position else None,
            item=item,
            statement=statement,
            rivals=tuple(other for other in item.statements if other.id != statement.id),
            dates=self._dates(item, statement),
        )

    def _facts(self, item: Item, statement: Statement, happened: EventDate, name: str, position: str) -> EventFacts:
        change = self._plan.change
        others = {name_ for name_ in (*item.aliases, item.label_mul, item.label_en) if name_ and name_ != name}
        return EventFacts(
            category=self._category.name,
            entity=name,
            date=happened,
            qid=item.qid,
            description=item.description,
            article=item.title,
            position=position,
            position_qid=statement.value if self._plan.names_position else "",
            started=_first(statement.starts) if change is DateOfChange.END else None,
            country=item.country,
            ends=_last(statement.ends) if change is DateOfChange.START else None,
            aliases=tuple(sorted(others)),
            source=f"https://www.wikidata.org/wiki/{item.qid}#{statement.id}",
        )

    def _change(self, statement: Statement) -> StatedDate | None:
        """The date of change; of several the first in the window, for a curator to see what was found there."""
        stated = dates_of_change(self._plan, statement)
        known = [one for one in stated if one.date is not None]
        if self._window is not None:
            first, last = self._window.start, self._window.end
            inside = [one for one in known if one.date and first <= one.date.first_day and one.date.last_day <= last]
            known = inside or known
        return known[0] if known else stated[0] if stated else None

    def _dates(self, item: Item, statement: Statement) -> tuple[StatedDate, ...]:
        """All dates that are stated for this change: of all statements of best rank where the date is the value, else
        of those with the same value and the same other date."""
        if self._plan.change is DateOfChange.VALUE:
            counted = best(item.statements)
            dates = [stated for other in counted if other.id != statement.id for stated in other.dates]
        else:
            dates = [
                stated
                for other in item.statements
                if other.id != statement.id
                and other.rank is not Rank.DEPRECATED
                and other.value == statement.value
                and (mark := self._other_dates(other)) == self._other_dates(statement)
                and any(stated.date is not None for stated in mark)
                for stated in dates_of_change(self._plan, other)
            ]
        return (*dates_of_change(self._plan, statement), *dates)

    def _other_dates(self, statement: Statement) -> tuple[StatedDate, ...]:
        return statement.starts if self._plan.change is DateOfChange.END else statement.ends

    def _office(self, qid: str) -> Office:
        found = self._offices.get(qid)
        if found is None:
            item = self._items.get(qid, Item(qid))
            parents = frozenset(
                parent
                for parent in item.parents
                if parent not in self._too_general and self._items.get(parent, Item(parent)).jurisdictions
            )
            found = self._offices[qid] = Office(item.name, qid, parents)
        return found

    def _term(self, item: Item, statement: Statement) -> Term:
        key = (item.qid, statement.id)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._make_term(item, statement)
        return found

    def _make_term(self, item: Item, statement: Statement) -> Term:
        start, end = _first(statement.starts), _last(statement.ends)
        parliaments = [self._items[qid] for qid in statement.terms if qid in self._items]
        # A statement may name the parliament alone: then its dates are those of the statement.
        if not statement.starts:
            start = min(filter(None, (_first(parliament.begins) for parliament in parliaments)), default=None)
        if not statement.ends:
            end = max(filter(None, (_last(parliament.finishes) for parliament in parliaments)), default=None)
        is_over = bool(item.died) or (
            end is None and any(stated.state is not DateState.NONE for stated in statement.ends)
        )
        state = state_of_term(start, end, self._today, is_over=is_over)
        return Term(Holder(item.qid), self._office(statement.value), start, end, state, statement.id)


def dates_of_change(plan: CollectionPlan, statement: Statement) -> tuple[StatedDate, ...]:
    """What a statement says about the date of the change: none, one, or several that contradict each other."""
    match plan.change:
        case DateOfChange.VALUE:
            return statement.dates
        case DateOfChange.START:
            return statement.starts
        case DateOfChange.END:
            return statement.ends


def _first(stated: tuple[StatedDate, ...]) -> EventDate | None:
    return min((one.date for one in stated if one.date is not None), default=None)


def _last(stated: tuple[StatedDate, ...]) -> EventDate | None:
    return max((one.date for one in stated if one.date is not None), default=None)
