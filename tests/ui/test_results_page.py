"""Results: every figure opens its cases, rows are grouped and sorted, and exports say the same as the command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel

from btc_gui import paths
from btc_gui.domain.arranged_table import Arrangement, values_of
from btc_gui.domain.category import load_categories
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.result_table import Form, ResultTable, ShownColumn
from btc_gui.domain.run import RunRecipe
from btc_gui.domain.verdict import Label
from btc_gui.exports.results import MANIFEST
from btc_gui.progress import Progress
from btc_gui.settings import Settings
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.studies import StudyStore
from btc_gui.store.trials import TrialStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import read_ahead
from btc_gui.ui.pages import results_page
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages.results_page import ResultsPage, ResultsReading
from btc_gui.ui.pictures import settle
from btc_gui.ui.tables.row_painter import PADDING
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets import result_figures
from btc_gui.ui.widgets.result_contents import NAMES
from btc_gui.ui.widgets.result_table_view import ResultTableView
from tests.case_builders import add_answers, make_configuration, make_trajectory
from tests.study_builders import JUDGE, add_judged, add_locked_study, unblinded_study


@pytest.fixture(scope="module")
def shared(qapp: QApplication, _one_theme: Theme, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """One window for all tests that only look: sixteen judged answers of two configurations, one unblinded study."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            patch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
        database = Database.create(folder / "results.btc", "Results")
        ids = add_judged(database)
        wrong = [case.answer_id for case in CaseStore(database).fetch(ids).values() if case.label == "incorrect"]
        ClassificationStore(database).add(NewClassification(wrong[0], "c", None, FailureMode.INDIRECT))
        unblinded_study(database, folder)
        categories = load_categories(paths.resources() / "categories")
        window = MainWindow(
            Settings(reviewer="mara", theme="light"), categories, _one_theme, lambda path, progress: None
        )
        window.show()
        window.show_project(database)
        yield window
        window.close()
        settle(window.job_runner)
        database.close()


@pytest.fixture
def page(shared: MainWindow) -> ResultsPage:
    """The page as it is at first."""
    page = _shown(shared)
    page.show_item("accuracy")
    page.bar.reset.click()
    return page


def _shown(window: MainWindow) -> ResultsPage:
    window.go("results")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, ResultsPage)
    return made


def _view(page: ResultsPage) -> ResultTableView:
    view = page.table_view
    assert view is not None
    return view


def _column(view: ResultTableView, title: str) -> int:
    return next(place for place, column in enumerate(view.columns) if column.title == title)


def _first_row(view: ResultTableView) -> int:
    return next(place for place, line in enumerate(view.lines) if line.row >= 0)


def _cell(view: ResultTableView, title: str) -> QModelIndex:
    return view.model.index(_first_row(view), _column(view, title))


