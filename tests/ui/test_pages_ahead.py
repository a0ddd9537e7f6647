"""Pages are made before their first visit, but not under somebody's hands."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from btc_gui.progress import Progress
from btc_gui.store.case_search import stopping
from btc_gui.store.database import Database
from btc_gui.ui import main_window, page_list
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES, load_module
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages_ahead import PagesAhead
from btc_gui.ui.pictures import settle
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer
from tests.ui.conftest import activate


def test_pages_are_made_while_nobody_does_anything(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PagesAhead, "QUIET_SECONDS", 3_600.0)
    window.go("events")
    before = set(window._pages)
    window._pages_ahead.start(window.windowHandle())
    window._pages_ahead._look()
    assert set(window._pages) == before
    monkeypatch.setattr(PagesAhead, "QUIET_SECONDS", 0.0)
    qtbot.waitUntil(lambda: set(window._pages) == {entry.name for entry in PAGES}, timeout=60_000)
    assert window.current_page is window._pages["events"]
    made = window._pages["results"]
    window.go("results")
    settle(window.job_runner)
    assert window.current_page is made
    assert window._visited == {*before, "results"}


def test_the_first_visit_of_cases_finds_list_and_case_there(window: MainWindow) -> None:
    """Made part by part, out of sight; nothing is read then but whether something has changed."""
    assert window.context is not None
    database = window.context.database
    add_answer(database, add_probe(database, add_event(database, entity="Ada Example"), "Whom?"))
    page = window.page("cases")
    assert isinstance(page, CasesPage)
    settle(window.job_runner)
    parts = 0
    while page.prepare():
        settle(window.job_runner)
        parts += 1
    assert parts > 1
    assert not page.isVisible()
    started: list[str] = []
    window.job_runner.started.connect(lambda job: started.append(job.title))
    window.go("cases")
    settle(window.job_runner)
    assert page._table.ids
    assert page._reader.case_id == page._table.ids[0]
    assert started == []
    assert not page.prepare()


class _Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


def test_a_page_that_is_come_back_to_is_painted_once(window: MainWindow, qtbot: QtBot) -> None:
    """The timeline is a scene of Qt's, for which Qt would paint the window at once, and again when all is in place."""
    assert window.context is not None
    database = window.context.database
    add_answer(database, add_probe(database, add_event(database, entity="Ada Example"), "Whom?"))
    activate(window, qtbot)
    window.go("cases")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    top = page._reader._top
    qtbot.waitUntil(lambda: top.timeline is not None and top.timeline.isVisible())
    window.go("settings")
    settle(window.job_runner)
    paints = _Paints()
    top.installEventFilter(paints)
    window.go("cases")
    settle(window.job_runner)
    assert paints.count == 1


def test_once_all_pages_are_made_what_takes_long_is_read_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes to a page meanwhile does not wait for it: it ends, in the middle of a statement, and begins anew."""

    def never_end(database: Database, _: object, progress: Progress) -> None:
        with stopping(database.read(), progress):
            endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            database.read().execute(endless).fetchone()

    started: list[str] = []
    window.job_runner.started.connect(lambda job: started.append(job.title))
    monkeypatch.setattr(main_window, "read_ahead", never_end)
    for _ in range(30):
        window._make_next_page()
    assert started.count("Read ahead") == 1
    window.go("events")
    settle(window.job_runner)
    monkeypatch.undo()
    for _ in range(2):
        window._make_next_page()
        settle(window.job_runner)
    assert started.count("Read ahead") == 2


def test_input_puts_it_off(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PagesAhead, "QUIET_SECONDS", 3_600.0)
    ahead, handle = window._pages_ahead, window.windowHandle()
    ahead.start(handle)
    ahead.stop()
    ahead._last_input = 0.0
    assert handle is not None
    QCoreApplication.sendEvent(handle, QEvent(QEvent.Type.UpdateRequest))
    assert ahead._last_input == 0.0
    ahead.eventFilter(handle, QEvent(QEvent.Type.KeyPress))
    assert ahead._last_input > 0.0
    ahead._last_input = 0.0
    window.go("settings")
    assert ahead._last_input > 0.0


def test_a_page_that_two_threads_load_at_once_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python gives one of them a half-made module; the next try finds the whole one."""
    tried = tmp_path / "tried"
    source = f"from pathlib import Path\nfile = Path({str(tried)!r})\n"
    source += "if not file.exists():\n    file.touch()\n    raise ImportError('partially initialized')\nwhole = True\n"
    (tmp_path / "half_made.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(page_list, "_PAUSES_BETWEEN_TRIES", (0.0,))
    assert load_module("half_made").whole
    with pytest.raises(ImportError, match="no_such_module"):
        load_module("no_such_module")


def test_a_page_that_cannot_be_made_is_told_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again with every look: the dialogs would pile up."""

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(PagesAhead, "QUIET_SECONDS", 0.0)
    owner = QObject()
    ahead = PagesAhead(fail, owner)
    ahead.start(None)
    with pytest.raises(ZeroDivisionError):
        ahead._look()
    assert not ahead._timer.isActive()
