"""What the list of cases is narrowed by: a search, facets, and whose answers are listed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.case import CasePool, CaseQuery
from btc_gui.domain.case_reference import is_reference
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.search_terms import parse
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError
from btc_gui.store.cases import FoundCases
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.filter_bar import Choice, Facet, FilterText
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import label

#: The facets in their order: the query's field and the words on the button. Those that are wanted all the time stand
#: first; the others are behind “More”, unless something of them is chosen.
_FIRST: Final = (
    ("categories", "Category"),
    ("models", "Model"),
    ("modes", "Failure mode"),
    ("labels", "Judge"),
    ("queries", "Queries"),
    ("directs", "Direct answer"),
    ("tags", "Tag"),
)
_MORE: Final = (
    ("kinds", "Probe"),
    ("efforts", "Effort"),
    ("humans", "People"),
    ("harnesses", "Harness"),
    ("endings", "Ending"),
    ("runs", "Run"),
    ("releases", "Release"),
    ("samples", "Sample"),
    ("sources", "Source"),
)
#: How much of the window's height the facets may take.
_SHARE: Final = 0.26
_MODES = {mode.value: mode.text for mode in FailureMode}
_ENDINGS = {ending.value: ending.text for ending in Ending}
#: Facets whose values are names that people gave.
_NAMES = frozenset({"models", "tags", "releases", "samples"})
_HELP = (
    "Words that all occur in the case. Also: “a phrase”, word*, OR, -not, brackets, NEAR/5,\n"
    "answer: query: result: reasoning: probe: entity: before a word, or a reference such as btc:17."
)


class CaseFilters(QWidget):
    """Shows a query and changes it: `changed` carries the new one."""

    changed = Signal(object)  # CaseQuery

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._query = CaseQuery()
        self._values: dict[str, int] = {}
        self._has_filter = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.words = FilterText("Search cases")
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.words.setToolTip(_HELP)
        self.words.filtered.connect(self._take_words)
        column.addWidget(self.words)
        self.problem = label("", "danger")
        self.problem.hide()
        column.addWidget(self.problem)
        self._holder = QWidget()
        self._holder.setProperty("role", "page")
        self._flow = flow = FlowLayout(self._holder, 6)
        self.pool = button("Filter's answers", role="toggle")
        self.pool.setCheckable(True)
        self.pool.setToolTip("Show the answers that a filter of probes asked for, instead of those of evaluations")
        self.pool.clicked.connect(self._take_pool)
        self.pool.hide()
        self.facets: dict[str, Facet] = {}
        for field, words in (*_FIRST, *_MORE):
            facet = Facet(words)
            facet.setObjectName(f"facet-{field}")
            facet.chosen.connect(self._take_facets)
            self.facets[field] = facet
            flow.addWidget(facet)
        self.more = button("More", role="toggle")
        self.more.setCheckable(True)
        self.more.setToolTip("More facets")
        self.more.toggled.connect(self._show_some)
        flow.addWidget(self.more)
        flow.addWidget(self.pool)
        self._shelf = QScrollArea()
        self._shelf.setWidgetResizable(True)
        self._shelf.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._shelf.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._shelf.setWidget(self._holder)
        column.addWidget(self._shelf)

    def show_query(self, query: CaseQuery) -> None:
        """Show another query's words, without telling."""
        self._query = query
        if self.words.text().strip() != query.contains:
            self.words.show_text(query.contains)
        self.problem.hide()

    def show_found(self, query: CaseQuery, found: FoundCases, has_filter: bool) -> None:
        """Show the counts of what was found."""
        self._query, self._values = query, found.values
        for field, facet in self.facets.items():
            chosen = getattr(query, field)
            counts = {**dict.fromkeys(chosen, 0), **found.facets.get(field, {})}
            names = found.names.get(field, {})
            facet.set_choices(
                [Choice(value, _words(field, names.get(value, value)), count) for value, count in counts.items()]
            )
            facet.choose(chosen)
        self.pool.setChecked(query.pool is CasePool.FILTER)
        self._has_filter = has_filter
        self._show_some()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as the facets need, but the greater part of the page is the list's: beyond that they scroll."""
        self._flow.invalidate()
        room = max(round(_SHARE * self.window().height()), self.more.sizeHint().height())
        needed = self._flow.heightForWidth(self._shelf.viewport().width()) + 2 * self._shelf.frameWidth()
        self._shelf.setFixedHeight(min(needed, room))

    def focus_words(self) -> None:
        """Put the cursor into the search field."""
        self.words.setFocus()
        self.words.selectAll()

    def _show_some(self) -> None:
        """A facet that has one value for all cases tells nothing, and what is behind “More” waits there."""
        behind = 0
        for fields, is_open in ((_FIRST, True), (_MORE, self.more.isChecked())):
            for field, _ in fields:
                facet = self.facets[field]
                tells = self._values.get(field, 2) > (0 if field in ("tags", "humans") else 1)
                behind += tells and fields is _MORE and not facet.values
                facet.setVisible(bool(facet.values) or (tells and is_open))
        self.pool.setVisible(self.pool.isChecked() or (self._has_filter and self.more.isChecked()))
        self.more.setVisible(behind > 0 or self._has_filter)
        self._fit()

    def _take_words(self, words: str) -> None:
        try:
            if words and not is_reference(words):
                parse(words)
        except InputError as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self.problem.hide()
        self._tell(replace(self._query, contains=words))

    def _take_facets(self) -> None:
        chosen: dict[str, Any] = {field: facet.values for field, facet in self.facets.items()}
        self._tell(replace(self._query, **chosen))

    def _take_pool(self) -> None:
        # What was chosen of one kind of answers may not occur in the other.
        pool = CasePool.FILTER if self.pool.isChecked() else CasePool.EVALUATION
        self._tell(
            CaseQuery(
                pool=pool, contains=self._query.contains, order=self._query.order, descending=self._query.descending
            )
        )

    def _tell(self, query: CaseQuery) -> None:
        if query != self._query:
            self._query = query
            self.changed.emit(query)


def _words(field: str, value: str) -> str:
    if field == "modes":
        return _MODES.get(value, value.capitalize())
    if field == "humans":
        return _MODES.get(value, value[:1].upper() + value[1:])
    if field == "endings":
        return _ENDINGS.get(value, value).capitalize()
    return value if field in (*_NAMES, "runs") else value[:1].upper() + value[1:]
