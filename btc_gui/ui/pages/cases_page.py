"""Cases: every answer by facets and words, and a reader that puts two trajectories side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.case import CasePool, CaseQuery, CaseRow
from btc_gui.domain.case_pick import picked_cases
from btc_gui.domain.case_reference import CaseReference, is_reference, parse_reference
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.search_snippet import CaseText, SnippetSearch
from btc_gui.domain.search_terms import parse
from btc_gui.domain.trajectory import AnswerId
from btc_gui.jobs.index_cases import index_cases
from btc_gui.progress import Progress
from btc_gui.store.cases import CaseStore
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.ui.case_columns import CASE_COLUMNS
from btc_gui.ui.case_listing import ListedCases, conditions_of, words_of_count
from btc_gui.ui.case_opening import CaseOpening
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.case_snippets import CaseSnippets
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.failure_stepping import FailureStepping
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import LazyTable, page_of
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.trying import Trying
from btc_gui.ui.widgets.buttons import condition_button, link_button
from btc_gui.ui.widgets.case_filters import CaseFilters
from btc_gui.ui.widgets.case_reader import CaseReader
from btc_gui.ui.widgets.collect_button import CollectButton
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import EmptyState, ReadingState, page_column
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.only_bar import OnlyBar
from btc_gui.ui.widgets.pick_dialog import PickDialog
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.saved_filters_button import SavedFiltersButton
from btc_gui.ui.words import counted

#: How much of the page's width the list takes, and no less or more than so many pixels.
_LIST_SHARE, _NARROWEST_LIST, _WIDEST_LIST = 0.3, 320, 440
#: Rows that a list shows at once, on a large screen too, and those around.
_ROWS_SEEN = 60
#: One that has to be made plain before it is compared.
_ANY_LETTER = "é"


class CasesPage(Page):
    """The page of cases. `show_item` takes an answer's id, a `CaseReference`, a `CaseQuery`, or a `CaseSet`."""

    name = "cases"
    title = "Cases"
    icon = "layout-columns"
    subjects = frozenset({Subject.ANSWERS, Subject.VERDICTS, Subject.NOTES, Subject.STUDIES, Subject.RUNS})
    least_height = 660

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._listing = LatestJob(context.job_runner, "Find cases", self._show_found, self, drops_older=True)
        self._drawing = LatestJob(context.job_runner, "Pick cases", self._show_picked, self)
        self._query = CaseQuery()
        self._set: CaseSet | None = None
        self._wanted: CaseReference | None = None
        self._indexing: set[CasePool] = set()
        # What the list was made of: while that is the same, nothing is read for it again.
        self._shown: object = None
        self._is_listing = False
        self.pick_dialog: PickDialog | None = None
        self._table: LazyTable[AnswerId, CaseRow] = LazyTable(CASE_COLUMNS, self._fetch, self)
        self._build()
        self._bind()
        self._ahead: list[Callable[[], object]] = [*self._reader.parts_ahead, self._load]
        # The first look at the cases reads them all: while nobody waits for it.
        context.job_runner.start("Read cases", self._read_ahead, is_quiet=True, failed=self._not_read_ahead)

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = page_column(self)
        self._stack = QStackedWidget()
        self._stack.addWidget(ReadingState())
        column.addWidget(self._stack)
        left = self._left_side()
        self._reader = CaseReader(self._context)
        self._opening = CaseOpening(self._context, self._reader, self)
        self._trying = Trying(self._context, self, self._shown_probe)
        self._failures = FailureStepping(self._context, self._fetch, self._view.select_id, self)
        sizes, heights, width = (_NARROWEST_LIST, 3 * _NARROWEST_LIST), (2, 3), self._width_of_list
        self._split = ListAndDetail("", left, self._reader, sizes, heights=heights, is_main=True, width_of_list=width)
        self._split.setHandleWidth(16)
        # A case may be read alone.
        self._split.setCollapsible(0, True)
        self._empty = EmptyState(
            "layout-columns",
            "No cases yet",
            "Every answer of a run becomes a case here: its queries, what they brought, the answer, the judge's label.",
            self._context.commands.action("go.runs"),
        )
        self._stack.addWidget(self._split)
        self._stack.addWidget(self._empty)

    def _width_of_list(self, whole: int) -> int:
        scale = max(self._context.theme.text_scale, 1.0)
        return max(_NARROWEST_LIST, min(round(whole * _LIST_SHARE), round(_WIDEST_LIST * scale)))

    def _left_side(self) -> QWidget:
        self._left = QWidget()
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        holder = QWidget()
        heading = FlowLayout(holder, 6, trailing=1)
        heading.addWidget(label("Cases", "title", wraps=False))
        self.saved = SavedFiltersButton(
            SavedFilterStore(self._context.database, "cases"), self._kept, self._context.shell
        )
        self.saved.chosen.connect(self._choose_saved)
        heading.addWidget(self.saved)
        self.collect = CollectButton(self._context, lambda: self._table.ids)
        self.collect.setToolTip("Put these cases into a collection, open one")
        heading.addWidget(self.collect)
        column.addWidget(holder)
        self._filters = CaseFilters()
        self._filters.changed.connect(self._ask_query)
        column.addWidget(self._filters)
        self._only = condition_button()
        self._only.setToolTip("Show all cases again")
        self._only.clicked.connect(self._show_all)
        self._only.hide()
        column.addWidget(self._only, 0, Qt.AlignmentFlag.AlignLeft)
        self._pins = OnlyBar()
        self._pins.dropped.connect(self._drop_condition)
        column.addWidget(self._pins)
        self._counts = label("", "secondary")
        counting = QHBoxLayout()
        counting.addWidget(self._counts, 1)
        self._picking = link_button("Pick…")
        self._picking.setToolTip("Pick some of these cases at random")
        self._picking.clicked.connect(self._ask_pick)
        self._all = link_button("Show all")
        self._all.setToolTip("Show all cases: without words, facets and other conditions")
        self._all.clicked.connect(self._show_all)
        counting.addWidget(self._all, 0, Qt.AlignmentFlag.AlignTop)
        counting.addWidget(self._picking, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(counting)
        self._view: TableView[AnswerId] = TableView(self._table, self._context.theme, "cases")
        self._filters.words.lead_to(self._view)
        self._snippets = CaseSnippets(self._context, self._view, self)
        self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self._view.current_changed.connect(self._current_changed)
        self._view.opened.connect(self._go_to_place)
        self._view.sort_asked.connect(self._sort)
        column.addWidget(self._view, 1)
        self._left.setMinimumWidth(280)
        return self._left

    def _bind(self) -> None:
        commands = self._context.commands
        for name, method in (
            ("cases.next", self._next_case),
            ("cases.previous", self._previous_case),
            ("cases.next_failure", self._next_failure),
            ("cases.previous_failure", self._previous_failure),
            ("cases.list", self._toggle_list),
            ("cases.pick", self._ask_pick),
            ("cases.save_view", self.saved.ask_name),
            ("cases.try", self._trying.ask),
            *self._reader.commands,
        ):
            commands.bind(name, method, self)

    # -- the list --------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Show the present cases."""
        if self._shown is None or self._shown != (self._state(), self._query, self._set):
            self._load()

    def prepare(self) -> bool:
        """The parts of the reader one by one, then the list and its first case, as if somebody had come here."""
        if self._shown is not None or not self._ahead:
            return False
        with self._context.job_runner.unasked():
            self._ahead.pop(0)()
        return True

    def show_item(self, item: object) -> None:
        """Show one case (at a step of it, if its reference names one), the cases of a query, or some cases."""
        if isinstance(item, CaseSet):
            self._set, self._wanted = item, None
            if item.shows_verdicts:
                self._reader.show_opinions()
            self._show_query(CaseQuery(order=self._query.order, descending=self._query.descending))
        elif isinstance(item, CaseQuery):
            self._set = self._wanted = None
            self._show_query(replace(item, order=self._query.order, descending=self._query.descending))
        elif isinstance(item, int | CaseReference):
            self._wanted = item if isinstance(item, CaseReference) else CaseReference(AnswerId(item))
            if self._table.row_of(self._wanted.answer_id) >= 0:
                step = self._choose_wanted()
                if step is not None and self._view.current_id is not None:
                    self._opening.open(self._view.current_id, step_number=step)
            else:
                self._set = None
                # Written out: also a filter's answer is found by it.
                row = self._store().fetch([self._wanted.answer_id]).get(self._wanted.answer_id)
                self._show_query(CaseQuery(pool=row.pool) if row is not None else CaseQuery(contains=str(item)))

    def _show_query(self, query: CaseQuery) -> None:
        self._query = query
        self._filters.show_query(query)
        self._load()

    def take_focus(self) -> None:
        """The list's keys."""
        self._view.setFocus()

    def leave(self) -> None:
        """Keep the note that is being typed."""
        self._reader.notes.keep_draft()

    def focus_filter(self) -> None:
        """Put the cursor into the search field."""
        self._filters.focus_words()

    def _store(self) -> CaseStore:
        """The cases as this person may see them: without the labels that an open study keeps from whoever labels."""
        return CaseStore(self._context.database, blind_for=self._context.settings.reviewer)

    def _fetch(self, ids: Sequence[AnswerId]) -> dict[AnswerId, CaseRow]:
        return self._store().fetch(ids)

    def _shown_probe(self) -> ProbeId | None:
        """The probe of the case that is open; None for a sample of somebody else's log."""
        current = self._opening.current
        row = self._fetch([current]).get(current) if current is not None else None
        return row.probe_id if row is not None else None

    def _read_ahead(self, progress: Progress) -> None:
        self._store().find(CaseQuery(), progress)

    def read_ahead(self, progress: Progress) -> None:
        """A search, for what takes long the first time: names as they are compared, letters of all scripts."""
        self._store().find(CaseQuery(contains=_ANY_LETTER), progress)
        SnippetSearch(parse(_ANY_LETTER)).find([CaseText("answer", _ANY_LETTER)])

    def _not_read_ahead(self, error: object) -> None:
        """Whoever opens the page hears of it."""

    @property
    def is_listed(self) -> bool:
        """Whether the list shows what was asked for last."""
        return not self._listing.is_reading

    def forget(self) -> None:
        """Read list and case from the project the next time, though nothing has changed."""
        self._shown = None
        self._opening.forget()

    def _state(self) -> object:
        """What the cases are read from: the project's state, and who looks."""
        return self._context.database.state_of_data(), self._context.settings.reviewer

    def _load(self) -> None:
        query, state = self._query, self._state()
        database = self._context.database
        store = self._store()
        chosen, seen = self._set, self._wanted.answer_id if self._wanted is not None else self._view.current_id

        def find(progress: Progress) -> ListedCases:
            found = store.find(query, progress, among=chosen.ids if chosen is not None else None)
            if chosen is not None and chosen.keeps_order:
                place = {answer_id: number for number, answer_id in enumerate(chosen.ids)}
                found = replace(found, ids=sorted(found.ids, key=lambda each: place[each]))
            rows = store.fetch(page_of(found.ids, seen, _ROWS_SEEN))
            conditions, has_filter = conditions_of(database, query), store.has_pool(CasePool.FILTER)
            return ListedCases(state, query, chosen, found, rows, conditions, has_filter)

        self._listing.ask(find)

    def _show_found(self, read: object) -> None:
        if not isinstance(read, ListedCases) or (read.query, read.chosen) != (self._query, self._set):
            return
        found = read.found
        # What is not searchable yet is to become so.
        self._shown = (read.state, read.query, read.chosen) if not found.unsearched else None
        self._filters.show_found(read.query, found, read.has_filter)
        # One row after the other becomes the current one: the case beside the list is opened once, in the end.
        before, self._is_listing = self._view.current_id, True
        self._table.show_ids(found.ids, read.rows)
        is_filtered = read.chosen is not None or replace(read.query, order="date", descending=False) != CaseQuery()
        self._stack.setCurrentWidget(self._split if found.ids or is_filtered or read.has_filter else self._empty)
        self._counts.setText(words_of_count(read, is_filtered))
        self._all.setVisible(is_filtered)
        self._picking.setVisible(len(found.ids) > 1)
        self._only.setVisible(read.chosen is not None)
        self._only.setText(f"Only: {one_line(read.chosen.title, 60)}  ✕" if read.chosen else "")
        self._pins.show_conditions(read.only)
        is_arranged = read.chosen is not None and read.chosen.keeps_order
        self._view.show_order("" if is_arranged else read.query.order, read.query.descending)
        words = read.query.contains
        self._snippets.follow("" if is_reference(words) else words)
        if is_reference(words) and found.ids:
            self._wanted = parse_reference(words)
        step = self._choose_wanted()
        self._view.select_first()
        self._is_listing = False
        current = self._view.current_id
        # The list is painted while the case is read.
        with self._context.job_runner.unasked():
            if current is None:
                self._opening.close("No case fits", "Take a facet away, or search for other words.")
            elif current != before or step is not None:
                self._opening.open(current, step_number=step)
            else:
                self._opening.read_again()
        if found.unsearched:
            self._index(read.query.pool)

    def _choose_wanted(self) -> int | None:
        """Make the case that was asked for the current one, if it is listed; gives the step that was asked for."""
        wanted = self._wanted
        if wanted is None or not self._view.select_id(wanted.answer_id):
            return None
        self._wanted = None
        return wanted.step

    def _index(self, pool: CasePool) -> None:
        """Make searchable what is not yet: of older projects, and the answers of filters."""
        if pool not in self._indexing:
            self._indexing.add(pool)
            database = self._context.database

            def work(progress: Progress) -> CasePool:
                index_cases(database, progress, pool)
                return pool

            job = self._context.job_runner.start("Make cases searchable", work, lane="index", succeeded=self._indexed)
            job.ended.connect(self._not_indexing)

    def _indexed(self, _: object) -> None:
        self._load()

    def _not_indexing(self, _: object) -> None:
        self._indexing.clear()

    def _show_all(self) -> None:
        self._set = None
        self._show_query(CaseQuery(order=self._query.order, descending=self._query.descending))

    def _drop_condition(self, field: str) -> None:
        without: dict[str, Any] = {field: None}
        self._query = replace(self._query, **without)
        self._load()

    def _ask_query(self, query: object) -> None:
        if isinstance(query, CaseQuery):
            self._query = query
            self._load()

    def _kept(self) -> Mapping[str, object]:
        """The present view, to be saved."""
        return self._query.as_json()

    def _choose_saved(self, content: Mapping[str, object]) -> None:
        self._set = None
        self._show_query(CaseQuery.from_json(content))

    def _ask_pick(self) -> None:
        ids = self._table.ids
        if ids:
            self.pick_dialog = dialog = PickDialog(len(ids), self.window())
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.accepted.connect(self._pick)
            dialog.open()

    def _pick(self) -> None:
        if self.pick_dialog is None:
            return
        ids, count, seed = self._table.ids, self.pick_dialog.count, self.pick_dialog.seed
        self.pick_dialog = None

        def pick(progress: Progress) -> CaseSet:
            picked = picked_cases(ids, count, seed)
            return CaseSet(f"{counted(len(picked), 'case')} picked with seed “{seed}”", tuple(picked))

        # A hash for each case of the list: a second or more for those of a filter.
        self._drawing.ask(pick)

    def _show_picked(self, picked: object) -> None:
        if isinstance(picked, CaseSet):
            self._set = picked
            self._load()

    def _sort(self, order: str, descending: bool) -> None:
        self._query = replace(self._query, order=order, descending=descending)
        if self._set is not None:
            self._set = replace(self._set, keeps_order=False)
        self._load()

    def _next_case(self) -> None:
        self._move(1)

    def _previous_case(self) -> None:
        self._move(-1)

    def _move(self, step: int) -> None:
        current = self._view.current_id
        row = self._table.row_of(current) + step if current is not None else 0
        wanted = self._table.id_at(row)
        if wanted is not None:
            self._view.select_id(wanted)

    def _next_failure(self) -> None:
        ids = self._table.ids
        self._failures.look(ids[self._row() + 1 :], "further")

    def _previous_failure(self) -> None:
        ids = self._table.ids
        self._failures.look(ids[: max(self._row(), 0)][::-1], "earlier")

    def _row(self) -> int:
        current = self._view.current_id
        return self._table.row_of(current) if current is not None else -1

    def _toggle_list(self) -> None:
        self._left.setVisible(not self._left.isVisible())

    def compare_next(self) -> None:
        """Put the next of the other answers beside the case."""
        self._reader.compare_next()

    def _go_to_place(self, answer_id: object) -> None:
        """Enter, or a double click: on to the step that the search found."""
        if isinstance(answer_id, int):
            snippet = self._snippets.snippet(AnswerId(answer_id))
            if snippet is not None and snippet.step is not None:
                self._opening.open(AnswerId(answer_id), step_number=snippet.step)

    # -- the reader ------------------------------------------------------------------------------------------

    def _current_changed(self, answer_id: object) -> None:
        if self._is_listing:
            return
        if isinstance(answer_id, int):
            self._opening.open(AnswerId(answer_id))
        else:
            self._opening.close()
