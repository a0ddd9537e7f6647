"""Cases: finding them, reading two side by side, jumping, notes, and cases of an open study."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.configuration import Effort
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.trajectory import AnswerId, Ending, StepKind
from btc_gui.domain.verdict import Label
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from btc_gui.ui import case_opening, latest_job
from btc_gui.ui.case_reading import CaseGate, CaseReading, read_case
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.marked_text import MarkedText
from tests.case_builders import add_answer, add_verdict, make_configuration, make_query, make_result, make_trajectory
from tests.study_builders import add_judged, add_locked_study
from tests.ui.conftest import activate


def add_case(database: Database, effort: Effort = Effort.HIGH, queries: int = 2, **more: object) -> AnswerId:
    """An answer to the first probe, with a result that tells of the change in its last query."""
    store = ProbeStore(database)
    probe = store.get(store.ids(ProbeQuery(contains="evening 1"))[0])
    told = make_result("She, Ada Lovely, died in May.", title="Report of May", published="2026-05-12")
    asked = [make_query(f"query {number}", make_result(), told) for number in range(1, queries + 1)]
    trajectory = make_trajectory("I suggest Ada Lovely & <b>others</b>.", asked, **more)  # type: ignore[arg-type]
    return add_answer(database, probe, trajectory, make_configuration(effort=effort))


def classify(database: Database, answer_id: AnswerId, mode: FailureMode) -> None:
    steps = AnswerStore(database).trajectory(answer_id).queries
    labels = {step.id: QueryClass.EXPLICIT for step in steps if step.id is not None}
    add_verdict(database, answer_id, Label.INCORRECT)
    ClassificationStore(database).add(NewClassification(answer_id, "classifier", None, mode, queries=labels))


@pytest.fixture
def first_page() -> str:
    return "cases"


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> CasesPage:
    assert window.context is not None
    database = window.context.database
    high, low = add_case(database), add_case(database, Effort.LOW, 1)
    classify(database, high, FailureMode.EXPLICIT)
    add_verdict(database, low, Label.CORRECT)
    window.go("cases")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, CasesPage)
    activate(window, qtbot)
    made.take_focus()
    return made


def words(widget: QWidget) -> str:
    labels = [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]
    return "\n".join(labels + [text.toPlainText() for text in widget.findChildren(MarkedText) if text.isVisible()])


def test_the_table_behaves_as_a_model(page: CasesPage) -> None:
    QAbstractItemModelTester(page._table, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert page._table.rowCount() == 2


def test_a_case_is_read_with_everything_about_it(page: CasesPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "I suggest Ada Lovely & <b>others</b>." in words(page._reader))
    text = words(page._reader)
    assert "Ada Lovely died on 9 May 2026." in text
    assert "query 1" in text
    assert page._counts.text() == "2 cases"


def test_keys_move_through_the_cases_and_compare(
    window: MainWindow, page: CasesPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = threading.Event()

    def read_when_told(*args: object, **options: object) -> CaseReading | CaseGate:
        assert may_read.wait(60)
        return read_case(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(latest_job, "PATIENCE_SECONDS", 0.0)
    first = page._view.current_id
    QTest.keyClick(page._view, Qt.Key.Key_J)
    settle(window.job_runner)
    assert page._view.current_id != first
    monkeypatch.setattr(case_opening, "read_case", read_when_told)
    page._opening.forget()
    QTest.keyClick(page._view, Qt.Key.Key_K)
    QTest.keyClick(page._view, Qt.Key.Key_C)  # The case before is still shown: nothing happens.
    may_read.set()
    settle(window.job_runner)
    assert "First difference" not in words(page._reader)
    QTest.keyClick(page._view, Qt.Key.Key_C)
    settle(window.job_runner)
    assert page._view.current_id == first
    assert page._reader.other_ids
    qtbot.waitUntil(lambda: "First difference" in words(page._reader))


def test_what_a_click_chose_to_compare_with_leaves_keys_to_be_keys(
    window: MainWindow, page: CasesPage, qtbot: QtBot
) -> None:
    """Else Qt would hand the focus on to a field, and the next letters would be typed there."""
    more = page._reader.findChild(QToolButton, "compare-choose")
    offered = [each for each in page._reader.findChildren(QPushButton) if each.isVisible()]
    preset = next(each for each in offered if each.objectName().startswith("compare-"))
    assert more is not None
    name = preset.objectName()
    QTest.keyClick(page._view, Qt.Key.Key_T)  # The timeline is not what this is about.
    preset.setFocus()
    preset.click()
    settle(window.job_runner)
    assert page._reader.other_ids
    qtbot.waitUntil(lambda: getattr(QApplication.focusWidget(), "objectName", str)() == name)
    assert "First difference" in words(page._reader)


def test_after_a_note_keys_are_for_reading_again(window: MainWindow, page: CasesPage) -> None:
    for last in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        QTest.keyClick(page._view, Qt.Key.Key_N)
        QTest.keyClicks(page._reader.notes.field, "shown and not taken up")
        QTest.keyClick(page._reader.notes.field, last)
        settle(window.job_runner)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert page._reader.compare.isAncestorOf(focused)
        QTest.keyClick(focused, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
        assert page._reader.notes.tags.field.hasFocus()
        page.take_focus()


def test_jump_keys_go_to_queries_mentions_and_the_answer(window: MainWindow, page: CasesPage) -> None:
    view, reader = page._view, page._reader
    QTest.keyClick(view, Qt.Key.Key_Q)
    card = reader._current_card()
    assert card is not None
    assert card.view.step.text == "query 1"
    # From here on keys act on the step that has the focus.
    QTest.keyClick(card, Qt.Key.Key_O)
    assert card.results_button is not None
    assert card.results_button.isChecked()
    QTest.keyClick(card, Qt.Key.Key_X)
    assert card.is_folded
    QTest.keyClick(card, Qt.Key.Key_S)
    below = reader._current_card()
    assert below is not None
    assert below.view.step.number == card.view.step.number + 1
    QTest.keyClick(below, Qt.Key.Key_S, Qt.KeyboardModifier.ShiftModifier)
    assert reader._current_card() is card
    QTest.keyClick(card, Qt.Key.Key_Y)
    assert QGuiApplication.clipboard().text() == f"btc:{page._view.current_id}#{card.view.step.number}"
    QTest.keyClick(card, Qt.Key.Key_A)
    answer = reader._current_card()
    assert answer is not None
    assert answer.view.step.kind is StepKind.ANSWER
    QTest.keyClick(answer, Qt.Key.Key_E)
    QTest.keyClick(answer, Qt.Key.Key_D)
    assert "no difference" in window.job_bar.message.text()
    QTest.keyClick(answer, Qt.Key.Key_W)
    assert "one answer only" in window.job_bar.message.text()


def test_answers_are_compared_word_by_word_and_shown_as_written(window: MainWindow, page: CasesPage) -> None:
    reader = page._reader
    QTest.keyClick(page._view, Qt.Key.Key_C)
    settle(window.job_runner)
    QTest.keyClick(page._view, Qt.Key.Key_W)
    settle(window.job_runner)
    assert reader.diff.isVisible()
    assert "The answers are the same, letter by letter." in words(reader)
    QTest.keyClick(page._view, Qt.Key.Key_W)
    assert reader.compare.isVisible()
    QTest.keyClick(page._view, Qt.Key.Key_P)
    assert reader.compare.is_plain
    assert "I suggest Ada Lovely & <b>others</b>." in words(reader)


def test_keys_go_from_failure_to_failure(window: MainWindow, page: CasesPage) -> None:
    assert window.context is not None
    wrong = set(CaseStore(window.context.database).ids(CaseQuery(labels=("incorrect",))))
    for _ in range(2):
        QTest.keyClick(page._view, Qt.Key.Key_I, Qt.KeyboardModifier.ShiftModifier)
        settle(window.job_runner)
        QTest.keyClick(page._view, Qt.Key.Key_I)
        settle(window.job_runner)
    assert page._view.current_id in wrong
    assert "failed answer in this list" in window.job_bar.message.text()


def test_a_case_opens_at_a_step(window: MainWindow, page: CasesPage) -> None:
    assert page._view.current_id is not None
    page._opening.open(page._view.current_id, step_number=4)
    settle(window.job_runner)
    assert page._reader.compare.current == (0, 4)
    page._opening.open(page._view.current_id, step_number=99)
    settle(window.job_runner)
    assert "no step 99" in window.job_bar.message.text()


def test_every_verdict_of_an_answer_can_be_seen(window: MainWindow, page: CasesPage) -> None:
    """Who gave it, which counts and why; a new one shows without leaving the case."""
    assert window.context is not None
    database = window.context.database
    answer_id = CaseStore(database).ids(CaseQuery(labels=("incorrect",)))[0]
    page.show_item(answer_id)
    settle(window.job_runner)
    assert "counts: the newest" not in words(page._reader)
    QTest.keyClick(page._view, Qt.Key.Key_V)
    settle(window.job_runner)
    assert "incorrect · test judge" in words(page._reader)
    assert "Explicit · classifier" in words(page._reader)
    VerdictStore(database).add(NewVerdict(answer_id, "second judge", None, Label.CORRECT, rationale="It fits."))
    page.activate()
    settle(window.job_runner)
    text = words(page._reader)
    assert "correct · second judge" in text
    assert "does not count: another judge's is newer" in text
    assert "It fits." in text
    QTest.keyClick(page._view, Qt.Key.Key_V)
    settle(window.job_runner)
    assert "It fits." not in words(page._reader)


def test_facets_and_words_narrow_the_list(window: MainWindow, page: CasesPage) -> None:
    """The list is the cases that fit. One that does not is followed by another, without a blank between them."""
    efforts = page._filters.facets["efforts"]
    before = page._opening.current
    other = next(each for each in page._table.ids if each != before)
    effort = page._fetch([other])[other].configuration.effort.text
    shown: list[int] = []
    page._reader._stack.currentChanged.connect(shown.append)
    menu = efforts.menu()
    next(action for action in menu.actions() if action.data() == effort).trigger()
    settle(window.job_runner)
    assert page._table.ids == [other]
    assert page._opening.current == other
    assert shown == []
    assert page._reader.case_id == other
    # What is offered has the present counts when the menu is opened, and “Show all” takes everything back.
    menu.aboutToShow.emit()
    offered = {each.text(): each.isChecked() for each in menu.actions() if each.isCheckable()}
    assert offered == {"High\t1": effort == "high", "Low\t1": effort == "low"}
    menu.actions()[-1].trigger()
    settle(window.job_runner)
    assert len(page._table.ids) == 2
    assert efforts.text() == "Effort"
    page._filters.words.setText("nothing has these words")
    QTest.keyClick(page._filters.words, Qt.Key.Key_Return)
    settle(window.job_runner)
    assert page._table.rowCount() == 0
    assert "No case fits" in words(page._reader)
    assert shown == [0]
    assert page._counts.text() == "0 cases found"


def test_some_cases_are_shown_until_all_are_asked_for(window: MainWindow, page: CasesPage) -> None:
    one = page._table.ids[1]
    window.go("cases", CaseSet("judge correct, human <b>incorrect</b>", (one,)))
    settle(window.job_runner)
    assert page._table.ids == [one]
    assert page._only.isVisible()
    page._only.click()
    settle(window.job_runner)
    assert page._table.rowCount() == 2


def test_another_page_can_open_a_query_or_a_case(window: MainWindow, page: CasesPage) -> None:
    wanted = page._table.ids[1]
    window.go("cases", CaseQuery(labels=("incorrect",)))
    settle(window.job_runner)
    assert page._table.rowCount() == 1
    window.go("cases", wanted)
    settle(window.job_runner)
    assert page._view.current_id == wanted


def test_a_note_is_added_with_its_author_and_can_be_withdrawn(window: MainWindow, page: CasesPage) -> None:
    assert window.context is not None
    QTest.keyClick(page._view, Qt.Key.Key_N)
    QTest.keyClicks(page._reader.notes.field, "jumps to <i>conclusions</i>")
    QTest.keyClick(page._reader.notes.field, Qt.Key.Key_Return)
    settle(window.job_runner)
    text = words(page._reader)
    assert "jumps to <i>conclusions</i>" in text
    assert "mara" in text
    withdraw = next(b for b in page._reader.findChildren(type(page._only)) if b.text() == "Withdraw")
    withdraw.click()
    settle(window.job_runner)
    assert page._view.current_id is not None
    assert CaseNoteStore(window.context.database).of(page._view.current_id) == []


def test_a_note_that_is_being_typed_waits_for_its_case(window: MainWindow, page: CasesPage) -> None:
    QTest.keyClicks(page._reader.notes.field, "half a th")
    window.commands.action("cases.next").trigger()
    settle(window.job_runner)
    assert page._reader.notes.field.text() == ""
    window.commands.action("cases.previous").trigger()
    settle(window.job_runner)
    assert page._reader.notes.field.text() == "half a th"


def test_letters_in_the_search_field_are_no_commands(window: MainWindow, page: CasesPage) -> None:
    first = page._view.current_id
    page.focus_filter()
    QTest.keyClicks(page._filters.words, "jqn")
    assert page._filters.words.text() == "jqn"
    assert page._view.current_id == first


def test_a_case_of_an_open_study_is_read_only_after_a_warning_and_that_is_noted(
    window: MainWindow, qtbot: QtBot
) -> None:
    assert window.context is not None
    database = window.context.database
    add_judged(database)
    study_id = add_locked_study(database)
    drawn = StudyStore(database).items(study_id)[0].answer_id
    window.go("cases", drawn)
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    assert "voice of somebody" not in words(page._reader)
    assert "“Test study”" in words(page._reader)
    assert StudyStore(database).exposures(study_id) == []
    # The list does not tell what the judge said of it either.
    row = page._table.record(page._table.row_of(drawn))
    assert row is not None
    assert row.is_blind
    assert "8 in an open study" in page._counts.text()
    page._reader._gate.button.setFocus()
    page._reader._gate.button.click()
    settle(window.job_runner)
    qtbot.waitUntil(lambda: "voice of somebody" in words(page._reader))
    # Letters are keys now; they are not typed into a note.
    focused = QApplication.focusWidget()
    assert focused is not None
    assert page._reader.compare.isAncestorOf(focused)
    assert [(e.answer_id, e.person) for e in StudyStore(database).exposures(study_id)] == [(drawn, "mara")]
    # Somebody else who sits down at the same window has agreed to nothing.
    window.go("settings")
    window.shell.change_settings(replace(window.context.settings, reviewer="noor"))
    window.go("cases")
    settle(window.job_runner)
    qtbot.waitUntil(page._reader._gate.isVisible)
    assert "voice of somebody" not in words(page._reader)
    assert [e.person for e in StudyStore(database).exposures(study_id)] == ["mara"]


def test_a_comparison_with_a_case_of_an_open_study_can_be_left_again(window: MainWindow, qtbot: QtBot) -> None:
    assert window.context is not None
    database = window.context.database
    add_judged(database)
    study_id = add_locked_study(database)
    blind = StudyStore(database).items(study_id)[0].answer_id
    answer = AnswerStore(database).get(blind)
    assert answer.probe_id is not None
    alike = replace(answer.configuration, model="Model Z")
    free = add_answer(database, ProbeStore(database).get(answer.probe_id), configuration=alike)
    window.go("cases", free)
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    preset = page._reader.findChild(QPushButton, "compare-models")
    assert preset is not None
    assert int(blind) in preset.property("ids")
    preset.click()
    settle(window.job_runner)
    qtbot.waitUntil(lambda: "What to compare with is part of an open study" in words(page._reader._gate))
    assert page._reader._gate.isVisible()
    page._reader._gate.back.click()
    settle(window.job_runner)
    qtbot.waitUntil(lambda: page._reader.case_id == free)
    assert not page._reader._gate.isVisible()
    assert [each for each in page._reader.findChildren(QPushButton) if each.isChecked()] == []
    assert StudyStore(database).exposures(study_id) == []


def test_without_answers_the_page_says_what_would_be_here(window: MainWindow) -> None:
    window.go("cases")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, CasesPage)
    assert "No cases yet" in words(page)


def test_an_answer_that_never_came_is_a_case_too(window: MainWindow) -> None:
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    probe = store.get(store.ids(ProbeQuery(contains="evening 1"))[0])
    failed = replace(make_trajectory("", ending=Ending.FAILED), ending_reason="no recorded answer")
    add_answer(database, probe, failed, make_configuration())
    window.go("cases")
    settle(window.job_runner)
    assert "1 case" in words(window)
    assert "no recorded answer" in words(window)


def test_the_timeline_and_the_list_can_be_put_away(window: MainWindow, page: CasesPage) -> None:
    assert page._reader._top.timeline is not None
    QTest.keyClick(page._view, Qt.Key.Key_T)
    assert not page._reader._top.timeline.isVisible()
    QTest.keyClick(page._view, Qt.Key.Key_L)
    assert not page._left.isVisible()
    window.commands.action("cases.free").trigger()
    assert page._reader.compare.is_free


def test_every_control_of_the_page_has_a_name(page: CasesPage) -> None:
    for each in page.findChildren(QWidget):
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible():
            named = each.accessibleName() or getattr(each, "text", str)()
            assert named, f"{each} in {each.parentWidget()}"


def test_a_list_that_is_read_again_does_not_undo_a_comparison_just_asked_for(
    window: MainWindow, page: CasesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = threading.Event()

    def read_when_told(*args: object, **options: object) -> CaseReading | CaseGate:
        assert may_read.wait(60)
        return read_case(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(latest_job, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(case_opening, "read_case", read_when_told)
    page.forget()
    page._opening.read_again()
    page._reader.compare_next()
    page._opening.read_again()
    may_read.set()
    settle(window.job_runner)
    assert page._reader.other_ids


def test_what_was_read_is_shown_again_at_once_until_something_is_written(
    window: MainWindow, page: CasesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Going back to a case or to the page reads nothing anew; what another window wrote is seen all the same."""
    read: list[object] = []

    def counting(*args: object, **options: object) -> CaseReading | CaseGate:
        read.append(args[2])
        return read_case(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(case_opening, "read_case", counting)
    first = page._view.current_id
    assert first is not None
    QTest.keyClick(page._view, Qt.Key.Key_J)
    settle(window.job_runner)
    assert len(read) == 1
    QTest.keyClick(page._view, Qt.Key.Key_K)
    assert page._reader.case_id == first
    window.go("settings")
    window.go("cases")
    settle(window.job_runner)
    assert len(read) == 1
    window.go("settings")
    with Database.open(page._context.database.path) as other:
        CaseNoteStore(other).add(first, "written in another window", "b")
    window.go("cases")
    settle(window.job_runner)
    assert len(read) == 2
    assert page._reader._reading is not None
    assert [note.note for note in page._reader._reading.remarks[0].notes] == ["written in another window"]


def test_conditions_from_elsewhere_are_seen_kept_and_taken_away_one_by_one(window: MainWindow, page: CasesPage) -> None:
    assert window.context is not None
    run_id = CaseStore(window.context.database).get(page._table.ids[0]).run_id
    window.go("cases", CaseQuery(run_id=run_id, harnesses=("shared",)))
    settle(window.job_runner)
    assert page._table.rowCount() == 1
    assert page._pins.isVisible()
    assert page._pins.buttons["run_id"].text().startswith("Only: run “Test run”")
    assert page._filters.facets["harnesses"].values == ("shared",)
    page._filters.facets["endings"].choose(["answered"])
    page._filters._take_facets()
    settle(window.job_runner)
    assert page._table.rowCount() == 1
    page._pins.buttons["run_id"].click()
    settle(window.job_runner)
    assert page._table.rowCount() == 2
    assert not page._pins.isVisible()
    assert page._query.harnesses == ("shared",)
