"""Lines between the parts of a page stand where somebody moved them, also in the next session."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QSplitter, QStackedWidget

from btc_gui import paths
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pictures import settle
from btc_gui.ui.window_state import WindowState


@pytest.mark.parametrize("name", ["runs", "validation", "results"])
def test_a_line_that_was_moved_stays_there(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(paths, "state", lambda: tmp_path)
    window.go(name)
    settle(window.job_runner)
    page = window.current_page
    assert page is not None
    window.resize(1300, 820)
    line = page.findChildren(QSplitter)[0]
    # Without runs and studies a page shows what comes first.
    stack = line.parentWidget()
    if isinstance(stack, QStackedWidget):
        stack.setCurrentWidget(line)
    settle(window.job_runner)
    first, second = line.sizes()
    line.setSizes([first + 60, second - 60])
    line.splitterMoved.emit(first + 60, 1)
    moved = line.sizes()
    assert moved != [first, second]
    WindowState().save_parts(page, name)
    line.setSizes([first, second])
    assert line.sizes() != moved
    WindowState().restore_parts(page, name)
    assert line.sizes() == moved
