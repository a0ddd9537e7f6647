"""The queue of what asking again has found: each entry is taken, rejected with its event, or left as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from btc_gui.domain.event import Event
from btc_gui.progress import Progress
from btc_gui.remote.service_address import title_of
from btc_gui.sessions.event_desk import Consequence, EventDesk, cannot_take
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.movements import MovementId, MovementRow, MovementStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.wording import counted, when


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry with the event as it is here."""

    row: MovementRow
    event: Event


def _fetch(database: Database, ids: Sequence[MovementId]) -> dict[MovementId, _Entry]:
    rows = MovementStore(database).fetch(ids)
    events = EventStore(database).fetch([row.event_id for row in rows.values()])
    return {each: _Entry(row, events[row.event_id]) for each, row in rows.items() if row.event_id in events}


def _open_ids(database: Database, progress: Progress) -> list[MovementId]:
    return MovementStore(database).open_ids()


def _do(work: Callable[[], object], progress: Progress) -> object:
    return work()


class MovedDialog(QDialog):
    """Nothing moves by itself: a person answers each entry."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        self._desk = EventDesk(context.database, context.categories, context.settings.reviewer)
        self._reading = LatestJob(context.job_runner, "List what moved", self._show_ids, self)
        self.setWindowTitle("What moved")
        size_window(self, 900, 560)
        self._build()
        self.refresh()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        self.heading = label("What moved", "title")
        column.addWidget(self.heading)
        words = (
            "Asked again, Wikidata says something else about these events. Taking the new facts makes approvals of "
            "their probes stale; rejecting an event rejects its probes."
        )
        column.addWidget(label(words, "secondary"))
        columns: list[Column[_Entry]] = [
            Column("Entity", lambda entry: entry.event.facts.entity, 170),
            Column("What", lambda entry: str(entry.row.movement).capitalize(), 130),
            Column("Here", lambda entry: entry.event.facts.date.text, 140),
            Column("Now", lambda entry: entry.row.now.date.text if entry.row.now else "–", 140),
            Column("Found", lambda entry: entry.row.reason, 0),
        ]
        self.table = LazyTable[MovementId, _Entry](columns, partial(_fetch, self._context.database), self)
        self.view = TableView(self.table, self._context.theme, "What moved")
        self.view.current_changed.connect(self._show_entry)
        self.view.opened.connect(self._open)
        column.addWidget(self.view, 1)
        self.detail = label("", selectable=True)
        self.detail.setMinimumHeight(self.detail.fontMetrics().lineSpacing() * 3)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.detail)
        # With large letters they don't stand beside each other in a small window.
        row = FlowLayout(trailing=3)
        self.take_button = button("Take the new facts", "check", "primary")
        self.reject_button = button("Reject the event…", "x", "danger")
        self.leave_button = button("Leave as it is…")
        close = button("Close")
        for made, answer in (
            (self.take_button, self._take),
            (self.reject_button, self._reject),
            (self.leave_button, self._leave),
            (close, self.reject),
        ):
            made.clicked.connect(answer)
            row.addWidget(made)
        column.addLayout(row)

    # -- showing ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the queue anew."""
        self._reading.ask(partial(_open_ids, self._context.database))

    def _show_ids(self, ids: list[MovementId]) -> None:
        self.table.show_ids(ids)
        self.view.select_first()
        self.heading.setText(f"{counted(len(ids), 'event')} moved" if ids else "Nothing left to answer")
        self._show_entry(self.view.current_id)

    def _entry(self) -> _Entry | None:
        current = self.view.current_id
        return _fetch(self._context.database, [current]).get(current) if current is not None else None

    def _show_entry(self, _: object) -> None:
        entry = self._entry()
        for made in (self.reject_button, self.leave_button):
            made.setEnabled(entry is not None)
        reason = cannot_take(entry.row, entry.event.facts) if entry is not None else ""
        self.take_button.setEnabled(entry is not None and not reason)
        self.take_button.setToolTip(reason)
        if entry is None:
            self.detail.setText("")
            return
        consequence = self._desk.consequence(entry.row.event_id)
        self.detail.setText(
            f"{entry.event.title}: {entry.row.reason} Asked at {title_of(entry.row.service)}, "
            f"{when(entry.row.found_at)}. "
            f"{_consequence_text(consequence)}"
        )

    def _open(self, _: object) -> None:
        entry = self._entry()
        if entry is not None:
            self._context.shell.open("events", entry.row.event_id)

    # -- answering -------------------------------------------------------------------------------------------

    def _take(self) -> None:
        entry = self._entry()
        if entry is not None:
            self._start(partial(self._desk.take, entry.row.id))

    def _reject(self) -> None:
        entry = self._entry()
        if entry is not None:
            text = f"{entry.row.reason} {_consequence_text(self._desk.consequence(entry.row.event_id))}"
            self._ask(f"Reject {entry.event.facts.entity}", text, "Reject", entry, is_rejecting=True)

    def _leave(self) -> None:
        entry = self._entry()
        if entry is not None:
            text = f"{entry.row.reason} The same is not asked about again."
            self._ask(f"Leave {entry.event.facts.entity} as it is", text, "Leave", entry, is_rejecting=False)

    def _ask(self, title: str, text: str, verb: str, entry: _Entry, *, is_rejecting: bool) -> None:
        role = "danger" if is_rejecting else "primary"
        dialog = NoteDialog(title, text, verb, is_needed=not is_rejecting, role=role, parent=self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(partial(self._answer, entry.row.id, dialog, is_rejecting))
        dialog.open()

    def _answer(self, movement_id: MovementId, dialog: NoteDialog, is_rejecting: bool) -> None:
        answer = self._desk.reject_moved if is_rejecting else self._desk.leave
        self._start(partial(answer, movement_id, dialog.note))

    def _start(self, work: Callable[[], object]) -> None:
        self._context.job_runner.start(
            "Answer", partial(_do, work), lane="load", succeeded=self._answered, is_quiet=True
        )

    def _answered(self, _: object) -> None:
        self._context.changes.tell(Subject.EVENTS, Subject.PROBES, Subject.REVIEWS)
        self.view.setFocus()
        self.refresh()


def _consequence_text(consequence: Consequence) -> str:
    parts = []
    if consequence.approvals:
        parts.append(f"{counted(consequence.approvals, 'approval')} would go stale with other facts.")
    if consequence.probes:
        parts.append(f"{counted(consequence.probes, 'probe')} would be rejected with the event.")
    return " ".join(parts)
