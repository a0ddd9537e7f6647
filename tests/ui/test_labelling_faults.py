"""Faults that people met in other tools for labelling, on the labelling window. The marks are those of the list."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.packet import GivenLabel
from btc_gui.errors import PacketError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.desk import LabelDesk
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.theme import Theme
from tests.study_builders import item_id, write_packet, write_practice_packet
from tests.ui.conftest import activate


@pytest.fixture
def quick_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting after an item has come."""
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 0)
    # Keys that a test presses have the time of its last mouse event: they would all be one key held down.
    held_keys = sys.modules.get("btc_gui.ui.labelling.held_keys")
    if held_keys is not None:
        monkeypatch.setattr(held_keys, "_SAME_MOMENT_MILLISECONDS", -1)


@pytest.fixture
def nervous_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever follows the first press comes too soon, on however slow a machine."""
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 600_000)


@pytest.fixture
def packet(tmp_path: Path) -> Path:
    return write_packet(tmp_path / "p.btcp", 6)


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, packet: Path) -> Iterator[LabellingWindow]:
    made = LabellingWindow(LabellingSession(packet), theme)
    qtbot.addWidget(made)
    activate(made, qtbot)
    yield made
    made.close()


def desk_of(window: LabellingWindow) -> LabelDesk:
    return window.findChild(LabelDesk)  # type: ignore[return-value]


def button_of(window: LabellingWindow, name: str) -> QAbstractButton:
    """The button of one of the window's actions."""
    action = window.action(name)
    found = [each for each in window.findChildren(QAbstractButton) if action in each.actions() or _acts(each, action)]
    assert found, name
    return found[0]


def _acts(made: QAbstractButton, action: QAction) -> bool:
    return made.isVisible() and made.text().startswith(action.text())


def focus(window: LabellingWindow) -> QWidget:
    return window.focusWidget() or window


def press(window: LabellingWindow, keys: str) -> None:
    QTest.keyClicks(focus(window), keys)


def may_press_again(window: LabellingWindow) -> None:
    """As after the time in which a press is taken for the item before."""
    window._settled.invalidate()


def rows(window: LabellingWindow) -> list[GivenLabel]:
    return window._session._file.labels()


# -- saving, undo, queue -------------------------------------------------------------------------------------


def test_moving_on_with_nothing_chosen_is_no_label(quick_hands: None, window: LabellingWindow) -> None:
    """A2: forward, back and skip leave the item open and the progress as it was."""
    press(window, "ffbs")
    QTest.keyClick(focus(window), Qt.Key.Key_Return)
    QTest.keyClick(focus(window), Qt.Key.Key_Space)
    assert rows(window) == []
    assert window._head.progress.value() == 0


def test_no_single_key_outside_a_field_destroys(quick_hands: None, window: LabellingWindow) -> None:
    """A5."""
    press(window, "n")
    press(window, "a note")
    QTest.keyClick(focus(window), Qt.Key.Key_Escape)
    keys = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Escape, Qt.Key.Key_Tab)
    for key in keys:
        window.form.focus_first()  # type: ignore[union-attr]
        QTest.keyClick(focus(window), key)
        assert window.windowTitle() == "Labelling: item 1 of 6"
        assert desk_of(window).note.text() == "a note"
    press(window, "1")
    for key in keys:
        QTest.keyClick(focus(window), key)
    assert [(row.label, row.note) for row in rows(window)] == [("correct", "a note")]


def test_undo_stands_ready_while_what_is_typed_is_being_saved(
    qtbot: QtBot, quick_hands: None, window: LabellingWindow
) -> None:
    """A8: and it takes nothing away that was typed for the item on screen."""
    press(window, "1")
    press(window, "n")
    press(window, "half a thou")
    QTest.keyClick(focus(window), Qt.Key.Key_Escape)
    assert window.action("undo").isEnabled()
    press(window, "z")
    assert window.windowTitle() == "Labelling: item 1 of 6"
    press(window, "0")
    assert window.windowTitle() == "Labelling: item 2 of 6"
    assert desk_of(window).note.text() == "half a thou"