def test_the_table_behaves_as_a_model(page: ResultsPage) -> None:
    view = _view(page)
    QAbstractItemModelTester(view.model, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert view.row_count == 2
    assert [line.heading for line in view.lines if line.row < 0] == ["demise"]


def test_figures_stand_with_interval_and_n(page: ResultsPage) -> None:
    view = _view(page)
    texts = {column.title: view.text_of(_first_row(view), place) for place, column in enumerate(view.columns)}
    # Five of eight: Wilson's interval as R's binom::binom.wilson(5, 8) gives it, 0.306 to 0.863.
    assert texts["Indirect, correct"] == "62.5 % [31, 86] of 8"
    assert texts["Direct, correct"] == texts["Drop, points"] == "–"
    hover = str(_cell(view, "Indirect, correct").data(Qt.ItemDataRole.ToolTipRole))
    assert "62.5 %, 5 of 8, between 30.6 % and 86.3 %" in hover


def test_enter_on_a_cell_opens_exactly_the_cases_it_counts(shared: MainWindow, page: ResultsPage) -> None:
    view = _view(page)
    view.view.setCurrentIndex(_cell(view, "Indirect, correct"))
    QTest.keyClick(view.view, Qt.Key.Key_Return)
    settle(shared.job_runner)
    cases = shared.current_page
    assert isinstance(cases, CasesPage)
    assert cases._table.rowCount() == 8


def test_every_figure_with_cases_leads_to_as_many_as_it_says(page: ResultsPage) -> None:
    """In every table: a column of counts opens that many, a share with k of n opens its n."""
    assert page._reading is not None
    checked = 0
    for table in page._reading.tables.values():
        for row in range(len(table.rows)):
            for column in table.window_columns:
                if not column.cases or column.of == "pairs" or table.name in ("gaps", "corrected_gaps"):
                    continue
                found = len(table.answers(row, column))
                name = column.name if column.form == "count" else column.of or column.count or column.name
                expected = table.cell(row, name)
                if isinstance(expected, int) and column.form != "points":
                    per_event = 2 if table.name.endswith("_change") else 1
                    assert found == expected * per_event, (table.name, column.title)
                    checked += 1
    assert checked > 20


def test_rows_are_chosen_grouped_and_sorted(page: ResultsPage) -> None:
    view, bar = _view(page), page.bar
    models = values_of([view.table], "model")
    assert len(models) == 2
    bar.facets["model"].choose(models[1:])
    bar.facets["model"].chosen.emit((models[1],))
    assert view.row_count == 1
    bar.group.setCurrentIndex(bar.group.findData("model"))
    assert [line.heading for line in view.lines if line.row < 0] == [models[1]]
    assert view.view.isColumnHidden(_column(view, "Configuration")) is False
    bar.reset.click()
    assert view.row_count == 2
    bar.group.setCurrentIndex(0)
    place = _column(view, "Configuration")
    first = [view.text_of(line, place) for line in range(2)]
    bar.sort("configuration", True)
    assert [view.text_of(line, place) for line in range(2)] == sorted(first, reverse=True)


def test_what_is_empty_says_why_and_everything_else_can_be_shown(shared: MainWindow, page: ResultsPage) -> None:
    assert page._reading is not None
    for name in NAMES:
        can_be = page.contents.choose(name)
        settle(shared.job_runner)
        item = page.contents._items[name]
        assert can_be or item.toolTip()
        if can_be and page.table_view is not None:
            assert page.table_view.table.name == name


def test_a_piece_of_a_figure_opens_its_cases(shared: MainWindow, page: ResultsPage) -> None:
    page.show_item("figures")
    page.figures.show_kind("failure_modes")
    settle(shared.job_runner)
    plot = page.figures.plot
    assert plot is not None
    page.take_focus()
    QTest.keyClick(plot, Qt.Key.Key_Down)
    assert "Indirect search: 1 of" in plot.current_words
    QTest.keyClick(plot, Qt.Key.Key_Return)
    settle(shared.job_runner)
    assert isinstance(shared.current_page, CasesPage)
    assert shared.current_page._table.rowCount() == 1


def test_a_cell_of_the_matrix_opens_its_cases(shared: MainWindow, page: ResultsPage) -> None:
    page.show_item("validation")
    report = page.validation.report
    assert report.matrix is not None
    assert report.matrix.counts == ((4, 0), (4, 0))
    assert report.plot is not None
    report.plot.cell_opened.emit("incorrect", "correct")
    settle(shared.job_runner)
    assert isinstance(shared.current_page, CasesPage)
    assert shared.current_page._table.rowCount() == 4


def test_the_corrected_accuracy_names_its_study(page: ResultsPage) -> None:
    """All eight labels say correct, so that in the frame everything is: the judge's errors are taken out."""
    page.show_item("corrected_accuracy")
    view = _view(page)
    texts = {column.title: view.text_of(_first_row(view), place) for place, column in enumerate(view.columns)}
    assert texts["Corrected"].startswith("100.0 %")
    assert texts["In the frame"] == "62.5 % of 16"
    assert texts["Labels"] == "8"


def test_export_all_is_the_command_of_that_name(
    shared: MainWindow, page: ResultsPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Path, Path, bool]] = []

    def export(what: str, project: Path, folder: Path, progress: Progress, *, with_trials: bool) -> list[Path]:
        asked.append((what, project, folder, with_trials))
        return [folder / "accuracy.csv"]

    monkeypatch.setattr(results_page, "export_results", export)
    said: list[str] = []
    assert shared.context is not None
    shared.context.shell.said.connect(said.append)
    page.export_all(tmp_path)
    settle(shared.job_runner)
    assert asked == [("all", shared.context.database.path, tmp_path, False)]
    assert said == [f"1 file in {tmp_path}"]


