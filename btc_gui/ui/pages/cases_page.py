"""Cases: every answer by facets and words, and a reader that puts two trajectories side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.case import IN_STUDY, CaseQuery, CaseRow
from btc_gui.domain.configuration_titles import configuration_titles
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.progress import Progress
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.runs import RunStore
from btc_gui.ui.case_opening import CaseOpening
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.failure_stepping import FailureStepping
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import Column, LazyTable, page_of
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.case_reader import CaseReader
from btc_gui.ui.widgets.filter_bar import Choice, Facet, FilterText
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import EmptyState, ReadingState, page_column
from btc_gui.ui.widgets.only_bar import OnlyBar
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.words import counted

#: The facets in their order: the query's field and the words on the button.
_FACETS: Final = (
    ("categories", "Category"),
    ("kinds", "Probe"),
    ("models", "Model"),
    ("harnesses", "Harness"),
    ("efforts", "Effort"),
    ("modes", "Failure mode"),
    ("labels", "Judge"),
    ("endings", "Ending"),
    ("queries", "Queries"),
    ("sources", "Source"),
)
_MODES = {mode.value: mode.text for mode in FailureMode}
_ENDINGS = {ending.value: ending.text for ending in Ending}


@dataclass(frozen=True, slots=True)
class _Found:
    """What a query found."""

    query: CaseQuery
    chosen: CaseSet | None
    ids: list[AnswerId]
    facets: dict[str, dict[str, int]]
    rows: dict[AnswerId, CaseRow]
    only: dict[str, str]


def _label_mark(case: CaseRow) -> str:
    return case.label.value if case.label else "unreviewed"


def _mode_mark(case: CaseRow) -> str:
    return case.mode.value if case.mode else ""


def _entity(case: CaseRow) -> str:
    return case.entity


def _configuration(case: CaseRow) -> str:
    kind = " direct" if case.kind is ProbeKind.DIRECT else ""
    which = f" · {case.repetition}" if case.repetition > 1 else ""
    return f"{case.configuration.model} {case.configuration.effort.text}{kind}{which}"


def _queries(case: CaseRow) -> str:
    return str(case.queries)


COLUMNS: Final[tuple[Column[CaseRow], ...]] = (
    Column("Case", _entity, 0, "entity", mark=_label_mark),
    Column("Configuration", _configuration, 134, "model", mark=_mode_mark),
    Column("Q", _queries, 32, "queries", is_number=True),
)


class CasesPage(Page):
    """The page of cases. `show_item` takes an answer's id, a `CaseQuery`, or a `CaseSet`."""

    name = "cases"
    title = "Cases"
    icon = "layout-columns"
    subjects = frozenset({Subject.ANSWERS, Subject.VERDICTS, Subject.NOTES, Subject.STUDIES, Subject.RUNS})

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._listing = LatestJob(context.job_runner, "Find cases", self._show_found, self)
        self._query = CaseQuery()
        self._set: CaseSet | None = None
        self._wanted: AnswerId | None = None
        self._table: LazyTable[AnswerId, CaseRow] = LazyTable(COLUMNS, self._fetch, self)
        self._build()
        self._bind()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = page_column(self)
        self._stack = QStackedWidget()
        self._stack.addWidget(ReadingState())
        column.addWidget(self._stack)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(16)
        self._split.addWidget(self._left_side())
        self._reader = CaseReader(self._context)
        self._opening = CaseOpening(self._context, self._reader, self)
        self._failures = FailureStepping(self._context, self._fetch, self._view.select_id, self)
        self._split.addWidget(self._reader)
        self._split.setStretchFactor(1, 1)
        self._split.setCollapsible(1, False)
        self._split.setSizes([330, 900])
        self._empty = EmptyState(
            "layout-columns",
            "No cases yet",
            "Every answer of a run becomes a case here: its queries, what they brought, the answer, the judge's label.",
            self._context.commands.action("go.runs"),
        )
        self._stack.addWidget(self._split)
        self._stack.addWidget(self._empty)

    def _left_side(self) -> QWidget:
        self._left = QWidget()
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(label("Cases", "title", wraps=False))
        self._words = FilterText("Search answers and queries")
        self._words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._words.filtered.connect(self._filter_words)
        column.addWidget(self._words)
        flow_holder = QWidget()
        flow = FlowLayout(flow_holder, 6)
        self._facets: dict[str, Facet] = {}
        for field, words in _FACETS:
            facet = Facet(words)
            facet.setObjectName(f"facet-{field}")
            facet.chosen.connect(self._filter_facets)
            self._facets[field] = facet
            flow.addWidget(facet)
        column.addWidget(flow_holder)
        self._only = button("", role="toggle")
        self._only.setToolTip("Show all cases again")
        self._only.clicked.connect(self._show_all)
        self._only.hide()
        column.addWidget(self._only, 0, Qt.AlignmentFlag.AlignLeft)
        self._pins = OnlyBar()
        self._pins.dropped.connect(self._drop_condition)
        column.addWidget(self._pins)
        self._counts = label("", "secondary")
        column.addWidget(self._counts)
        self._view: TableView[AnswerId] = TableView(self._table, self._context.theme, "cases")
        self._words.lead_to(self._view)
        self._view.setSelectionMode(TableView.SelectionMode.SingleSelection)
        self._view.current_changed.connect(self._current_changed)
        self._view.sort_asked.connect(self._sort)
        column.addWidget(self._view, 1)
        self._left.setMinimumWidth(240)
        return self._left

    def _bind(self) -> None:
        commands = self._context.commands
        for name, method in (
            ("cases.next", self._next_case),
            ("cases.previous", self._previous_case),
            ("cases.next_failure", self._next_failure),
            ("cases.previous_failure", self._previous_failure),
            ("cases.list", self._toggle_list),
            *self._reader.commands,
        ):
            commands.bind(name, method, self)

    # -- the list --------------------------------------------------------------------------------------------

    def activate(self) -> None:
        """Show the present cases."""
        self._load()

    def show_item(self, item: object) -> None:
        """Show one case by its answer's id, the cases of a query, or some cases."""
        if isinstance(item, CaseSet):
            self._set, self._wanted = item, None
            if item.shows_verdicts:
                self._reader.show_opinions()
            self._query = CaseQuery(order=self._query.order, descending=self._query.descending)
            self._words.setText("")
            self._load()
        elif isinstance(item, CaseQuery):
            self._set = None
            self._query = replace(item, order=self._query.order, descending=self._query.descending)
            self._words.setText(item.contains)
            self._wanted = None
            self._load()
        elif isinstance(item, int):
            self._wanted = AnswerId(item)
            if not self._view.select_id(self._wanted):
                self._set, self._query = None, CaseQuery()
                self._words.setText("")
                self._load()

    def take_focus(self) -> None:
        """The list's keys."""
        self._view.setFocus()

    def leave(self) -> None:
        """Keep the note that is being typed."""
        self._reader.notes.keep_draft()

    def focus_filter(self) -> None:
        """Put the cursor into the search field."""
        self._words.setFocus()
        self._words.selectAll()

    def _store(self) -> CaseStore:
        """The cases as this person may see them: without the labels that an open study keeps from whoever labels."""
        return CaseStore(self._context.database, blind_for=self._context.settings.reviewer)

    def _fetch(self, ids: Sequence[AnswerId]) -> dict[AnswerId, CaseRow]:
        return self._store().fetch(ids)

    def _load(self) -> None:
        query = self._query
        database = self._context.database
        store = self._store()
        chosen, seen = self._set, self._wanted or self._view.current_id

        def find(progress: Progress) -> _Found:
            ids = store.ids(query)
            if chosen is not None:
                wanted = set(chosen.ids)
                ids = [answer_id for answer_id in ids if answer_id in wanted]
            return _Found(
                query, chosen, ids, store.facets(query), store.fetch(page_of(ids, seen)), _only(database, query)
            )

        self._listing.ask(find)

    def _show_found(self, found: object) -> None:
        if not isinstance(found, _Found) or (found.query, found.chosen) != (self._query, self._set):
            return
        self._show_facets(found.facets)
        self._table.show_ids(found.ids, found.rows)
        is_filtered = found.chosen is not None or replace(found.query, order="date", descending=False) != CaseQuery()
        self._stack.setCurrentWidget(self._split if found.ids or is_filtered else self._empty)
        count = len(found.ids)
        self._counts.setText(counted(count, "case") + (" found" if is_filtered else "") + _blind_words(found))
        self._only.setVisible(found.chosen is not None)
        self._only.setText(f"Only: {one_line(found.chosen.title, 60)}  ✕" if found.chosen else "")
        self._pins.show_conditions(found.only)
        self._view.show_order(found.query.order, found.query.descending)
        before = self._view.current_id
        if self._wanted is not None and self._view.select_id(self._wanted):
            self._wanted = None
        else:
            self._view.select_first()
        if before is not None and before == self._view.current_id:
            self._opening.read_again()
        if not found.ids:
            self._opening.close("No case fits", "Take a facet away, or search for other words.")

    def _show_facets(self, facets: dict[str, dict[str, int]]) -> None:
        for field, facet in self._facets.items():
            chosen = getattr(self._query, field)
            counts = {**dict.fromkeys(chosen, 0), **facets.get(field, {})}
            facet.set_choices([Choice(value, _facet_words(field, value), count) for value, count in counts.items()])
            facet.choose(chosen)

    def _show_all(self) -> None:
        self._set, self._query = None, CaseQuery(order=self._query.order, descending=self._query.descending)
        self._load()

    def _drop_condition(self, field: str) -> None:
        without: dict[str, Any] = {field: None}
        self._query = replace(self._query, **without)
        self._load()

    def _filter_words(self, words: str) -> None:
        self._query = replace(self._query, contains=words)
        self._load()

    def _filter_facets(self) -> None:
        chosen = self._facets
        self._query = replace(
            self._query,
            categories=chosen["categories"].values,
            kinds=chosen["kinds"].values,
            models=chosen["models"].values,
            harnesses=chosen["harnesses"].values,
            efforts=chosen["efforts"].values,
            modes=chosen["modes"].values,
            labels=chosen["labels"].values,
            endings=chosen["endings"].values,
            queries=chosen["queries"].values,
            sources=chosen["sources"].values,
        )
        self._load()

    def _sort(self, order: str, descending: bool) -> None:
        self._query = replace(self._query, order=order, descending=descending)
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

    # -- the reader ------------------------------------------------------------------------------------------

    def _current_changed(self, answer_id: object) -> None:
        if isinstance(answer_id, int):
            self._opening.open(AnswerId(answer_id))
        else:
            self._opening.close()


def _only(database: Database, query: CaseQuery) -> dict[str, str]:
    """The conditions of a query that no facet shows: the query's field, and words."""
    words = {}
    if query.run_id is not None:
        words["run_id"] = f"run “{RunStore(database).get(query.run_id).name}”"
    if query.event_id is not None:
        words["event_id"] = EventStore(database).get(query.event_id).facts.entity
    if query.probe_id is not None:
        words["probe_id"] = ProbeStore(database).get(query.probe_id).text
    if query.configuration_id is not None:
        titles = configuration_titles(RunStore(database).configurations())
        words["configuration_id"] = titles[query.configuration_id]
    return words


def _blind_words(found: _Found) -> str:
    blind = found.facets.get("labels", {}).get(IN_STUDY, 0)
    is_left_out = bool(found.query.labels) and IN_STUDY not in found.query.labels
    return f" · {blind:,} {IN_STUDY}, without labels" if blind and not is_left_out and not found.chosen else ""


def _facet_words(field: str, value: str) -> str:
    if field == "modes":
        return _MODES.get(value, value.capitalize())
    if field == "endings":
        return _ENDINGS.get(value, value).capitalize()
    return value if field == "models" else value[:1].upper() + value[1:]
