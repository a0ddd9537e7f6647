"""A study through the window: from its design to its report, with nothing offered that its state forbids."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.study import StudyState
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.studies import StudyStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages import validation_page
from btc_gui.ui.pages.validation_page import ValidationPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.processes import own_command
from btc_gui.ui.widgets.study_dialog import StudyDialog
from tests.study_builders import add_judged, add_locked_study
from tests.ui.conftest import activate


@pytest.fixture
def page(window: MainWindow) -> ValidationPage:
    assert window.context is not None
    add_judged(window.context.database)
    window.go("validation")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, ValidationPage)
    return made


def agree(*_: object) -> bool:
    return True


def enabled(window: MainWindow) -> set[str]:
    names = ("lock", "packets", "return", "close", "unblind")
    return {name for name in names if window.commands.action(f"validation.{name}").isEnabled()}


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_without_studies_the_page_offers_the_first_step(window: MainWindow, page: ValidationPage) -> None:
    assert "No studies yet" in words(page)
    assert enabled(window) == set()
    assert window.commands.action("validation.lock").toolTip() == "Choose a study first."


def test_a_study_is_designed_with_a_look_at_its_frame(window: MainWindow, page: ValidationPage, qtbot: QtBot) -> None:
    assert window.context is not None
    activate(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_N)
    dialog = page.findChild(StudyDialog)
    assert dialog is not None
    settle(window.job_runner)
    assert not dialog.create_button.isEnabled()
    assert "Give the study a name." in words(dialog)
    assert dialog._name.hasFocus()
    assert [cell.text() for cell in dialog._counts] == ["10", "10", "6", "6"]
    dialog._sizes[0].setValue(4)
    dialog._sizes[1].setValue(4)
    dialog._name.setText("Judge, July")
    settle(window.job_runner)
    assert "8 of 16 answers in the frame are drawn" in words(dialog)
    dialog.create_button.click()
    settle(window.job_runner)
    (study,) = StudyStore(window.context.database).all()
    assert (study.name, study.state, [s.size for s in study.design.strata]) == ("Judge, July", StudyState.DRAFT, [4, 4])
    assert enabled(window) == {"lock"}


def test_the_whole_life_of_a_study(
    window: MainWindow, page: ValidationPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert window.context is not None
    store = StudyStore(window.context.database)
    monkeypatch.setattr(validation_page, "confirm", agree)
    study_id = add_locked_study(window.context.database)
    page.activate()
    settle(window.job_runner)
    assert enabled(window) == {"packets"}
    assert store.get(study_id).manifest_sha256[:16] in words(page)
    page._study._copy.click()
    assert window.job_bar.message.text() == "Copied: SHA-256 of the manifest"

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    window.commands.action("validation.packets").trigger()
    settle(window.job_runner)
    (packet,) = tmp_path.glob("*.btcp")
    assert "judge" not in packet.name
    assert enabled(window) == {"return", "close"}
    assert window.commands.action("validation.packets").toolTip() == "Every annotator has a packet."

    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, "incorrect")
    page.return_packets([packet])
    settle(window.job_runner)
    assert "8 of 8 back" in [label.text() for label in page._study.findChildren(QLabel)]

    window.commands.action("validation.close").trigger()
    settle(window.job_runner)
    assert enabled(window) == {"return", "unblind"}
    window.commands.action("validation.unblind").trigger()
    settle(window.job_runner, 60)
    assert enabled(window) == set()
    assert page._study._report.matrix is not None
    assert page._study._report.matrix.counts == ((0, 4), (0, 4))
    assert "of the stratified sample" in words(page)


def test_closing_without_all_labels_asks_for_the_reason(
    window: MainWindow, page: ValidationPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database)
    page.activate()
    settle(window.job_runner)
    assert page._current is not None
    page.write_packets(page._current, tmp_path)
    settle(window.job_runner)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("", True))
    window.commands.action("validation.close").trigger()
    settle(window.job_runner)
    assert StudyStore(database).get(study_id).state is StudyState.LABELLING
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: ("The annotator left.", True))
    window.commands.action("validation.close").trigger()
    settle(window.job_runner)
    assert StudyStore(database).get(study_id).state is StudyState.CLOSED


def test_a_foreign_packet_is_refused_with_its_reason(
    window: MainWindow, page: ValidationPage, tmp_path: Path, qtbot: QtBot
) -> None:
    assert window.context is not None
    add_locked_study(window.context.database)
    page.activate()
    settle(window.job_runner)
    foreign = tmp_path / "x.btcp"
    foreign.write_text("no packet")
    with qtbot.waitSignal(window.shell.failed) as failed:
        page.return_packets([foreign])
    assert "not a btc_gui packet" in str(failed.args[0])
    for dialog in window.findChildren(QWidget, ""):
        if dialog.isWindow() and dialog is not window:
            dialog.close()


def test_the_table_behaves_as_a_model(window: MainWindow, page: ValidationPage) -> None:
    assert window.context is not None
    add_locked_study(window.context.database)
    page.activate()
    settle(window.job_runner)
    QAbstractItemModelTester(page._table, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert page._table.rowCount() == 1


def test_labelling_runs_in_a_process_of_its_own() -> None:
    assert own_command("packet", "p.btcp")[-4:] == ["-m", "btc_gui", "packet", "p.btcp"]
