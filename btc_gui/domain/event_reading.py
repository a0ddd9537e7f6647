"""Rows of a file as events, by the rules of their categories and what the other rows and the project tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from btc_gui.domain.category import Category
from btc_gui.domain.event import EventFacts
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected, is_office, read_deaths, read_event, read_term
from btc_gui.domain.office_terms import Holder, Office, OfficeTerms, Term, TermState
from btc_gui.domain.rules import Claim, Rule, World, compose, refusal
from btc_gui.domain.rules.office_rules import category_of_deaths
from btc_gui.domain.statements import DateState, StatedDate


def tells_of_terms(mapping: Mapping[str, str], categories: Mapping[str, Category]) -> bool:
    """Whether all rows must be looked through first: whether somebody holds a position again stands in another one."""
    asks = any("not_held_again" in category.rules for category in categories.values())
    return asks and "started" in mapping and not {"position", "position_qid"}.isdisjoint(mapping)


def terms_of(rows: Iterable[Mapping[str, str]], mapping: Mapping[str, str], today: date) -> OfficeTerms:
    """All times in office of a file, whatever else its rows are."""
    terms = OfficeTerms(today)
    for values in rows:
        if term := read_term(Cells(values, mapping), today):
            terms.add(term)
    return terms


class EventReader:
    """Reads rows as events. `known` are the project's events: a tenure may have ended with a death among them."""

    def __init__(
        self,
        mapping: Mapping[str, str],
        categories: Mapping[str, Category],
        default_category: str,
        known: EventIndex,
        terms: OfficeTerms,
    ) -> None:
        self._mapping = mapping
        self._categories = categories
        self._default_category = default_category
        self._known = known
        self._world = World(terms.today, terms)
        self._rules: dict[str, tuple[Rule, ...]] = {
            name: compose(category.rules) for name, category in categories.items()
        }

    def read(self, values: Mapping[str, str]) -> EventFacts:
        """The facts of a row. Raises `Rejected` with the reason."""
        cells = Cells(values, self._mapping)
        facts = read_event(cells, self._categories, self._default_category)
        term = self._term(facts)
        claim = Claim(facts, self._deaths(cells, facts), term, dates=self._dates(facts, term))
        _, reason = refusal(self._rules[facts.category], claim, self._world)
        if reason:
            raise Rejected(reason)
        return facts

    def _deaths(self, cells: Cells, facts: EventFacts) -> tuple[StatedDate, ...]:
        teller = category_of_deaths(self._categories[facts.category].rules.get("ended_by_death"))
        others = self._known.about(facts) if teller else []
        told = (StatedDate(DateState.KNOWN, other.date) for other in others if other.category == teller)
        return (*read_deaths(cells), *told)

    def _dates(self, facts: EventFacts, term: Term | None) -> tuple[StatedDate, ...]:
        """When the file says that the term ended: rows with the same position and start should agree."""
        if term is None or term.start is None:
            return ()
        ends = {
            other.end
            for other in self._world.terms.others(term)
            if other.end is not None and other.start == term.start and other.office == term.office
        }
        return tuple(StatedDate(DateState.KNOWN, end) for end in sorted({facts.date, *ends}))

    def _term(self, facts: EventFacts) -> Term | None:
        if not is_office(self._categories[facts.category]):
            return None
        holder = Holder(facts.qid, facts.article, facts.entity)
        office = Office(facts.position, facts.position_qid)
        return Term(holder, office, facts.started, facts.date, TermState.ENDED)
