"""What is being typed: nothing of it is lost where the project can't be written for a while."""

from __future__ import annotations

import pytest

from btc_gui.errors import ProjectError
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore


def _fill_disk(database: Database) -> None:
    pages = database.read().execute("PRAGMA page_count").fetchone()[0]
    database.read().execute(f"PRAGMA max_page_count = {pages}")


def test_what_finds_no_room_is_held_and_written_with_what_is_kept_next(database: Database) -> None:
    drafts, long = DraftStore(database), "Half a thought. " * 5_000
    drafts.keep("review-note/2/ann", "before")
    _fill_disk(database)
    with pytest.raises(ProjectError, match="no space left"):
        drafts.keep("review-note/1/ann", long)
    drafts.keep("review-note/2/ann", "")
    elsewhere = DraftStore(database)
    assert elsewhere.get("review-note/1/ann") == long
    assert elsewhere.get("review-note/2/ann") == ""
    assert elsewhere.places("review-note/") == ["review-note/1/ann"]
    assert elsewhere.unwritten() == 1
    with Database.open(database.path) as other:
        assert DraftStore(other).places("review-note/") == ["review-note/2/ann"]
    database.read().execute("PRAGMA max_page_count = 1000000")
    drafts.keep("review-note/3/ann", "after")
    assert drafts.unwritten() == 0
    with Database.open(database.path) as other:
        assert DraftStore(other).get("review-note/1/ann") == long
        # Written together, perhaps in one millisecond.
        assert sorted(DraftStore(other).places("review-note/")) == ["review-note/1/ann", "review-note/3/ann"]


def test_choices_that_find_no_room_are_no_unfinished_text(database: Database) -> None:
    drafts = DraftStore(database)
    _fill_disk(database)
    drafts.remember("try-probe/ann", "x" * 100_000)
    assert (drafts.get("try-probe/ann"), drafts.unwritten()) == ("", 0)
    database.read().execute("PRAGMA max_page_count = 1000000")
    drafts.remember("try-probe/ann", "two models")
    with Database.open(database.path) as other:
        assert DraftStore(other).get("try-probe/ann") == "two models"


def test_what_was_emptied_while_there_was_no_room_does_not_come_back(database: Database) -> None:
    drafts = DraftStore(database)
    _fill_disk(database)
    with pytest.raises(ProjectError):
        drafts.keep("case-note/1", "x" * 100_000)
    drafts.keep("case-note/1", "")
    assert (drafts.get("case-note/1"), drafts.places("case-note/"), drafts.unwritten()) == ("", [], 0)
