"""Rules about the date of the change."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from btc_gui.domain.dates import Precision
from btc_gui.domain.rules.claim import Claim, Rule, World

if TYPE_CHECKING:
    from btc_gui.domain.statements import StatedDate


def day_precision(_: object) -> Rule:
    """The date is known to the day. “May 2026” comes from the query service as 1 May 2026 with precision 10."""

    def refuses(claim: Claim, _: World) -> str:
        date = claim.facts.date
        if date.precision is Precision.DAY:
            return ""
        return f"date known only to the {date.precision.name.lower()}: {date.text}"

    return Rule("day_precision", "The date is known to the day", refuses)


def in_window(_: object) -> Rule:
    """The whole date lies in the window, where there is one."""

    def refuses(claim: Claim, world: World) -> str:
        date, window = claim.facts.date, world.window
        if window is None or window.start <= date.first_day <= date.last_day <= window.end:
            return ""
        return f"outside the window: {date.text}"

    return Rule("in_window", "The date lies in the window", refuses)


def not_in_future(_: object) -> Rule:
    """It has happened: a scheduled end is an announcement."""

    def refuses(claim: Claim, world: World) -> str:
        date = claim.facts.date
        if date.first_day <= world.today:
            return ""
        return f"the date is still to come: {date.text} is scheduled, not a change that has happened"

    return Rule("not_in_future", "It has happened", refuses)


def one_date(_: object) -> Rule:
    """All statements that count give one date. A coarser one that contains it (“May 2026”) contradicts nothing."""

    def refuses(claim: Claim, _: World) -> str:
        texts = sorted({stated.text for stated in claim.dates})
        if any(not _agree(one, other) for one, other in combinations(claim.dates, 2)):
            return f"conflict: {' and '.join(texts)}"
        return ""

    return Rule("one_date", "The source gives one date", refuses)


def _agree(one: StatedDate, other: StatedDate) -> bool:
    if one.date is None or other.date is None:
        return one.date is other.date
    return one.date.may_be(other.date)


def not_over(_: object) -> Rule:
    """The change still holds: a place that has opened again is as it was."""

    def refuses(claim: Claim, world: World) -> str:
        ends = claim.facts.ends
        return f"over already: until {ends.text}" if ends is not None and ends.last_day <= world.today else ""

    return Rule("not_over", "The change still holds", refuses)


def in_order(_: object) -> Rule:
    """What has a start ends after it: the term before its end, the change before it is over."""

    def refuses(claim: Claim, _: World) -> str:
        facts = claim.facts
        if facts.started is not None and facts.started.first_day > facts.date.last_day:
            return f"it ends before it starts: {facts.date.text} is before {facts.started.text}"
        if facts.ends is not None and facts.ends.last_day < facts.date.first_day:
            return f"the change is over before it happens: {facts.ends.text} is before {facts.date.text}"
        return ""

    return Rule("in_order", "It starts before it ends", refuses)
