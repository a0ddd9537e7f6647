"""The window: opening and closing projects, its commands, errors, changes, and its end in the middle of work."""

from __future__ import annotations

import shutil
import threading
from functools import partial
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.errors import InputError, ProjectError
from btc_gui.jobs.check_project import check_project
from btc_gui.progress import Progress
from btc_gui.settings import Settings, load_settings
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.ui import file_dialogs, packet_opening
from btc_gui.ui.command_palette import _PLACE_ROLE, CommandPalette
from btc_gui.ui.command_table import COMMANDS
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import CrashNet, ErrorDialog, MessageDialog
from btc_gui.ui.job_runner import JobState
from btc_gui.ui.key_sheet import KeySheet
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.theme import DARK, LIGHT, Theme
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.check_dialog import CheckDialog
from btc_gui.ui.widgets.filter_bar import Facet
from btc_gui.ui.widgets.frames import ScrollColumn
from tests.builders import add_event
from tests.study_builders import write_packet
from tests.ui.conftest import activate, close

OWN_PAGES = ("events", "probes", "review", "settings")


def _dialogs(window: QWidget, kind: type[QWidget]) -> list[QWidget]:
    return [dialog for dialog in window.findChildren(kind) if dialog.isVisible()]


def _trigger(window: MainWindow, name: str) -> None:
    window.commands.action(name).trigger()


# -- projects -------------------------------------------------------------------------------------------------


def test_without_a_project_the_window_offers_to_open_one(bare_window: MainWindow) -> None:
    assert bare_window.current_page is None
    assert bare_window.commands.action("file.open").isEnabled()
    assert not bare_window.commands.action("file.copy").isEnabled()
    assert not bare_window.commands.action("go.events").isEnabled()
    _trigger(bare_window, "view.refresh")
    bare_window.go("events")
    assert bare_window.current_page is None


