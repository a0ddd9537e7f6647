"""The import dialog's work without the dialog."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.load_preview import Preview
from btc_gui.errors import InputError
from btc_gui.jobs.load_events import load_events, preview_events
from btc_gui.progress import Progress
from btc_gui.sessions.loading import LoadSession
from btc_gui.store.database import Database


@pytest.fixture
def session(database: Database) -> LoadSession:
    """A session for events of a project."""
    categories = load_categories(paths.resources() / "categories")

    def look(path: Path, changes: Mapping[str, str], default: str) -> Preview:
        return preview_events(path, database, categories, mapping=changes, default_category=default)

    return LoadSession(LoadSubject.EVENTS, look)


def test_from_file_to_load(session: LoadSession, database: Database, tmp_path: Path) -> None:
    """Open, see what is missing, say which column is what, see the rows, load with the same choices."""
    path = tmp_path / "deaths.csv"
    path.write_text("who,day\nAda,2026-05-09\nBea,2026-05\n")
    preview = session.open(path)
    assert preview.mapping == {"date": "day"}
    assert preview.problems == ("no column holds the entity’s name", "no column holds the category")
    assert session.set_mapping("entity", "who").problems == ("no column holds the category",)
    preview = session.set_default("demise")
    assert session.can_load
    assert [row.reason for row in preview.sample] == ["", "date known only to the month: May 2026"]
    assert preview.sample[0].facts == {"category": "demise", "entity": "Ada", "date": "9 May 2026"}
    with pytest.raises(InputError):
        session.set_mapping("entity", "nobody")
    assert session.changes == {"entity": "who"}
    report = load_events(
        database,
        session.path,
        load_categories(paths.resources() / "categories"),
        Progress(),
        mapping=session.changes,
        author="tests",
        default_category=session.default,
    )
    assert (report.new, len(report.rejected)) == (1, 1)


def test_another_file_starts_anew(session: LoadSession, tmp_path: Path) -> None:
    """Choices for one file don't leak into the next; one that can't be read leaves the session as it was."""
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("name,date\nAda,2026-05-09\n")
    second.write_text("name,date,category\nAda,2026-05-09,demise\n")
    session.open(first)
    session.set_default("tenure")
    with pytest.raises(InputError):
        session.open(tmp_path / "missing.csv")
    assert session.path == first
    session.open(second)
    assert (session.default, session.changes, session.can_load) == ("", {}, True)
    assert "entity" in session.facts
