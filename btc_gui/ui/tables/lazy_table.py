"""The one table model: ids in memory, rows fetched a page at a time when they are painted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from btc_gui.errors import BtcError
from btc_gui.ui.jargon import meaning
from btc_gui.ui.theme import MARKS
from btc_gui.ui.widgets.plain_text import one_line, tooltip

_log = logging.getLogger(__name__)
PAGE: Final = 100
#: A cell shows so many characters of a long text; the whole text never reaches the view.
CELL_CHARACTERS: Final = 200
#: Extra roles: the name of the mark drawn before the text, and whether the row could not be read.
MARK_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
ERROR_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
_HEAD_ROLES: Final = frozenset(
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.TextAlignmentRole,
    )
)

Id = TypeVar("Id")
Row = TypeVar("Row")
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Cell:
    """What is painted of one cell: its text on one line, the name of its mark, whether it tells an error or is part of
    a heading over rows, and how full its bar is (0 to 1)."""

    text: str
    mark: str = ""
    is_error: bool = False
    is_heading: bool = False
    bar: float | None = None


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column: its title, the text of a row's cell, its width in pixels at text size 1 (0: takes what is left).

    `order` is the name by which the query sorts ("" when it can't); numbers are aligned right with figures of
    one width; `mark` names the mark drawn before the text. A column that `is_mark_only` draws the mark alone;
    its text is for the tooltip, for copying and for screen readers. `hover` gives the tooltip of a cell (else: its
    whole text), `words` is that of the title. A column that takes what is left always has the width `least`, and never
    more than `most` (0: any); beside one that may have any width it takes a part of the room only. `bar` draws a bar
    in the place of the text, so full (0 to 1). A click on a cell of a column that `is_link` opens its row.
    """

    title: str
    text: Callable[[Row], str]
    width: int = 120
    order: str = ""
    is_number: bool = False
    mark: Callable[[Row], str] | None = None
    is_mark_only: bool = False
    hover: Callable[[Row], str] | None = None
    words: str = ""
    least: int = 0
    most: int = 0
    bar: Callable[[Row], float] | None = None
    is_link: bool = False


