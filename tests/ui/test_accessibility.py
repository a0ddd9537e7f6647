"""Every page, dialog and window by keyboard and screen reader: names, the order of Tab, the focus, Esc, Enter."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.help_window import HelpWindow
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.theme import Theme
from tests.study_builders import write_packet
from tests.ui.accessibility import faults
from tests.ui.conftest import activate, close
from tests.ui.every_window import VISITS, Stage, dialog_classes, furnish
from tests.ui.test_mode_form import TWO, packet

#: Enter does nothing by itself here, on purpose: what is typed has several lines or Enter is its own key (finding in a
#: text, the palette, tables), or what would be done asks services, makes a release or changes many probes.
_WITHOUT_DEFAULT = frozenset(
    {
        "ArticlesDialog", "BulkDialog", "CaseCollectionsDialog", "CheckedTextDialog", "CollectDialog", "CommandPalette",
        "FailedGenerations", "HelpWindow", "MovedDialog", "NoteDialog", "ReleasesDialog", "WholeTextDialog",
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with something of everything, made once."""
    folder = tmp_path_factory.mktemp("furnished")
    with Database.create(folder / "project.btc") as database:
        furnish(database, folder)
    return folder / "project.btc"


@pytest.fixture
def stage(qtbot: QtBot, theme: Theme, furnished: Path, tmp_path: Path) -> Iterator[Stage]:
    """The window on a copy of that project."""
    shutil.copyfile(furnished, tmp_path / "project.btc")
    window = MainWindow(Settings(reviewer="mara"), load_categories(paths.resources() / "categories"), theme)
    qtbot.addWidget(window)
    window.resize(1440, 900)
    activate(window, qtbot)
    window.show_project(Database.open(tmp_path / "project.btc"))
    assert window.context is not None
    yield Stage(window, window.context, tmp_path)
    close(window, qtbot)


def test_every_page_can_be_heard_and_walked(stage: Stage) -> None:
    found: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for entry in PAGES:
        stage.window.go(entry.name)
        settle(stage.window.job_runner)
        found += [f"{entry.name}: {fault}" for fault in faults(stage.window, seen)]
    assert found == [], "\n".join(found)
    _no_key_is_taken_twice_and_all_are_on_the_sheet(stage)


def _no_key_is_taken_twice_and_all_are_on_the_sheet(stage: Stage) -> None:
    """Called once all pages are made."""
    keys = stage.context.commands.keys
    for page in ("", *(entry.name for entry in PAGES)):
        of_page = [keys.key(c.name) for c in keys.commands if c.page in ("", page) and keys.key(c.name)]
        assert len(of_page) == len(set(of_page)), page
    known = {QKeySequence.fromString(keys.key(command.name)).toString() for command in keys.commands}
    made = {
        shortcut.toString()
        for action in stage.window.findChildren(QAction)
        for shortcut in action.shortcuts()
        if action.objectName()
    }
    assert made <= known


def test_every_dialog_can_be_heard_walked_and_left(stage: Stage, qtbot: QtBot) -> None:
    assert set(VISITS) == dialog_classes()
    found: list[str] = []
    seen: set[tuple[str, ...]] = set()
    opened: list[QDialog] = []
    for kind, visit in VISITS.items():
        dialog = visit(stage)
        opened.append(dialog)
        activate(dialog, qtbot)
        settle(stage.window.job_runner)
        focused = isinstance(QApplication.focusWidget(), QPushButton)
        has_default = focused or any(button.isDefault() for button in dialog.findChildren(QPushButton))
        if has_default is (kind.__name__ in _WITHOUT_DEFAULT):
            found.append(f"{kind.__name__}: Enter {'does something' if has_default else 'does nothing'}")
        found += [f"{kind.__name__}: {fault}" for fault in faults(dialog, seen)]
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        if dialog.isVisible():
            found.append(f"{kind.__name__}: Esc does not close it")
            dialog.close()
    assert found == [], "\n".join(found)


def test_arrows_go_through_the_rail_without_being_sent_into_each_page(stage: Stage) -> None:
    window = stage.window
    window.go("events")
    settle(window.job_runner)
    buttons = {each.text(): each for each in window.rail.findChildren(QToolButton)}
    buttons["Events"].setFocus()
    QTest.keyClick(buttons["Events"], Qt.Key.Key_Down)
    QTest.keyClick(buttons["Probes"], Qt.Key.Key_Down)
    assert buttons["Review"].hasFocus()
    assert buttons["Review"].isChecked()
    QTest.keyClick(buttons["Review"], Qt.Key.Key_Space)
    assert not buttons["Review"].hasFocus()


