"""Finding cases in the window: searches, snippets, a filter's answers, saved views, picks, references."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.case_pick import picked_cases
from btc_gui.domain.case_reference import CaseReference
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import AnswerId
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.ui.command_palette import CommandPalette
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.case_filters import CaseFilters
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_query, make_result, make_trajectory
from tests.ui.conftest import activate


@pytest.fixture
def first_page() -> str:
    return "cases"


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> CasesPage:
    """Four answers of an evaluation, of which one found the news and one is tagged; two of a filter, not searchable."""
    assert window.context is not None
    database = window.context.database
    probe = add_probe(database, add_event(database, entity="Ada Example"), "Who could open the fair?")
    told = make_query("fair openers", make_result("Ada died <b>in May</b> 北京.", "News & more"))
    said = [make_trajectory(f"Ask Ada, choice {number}.", [told] if number == 2 else []) for number in range(4)]
    _, ids = add_answers(database, probe, said)
    CaseTagStore(database).add([ids[0]], "odd", "tests")
    add_answers(database, probe, [make_trajectory("Perhaps Ada."), make_trajectory("Or Bo.")], purpose=Purpose.FILTER)
    with database.write() as connection:
        connection.execute("INSERT INTO filter_words(filter_words) VALUES ('delete-all')")
    window.go("cases")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, CasesPage)
    activate(window, qtbot)
    return made


def _search(window: MainWindow, filters: CaseFilters, words: str) -> None:
    filters.words.setText(words)
    QTest.keyClick(filters.words, Qt.Key.Key_Return)
    settle(window.job_runner)


def test_a_search_shows_where_and_says_what_is_wrong(window: MainWindow, page: CasesPage, qtbot: QtBot) -> None:
    """The place is a second line of the row; a search that can't be understood leaves the list as it was."""
    filters, view = page._filters, page._view
    low = view.rowHeight(0)
    _search(window, filters, "result:died OR 北京")
    assert page._table.rowCount() == 1
    assert page._counts.text() == "1 case found"
    qtbot.waitUntil(lambda: page._snippets.snippet(page._table.ids[0]) is not None)
    snippet = page._snippets.snippet(page._table.ids[0])
    assert snippet is not None
    assert [snippet.text[slice(*mark)] for mark in snippet.marks] == ["died", "北京"]
    assert view.rowHeight(0) > low
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    settle(window.job_runner)
    card = page._reader._current_card()
    assert card is not None
    assert card.view.step.number == snippet.step == 2
    with_note = view.grab().toImage()
    view.show_notes({})
    assert with_note != view.grab().toImage()
    _search(window, filters, '"died')
    assert filters.problem.isVisible()
    assert "closing quote" in filters.problem.text()
    assert page._table.rowCount() == 1
    _search(window, filters, "")
    assert not filters.problem.isVisible()
    assert page._table.rowCount() == 4
    assert view.rowHeight(0) == low
    assert isinstance(with_note, QImage)


def test_a_filters_answers_are_listed_apart_and_made_searchable(
    window: MainWindow, page: CasesPage, qtbot: QtBot
) -> None:
    """The first search of them starts the job, and finds them once it has ended."""
    filters = page._filters
    filters.more.click()
    assert filters.pool.isVisible()
    QTest.mouseClick(filters.pool, Qt.MouseButton.LeftButton)
    settle(window.job_runner)
    assert page._table.rowCount() == 2
    filters.words.setText("perhaps")
    QTest.keyClick(filters.words, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page._counts.text() == "1 case found")
    settle(window.job_runner)
    QTest.mouseClick(filters.pool, Qt.MouseButton.LeftButton)
    _search(window, filters, "")
    assert page._table.rowCount() == 4
    # What all cases have in common needs no button; what one has alone does.
    assert not filters.facets["models"].isVisible()
    assert filters.facets["tags"].isVisible()
    assert filters.facets["queries"].isVisible()


def test_saved_views_picks_and_references(window: MainWindow, page: CasesPage) -> None:
    """A saved view comes back whole; a pick is that of the seed; references open their case, from the palette too."""
    assert window.context is not None
    ids = list(page._table.ids)
    window.go("cases", CaseQuery(tags=("odd",), contains="choice"))
    settle(window.job_runner)
    assert page.saved.save_as("Odd ones")
    window.go("cases", CaseQuery())
    settle(window.job_runner)
    page.saved.chosen.emit(SavedFilterStore(window.context.database, "cases").all()["Odd ones"])
    settle(window.job_runner)
    assert page._table.ids == [ids[0]]
    assert page._filters.words.text() == "choice"
    page._all.click()
    settle(window.job_runner)
    assert page._table.ids == ids
    assert not page._filters.words.text()
    assert not page._all.isVisible()

    window.commands.action("cases.pick").trigger()
    dialog = page.pick_dialog
    assert dialog is not None
    dialog._count.setValue(2)
    dialog._seed.setText("seed 9")
    dialog.accept()
    settle(window.job_runner)
    assert set(page._table.ids) == set(picked_cases(ids, 2, "seed 9"))
    assert page._only.text().startswith("Only: 2 cases picked with seed “seed 9”")

    window.go("cases", CaseReference(AnswerId(ids[2]), 2))
    settle(window.job_runner)
    assert page._view.current_id == ids[2]
    card = page._reader._current_card()
    assert card is not None
    assert card.view.step.number == 2
    window.commands.action("help.palette").trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    QTest.keyClicks(palette.field, f"btc:{ids[1]}")
    assert palette.list.count() == 1
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    settle(window.job_runner)
    assert page._view.current_id == ids[1]


def test_a_project_opens_on_the_case_of_a_reference(
    window: MainWindow, page: CasesPage, bare_window: MainWindow, qtbot: QtBot
) -> None:
    assert window.context is not None
    wanted = page._table.ids[3]
    bare_window.open_project(window.context.database.path, CaseReference(wanted))
    qtbot.waitUntil(lambda: isinstance(bare_window.current_page, CasesPage), timeout=20_000)
    settle(bare_window.job_runner)
    other = bare_window.current_page
    assert isinstance(other, CasesPage)
    assert other._view.current_id == wanted
