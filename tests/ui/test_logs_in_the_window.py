"""Inspect logs in the window: loaded with a report for each file, and a run written as one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from btc_gui.errors import InputError
from btc_gui.store.runs import RunStore
from btc_gui.ui import log_exporting
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.log_load_dialog import LogLoadDialog
from tests.jobs.test_load_logs import _sample, _write


def _dialog(window: MainWindow) -> LogLoadDialog:
    window.commands.action("file.load_logs").trigger()
    dialog = window.findChild(LogLoadDialog)
    assert dialog is not None
    return dialog


@pytest.mark.usefixtures("lent_to_all")
def test_logs_are_loaded_and_written_from_the_window(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with a log and a file that is none; then the run that came of it goes out again."""
    assert window.context is not None
    _write(tmp_path / "logs" / "sums.eval", _sample(1), _sample(2))
    (tmp_path / "logs" / "broken.eval").write_bytes(b"no log")
    dialog = _dialog(window)
    assert not dialog.load_button.isEnabled()
    dialog.choose([tmp_path / "logs"])
    dialog.load()
    assert dialog.stop_button.isVisible()
    settle(window.job_runner, 60.0)
    assert dialog.words() == "2 logs · 2 new samples · 0 known already · 1 refused"
    rows = [[dialog.table.index(row, column).data() for column in (0, 3, 4)] for row in range(2)]
    assert rows == [["broken.eval", "0", "0"], ["sums.eval", "2", "2"]]
    assert "broken.eval: refused: " in dialog.details.toPlainText()
    dialog._copy()
    copied = QGuiApplication.clipboard().text()
    assert "sums.eval: 2 read, 2 new" in copied
    assert "refused" in copied
    dialog._show_cases()
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    assert page._counts.text() == "2 cases found"
    (run_id,) = RunStore(window.context.database).ids()

    def ask(*_: object) -> Path:
        return tmp_path / "out" / "run.eval"

    monkeypatch.setattr(log_exporting, "ask_save", ask)
    window.go("runs", run_id)
    settle(window.job_runner)
    window.commands.action("runs.export").trigger()
    settle(window.job_runner, 60.0)
    assert (tmp_path / "out" / "run.eval").is_file()
    assert "run.eval with 2 answers" in window.job_bar.message.text()


def test_a_load_that_is_stopped_says_what_is_kept(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    from btc_gui.progress import Cancelled
    from btc_gui.ui.widgets import log_load_dialog

    def stopped(*_: object, **__: object) -> None:
        raise Cancelled

    def empty(*_: object, **__: object) -> None:
        raise InputError("There is no Inspect log to load.", "Logs end in .eval or .json.")

    dialog = _dialog(window)
    dialog.choose([Path("somewhere")])
    for load, words in ((stopped, "What had been read is kept"), (empty, "There is no Inspect log to load.")):
        monkeypatch.setattr(log_load_dialog, "load_logs", load)
        dialog.load()
        settle(window.job_runner)
        assert words in dialog.problem.text()
        assert dialog.load_button.isEnabled()
