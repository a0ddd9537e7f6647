"""The judges of a project in the window: listed, one chosen, two compared, and a cell's cases opened."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QRadioButton, QWidget

from btc_gui.domain.verdict import Label
from btc_gui.store.judges import JudgeStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.judges_dialog import JudgesDialog, prompt_words
from tests.case_builders import add_answers, make_trajectory
from tests.study_builders import put_in_open_study

YES, NO = Label.CORRECT, Label.INCORRECT


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


@pytest.fixture
def dialog(window: MainWindow) -> JudgesDialog:
    """Two judges on four answers: they differ on the second, and mild did not see the last."""
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    _, ids = add_answers(database, store.get(store.ids()[0]), [make_trajectory(f"Answer {n}.") for n in range(4)])
    for name, labels in (("strict", (NO, NO, YES, YES)), ("mild", (NO, YES, YES))):
        for answer_id, label in zip(ids, labels, strict=False):
            VerdictStore(database).add(NewVerdict(answer_id, name, None, label))
    window.commands.action("view.judges").trigger()
    settle(window.job_runner)
    found = window.findChild(JudgesDialog)
    assert found is not None
    return found


def test_judges_are_listed_and_one_is_chosen(window: MainWindow, dialog: JudgesDialog) -> None:
    assert window.context is not None
    store = JudgeStore(window.context.database)
    choices = {each.text(): each for each in dialog.findChildren(QRadioButton) if not each.isHidden()}
    assert set(choices) == {"The newest verdict on each answer, whoever gave it", "strict", "mild"}
    assert choices["The newest verdict on each answer, whoever gave it"].isChecked()
    choices["strict"].click()
    settle(window.job_runner)
    assert store.primary == "strict"
    assert {each.judge: each.counting for each in store.counts()} == {"mild": 0, "strict": 4}
    assert "only strict's verdicts count" in window.job_bar.message.text()
    dialog._newest.click()
    settle(window.job_runner)
    assert store.primary == ""


def test_two_judges_are_compared_and_a_cell_opens_its_cases(window: MainWindow, dialog: JudgesDialog) -> None:
    assert "Judge against judge on 3 answers: neither is the truth" in words(dialog)
    assert "Cohen's kappa" in words(dialog)
    dialog._left.setCurrentIndex(dialog._left.findData("strict"))
    dialog._right.setCurrentIndex(dialog._right.findData("mild"))
    settle(window.job_runner)
    dialog.plot.cell_opened.emit("incorrect", "correct")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    assert page._counts.text() == "1 case found"
    assert "strict incorrect, mild correct" in page._only.text()
    dialog._right.setCurrentIndex(dialog._right.findData("strict"))
    settle(window.job_runner)
    assert "Choose two different judges." in words(dialog)


def test_a_cell_does_not_tell_what_was_said_of_a_case_that_people_label(
    window: MainWindow, dialog: JudgesDialog
) -> None:
    assert window.context is not None
    comparison = dialog._comparison
    assert comparison is not None
    (differing,) = [row.answer_id for row in comparison.groups["all"] if row.left is not row.right]
    put_in_open_study(window.context.database, [differing])
    dialog._compare()
    settle(window.job_runner)
    before = window.current_page
    both = (("incorrect", "correct"), ("correct", "incorrect"))
    for cell in both:
        dialog.plot.cell_opened.emit(*cell)
        settle(window.job_runner)
    assert window.current_page is before
    dialog.plot.cell_opened.emit("incorrect", "incorrect")
    settle(window.job_runner)
    assert isinstance(window.current_page, CasesPage)


def test_a_prompt_is_shown_in_its_parts() -> None:
    assert prompt_words('["You label.", "The answer: $answer"]') == "You label.\n\n——————\n\nThe answer: $answer"
    assert prompt_words("no list") == "no list"
