"""How far runs have come, counted once: while a run goes on, only the answers that are new are added to the counts."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import Ending, Usage
from btc_gui.store.database import Database
from btc_gui.store.kept import NOT_COUNTING, Kept

#: Runs with fewer items are counted anew each time, which takes some milliseconds.
_MANY = 2_000
# New answers are added; items are planned, and answers that were counted may count no more.
_STATE = f"SELECT (SELECT max(id) FROM run_item), {NOT_COUNTING}"
_SUMS = (
    "SELECT configuration_id, ending, is_final, count(*), sum(input_tokens), sum(output_tokens), "
    "sum(reasoning_tokens), sum(cache_read_tokens), sum(cache_write_tokens), sum(cost), sum(seconds) "
    "FROM {tables} WHERE run_id = ? AND answer.id > ? AND answer.id <= ? GROUP BY 1, 2, 3"
)
# All answers of a run are found by its items, new ones by themselves.
_ALL = _SUMS.format(tables="run_item CROSS JOIN answer ON answer.run_item_id = run_item.id")
_NEW = _SUMS.format(tables="answer CROSS JOIN run_item ON run_item.id = answer.run_item_id")


@dataclass
class Tally:
    """The answers to one configuration of a run, in numbers. `attempts` and the sums are of all of them, `by_ending`
    counts those that are final."""

    planned: int = 0
    attempts: int = 0
    by_ending: Counter[Ending] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0

    def add(self, sums: Sequence[Any]) -> None:
        """Add some more answers: their ending, whether they are final, how many, and what they took."""
        ending, is_final, count, *tokens, cost, seconds = sums
        self.attempts += count
        if is_final:
            self.by_ending[Ending(ending)] += count
        self.usage += Usage(*tokens)
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost
        self.seconds += seconds or 0.0


class _Counted:
    """One run's tallies up to an answer."""

    def __init__(self, connection: sqlite3.Connection, run_id: RunId) -> None:
        self._run_id = run_id
        self._newest = 0
        self._lock = threading.Lock()
        planned = connection.execute(
            "SELECT configuration_id, count(*), min(id) AS first FROM run_item WHERE run_id = ? "
            "GROUP BY configuration_id ORDER BY first",
            (run_id,),
        )
        self._of: dict[ConfigurationId, Tally] = {ConfigurationId(row[0]): Tally(row[1]) for row in planned}

    def take_new(self, connection: sqlite3.Connection) -> dict[ConfigurationId, Tally]:
        """The tallies with all answers that there are now."""
        with self._lock:
            newest = connection.execute("SELECT ifnull(max(id), 0) FROM answer").fetchone()[0]
            if newest > self._newest:
                query = _NEW if self._newest else _ALL
                for number, *sums in connection.execute(query, (self._run_id, self._newest, newest)).fetchall():
                    self._of[number].add(sums)
                self._newest = newest
            return {number: replace(each, by_ending=each.by_ending.copy()) for number, each in self._of.items()}


_COUNTED: Kept[_Counted] = Kept(_STATE)


def tallies(database: Database, run_id: RunId) -> dict[ConfigurationId, Tally]:
    """How far each configuration of a run has come, in the order in which they were planned."""
    connection = database.read()
    some = connection.execute("SELECT count(*) FROM (SELECT 1 FROM run_item WHERE run_id = ? LIMIT ?)", (run_id, _MANY))
    if some.fetchone()[0] < _MANY:
        return _Counted(connection, run_id).take_new(connection)
    return _COUNTED.get(database, lambda: _Counted(connection, run_id), run_id).take_new(connection)
