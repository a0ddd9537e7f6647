"""The dialog that designs a study: presets first, the rest folded away, the planned intervals always current."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel

from btc_gui.domain.packet import Mode
from btc_gui.domain.study import StudyDesign
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.studies import StudyStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.study_dialog import StudyDialog
from tests.study_builders import add_judged


@pytest.fixture
def dialog(window: MainWindow) -> StudyDialog:
    context = window.context
    assert context is not None
    add_judged(context.database)
    made = StudyDialog(context, ValidatingSession(context.database, context.categories), window)
    made.open()
    settle(window.job_runner)
    return made


def words(dialog: StudyDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def choose(window: MainWindow, dialog: StudyDialog, title: str) -> None:
    next(choice for choice, _, _ in dialog._presets if choice.text() == title).setChecked(True)
    settle(window.job_runner)


def created(window: MainWindow, dialog: StudyDialog) -> StudyDesign:
    assert window.context is not None
    dialog.create_button.click()
    settle(window.job_runner)
    assert dialog.study_id is not None
    return StudyStore(window.context.database).get(dialog.study_id).design


def test_a_beginner_only_presses_create(window: MainWindow, dialog: StudyDialog) -> None:
    """85, 15 and 100 indirect answers, blind, with repeats and practice, one annotator; nothing has to be filled in."""
    assert not dialog.options.isVisible()
    assert "4 repeats, 10 practice items, a break after 45 min" in words(dialog)
    design = created(window, dialog)
    assert [stratum.size for stratum in design.strata] == [85, 15, 100]
    assert (design.mode, design.frame.probe_kinds, design.annotators) == (Mode.BLIND, ("indirect",), ("mara",))
    assert (design.repeats, design.practice, design.accept_shortfall) == (4, 10, True)


def test_planned_intervals_follow_what_is_assumed(window: MainWindow, dialog: StudyDialog) -> None:
    """6 rejected answers: with one error 5/6 [0.359, 0.996], without one 6/6 [0.541, 1]."""
    assert "0.833 [0.359, 0.996]" in words(dialog)
    dialog.strata.assumed["rejected"].setValue(0)
    settle(window.job_runner)
    assert "1.000 [0.541, 1.000]" in words(dialog)
    assert "0.833 [0.359, 0.996]" not in words(dialog)


def test_further_annotators_and_options_are_part_of_the_design(
    window: MainWindow, dialog: StudyDialog, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    out.write_text("key,reason\nnobody/1,x\n", encoding="utf-8")
    dialog._further.setText("DG, ET")
    dialog.more.setChecked(True)
    dialog.options._repeats.setValue(1)
    dialog.options._practice.setValue(0)
    dialog.options._confidence.setChecked(True)
    dialog.options._cap.setValue(5)
    dialog.options.leave_out(out)
    settle(window.job_runner)
    assert "1 key left out by hand fit no answer" in words(dialog)
    design = created(window, dialog)
    assert (design.annotators, design.overlap) == (("mara", "DG", "ET"), 0.3)
    assert (design.repeats, design.practice, design.ask_confidence, design.cap) == (1, 0, True, 5)
    assert [entry.key for entry in design.left_out] == ["nobody/1"]


def test_an_own_design_chooses_its_strata(window: MainWindow, dialog: StudyDialog) -> None:
    choose(window, dialog, "Own design")
    dialog._by.setCurrentIndex(dialog._by.findData("label model"))
    settle(window.job_runner)
    assert dialog.strata.names[0] == "correct, Quagga-9"
    assert len(created(window, dialog).strata) == 4


def test_what_can_not_be_drawn_says_why(window: MainWindow, dialog: StudyDialog) -> None:
    choose(window, dialog, "Failure modes")
    assert "No classifier has labelled anything yet" in words(dialog)
    assert not dialog.strata.isVisible()
    dialog.create_button.click()
    settle(window.job_runner)
    assert "Not created" in words(dialog)
    choose(window, dialog, "Judge, indirect probes")
    assert "16 of 16 answers in the frame are drawn" in words(dialog)


def test_scrolling_past_a_number_does_not_change_it(dialog: StudyDialog) -> None:
    """The wheel changes a sample's size only for somebody who is in its field."""
    box = dialog.strata.wanted["rejected"]
    middle = QPointF(box.rect().center())
    turn = QWheelEvent(
        middle,
        box.mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, turn)
    assert box.value() == 100
    assert not box.hasFocus()
