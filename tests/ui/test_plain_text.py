"""Labels of text from outside: what is copied from them is what was put in."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot

from btc_gui.ui.widgets.plain_text import OutsideLabel, label

ADDRESS = "https://example.org/an/address/of/far/more/than/thirty/letters?that=wraps"


@pytest.fixture
def shown(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> OutsideLabel:
    # A display of no screen has no pop-ups.
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: None)
    made = label(f"See {ADDRESS}", selectable=True)
    assert isinstance(made, OutsideLabel)
    qtbot.addWidget(made)
    made.resize(120, 200)
    made.show()
    made.setFocus()
    return made


def test_an_address_that_takes_several_lines_is_copied_as_it_is(shown: OutsideLabel) -> None:
    shown.setSelection(4, len(QLabel.text(shown)) - 4)
    QTest.keyClick(shown, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == ADDRESS


def test_so_it_is_from_the_menu(shown: OutsideLabel) -> None:
    copying, everything = _menu(shown).actions()
    assert not copying.isEnabled()
    everything.trigger()
    copying, _ = _menu(shown).actions()
    copying.trigger()
    assert QGuiApplication.clipboard().text() == f"See {ADDRESS}"


def _menu(shown: OutsideLabel) -> QMenu:
    place = shown.rect().center()
    QApplication.sendEvent(shown, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, shown.mapToGlobal(place)))
    return shown.findChildren(QMenu)[-1]
