"""Trying a probe from its page: asked with what was chosen last, done, and its case opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from btc_gui.errors import ProjectError
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.probes import ProbeStore
from btc_gui.ui.context import Context
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages.review_page import ReviewPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.try_dialog import TryDialog
from tests.recordings import behaviour, result, write_recordings


@pytest.fixture
def recordings(context: Context, tmp_path: Path) -> Path:
    """Recorded answers of one agent to every probe of the project, at both efforts."""
    store = ProbeStore(context.database)
    keys = [probe.key for probe in store.fetch(store.ids()).values()]
    behaviours = [behaviour(key, [["who"]], "Ask Bo.", effort=effort) for key in keys for effort in ("low", "high")]
    return write_recordings(tmp_path / "replay", behaviours, {"who": [result()]})


def opened(qtbot: QtBot, window: MainWindow, name: str) -> TryDialog:
    """The dialog that a command opens, once it has read what there is."""
    window.commands.action(name).trigger()
    dialog = next(each for each in window.findChildren(TryDialog) if each.isVisible())
    settle(window.job_runner)
    return dialog


def _refuse(_: Database) -> None:
    raise ProjectError("There is no space left.", "Free some space.")


def test_a_probe_is_tried_and_its_case_opened(
    qtbot: QtBot,
    window: MainWindow,
    context: Context,
    recordings: Path,
    lent_to_all: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From Probes; then from the case itself, where the dialog begins with what was chosen the last time."""
    window.go("probes")
    settle(window.job_runner)
    dialog = opened(qtbot, window, "probes.try")
    dialog._read_folder(recordings)
    settle(window.job_runner)
    assert dialog._headline.text() == "1 probe × 1 configuration = 1 answer"
    dialog._efforts[0][0].setChecked(False)
    dialog._efforts[1][0].setChecked(True)
    dialog.search.results.setValue(4)
    qtbot.waitUntil(lambda: dialog.outlook is not None and dialog.outlook.composition.search.results == 4)
    qtbot.waitUntil(dialog.start_button.isEnabled)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: isinstance(window.current_page, CasesPage))
    settle(window.job_runner)
    store = AnswerStore(context.database)
    (answer_id,) = store.ids()
    answer = store.get(answer_id)
    assert (answer.answer, str(answer.configuration.effort)) == ("Ask Bo.", "high")
    page = window.current_page
    assert isinstance(page, CasesPage)
    assert page._opening.current == answer_id
    dialog = opened(qtbot, window, "cases.try")
    assert dialog._probe.id == answer.probe_id
    assert [box.isChecked() for box, _ in dialog._efforts] == [False, True]
    assert dialog.search.results.value() == 4
    # Choices that find no room are nothing to ask about before the window closes.
    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", _refuse)
        dialog._remember()
        assert DraftStore(context.database).unwritten() == 0
    dialog.reject()


def test_who_went_on_meanwhile_is_not_taken_away(
    qtbot: QtBot, window: MainWindow, context: Context, recordings: Path, lent_to_all: None
) -> None:
    """In Review the next probe is shown when the answer comes: it is told of, and the page stays."""
    window.go("review")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, ReviewPage)
    said: list[str] = []
    context.shell.said.connect(said.append)
    dialog = opened(qtbot, window, "review.try")
    dialog._read_folder(recordings)
    settle(window.job_runner)
    qtbot.waitUntil(dialog.start_button.isEnabled)
    dialog.start_button.click()
    window.commands.action("review.next").trigger()
    qtbot.waitUntil(lambda: any("btc:1 in Cases" in text for text in said))
    assert window.current_page is page
