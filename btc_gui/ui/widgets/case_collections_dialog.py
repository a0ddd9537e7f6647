"""Collections of cases: name, description, order; opened as a list, saved as cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QCloseEvent, QFocusEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.case import CaseRow
from btc_gui.domain.case_remarks import CaseCollection, CollectionId
from btc_gui.domain.outside_text import printable
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.cases import CaseStore
from btc_gui.ui.card_exporting import CardExport
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.collect_button import open_collection
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import EmptyState, size_window
from btc_gui.ui.widgets.plain_text import label, one_line, tooltip
from btc_gui.ui.words import counted, moment

_ID = int(Qt.ItemDataRole.UserRole)


def _entity(case: CaseRow) -> str:
    return case.entity


def _configuration(case: CaseRow) -> str:
    return f"{case.configuration.title}{' · direct' if case.kind is ProbeKind.DIRECT else ''}"


def _reference(case: CaseRow) -> str:
    return case.reference


_COLUMNS: Final[tuple[Column[CaseRow], ...]] = (
    Column("Case", _reference, 84),
    Column("About", _entity, 0),
    Column("Configuration", _configuration, 250),
)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The collections, and the cases of the chosen one."""

    collections: tuple[CaseCollection, ...]
    chosen: CollectionId | None
    ids: list[AnswerId]
    rows: Mapping[AnswerId, CaseRow]


