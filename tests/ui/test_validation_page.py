"""A study through the window: from its design to its report, with nothing offered that its state forbids."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.packet import Mode
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study import StudyState
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.studies import StudyStore
from btc_gui.ui import study_steps
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages.validation_page import ValidationPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.processes import own_command
from btc_gui.ui.study_allowed import STEPS
from btc_gui.ui.widgets.adjudicate_dialog import AdjudicateDialog
from btc_gui.ui.widgets.audit_dialog import AuditDialog
from btc_gui.ui.widgets.extend_dialog import ExtendDialog
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.return_dialog import ReturnDialog
from btc_gui.ui.widgets.study_dialog import StudyDialog
from btc_gui.ui.widgets.text_table import TextTable
from tests.study_builders import RATIONALE, add_judged, add_locked_study, issue, make_design
from tests.ui.conftest import activate


@pytest.fixture
def first_page() -> str:
    return "validation"


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
    always = ("audit", "extend")
    return {name for name in STEPS if name not in always and window.commands.action(f"validation.{name}").isEnabled()}


def label_all(packet: Path, value: str) -> None:
    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, value)


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def test_without_studies_the_page_offers_the_first_step(window: MainWindow, page: ValidationPage) -> None:
    assert "No studies yet" in words(page)
    assert enabled(window) == set()
    assert window.commands.action("validation.lock").toolTip() == "Choose a study first."


def test_a_study_is_designed_with_a_look_at_its_frame(
    window: MainWindow, page: ValidationPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.context is not None
    activate(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_N)
    dialog = page.findChild(StudyDialog)
    assert dialog is not None
    settle(window.job_runner)
    assert dialog._name.hasFocus()
    dialog._name.clear()
    assert not dialog.create_button.isEnabled()
    assert "Give the study a name." in words(dialog)
    dialog._name.setText("Judge, July")
    settle(window.job_runner)
    assert "16 of 16 answers in the frame are drawn" in words(dialog)
    for name in ("accepted, names the entity", "rejected"):
        dialog.strata.wanted[name].setValue(4)
    settle(window.job_runner)
    assert "8 of 16 answers in the frame are drawn" in words(dialog)
    dialog.create_button.click()
    settle(window.job_runner)
    (study,) = StudyStore(window.context.database).all()
    assert (study.name, study.state) == ("Judge, July", StudyState.DRAFT)
    assert [stratum.size for stratum in study.design.strata] == [4, 15, 4]
    assert enabled(window) == {"lock", "discard"}

    monkeypatch.setattr(study_steps, "confirm", agree)
    window.commands.action("validation.discard").trigger()
    settle(window.job_runner)
    assert StudyStore(window.context.database).all() == []
    assert "No studies yet" in words(page)


def test_the_whole_life_of_a_study(
    window: MainWindow, page: ValidationPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert window.context is not None
    store = StudyStore(window.context.database)
    monkeypatch.setattr(study_steps, "confirm", agree)
    study_id = add_locked_study(window.context.database)
    page.activate()
    settle(window.job_runner)
    assert enabled(window) == {"packets"}
    assert store.get(study_id).manifest_sha256[:16] in words(page)
    page.study._copy.click()
    assert window.job_bar.message.text() == "Copied: SHA-256 of the manifest"

    monkeypatch.setattr(study_steps, "ask_folder", lambda *_: tmp_path)
    window.commands.action("validation.packets").trigger()
    settle(window.job_runner)
    (packet,) = tmp_path.glob("*.btcp")
    assert "judge" not in packet.name
    assert enabled(window) == {"return", "close"}
    assert window.commands.action("validation.packets").toolTip() == "Every annotator has a packet."

    label_all(packet, "incorrect")
    assert page.study.packets.rows[0][2] == packet.name
    page.steps.return_packets([packet])
    settle(window.job_runner)
    dialog = page.findChild(ReturnDialog)
    assert dialog is not None
    assert dialog.table.texts == [(packet.name, "Test study", "PK", "blind", "8", "8", "0", "8", "0", "0")]
    dialog.accept()
    assert page.study._next.text() == "Every label is back. Next: close the labelling."
    assert page.study.packets.rows[0][:8] == ("PK (primary)", "blind", packet.name, "8", "8", "0", "0", "0")

    window.commands.action("validation.close").trigger()
    settle(window.job_runner)
    assert enabled(window) == {"unblind"}
    assert window.commands.action("validation.return").toolTip() == "Every packet has come back whole."
    window.commands.action("validation.unblind").trigger()
    settle(window.job_runner, 60)
    assert enabled(window) == {"export", "amend"}
    report = page.study.report
    assert report.matrix is not None
    assert report.matrix.counts == ((0, 4), (0, 4))
    assert "of the stratified sample" in words(page)

    page.steps.amend("Two items were labelled on paper.")
    settle(window.job_runner)
    assert store.get(study_id).state is StudyState.AMENDED
    window.commands.action("validation.export").trigger()
    settle(window.job_runner, 120)
    # A report is many files: they are in a folder of their own.
    assert list(tmp_path.glob("*/matrix_*.csv"))
    assert not list(tmp_path.glob("matrix_*.csv"))
    told = [row[3] for row in page.study.log.rows]
    assert told[2:6] == [
        f"issue a packet: PK blind 8 items ({packet.name})",
        "take a packet back: 8 items labelled, 8 new rows",
        "close: 8 labels",
        "unblind",
    ]
    assert told[6] == "note a deviation: Two items were labelled on paper."
    assert told[7].startswith("export the report: report ")
    assert page.study.log.verdict.text() == "✓ The chain holds: 8 lines, each sealed with those before it."

    plot = report.plot
    assert plot is not None
    plot.cell_opened.emit("correct", "incorrect")
    settle(window.job_runner)
    cases = window.current_page
    assert isinstance(cases, CasesPage)
    assert len(cases._table.ids) == 4
    assert RATIONALE in words(cases)
    assert "blind, in “Test study”; analysed" in words(cases)


def test_a_row_of_a_section_opens_its_case_and_all_of_them(
    window: MainWindow, page: ValidationPage, tmp_path: Path
) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database)
    packet = issue(database, study_id, tmp_path)
    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, "unsure", reason="It says both.")
    return_packet(database, packet, "tests", Progress())
    close_study(database, study_id, "tests")
    unblind_study(database, study_id, "tests")
    page.activate()
    settle(window.job_runner, 60)
    report = page.study.report
    assert "undefined" in words(report) or "no labels" in words(report)
    fold = report.fold("unsure")
    assert fold is not None
    assert not fold.is_open
    fold.head.click()
    (table,) = fold.findChildren(TextTable)
    assert len(table.texts) == 8
    assert "It says both." in table.texts[0]
    table.opened.emit(3)
    settle(window.job_runner)
    assert isinstance(window.current_page, CasesPage)
    assert len(window.current_page._table.ids) == 1


def test_a_draft_tells_the_intervals_that_it_would_give(window: MainWindow, page: ValidationPage) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = StudyStore(database).create("Planned", make_design(), "tests")
    page.show_item(study_id)
    page.activate()
    settle(window.job_runner)
    told = words(page)
    assert "If as many labels differ as assumed" in told
    preview = page._session.preview(make_design())
    assert all(figure.estimate.text in told for figure in preview.plan.figures)


def test_a_sample_is_extended_along_the_same_draw(window: MainWindow, page: ValidationPage) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database, make_design(3, 2))
    page.show_item(study_id)
    page.activate()
    settle(window.job_runner)
    assert "If as many labels differ" not in words(page)
    window.commands.action("validation.extend").trigger()
    (dialog,) = page.findChildren(ExtendDialog)
    assert (dialog.name, dialog.do_button.isEnabled()) == ("Test study, larger", False)
    dialog.boxes["accepted"].setValue(1)  # Never fewer than there are.
    assert dialog.sizes["accepted"] == 3
    dialog.boxes["accepted"].setValue(5)
    assert dialog.said.text() == "2 items more."
    dialog.field.setText("Test study")
    assert not dialog.do_button.isEnabled()
    dialog.field.setText("More")
    dialog.do_button.click()
    settle(window.job_runner)
    made = StudyStore(database).find("More")
    assert (made.design.extends, [s.size for s in made.design.strata]) == ("Test study", [5, 2])
    assert "More" in words(page)
    assert "A draft is not extended" in window.commands.action("validation.extend").toolTip()


def test_exposures_are_listed_and_a_broken_chain_is_told(window: MainWindow, page: ValidationPage) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database)
    drawn = StudyStore(database).items(study_id)[0].answer_id
    page.activate()
    settle(window.job_runner)
    assert not page.study._tabs.isTabVisible(page.study._exposure_place)
    CaseStore(database).record_exposure(drawn, "pk")
    with database.write() as connection:
        connection.execute("UPDATE study_log SET actor = 'somebody' WHERE number = 1")
    page.activate()
    settle(window.job_runner)
    assert page.study._tabs.tabText(page.study._exposure_place) == "1 exposure"
    assert "1 of them by its annotators" in page.study.exposures._words.text()
    assert page.study.exposures._table.texts[0][1:] == ("pk", "annotator", f"btc:{drawn}")
    assert page.study.log.rows[-1][3] == f"open a case: btc:{drawn}"
    assert page.study.log.verdict.text() == "✗ line 1 was changed"
    assert "line 1 was changed" in page.study._next.text()


def test_closing_without_all_labels_asks_for_the_reason(
    window: MainWindow, page: ValidationPage, tmp_path: Path
) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database)
    page.activate()
    settle(window.job_runner)
    page.steps.write_packets(tmp_path)
    settle(window.job_runner)
    window.commands.action("validation.close").trigger()
    dialog = page.findChild(NoteDialog)
    assert dialog is not None
    assert "PK: 8" in words(dialog)
    assert not dialog.do_button.isEnabled()
    dialog.editor.setPlainText("The annotator left.")
    dialog.do_button.click()
    settle(window.job_runner)
    assert StudyStore(database).get(study_id).state is StudyState.CLOSED
    assert page.study.log.rows[-1][3] == "close: 0 labels 8 missing: The annotator left."


def test_a_foreign_packet_is_refused_with_its_reason_and_stops_no_other(
    window: MainWindow, page: ValidationPage, tmp_path: Path
) -> None:
    assert window.context is not None
    study_id = add_locked_study(window.context.database)
    packet = issue(window.context.database, study_id, tmp_path)
    page.activate()
    settle(window.job_runner)
    foreign = tmp_path / "x.btcp"
    foreign.write_text("no packet")
    page.steps.return_packets([foreign, packet])
    settle(window.job_runner)
    dialog = page.findChild(ReturnDialog)
    assert dialog is not None
    assert "1 packet taken back, 1 refused" in words(dialog)
    assert "x.btcp was refused." in dialog.notes.text()
    assert "not a btc_gui packet" in dialog.notes.text()
    dialog.accept()


def test_differences_are_decided_by_somebody_between_closing_and_unblinding(
    window: MainWindow, page: ValidationPage, tmp_path: Path
) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database, make_design(annotators=("PK", "DG")))
    for annotator, value in (("PK", "correct"), ("DG", "incorrect")):
        packet = issue(database, study_id, tmp_path, annotator)
        label_all(packet, value)
        return_packet(database, packet, "tests", Progress())
    close_study(database, study_id, "tests")
    page.activate()
    settle(window.job_runner)
    assert enabled(window) == {"adjudicate", "unblind"}
    window.commands.action("validation.adjudicate").trigger()
    dialog = page.findChild(AdjudicateDialog)
    assert dialog is not None
    assert "8 items to decide" in words(dialog)
    assert not dialog.write_button.isEnabled()
    dialog.field.setText("pk")
    assert "somebody else decides more freely" in words(dialog)
    dialog.reject()
    page.steps.write_adjudication("MM", tmp_path)
    settle(window.job_runner)
    assert enabled(window) == {"return", "unblind"}
    assert page.study.packets.rows[2][:2] == ("MM", "adjudication")
    assert page.study.packets.rows[2][3:6] == ("8", "0", "8")
    decided = tmp_path / page.study.packets.rows[2][2]
    label_all(decided, "correct")
    page.steps.return_packets([decided])
    settle(window.job_runner)
    assert page.study.packets.rows[2][3:6] == ("8", "8", "0")
    assert page.study._next.text() == "The decisions are back. Next: unblind the study."
    assert enabled(window) == {"unblind"}
    assert page.study.log.rows[-2][3] == f"issue an adjudication packet: MM adjudication 8 items ({decided.name})"


def test_second_packets_are_written_once_the_blind_labels_are_back(
    window: MainWindow, page: ValidationPage, tmp_path: Path
) -> None:
    assert window.context is not None
    database = window.context.database
    with database.write() as connection:
        ids = [row["id"] for row in connection.execute("SELECT id FROM answer")]
        connection.execute("UPDATE answer SET queries = 2")
    for answer_id in ids:
        ClassificationStore(database).add(NewClassification(answer_id, "Sorter", None, FailureMode.INDIRECT))
    strata = study_kind("failure_mode").strata(8)
    design = make_design(kind="failure_mode", mode=Mode.BLIND_THEN_REVEALED, strata=strata, accept_shortfall=True)
    study_id = add_locked_study(database, design)
    packet = issue(database, study_id, tmp_path)
    page.activate()
    settle(window.job_runner)
    assert enabled(window) == {"return", "close"}
    with LabellingSession(packet) as session:
        assert session.current is not None
        session.label(session.current.item, "unsure", reason="Why not.")
    return_packet(database, packet, "tests", Progress())
    page.activate()
    settle(window.job_runner)
    assert enabled(window) == {"reveal", "return", "close"}
    window.commands.action("validation.reveal").trigger()
    dialog = page.findChild(NoteDialog)
    assert dialog is not None
    assert "Blind labels that did not come back: PK:" in words(dialog)
    dialog.reject()
    assert page.study._next.text() == "Next: send the packets out, take them back labelled, then close the labelling."
    # Both packets belong to the study; closing now would ask why they never come back.
    sent = int(page.study.packets.rows[0][3])
    assert page.steps._reading is not None
    assert page.steps._reading.missing == {"PK": sent - 1, "PK, second packet": sent}
    page.steps.write_revealed(tmp_path, "The annotator left.")
    settle(window.job_runner)
    assert enabled(window) == {"return", "close"}
    assert page.study.packets.rows[1][:2] == ("PK", "revealed")
    assert page.study.packets.rows[1][3] == "1"
    assert page.steps._reading.missing == {"PK": sent - 1, "PK, second packet": 1}


def test_packets_are_searched_for_leaks(window: MainWindow, page: ValidationPage, tmp_path: Path) -> None:
    assert window.context is not None
    database = window.context.database
    study_id = add_locked_study(database)
    page.activate()
    settle(window.job_runner)
    assert window.commands.action("validation.audit").toolTip() == "There is no packet to search yet."
    packet = issue(database, study_id, tmp_path)
    page.activate()
    settle(window.job_runner)
    assert window.commands.action("validation.audit").isEnabled()
    (tmp_path / f"{packet.stem}.txt").write_text("Umpire-77 said so")
    page.steps.audit([packet])
    settle(window.job_runner)
    dialog = page.findChild(AuditDialog)
    assert dialog is not None
    assert dialog.head.text().startswith("✗")
    planted = [row for row in dialog.leaks.texts if row[0] == "files beside the packet"]
    assert [row[1] for row in planted] == ["judge or classifier"]
    assert "packet pages" in [row[0] for row in dialog.channels.texts]
    dialog.accept()


def test_the_table_behaves_as_a_model(window: MainWindow, page: ValidationPage) -> None:
    assert window.context is not None
    add_locked_study(window.context.database)
    page.activate()
    settle(window.job_runner)
    QAbstractItemModelTester(page._table, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert page._table.rowCount() == 1


def test_labelling_runs_in_a_process_of_its_own() -> None:
    assert own_command("packet", "p.btcp")[-4:] == ["-m", "btc_gui", "packet", "p.btcp"]
