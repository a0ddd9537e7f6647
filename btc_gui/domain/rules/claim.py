"""What rules decide about: a claim that something changed, and what else is known of the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from btc_gui.records import dataclass

if TYPE_CHECKING:
    from datetime import date

    from btc_gui.domain.event import EventFacts
    from btc_gui.domain.office_terms import OfficeTerms, Term
    from btc_gui.domain.statements import Item, StatedDate, Statement


@dataclass(frozen=True, slots=True)
class Window:
    """The days from which changes are collected, both included."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Claim:
    """A possible event, from a row of a file or from a statement.

    `deaths` are all dates on which the entity is said to have died; `term` is the time in office that ended, if it
    is one. From statements come also the `item`, the `statement`, the `rivals` (the item's other statements of the
    property) and `dates`: every date that the source states for this change, of which there should be one.
    """

    facts: EventFacts
    deaths: tuple[StatedDate, ...] = ()
    term: Term | None = None
    item: Item | None = None
    statement: Statement | None = None
    rivals: tuple[Statement, ...] = ()
    dates: tuple[StatedDate, ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    """What rules may look at beside the claim. Files are loaded without a `window`."""

    today: date
    terms: OfficeTerms
    window: Window | None = None


def _nothing(_: Claim, __: World) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule with its parameters.

    `text` says what it asks for, as a step of the funnel. `refuses` gives the reason against a claim, `marks` what a
    curator should look at in a claim that is taken; both are empty where there is nothing to say. What a rule would
    look at and the source doesn't have is no reason against a claim.
    """

    name: str
    text: str
    refuses: Callable[[Claim, World], str] = field(default=_nothing)
    marks: Callable[[Claim, World], str] = field(default=_nothing)
