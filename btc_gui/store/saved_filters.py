"""Filters that a person gave a name, by the page that they belong to."""

from __future__ import annotations

import json
from collections.abc import Mapping

from btc_gui.domain.dates import now_utc
from btc_gui.errors import InputError
from btc_gui.store.database import Database


class SavedFilterStore:
    """Named filters. What is in one is the page's: any JSON object."""

    def __init__(self, database: Database, page: str) -> None:
        self._database, self._page = database, page

    def all(self) -> dict[str, dict[str, object]]:
        """The filters of the page, by name, in the order of their names."""
        rows = self._database.read().execute(
            "SELECT name, content FROM saved_filter WHERE page = ? ORDER BY name COLLATE NOCASE", (self._page,)
        )
        return {row["name"]: json.loads(row["content"]) for row in rows}

    def save(self, name: str, content: Mapping[str, object]) -> None:
        """Keep a filter under a name; one of the same name is replaced. Raises `InputError` for an empty name."""
        name = name.strip()
        if not name:
            raise InputError("A filter needs a name.")
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO saved_filter (page, name, content, at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (page, name) DO UPDATE SET content = excluded.content, at = excluded.at",
                (self._page, name, json.dumps(content, ensure_ascii=False, sort_keys=True), now_utc()),
            )

    def remove(self, name: str) -> None:
        """Forget a filter."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM saved_filter WHERE page = ? AND name = ?", (self._page, name))