class CaseCollectionsDialog(QDialog):
    """Stays open beside the window. What is written is kept when the field is left."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._reading: _Reading | None = None
        self._wanted: CollectionId | None = None
        self._listing = LatestJob(context.job_runner, "Read collections", self._show, self)
        self.cards = CardExport(context, self)
        self.setWindowTitle("Collections of cases")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size_window(self, 860, 600)
        self._build()
        context.changes.changed.connect(self._changed)
        self._read()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("Collections of cases", "title"))
        self._stack = QStackedWidget()
        self._stack.addWidget(
            EmptyState(
                "list-details",
                "No collections yet",
                "A collection holds the cases of a section or a talk, in their order. "
                "Make one with Collect, beside the list of cases or below a case.",
            )
        )
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        self.names = QListWidget()
        self.names.setAccessibleName("Collections")
        self.names.setFixedWidth(220)
        self.names.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.names.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.names.currentItemChanged.connect(self._choose)
        row.addWidget(self.names)
        row.addWidget(self._one(), 1)
        self._stack.addWidget(body)
        column.addWidget(self._stack, 1)
        # With large letters they don't stand beside each other in a small window.
        foot = FlowLayout(trailing=1)
        self.drop_button = button("Take the collection away", role="danger")
        self.drop_button.setToolTip("Its cases stay in the project")
        self.drop_button.clicked.connect(self._drop)
        foot.addWidget(self.drop_button)
        self.cards_button = button("Save cards…", "file-export")
        self.cards_button.clicked.connect(self._save_cards)
        foot.addWidget(self.cards_button)
        self.open_button = button("Open as list", "layout-columns")
        self.open_button.clicked.connect(self._open)
        foot.addWidget(self.open_button)
        close = button("Close")
        close.clicked.connect(self.close)
        foot.addWidget(close)
        column.addLayout(foot)

    def _one(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the collection")
        self.name.editingFinished.connect(self._describe)
        column.addWidget(self.name)
        self.description = _Description(self._describe)
        column.addWidget(self.description)
        self._made = label("", "small")
        column.addWidget(self._made)
        self._table: LazyTable[AnswerId, CaseRow] = LazyTable(_COLUMNS, self._fetch, self)
        self.view: TableView[AnswerId] = TableView(self._table, self._context.theme, "cases of the collection")
        self.view.opened.connect(self._open_case)
        column.addWidget(self.view, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        for words, name, step in (("Up", "chevron-up", -1), ("Down", "chevron-down", 1)):
            made = button(words, name)
            made.setProperty("step", step)
            made.clicked.connect(self._move)
            row.addWidget(made)
        remove = button("Take out", "x")
        remove.clicked.connect(self._remove)
        row.addWidget(remove)
        row.addStretch(1)
        column.addLayout(row)
        return part

    # -- reading ---------------------------------------------------------------------------------------------

    def _changed(self, subjects: frozenset[Subject]) -> None:
        if Subject.NOTES in subjects:
            self._read()

    def _read(self) -> None:
        database, wanted = self._context.database, self._wanted

        def read(progress: Progress) -> _Reading:
            store = CaseCollectionStore(database)
            collections = tuple(store.all())
            known = [each.id for each in collections]
            chosen = wanted if wanted in known else known[0] if known else None
            ids = store.ids(chosen) if chosen is not None else []
            return _Reading(collections, chosen, ids, CaseStore(database).fetch(ids[:100]))

        self._listing.ask(read)

    def _show(self, reading: object) -> None:
        if not isinstance(reading, _Reading):
            return
        before, self._reading = self._reading, reading
        self._wanted = reading.chosen
        self._stack.setCurrentIndex(1 if reading.collections else 0)
        for each in (self.drop_button, self.cards_button, self.open_button):
            each.setEnabled(bool(reading.collections))
        self.names.blockSignals(True)
        self.names.clear()
        for collection in reading.collections:
            item = QListWidgetItem(f"{one_line(collection.name, 60)} · {collection.cases:,}")
            item.setData(_ID, int(collection.id))
            item.setToolTip(tooltip(collection.name))
            self.names.addItem(item)
            if collection.id == reading.chosen:
                self.names.setCurrentItem(item)
        self.names.blockSignals(False)
        chosen = self._collection
        if chosen is None:
            return
        is_other = before is None or before.chosen != reading.chosen
        if is_other or not self.name.hasFocus():
            self.name.setText(printable(chosen.name))
        if is_other or not self.description.hasFocus():
            self.description.setPlainText(printable(chosen.description))
        self._made.setText(
            f"{counted(chosen.cases, 'case')} · made by {one_line(chosen.author or 'somebody unnamed', 40)}, "
            f"{moment(chosen.at)}"
        )
        self._table.show_ids(reading.ids, reading.rows)

    @property
    def _collection(self) -> CaseCollection | None:
        if self._reading is None:
            return None
        return next((each for each in self._reading.collections if each.id == self._reading.chosen), None)

    def _fetch(self, ids: Sequence[AnswerId]) -> dict[AnswerId, CaseRow]:
        return CaseStore(self._context.database).fetch(ids)

    # -- acting ----------------------------------------------------------------------------------------------

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._describe()
            self._wanted = CollectionId(item.data(_ID))
            self._read()

    def _describe(self) -> None:
        chosen = self._collection
        name, description = self.name.text(), self.description.toPlainText()
        if chosen is None or (name.strip(), description.strip()) == (chosen.name, chosen.description):
            return
        author = self._context.settings.reviewer
        if not self._write(lambda store: store.describe(chosen.id, name, description, author)):
            self.name.setText(printable(chosen.name))

    def _move(self) -> None:
        chosen, reading = self._collection, self._reading
        if chosen is None or reading is None:
            return
        step = int(self.sender().property("step"))
        ids, moved = list(reading.ids), set(self._selected())
        places = [n for n, each in enumerate(ids) if each in moved]
        for place in places if step < 0 else reversed(places):
            other = place + step
            if 0 <= other < len(ids) and ids[other] not in moved:
                ids[place], ids[other] = ids[other], ids[place]
        if ids != reading.ids and self._write(lambda store: store.arrange(chosen.id, ids)):
            self._table.show_ids(ids)
            self._select(moved)

    def _remove(self) -> None:
        chosen, ids, author = self._collection, self._selected(), self._context.settings.reviewer
        if chosen is not None and ids:
            self._write(lambda store: store.remove(chosen.id, ids, author))

    def _drop(self) -> None:
        chosen, author = self._collection, self._context.settings.reviewer
        if chosen is not None and self._write(lambda store: store.withdraw(chosen.id, author)):
            self._context.shell.say(f"Took the collection “{one_line(chosen.name, 60)}” away; its cases stay")

    def _write(self, work: Callable[[CaseCollectionStore], object]) -> bool:
        try:
            work(CaseCollectionStore(self._context.database))
        except BtcError as error:
            self._context.shell.show_error(error)
            return False
        self._context.changes.tell(Subject.NOTES)
        return True

    def _selected(self) -> list[AnswerId]:
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [answer_id for row in rows if (answer_id := self._table.id_at(row)) is not None]

    def _select(self, ids: set[AnswerId]) -> None:
        model = self.view.selectionModel()
        for answer_id in ids:
            index = self._table.index(self._table.row_of(answer_id), 0)
            model.select(index, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows)

    def _open(self) -> None:
        if self._collection is not None:
            open_collection(self._context, self._collection.id)

    def _open_case(self, answer_id: object) -> None:
        self._context.shell.open("cases", answer_id)

    def _save_cards(self) -> None:
        chosen, reading = self._collection, self._reading
        if chosen is not None and reading is not None:
            self.cards.ask(reading.ids, chosen.name, chosen.description)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what is being written."""
        self._describe()
        super().closeEvent(event)


class _Description(QPlainTextEdit):
    """A field of a few lines that tells when it is left."""

    def __init__(self, left: Callable[[], None]) -> None:
        super().__init__()
        self._left = left
        self.setAccessibleName("Description of the collection")
        self.setPlaceholderText("What these cases show (stands on the cards)")
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * 3 + 16)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Left: keep it."""
        super().focusOutEvent(event)
        self._left()
