"""Asking again about events of the project: what has moved since they were collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from btc_gui.domain.category import Category
from btc_gui.domain.collection_plan import Binding
from btc_gui.domain.event import EventFacts


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
    category: Category, known: Sequence[EventFacts], rows: Mapping[str, Sequence[Binding]], *, run_date: date
) -> tuple[Moved, ...]:
    """What moved about events with a QID, by the rows of the plan's `verify` queries. One entry for each event.

    Events without a QID are left out: nothing can be asked about them.
    """
    raise NotImplementedError