@pytest.mark.parametrize("way", ["skip", "forward", "back", "undo", "pause"])
@pytest.mark.parametrize("by_mouse", [True, False])
def test_every_way_off_an_item_keeps_what_was_typed(
    quick_hands: None, window: LabellingWindow, packet: Path, way: str, by_mouse: bool
) -> None:
    """A9: with the mouse as with the keys."""
    press(window, "1")
    press(window, "n")
    press(window, "typed")
    if by_mouse:
        QTest.mouseClick(button_of(window, way), Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(focus(window), Qt.Key.Key_Escape)
        press(window, window.action(way).shortcut().toString().lower())
    window.close()
    with LabellingSession(packet) as again:
        assert again.show(item_id(2))
        assert again.draft.note == "typed"


def test_a_fast_walk_through_the_items_writes_each_note_to_its_own_item(
    quick_hands: None, window: LabellingWindow, packet: Path
) -> None:
    """A10."""
    for number in (1, 2, 3):
        press(window, "n")
        press(window, f"note {number}")
        QTest.keyClick(focus(window), Qt.Key.Key_Escape)
        press(window, "f")
    press(window, "bbb")
    for _ in range(3):
        press(window, "1")
    window.close()
    with PacketFile.open(packet, to_label=False) as file:
        assert [(row.item, row.note) for row in file.labels()] == [(item_id(n), f"note {n}") for n in (1, 2, 3)]


def test_a_double_click_gives_one_label(nervous_hands: None, window: LabellingWindow) -> None:
    """A11: on a label, and on Skip."""
    may_press_again(window)
    made = desk_of(window).buttons["correct"]
    middle = QPoint(made.width() // 2, made.height() // 2)
    QTest.mouseClick(made, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseDClick(made, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseClick(made, Qt.MouseButton.LeftButton, pos=middle)
    assert [row.item for row in rows(window)] == [item_id(1)]
    may_press_again(window)
    skip = button_of(window, "skip")
    QTest.mouseClick(skip, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(skip, Qt.MouseButton.LeftButton)
    assert list(window._session._file.skips()) == [item_id(2)]


@pytest.mark.parametrize(("key", "adds"), [("1", 1), ("s", 1), ("z", 1), ("u", 0)])
def test_a_key_that_is_held_down_acts_once(quick_hands: None, window: LabellingWindow, key: str, adds: int) -> None:
    """A11: however many repeats the keyboard sends. U goes into a field, where letters repeat as letters do."""
    press(window, "11")
    before = len(rows(window)) + len(window._session._file.skips())
    code, none = Qt.Key(ord(key.upper())).value, Qt.KeyboardModifier.NoModifier
    QTest.simulateEvent(focus(window), True, code, none, key, False)
    for _ in range(20):
        QTest.simulateEvent(focus(window), True, code, none, key, True)
    QTest.simulateEvent(focus(window), False, code, none, key, False)
    assert len(rows(window)) + len(window._session._file.skips()) == before + adds


def test_enter_that_is_held_down_gives_one_label(nervous_hands: None, window: LabellingWindow) -> None:
    """A11: a reason is given with Enter; its repeats meet the next item."""
    may_press_again(window)
    press(window, "u")
    press(window, "two people")
    none = Qt.KeyboardModifier.NoModifier
    for repeats in (False, True, True, True):
        QTest.simulateEvent(focus(window), True, Qt.Key.Key_Return.value, none, "\r", repeats)
    assert [(row.item, row.reason) for row in rows(window)] == [(item_id(1), "two people")]
    assert window.windowTitle() == "Labelling: item 2 of 6"


def test_a_second_window_on_a_packet_is_refused_and_the_first_goes_on(
    qtbot: QtBot, quick_hands: None, window: LabellingWindow, packet: Path
) -> None:
    """A16: no two windows act on one packet."""
    with pytest.raises(PacketError, match="is open in another window"):
        LabellingSession(packet)
    press(window, "1")
    assert len(rows(window)) == 1


# -- keys ----------------------------------------------------------------------------------------------------


def keys_of(window: LabellingWindow) -> list[tuple[str, str]]:
    """Every key of the window and its form, with the action that has it."""
    actions = [each for each in window.findChildren(QAction) if each.objectName()]
    return [(key.toString(), each.objectName()) for each in actions for key in each.shortcuts() if not key.isEmpty()]


@pytest.mark.parametrize("asks", [True, False])
def test_each_key_has_one_owner(qtbot: QtBot, theme: Theme, tmp_path: Path, asks: bool) -> None:
    """K1, K5: a label's key is taken from whatever else would have it."""
    path = write_practice_packet(tmp_path / "p.btcp", practice=0, ask_confidence=asks)
    window = LabellingWindow(LabellingSession(path), theme)
    qtbot.addWidget(window)
    keys = [key for key, _ in keys_of(window)]
    assert len(keys) > 10
    assert len(keys) == len(set(keys))
    window.close()


def test_a_chord_acts_only_as_a_chord(quick_hands: None, window: LabellingWindow) -> None:
    """K2: its letter alone does nothing."""
    chords = [key for key, _ in keys_of(window) if "+" in key.removesuffix("++")]
    assert "Ctrl+W" in chords
    singles = {key for key, _ in keys_of(window) if "+" not in key}
    for chord in chords:
        letter = QKeySequence(chord).toString().rsplit("+", 1)[-1].lower()
        if letter and letter.upper() not in singles:
            press(window, letter)
    assert window.isVisible()
    assert rows(window) == []


def test_buttons_say_their_keys(qtbot: QtBot, window: LabellingWindow) -> None:
    """K4: the button is wider by the key that is drawn on it, and a screen reader hears it."""
    for value, key in (("correct", "1"), ("incorrect", "0"), ("unsure", "U"), ("broken", "X")):
        made = desk_of(window).buttons[value]
        assert made.accessibleName().endswith(f"key {key}")
        with_key = made.sizeHint().width()
        window.action(f"choose:{value}").setShortcut(QKeySequence())
        assert made.sizeHint().width() < with_key


def test_a_key_works_wherever_the_focus_is_outside_the_fields(quick_hands: None, window: LabellingWindow) -> None:
    """K5: on texts, buttons and scrolled parts; nothing is ambiguous, nothing is eaten."""
    places = [
        each
        for each in window.findChildren(QWidget)
        if each.isVisible() and each.isEnabled() and each.focusPolicy() != Qt.FocusPolicy.NoFocus
        if not isinstance(each, QLineEdit)
    ]
    assert len(places) >= 8
    for number, place in enumerate(places):
        place.setFocus()
        QTest.keyClicks(place, "1")
        assert len(rows(window)) == 2 * number + 1, place
        QTest.keyClicks(focus(window), "z")


def test_letters_typed_into_any_field_are_text(quick_hands: None, window: LabellingWindow) -> None:
    """K6: and no key of the window acts there, except those with Ctrl."""
    letters = "".join(key.lower() for key, _ in keys_of(window) if len(key) == 1)
    press(window, "n")
    press(window, letters)
    assert desk_of(window).note.text() == letters
    QTest.keyClick(focus(window), Qt.Key.Key_Escape)
    press(window, "u")
    press(window, letters)
    assert desk_of(window).reason.text() == letters
    assert rows(window) == []


def test_a_note_is_text_while_a_reason_is_asked_for_again(quick_hands: None, window: LabellingWindow) -> None:
    """K6: a label that was taken back asks for its reason, and the note was not to be seen there: its letters became
    labels of the item before."""
    press(window, "1")
    press(window, "u")
    press(window, "why")
    QTest.keyClick(focus(window), Qt.Key.Key_Return)
    press(window, "z")
    before = rows(window)
    press(window, "n")
    press(window, "b1 a note")
    assert desk_of(window).note.text() == "b1 a note"
    assert desk_of(window).reason.text() == "why"
    assert rows(window) == before


# -- blinding ------------------------------------------------------------------------------------------------


def test_copying_takes_only_what_is_seen(qtbot: QtBot, quick_hands: None, window: LabellingWindow) -> None:
    """B1: every form in which a text reaches the clipboard holds that text and nothing else."""
    for each in window.findChildren(QTextEdit):
        if not each.isVisible():
            continue
        each.selectAll()
        each.copy()
        data = QApplication.clipboard().mimeData()
        assert data is not None
        assert data.text().split() == each.toPlainText().split()
        for name in data.formats():
            held = bytes(data.data(name).data()).decode("utf-8", "replace")
            assert item_id(1) not in held
            assert "p.btcp" not in held


# -- what does not fit, what is warned of --------------------------------------------------------------------


def test_a_note_that_is_too_long_says_that_it_was_cut(quick_hands: None, window: LabellingWindow) -> None:
    """A megabyte from the clipboard: what fits is kept, and nobody believes that all of it was."""
    press(window, "n")
    QApplication.clipboard().setText("ä" * 1_000_000)
    QTest.keyClick(focus(window), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QApplication.clipboard().clear()
    window._draft.flush()
    assert window._message.text() == "Cut: a field holds 32,767 characters; the rest was not taken."
    QTest.keyClick(focus(window), Qt.Key.Key_Escape)
    press(window, "1")
    assert rows(window)[0].note == "ä" * 32_767
    assert window._message.text() == "Saved ✓"


def test_saving_what_is_typed_does_not_wipe_a_warning_away(quick_hands: None, window: LabellingWindow) -> None:
    press(window, "u")
    QTest.keyClick(focus(window), Qt.Key.Key_Return)
    window._draft.flush()
    assert window._message.text() == "A few words are needed: why can't it be decided?"


def test_the_window_says_whose_packet_it_is(window: LabellingWindow) -> None:
    """Two packets that were mixed up would be labelled by the wrong people."""
    said = [each.text() for each in window.findChildren(QLabel) if each.isVisible()]
    assert f"for {window._session.manifest.annotator}" in said


def test_the_finished_page_is_found_again(quick_hands: None, window: LabellingWindow) -> None:
    """After a look at earlier items, forward from the last one."""
    press(window, "111111")
    press(window, "b")
    assert window.windowTitle() == "Labelling: item 6 of 6"
    press(window, "f")
    assert window.windowTitle() == "Labelling: 6 items, all labelled"
    assert len(rows(window)) == 6
