"""What takes long to read, kept for as long as nothing changes that it is made of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

from btc_gui.domain.ending import Ending
from btc_gui.store.database import Database

Value = TypeVar("Value")

# The index of answers begins with their endings.
_ENDINGS = ", ".join(f"'{each}'" for each in Ending)
#: For a state: how many answers don't count. Answers are appended, and it is only this that changes in them (a failed
#: attempt is made again, a trial's cancelled one is taken after all). How many do count would not tell: an attempt that
#: fails again leaves as many as before.
NOT_COUNTING = f"(SELECT count(*) FROM answer WHERE ending IN ({_ENDINGS}) AND is_final = 0)"


class Kept(Generic[Value]):
    """A value for each database and key, read anew once its state is another one.

    `state` is a query of one row, of numbers that change with all that the value is made of; asking it takes well
    under a millisecond. It is asked before the value is read, so that what is written meanwhile shows the next time.
    Safe from any thread: who asks while the value is being read waits for it.
    """

    def __init__(self, state: str) -> None:
        self._state = state
        self._values: WeakKeyDictionary[Database, tuple[threading.Lock, dict[Hashable, tuple[object, Value]]]]
        self._values = WeakKeyDictionary()
        self._guard = threading.Lock()

    def get(
        self,
        database: Database,
        read: Callable[[], Value],
        key: Hashable = None,
        bound: Mapping[str, Any] | None = None,
    ) -> Value:
        """The present value: the very same object as before while nothing has changed. `bound` are the state's."""
        connection = database.read()
        if connection.in_transaction:
            # What is not committed yet may never be.
            return read()
        with self._guard:
            lock, values = self._values.setdefault(database, (threading.Lock(), {}))
        with lock:
            state = tuple(connection.execute(self._state, bound or {}).fetchone())
            known = values.get(key)
            if known is None or known[0] != state:
                values[key] = known = state, read()
            return known[1]
