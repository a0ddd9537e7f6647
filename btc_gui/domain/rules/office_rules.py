"""Rules about times in office: what ended with a death, what was taken up again, what is no office of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from btc_gui.domain.rules.claim import Claim, Rule, World

if TYPE_CHECKING:
    from btc_gui.domain.office_terms import Term
    from btc_gui.domain.statements import StatedDate

#: One day before the death counts as the same: time zones, and reports that come late.
_BEFORE_DEATH = timedelta(days=1)
#: A new role begins on the day on which the old one ended, or on the next.
_NEW_ROLE = timedelta(days=1)


def drops(rule: str, value: object) -> bool:
    """Whether a rule's parameter says to drop (or to mark). Raises ValueError for anything else."""
    if value not in ("drop", "mark"):
        raise ValueError(f"{rule} must be “drop” or “mark”")
    return value == "drop"


def category_of_deaths(value: object) -> str:
    """The category whose events say that somebody died, by the parameter of `ended_by_death`; empty for none."""
    return str(value.get("told_by", "")) if isinstance(value, Mapping) else ""


def ended_by_death(value: object) -> Rule:
    """The term did not end with the person's death: that is a demise. Known to the month only, the doubt counts.

    `told_by` is the category whose events in the project tell of deaths, besides what the source itself says.
    """
    is_dropped = drops("ended_by_death", value.get("do") if isinstance(value, Mapping) else value)

    def finds(claim: Claim, _: World) -> str:
        return next(filter(None, (_by_death(claim, died) for died in claim.deaths)), "")

    text = "It did not end with the person's death"
    return Rule("ended_by_death", text, finds) if is_dropped else Rule("ended_by_death", text, marks=finds)


def _by_death(claim: Claim, died: StatedDate) -> str:
    if died.date is None:
        return "perhaps ended by death: the person is dead, and the source doesn't say since when"
    if claim.facts.date.last_day < died.date.first_day - _BEFORE_DEATH:
        return ""
    perhaps = "" if died.date.day else "perhaps "
    on = "on" if died.date.day else "in"
    return f"{perhaps}ended by death: the person died {on} {died.date.text}, which is a demise and no tenure"


def span(value: object) -> tuple[int, int]:
    """The days from and to of `not_held_again`. Raises ValueError when they are missing."""
    days = [value.get(key) for key in ("from_days", "to_days")] if isinstance(value, Mapping) else []
    first, last = days if len(days) == 2 else (None, None)
    if not isinstance(first, int) or not isinstance(last, int) or first > last:
        raise ValueError("not_held_again needs from_days and to_days")
    return first, last


def too_general(value: object) -> frozenset[str]:
    """Positions above others that don't make these one office (“minister”)."""
    return frozenset(value.get("too_general", ())) if isinstance(value, Mapping) else frozenset()


def not_held_again(value: object) -> Rule:
    """The person doesn't hold the same office again or still."""
    first, last = span(value)

    def refuses(claim: Claim, world: World) -> str:
        again = world.terms.held_again(claim.term, first, last) if claim.term else None
        if again is None or again.start is None:
            return ""
        if claim.facts.started is not None and again.start.last_day < claim.facts.started.first_day:
            return f"still held: another statement of the same position, from {again.start.text}, has not ended"
        perhaps = "" if again.start.day else "perhaps "
        reason = f"{perhaps}held again: the same position from {again.start.text}, after the end on"
        return f"{reason} {claim.facts.date.text}{_through(again, claim.term)}"

    def marks(claim: Claim, world: World) -> str:
        from btc_gui.domain.office_terms import TermState

        others = world.terms.in_office(claim.term) if claim.term else []
        undated = any(term.state is TermState.UNKNOWN for term in others)
        return "another statement of the same position has no dates" if undated else ""

    return Rule("not_held_again", "The person doesn't hold the office again or still", refuses, marks)


def _through(again: Term, own: Term | None) -> str:
    if own is None or again.office.qid == own.office.qid or not again.office.name:
        return ""
    return f" (as “{again.office.name}”)" if again.office.name != own.office.name else ""


def longest_of_day(_: object) -> Rule:
    """Of statements about one office that end on the same day, the longest counts."""

    def refuses(claim: Claim, world: World) -> str:
        own = claim.term
        if own is None:
            return ""
        twins = [term for term in world.terms.in_office(own) if term.end == own.end and _is_longer(term, own)]
        longer = min(twins, key=lambda term: (term.start is None, term.start, term.key), default=None)
        if longer is None:
            return ""
        since = f"from {longer.start.text}" if longer.start else "in another statement"
        return f"the same end in a longer term: {since}"

    return Rule("longest_of_day", "It is the longest of the terms that end so", refuses)


def _is_longer(one: Term, other: Term) -> bool:
    if one.start == other.start:
        return bool(one.key and other.key) and one.key < other.key
    if one.start is None or other.start is None:
        return other.start is None
    return one.start < other.start


def acting(value: object) -> Rule:
    """Offices held for the time being: by a qualifier of the statement (`values`) or by name (`words`)."""
    if not isinstance(value, Mapping):
        raise ValueError("acting needs do, values and words")
    is_dropped = drops("acting", value.get("do"))
    values = frozenset(value.get("values", ()))
    words = "|".join(re.escape(word) for word in value.get("words", ()))
    pattern = re.compile(rf"\b(?:{words})\b", re.IGNORECASE) if words else None

    def finds(claim: Claim, _: World) -> str:
        natures = claim.statement.natures if claim.statement else ()
        is_acting = not values.isdisjoint(natures) or bool(pattern and pattern.search(claim.facts.position))
        return "acting: the office was held for the time being" if is_acting else ""

    text = "The office was not held for the time being"
    return Rule("acting", text, finds) if is_dropped else Rule("acting", text, marks=finds)


def new_role(value: object) -> Rule:
    """A new role on the same day: a reshuffle, after which the person is still in power in another way."""
    is_dropped = drops("new_role", value)

    def finds(claim: Claim, world: World) -> str:
        own = claim.term
        if own is None or own.end is None or not own.end.day:
            return ""
        from btc_gui.domain.office_terms import is_same_office

        last = own.end.first_day + _NEW_ROLE
        names = [
            term.office.name or term.office.qid
            for term in world.terms.others(own)
            if term.start is not None
            and term.start.day
            and own.end.first_day <= term.start.first_day <= last
            and not is_same_office(term.office, own.office)
        ]
        return f"new role on the same day: {', '.join(sorted(names))}" if names else ""

    text = "No other office was taken on the same day"
    return Rule("new_role", text, finds) if is_dropped else Rule("new_role", text, marks=finds)
