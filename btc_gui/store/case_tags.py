"""Tags on cases and their steps: appended and withdrawn, with author and time."""

from __future__ import annotations

from collections.abc import Sequence

from btc_gui.domain.case_remarks import CaseTag, tag_key, tag_of
from btc_gui.domain.dates import now_utc
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store.database import Database


class CaseTagStore:
    """The tags of a project. One tag is one spelling: the first that was given."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, answer_id: AnswerId) -> list[CaseTag]:
        """The tags that stand on a case and its steps: those of the case first, each group by word."""
        rows = self._database.read().execute(
            "SELECT answer_id, step_number, tag, author, at FROM case_tag WHERE answer_id = ? AND withdrawn_at = '' "
            "ORDER BY step_number IS NOT NULL, step_number, tag COLLATE NOCASE",
            (answer_id,),
        )
        return [
            CaseTag(AnswerId(row["answer_id"]), row["step_number"], row["tag"], row["author"], row["at"])
            for row in rows
        ]

    def counts(self) -> dict[str, int]:
        """Every tag that stands somewhere, with the number of cases that have it (on themselves or on a step)."""
        rows = self._database.read().execute(
            "SELECT tag, count(DISTINCT answer_id) AS n FROM case_tag WHERE withdrawn_at = '' "
            "GROUP BY tag ORDER BY tag COLLATE NOCASE"
        )
        return {row["tag"]: row["n"] for row in rows}

    def add(
        self, answer_ids: Sequence[AnswerId], tag: str, author: str, step_number: int | None = None
    ) -> tuple[str, int]:
        """Tag cases, or one step of each; gives the tag as it is spelled and how many did not have it before.

        Raises `InputError` for what is no tag.
        """
        wanted = tag_of(tag)
        with self._database.write() as connection:
            # A withdrawn tag keeps its spelling, too: it may come back.
            known = connection.execute("SELECT tag FROM case_tag GROUP BY tag ORDER BY min(id)").fetchall()
            spelled = next((row["tag"] for row in known if tag_key(row["tag"]) == tag_key(wanted)), wanted)
            before = connection.total_changes
            connection.executemany(
                "INSERT INTO case_tag (answer_id, step_number, tag, author, at) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                [(answer_id, step_number, spelled, author, now_utc()) for answer_id in answer_ids],
            )
            return spelled, connection.total_changes - before

    def withdraw(self, answer_id: AnswerId, tag: str, author: str, step_number: int | None = None) -> None:
        """Take a tag off a case, or off one of its steps. It stays in the project as withdrawn; twice is once."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE case_tag SET withdrawn_at = ?, withdrawn_by = ? "
                "WHERE answer_id = ? AND step_number IS ? AND tag = ? AND withdrawn_at = ''",
                (now_utc(), author, answer_id, step_number, tag),
            )
