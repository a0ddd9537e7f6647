"""What the queues of the review are made of, as numbers that change with it: reading a queue anew can be spared."""

from __future__ import annotations

from typing import NamedTuple

from btc_gui.store.database import Database
from btc_gui.store.kept import NOT_COUNTING
from btc_gui.store.retention import WHOSE_COUNTS

_NEWEST = "(SELECT ifnull(max(rowid), 0) FROM {})"
_DECISION, _WORDING = _NEWEST.format("decision"), _NEWEST.format("probe_revision")
#: Where rows are replaced or removed, the newest id does not tell: findings have a counter, and assignments are told by
#: how many there are and when the newest was made.
_OTHERS = (
    *(_NEWEST.format(subject) for subject in ("probe", "event_revision", "load")),
    "(SELECT count(*) FROM load WHERE completed_at IS NULL)",
    "(SELECT count(*) FROM review_assignment)",
    "(SELECT ifnull(max(created_at), '') FROM review_round)",
    "(SELECT changes FROM lint_counter)",
)
_OF_ANSWERS = (
    *(_NEWEST.format(subject) for subject in ("answer", "verdict", "run_item", "sample")),
    NOT_COUNTING,
    f"ifnull({WHOSE_COUNTS}, '')",
)
#: One row of numbers, for queues that don't depend on answers.
STATE = f"SELECT {', '.join((_DECISION, _WORDING, *_OTHERS))}"
_STATE_WITH_ANSWERS = f"{STATE}, {', '.join(_OF_ANSWERS)}"


class QueueState(NamedTuple):
    """The newest decision, the newest wording, and marks of everything else: equal ones mean that nothing changed."""

    decision: int
    wording: int
    others: tuple[int | str, ...]


def queue_state(database: Database, *, with_answers: bool) -> QueueState:
    """The present state; with that of answers, verdicts and samples where a queue depends on these."""
    row = database.read().execute(_STATE_WITH_ANSWERS if with_answers else STATE).fetchone()
    return QueueState(row[0], row[1], tuple(row)[2:])
