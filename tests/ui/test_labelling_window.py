"""Labelling at the keyboard: what an annotator may rely on, and what the window must not hold."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QElapsedTimer, QEvent, QObject, Qt, QUrl
from PySide6.QtGui import QAction, QKeyEvent, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.packet import Choice, Field, Layer, PacketItem
from btc_gui.errors import ProjectError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.desk import LabelDesk
from btc_gui.ui.labelling.mentions import mention_spans
from btc_gui.ui.labelling.verdict_form import VerdictForm
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import CommandButton
from tests.study_builders import (
    JUDGE,
    LABELS,
    MODELS,
    RATIONALE,
    add_judged,
    add_locked_study,
    issue,
    item_id,
    make_manifest,
    write_packet,
    write_practice_packet,
)
from tests.ui.conftest import activate


@pytest.fixture(autouse=True)
def _quick_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests press keys faster than people; the guard against double presses has a test of its own."""
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 0)


def open_window(qtbot: QtBot, theme: Theme, path: Path) -> LabellingWindow:
    window = LabellingWindow(LabellingSession(path), theme)
    qtbot.addWidget(window)
    activate(window, qtbot)
    return window


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[LabellingWindow]:
    made = open_window(qtbot, theme, write_packet(tmp_path / "p.btcp", 3))
    yield made
    made.close()


def form_of(window: LabellingWindow) -> VerdictForm:
    assert isinstance(window.form, VerdictForm)
    return window.form


def desk_of(window: LabellingWindow) -> LabelDesk:
    return form_of(window).desk


def press(window: QWidget, keys: str) -> None:
    """Type into whatever has the focus."""
    target = window.focusWidget() or window
    QTest.keyClicks(target, keys)


def labels_in(path: Path) -> list[tuple[str, str]]:
    with PacketFile.open(path, to_label=False) as packet:
        return [(row.item, row.label) for row in packet.labels()]


def test_a_session_from_the_keyboard_ends_with_every_label_in_the_packet(
    qtbot: QtBot, window: LabellingWindow, tmp_path: Path
) -> None:
    assert window.windowTitle() == "Labelling: item 1 of 3"
    press(window, "1")
    assert window.windowTitle() == "Labelling: item 2 of 3"
    press(window, "s")  # Skipped: asked again at the end.
    press(window, "0")
    assert window.windowTitle() == "Labelling: item 2 of 3"
    press(window, "u")
    press(window, "Two people have this name.")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert window.windowTitle() == "Labelling: 3 items, all labelled"
    window.close()
    assert labels_in(tmp_path / "p.btcp") == [
        (item_id(1), "correct"),
        (item_id(3), "incorrect"),
        (item_id(2), "unsure"),
    ]


def test_undo_works_on_the_finished_screen_and_after_a_restart(
    qtbot: QtBot, theme: Theme, window: LabellingWindow, tmp_path: Path
) -> None:
    press(window, "111")
    press(window, "z")
    assert window.windowTitle() == "Labelling: item 3 of 3"
    press(window, "1")
    window.close()
    again = open_window(qtbot, theme, tmp_path / "p.btcp")
    assert again.windowTitle() == "Labelling: 3 items, all labelled"
    press(again, "z")
    press(again, "z")
    assert again.windowTitle() == "Labelling: item 2 of 3"
    again.close()


def test_a_note_is_on_the_disk_within_a_second_of_the_keystroke(
    qtbot: QtBot, theme: Theme, window: LabellingWindow, tmp_path: Path
) -> None:
    press(window, "n")
    press(window, "half a thou")
    session = window._session
    assert window._draft.timer.interval() <= 1_000
    qtbot.waitUntil(lambda: session.draft.note == "half a thou")
    window.close()
    again = open_window(qtbot, theme, tmp_path / "p.btcp")
    assert desk_of(again).note.text() == "half a thou"
    again.close()


def test_letters_typed_into_the_note_label_nothing(window: LabellingWindow) -> None:
    press(window, "n")
    press(window, "10 zebras, usually small")
    assert window._session.done == 0
    assert desk_of(window).note.text() == "10 zebras, usually small"
    QTest.keyClick(desk_of(window).note, Qt.Key.Key_Escape)
    press(window, "1")
    assert window._session.done == 1
    first = window._session._labels[0]
    assert first.note == "10 zebras, usually small"


