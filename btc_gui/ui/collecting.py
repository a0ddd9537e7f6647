"""Collecting from the window: dialogs and jobs of the Events page, and what is done to one event by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from btc_gui.domain.category import Category
from btc_gui.domain.event import Event, EventId
from btc_gui.domain.event_addresses import article_address, source_address
from btc_gui.jobs.fetch_articles import ArticleOutcome, ArticleRequest, fetch_articles
from btc_gui.jobs.verify_events import VerifyOutcome, verify_events
from btc_gui.progress import Progress
from btc_gui.sessions.event_desk import EventDesk
from btc_gui.settings import Settings
from btc_gui.store.articles import ArticleStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.database import Database
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.articles_dialog import ArticlesDialog
from btc_gui.ui.widgets.collect_dialog import CollectDialog
from btc_gui.ui.widgets.collections_dialog import CollectionsDialog
from btc_gui.ui.widgets.event_dialog import EventDialog
from btc_gui.ui.widgets.moved_dialog import MovedDialog
from btc_gui.ui.widgets.note_dialog import NoteDialog
from btc_gui.ui.wording import counted


def _fetch(
    database: Database,
    categories: Mapping[str, Category],
    request: ArticleRequest,
    settings: Settings,
    progress: Progress,
) -> ArticleOutcome:
    return fetch_articles(database, categories, request, settings, progress)


def _verify(
    database: Database, categories: Mapping[str, Category], settings: Settings, progress: Progress
) -> VerifyOutcome:
    outcome = VerifyOutcome(0, {}, 0, 0, 0, 0, 0)
    for category in categories.values():
        if category.collection is not None:
            outcome += verify_events(database, category, settings, progress)
    return outcome


def _do(work: Callable[[], object], progress: Progress) -> object:
    return work()


class Collecting(QObject):
    """The services and the desk of events, for a page. `saved` carries the id of an event added or corrected."""

    saved = Signal(object)

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page
        self.dialog: QDialog | None = None

    @property
    def _desk(self) -> EventDesk:
        return EventDesk(self._context.database, self._context.categories, self._context.settings.reviewer)

    # -- services --------------------------------------------------------------------------------------------

    def collect(self) -> None:
        """Ask what is to be collected, and collect it."""
        self._open(CollectDialog(self._context, self._page.window()))

    def show_collections(self) -> None:
        """Show what became of the rows of each collection."""
        found = [each for each in CollectionStore(self._context.database).all() if each.completed_at]
        if found:
            self._open(CollectionsDialog(self._context, found, self._page.window()))
        else:
            self._context.shell.say("Nothing has been collected into this project yet.")

    def fetch_articles(self) -> None:
        """Ask as of when, and fetch what is missing."""
        dialog = ArticlesDialog(ArticleStore(self._context.database).counts(), self._page.window())
        dialog.wanted.connect(self._fetch)
        self._open(dialog)

    def _fetch(self, request: object) -> None:
        assert isinstance(request, ArticleRequest)
        context = self._context
        context.job_runner.start(
            "Fetch articles",
            partial(_fetch, context.database, context.categories, request, context.settings),
            lane="articles",
            succeeded=self._fetched,
        )

    def _fetched(self, outcome: object) -> None:
        assert isinstance(outcome, ArticleOutcome)
        self._context.changes.tell(Subject.EVENTS)
        self._context.shell.say(outcome.text)

    def verify(self) -> None:
        """Ask again about all events; what moved comes up as a queue."""
        context = self._context
        context.job_runner.start(
            "Ask again about the events",
            partial(_verify, context.database, context.categories, context.settings),
            lane="collect",
            succeeded=self._verified,
        )

    def _verified(self, outcome: object) -> None:
        assert isinstance(outcome, VerifyOutcome)
        self._context.changes.tell(Subject.EVENTS)
        self._context.shell.say(outcome.text if outcome.has_events else "No events to ask about")
        if outcome.queued:
            self.show_moved()

    def show_moved(self) -> None:
        """Show the queue of what moved."""
        self._open(MovedDialog(self._context, self._page.window()))

    # -- one event -------------------------------------------------------------------------------------------

    def add(self) -> None:
        """Add an event by hand."""
        self._edit(None)

    def correct(self, event: Event) -> None:
        """Correct an event by hand."""
        self._edit(event)

    def _edit(self, event: Event | None) -> None:
        dialog = EventDialog(self._context, event, self._page.window())
        dialog.saved.connect(self.saved)
        self._open(dialog)

    def reject(self, event: Event) -> None:
        """Reject an event with its probes, or take a rejected one in again."""
        if event.is_rejected:
            self._start(partial(self._desk.restore, event.id))
            return
        probes = self._desk.consequence(event.id).probes
        words = f" {counted(probes, 'probe')} will be rejected with it; Undo on the Review page takes that back."
        dialog = NoteDialog(
            f"Reject {event.facts.entity}",
            f"The event stays in the list, marked as rejected.{words if probes else ''}",
            "Reject",
            role="danger",
            parent=self._page.window(),
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(partial(self._reject, event.id, dialog))
        self._open(dialog)

    def _reject(self, event_id: EventId, dialog: NoteDialog) -> None:
        self._start(partial(self._desk.reject, event_id, dialog.note))

    def _start(self, work: Callable[[], object]) -> None:
        self._context.job_runner.start(
            "Change the event", partial(_do, work), lane="load", succeeded=self._changed, is_quiet=True
        )

    def _changed(self, _: object) -> None:
        self._context.changes.tell(Subject.EVENTS, Subject.PROBES, Subject.REVIEWS)

    def open_article(self, event: Event) -> None:
        """Open the English article in the browser."""
        self._browse(article_address(event.facts), "This event names no article.")

    def open_source(self, event: Event) -> None:
        """Open the source, or else the item of Wikidata, in the browser."""
        otherwise = "The source is no address: look it up by its name." if event.facts.source else ""
        self._browse(source_address(event.facts), otherwise or "This event names no source.")

    def _browse(self, address: str, otherwise: str) -> None:
        if not address:
            self._context.shell.say(otherwise)
        elif not QDesktopServices.openUrl(QUrl(address)):
            self._context.shell.say(f"No browser could be opened for {address}")

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.open()
