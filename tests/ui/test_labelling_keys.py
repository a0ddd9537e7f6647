"""The labelling window's keys are listed by `?`, Ctrl+W closes it, and another text size is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from btc_gui import settings
from btc_gui.errors import PacketError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.ui import start
from btc_gui.ui.error_dialog import ErrorDialog
from btc_gui.ui.key_sheet import KeyList
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.theme import Theme
from tests.study_builders import write_packet
from tests.ui.conftest import activate


def test_the_keys_are_listed_and_one_closes_the_window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    window = LabellingWindow(LabellingSession(write_packet(tmp_path / "p.btcp", 2)), theme)
    qtbot.addWidget(window)
    activate(window, qtbot)
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Question)
    sheet = window.findChild(KeyList)
    assert sheet is not None
    words = [each.text() for each in sheet.findChildren(QLabel)]
    for text, key in (("Correct", "1"), ("Undo", "Z"), ("Keys", "?"), ("Close labelling", "Ctrl+W")):
        assert key == words[words.index(text) + 1]
    sheet.accept()
    qtbot.waitUntil(window.isActiveWindow, timeout=5_000)
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=5_000)


def test_another_text_size_is_kept_and_the_colours_stay(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    monkeypatch.setattr(settings, "settings_path", lambda: file)
    theme.choose("dark", 1.1)
    try:
        session = LabellingSession(write_packet(tmp_path / "p.btcp", 2))
        window = LabellingWindow(session, theme, keep_text_size=start.keep_text_scale)
        qtbot.addWidget(window)
        window.action("larger").trigger()
        assert (theme.is_dark, theme.text_scale) == (True, 1.25)
        assert settings.load_settings(file).text_scale == 1.25
        window.close()
    finally:
        theme.choose("light", 1.0)


def test_a_packet_that_is_open_already_is_told_in_plain_words(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a double click there is no terminal: a dialog says it, and nothing is changed."""
    path = write_packet(tmp_path / "p.btcp", 2)
    shown: list[str] = []

    def show(dialog: ErrorDialog) -> int:
        shown.append(f"{dialog.message.text()} {dialog.remedy.text()}")
        return 0

    monkeypatch.setattr(ErrorDialog, "exec", show)
    with LabellingSession(path):
        before = path.read_bytes()
        with pytest.raises(PacketError, match="open in another window"):
            start.run_packet(path)
        assert shown == []
        monkeypatch.setattr(start, "_has_terminal", lambda: False)
        with pytest.raises(PacketError, match="open in another window"):
            start.run_packet(path)
        assert path.read_bytes() == before
    assert shown == ["p.btcp is open in another window. Nothing was changed. Go on there, or close it first."]
