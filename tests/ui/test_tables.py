"""The table model and its view."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.errors import ProjectError
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import CELL_CHARACTERS, Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import ROW_HEIGHT, Theme
from btc_gui.ui.window_state import WindowState

COLUMNS: tuple[Column[int], ...] = (
    Column("Name", lambda row: f"row {row}", 100, "name"),
    Column("Size", lambda row: f"{row:,}", 80, "size", is_number=True),
    Column("Text", lambda row: "word " * 1000, 0),
)


class Source:
    """Rows that are their own ids; remembers what was asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.gone: set[int] = set()
        self.error: Exception | None = None

    def fetch(self, ids: Sequence[int]) -> dict[int, int]:
        if self.error is not None:
            raise self.error
        self.asked += ids
        return {i: i for i in ids if i not in self.gone}


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def table(source: Source) -> LazyTable[int, int]:
    return LazyTable(COLUMNS, source.fetch)


@pytest.fixture
def view(qtbot: QtBot, table: LazyTable[int, int], theme: Theme) -> TableView[int]:
    made = TableView(table, theme, "Rows")
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def _text(table: LazyTable[int, int], row: int, column: int, role: int = Qt.ItemDataRole.DisplayRole) -> str:
    return str(table.data(table.index(row, column), role))


def test_the_model_is_clean(table: LazyTable[int, int]) -> None:
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.show_ids(range(1000))
    table.show_ids(range(5))
    table.refresh()
    table.show_ids([])
    assert tester.model() is table


def test_painting_a_large_table_fetches_only_what_is_seen(
    view: TableView[int], table: LazyTable[int, int], source: Source
) -> None:
    table.show_ids(range(360_000))
    view.grab()
    assert len(set(source.asked)) == 100
    view.scrollToBottom()
    view.grab()
    assert len(set(source.asked)) == 200


def test_only_rows_that_changed_are_painted_again(table: LazyTable[int, int]) -> None:
    told: list[tuple[int, int]] = []
    table.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    rows = {row: row for row in (12, 10, 13, 11)}
    table.show_ids(range(40), rows)
    table.refresh(rows)
    assert told == []
    # All of them have been painted now.
    assert _text(table, 30, 0) == "row 30"
    table.refresh(rows)
    assert told == [(0, 9), (14, 39)]
    told.clear()
    table.refresh(rows | {11: -11})
    assert told == [(0, 9), (11, 11), (14, 39)]
    assert _text(table, 11, 0) == "row -11"
    told.clear()
    table.refresh()
    assert told == [(0, 39)]


def test_rows_are_of_one_height_and_long_cells_are_cut(view: TableView[int], table: LazyTable[int, int]) -> None:
    table.show_ids(range(3))
    assert {view.rowHeight(row) for row in range(3)} == {ROW_HEIGHT}
    assert len(_text(table, 0, 2)) <= CELL_CHARACTERS + 1


@pytest.mark.parametrize("name", ["伊斯坎德里安", "สมเด็จพระเจ้า", "মমতা", "नथाली", "محمد", "👩🏽‍🚀 Zoë"])
def test_letters_of_every_script_stand_in_their_row(qtbot: QtBot, theme: Theme, name: str) -> None:
    """Each font reaches as high as it likes; what is written in a row is seen in it, and not in the next."""
    names = {0: name, 1: "", 2: ""}
    table: LazyTable[int, int] = LazyTable(
        [Column("Name", lambda row: names[row], 300)], lambda ids: {i: i for i in ids}
    )
    view = TableView(table, theme, "Names")
    qtbot.addWidget(view)
    view.resize(320, 200)
    view.show()
    table.show_ids(range(3))
    image = view.viewport().grab().toImage()
    words, empty, like_it = (image.copy(0, row * ROW_HEIGHT, 300, ROW_HEIGHT - 1) for row in range(3))
    assert empty == like_it
    assert words != empty
    # Nor does it touch the line below: two pixels above and below are free.
    for top in (0, ROW_HEIGHT - 3):
        assert words.copy(0, top, 300, 2) == empty.copy(0, top, 300, 2)