def page_of(ids: Sequence[Id], item: Id | None, rows: int = PAGE) -> list[Id]:
    """The ids (about so many) whose rows are seen first when `item` (or else the first id) is shown."""
    row = ids.index(item) if item is not None and item in ids else 0
    return list(ids[max(0, row - rows // 2) : row + rows // 2]) if row else list(ids[:rows])


class LazyTable(QAbstractTableModel, Generic[Id, Row]):
    """Shows the rows of ids. A row that can't be fetched shows why instead of its cells.

    `heading` gives the words of a row that is a heading over others, and nothing for all else.
    """

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        fetch: Callable[[Sequence[Id]], Mapping[Id, Row]],
        parent: QObject | None = None,
        *,
        heading: Callable[[Row], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._heading = heading
        self.columns = tuple(columns)
        self._fetch = fetch
        self._ids: list[Id] = []
        self._rows: dict[Id, Row] = {}
        self._errors: dict[Id, str] = {}
        self._cells: dict[Id, tuple[Cell, ...]] = {}

    # -- what is shown ----------------------------------------------------------------------------------------

    @property
    def ids(self) -> list[Id]:
        """The ids in their order. Not to be changed."""
        return self._ids

    def show_ids(self, ids: Sequence[Id], rows: Mapping[Id, Row] | None = None) -> None:
        """Show the rows of these ids, fetched anew; `rows` are those fetched together with the ids."""
        if list(ids) == self._ids:
            self.refresh(rows)
            return
        self.beginResetModel()
        self._ids = list(ids)
        self._forget(rows)
        self.endResetModel()

    def refresh(self, rows: Mapping[Id, Row] | None = None) -> None:
        """Fetch the shown rows anew, except those given; the ids stay. Given rows that are what they were are not
        painted again."""
        known = self._rows.keys() | self._errors.keys()
        same, reach = self._forget(rows), len(rows or ())
        if known <= same:
            # Of the others nothing was painted yet; a view would paint all that is in sight for them.
            return
        start = 0
        if same:
            # What was given stands together, in whatever order it came.
            near = self.row_of(next(iter(same)))
            for row in range(max(near - reach, 0), min(near + reach, len(self._ids))):
                if self._ids[row] in same:
                    self._tell_changed(start, row)
                    start = row + 1
        self._tell_changed(start, len(self._ids))

    def _tell_changed(self, start: int, stop: int) -> None:
        if start < stop:
            self.dataChanged.emit(self.index(start, 0), self.index(stop - 1, len(self.columns) - 1))

    def _forget(self, known: Mapping[Id, Row] | None = None) -> set[Id]:
        """Know these rows only; gives those of them that are what they were."""
        known = dict(known or {})
        same = {item for item in self._rows.keys() & known.keys() if self._rows[item] == known[item]}
        self._rows, self._cells = known, {item: cells for item, cells in self._cells.items() if item in same}
        self._errors.clear()
        return same

    def id_at(self, row: int) -> Id | None:
        """The id of a row, or None beyond the end."""
        return self._ids[row] if 0 <= row < len(self._ids) else None

    def row_of(self, item: Id) -> int:
        """The row of an id, or -1."""
        # Looked for: a dictionary of all rows takes longer to make than any list is asked for.
        try:
            return self._ids.index(item)
        except ValueError:
            return -1

    def record(self, row: int) -> Row | None:
        """The fetched row, or None when it could not be read."""
        item = self._ids[row]
        if item not in self._rows and item not in self._errors:
            self._fetch_around(row)
        return self._rows.get(item)

    def cell(self, row: int, column: int) -> Cell:
        """What is painted of a cell."""
        return self.cells(row)[column]

    def cells(self, row: int) -> tuple[Cell, ...]:
        """What is painted of each cell of a row; worked out once for each fetched row."""
        item = self._ids[row]
        cells = self._cells.get(item)
        if cells is None:
            record = self.record(row)
            if record is None:
                first = Cell(one_line(self._errors.get(item, ""), CELL_CHARACTERS), is_error=True)
                cells = (first, *[Cell("", is_error=True)] * (len(self.columns) - 1))
            elif self._heading is not None and (words := self._heading(record)):
                cells = (Cell(one_line(words, CELL_CHARACTERS), is_heading=True),) * len(self.columns)
            else:
                cells = tuple(_cell(each, record) for each in self.columns)
            self._cells[item] = cells
        return cells

    def _fetch_around(self, row: int) -> None:
        start = row - row % PAGE
        wanted = self._ids[start : start + PAGE]
        try:
            found = self._fetch(wanted)
        except BtcError as error:
            self._errors.update(dict.fromkeys(wanted, str(error)))
            return
        except Exception as error:
            # The boundary of an item: an exception inside data() would be raised on every repaint.
            _log.exception("rows could not be fetched")
            self._errors.update(dict.fromkeys(wanted, f"This row can't be shown: {error}"))
            return
        self._rows.update(found)
        self._errors.update({item: "This row is gone." for item in wanted if item not in found})

    # -- Qt's questions ---------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._heard(self.cell(index.row(), index.column()), column)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, MARK_ROLE, ERROR_ROLE):
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            record = self.record(index.row())
            if record is None:
                return tooltip(self._errors.get(self._ids[index.row()], ""))
            if self.cell(index.row(), index.column()).is_heading:
                return ""
            return tooltip(column.hover(record) if column.hover else column.text(record))
        cell = self.cell(index.row(), index.column())
        return cell.mark if role == MARK_ROLE else cell.is_error if role == ERROR_ROLE else cell.text

    def _heard(self, cell: Cell, column: Column[Row]) -> str:
        """What a screen reader says of a cell: its words, and those of its mark where it does not say the same."""
        mark = MARKS[cell.mark].text if cell.mark in MARKS and not column.is_mark_only else ""
        return f"{cell.text}, {mark}" if mark and mark.casefold() not in cell.text.casefold() else cell.text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        # Qt asks for a dozen things of each title whenever it is painted.
        if role not in _HEAD_ROLES:
            return None
        if orientation == Qt.Orientation.Horizontal and 0 <= section < len(self.columns):
            if role == Qt.ItemDataRole.DisplayRole:
                return self.columns[section].title
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return self.columns[section].title or "Marks"
            if role == Qt.ItemDataRole.ToolTipRole:
                column = self.columns[section]
                return tooltip(column.words or meaning(column.title)) or None
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if self.columns[section].is_number else Qt.AlignmentFlag.AlignLeft
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None


def _cell(column: Column[Row], record: Row) -> Cell:
    return Cell(
        one_line(column.text(record), CELL_CHARACTERS),
        column.mark(record) if column.mark else "",
        bar=column.bar(record) if column.bar else None,
    )
