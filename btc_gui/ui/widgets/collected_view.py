"""What became of a collection's rows: the funnel, every dropped row with its reason, and putting rows back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.collection import CandidateId, CandidateRow, Collection, CollectionId
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventId
from btc_gui.domain.funnel import BY_HAND, Funnel
from btc_gui.progress import Progress
from btc_gui.remote.service_address import title_of
from btc_gui.store.candidates import CandidateQuery, CandidateStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.tables.lazy_table import Column, LazyTable, page_of
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.filter_bar import FilterText
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.wording import counted, when

_HEADINGS = ("Step", "Dropped", "Left")
_REASONS = 4
_POSITION = 2
_KEPT = "kept"


@dataclass(frozen=True, slots=True)
class _Overview:
    """A collection with its numbers."""

    collection: Collection
    funnel: Funnel
    reasons: dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class _Rows:
    """What a query found, with the rows seen first."""

    query: CandidateQuery
    ids: list[CandidateId]
    rows: dict[CandidateId, CandidateRow]


def _overview(database: Database, collection_id: CollectionId, progress: Progress) -> _Overview:
    candidates = CandidateStore(database)
    return _Overview(
        CollectionStore(database).get(collection_id),
        candidates.funnel(collection_id),
        candidates.reasons(collection_id),
    )


def _find(database: Database, query: CandidateQuery, item: CandidateId | None, progress: Progress) -> _Rows:
    store = CandidateStore(database)
    ids = store.ids(query)
    return _Rows(query, ids, store.fetch(page_of(ids, item)))


class CollectedView(QWidget):
    """Steps on the left, the rows of the chosen one on the right. `put_back` carries the id of the new event."""

    put_back = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._store = CandidateStore(context.database)
        self._collection_id = CollectionId(0)
        self._overview: _Overview | None = None
        self._order, self._descending = "date", False
        self._contains = ""
        self._numbers = LatestJob(context.job_runner, "Read the funnel", self._show_overview, self)
        self._reading = LatestJob(context.job_runner, "List rows", self._show_rows, self)
        self._build()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.about = label("", "secondary", selectable=True)
        column.addWidget(self.about)
        parts = ListAndDetail("", self._build_steps(), self._build_rows(), (330, 630), heights=(1, 2), is_main=True)
        column.addWidget(parts, 1)

    def _build_steps(self) -> QWidget:
        self.steps = QTableWidget(0, len(_HEADINGS))
        self.steps.setAccessibleName("Funnel")
        self.steps.setMinimumWidth(self.fontMetrics().averageCharWidth() * 24)
        self.steps.setHorizontalHeaderLabels(list(_HEADINGS))
        self.steps.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.steps.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.steps.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.steps.setTabKeyNavigation(False)
        self.steps.setShowGrid(False)
        self.steps.setWordWrap(True)
        self.steps.verticalHeader().hide()
        header = self.steps.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        # Narrower, a step needs more lines; afterwards, since the scroll bar that makes it so is still on its way.
        header.sectionResized.connect(self.steps.resizeRowsToContents, Qt.ConnectionType.QueuedConnection)
        for place in range(len(_HEADINGS)):
            item = self.steps.horizontalHeaderItem(place)
            if item is not None:
                side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.steps.itemSelectionChanged.connect(self._choose_step)
        return self.steps

    def _build_rows(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 0, 0, 0)
        column.setSpacing(8)
        top = QHBoxLayout()
        self.rows_heading = label("", "heading", wraps=False)
        self.filter = FilterText("Filter rows")
        self.filter.filtered.connect(self._filter)
        top.addWidget(self.rows_heading, 1)
        top.addWidget(self.filter)
        column.addLayout(top)
        self.reasons = label("", "small")
        column.addWidget(self.reasons)
        columns: list[Column[CandidateRow]] = [
            Column("Name", lambda row: row.name, 150, "name"),
            Column("Date", lambda row: row.date, 136, "date"),
            Column("Position", lambda row: row.position, 130, "position"),
            Column("Reason", _outcome, 0, "reason"),
        ]
        self.table = LazyTable[CandidateId, CandidateRow](columns, self._store.fetch, self)
        self.view = TableView(self.table, self._context.theme, "Rows of the collection")
        self.view.sort_asked.connect(self._sort)
        self.view.current_changed.connect(self._show_row)
        self.view.opened.connect(self._open_row)
        self.filter.lead_to(self.view)
        column.addWidget(self.view, 1)
        self.detail = label("", selectable=True)
        self.detail.setMinimumHeight(self.detail.fontMetrics().lineSpacing() * 2)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.detail)
        row = QHBoxLayout()
        self.put_back_button = button("Put back…", "arrow-back-up")
        self.put_back_button.clicked.connect(self._put_back)
        self.withdraw_button = button("Withdraw the put-back", "arrow-forward-up")
        self.withdraw_button.setToolTip("The rules decide about this row again; its event stays")
        self.withdraw_button.clicked.connect(self._withdraw)
        self.item_button = button("Open on Wikidata", "external-link")
        self.item_button.clicked.connect(self._open_item)
        row.addWidget(self.put_back_button)
        row.addWidget(self.withdraw_button)
        row.addWidget(self.item_button)
        row.addStretch(1)
        column.addLayout(row)
        return side

    # -- showing ---------------------------------------------------------------------------------------------

    def show_collection(self, collection_id: CollectionId) -> None:
        """Show what became of this collection."""
        self._collection_id = collection_id
        self._overview = None
        self.refresh()

    def refresh(self) -> None:
        """Read everything anew."""
        self._numbers.ask(partial(_overview, self._context.database, self._collection_id))
        self._list()

    def _show_overview(self, found: _Overview) -> None:
        if found.collection.id != self._collection_id:
            return
        is_first = self._overview is None
        self._overview = found
        self.about.setText(_about(found.collection))
        category = self._context.categories.get(found.collection.question.category)
        has_positions = category is None or "position" in category.required
        self.view.horizontalHeader().setSectionHidden(_POSITION, not has_positions)
        chosen = self.steps.currentRow()
        was_blocked = self.steps.blockSignals(True)
        funnel = found.funnel
        rows = [("Everything dropped", f"−{funnel.dropped:,}" if funnel.dropped else "", "")]
        rows += [(step.text, step.change, f"{step.left:,}") for step in funnel.told]
        rows.append(("Events", "", f"{funnel.events:,}"))
        self.steps.setRowCount(len(rows))
        for place, cells in enumerate(rows):
            for column, words in enumerate(cells):
                item = QTableWidgetItem(words)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.steps.setItem(place, column, item)
        self.steps.resizeRowsToContents()
        self.steps.selectRow(0 if is_first else max(chosen, 0))
        self.steps.blockSignals(was_blocked)
        self._say_reasons()

    def _step(self) -> str:
        """The chosen step: a name, `` for everything dropped, or `kept`."""
        row = self.steps.currentRow()
        steps = self._overview.funnel.told if self._overview else ()
        if row > len(steps):
            return _KEPT
        return steps[row - 1].name if row > 0 else ""

    def _query(self) -> CandidateQuery:
        step = self._step()
        return CandidateQuery(
            self._collection_id,
            steps=(step,) if step not in ("", _KEPT, BY_HAND) else (),
            contains=self._contains,
            only_dropped=step not in (_KEPT, BY_HAND),
            only_kept=step == _KEPT,
            only_put_back=step == BY_HAND,
            order=self._order,
            descending=self._descending,
        )

    def _list(self) -> None:
        self._reading.ask(partial(_find, self._context.database, self._query(), self.view.current_id))

    def _show_rows(self, found: _Rows) -> None:
        if found.query != self._query():
            return
        self.table.show_ids(found.ids, found.rows)
        self.view.select_first()
        self.rows_heading.setText(counted(len(found.ids), "row"))
        self._show_row(self.view.current_id)

    def _choose_step(self) -> None:
        self._say_reasons()
        self._list()

    def _say_reasons(self) -> None:
        found = self._overview.reasons.get(self._step(), {}) if self._overview else {}
        told = [f"{count:,} × {one_line(reason, 90)}" for reason, count in list(found.items())[:_REASONS]]
        if len(found) > _REASONS:
            told.append(f"and {len(found) - _REASONS:,} other reasons")
        self.reasons.setText("\n".join(told))
        self.reasons.setVisible(bool(told))

    def _filter(self, text: str) -> None:
        self._contains = text
        self._list()

    def _sort(self, order: str, descending: bool) -> None:
        self._order, self._descending = order, descending
        self.view.show_order(order, descending)
        self._list()

    # -- one row ---------------------------------------------------------------------------------------------

    def _row(self) -> CandidateRow | None:
        current = self.view.current_id
        return self._store.fetch([current]).get(current) if current is not None else None

    def _show_row(self, _: object) -> None:
        row = self._row()
        is_put_back = row is not None and row.is_put_back
        self.put_back_button.setEnabled(row is not None and row.can_be_put_back)
        self.put_back_button.setVisible(not is_put_back)
        self.withdraw_button.setVisible(is_put_back)
        self.item_button.setEnabled(row is not None and bool(row.qid))
        if row is None:
            self.detail.setText("")
            return
        reason = row.overruled or ("" if row.kept else row.reason)
        said = f"{reason[:1].upper()}{reason[1:]}" if reason else "An event"
        parts = [f"{row.name} ({row.qid}), {row.date}. {said}."]
        if row.to_look_at:
            parts.append("Look at: " + "; ".join(row.to_look_at) + ".")
        if row.facts is None:
            parts.append("It can't be put back: a date or a name is missing.")
        if row.note:
            parts.append(f"Put back by {row.author}, {when(row.at)}: {row.note}")
        self.detail.setText(" ".join(parts))

    def _open_row(self, _: object) -> None:
        row = self._row()
        if row is not None and row.event_id is not None:
            self._context.shell.open("events", row.event_id)

    def _open_item(self) -> None:
        row = self._row()
        if row is not None and row.qid:
            QDesktopServices.openUrl(QUrl(f"https://www.wikidata.org/wiki/{row.qid}"))

    def _put_back(self) -> None:
        row = self._row()
        if row is None or not row.can_be_put_back:
            return
        dialog = NoteDialog(
            f"Put {row.name} back",
            f"Dropped: {row.reason}. As an event it stands with your name and note, also in later collections.",
            "Put back",
            within=row.facts.date if row.facts is not None and row.needs_day else None,
            parent=self,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(partial(self._take, row.id, dialog))
        dialog.open()

    def _take(self, candidate_id: CandidateId, dialog: NoteDialog) -> None:
        author = self._context.settings.reviewer
        self._context.job_runner.start(
            "Put back",
            partial(_put_back, self._context.database, candidate_id, dialog.note, author, dialog.day),
            lane="load",
            succeeded=self._taken,
            is_quiet=True,
        )

    def _withdraw(self) -> None:
        row = self._row()
        if row is None or not row.is_put_back:
            return
        self._context.job_runner.start(
            "Withdraw the put-back",
            partial(_withdraw, self._context.database, row.id, self._context.settings.reviewer),
            lane="load",
            succeeded=self._withdrawn,
            is_quiet=True,
        )

    def _withdrawn(self, _: object) -> None:
        self._context.changes.tell(Subject.EVENTS)
        self._context.shell.say("The rules decide about it again; its event stays, and can be rejected.")
        self.refresh()

    def _taken(self, event_id: object) -> None:
        self._context.changes.tell(Subject.EVENTS)
        self._context.shell.say("It is an event now.")
        self.refresh()
        self.put_back.emit(event_id)


def _withdraw(database: Database, candidate_id: CandidateId, author: str, progress: Progress) -> None:
    CandidateStore(database).withdraw_put_back(candidate_id, author)


def _put_back(
    database: Database, candidate_id: CandidateId, note: str, author: str, day: EventDate | None, progress: Progress
) -> EventId:
    return CandidateStore(database).put_back(candidate_id, note, author, day)


def _outcome(row: CandidateRow) -> str:
    if row.kept:
        return "; ".join(row.marks) or "an event"
    return f"put back: {row.note}" if row.note else row.reason


def collection_title(context: Context, collection: Collection) -> str:
    """A collection in words: `Demises, 1 February to 30 June 2026`."""
    category = context.categories.get(collection.question.category)
    return collection.titled(category.plural) if category else collection.title


def _about(collection: Collection) -> str:
    question = collection.question
    parts = [
        f"Asked at {title_of(question.service)} by {collection.started_by}, {when(collection.started_at)}",
    ]
    if collection.data_date:
        parts.append(f"data of {when(collection.data_date)}")
    parts.append(counted(collection.requests, "request"))
    return " · ".join(parts)
