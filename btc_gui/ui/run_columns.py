"""The columns of the table of runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from btc_gui.domain.trajectory import Ending
from btc_gui.ui.run_driver import RunSummary, ending_words
from btc_gui.ui.tables.lazy_table import Column
from btc_gui.ui.words import day, money, tokens


def _name(summary: RunSummary) -> str:
    return summary.run.name


def _created(summary: RunSummary) -> str:
    return day(summary.run.created_at)


def _items(summary: RunSummary) -> str:
    return f"{summary.planned:,}"


def _done(summary: RunSummary) -> str:
    return f"{summary.done:,}"


def _endings(summary: RunSummary) -> str:
    return ending_words([(ending, summary.ending(ending)) for ending in Ending]) or "–"


def _tokens(summary: RunSummary) -> str:
    return tokens(summary.usage.total)


def _cost(summary: RunSummary) -> str:
    return money(summary.cost) if summary.done else "–"


def state_of(summary: RunSummary) -> str:
    """running (anywhere), done, stopped or planned."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    if summary.run.lease_owner and summary.run.lease_until > now:
        return "running"
    if not summary.pending:
        return "done"
    return "stopped" if summary.done else "planned"


def _state_mark(summary: RunSummary) -> str:
    return {"done": "accepted", "stopped": "deferred", "running": "explicit"}.get(state_of(summary), "unreviewed")


COLUMNS: Final[tuple[Column[RunSummary], ...]] = (
    Column("Run", _name, 0, least=140),
    Column("State", state_of, 96, mark=_state_mark),
    Column("Created", _created, 150),
    Column("Answers", _items, 76, is_number=True),
    Column("Done", _done, 68, is_number=True),
    Column("Endings", _endings, 0, least=64),
    Column("Tokens", _tokens, 76, is_number=True),
    Column("Cost", _cost, 76, is_number=True),
)
