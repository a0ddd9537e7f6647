"""The timeline with what it says in words, and its results as a list: for reading, for keys, for screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.timeline import TimelineEvent, TimelineMark, host_of
from btc_gui.ui.plots.timeline_plot import TimelinePlot
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.marks import mark_of_query
from btc_gui.ui.widgets.plain_text import label, one_line, tooltip

_LIST_ROWS = 6


def _published(mark: TimelineMark) -> str:
    return mark.published or "no date"


def _title(mark: TimelineMark) -> str:
    return mark.title or "(no title)"


def _source(mark: TimelineMark) -> str:
    return host_of(mark.source)


def _query(mark: TimelineMark) -> str:
    return str(mark.query or "")


def _class(mark: TimelineMark) -> str:
    return mark.query_class.value if mark.query_class else "not classified"


def _class_mark(mark: TimelineMark) -> str:
    return mark_of_query(mark.query_class)


def _says(mark: TimelineMark) -> str:
    reveals = ("reveals the change first" if mark.is_first else "reveals the change") if mark.is_evidence else ""
    return " · ".join(part for part in (reveals, "names the subject" if mark.names_entity else "") if part)


_COLUMNS: Final[tuple[Column[TimelineMark], ...]] = (
    Column("Published", _published, 124),
    Column("Result", _title, 0),
    Column("Source", _source, 140),
    Column("Query", _query, 56, is_number=True),
    Column("Class of query", _class, 124, mark=_class_mark),
    Column("What it says", _says, 220),
)


class TimelineView(QWidget):
    """A `TimelinePlot` with a line below it: when the model could first have known, or the mark under the keys."""

    #: The lane and the number of the step whose mark or row was chosen.
    step_chosen = Signal(int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lanes: tuple[str, ...] = ()
        self._marks: tuple[TimelineMark, ...] = ()
        self._view: TableView[int] | None = None
        self._table: LazyTable[int, TimelineMark] | None = None
        self.plot = TimelinePlot(theme)
        self.plot.step_chosen.connect(self.step_chosen)
        self.plot.current_said.connect(self._say)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.plot)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.caption = label("", "small")
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.caption, 1)
        self.list_button = link_button("List the results")
        self.list_button.setCheckable(True)
        self.list_button.toggled.connect(self._toggle_list)
        row.addWidget(self.list_button, 0, Qt.AlignmentFlag.AlignRight)
        self._column.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_trajectories(
        self, event: TimelineEvent, lanes: Sequence[str], marks: Sequence[TimelineMark], asked: float | None = None
    ) -> None:
        """As `TimelinePlot.show_trajectories`."""
        self._lanes, self._marks = tuple(lanes), tuple(marks)
        self.plot.show_trajectories(event, lanes, marks, asked)
        self._say("")
        self.list_button.setEnabled(bool(marks))
        if self._table is not None:
            self._fill()

    def _say(self, mark: str) -> None:
        """The mark under the keys, or what is known of all."""
        words = mark or (self._known() if self._marks else "No search results")
        self.caption.setText(one_line(words, 400))
        self.caption.setToolTip(tooltip(words))

    def _known(self) -> str:
        """When each could first have known; those of which nothing is marked are told together."""
        known = list(zip(self._lanes, self.plot.knowledge, strict=True))
        told = [(lane, each.words) for lane, each in known if each.returned is not None]
        if not told:
            words = known[0][1].words
        elif len(known) == 1:
            words = told[0][1]
        else:
            words = " · ".join(f"{lane}: {text}" for lane, text in told)
            others = "the other" if len(known) - len(told) == 1 else "the others"
            words += f" · {others}: no result is marked so" if len(told) < len(known) else ""
            return words
        return f"{words[:1].upper()}{words[1:]}"

    def _ids(self) -> list[int]:
        """The marks in the order of the plot's keys: lane by lane, by date."""
        return [int(index) for order in self.plot.order for index in order]

    def _toggle_list(self, is_shown: bool) -> None:
        self.list_button.setText("Put the list away" if is_shown else "List the results")
        if self._view is None:
            self._table = LazyTable(_COLUMNS, self._fetch, self)
            self._view = TableView(self._table, self._theme, "results by date")
            self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
            self._view.opened.connect(self._open)
            self._column.addWidget(self._view)
        assert self._table is not None
        if is_shown:
            self._fill()
        self._view.setVisible(is_shown)
        self.updateGeometry()

    def _fill(self) -> None:
        assert self._table is not None
        assert self._view is not None
        self._table.show_ids(self._ids())
        rows = max(1, min(len(self._marks), _LIST_ROWS))
        height = self._view.verticalHeader().defaultSectionSize() * rows
        self._view.setFixedHeight(self._view.horizontalHeader().sizeHint().height() + height + 4)

    def _fetch(self, ids: Sequence[int]) -> dict[int, TimelineMark]:
        return {index: self._marks[index] for index in ids}

    def _open(self, index: object) -> None:
        if isinstance(index, int):
            mark = self._marks[index]
            self.step_chosen.emit(mark.lane, mark.step_number)
