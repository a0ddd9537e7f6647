"""Events: what changed, when, and which probes ask about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.event import Event, EventId
from btc_gui.domain.probe import ProbeId
from btc_gui.progress import Progress
from btc_gui.store.articles import ArticleCounts, ArticleStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.movements import MovementStore
from btc_gui.store.probes import ProbeStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.collecting import Collecting
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import TABLES, ask_open
from btc_gui.ui.import_dialog import ImportDialog
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import Column, LazyTable, page_of
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.article_card import ArticleCard, article_text
from btc_gui.ui.widgets.buttons import CommandButton, link_button
from btc_gui.ui.widgets.event_card import EventCard
from btc_gui.ui.widgets.filter_bar import Choice, Facet, FilterText
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card, EmptyState, PageHeader, ReadingState, page_column, scrolling
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.origin_card import OriginCard, origin_of
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.widgets.sibling_list import SiblingList
from btc_gui.ui.wording import counted

if TYPE_CHECKING:
    from btc_gui.ui.generating import Generating


_WITH, _WITHOUT = "with", "without"
_STANDING = (
    Choice("standing", "Not rejected"),
    Choice("rejected", "Rejected"),
    Choice("missing", "Without an article"),
    Choice("leaking", "Article tells of the change"),
)
#: What is done to the event that is shown.
_ABOUT_ONE = ("events.correct", "events.reject", "events.article", "events.source")


@dataclass(frozen=True, slots=True)
class _Found:
    """What a query found, with the rows that are seen first."""

    query: EventQuery
    counts: dict[str, int]
    ids: list[EventId]
    rows: dict[EventId, Event]
    moved: int
    articles: ArticleCounts
    failed: int


def _find(database: Database, query: EventQuery, item: EventId | None, progress: Progress) -> _Found:
    events = EventStore(database)
    ids = events.ids(query)
    return _Found(
        query,
        events.count_by_category(),
        ids,
        events.fetch(page_of(ids, item)),
        len(MovementStore(database).open_ids()),
        ArticleStore(database).counts(),
        len(GenerationStore(database).failed()),
    )


class EventsPage(Page):
    """The table on the left, the chosen event on the right."""

    name, title, icon = "events", "Events", "calendar-event"
    subjects = frozenset({Subject.EVENTS, Subject.PROBES, Subject.REVIEWS})
    least_height = 460

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._events, self._probes = EventStore(context.database), ProbeStore(context.database)
        self._order, self._descending = "date", False
        self._contains = ""
        self._wanted: EventId | None = None
        self._is_listing = False
        self._reading = LatestJob(context.job_runner, "List events", self._show_found, self)
        self._collecting = Collecting(context, self)
        self._collecting.saved.connect(self.show_item)
        self._build()
        commands = context.commands
        commands.bind("events.import", self._import, self)
        collecting = self._collecting
        for name, method in (
            ("events.collect", collecting.collect),
            ("events.dropped", collecting.show_collections),
            ("events.articles", collecting.fetch_articles),
            ("events.verify", collecting.verify),
            ("events.moved", collecting.show_moved),
            ("events.add", collecting.add),
            ("events.correct", self._correct),
            ("events.reject", self._reject),
            ("events.article", self._open_article),
            ("events.source", self._open_source),
        ):
            commands.bind(name, method, self)
        commands.bind("events.generate", self._generate, self)
        commands.bind("events.failed", self._show_failed, self)
        commands.bind("events.write", self._write, self)
        commands.bind("events.probes", self._show_probes, self)
        commands.bind("events.review", self._review, self)

    def _build(self) -> None:
        context = self._context
        column = page_column(self)
        self.header = PageHeader("Events")
        self.filter = FilterText("Filter events")
        self.filter.filtered.connect(self._filter)
        self.category = Facet("Category")
        self.with_probes = Facet("Probes", [Choice(_WITH, "With probes"), Choice(_WITHOUT, "Without probes")])
        self.standing = Facet("Standing", _STANDING)
        for facet in (self.category, self.with_probes, self.standing):
            facet.chosen.connect(self._refilter)
        self.collect_button = CommandButton(context.commands.action("events.collect"))
        self.generate_button = CommandButton(context.commands.action("events.generate"))
        self.import_button = CommandButton(context.commands.action("events.import"))
        for widget in (
            self.filter,
            self.category,
            self.with_probes,
            self.standing,
            self.collect_button,
            self.generate_button,
            self.import_button,
        ):
            self.header.add(widget)
        column.addWidget(self.header)
        column.addWidget(self._build_notices())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_table())
        self.empty = EmptyState(
            "calendar-event",
            "No events yet",
            "An event is a dated change of one fact: a person who died, an office that somebody left. Import them from "
            "CSV, JSON, JSON Lines or the results of a Wikidata query, or collect them from Wikidata.",
            context.commands.action("events.import"),
            context.commands.action("events.collect"),
        )
        self._stack.addWidget(self.empty)
        # Until it is read, nothing is said about what the project holds.
        self._stack.setCurrentIndex(self._stack.addWidget(ReadingState()))
        column.addWidget(self._stack, 1)

    def _build_notices(self) -> QWidget:
        """What waits for somebody, each with the way there."""
        self.notices = QWidget()
        row = FlowLayout(self.notices)
        self.moved_link, self.articles_link, self.failed_link = link_button(""), link_button(""), link_button("")
        self.moved_link.clicked.connect(self._collecting.show_moved)
        self.articles_link.clicked.connect(self._collecting.fetch_articles)
        self.failed_link.clicked.connect(self._show_failed)
        for link in (self.moved_link, self.articles_link, self.failed_link):
            row.addWidget(link)
        self.notices.hide()
        return self.notices

    def _build_table(self) -> QWidget:
        theme = self._context.theme
        columns: list[Column[Event]] = [
            Column("Entity", _entity_words, 0, "entity", least=160),
            Column("Category", self._category_of, 76, "category"),
            Column("Date", lambda event: event.facts.date.text, 152, "date"),
            Column("Position", lambda event: event.facts.position, 0, "position"),
            Column("Accepted", lambda event: f"{event.accepted:,} of {event.probes:,}", 80, "probes", is_number=True),
        ]
        self.table = LazyTable[EventId, Event](columns, self._events.fetch, self)
        self.view = TableView(self.table, theme, "Events")
        self.view.empty_words = "No event fits. Take a filter away, or search for other words."
        self.filter.lead_to(self.view)
        self.view.current_changed.connect(self._show_event)
        self.view.sort_asked.connect(self._sort)
        self.view.opened.connect(self._open_probes)
        self.view.show_order(self._order, self._descending)
        self.card = EventCard(theme)
        actions = FlowLayout()
        for name in _ABOUT_ONE:
            actions.addWidget(CommandButton(self._context.commands.action(name)))
        self.card.body.addLayout(actions)
        self.origin = OriginCard()
        self.article = ArticleCard(theme)
        self.article.lead_to(self.view)
        self.probes_card = Card("Probes")
        self.siblings = SiblingList(theme)
        self.siblings.chosen.connect(self._open_probe)
        self.no_probes = label("No probe asks about this event yet.", "secondary")
        self.probes_card.body.addWidget(self.no_probes)
        self.probes_card.body.addWidget(self.siblings)
        self.write_button = CommandButton(self._context.commands.action("events.write"))
        self.probes_card.body.addWidget(self.write_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._content = detail = QWidget()
        inner = QVBoxLayout(detail)
        inner.setContentsMargins(INSIDE, 0, 0, 0)
        inner.setSpacing(12)
        inner.addWidget(self.card)
        inner.addWidget(self.origin)
        inner.addWidget(self.probes_card)
        inner.addWidget(self.article)
        inner.addStretch(1)
        self._detail = scrolling(detail, "The chosen event")
        return ListAndDetail("events", self.view, self._detail, (740, 320))

    def _category_of(self, event: Event) -> str:
        category = self._context.categories.get(event.facts.category)
        return category.title if category else event.facts.category

    # -- what the window asks ---------------------------------------------------------------------------------

    def activate(self) -> None:
        self._reading.ask(partial(_find, self._context.database, self._query(), self._wanted or self.view.current_id))

    def _show_found(self, found: _Found) -> None:
        if found.query != self._query():
            return
        counts, ids = found.counts, found.ids
        categories = self._context.categories
        names = [*categories, *(name for name in counts if name not in categories)]
        words = {name: category.plural for name, category in categories.items()}
        self.category.set_choices([Choice(name, words.get(name, name), counts.get(name, 0)) for name in names])
        self._show_notices(found)
        if not sum(counts.values()):
            self.header.set_counts("")
            self._stack.setCurrentWidget(self.empty)
            if self.view.hasFocus():
                self.take_focus()
            self._enable()
            return
        self._stack.setCurrentIndex(0)
        # One row after the other becomes the current one: what is beside the list is shown once, in the end.
        self._is_listing = True
        self.table.show_ids(ids, found.rows)
        if self._wanted is not None and self.view.select_id(self._wanted):
            self._wanted = None
        self.view.select_first()
        self._is_listing = False
        total = sum(counts.values())
        shown = counted(len(ids), "event")
        self.header.set_counts(shown if len(ids) == total else f"{len(ids):,} of {counted(total, 'event')}")
        self._show_event(self.view.current_id)

    def _show_notices(self, found: _Found) -> None:
        self.moved_link.setText(f"{counted(found.moved, 'event')} moved since: look at them")
        self.moved_link.setVisible(bool(found.moved))
        articles = found.articles
        them = "it" if articles.missing == 1 else "them"
        parts = [f"{counted(articles.missing, 'event')} without an article: fetch {them}"] if articles.missing else []
        parts += [f"{counted(articles.leaking, 'article')} tell of the change"] if articles.leaking else []
        self.articles_link.setText(" · ".join(parts))
        self.articles_link.setVisible(bool(parts) and bool(articles.fetched or articles.failed))
        self.failed_link.setText(f"{counted(found.failed, 'request')} for probes brought none: see why")
        self.failed_link.setVisible(bool(found.failed))
        links = (self.moved_link, self.articles_link, self.failed_link)
        self.notices.setVisible(any(not link.isHidden() for link in links))

    def show_item(self, item: object) -> None:
        """Show one event (its id), letting go of filters that hide it."""
        if isinstance(item, int) and not self.view.select_id(EventId(item)):
            self._clear_filters()
            self._wanted = EventId(item)
            self.activate()

    def focus_filter(self) -> None:
        self.filter.setFocus()
        self.filter.selectAll()

    def take_focus(self) -> None:
        if self._stack.currentWidget() is not self.empty:
            self.view.setFocus()
        elif self.empty.button is not None:
            self.empty.button.setFocus()

    # -- filters ----------------------------------------------------------------------------------------------

    def _query(self) -> EventQuery:
        chosen = self.with_probes.values
        standing = {"standing", "rejected"}.intersection(self.standing.values)
        if len(standing) > 1:
            standing = set()
        return EventQuery(
            categories=self.category.values,
            contains=self._contains,
            with_probes=chosen == (_WITH,),
            without_probes=chosen == (_WITHOUT,),
            rejected=standing == {"rejected"} if standing else None,
            articles=tuple(each for each in self.standing.values if each in ("missing", "leaking")),
            order=self._order,
            descending=self._descending,
        )

    def _filter(self, text: str) -> None:
        self._contains = text
        self.activate()

    def _refilter(self, _: object) -> None:
        self.activate()

    def _clear_filters(self) -> None:
        self._contains = ""
        self.filter.clear()
        self.category.choose(())
        self.with_probes.choose(())
        self.standing.choose(())

    def _sort(self, order: str, descending: bool) -> None:
        self._order, self._descending = order, descending
        self.activate()

    # -- the chosen event -------------------------------------------------------------------------------------

    def _show_event(self, event_id: object) -> None:
        if self._is_listing:
            return
        found = self._events.fetch([EventId(event_id)]) if isinstance(event_id, int) else {}
        event = next(iter(found.values()), None)
        self._content.setVisible(event is not None)
        if event is not None:
            self.card.show_event(event, self._context.categories.get(event.facts.category))
            origin = origin_of(self._context.database, event.id)
            self.origin.show_origin(origin, event.facts)
            self.article.show_article(*article_text(origin.articles))
            words = "Take in again" if event.is_rejected else "Reject…"
            self._context.commands.action("events.reject").setText(words)
            probes = self._probes.siblings(event.id)
            self.siblings.show_probes(probes, ProbeId(0))
            self.siblings.setVisible(bool(probes))
            self.no_probes.setVisible(not probes)
            self.probes_card.heading.setText(counted(len(probes), "probe") if probes else "Probes")
        self._enable()

    def _enable(self) -> None:
        has_event = self._stack.currentIndex() == 0 and self.view.current_id is not None
        for name in ("events.probes", "events.review", "events.generate", "events.write", *_ABOUT_ONE):
            self._context.commands.action(name).setEnabled(has_event)
        for button in (self.import_button, self.generate_button, self.collect_button):
            button.setVisible(self._stack.currentIndex() == 0)

    def _open_probe(self, probe_id: object) -> None:
        self._context.shell.open("probes", probe_id)

    def _open_probes(self, _: object) -> None:
        self._show_probes()

    def _show_probes(self) -> None:
        event_id = self.view.current_id
        if event_id is not None:
            probes = self._probes.siblings(event_id)
            if probes:
                self._context.shell.open("probes", probes[0].id)
            else:
                self._context.shell.say("No probe asks about this event yet.")

    def _review(self) -> None:
        event_id = self.view.current_id
        if event_id is not None:
            ids = [probe.id for probe in self._probes.siblings(event_id)]
            if ids:
                self._context.shell.open("review", ids)
            else:
                self._context.shell.say("No probe asks about this event yet.")

    def _current(self) -> Event | None:
        event_id = self.view.current_id
        return self._events.fetch([event_id]).get(event_id) if event_id is not None else None

    def _correct(self) -> None:
        if (event := self._current()) is not None:
            self._collecting.correct(event)

    def _reject(self) -> None:
        if (event := self._current()) is not None:
            self._collecting.reject(event)

    def _open_article(self) -> None:
        if (event := self._current()) is not None:
            self._collecting.open_article(event)

    def _open_source(self) -> None:
        if (event := self._current()) is not None:
            self._collecting.open_source(event)

    @cached_property
    def _generating(self) -> Generating:
        # With all that asking a model needs: loaded when somebody asks, not when the page is opened.
        from btc_gui.ui.generating import Generating

        return Generating(self._context, self)

    def _show_failed(self) -> None:
        self._generating.show_failed()

    def _generate(self) -> None:
        self._generating.ask(self.view.selected_ids())

    def _write(self) -> None:
        event_id = self.view.current_id
        if event_id is not None:
            self._generating.write(self._events.get(event_id))

    def _import(self) -> None:
        path = ask_open(self, "Import events", TABLES)
        if path is not None:
            ImportDialog(LoadSubject.EVENTS, path, self._context, self.window()).open()


def _entity_words(event: Event) -> str:
    return f"{event.facts.entity} (rejected)" if event.is_rejected else event.facts.entity
