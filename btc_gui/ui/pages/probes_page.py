"""Probes: the requests put to agents, where each stands, and how it came to its wording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QWidget

from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.lint import Finding
from btc_gui.domain.probe import ProbeId, ProbeKind, ReviewStatus
from btc_gui.store.lint import UNCHECKED
from btc_gui.store.probes import ProbeQuery
from btc_gui.store.saved_filters import SavedFilterStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import TABLES, ask_open
from btc_gui.ui.import_dialog import ImportDialog
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.linting import Linting, lint_choices, worst_mark, worst_words
from btc_gui.ui.probe_reading import FoundProbes, ProbeDetail, ProbeReading, ProbeRow
from btc_gui.ui.review_tools import ReviewTools
from btc_gui.ui.shell import Page
from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.trying import Trying
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.filter_bar import Choice, Facet, FilterText
from btc_gui.ui.widgets.frames import EmptyState, PageHeader, ReadingState, page_column, scrolling
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.probe_detail import ProbeDetailView
from btc_gui.ui.widgets.releases_dialog import ReleasesDialog
from btc_gui.ui.widgets.saved_filters_button import SavedFiltersButton
from btc_gui.ui.wording import STATUS_WORDS, counted

if TYPE_CHECKING:
    from btc_gui.ui.generating import Generating


_FLAGGED, _STALE, _DISPUTED, _MINE = "flagged", "stale", "disputed", "mine"


def _alerts(row: ProbeRow) -> str:
    """What a curator should know besides the status."""
    found = ["disagreement"] if row.probe.is_disputed else []
    found += ["accepted for other facts"] if row.probe.is_stale else []
    found += ["flagged"] if row.probe.is_flagged else []
    return ", ".join(found)


def _alert_mark(row: ProbeRow) -> str:
    return "stale" if row.probe.is_stale or row.probe.is_disputed else "flagged" if row.probe.is_flagged else ""


def _lint_words(row: ProbeRow) -> str:
    return worst_words(row.worst)


def _lint_mark(row: ProbeRow) -> str:
    return worst_mark(row.worst)


class ProbesPage(Page):
    """The table on the left, the chosen probe with its history on the right."""

    name, title, icon = "probes", "Probes", "message-question"
    subjects = frozenset({Subject.PROBES, Subject.EVENTS, Subject.REVIEWS})
    least_height = 480

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._probes = ProbeReading(context.database)
        self._order, self._descending = "event", False
        self._contains = ""
        self._is_listing = False
        self._wanted: ProbeId | None = None
        self._reading = LatestJob(context.job_runner, "List probes", self._show_found, self)
        self._linting = Linting(context, self)
        self._tools = ReviewTools(context, self, self.activate)
        self._trying = Trying(context, self, self._shown_id)
        self._build()
        commands = context.commands
        commands.bind("probes.try", self._trying.ask, self)
        commands.bind("probes.generate", self._generate, self)
        commands.bind("probes.failed", self._show_failed, self)
        commands.bind("probes.rewrite", self._rewrite, self)
        commands.bind("probes.write", self._write, self)
        commands.bind("probes.import", self._import, self)
        commands.bind("probes.review", self._review, self)
        commands.bind("probes.decide", self._decide, self)
        commands.bind("probes.assign", self._assign, self)
        commands.bind("probes.event", self._show_event, self)
        commands.bind("probes.waive", self._waive, self)
        commands.bind("probes.lint", self._linting.check, self)
        commands.bind("probes.releases", self._releases, self)

    # -- building ---------------------------------------------------------------------------------------------

    def _build(self) -> None:
        context = self._context
        column = page_column(self)
        self.header = PageHeader("Probes")
        self.filter = FilterText("Filter probes")
        self.filter.filtered.connect(self._filter)
        self.category = Facet("Category", [Choice(c.name, c.plural) for c in context.categories.values()])
        self.kind = Facet("Kind", [Choice(kind.value, kind.value.capitalize()) for kind in ProbeKind])
        self.status = Facet("Status")
        self.more = Facet(
            "More",
            [
                Choice(_FLAGGED, "Flagged"),
                Choice(_STALE, "Accepted for other facts"),
                Choice(_DISPUTED, "Disagreements"),
                Choice(_MINE, "Assigned to me"),
            ],
        )
        self.header.add(self.filter)
        self.retained_by = Facet("Retained by")
        self.lint = Facet("Lint")
        for facet in (self.category, self.kind, self.status, self.lint, self.retained_by, self.more):
            facet.chosen.connect(self._refilter)
            self.header.add(facet)
        # Offered once there is a filter of some model.
        self.retained_by.hide()
        self.saved = SavedFiltersButton(SavedFilterStore(context.database, "probes"), self._kept, context.shell)
        self.saved.chosen.connect(self._choose_saved)
        self.header.add(self.saved)
        self.generate_button = CommandButton(context.commands.action("probes.generate"))
        self.header.add(self.generate_button)
        self.import_button = CommandButton(context.commands.action("probes.import"))
        self.header.add(self.import_button)
        column.addWidget(self.header)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_table())
        self.empty = EmptyState(
            "message-question",
            "No probes yet",
            "A probe is a request whose right answer an event changed: direct ones ask about the change, indirect ones "
            "never mention it. Import the events first, then the probes that belong to them.",
            context.commands.action("probes.import"),
        )
        self._stack.addWidget(self.empty)
        # Until it is read, nothing is said about what the project holds.
        self._stack.setCurrentIndex(self._stack.addWidget(ReadingState()))
        column.addWidget(self._stack, 1)

    def _build_table(self) -> QWidget:
        theme = self._context.theme
        columns: list[Column[ProbeRow]] = [
            Column(
                "Status",
                lambda row: STATUS_WORDS[row.probe.status],
                116,
                "status",
                mark=lambda row: row.probe.status.value,
            ),
            Column("", _alerts, 28, mark=_alert_mark, is_mark_only=True),
            Column("Event", lambda row: row.event.facts.entity if row.event else "", 0, "entity", least=140, most=280),
            Column("Probe", lambda row: f"{row.probe.kind.value} {row.probe.ordinal}", 104, "kind"),
            Column("Lint", _lint_words, 44, mark=_lint_mark, is_mark_only=True),
            Column("Text", lambda row: row.probe.text, 0, "text"),
        ]
        self.table = LazyTable[ProbeId, ProbeRow](columns, self._probes.rows, self)
        self.view = TableView(self.table, theme, "Probes")
        self.view.empty_words = "No probe fits. Take a filter away, or search for other words."
        self.filter.lead_to(self.view)
        self.view.current_changed.connect(self._show_probe)
        self.view.sort_asked.connect(self._sort)
        self.view.opened.connect(self._open_review)
        names = ("review", "decide", "try", "rewrite", "write", "waive")
        actions = [self._context.commands.action(f"probes.{name}") for name in names]
        self.detail = ProbeDetailView(theme, actions)
        self.detail.event_link.clicked.connect(self._show_event)
        return ListAndDetail("probes", self.view, scrolling(self.detail, "The chosen probe"), (720, 340))

    # -- what the window asks ---------------------------------------------------------------------------------

    def activate(self) -> None:
        self._reading.ask(partial(self._probes.find, self._query(), self._wanted or self.view.current_id))

    def _show_found(self, found: FoundProbes) -> None:
        if found.query != self._query():
            return
        counts, ids = found.counts, found.ids
        total = sum(counts.values())
        self.status.set_choices(
            [Choice(status.value, STATUS_WORDS[status], counts.get(status, 0)) for status in ReviewStatus]
        )
        self.lint.set_choices(lint_choices(found.lint))
        self.retained_by.set_choices([Choice(model, model) for model in found.models])
        self.retained_by.setVisible(bool(found.models))
        if not total:
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
        shown = counted(total, "probe") if len(ids) == total else f"{len(ids):,} of {counted(total, 'probe')}"
        unchecked = found.lint.get(UNCHECKED, 0)
        self.header.set_counts(f"{shown} · {unchecked:,} not checked" if unchecked else shown)
        if found.detail is not None and found.detail.row.probe.id == self.view.current_id:
            self._show_detail(found.detail)
        else:
            self._show_probe(self.view.current_id)

    def show_item(self, item: object) -> None:
        """Show one probe (its id), letting go of filters that hide it."""
        if isinstance(item, int) and not self.view.select_id(ProbeId(item)):
            self._clear_filters()
            self._wanted = ProbeId(item)
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

    def _query(self) -> ProbeQuery:
        return ProbeQuery(
            categories=self.category.values,
            kinds=tuple(ProbeKind(value) for value in self.kind.values),
            statuses=tuple(ReviewStatus(value) for value in self.status.values),
            contains=self._contains,
            only_flagged=_FLAGGED in self.more.values,
            only_stale=_STALE in self.more.values,
            only_disputed=_DISPUTED in self.more.values,
            assigned_to=self._context.settings.reviewer if _MINE in self.more.values else "",
            retained_by=tuple(self.retained_by.values),
            lint=self.lint.values,
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
        for facet in (self.category, self.kind, self.status, self.retained_by, self.more):
            facet.choose(())

    def _facets(self) -> dict[str, Facet]:
        return {
            "categories": self.category,
            "kinds": self.kind,
            "statuses": self.status,
            "lint": self.lint,
            "retained_by": self.retained_by,
            "more": self.more,
        }

    def _kept(self) -> dict[str, object]:
        """The present filter, to be saved."""
        return {"contains": self._contains, **{name: list(facet.values) for name, facet in self._facets().items()}}

    def _choose_saved(self, content: Mapping[str, object]) -> None:
        self._contains = str(content.get("contains", ""))
        self.filter.show_text(self._contains)
        for name, facet in self._facets().items():
            values = content.get(name, ())
            facet.choose([str(value) for value in values] if isinstance(values, list) else ())
        self.activate()

    def _sort(self, order: str, descending: bool) -> None:
        self._order, self._descending = order, descending
        self.activate()

    # -- the chosen probe -------------------------------------------------------------------------------------

    def _show_probe(self, probe_id: object) -> None:
        if not self._is_listing:
            self._show_detail(self._probes.detail(ProbeId(probe_id)) if isinstance(probe_id, int) else None)

    def _show_detail(self, detail: ProbeDetail | None) -> None:
        self.detail.show_detail(detail)
        self._enable()

    @property
    def _shown(self) -> ProbeRow | None:
        return self.detail.shown.row if self.detail.shown is not None else None

    @property
    def _findings(self) -> tuple[Finding, ...]:
        return (self.detail.shown.findings or ()) if self.detail.shown is not None else ()

    def _enable(self) -> None:
        for button in (self.import_button, self.generate_button):
            button.setVisible(self._stack.currentIndex() == 0)
        has_probe = self._stack.currentIndex() == 0 and self._shown is not None
        for name in ("review", "event", "decide", "assign", "try", "rewrite", "write"):
            self._context.commands.action(f"probes.{name}").setEnabled(has_probe)
        self._context.commands.action("probes.waive").setEnabled(has_probe and bool(self._findings))

    def _waive(self) -> None:
        if self._shown is not None:
            self._tools.waive(self._shown.probe.id, self._findings)

    def _show_event(self) -> None:
        if self._shown is not None:
            self._context.shell.open("events", self._shown.probe.event_id)

    def _open_review(self, probe_id: object) -> None:
        self._context.shell.open("review", probe_id)

    def _chosen(self) -> tuple[list[ProbeId], str]:
        """The selected probes, or all that the filters leave when one or none is selected; and that in words."""
        selected = self.view.selected_ids()
        if len(selected) > 1:
            return list(selected), "Those that are selected."
        facets = [facet.accessibleName() for facet in self._facets().values() if facet.values]
        facets += [f"containing “{self._contains}”"] if self._contains else []
        return list(self.table.ids), f"All that the filters leave ({'; '.join(facets) or 'none is set'})."

    def _review(self) -> None:
        ids, _ = self._chosen()
        if ids:
            self._context.shell.open("review", ids)

    def _decide(self) -> None:
        ids, scope = self._chosen()
        if ids:
            self._tools.decide(ids, scope)

    def _assign(self) -> None:
        ids, scope = self._chosen()
        if ids:
            self._tools.assign(ids, scope)

    @cached_property
    def _generating(self) -> Generating:
        # With all that asking a model needs: loaded when somebody asks, not when the page is opened.
        from btc_gui.ui.generating import Generating

        generating = Generating(self._context, self)
        generating.ended.connect(self._show_written)
        return generating

    def _show_failed(self) -> None:
        self._generating.show_failed()

    def _generate(self) -> None:
        self._generating.ask([])

    def _shown_id(self) -> ProbeId | None:
        return self._shown.probe.id if self._shown is not None else None

    def _rewrite(self) -> None:
        if self._shown is not None:
            self._generating.rewrite(self._shown.probe, self._shown.event)

    def _write(self) -> None:
        if self._shown is not None and self._shown.event is not None:
            self._generating.write(self._shown.event)

    def _show_written(self, probe_id: object) -> None:
        if self.isVisible():
            self.show_item(probe_id)

    def _releases(self) -> None:
        ReleasesDialog(self._context, self.window()).show()

    def _import(self) -> None:
        path = ask_open(self, "Import probes", TABLES)
        if path is not None:
            ImportDialog(LoadSubject.PROBES, path, self._context, self.window()).open()