def test_a_second_press_meant_for_the_item_before_does_nothing(
    window: LabellingWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 60_000)
    window._settled.invalidate()
    press(window, "1")
    press(window, "1")
    button = desk_of(window).buttons["correct"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    press(window, "z")
    assert window._session.done == 1


class _Watch(QElapsedTimer):
    """A watch that somebody sets."""

    now = 0

    def isValid(self) -> bool:
        return True

    def elapsed(self) -> int:
        return self.now

    def restart(self) -> int:
        self.now = 0
        return 0


def test_a_row_of_quick_clicks_is_one_label_however_long_it_is(
    window: LabellingWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four clicks 180 ms apart: the third comes 360 ms after the item did, which nobody has read by then."""
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 350)
    watch = _Watch()
    watch.now = 10_000
    monkeypatch.setattr(window, "_settled", watch)
    button = desk_of(window).buttons["correct"]
    for _ in range(4):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        watch.now += 180
    assert window._session.done == 1
    watch.now = 400
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window._session.done == 2


def test_keys_held_down_do_not_repeat(window: LabellingWindow) -> None:
    keys = [action for action in window.findChildren(QAction) if action.shortcuts()]
    assert len(keys) >= 5
    assert not [action.objectName() for action in keys if action.autoRepeat()]


def hold(widget: QWidget, letter: str) -> None:
    """What the keyboard sends while a key is held down."""
    code = Qt.Key(ord(letter.upper()))
    event = QKeyEvent(QEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier, letter, True, 1)
    QApplication.sendEvent(widget, event)


def test_a_key_held_down_types_nothing_into_the_field_that_it_opens(window: LabellingWindow) -> None:
    """A11: U, held a little too long, is no reason."""
    press(window, "u")
    for _ in range(5):
        hold(desk_of(window).reason, "u")
    assert desk_of(window).reason.text() == ""
    press(window, "no")
    hold(desk_of(window).reason, "o")
    assert desk_of(window).reason.text() == "noo"


def test_keys_label_wherever_the_focus_is_but_in_a_field(window: LabellingWindow) -> None:
    """K5, K6: in the answer, the criteria, on a button; and A5: Backspace discards nothing."""
    for place in (form_of(window).answer.body, form_of(window).criteria, desk_of(window).buttons["unsure"]):
        before = window._session.done
        place.setFocus()
        QTest.keyClick(place, Qt.Key.Key_Backspace)
        QTest.keyClick(place, Qt.Key.Key_Delete)
        assert window._session.done == before
        QTest.keyClicks(place, "1")
        assert window._session.done == before + 1


def test_no_two_actions_share_a_key(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    """K1: a form's keys come first; with confidence asked for there are the most of them."""
    path = write_practice_packet(tmp_path / "p.btcp", ask_confidence=True, break_minutes=45)
    window = open_window(qtbot, theme, path)
    keys = [key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()]
    assert len(keys) >= 18
    assert len(set(keys)) == len(keys)
    window.close()


def test_a_form_that_needs_a_key_of_the_window_gets_it(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    manifest = replace(make_manifest(1), choices=(Choice("yes", "Yes", "Z"), Choice("no", "No", "N")))
    values = {field.name: "text" for field in manifest.fields}
    path = tmp_path / "p.btcp"
    PacketFile.create(path, manifest, {"p": "Criteria."}, [PacketItem(item_id(1), 1, "p", values)])
    window = open_window(qtbot, theme, path)
    assert window.action("undo").shortcut().isEmpty()
    assert window.action("note").shortcut().isEmpty()
    press(window, "z")
    assert window._session.done == 1
    window.close()


def test_unsure_needs_words(window: LabellingWindow) -> None:
    press(window, "u")
    assert window._draft.flush()
    assert window._message.text() == "", "nothing was typed yet that could be kept"
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert window._session.done == 0
    assert "words" in window._message.text()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not desk_of(window).is_asking


def test_going_back_shows_the_label_given_and_a_change_is_kept_beside_it(window: LabellingWindow) -> None:
    press(window, "1")
    press(window, "b")
    assert window.windowTitle() == "Labelling: item 1 of 3"
    assert "Correct" in window._head.state.text()
    press(window, "0")
    assert [row.label for row in window._session._labels] == ["correct", "incorrect"]


def test_a_changed_label_is_shown_beside_the_first_one_which_is_kept(window: LabellingWindow) -> None:
    press(window, "1")
    press(window, "b")
    press(window, "0")
    assert window._message.text() == "Changed ✓ The first label is kept."
    press(window, "b")
    assert window._head.state.text() == "you said: Incorrect · first label kept: Correct"


def test_a_reason_that_was_being_typed_is_there_after_a_restart(
    qtbot: QtBot, theme: Theme, window: LabellingWindow, tmp_path: Path
) -> None:
    """A12: which label it is for, too."""
    press(window, "x")
    press(window, "cut off in the mid")
    window.close()
    again = open_window(qtbot, theme, tmp_path / "p.btcp")
    assert desk_of(again).is_asking
    assert desk_of(again).reason.text() == "cut off in the mid"
    desk_of(again).reason.setFocus()
    press(again, "dle")
    QTest.keyClick(again.focusWidget(), Qt.Key.Key_Return)
    again.close()
    with PacketFile.open(tmp_path / "p.btcp", to_label=False) as packet:
        assert [(row.label, row.reason) for row in packet.labels()] == [("broken", "cut off in the middle")]


def test_undo_brings_back_what_was_typed(window: LabellingWindow) -> None:
    press(window, "n")
    press(window, "a note")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    press(window, "u")
    press(window, "two people")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    press(window, "z")
    assert window.windowTitle() == "Labelling: item 1 of 3"
    assert (desk_of(window).note.text(), desk_of(window).reason.text()) == ("a note", "two people")
    # Another label after all: the reason was for the first one.
    window._stack.setFocus()
    press(window, "1")
    assert [(row.label, row.reason) for row in window._session._labels] == [
        ("unsure", "two people"),
        ("", ""),
        ("correct", ""),
    ]


def test_confidence_is_asked_only_when_the_design_does(
    qtbot: QtBot, theme: Theme, window: LabellingWindow, tmp_path: Path
) -> None:
    press(window, "h1")
    path = write_practice_packet(tmp_path / "sure.btcp", practice=0, ask_confidence=True)
    asking = open_window(qtbot, theme, path)
    press(asking, "h")
    assert asking.action("confidence:3").isChecked()
    press(asking, "m")
    press(asking, "1")
    assert not asking.action("confidence:2").isChecked()
    press(asking, "l")
    press(asking, "l")
    press(asking, "0")
    asking.close()
    assert [row.confidence for row in window._session._labels] == [None]
    with PacketFile.open(path, to_label=False) as packet:
        assert [(row.label, row.confidence) for row in packet.labels()] == [("correct", 2), ("incorrect", None)]


def test_confidence_pressed_too_soon_is_for_the_item_before(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_practice_packet(tmp_path / "sure.btcp", practice=0, ask_confidence=True)
    window = open_window(qtbot, theme, path)
    monkeypatch.setattr(labelling_window, "SETTLE_MILLISECONDS", 60_000)
    press(window, "h")
    assert not window.action("confidence:3").isChecked()
    assert not [made for made in window.findChildren(CommandButton) if made.isChecked()]
    window.close()


def enter(window: LabellingWindow) -> None:
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Return)


def visible_text(window: LabellingWindow) -> str:
    return "\n".join(each.text() for each in window.findChildren(QLabel) if each.isVisible())


def test_practice_comes_first_with_feedback_until_the_mark_is_reached(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    path = write_practice_packet(tmp_path / "p.btcp", practice=2, mark=1.0)
    window = open_window(qtbot, theme, path)
    assert "You need 2 of 2 right" in visible_text(window)
    press(window, "1")  # Nothing is asked yet.
    enter(window)
    assert window.windowTitle() == "Labelling: practice item 1 of 2"
    press(window, "0")
    assert "You said Incorrect; the known label is Correct" in visible_text(window)
    assert "Because of 1." in visible_text(window)
    press(window, "1szbf")  # Neither the same item again nor another one.
    enter(window)
    assert window.windowTitle() == "Labelling: practice item 2 of 2"
    press(window, "1")
    assert "Right: Correct" in visible_text(window)
    enter(window)
    assert "1 of 2 right" in visible_text(window)
    assert "You need 2." in visible_text(window)
    enter(window)
    press(window, "1")
    enter(window)
    press(window, "1")
    enter(window)
    assert "2 of 2 right" in visible_text(window)
    enter(window)
    assert window.windowTitle() == "Labelling: item 1 of 2"
    press(window, "z")  # Practice is over and can't be taken back.
    press(window, "0")
    assert "Because" not in visible_text(window)
    window.close()
    with PacketFile.open(path, to_label=False) as packet:
        assert [(row.item, row.label) for row in packet.labels()] == [(item_id(1), "incorrect")]
        assert [row.label for row in packet.practice_labels()] == ["incorrect", "correct", "correct", "correct"]


def test_practice_that_was_interrupted_goes_on(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    path = write_practice_packet(tmp_path / "p.btcp", practice=2, mark=1.0)
    window = open_window(qtbot, theme, path)
    enter(window)
    press(window, "1")
    window.close()
    again = open_window(qtbot, theme, path)
    enter(again)
    assert again.windowTitle() == "Labelling: practice item 2 of 2"
    press(again, "p")
    assert not form_of(again).isVisible()
    press(again, "p")
    press(again, "1")
    enter(again)
    enter(again)
    assert again.windowTitle() == "Labelling: item 1 of 2"
    again.close()


def test_a_break_is_suggested_between_two_items_and_can_be_put_off(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    path = write_practice_packet(tmp_path / "p.btcp", practice=0, items=9, break_minutes=45)
    now = 0.0

    def clock() -> float:
        return now

    session = LabellingSession(path, clock=clock)
    window = LabellingWindow(session, theme)
    qtbot.addWidget(window)
    activate(window, qtbot)

    def work(minutes: int) -> None:
        nonlocal now
        for _ in range(minutes * 2):
            now += 30
            session.touch()
        press(window, "1")

    work(44)
    assert "without a break" not in visible_text(window)
    work(1)
    assert "45 minutes without a break" in visible_text(window)
    press(window, "t")
    assert "without a break" not in visible_text(window)
    work(9)
    assert "without a break" not in visible_text(window)
    work(2)
    assert "56 minutes without a break" in visible_text(window)
    press(window, "p")
    now += 600
    press(window, "p")
    assert "without a break" not in visible_text(window)
    work(10)
    assert "without a break" not in visible_text(window)
    window.close()


def test_pause_hides_the_item(window: LabellingWindow) -> None:
    press(window, "p")
    assert not form_of(window).answer.isVisible()
    press(window, "1")
    assert window._session.done == 0
    press(window, "p")
    assert form_of(window).answer.isVisible()


def test_after_a_pause_the_next_letter_is_a_label(window: LabellingWindow) -> None:
    """Also when the pause began from the note, by the mouse."""
    press(window, "n")
    press(window, "half a thou")
    window.action("pause").trigger()
    window.action("pause").trigger()
    press(window, "1")
    assert window._session.done == 1
    assert window._session._labels[0].note == "half a thou"


def test_there_are_no_tallies_by_class(window: LabellingWindow) -> None:
    press(window, "11")
    press(window, "b")
    words = " ".join(label.text() for label in window.findChildren(QLabel))
    assert "2 correct" not in words.casefold()
    assert "%" not in words


def test_a_packet_that_needs_more_than_texts_says_how_it_is_labelled(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    manifest = make_manifest(1, "failure_mode", Layer.ASSISTED)
    values = {field.name: "[]" if field.form != "text" else "text" for field in manifest.fields}
    path = tmp_path / "modes.btcp"
    PacketFile.create(path, manifest, {"p": "Criteria."}, [PacketItem(item_id(1), 1, "p", values)])
    window = open_window(qtbot, theme, path)
    words = " ".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())
    assert "btc-gui label" in words
    assert "Assisted" in words
    press(window, "1")
    assert window._session.done == 0
    window.close()


def test_an_adjudicator_sees_both_earlier_labels_side_by_side(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    manifest = make_manifest(1, layer=Layer.ADJUDICATION)
    manifest = replace(manifest, fields=(*manifest.fields, Field("left", "One label"), Field("right", "The other one")))
    values = {field.name: "text" for field in manifest.fields} | {"left": "Correct", "right": "Unsure: a namesake"}
    path = tmp_path / "p.btcp"
    PacketFile.create(path, manifest, {"p": "Criteria."}, [PacketItem(item_id(1), 1, "p", values)])
    window = open_window(qtbot, theme, path)
    shown = {name: block.body.toPlainText() for name, block in form_of(window).earlier.blocks.items()}
    assert shown == {"left": "Correct", "right": "Unsure: a namesake"}
    assert "Adjudication: two earlier labels" in visible_text(window)
    window.close()


def test_illustrative_material_is_marked_above_every_item(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    manifest = replace(make_manifest(1), note="Illustrative data.")
    path = tmp_path / "p.btcp"
    values = {field.name: "text" for field in manifest.fields}
    PacketFile.create(path, manifest, {"p": "Criteria."}, [PacketItem(item_id(1), 1, "p", values)])
    window = open_window(qtbot, theme, path)
    assert "Illustrative data." in [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    window.close()


def test_a_failure_to_save_is_said_and_keeps_the_item(window: LabellingWindow) -> None:
    window._session.close()
    press(window, "1")
    assert window._message.text().startswith("Not saved.")
    assert window.windowTitle() == "Labelling: item 1 of 3"


def test_a_note_that_can_not_be_saved_stays_where_it_is_seen(
    window: LabellingWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def stay(parent: object, question: str, *words: str) -> bool:
        asked.append(question)
        return False

    def full(state: object, item: object) -> None:
        raise ProjectError("There is no space left.")

    monkeypatch.setattr(labelling_window, "confirm", stay)
    press(window, "n")
    press(window, "half a thou")
    with monkeypatch.context() as patched:
        patched.setattr(window._session, "keep_draft", full)
        window._skip()
        window._forward()
        assert window.windowTitle() == "Labelling: item 1 of 3"
        assert "not saved" in window._message.text()
        window.close()
        assert asked == ["Close without the note?"]
        assert window.isVisible()
    window._skip()
    assert window.windowTitle() == "Labelling: item 2 of 3"
    window._back()
    assert desk_of(window).note.text() == "half a thou"


def test_markup_is_shown_as_text_and_nothing_is_loaded(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    manifest = make_manifest(1)
    values = {field.name: "<b>bold</b> <img src='file:///etc/passwd'>" for field in manifest.fields}
    path = tmp_path / "p.btcp"
    secret = tmp_path / "secret.png"
    secret.write_text("secret")
    page = f"# Criteria\n\n<script>x</script> ![pic]({secret.as_uri()}) ![pic]({secret})"
    PacketFile.create(path, manifest, {"p": page}, [PacketItem(item_id(1), 1, "p", values)])
    window = open_window(qtbot, theme, path)
    assert form_of(window).answer.body.toPlainText() == values["answer"]
    assert form_of(window).criteria.toPlainText() == "Criteria\n<script>x</script> pic pic"
    image = QTextDocument.ResourceType.ImageResource.value
    assert form_of(window).criteria.document().resource(image, QUrl.fromLocalFile(str(secret))) == QByteArray(b" ")
    window.close()


def test_mentions_are_found_also_behind_an_emoji() -> None:
    text = "🎨 Ada Lovely, and later Lovely's work"
    assert [text[span.start : span.stop] for span in mention_spans(text, "Ada Lovely")] == ["Ada Lovely", "Lovely"]


def test_the_window_holds_nothing_hidden(qtbot: QtBot, theme: Theme, database: Database, tmp_path: Path) -> None:
    """Every text of every object in the window's tree, on every item: no judge, model, rationale or study."""
    add_judged(database, LABELS)
    packet = issue(database, add_locked_study(database), tmp_path)
    database.close()
    window = open_window(qtbot, theme, packet)
    hidden = [JUDGE, RATIONALE, *MODELS, "Test study", "accepted", "rejected", "uuid-"]
    seen = ""
    while not window._session.is_finished:
        seen += texts_of(window)
        press(window, "1")
    seen += texts_of(window)
    assert "voice of somebody" in seen
    assert [word for word in hidden if word.casefold() in seen.casefold()] == []
    assert not [thing for thing in gc.get_referents(window.__dict__) if isinstance(thing, Database)]
    window.close()


def texts_of(window: QWidget) -> str:
    """All that a person, a screen reader or a curious debugger can read in the widget tree."""
    found: list[str] = []
    for each in [window, *window.findChildren(QObject)]:
        found.append(each.objectName())
        found += [str(each.property(name)) for name in ("role", "bare", "answer", "note", "data")]
        if isinstance(each, QWidget):
            found += [each.accessibleName(), each.accessibleDescription(), each.toolTip(), each.windowTitle()]
        if isinstance(each, QLabel | QAbstractButton | QLineEdit):
            found.append(each.text())
        if isinstance(each, QTextEdit):
            found.append(each.toPlainText())
        if isinstance(each, QAction):
            found += [each.text(), str(each.data())]
    return "\n".join(found)


def test_every_control_has_a_name(window: LabellingWindow) -> None:
    for each in window.findChildren(QWidget):
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible():
            text = getattr(each, "text", str)()
            assert each.accessibleName() or text, each