def test_the_demo_is_offered_built_once_and_opened(
    qtbot: QtBot, bare_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first start leads to the demo by one button, however often it is pressed; later it is opened as it was left."""
    monkeypatch.setattr(paths, "projects", lambda: tmp_path / "projects")
    buttons = {found.text().replace("&", "") for found in bare_window.start_page.findChildren(QAbstractButton)}
    assert any("Open the demo" in text for text in buttons)
    _trigger(bare_window, "file.demo")
    _trigger(bare_window, "file.demo")
    assert len(bare_window.job_runner.jobs()) == 1
    qtbot.waitUntil(lambda: bare_window.context is not None)
    built = (tmp_path / "projects" / "demo.btc").stat().st_mtime_ns
    _trigger(bare_window, "file.demo")
    _trigger(bare_window, "file.close")
    qtbot.waitUntil(lambda: bare_window.context is None)
    _trigger(bare_window, "file.demo")
    qtbot.waitUntil(lambda: bare_window.context is not None)
    assert (tmp_path / "projects" / "demo.btc").stat().st_mtime_ns == built


def test_a_project_is_opened_shown_and_remembered(qtbot: QtBot, bare_window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "spring.btc"
    Database.create(path, "Spring").close()
    bare_window.open_project(path)
    qtbot.waitUntil(lambda: bare_window.context is not None)
    assert bare_window.windowTitle().startswith("Spring")
    assert load_settings().recent == (str(path),)
    assert bare_window.banner.isHidden()


def test_a_project_that_is_opened_with_the_window_has_the_focus_in_its_list(
    qtbot: QtBot, theme: Theme, filled: Database, no_strays: None
) -> None:
    """It is there before the window is seen: nothing that it shows can have the focus then."""
    window = MainWindow(Settings(reviewer="mara", theme="light"), {}, theme)
    qtbot.addWidget(window, before_close_func=partial(close, qtbot=qtbot))
    window.show_project(filled, "events")
    activate(window, qtbot)
    page = window.current_page
    assert isinstance(page, EventsPage)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is page.view)


def test_a_project_that_is_gone_leaves_the_recent_ones(qtbot: QtBot, bare_window: MainWindow, tmp_path: Path) -> None:
    gone, other = tmp_path / "gone.btc", tmp_path / "other.btc"
    bare_window.take_settings(bare_window.settings.with_recent(other).with_recent(gone))
    bare_window.open_project(gone)
    qtbot.waitUntil(lambda: bool(_dialogs(bare_window, ErrorDialog)))
    _dialogs(bare_window, ErrorDialog)[0].close()
    assert load_settings().recent == (str(other),)
    shown = bare_window.start_page.list
    assert [shown.item(row).text().split("\n")[0] for row in range(shown.count())] == ["other"]


def test_a_new_project_is_made_where_a_person_says(
    qtbot: QtBot, bare_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_dialogs, "ask_save", lambda *_: tmp_path / "new" / "mine.btc")
    _trigger(bare_window, "file.new")
    qtbot.waitUntil(lambda: bare_window.context is not None)
    assert (tmp_path / "new" / "mine.btc").exists()


def test_what_is_not_a_project_is_refused_in_plain_words(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    bad = tmp_path / "notes.btc"
    bad.write_text("hello")
    before = window.context
    window.open_project(bad)
    qtbot.waitUntil(lambda: bool(_dialogs(window, ErrorDialog)))
    dialog = _dialogs(window, ErrorDialog)[0]
    assert isinstance(dialog, ErrorDialog)
    assert dialog.message.text() == "notes.btc is not a btc_gui project."
    assert dialog.message.textFormat() == Qt.TextFormat.PlainText
    assert window.context is before
    dialog.close()


def test_a_copy_that_lacks_what_was_saved_last_says_so_when_it_opens(
    qtbot: QtBot, bare_window: MainWindow, tmp_path: Path
) -> None:
    """A file that was copied by hand while another window wrote to the project."""
    path, copy = tmp_path / "spring.btc", tmp_path / "by hand.btc"
    with Database.create(path, "Spring") as database:
        ProjectStore(database).set_value("mark", "saved")
        shutil.copy(path, copy)
    bare_window.open_project(copy)
    qtbot.waitUntil(lambda: bool(_dialogs(bare_window, ErrorDialog)))
    dialog = _dialogs(bare_window, ErrorDialog)[0]
    assert isinstance(dialog, ErrorDialog)
    assert dialog.message.text().startswith("by hand.btc may lack what was saved last")
    assert dialog.windowTitle() == "Something may be missing"
    assert bare_window.context is not None
    dialog.close()


def test_a_dropped_project_or_packet_opens_and_another_file_is_refused(
    qtbot: QtBot, bare_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also without a project, by the menu too: who was sent a packet has none."""
    path = tmp_path / "dropped.btc"
    Database.create(path).close()
    packet, labelled = write_packet(tmp_path / "sent.btcp"), list[Path]()
    monkeypatch.setattr(packet_opening, "start_labelling", labelled.append)

    def drop(file: Path) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file))])
        buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        bare_window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, modifiers))

    (tmp_path / "none.btcp").write_text("none", encoding="utf-8")
    for name, words in (("table.csv", "neither a project nor a packet"), ("none.btcp", "is not a btc_gui packet")):
        drop(tmp_path / name)
        qtbot.waitUntil(lambda: len(_dialogs(bare_window, ErrorDialog)) == 1)
        (dialog,) = _dialogs(bare_window, ErrorDialog)
        assert isinstance(dialog, ErrorDialog)
        assert words in dialog.message.text()
        shiboken6.delete(dialog)
    drop(packet)
    qtbot.waitUntil(lambda: labelled == [packet])
    monkeypatch.setattr(packet_opening, "ask_open", lambda *_: packet)
    bare_window.commands.action("file.packet").trigger()
    qtbot.waitUntil(lambda: labelled == [packet, packet])
    assert bare_window.context is None
    drop(path)
    qtbot.waitUntil(lambda: bare_window.context is not None)


def test_made_up_data_is_announced_above_every_page(qtbot: QtBot, bare_window: MainWindow, filled: Database) -> None:
    ProjectStore(filled).set_value("illustrative", "yes")
    bare_window.show_project(filled)
    assert bare_window.banner.isVisible()
    assert "Illustrative" in bare_window.banner.text()