def test_columns_grow_with_the_text_and_keep_what_somebody_drew(view: TableView[int], theme: Theme) -> None:
    header = view.horizontalHeader()
    header.resizeSection(0, 150)
    try:
        theme.choose("light", 2.0)
        assert [header.sectionSize(0), header.sectionSize(1)] == [300, 160]
    finally:
        theme.choose("light", 1.0)
    assert [header.sectionSize(0), header.sectionSize(1)] == [150, 80]


def test_widths_kept_in_large_text_are_right_in_small(
    view: TableView[int], theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the other way round: they are kept with the size of text they were drawn for."""
    monkeypatch.setattr(paths, "state", lambda: tmp_path)
    header, page = view.horizontalHeader(), Page()
    view.setParent(page)
    header.resizeSection(0, 150)
    kept = WindowState()
    try:
        theme.choose("light", 2.0)
        kept.save_parts(page, "page")
        theme.choose("light", 1.0)
        header.resizeSection(0, 50)
        kept.restore_parts(page, "page")
        assert [header.sectionSize(0), header.sectionSize(1)] == [150, 80]
        kept.save_parts(page, "page")
        theme.choose("light", 2.0)
        kept.restore_parts(page, "page")
        assert [header.sectionSize(0), header.sectionSize(1)] == [300, 160]
    finally:
        view.setParent(None)
        theme.choose("light", 1.0)


def test_a_column_that_is_hidden_while_the_text_gets_smaller_comes_back(view: TableView[int], theme: Theme) -> None:
    header = view.horizontalHeader()
    try:
        theme.choose("light", 2.0)
        view.hide_columns({0, 1})
        assert header.sectionSize(2) == view.viewport().width()
    finally:
        theme.choose("light", 1.0)
    assert header.sectionSize(2) == view.viewport().width()
    view.hide_columns(set())
    assert [header.sectionSize(0), header.sectionSize(1)] == [100, 80]


def test_the_arrow_stays_with_the_column_that_the_rows_are_sorted_by(
    view: TableView[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Widths are kept from session to session; the order is the page's own each time."""
    monkeypatch.setattr(paths, "state", lambda: tmp_path)
    header, page, kept = view.horizontalHeader(), Page(), WindowState()
    view.setParent(page)
    view.show_order("size", True)
    kept.save_parts(page, "page")
    view.show_order("name", False)
    kept.restore_parts(page, "page")
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (0, Qt.SortOrder.AscendingOrder)
    view.show_order("", False)
    kept.restore_parts(page, "page")
    assert not header.isSortIndicatorShown()
    view.setParent(None)


def test_what_marks_say_is_told_in_words() -> None:
    """Who hears a table hears of a cell what is painted in it."""
    columns: list[Column[int]] = [
        Column("Case", lambda row: "Ada", 100, mark=lambda row: "incorrect"),
        Column("State", lambda row: "Rejected", 100, mark=lambda row: "rejected"),
        Column("Lint", lambda row: "2 findings", 44, mark=lambda row: "stale", is_mark_only=True),
    ]
    table: LazyTable[int, int] = LazyTable(columns, lambda ids: {each: each for each in ids})
    table.show_ids([1])
    heard = [_text(table, 0, column, Qt.ItemDataRole.AccessibleTextRole) for column in range(3)]
    assert heard == ["Ada, Incorrect", "Rejected", "2 findings"]


def test_a_row_that_cannot_be_read_says_why(table: LazyTable[int, int], source: Source) -> None:
    source.gone = {1}
    table.show_ids(range(3))
    assert [_text(table, row, 0) for row in range(3)] == ["row 0", "This row is gone.", "row 2"]
    source.error = ProjectError("The file is locked.", "Wait.")
    table.refresh()
    assert _text(table, 0, 0) == "The file is locked. Wait."
    source.error = None
    table.refresh()
    assert _text(table, 0, 0) == "row 0"


def test_markup_in_a_cell_is_text_in_its_tooltip_too(theme: Theme, qtbot: QtBot) -> None:
    table = LazyTable[int, str]([Column("A", str)], lambda ids: dict.fromkeys(ids, "<b>x</b><img src=y>"))
    table.show_ids([1])
    assert table.data(table.index(0, 0)) == "<b>x</b><img src=y>"
    shown = str(table.data(table.index(0, 0), Qt.ItemDataRole.ToolTipRole))
    assert "<\u200bb>" in shown
    assert not GuiQt.mightBeRichText(shown)
    assert "<b>" not in shown


def test_the_selection_stays_with_its_id(qtbot: QtBot, view: TableView[int], table: LazyTable[int, int]) -> None:
    table.show_ids([1, 2, 3, 4])
    heard: list[object] = []
    view.current_changed.connect(heard.append)
    view.select_id(3)
    table.show_ids([4, 3, 2, 1])
    assert view.selected_ids() == [3]
    table.show_ids([1, 2])
    assert view.selected_ids() == []
    assert heard == [3, None]


def test_a_row_that_is_made_current_is_the_only_selected_one_whatever_key_is_held(
    view: TableView[int], table: LazyTable[int, int]
) -> None:
    table.show_ids(list(range(9)))
    view.select_id(3)
    held_by = Qt.KeyboardModifier
    keys = {Qt.Key.Key_Shift: held_by.ShiftModifier, Qt.Key.Key_Control: held_by.ControlModifier}
    for key, held in keys.items():
        QTest.keyPress(view, key, held)
        assert QGuiApplication.keyboardModifiers() == held
        view.select_id(5)
        assert view.selected_ids() == [5]
        view.select_id(3)
        assert view.selected_ids() == [3]
        QTest.keyRelease(view, key)


def test_a_click_on_a_header_asks_for_the_order_and_a_second_one_reverses_it(
    qtbot: QtBot, view: TableView[int], table: LazyTable[int, int]
) -> None:
    table.show_ids(range(3))
    asked: list[tuple[str, bool]] = []
    view.sort_asked.connect(lambda order, descending: asked.append((order, descending)))
    header = view.horizontalHeader()
    for section in (1, 1, 0, 2):
        x = header.sectionViewportPosition(section) + 10
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    assert asked == [("size", False), ("size", True), ("name", False)]


def test_letters_do_not_search_through_all_rows(
    qtbot: QtBot, view: TableView[int], table: LazyTable[int, int], source: Source
) -> None:
    table.show_ids(range(100_000))
    view.setFocus()
    QTest.keyClicks(view, "zzz")
    assert len(set(source.asked)) <= 200


def test_enter_opens_and_copy_copies_whole_cells(
    qtbot: QtBot, view: TableView[int], table: LazyTable[int, int]
) -> None:
    table.show_ids([7, 8])
    view.select_id(7)
    with qtbot.waitSignal(view.opened) as opened:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == [7]
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("row 7\t7\tword word")
    assert len(copied) > 4000


def test_a_bar_is_as_long_as_it_is_full_and_tells_its_part_in_words(qtbot: QtBot, theme: Theme) -> None:
    """A quarter of the 184 pixels between the paddings of a column of 200."""
    columns: tuple[Column[int], ...] = (
        Column("Progress", lambda row: f"{row} %", 200, bar=lambda row: row / 100),
        Column("Rest", str, 0),
    )
    table = LazyTable(columns, lambda ids: {each: each for each in ids})
    view = TableView(table, theme, "Bars")
    qtbot.addWidget(view)
    view.resize(500, 200)
    table.show_ids([0, 25, 100])
    view.show()
    picture, accent = view.viewport().grab().toImage(), theme.color("accent")
    lengths = [
        sum(picture.pixelColor(x, view.rowViewportPosition(row) + ROW_HEIGHT // 2) == accent for x in range(200))
        for row in range(3)
    ]
    assert lengths == [0, pytest.approx(46, abs=2), pytest.approx(184, abs=2)]
    assert [table.index(row, 0).data() for row in range(3)] == ["0 %", "25 %", "100 %"]


def test_a_click_on_a_link_opens_its_row_and_one_beside_it_chooses_it(qtbot: QtBot, theme: Theme) -> None:
    columns: tuple[Column[int], ...] = (Column("Name", str, 100, is_link=True), Column("Rest", str, 0))
    table = LazyTable(columns, lambda ids: {each: each for each in ids})
    view: TableView[int] = TableView(table, theme, "Links")
    qtbot.addWidget(view)
    view.resize(400, 200)
    table.show_ids([7, 8])
    view.show()
    opened: list[int] = []
    view.opened.connect(opened.append)
    for column in (1, 0):
        place = view.visualRect(table.index(1, column)).center()
        QTest.mouseMove(view.viewport(), place)
        assert (view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor) == (column == 0)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert view.current_id == 8
    assert opened == [8]
