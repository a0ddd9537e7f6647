"""Cases from somebody else's log in the window: listed with their source, read, and told apart by epoch."""

from __future__ import annotations

from PySide6.QtCore import Qt

from btc_gui.store.database import Database
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.chip import Chip
from tests.sessions.test_logged_cases import _logged


def test_samples_of_a_log_are_listed_and_read(window: MainWindow) -> None:
    assert window.context is not None
    database: Database = window.context.database
    first, second = _logged(database, "A", "7"), _logged(database, "A", "7", "Six.", epoch=2)
    window.go("cases")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    model = page._table
    shown = {
        tuple(str(model.index(row, column).data(Qt.ItemDataRole.DisplayRole)) for column in range(3))
        for row in range(model.rowCount())
    }
    assert {("sums · 7", "gpt effort unknown", "1"), ("sums · 7", "gpt effort unknown · 2", "1")} <= shown
    page.show_item(second)
    settle(window.job_runner)
    facts = [each.accessibleName() for each in page.findChildren(Chip)]
    assert f"sample of a log · answer 2 · btc:{second}" in facts
    page._reader.toggle_timeline()
    page._reader.compare_next()
    settle(window.job_runner)
    assert page._reader.other_ids == (first,)
