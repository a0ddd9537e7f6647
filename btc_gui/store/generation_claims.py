"""Who is having an event's probes written now, so that nobody else asks, and pays, for the same."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeKind
from btc_gui.store.database import Database
from btc_gui.store.lease import from_now, is_gone, is_held, this_process

#: A claim ends by itself after so many seconds, unless it is renewed: its process has died.
CLAIM_SECONDS = 120.0

#: An event's probes of one kind.
Claim = tuple[EventId, ProbeKind]


class GenerationClaims:
    """The claims of one piece of work; two of the same process exclude each other as those of two do."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._holder = f"{secrets.token_hex(4)}@{this_process()}"

    def take(self, wanted: Iterable[Claim]) -> set[Claim]:
        """Claim what nobody else has claimed; gives what is ours now."""
        taken: set[Claim] = set()
        with self._database.write() as connection:
            for event_id, kind in wanted:
                row = connection.execute(
                    "SELECT holder, until FROM generation_claim WHERE event_id = ? AND kind = ?", (event_id, kind)
                ).fetchone()
                if row is None or not self._is_others(row["holder"], row["until"]):
                    connection.execute(
                        "INSERT OR REPLACE INTO generation_claim (event_id, kind, holder, until) VALUES (?, ?, ?, ?)",
                        (event_id, kind, self._holder, from_now(CLAIM_SECONDS)),
                    )
                    taken.add((event_id, kind))
        return taken

    def renew(self) -> None:
        """Hold all that is ours for longer."""
        with self._database.write(durable=False) as connection:
            connection.execute(
                "UPDATE generation_claim SET until = ? WHERE holder = ?", (from_now(CLAIM_SECONDS), self._holder)
            )

    def release(self) -> None:
        """Give back all that is ours."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM generation_claim WHERE holder = ?", (self._holder,))

    def _is_others(self, holder: str, until: str) -> bool:
        return is_held(holder, until, self._holder, 2 * CLAIM_SECONDS) and not is_gone(holder.partition("@")[2])
