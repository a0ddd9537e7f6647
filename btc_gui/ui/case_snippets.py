"""Shows under each case of a list the place that the search found: read on a worker thread, for what is in view."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

from btc_gui.domain.search_snippet import Snippet
from btc_gui.domain.trajectory import AnswerId
from btc_gui.progress import Progress
from btc_gui.store.cases import CaseStore
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.tables.row_notes import RowNote
from btc_gui.ui.tables.table_view import TableView

_PAUSE_MILLISECONDS = 16


@dataclass(frozen=True, slots=True)
class _Read:
    search: str
    asked: tuple[AnswerId, ...]
    snippets: dict[AnswerId, Snippet]


class CaseSnippets(QObject):
    """Follows a list as it is searched and scrolled."""

    def __init__(self, context: Context, view: TableView[AnswerId], parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._view = context, view
        self._search = ""
        self._known: dict[AnswerId, Snippet | None] = {}
        self._reading = LatestJob(context.job_runner, "Read snippets", self._show, self, drops_older=True)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._ask)
        view.verticalScrollBar().valueChanged.connect(self._moved)
        view.verticalScrollBar().rangeChanged.connect(self._moved)

    def follow(self, search: str) -> None:
        """The list shows what this search found (empty: it shows no snippets)."""
        if search != self._search:
            self._search, self._known = search, {}
            self._view.show_notes({} if search else None)
        # Which rows are in view is known once the list has its place: behind all that waits now.
        self._wait(0)

    def _wait(self, milliseconds: int) -> None:
        if self._search:
            self._pause.start(milliseconds)
        else:
            self._pause.stop()

    def _moved(self) -> None:
        self._wait(_PAUSE_MILLISECONDS)

    def snippet(self, answer_id: AnswerId) -> Snippet | None:
        """The place of a case, if it has been read."""
        return self._known.get(answer_id)

    def _ask(self) -> None:
        wanted = tuple(each for each in self._view.ids_in_view() if each not in self._known)
        if not wanted:
            return
        search, store = self._search, CaseStore(self._context.database)

        def read(progress: Progress) -> _Read:
            return _Read(search, wanted, store.snippets(wanted, search, progress))

        with self._context.job_runner.unasked():
            self._reading.ask(read)

    def _show(self, read: object) -> None:
        if not isinstance(read, _Read) or read.search != self._search:
            return
        self._known.update({each: read.snippets.get(each) for each in read.asked})
        notes = {
            answer_id: RowNote(snippet.field, snippet.text, snippet.marks)
            for answer_id, snippet in self._known.items()
            if snippet is not None
        }
        self._view.show_notes(notes)
        self._ask()