def test_a_table_is_told_row_by_row_through_the_accessibility_tree(stage: Stage) -> None:
    stage.window.go("events")
    settle(stage.window.job_runner)
    page = stage.window.current_page
    assert isinstance(page, EventsPage)
    table = QAccessible.queryAccessibleInterface(page.view)
    assert table.role() == QAccessible.Role.Table
    assert table.text(QAccessible.Text.Name) == "Events"
    told = [table.child(at).text(QAccessible.Text.Name) for at in range(table.childCount())]
    columns = page.view.model().columnCount()
    # The corner, then the titles of the columns. Outside names are told as they are, ampersands too.
    assert all(told[1 : columns + 1])
    assert "R&D Ltd & Sons" in told
    # Where one is, and what is chosen: the row with all its cells, of which the first has the focus.
    page.view.setFocus()
    page.view.select_first()
    QTest.keyClick(page.view, Qt.Key.Key_Down)
    # Qt counts a head of each row, which is not shown here, as its first child.
    rows = [[table.child(row * (columns + 1) + at).state() for at in range(1, columns + 1)] for row in (1, 2)]
    assert [[each.selected for each in row] for row in rows] == [[0] * columns, [1] * columns]
    assert [[each.focused for each in row] for row in rows] == [[0] * columns, [1] + [0] * (columns - 1)]


def test_lists_fields_and_bars_say_what_they_hold(stage: Stage) -> None:
    """Values, what is chosen, what can be typed into and what can't be used: asked as a screen reader asks."""
    stage.window.go("results")
    settle(stage.window.job_runner)
    contents = _told(stage.window, QAccessible.Role.List, "Tables and figures")
    items = [contents.child(at) for at in range(contents.childCount())]
    assert [each.text(QAccessible.Text.Name) for each in items if each.state().selected] == ["Direct and indirect"]
    stage.window.go("settings")
    settle(stage.window.job_runner)
    name = _told(stage.window, QAccessible.Role.EditableText, "Name")
    assert name.text(QAccessible.Text.Value) == "mara"
    assert name.state().editable
    theme = _told(stage.window, QAccessible.Role.ComboBox, "")
    assert theme.text(QAccessible.Text.Value)
    stage.window.go("review")
    settle(stage.window.job_runner)
    text = _told(stage.window, QAccessible.Role.EditableText, "Text of the probe")
    assert text.text(QAccessible.Text.Value).startswith("Who could speak at evening")
    assert text.state().readOnly
    undo = _told(stage.window, QAccessible.Role.Button, "Undo, key U")
    assert undo.state().disabled


def _told(window: MainWindow, role: QAccessible.Role, name: str) -> QAccessibleInterface:
    """The visible thing of that role and name (any, without one) below a window."""
    waiting = [QAccessible.queryAccessibleInterface(window)]
    while waiting:
        told = waiting.pop()
        if told.state().invisible:
            continue
        if told.role() == role and name in ("", told.text(QAccessible.Text.Name)):
            return told
        waiting += [told.child(at) for at in range(told.childCount())]
    raise AssertionError(f"there is no {role.name} “{name}”")


def test_the_first_page_and_a_question_can_be_heard_and_walked(qtbot: QtBot, theme: Theme) -> None:
    """In the dark: that the others' focus is seen there is the palette's (`test_accessibility_contrast`)."""
    theme.choose("dark", 1.0)
    window = MainWindow(
        Settings(reviewer="mara", theme="dark", recent=("/a/R&D.btc",)),
        load_categories(paths.resources() / "categories"),
        theme,
    )
    qtbot.addWidget(window)
    activate(window, qtbot)
    seen: set[tuple[str, ...]] = set()
    assert faults(window, seen) == []
    found: list[str] = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert box is not None
        qtbot.waitUntil(lambda: box.isAncestorOf(QApplication.focusWidget() or window))
        found.extend(faults(box, seen))
        QTest.keyClick(box, Qt.Key.Key_Escape)

    QTimer.singleShot(0, look)
    assert not confirm(window, "Close without the note?", "It would be lost.", "Close anyway", "Stay")
    assert found == []
    close(window, qtbot)


def test_the_form_for_failure_modes_can_be_heard_and_walked(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    with LabellingSession(packet(tmp_path / "a.btcp", TWO)) as session:
        window = LabellingWindow(session, theme)
        qtbot.addWidget(window)
        activate(window, qtbot)
        settle(None)
        seen: set[tuple[str, ...]] = set()
        assert faults(window, seen) == []
        for name in ("class:indirect", "class:indirect", "open"):
            window.action(name).trigger()
        settle(None)
        assert faults(window, seen) == []
        window.close()


def test_the_labelling_window_can_be_heard_and_walked(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    with LabellingSession(write_packet(tmp_path / "a.btcp")) as session:
        window = LabellingWindow(session, theme)
        qtbot.addWidget(window)
        activate(window, qtbot)
        settle(None)
        assert faults(window, set()) == []
        QTest.keyClick(window, Qt.Key.Key_F1)
        shown = window.findChild(HelpWindow)
        assert shown is not None
        assert shown.isVisible()
        settle(None)
        assert faults(shown, set()) == []
        words = shown.text.toPlainText().casefold()
        assert "judge by the item" in words
        # Nothing in it may sway anybody: no label, no class, no word on which is likelier.
        for word in ("correct", "incorrect", "reasoning", "explicit", "indirect", "unrelated", "most"):
            assert word not in words.split(), word
        QTest.keyClick(shown, Qt.Key.Key_Escape)
        assert not shown.isVisible()
        window.close()
