"""Nothing hidden is in the labelling window, its tool tips, names or clipboard; what is planted there is caught."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.leak_audit import Hidden, Leak, LeakSearch
from btc_gui.domain.study import StudyId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.jobs.audit_study import LeakAudit
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from btc_gui.ui.labelling.channels import window_pieces
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.theme import Theme
from tests.study_builders import JUDGE, MODELS, RATIONALE, add_judged, add_locked_study, issue, make_design


class _Desk:
    """A labelling window beside the project that its packet came from: only the audit knows both."""

    def __init__(self, window: LabellingWindow, session: LabellingSession, words: Sequence[Hidden]) -> None:
        self.window, self.session, self._words = window, session, words
        self._shown = [""]
        self.channels: set[str] = set()

    def leaks(self) -> list[Leak]:
        # The finished screen still holds the last item, unseen.
        item = self.session.current
        self._shown = [*item.values.values(), self.session.page] if item else self._shown
        pieces = window_pieces(self.window, self.session.manifest, self._shown)
        self.channels |= {piece.channel for piece in pieces}
        return LeakSearch(self._words).leaks(pieces)


@dataclass(frozen=True)
class _Made:
    project: Path
    study_id: StudyId
    packet: Path
    answer_id: AnswerId
    words: Sequence[Hidden]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> _Made:
    """A project with a study of two annotators, the packet of one and what is hidden from them. Made once."""
    folder = tmp_path_factory.mktemp("leaks")
    project = folder / "project.btc"
    with Database.create(project) as database:
        add_judged(database, says="of somebody. As Claude, I say so.")
        study_id = add_locked_study(database, make_design(4, 4, annotators=("PK", "Dagmar")))
        packet = issue(database, study_id, folder / "out")
        words = LeakAudit(database, study_id).words("PK")
        return _Made(project, study_id, packet, StudyStore(database).items(study_id)[0].answer_id, words)


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, made: _Made, tmp_path: Path) -> Iterator[_Desk]:
    """A window of its own, on a copy of the packet."""
    QApplication.clipboard().clear()
    packet = tmp_path / made.packet.name
    shutil.copyfile(made.packet, packet)
    with LabellingSession(packet) as session:
        window = LabellingWindow(session, theme)
        qtbot.addWidget(window)
        window.show()
        yield _Desk(window, session, made.words)
        QApplication.clipboard().clear()


def test_a_scripted_session_shows_nothing_hidden(desk: _Desk) -> None:
    """Every item from the first to the finished screen, with what was selected on the clipboard."""
    while (item := desk.session.current) is not None:
        QApplication.clipboard().setText(item.text("answer"))
        found = desk.leaks()
        assert not found, found
        desk.session.label(item.item, "correct")
        desk.window._show()
        if desk.session.is_finished:
            break
    QApplication.clipboard().clear()
    assert desk.leaks() == []
    assert {
        "window titles",
        "tool tips",
        "accessible names",
        "object names",
        "window texts",
        "clipboard",
    } <= desk.channels


def _on_the_clipboard(kind: str) -> Callable[[LabellingWindow, str], None]:
    def plant(window: LabellingWindow, value: str) -> None:
        mime = QMimeData()
        mime.setText("Answer")
        mime.setData(kind, value.encode())
        QApplication.clipboard().setMimeData(mime)

    return plant


def _inside(window: LabellingWindow) -> QWidget:
    inside = window.centralWidget()
    assert inside is not None
    return inside


def _set_property(widget: QWidget, value: str) -> None:
    widget.setProperty("hidden", value)


def _action(window: LabellingWindow) -> QAction:
    return window.findChildren(QAction)[0]


PLACES: dict[str, Callable[[LabellingWindow, str], None]] = {
    "title": lambda window, value: window.setWindowTitle(f"Item 3 of 8, {value}"),
    "file path": lambda window, value: window.setWindowFilePath(f"/home/a/{value}.btcp"),
    "tool tip": lambda window, value: window.form.setToolTip(value) if window.form else None,
    "status tip": lambda window, value: _action(window).setStatusTip(value),
    "what's this": lambda window, value: _inside(window).setWhatsThis(value),
    "accessible name": lambda window, value: _inside(window).setAccessibleName(value),
    "accessible description": lambda window, value: _inside(window).setAccessibleDescription(value),
    "object name": lambda window, value: _inside(window).setObjectName(value),
    "label": lambda window, value: QLabel(f"it says {value}", window).setParent(window),
    "action": lambda window, value: _action(window).setText(f"Undo {value}"),
    "action data": lambda window, value: _action(window).setData({"machine": value}),
    "property": lambda window, value: _set_property(_inside(window), value),
    "plain text on the clipboard": lambda window, value: QApplication.clipboard().setText(value),
    "HTML on the clipboard": _on_the_clipboard("text/html"),
    "a format of its own on the clipboard": _on_the_clipboard("application/x-btc-item"),
}
FIELDS = {
    "judge label": "incorrect",
    "stratum": "rejected",
    "model": MODELS[0],
    "harness": "shared",
    "effort": "low",
    "judge": JUDGE,
    "rationale": RATIONALE,
    "annotator": "Dagmar",
    "masked passage": "Claude",
    "answer id": "answer_id={answer}",
}


@pytest.mark.parametrize("place", PLACES)
def test_every_hidden_field_planted_in_the_window_is_caught(desk: _Desk, made: _Made, place: str) -> None:
    for what, value in FIELDS.items():
        value = value.format(answer=made.answer_id)
        PLACES[place](desk.window, value)
        assert any(leak.text.casefold() in value.casefold() for leak in desk.leaks()), (place, what)


def test_the_environment_of_the_process_is_searched(made: _Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "BTC_LAST", MODELS[1])
    with Database.open(made.project) as database:
        audit = LeakAudit(database, made.study_id)
        audit.process()
    assert {(leak.channel, leak.where) for leak in audit.report.leaks} == {("environment", "BTC_LAST")}