def test_trials_count_when_somebody_says_so(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told wherever there are some; what is exported then counts them, too."""
    assert window.context is not None
    database = window.context.database
    probe = ProbeStore(database).get(ProbeStore(database).ids()[0])
    add_answers(database, probe, [make_trajectory()])
    page = _shown(window)
    assert not page._with_trials.isVisible()
    assert "trials" not in page.note.text()
    item = (probe.id, probe.revision_id)
    _, items = TrialStore(database).plan(RunRecipe("2026-07-15"), [make_configuration("Model B")], item, "mara")
    AnswerStore(database).add(items[0], make_trajectory())
    page.activate()
    settle(window.job_runner)
    assert page._with_trials.isVisible()
    assert "1 answer of trials left out." in page.note.text()
    assert page._header.counts.text() == "1 configuration · 1 answer"
    page._with_trials.click()
    settle(window.job_runner)
    assert page._header.counts.text() == "2 configurations · 2 answers"
    assert "1 answer of trials counted, too." in page.note.text()
    asked: list[bool] = []

    def export(*_: object, with_trials: bool) -> list[Path]:
        asked.append(with_trials)
        return []

    for module in (results_page, result_figures):
        monkeypatch.setattr(module, "export_results", export)
    page.export_all(Path("out"))
    page.figures.export(Path("out"))
    settle(window.job_runner)
    assert asked == [True, True]


def test_an_export_does_not_spread_its_files_among_others(tmp_path: Path) -> None:
    assert results_page.folder_of_its_own(tmp_path, "spring") == tmp_path
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    own = results_page.folder_of_its_own(tmp_path, "spring")
    assert own == tmp_path / "spring_results"
    # The next export goes over the one before.
    own.mkdir()
    (own / MANIFEST).write_text("{}", encoding="utf-8")
    assert results_page.folder_of_its_own(own, "spring") == own
    assert results_page.folder_of_its_own(tmp_path, "spring") == own


def test_the_page_follows_its_project(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """From nothing to results, over a second judge, to a study whose labels people give."""
    page = _shown(window)
    action = window.commands.action("results.export_all")
    assert not action.isEnabled()
    assert action.toolTip() == "There are no results yet."
    assert any("No results yet" in label.text() for label in window.findChildren(QLabel) if label.isVisible())
    assert window.context is not None
    database = window.context.database
    (answer, *_) = add_judged(database)

    def note() -> str:
        page.activate()
        settle(window.job_runner)
        return page.note.text()

    assert f"Judged by {JUDGE}." in note()
    assert action.isEnabled()
    VerdictStore(database).add(NewVerdict(answer, "second-judge", None, Label.CORRECT))
    assert "Verdicts of several judges count, the newest on each answer" in note()
    assert "second-judge (1)" in page.note.text()
    JudgeStore(database).set_primary(JUDGE)
    assert f"Judged by {JUDGE}." in note()
    assert _view(page).row_count == 2
    # Each configuration has four open answers then: too few to be counted together.
    study_id = add_locked_study(database)
    assert note().startswith("2 of 2 rows have answers in a study that isn't unblinded: they are withheld")
    assert _view(page).row_count == 0
    for name in ("queries", "behaviour"):
        assert not page.contents.choose(name)
        assert "they are withheld" in " ".join(page.contents._items[name].toolTip().split())
    # Whoever wants to see them goes on record, after being asked.
    show = window.commands.action("results.show_withheld")
    assert show.isEnabled()
    monkeypatch.setattr(results_page, "confirm", lambda *_: False)
    show.trigger()
    assert note().startswith("2 of 2 rows")
    monkeypatch.setattr(results_page, "confirm", lambda *_: True)
    show.trigger()
    settle(window.job_runner)
    assert "withheld" not in note()
    assert _view(page).row_count == 2
    assert not show.isEnabled()
    items = {item.answer_id for item in StudyStore(database).items(study_id)}
    assert {seen.answer_id for seen in StudyStore(database).exposures(study_id)} == items


def test_a_first_visit_shows_what_was_read_ahead(page: ResultsPage) -> None:
    # As before the first visit.
    for name in ("_reading", "_made"):
        setattr(page, name, None)
    read_ahead(page._context.database, [page], Progress())
    made = page._made
    page.activate()
    settle(page._context.job_runner)
    assert isinstance(made, ResultsReading)
    assert page._reading is made


def test_columns_are_as_wide_as_what_stands_in_them(page: ResultsPage) -> None:
    """One with nothing but dashes takes no room from those with figures; one that somebody has drawn stays."""
    table = ResultTable(
        "made", "Made", "", ("name", "share", "none"), (("a", 12345678.0, None), ("b", 1.0, None)),
        shown=(
            ShownColumn("Name", "name", width=0),
            ShownColumn("N", "share", Form.COUNT, 300),
            ShownColumn("N", "none", Form.COUNT, 300),
        ),
    )  # fmt: skip
    view = ResultTableView(table, page._context.theme, page)
    view.show_table(table, Arrangement())
    header, words = view.view.horizontalHeader(), view.view.fontMetrics()
    assert words.horizontalAdvance("12,345,678") < header.sectionSize(1) < 150
    assert header.sectionSize(2) < header.sectionSize(1)
    room = header.sectionSize(1) - 2 * PADDING
    assert view.view.fontMetrics().elidedText("12,345,678", Qt.TextElideMode.ElideRight, room) == "12,345,678"
    header.resizeSection(2, 222)
    view.show_table(replace(table, rows=table.rows[:1]), Arrangement())
    assert header.sectionSize(2) == 222
    view.deleteLater()
