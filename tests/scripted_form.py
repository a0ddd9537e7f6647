"""Forms of failure modes that are filled in key by key, in a process of its own that its parent will kill."""

from __future__ import annotations

from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.mode_form import OverrideCode
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.mode_form import FailureModeForm
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme
from tests.scripted_annotator import SAVED_WITHIN_MILLISECONDS, Annotator, Habits, Told

_BETWEEN_MILLISECONDS = 80


def fill_in(path: Path, pressed: str, pipe: Connection) -> None:
    """Press the keys, telling each state of the form at once, and when it is due to be on the disk; then stay."""
    labelling_window.SETTLE_MILLISECONDS = 0
    app = application()
    window = LabellingWindow(LabellingSession(path), Theme("light", 1.0))
    assert window.form is not None
    states: list[str] = []

    def changed(state: ItemState) -> None:
        states.append(state.text)
        number = len(states)
        pipe.send(("is", state.text))
        QTimer.singleShot(SAVED_WITHIN_MILLISECONDS, window, lambda: pipe.send(("due", number)))

    window.form.draft_changed.connect(changed)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    keys = iter(pressed)

    def press() -> None:
        key = next(keys, "")
        if key:
            QTest.keyClicks(window.focusWidget() or window, key)
            QTimer.singleShot(_BETWEEN_MILLISECONDS, window, press)
        else:
            pipe.send(("all", ""))

    QTimer.singleShot(0, window, press)
    app.exec()


class FormAnnotator(Annotator):
    """Fills in forms of failure modes: classes, received text, passages, the mode that follows or another one."""

    def __init__(self, packet: Path, pipe: Connection, habits: Habits, session: int) -> None:
        super().__init__(packet, pipe, habits, session)
        self._states = 0
        assert isinstance(self._window.form, FailureModeForm)
        self._form = self._window.form
        self._form.draft_changed.connect(self._changed)

    def _changed(self, state: ItemState) -> None:
        self._states += 1
        number = self._states
        self._pipe.send(asdict(Told("state", self._item or "", answers=state.text)))
        QTimer.singleShot(SAVED_WITHIN_MILLISECONDS, self._window, lambda: self._due(number))

    def _due(self, number: int) -> None:
        self._pipe.send(asdict(Told("due", self._item or "", str(number))))

    def _give(self, item: str, key: str, reason: str = "") -> None:
        self._leave_reasons()
        rows, note = len(self._window._session._labels), self._note
        answers = self._form._form.overridden(None).text
        self._press(key, again=False)
        QTest.keyClicks(self._focus, reason)
        self._press_key(Qt.Key.Key_Return)
        label = {"u": "unsure", "x": "broken"}[key]
        self._acknowledged(rows, Told("label", item, label, reason, note, answers))

    def _decide(self, item: str) -> None:
        self._leave_reasons()
        self._fill()
        rows, form = len(self._window._session._labels), self._form._form
        derived = form.derived(self._form._relations).mode
        other = self._random.choice([mode for mode in FailureMode if mode is not derived])
        note = self._note
        if derived is not None and self._random.random() < 0.8:
            self._settle()
            self._hold(Qt.Key.Key_Return, "", Qt.KeyboardModifier.ControlModifier)
            if self._habits.is_hasty:
                QTest.keyClick(self._focus, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            told = Told("label", item, derived.value, "", note, form.overridden(None).text)
        else:
            words = f"because of {rows}"
            self._press(str(list(FailureMode).index(other) + 1), again=False)
            self._press_key(Qt.Key.Key_Tab)
            QTest.keyClicks(self._focus, words)
            self._press_key(Qt.Key.Key_Return)
            answers = form.overridden(OverrideCode.BORDER, words).text
            told = Told("label", item, other.value, "", note, answers)
        self._acknowledged(rows, told)

    def _leave_reasons(self) -> None:
        """A reason is asked for again that was half typed when the window was killed, or whose label was taken back."""
        for line, is_asked in (
            (self._desk.reason, self._desk.is_asking),
            (self._form.conclusion.reason, self._form.conclusion.asked_mode is not None),
        ):
            if is_asked:
                line.setFocus()
                QTest.keyClick(line, Qt.Key.Key_Escape)

    def _fill(self) -> None:
        """Class every query, read what the model received, and mark a passage of it or say that none is evidence."""
        while None in self._form._form.labels:
            self._tap(self._random.choice("eir"))
        if not self._form._form.labels:
            return
        if not self._form._form.has_opened:
            self._tap("o")
        if self._random.random() < 0.5:
            self._tap("g")
            self._tap(self._random.choice("78"))
        elif not self._form._form.spans:
            self._tap("0")

    def _tap(self, key: str) -> None:
        """Press a key of the form, at the pace of quick fingers, held down by nervous ones."""
        self._settle()
        if self._habits.is_hasty:
            self._hold(Qt.Key(ord(key.upper())), key)
        else:
            QTest.keyClicks(self._focus, key)
        self._wait(0.03)

    def _settle(self) -> None:
        while self._habits.is_hasty and self._window._is_too_soon():
            self._wait(0.02)

    @property
    def _note(self) -> str:
        return self._desk.note.text().strip()
