"""The side of the failure-mode form that is worked on: the queries, and what the model received once it is open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.evidence import locate
from btc_gui.domain.mode_form import EvidenceSpan, ModeForm
from btc_gui.domain.packet import Excerpt, Search
from btc_gui.ui.labelling.desk import FieldLine
from btc_gui.ui.labelling.form import FormContext
from btc_gui.ui.labelling.mode_keys import CLASSES, EVIDENCE, RELATIONS, ModeKeys
from btc_gui.ui.labelling.passages import PassageList
from btc_gui.ui.labelling.query_list import QueryList
from btc_gui.ui.labelling.received_view import ReceivedView
from btc_gui.ui.widgets.marked_text import TextBlock
from btc_gui.ui.widgets.plain_text import in_line, label

#: How many lines the list of queries takes before the received texts are open, and after, also in a low window.
_LINES_BEFORE, _LINES_AFTER, _LINES_LOW = 12, 5, 3
#: A window of fewer lines of text is a low one.
_LOW_WINDOW = 40


class WorkSide(QWidget):
    """Shows queries, received text and passages of one item, as its form is told to."""

    #: The number of the query that the list moved to.
    query_chosen = Signal(int)
    note_typed = Signal(str)
    #: A text field was left: the focus belongs to what is read.
    left = Signal()

    def __init__(self, context: FormContext, keys: ModeKeys, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._searches: Sequence[Search] = ()
        self._query = 0
        inner = QVBoxLayout(self)
        inner.setContentsMargins(16, 10, 16, 10)
        inner.setSpacing(6)
        self.queries = QueryList(context.theme)
        self.queries.chosen.connect(self.query_chosen)
        inner.addWidget(self.queries)
        inner.addWidget(self._query_part(context))
        self._stages = QStackedWidget()
        self._stages.addWidget(self._closed_stage())
        self._stages.addWidget(self._open_stage(context))
        inner.addWidget(self._stages, 1)
        # The list has its new column widths in the next turn.
        context.theme.changed.connect(self._show_whole_query, Qt.ConnectionType.QueuedConnection)

    def _query_part(self, context: FormContext) -> QWidget:
        part = self._query_box = QWidget()
        box = QVBoxLayout(part)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        self.query_text = TextBlock(context.theme, "Query", "mono", cut_at=600)
        self._finding = in_line("", "secondary", 24)
        self.query_note = FieldLine()
        self.query_note.setPlaceholderText("Note on this query")
        self.query_note.setAccessibleName("Note on this query")
        self.query_note.textEdited.connect(self.note_typed)
        self.query_note.returnPressed.connect(self.left)
        self.query_note.left.connect(self.left)
        box.addWidget(self.query_text)
        box.addWidget(self._keys.row("This query is", CLASSES, self._finding))
        box.addWidget(self.query_note)
        return part

    def _closed_stage(self) -> QWidget:
        stage = QFrame()
        stage.setProperty("role", "sunken")
        layout = QVBoxLayout(stage)
        layout.setContentsMargins(16, 12, 16, 12)
        self._closed_words = label("", "secondary")
        layout.addWidget(self._closed_words)
        row = QHBoxLayout()
        self._open_button = self._keys.button("open")
        row.addWidget(self._open_button)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(1)
        return stage

    def _open_stage(self, context: FormContext) -> QWidget:
        stage = QWidget()
        layout = QVBoxLayout(stage)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self.received = ReceivedView(context.theme, context.find_mentions)
        self.passages = PassageList()
        self.passages.left.connect(self.left)
        layout.addWidget(self.received, 1)
        layout.addWidget(self._keys.row("Mark selection or sentence:", RELATIONS))
        words = "underlined: mentions"
        if context.manifest.layer.shows_machine:
            words += ", dashed: the classifier's"
        self._legend = in_line(words, "small", 24)
        #: What is asked of the received text, the last thing below it.
        self.marking = self._keys.row("Evidence of the change?", EVIDENCE, self._legend)
        layout.addWidget(self.marking)
        layout.addWidget(self.passages)
        return stage

    # -- showing ---------------------------------------------------------------------------------------------

    def show_queries(self, searches: Sequence[Search], form: ModeForm) -> None:
        """Show another item's queries."""
        self._searches = searches
        self._query = 0
        self.queries.show_queries(searches, form)
        for each in (self.queries, self._open_button, self._query_box):
            each.setVisible(bool(searches))
        self.query_note.hide()

    def show_query(self, number: int, form: ModeForm, entity: str, excerpts: Sequence[Excerpt]) -> None:
        """Show a query, and what the model received for it once that is open; `excerpts` are the classifier's."""
        search = self._searches[number - 1]
        is_another = number != self._query
        self._query = number
        self.queries.go_to(number)
        self.query_text.show_text(search.query or "(no text)")
        self._show_whole_query()
        self._finding.setText(f"classifier: {search.finding}" if search.finding else "")
        if is_another:
            note = form.queries[number - 1].note
            self.query_note.setText(note)
            self.query_note.setVisible(bool(note))
            if form.has_opened:
                places = [locate(excerpt.text, search.received) for excerpt in excerpts]
                self.received.show_text(search.received, entity, [place for place in places if place is not None])

    def open_received(self, form: ModeForm, entity: str, excerpts: Sequence[Excerpt]) -> None:
        """Show what the model received for the first query."""
        self._query = 0
        self.show_query(1, form, entity, excerpts)

    def sync(self, form: ModeForm, passage: EvidenceSpan | None) -> None:
        """Show other answers; `passage` is the chosen one."""
        is_open = form.has_opened and bool(self._searches)
        self.queries.show_form(form)
        self._closed_words.setText(self._closed_text(form))
        self._stages.setCurrentIndex(1 if is_open else 0)
        self._limit_lines()
        self.received.show_passages([span for span in form.spans if span.search == self._query], passage)
        self.passages.show_passages(form.spans, passage)

    def focus_first(self) -> bool:
        """Put the focus on what is read next; False when there is nothing."""
        if not self._searches:
            return False
        (self.received.body if self._stages.currentIndex() else self.queries).setFocus()
        return True

    def to_query_note(self) -> None:
        """Write a note on the query."""
        self.query_note.show()
        self.query_note.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room of a low window to what is read."""
        super().resizeEvent(event)
        self._limit_lines()
        self._show_whole_query()

    def _show_whole_query(self) -> None:
        """A query that its line cuts off stands below it as a whole; with larger text that may be another one."""
        if self._query:
            self.query_text.setVisible(not self.queries.shows_whole(self._searches[self._query - 1].query))

    def _limit_lines(self) -> None:
        is_low = self.window().height() < self.fontMetrics().height() * _LOW_WINDOW
        self._legend.setHidden(is_low)
        if self._stages.currentIndex():
            self.queries.set_most_lines(_LINES_LOW if is_low else _LINES_AFTER)
        else:
            self.queries.set_most_lines(_LINES_LOW * 2 if is_low else _LINES_BEFORE)

    def _closed_text(self, form: ModeForm) -> str:
        if not self._searches:
            return "The model made no query, so it received nothing."
        left = sum(each is None for each in form.labels)
        if left:
            words = "One query has" if left == 1 else f"{left:,} queries have"
            return f"What the model received is shown when every query has a class. {words} none yet."
        return "Every query has a class. Read what the model received, and mark what is evidence of the change."
