"""What happened while a run was driven: lines for a person, and how often calls to its models were made again."""

from __future__ import annotations

from collections.abc import Mapping

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.dates import now_utc
from btc_gui.domain.run import RunId, RunLogLine
from btc_gui.store.database import Database

#: So many lines of a run are kept, the latest ones.
KEPT_LINES = 500


class RunLogStore:
    """The logs of a project's runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, run_id: RunId, text: str, configuration_id: ConfigurationId | None = None) -> None:
        """Add a line. The oldest ones go when there are too many."""
        with self._database.write(durable=False) as connection:
            connection.execute(
                "INSERT INTO run_log (run_id, configuration_id, at, text) VALUES (?, ?, ?, ?)",
                (run_id, configuration_id, now_utc(), text),
            )
            connection.execute(
                "DELETE FROM run_log WHERE run_id = ? AND id <= "
                "(SELECT id FROM run_log WHERE run_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (run_id, run_id, KEPT_LINES),
            )

    def lines(self, run_id: RunId, limit: int = KEPT_LINES) -> list[RunLogLine]:
        """The latest lines, the newest first."""
        rows = self._database.read().execute(
            "SELECT run_log.*, configuration.model, configuration.effort, configuration.harness FROM run_log "
            "LEFT JOIN configuration ON configuration.id = run_log.configuration_id "
            "WHERE run_id = ? ORDER BY run_log.id DESC LIMIT ?",
            (run_id, limit),
        )
        return [
            RunLogLine(
                at=row["at"],
                text=row["text"],
                configuration=f"{row['model']} · {row['effort']} · {row['harness']}" if row["model"] else "",
            )
            for row in rows
        ]

    def count_retries(self, run_id: RunId, counts: Mapping[tuple[ConfigurationId, str], int]) -> None:
        """Add to the counts of calls made again, by configuration and reason (a status code, a kind of error)."""
        with self._database.write(durable=False) as connection:
            connection.executemany(
                "INSERT INTO run_retry (run_id, configuration_id, reason, count) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (run_id, configuration_id, reason) DO UPDATE SET count = count + excluded.count",
                [(run_id, *key, count) for key, count in counts.items()],
            )

    def retries(self, run_id: RunId) -> dict[ConfigurationId, dict[str, int]]:
        """How often calls were made again, by configuration and reason."""
        found: dict[ConfigurationId, dict[str, int]] = {}
        rows = self._database.read().execute("SELECT * FROM run_retry WHERE run_id = ? ORDER BY reason", (run_id,))
        for row in rows:
            found.setdefault(ConfigurationId(row["configuration_id"]), {})[row["reason"]] = row["count"]
        return found
