"""The form for failure modes: first a class for every query, then what the model received, then what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.evidence import locate
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.mode_form import (
    EvidenceAnswer,
    EvidenceSpan,
    ModeForm,
    OverrideCode,
    QueryLabel,
    Relation,
    make_span,
)
from btc_gui.domain.packet import Excerpt, GivenLabel, PacketItem, Search
from btc_gui.errors import InputError
from btc_gui.ui.labelling.conclusion import Conclusion
from btc_gui.ui.labelling.desk import FieldLine, LabelDesk, form_action
from btc_gui.ui.labelling.form import FormContext, LabelForm
from btc_gui.ui.labelling.given_column import GivenColumn
from btc_gui.ui.labelling.passages import PassageList
from btc_gui.ui.labelling.query_list import QueryList
from btc_gui.ui.labelling.received_view import ReceivedView
from btc_gui.ui.labelling.verdict_form import card_area
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.marked_text import TextBlock
from btc_gui.ui.widgets.plain_text import in_line, label

_CLASSES = (
    (QueryLabel.EXPLICIT, "Explicit", "E"),
    (QueryLabel.INDIRECT, "Indirect", "I"),
    (QueryLabel.UNRELATED, "Unrelated", "R"),
    (QueryLabel.UNSURE, "Unsure", "Q"),
)
_RELATIONS = (
    (Relation.STATES, "States it", "7"),
    (Relation.ENTAILS, "Entails it", "8"),
    (Relation.SUGGESTS, "Suggests it", "9"),
)
_EVIDENCE = (
    (EvidenceAnswer.YES, "Yes", "Y"),
    (EvidenceAnswer.NO, "None", "0"),
    (EvidenceAnswer.UNSURE, "Unsure", "W"),
)
#: How many lines the list of queries takes before the received texts are opened, and after, also in a low window.
_LINES_BEFORE, _LINES_AFTER, _LINES_LOW = 12, 5, 3


class FailureModeForm(LabelForm):
    """Why did the answer fail? Every query is classed before what came back is shown; the mode is derived."""

    def __init__(self, context: FormContext) -> None:
        super().__init__()
        self._context = context
        self._relations = context.manifest.relations
        self._searches: tuple[Search, ...] = ()
        self._excerpts: tuple[Excerpt, ...] = ()
        self._entity = ""
        self._form = ModeForm()
        self._earlier: list[ModeForm] = []
        self._query = 0
        self._passage: EvidenceSpan | None = None
        self._toggles: dict[str, QAction] = {}
        self._build_actions()
        self._whole = QWidget()
        layout = QVBoxLayout(self._whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(16)
        self.given = GivenColumn(context)
        self._left = card_area(self.given, "What the failure is judged by")
        split.addWidget(self._left)
        split.addWidget(self._work_side())
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 4)
        split.setSizes([380, 720])
        layout.addWidget(split, 1)
        layout.addWidget(self._foot(context))
        for action in self.desk.actions():
            self.addAction(action)
        # In large text on a small screen all of it scrolls: better than a text of which one line is seen.
        area = self._area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._whole.setProperty("role", "page")
        area.setWidget(self._whole)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        context.theme.changed.connect(self._limit_height)
        self._limit_height()

    # -- building --------------------------------------------------------------------------------------------

    def _build_actions(self) -> None:
        for label_, text, key in _CLASSES:
            self._add_toggle(f"class:{label_}", text, key, f"This query is {text.lower()}", self._class_chosen)
        for answer, text, key in _EVIDENCE:
            self._add_toggle(f"evidence:{answer}", text, key, f"Evidence: {text.lower()}", self._evidence_chosen)
        for relation, text, key in _RELATIONS:
            self._add(f"mark:{relation}", text, key, self._mark, f"Mark a passage that {relation} the change")
        self._add("open", "Show what the model received", "O", self._open_received)
        self._add("next_query", "Next query", "J", self._to_next_query)
        self._add("previous_query", "Previous query", "K", self._to_previous_query)
        self._add("next_mention", "Next mention", "G", self._to_next_mention)
        self._add("earlier_part", "Earlier part of a long text", "[", self._to_earlier_part)
        self._add("later_part", "Later part of a long text", "]", self._to_later_part)
        self._add("query_note", "Note on this query", "Shift+N", self._to_query_note)
        self._add("date", "Date of the passage", "D", self._to_date)
        self._add("remove", "Remove the passage", "Del", self._remove_passage)
        self._add("revert", "Take the last change back", "Ctrl+Z", self._revert)
        self._add("confirm", "Give it", "Ctrl+Return", self._confirm, "Give the mode that follows")
        self._add("criteria", "Codebook", "C", self._toggle_criteria)

    def _add(self, name: str, text: str, key: str, method: Callable[[], object], tip: str = "") -> QAction:
        action = form_action(self, name, text, key)
        action.setToolTip(tip or text)
        action.triggered.connect(method)
        self._toggles[name] = action
        return action

    def _add_toggle(self, name: str, text: str, key: str, tip: str, method: Callable[[], object]) -> None:
        self._add(name, text, key, method, tip).setCheckable(True)

    def _toggle_button(self, name: str) -> CommandButton:
        action = self._toggles[name]
        made = CommandButton(action, "toggle" if action.isCheckable() else "")
        made.setAccessibleDescription(action.toolTip())
        if action.isCheckable():
            made.setCheckable(True)
            action.toggled.connect(made.setChecked)
        return made

    def _row(self, words: str, names: list[str], *more: QWidget) -> QWidget:
        row = QWidget()
        flow = FlowLayout(row, gap=6)
        buttons = [self._toggle_button(name) for name in names]
        flow.addWidget(in_line(words, "secondary", buttons[0].sizeHint().height()))
        for each in (*buttons, *more):
            flow.addWidget(each)
        return row

    def _work_side(self) -> QWidget:
        column = QWidget()
        inner = QVBoxLayout(column)
        inner.setContentsMargins(16, 10, 16, 10)
        inner.setSpacing(6)
        self.queries = QueryList(self._context.theme)
        self.queries.chosen.connect(self._show_query)
        inner.addWidget(self.queries)
        self._query_box = QWidget()
        box = QVBoxLayout(self._query_box)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        self.query_text = TextBlock(self._context.theme, "Query", "mono", cut_at=600)
        box.addWidget(self.query_text)
        self._finding = in_line("", "secondary", 24)
        box.addWidget(self._row("This query is", [f"class:{label_}" for label_, _, _ in _CLASSES], self._finding))
        self.query_note = FieldLine()
        self.query_note.setPlaceholderText("Note on this query")
        self.query_note.setAccessibleName("Note on this query")
        self.query_note.textEdited.connect(self._note_typed)
        self.query_note.returnPressed.connect(self.focus_first)
        self.query_note.left.connect(self.focus_first)
        box.addWidget(self.query_note)
        inner.addWidget(self._query_box)
        self._stages = QStackedWidget()
        self._stages.addWidget(self._closed_stage())
        self._stages.addWidget(self._open_stage())
        inner.addWidget(self._stages, 1)
        self._right = card_area(column, "Queries and what the model received")
        self._right.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return self._right

    def _closed_stage(self) -> QWidget:
        stage = QFrame()
        stage.setProperty("role", "sunken")
        layout = QVBoxLayout(stage)
        layout.setContentsMargins(16, 12, 16, 12)
        self._closed_words = label("", "secondary")
        layout.addWidget(self._closed_words)
        row = QHBoxLayout()
        self._open_button = self._toggle_button("open")
        row.addWidget(self._open_button)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(1)
        return stage

    def _open_stage(self) -> QWidget:
        stage = QWidget()
        layout = QVBoxLayout(stage)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self.received = ReceivedView(self._context.theme, self._context.find_mentions)
        layout.addWidget(self.received, 1)
        layout.addWidget(
            self._row("Mark selection or sentence:", [f"mark:{relation}" for relation, _, _ in _RELATIONS])
        )
        layout.addWidget(self._row("Evidence of the change?", [f"evidence:{answer}" for answer, _, _ in _EVIDENCE]))
        self.passages = PassageList()
        self.passages.chosen.connect(self._go_to_passage)
        self.passages.dated.connect(self._date_written)
        self.passages.left.connect(self.focus_first)
        layout.addWidget(self.passages)
        return stage

    def _foot(self, context: FormContext) -> QWidget:
        self._foot_area = QWidget()
        layout = QVBoxLayout(self._foot_area)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self.conclusion = Conclusion(context.theme, self._toggles["confirm"])
        self.conclusion.overridden.connect(self._override)
        self.conclusion.changed.connect(self._tell_draft)
        self.conclusion.left.connect(self._override_left)
        self.conclusion.said.connect(self.said)
        layout.addWidget(self.conclusion)
        self.desk = LabelDesk(context)
        self.desk.submitted.connect(self._submitted)
        self.desk.changed.connect(self._tell_draft)
        self.desk.left.connect(self.focus_first)
        self.desk.said.connect(self.said)
        layout.addWidget(self.desk)
        return self._foot_area

    # -- the form's own protocol -----------------------------------------------------------------------------

    def show_item(self, item: PacketItem, page: str, given: GivenLabel | None, draft: ItemState) -> None:
        """Show another item: at its first query that has no class, or its first received text."""
        self._searches = item.searches()
        self._excerpts = item.excerpts() if "evidence" in item.values else ()
        self._entity = item.text("entity")
        self._form = _read(draft.answers).for_queries(len(self._searches))
        self._earlier = []
        self._query = 0
        self._passage = self._form.spans[0] if self._form.spans else None
        self.given.show_item(item, page)
        self.desk.show_state(given, draft)
        self.conclusion.stop()
        self.queries.show_queries(self._searches, self._form)
        self.queries.setVisible(bool(self._searches))
        self._open_button.setVisible(bool(self._searches))
        self._query_box.setVisible(bool(self._searches))
        self.query_note.hide()
        unclassed = [number for number, label_ in enumerate(self._form.labels, 1) if label_ is None]
        self._show_query(unclassed[0] if unclassed else 1)
        choice = self._context.manifest.choice(draft.choice)
        if choice is not None and choice.value in set(FailureMode) and self._form.override is not None:
            mode = FailureMode(choice.value)
            if given is None or ItemState.of(given) != draft:
                self.conclusion.ask(mode, choice, self._form.override, self._form.override_text)
        self._left.verticalScrollBar().setValue(0)
        self._right.verticalScrollBar().setValue(0)

    def focus_first(self) -> None:
        """The queries, and the received text once it is shown."""
        if self._form.has_opened and self._searches:
            self.received.body.setFocus()
        else:
            (self.queries if self._searches else self._left).setFocus()

    def set_open(self, is_open: bool) -> None:
        """Take answers, or only show; feedback then stands where the labels stood."""
        super().set_open(is_open)
        self._foot_area.setVisible(is_open)
        if is_open:
            self._sync()

    # -- one change ------------------------------------------------------------------------------------------

    def _change(self, form: ModeForm) -> None:
        """Take other answers, and show what follows from them."""
        if form == self._form:
            self._sync()
            return
        self._earlier.append(self._form)
        self._form = form
        self.conclusion.stop()
        self.queries.show_form(form)
        self._sync()
        self._tell_draft()

    def _revert(self) -> None:
        if self._earlier:
            self._form = self._earlier.pop()
            self.queries.show_form(self._form)
            self._show_query(self._query)
            self._tell_draft()

    def _tell_draft(self) -> None:
        state = replace(self.desk.state, answers=self._form.text)
        if self.desk.is_asking:
            self._area.ensureWidgetVisible(self.desk)
        mode = self.conclusion.asked_mode
        if mode is not None:
            unfinished = self._form.overridden(self.conclusion.code, self.conclusion.words)
            state = replace(state, choice=mode.value, answers=unfinished.text)
        self.draft_changed.emit(state)

    def _sync(self) -> None:
        """Show the state of the form: toggles, stage, passages, what follows."""
        form = self._form
        label_ = form.labels[self._query - 1] if self._query and form.queries else None
        for name, action in self._toggles.items():
            if name.startswith("class:"):
                action.setChecked(label_ is not None and name == f"class:{label_}")
            elif name.startswith("evidence:"):
                action.setChecked(form.evidence is not None and name == f"evidence:{form.evidence}")
        left = sum(each is None for each in form.labels)
        is_shown = form.has_opened and bool(self._searches)
        self._toggles["open"].setEnabled(not left and not is_shown and bool(self._searches))
        for name in ("next_mention", "date", "remove", "earlier_part", "later_part"):
            self._toggles[name].setEnabled(is_shown)
        for names in (_RELATIONS, _EVIDENCE):
            for value, _, _ in names:
                prefix = "mark" if names is _RELATIONS else "evidence"
                self._toggles[f"{prefix}:{value}"].setEnabled(is_shown)
        for name in ("next_query", "previous_query", "query_note"):
            self._toggles[name].setEnabled(bool(self._searches))
        self._closed_words.setText(self._closed_text(left))
        self._stages.setCurrentIndex(1 if is_shown else 0)
        self._limit_lines()
        self.given.show_findings(is_shown or not self._searches)
        here = [span for span in form.spans if span.search == self._query]
        self.received.show_passages(here, self._passage)
        self.passages.show_passages(form.spans, self._passage)
        derived = form.derived(self._relations)
        choice = self._context.manifest.choice(derived.mode) if derived.mode else None
        self.conclusion.show_derived(derived, choice, form.missing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room of a low window to what is read."""
        super().resizeEvent(event)
        self._limit_lines()

    def _limit_lines(self) -> None:
        is_low = self._right.height() < self.fontMetrics().height() * 24
        after = _LINES_LOW if is_low else _LINES_AFTER
        self.queries.set_most_lines(after if self._stages.currentIndex() else after * 2 if is_low else _LINES_BEFORE)

    def _limit_height(self) -> None:
        self._split.setMinimumHeight(QFontMetrics(self._context.theme.font()).height() * 14)

    def _closed_text(self, left: int) -> str:
        if not self._searches:
            return "The model made no query, so it received nothing."
        if left:
            one = "One query has" if left == 1 else f"{left:,} queries have"
            return f"What the model received is shown when every query has a class. {one} none yet."
        return "Every query has a class. Read what the model received, and mark what is evidence of the change."

    # -- queries ---------------------------------------------------------------------------------------------

    def _show_query(self, number: int) -> None:
        if not self._searches:
            self._query = 0
            self.query_text.show_text("")
            self._sync()
            return
        is_another = number != self._query
        self._query = number
        search = self._searches[number - 1]
        self.queries.go_to(number)
        self.query_text.show_text(search.query or "(no text)")
        self.query_text.setVisible(not self.queries.shows_whole(search.query))
        self._finding.setText(f"classifier: {search.finding}" if search.finding else "")
        note = self._form.queries[number - 1].note
        if is_another:
            self.query_note.setText(note)
            self.query_note.setVisible(bool(note))
        if self._form.has_opened and is_another:
            self._show_received()
        self._sync()

    def _show_received(self) -> None:
        text = self._searches[self._query - 1].received
        places = [locate(excerpt.text, text) for excerpt in self._excerpts]
        self.received.show_text(text, self._entity, [place for place in places if place is not None])

    def _class_chosen(self) -> None:
        action = self.sender()
        if not isinstance(action, QAction) or not self._query:
            return
        label_ = QueryLabel(action.objectName().partition(":")[2])
        number = self._query
        was_open = self._form.labels[number - 1] is None
        self._change(self._form.labelled(number, label_))
        if was_open:
            waiting = [each for each in self._next_numbers(number) if self._form.labels[each - 1] is None]
            if waiting:
                self._show_query(waiting[0])

    def _next_numbers(self, number: int) -> list[int]:
        count = len(self._searches)
        return [*range(number + 1, count + 1), *range(1, number)]

    def _to_next_query(self) -> None:
        if self._query < len(self._searches):
            self._show_query(self._query + 1)

    def _to_previous_query(self) -> None:
        if self._query > 1:
            self._show_query(self._query - 1)

    def _to_query_note(self) -> None:
        self.query_note.show()
        self.query_note.setFocus()

    def _note_typed(self) -> None:
        if self._query:
            self._form = self._form.noted(self._query, self.query_note.text().strip())
            self._tell_draft()

    def _open_received(self) -> None:
        if not self._searches or None in self._form.labels:
            return
        self._form = replace(self._form, has_opened=True)
        self._earlier = []  # What was said before stays as it was said.
        self._query = 0
        self._show_query(1)
        self._tell_draft()
        self.received.body.setFocus()

    # -- evidence --------------------------------------------------------------------------------------------

    def _evidence_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._change(self._form.answered(EvidenceAnswer(action.objectName().partition(":")[2])))

    def _mark(self) -> None:
        action = self.sender()
        if not isinstance(action, QAction):
            return
        relation = Relation(action.objectName().partition(":")[2])
        start, stop = self.received.passage
        same = [s for s in self._form.spans if (s.search, s.start, s.stop) == (self._query, start, stop)]
        if same:
            span = replace(same[0], relation=relation)
        else:
            try:
                span = make_span(self._query, self._searches[self._query - 1].received, start, stop, relation)
            except InputError as error:
                self.said.emit(str(error), "warning")
                return
        self._passage = span
        self._change(self._form.with_passage(span))
        self.received.unselect()
        self.said.emit(f"Marked: {relation} the change", "small")

    def _go_to_passage(self, span: EvidenceSpan | None) -> None:
        self._passage = span
        if span is not None:
            self._show_query(span.search)
            self.received.go_to(span.start)

    def _remove_passage(self) -> None:
        caret = self.received.caret
        at_caret = [s for s in self._form.spans if s.search == self._query and s.start <= caret < s.stop]
        has_list = self.passages.lines.hasFocus()
        span = self.passages.current if has_list or not at_caret else at_caret[0]
        if span is not None:
            self._passage = None
            self._change(self._form.without_passage(span))
            self.said.emit("Passage removed; Ctrl+Z brings it back", "small")
            if has_list and not self._form.spans:
                self.received.body.setFocus()

    def _to_date(self) -> None:
        if self.passages.current is not None:
            self.passages.date.setFocus()
            self.passages.date.selectAll()

    def _date_written(self, old: EvidenceSpan, new: EvidenceSpan) -> None:
        form = self._form.with_passage(new, instead_of=old)
        try:
            form.check_passages([search.received for search in self._searches])
        except InputError as error:
            self.said.emit(str(error), "warning")
            return
        self._passage = new
        self._change(form)

    def _to_next_mention(self) -> None:
        if not self.received.go_to_next_mention():
            self.said.emit("No mention in this text", "small")
        self.received.body.setFocus()

    def _to_earlier_part(self) -> None:
        self.received.show_earlier()

    def _to_later_part(self) -> None:
        self.received.show_later()

    # -- giving ----------------------------------------------------------------------------------------------

    def _confirm(self) -> None:
        derived = self._form.derived(self._relations).mode
        if derived is not None:
            self._submitted(replace(self.desk.state, choice=derived.value, reason=""))

    def _submitted(self, state: ItemState) -> None:
        """A label was chosen: give it, or say what is missing, or ask why another mode than the derived one."""
        if self._context.is_too_soon():
            return
        if state.choice not in set(FailureMode):
            self.submitted.emit(replace(state, answers=self._form.overridden(None).text))
            return
        mode = FailureMode(state.choice)
        if self._form.missing:
            self.said.emit(f"Still needed: {', then '.join(self._form.missing)}.", "warning")
        elif mode is self._form.derived(self._relations).mode:
            self.submitted.emit(replace(state, answers=self._form.overridden(None).text))
        else:
            choice = self._context.manifest.choice(mode)
            if choice is not None:
                self.conclusion.ask(mode, choice, self._form.override, self._form.override_text)
                self.conclusion.codes.setFocus()
                self._area.ensureWidgetVisible(self.conclusion)
                self._tell_draft()

    def _override(self, mode: FailureMode, code: OverrideCode, words: str) -> None:
        state = replace(self.desk.state, choice=mode.value, reason="")
        self.submitted.emit(replace(state, answers=self._form.overridden(code, words).text))

    def _override_left(self) -> None:
        self._form = self._form.overridden(None)
        self._tell_draft()
        self.focus_first()

    def _toggle_criteria(self) -> None:
        self.given.toggle_criteria()


def _read(answers: str) -> ModeForm:
    """The form as it was left; an empty one where it can't be read."""
    try:
        return ModeForm.from_text(answers)
    except InputError:
        return ModeForm()
