"""From the answers of Wikidata to events: every row is kept, or dropped at a step with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from btc_gui.domain.category import Category
from btc_gui.domain.collection_plan import Binding
from btc_gui.domain.funnel import Collected


@dataclass(frozen=True, slots=True)
class Window:
    """The days from which changes are collected, both included."""

    start: date
    end: date


def decide(
    category: Category,
    rows: Mapping[str, Sequence[Binding]],
    *,
    window: Window,
    run_date: date,
    put_back: Mapping[str, str] = MappingProxyType({}),
) -> Collected:
    """What the rows (by name of their query in the category's plan) come to by the category's rules.

    `run_date` is the day on which the service was asked: later days are announcements. `put_back` are notes by key
    of candidates that a curator takes in spite of the rules. The order of rows makes no difference, and rows that
    came twice count once.
    """
    raise NotImplementedError
