"""Results: every figure opens its cases, and exports say the same."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel

from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.verdict import Label
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages.results_page import COLUMNS, ResultsPage, query_of
from btc_gui.ui.pictures import settle
from tests.study_builders import JUDGE, add_judged, add_locked_study, issue


def unblinded_study(database: Database, folder: Path) -> None:
    """A study of eight answers, all labelled correct."""
    study_id = add_locked_study(database)
    packet = issue(database, study_id, folder)
    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, "correct")
    return_packet(database, packet, "tests", Progress())
    close_study(database, study_id, "tests")
    unblind_study(database, study_id, "tests")


@pytest.fixture
def page(window: MainWindow, tmp_path: Path) -> ResultsPage:
    assert window.context is not None
    database = window.context.database
    ids = add_judged(database)
    wrong = [case.answer_id for case in CaseStore(database).fetch(ids).values() if case.label == "incorrect"]
    ClassificationStore(database).add(NewClassification(wrong[0], "c", None, FailureMode.INDIRECT))
    unblinded_study(database, tmp_path)
    window.go("results")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, ResultsPage)
    return made


def test_the_table_behaves_as_a_model(page: ResultsPage) -> None:
    QAbstractItemModelTester(page._table, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert page._table.rowCount() == 2


def test_figures_stand_with_interval_and_n(page: ResultsPage) -> None:
    texts = [str(page._table.index(0, column).data()) for column in range(len(COLUMNS))]
    # Five of eight: Wilson's interval as R's binom::binom.wilson(5, 8) gives it, 0.306 to 0.863.
    assert texts[3] == "62.5 % [31, 86] of 8"
    assert texts[2] == "–"
    assert texts[4] == "–"


def test_whose_verdicts_count_stands_beside_the_table(window: MainWindow, page: ResultsPage) -> None:
    """One judge by name; a mixture is called one, until a judge is chosen."""
    assert window.context is not None
    database = window.context.database
    assert f"Judged by {JUDGE}." in page._accuracy_note.text()
    row = database.read().execute("SELECT answer_id FROM verdict LIMIT 1").fetchone()
    VerdictStore(database).add(NewVerdict(row["answer_id"], "second-judge", None, Label.CORRECT))
    page.activate()
    settle(window.job_runner)
    assert "Verdicts of several judges count, the newest on each answer" in page._accuracy_note.text()
    assert "second-judge (1)" in page._accuracy_note.text()
    JudgeStore(database).set_primary(JUDGE)
    page.activate()
    settle(window.job_runner)
    assert f"Judged by {JUDGE}." in page._accuracy_note.text()


def test_enter_on_a_cell_opens_exactly_the_cases_it_counts(window: MainWindow, page: ResultsPage) -> None:
    row = page._rows[0]
    page._view.setCurrentIndex(page._table.index(0, 3))
    QTest.keyClick(page._view, Qt.Key.Key_Return)
    settle(window.job_runner)
    cases = window.current_page
    assert isinstance(cases, CasesPage)
    assert cases._table.rowCount() == row.indirect.scored


def test_every_column_leads_to_as_many_cases_as_it_says(window: MainWindow, page: ResultsPage) -> None:
    assert window.context is not None
    store = CaseStore(window.context.database)
    for row in page._rows:
        counts = {
            "Direct, correct": row.direct.scored,
            "Indirect, correct": row.indirect.scored,
            "No answer": row.direct.unanswered + row.indirect.unanswered,
            "Failed": row.direct.failed + row.indirect.failed,
            "Unscored": row.direct.unscored + row.indirect.unscored,
        }
        for number, column in enumerate(COLUMNS):
            if column.title in counts:
                assert len(store.ids(query_of(row, number))) == counts[column.title]


def test_a_piece_of_a_bar_opens_its_cases(window: MainWindow, page: ResultsPage) -> None:
    page.show_item("modes")
    _, plot = page._plots[0]
    row = next(row for row in page._reading.results.composition if row.modes[FailureMode.INDIRECT])  # type: ignore[union-attr]
    plot.piece_opened.emit(row, FailureMode.INDIRECT)
    settle(window.job_runner)
    assert isinstance(window.current_page, CasesPage)
    assert window.current_page._table.rowCount() == 1
    plot.piece_opened.emit(row, None)
    settle(window.job_runner)
    assert window.current_page._table.rowCount() == row.unclassified


def test_a_cell_of_the_matrix_opens_its_cases(window: MainWindow, page: ResultsPage) -> None:
    page.show_item("validation")
    assert page._report.matrix is not None
    assert page._report.matrix.counts == ((4, 0), (4, 0))
    assert page._report.plot is not None
    page._report.plot.cell_opened.emit("incorrect", "correct")
    settle(window.job_runner)
    assert isinstance(window.current_page, CasesPage)
    assert window.current_page._table.rowCount() == 4


def test_figures_stand_with_their_words(page: ResultsPage) -> None:
    page.show_item("validation")
    texts = [label.text() for label in page._report.findChildren(QLabel)]
    assert "of the stratified sample" in texts
    assert any(text.startswith("4/8 = 0.500") for text in texts)


def test_exports_say_what_the_screen_says(window: MainWindow, page: ResultsPage, tmp_path: Path) -> None:
    page.export_tables(tmp_path / "tables")
    page.export_matrix(tmp_path / "tables")
    settle(window.job_runner, 60)
    with (tmp_path / "tables" / "accuracy.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["indirect_correct"] for row in rows] == ["5", "5"]
    (matrix,) = (tmp_path / "tables").glob("matrix_*.csv")
    assert matrix.read_text(encoding="utf-8").splitlines()[:3] == [
        "judge ↓ / human →,correct,incorrect",
        "correct,4,0",
        "incorrect,4,0",
    ]
    assert len(list((tmp_path / "tables").glob("matrix_*.svg"))) == 1


def test_without_results_nothing_can_be_exported_and_the_buttons_say_why(window: MainWindow) -> None:
    window.go("results")
    settle(window.job_runner)
    action = window.commands.action("results.export_table")
    assert not action.isEnabled()
    assert action.toolTip() == "There are no results yet."
    assert any("No results yet" in label.text() for label in window.findChildren(QLabel) if label.isVisible())