def test_a_project_is_copied_as_a_job(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy.btc"
    monkeypatch.setattr(file_dialogs, "ask_save", lambda *_: target)
    _trigger(window, "file.copy")
    qtbot.waitUntil(lambda: not window.job_runner.jobs())
    with Database.open(target) as copy:
        assert ProjectStore(copy).counts().events == 2
    _trigger(window, "file.copy")
    qtbot.waitUntil(lambda: not window.job_runner.jobs())
    assert window.job_bar.shown_titles == ["Failed: Copy the project to copy.btc"]


def test_a_project_is_checked_in_the_window(qtbot: QtBot, window: MainWindow) -> None:
    """The same findings as `btc-gui check`, in a window; Copy takes all of them."""
    assert window.context is not None
    database = window.context.database
    with database.write() as connection:
        connection.execute("UPDATE event_revision SET facts_hash = 'other' WHERE id = 1")
    _trigger(window, "file.check")
    qtbot.waitUntil(lambda: bool(window.findChildren(CheckDialog)))
    dialog = window.findChildren(CheckDialog)[0]
    assert "is not sound" in dialog.head.text()
    texts = [each.text() for each in dialog.findChildren(QLabel)]
    assert "1 stored facts of events are not what was stored. Go back to a copy." in texts
    next(each for each in dialog.findChildren(QPushButton) if each.accessibleName() == "Copy").click()
    expected = [f"{each.severity}: {each.text}" for each in check_project(database, Progress())]
    assert QGuiApplication.clipboard().text().splitlines() == expected
    dialog.close()


def test_no_single_key_on_a_page_destroys(window: MainWindow, filled: Database) -> None:
    """A5: wherever the focus is, Backspace, Delete and Esc change nothing in the project and open no question."""

    def rows() -> dict[str, int]:
        tables = [row[0] for row in filled.read().execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: filled.read().execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}

    before, pressed = rows(), 0
    for name in OWN_PAGES:
        window.go(name)
        settle(window.job_runner)
        page = window.current_page
        assert page is not None
        places = [each for each in page.findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for place in (page, *(each for each in places if each.isVisible() and each.isEnabled())):
            place.setFocus()
            for key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Escape):
                QTest.keyClick(place, key)
                pressed += 1
    assert pressed > 100
    assert rows() == before
    assert QApplication.activeModalWidget() is None


def test_what_fails_many_reads_is_told_once(qtbot: QtBot, window: MainWindow) -> None:
    for words in ("The disk is gone.", "The disk is gone.", "Another."):
        window.show_error(ProjectError(words))
    dialogs = [each for each in window.findChildren(ErrorDialog) if each.isVisible()]
    assert [each.message.text() for each in dialogs] == ["The disk is gone.", "Another."]
    for each in dialogs:
        each.accept()
    window.show_error(ProjectError("The disk is gone."))
    (again,) = [each for each in window.findChildren(ErrorDialog) if each.isVisible()]
    again.accept()


def test_closing_a_project_leads_back_to_the_start(qtbot: QtBot, window: MainWindow) -> None:
    for name in OWN_PAGES:
        window.go(name)
    _trigger(window, "file.close")
    qtbot.waitUntil(lambda: window.context is None)
    assert window.current_page is None
    assert window.isVisible()


# -- jobs at the end ------------------------------------------------------------------------------------------


def _endless(progress: Progress) -> None:
    while True:
        progress.wait(0.01)
        progress.report(1, 2, "on it")


def _answer(button: str) -> None:
    """Press a button of the message box that comes up next, which holds the test until then."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, MessageDialog) or not box.isVisible():
            QTimer.singleShot(20, press)
            return
        [wanted] = [each for each in box.findChildren(QPushButton) if each.text() == button]
        wanted.click()

    QTimer.singleShot(0, press)


def test_a_page_that_can_not_be_left_does_not_hold_the_window_open(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ValueError("a fault of this page")

    window.go("events")
    monkeypatch.setattr(window.current_page, "leave", fail)
    window.close()
    qtbot.waitUntil(lambda: window.context is None and not window.isVisible())
    assert "Leaving the page events failed" in caplog.text


def test_closing_with_a_running_job_asks_and_may_be_declined(qtbot: QtBot, window: MainWindow) -> None:
    job = window.job_runner.start("Long work", _endless)
    _answer("Keep running")
    window.close()
    assert window.isVisible()
    assert not job.is_over
    _answer("Stop and close")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("job")]


def test_short_reads_do_not_ask(qtbot: QtBot, window: MainWindow) -> None:
    window.job_runner.start("Refresh a list", _endless, is_quiet=True)
    assert window.job_bar.shown_titles == []
    close(window, qtbot)


def test_a_job_that_was_stopped_is_told(qtbot: QtBot, window: MainWindow) -> None:
    """Where its page says nothing of it: else one could take it for done."""
    window.job_bar._quiet.stop()
    job = window.job_runner.start("Write much", _endless)
    qtbot.waitUntil(lambda: job.state is JobState.RUNNING)
    job.cancel()
    qtbot.waitUntil(lambda: job.is_over)
    qtbot.waitUntil(lambda: window.job_bar.message.text() == "Stopped: Write much")


def test_a_job_that_gives_what_it_has_when_it_is_stopped_is_not_told_as_done(qtbot: QtBot, window: MainWindow) -> None:
    window.job_bar._quiet.stop()

    def until_stopped(progress: Progress) -> str:
        progress.report(1, 9, "reading")
        while not progress.is_cancelled:
            threading.Event().wait(0.005)
        return "one of nine"

    job = window.job_runner.start("Ask nine", until_stopped)
    qtbot.waitUntil(lambda: window.job_bar.shown_titles == ["Ask nine"])
    job.cancel()
    qtbot.waitUntil(lambda: window.job_bar.message.text() == "Stopped: Ask nine")
    assert job.state is JobState.SUCCEEDED


def test_a_job_that_is_done_is_told_so(qtbot: QtBot, window: MainWindow) -> None:
    window.job_bar._quiet.stop()
    go = threading.Event()
    window.job_runner.start("Count much", lambda _: go.wait(60))
    qtbot.waitUntil(lambda: window.job_bar.shown_titles == ["Count much"])
    go.set()
    qtbot.waitUntil(lambda: window.job_bar.message.text() == "Done: Count much")


def test_a_key_that_can_do_nothing_now_says_so(window: MainWindow) -> None:
    """Silence would leave people to guess whether the key was heard."""
    window.go("events")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, EventsPage)
    window.commands.action("events.correct").setEnabled(False)
    QTest.keyClick(page.view, Qt.Key.Key_E)
    assert window.job_bar.message.text() == "Not now: Correct"


def test_a_failed_job_stays_in_the_bar_until_it_is_dismissed(qtbot: QtBot, window: MainWindow) -> None:
    def fail(progress: Progress) -> None:
        raise ProjectError("The disk is full.", "Free some space.")

    job = window.job_runner.start("Write much", fail)
    qtbot.waitUntil(lambda: job.is_over)
    assert window.job_bar.shown_titles == ["Failed: Write much"]
    row = window.job_bar._rows[job.number]
    row.details.click()
    assert len(_dialogs(window, ErrorDialog)) == 1
    _dialogs(window, ErrorDialog)[0].close()
    row.cancel.click()
    assert window.job_bar.shown_titles == []


def test_the_bar_shows_pauses_and_cancels_a_job(qtbot: QtBot, window: MainWindow) -> None:
    class Control:
        def pause(self) -> None:
            """Held."""

        def resume(self) -> None:
            """Goes on."""

    job = window.job_runner.start("Run <b>bold</b>", _endless, control=Control())
    row = window.job_bar._rows[job.number]
    qtbot.waitUntil(lambda: row.text.text() == "1/2 · on it")
    assert row.title.text() == "Run <b>bold</b>"
    row.pause.click()
    assert row.text.text() == "paused"
    row.pause.click()
    assert not job.is_paused
    row.cancel.click()
    qtbot.waitUntil(lambda: job.is_over)
    assert window.job_bar.shown_titles == []


# -- commands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OWN_PAGES)
def test_a_page_is_reached_by_its_command(window: MainWindow, name: str) -> None:
    _trigger(window, f"go.{name}")
    page = window.current_page
    assert page is not None
    assert page.name == name
    entry = next(entry for entry in PAGES if entry.name == name)
    assert (page.title, page.icon) == (entry.title, entry.icon)


def test_menus_hold_every_command_that_says_so_and_those_of_the_page(window: MainWindow) -> None:
    window.go("review")
    menus = {action.text(): action.menu() for action in window.menuBar().actions() if action.isVisible()}
    assert list(menus) == ["&File", "&View", "&Review", "&Help"]
    for title in ("File", "View", "Help"):
        menu = menus[f"&{title}"]
        assert isinstance(menu, QMenu)
        shown = {action.objectName() for action in menu.actions()}
        assert shown >= {command.name for command in COMMANDS if command.menu == title}
    window._window_commands.show_page("validation")
    assert window._window_commands._page_menu.title() == "V&alidation", "Alt+V opens View"
    window.go("settings")
    assert [a.text() for a in window.menuBar().actions() if a.isVisible()] == ["&File", "&View", "&Help"]


def test_the_palette_runs_a_command_of_another_page(qtbot: QtBot, window: MainWindow) -> None:
    window.go("events")
    _trigger(window, "help.palette")
    palette = _dialogs(window, CommandPalette)[0]
    assert isinstance(palette, CommandPalette)
    QTest.keyClicks(palette.field, "review flag")
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.current_page is not None and window.current_page.name == "review")
    qtbot.waitUntil(lambda: window.commands.action("review.flag").text() == "Remove flag")


def test_the_palette_offers_the_command_of_this_page_first(qtbot: QtBot, window: MainWindow) -> None:
    """Several pages have an “assign”; what is typed on one of them means that one."""
    for page in ("review", "probes"):
        window.go(page)
        _trigger(window, "help.palette")
        palette = _dialogs(window, CommandPalette)[0]
        assert isinstance(palette, CommandPalette)
        QTest.keyClicks(palette.field, "assign")
        assert palette.list.item(0).data(_PLACE_ROLE) == page.capitalize()
        QTest.keyClick(palette.field, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not _dialogs(window, CommandPalette), timeout=10_000)


def test_the_key_sheet_opens_by_its_key(qtbot: QtBot, window: MainWindow) -> None:
    window.go("review")
    QTest.keyClick(window, Qt.Key.Key_Question)
    assert len(_dialogs(window, KeySheet)) == 1
    words = [shown.text() for shown in _dialogs(window, KeySheet)[0].findChildren(QLabel)]
    assert words[words.index("Find in the article") + 1] == window.commands.keys.key("view.filter")
    _dialogs(window, KeySheet)[0].close()


def test_the_theme_and_the_text_size_follow_their_commands(window: MainWindow, theme: Theme) -> None:
    for name in OWN_PAGES:
        window.go(name)
    _trigger(window, "view.dark")
    assert theme.tokens is DARK
    assert load_settings().theme == "dark"
    window.grab()
    _trigger(window, "view.larger")
    assert theme.text_scale == 1.15
    window.grab()
    _trigger(window, "view.smaller")
    _trigger(window, "view.smaller")
    assert theme.text_scale == 0.9
    _trigger(window, "view.light")
    assert theme.tokens is LIGHT
    _trigger(window, "view.system")
    assert load_settings().theme == "system"


def test_about_and_filter_and_refresh(window: MainWindow) -> None:
    window.go("events")
    _trigger(window, "view.filter")
    _trigger(window, "view.refresh")
    _trigger(window, "help.about")
    boxes = _dialogs(window, MessageDialog)
    assert len(boxes) == 1
    boxes[0].close()


# -- changes and errors ---------------------------------------------------------------------------------------


def test_what_another_window_writes_is_seen_within_a_second(qtbot: QtBot, window: MainWindow, context: Context) -> None:
    window.go("events")
    with Database.open(context.database.path) as other:
        add_event(other, entity="Cy Third")
    page = window.current_page
    assert isinstance(page, EventsPage)
    # By itself, by the timer of `Changes`: nobody calls `look`.
    assert 0 < context.changes._timer.interval() <= 1_000
    qtbot.waitUntil(lambda: page.header.counts.text() == "3 events")


def test_an_unexpected_error_is_told_with_text_to_copy_and_the_program_goes_on(
    qtbot: QtBot, window: MainWindow
) -> None:
    net = CrashNet(window)
    net.caught.connect(window.show_error)
    net.install()
    try:
        with capture_exceptions():
            net._of_main(ValueError, ValueError("<b>odd</b>"), None)
            thread = threading.Thread(target=lambda: 1 / 0)
            thread.start()
            thread.join()
            qtbot.waitUntil(lambda: len(_dialogs(window, ErrorDialog)) == 2)
    finally:
        net.remove()
    texts = []
    for dialog in _dialogs(window, ErrorDialog):
        assert isinstance(dialog, ErrorDialog)
        dialog._copy()
        texts.append(QGuiApplication.clipboard().text())
        dialog.close()
    assert any("ValueError: <b>odd</b>" in text for text in texts)
    assert any("ZeroDivisionError" in text for text in texts)


def test_an_error_dialog_says_what_happened_and_what_to_do(qtbot: QtBot, window: MainWindow) -> None:
    window.show_error(InputError("The file <i>x</i> is empty.", "Choose another."))
    dialog = _dialogs(window, ErrorDialog)[0]
    assert isinstance(dialog, ErrorDialog)
    assert dialog.message.text() == "The file <i>x</i> is empty."
    assert dialog.remedy.text() == "Choose another."
    dialog.close()


def test_everything_that_takes_the_focus_has_a_name(window: MainWindow) -> None:
    nameless = []
    for name in OWN_PAGES:
        window.go(name)
        page = window.current_page
        assert page is not None
        for widget in page.findChildren(QWidget):
            has_words = widget.accessibleName() or (isinstance(widget, QAbstractButton | QLabel) and widget.text())
            is_own = not widget.objectName().startswith("qt_") and widget.parent() is not None
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and is_own and not has_words:
                nameless.append((name, type(widget).__name__, widget.objectName()))
    assert nameless == []


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_every_page_fits_the_window(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    for name in OWN_PAGES:
        window.go(name)
        QApplication.processEvents()
        page = window.current_page
        assert page is not None
        assert page.minimumSizeHint().width() <= page.width(), name
        assert page.minimumSizeHint().height() <= page.height(), name


def test_every_page_fits_the_window_in_large_text(window: MainWindow, theme: Theme) -> None:
    """At twice the size nothing runs out of a usual window: pages need no more width than they get, their tools keep
    their words, and what is read wraps."""
    theme.choose("light", 2.0)
    window.resize(1440, 900)
    for entry in PAGES:
        window.go(entry.name)
        settle(window.job_runner)
        page = window.current_page
        assert page is not None
        assert page.minimumSizeHint().width() <= page.width(), entry.name
        for tool in page.findChildren(Facet):
            if tool.isVisible():
                assert tool.width() >= tool.sizeHint().width(), (entry.name, tool.text())
        if entry.name in ("events", "review"):
            for area in page.findChildren(ScrollColumn):
                assert not area.isVisible() or not area.horizontalScrollBar().isVisible(), area.accessibleName()


def test_in_a_small_window_the_rail_shows_icons_and_review_all_its_buttons(window: MainWindow, theme: Theme) -> None:
    theme.choose("dark", 2.0)
    window.resize(1024, 700)
    window.go("review")
    settle(window.job_runner)
    for button in window.rail.findChildren(QToolButton):
        assert button.height() >= button.sizeHint().height(), button.text()
        assert button.toolTip() == button.accessibleName()
    page = window.current_page
    assert page is not None
    for command in page.findChildren(CommandButton):
        if command.isVisible():
            corner = command.mapTo(page, command.rect().bottomRight())
            assert page.rect().contains(corner), command.accessibleName()
