"""What the queues of the review are made of, as numbers that change with it: reading a queue anew can be spared."""

from __future__ import annotations

from typing import NamedTuple

from btc_gui.store.database import Database
from btc_gui.store.kept import NOT_COUNTING
from btc_gui.store.retention import WHOSE_COUNTS

_ALWAYS = ("probe", "event_revision", "load")
_OF_ANSWERS = ("answer", "verdict", "run_item", "sample")
_MARKS = (
    "SELECT count(*) FROM load WHERE completed_at IS NULL",
    "SELECT count(*) FROM review_assignment",
    "SELECT ifnull(max(created_at), '') FROM review_round",
    "SELECT changes FROM lint_counter",
)
_MARKS_OF_ANSWERS = (f"SELECT {NOT_COUNTING}", f"SELECT ifnull({WHOSE_COUNTS}, '')")


class QueueState(NamedTuple):
    """The newest decision, the newest wording, and marks of everything else: equal ones mean that nothing changed."""

    decision: int
    wording: int
    others: tuple[int | str, ...]


def queue_state(database: Database, *, with_answers: bool) -> QueueState:
    """The present state; with that of answers, verdicts and samples where a queue depends on these.

    Where rows are replaced or removed, the newest id does not tell: findings have a counter, and assignments are told
    by how many there are and when the newest was made.
    """
    read = database.read()

    def value(sql: str) -> int | str:
        found: int | str = read.execute(sql).fetchone()[0]
        return found

    def newest(subject: str) -> int:
        return int(value(f"SELECT ifnull(max(rowid), 0) FROM {subject}"))

    marks = _MARKS + (_MARKS_OF_ANSWERS if with_answers else ())
    others = [newest(subject) for subject in (*_ALWAYS, *(_OF_ANSWERS if with_answers else ()))]
    return QueueState(newest("decision"), newest("probe_revision"), (*others, *map(value, marks)))
