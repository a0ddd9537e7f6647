"""A run is watched while it goes: its answers are cases before it ends, and Enter on its row opens them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from btc_gui.store.answers import AnswerStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.runs import RunStore
from btc_gui.ui import main_window
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages.runs_page import RunsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.run_driver import read_summary
from btc_gui.ui.widgets.marked_text import MarkedText
from tests.recordings import behaviour, write_recordings
from tests.run_builders import add_run


def _agree(*_: object) -> bool:
    return True


@pytest.mark.slow
def test_answers_are_cases_while_the_run_goes(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent_to_all: None
) -> None:
    # Closing the window while a run goes (the test failed half-way) must not wait for an answer.
    monkeypatch.setattr(main_window, "confirm", _agree)
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    probes = [store.get(probe_id) for probe_id in store.ids(ProbeQuery(contains="evening"))]
    recorded = [behaviour(each.key, answer=f"My answer to {each.key}.") for each in probes]
    folder = write_recordings(tmp_path / "replay", recorded)
    run_id = add_run(database, probes, repetitions=3, at_once=1, latency=0.4)
    window.go("runs", run_id)
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, RunsPage)
    page.drive(read_summary(database, run_id), folder)
    answers = AnswerStore(database)
    qtbot.waitUntil(lambda: len(answers.ids(run_id)) >= 1)
    window.commands.action("runs.pause").trigger()  # Held, it can't end while we look.
    driver = page._driver
    assert driver is not None

    # The row tells of the answer, and Enter on it opens the trajectories that there are.
    done = page._rows.model().index(0, 2)
    qtbot.waitUntil(lambda: done.data() != "0/9")
    page._rows.setFocus()
    QTest.keyClick(page._rows, Qt.Key.Key_Return)
    cases = window.current_page
    assert isinstance(cases, CasesPage)
    qtbot.waitUntil(lambda: cases._table.rowCount() >= 1)
    assert driver.is_paused
    assert RunStore(database).count_pending(run_id) > 0
    assert cases._query.run_id == run_id

    def reads() -> str:
        return "\n".join(text.toPlainText() for text in cases._reader.findChildren(MarkedText))

    qtbot.waitUntil(lambda: "My answer to" in reads())
    assert "speakers autumn" in reads()

    # The page follows while more come, and the case that is read stays.
    read = cases._reader.case_id
    before = cases._table.rowCount()
    driver.job.set_paused(False)
    qtbot.waitUntil(lambda: cases._table.rowCount() > before)
    assert cases._reader.case_id == read
    qtbot.waitUntil(lambda: not page._drivers)
    qtbot.waitUntil(lambda: cases._table.rowCount() == 9)
    assert "My answer to" in reads()
