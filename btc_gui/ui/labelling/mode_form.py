"""The form for failure modes: first a class for every query, then what the model received, then what follows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

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
from btc_gui.domain.packet import OWN_ANSWERS, Excerpt, GivenLabel, PacketItem, Search
from btc_gui.errors import InputError
from btc_gui.ui.labelling.conclusion import Conclusion
from btc_gui.ui.labelling.desk import LabelDesk
from btc_gui.ui.labelling.form import FormContext, LabelForm
from btc_gui.ui.labelling.given_column import GivenColumn
from btc_gui.ui.labelling.mode_keys import ModeKeys
from btc_gui.ui.labelling.verdict_form import card_area
from btc_gui.ui.labelling.work_side import WorkSide

_MODES = frozenset(mode.value for mode in FailureMode)


class _LowSplitter(QSplitter):
    """What stands in it scrolls: its wishes must not push the labels out of a low window."""

    def sizeHint(self) -> QSize:
        """No higher than it has to be."""
        return QSize(super().sizeHint().width(), self.minimumHeight())


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
        self._before: list[ModeForm] = []
        self._query = 0
        self._passage: EvidenceSpan | None = None
        self._keys = ModeKeys(
            self,
            {
                "class": self._class_chosen,
                "evidence": self._evidence_chosen,
                "mark": self._mark,
                "open": self._open_received,
                "next_query": self._to_next_query,
                "previous_query": self._to_previous_query,
                "next_mention": self._to_next_mention,
                "earlier_part": self._to_earlier_part,
                "later_part": self._to_later_part,
                "query_note": self._to_query_note,
                "date": self._to_date,
                "remove": self._remove_passage,
                "revert": self._revert,
                "confirm": self._confirm,
                "criteria": self._toggle_criteria,
            },
        )
        self._build(context)
        for action in self.desk.actions():
            self.addAction(action)
        context.theme.changed.connect(self._limit_height)
        self._limit_height()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self, context: FormContext) -> None:
        whole = QWidget()
        whole.setProperty("role", "page")
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        split = self._split = _LowSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(16)
        self.given = GivenColumn(context)
        self._left = card_area(self.given, "What the failure is judged by")
        self.work = self._work_side(context)
        self._right = card_area(self.work, "Queries and what the model received")
        self._right.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        split.addWidget(self._left)
        split.addWidget(self._right)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 4)
        split.setSizes([380, 720])
        layout.addWidget(split, 1)
        layout.addWidget(self._foot(context))
        # In large text on a small screen all of it scrolls: better than a text of which one line is seen.
        area = self._area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(whole)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _work_side(self, context: FormContext) -> WorkSide:
        work = WorkSide(context, self._keys)
        work.query_chosen.connect(self._show_query)
        work.note_typed.connect(self._note_typed)
        work.left.connect(self.focus_first)
        work.query_note.said.connect(self.said)
        work.passages.chosen.connect(self._go_to_passage)
        work.passages.dated.connect(self._date_written)
        self.received, self.passages = work.received, work.passages
        return work

    def _foot(self, context: FormContext) -> QWidget:
        self._foot_area = QWidget()
        layout = QVBoxLayout(self._foot_area)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self.conclusion = Conclusion(context.theme, self._keys["confirm"])
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give what is worked on its height where all of the form scrolls anyway."""
        super().resizeEvent(event)
        self._limit_height()

    def _limit_height(self) -> None:
        least = QFontMetrics(self._context.theme.font()).height() * 14
        if self.height() < least + self._foot_area.heightForWidth(self.width()):
            # A card that scrolls in a form that scrolls shows the end of neither.
            least = max(least, self.work.minimumSizeHint().height() + 2 * self._right.frameWidth())
        self._split.setMinimumHeight(least)

    # -- the form's own protocol -----------------------------------------------------------------------------

    def show_item(self, item: PacketItem, page: str, given: GivenLabel | None, draft: ItemState) -> None:
        """Show another item: at its first query that has no class, or its first received text."""
        self._searches = item.searches()
        self._excerpts = item.excerpts() if "evidence" in item.values else ()
        self._entity = item.text("entity")
        # Whoever labels for the second time begins with what they said the first time.
        answers = draft.answers if draft.text or given else item.text(OWN_ANSWERS)
        self._form = _read(answers).for_queries(len(self._searches))
        self._before = []
        self._query = 0
        self._passage = self._form.spans[0] if self._form.spans else None
        self.given.show_item(item, page)
        self.desk.show_state(given, draft)
        self.conclusion.stop()
        self.work.show_queries(self._searches, self._form)
        waiting = self._without_class(0)
        self._show_query(waiting[0] if waiting else 1)
        choice = self._context.manifest.choice(draft.choice)
        is_given = given is not None and ItemState.of(given) == draft
        if choice is not None and choice.value in _MODES and self._form.override is not None and not is_given:
            # The reason was being typed when the window closed, or its label was taken back.
            self.conclusion.ask(FailureMode(choice.value), choice, self._form.override, self._form.override_text)
        for area in (self._left, self._right, self._area):
            area.verticalScrollBar().setValue(0)

    def focus_first(self) -> None:
        """The queries, and the received text once it is shown."""
        if not self.work.focus_first():
            self._left.setFocus()

    def set_open(self, is_open: bool) -> None:
        """Take answers, or only show; feedback then stands where the labels stood."""
        super().set_open(is_open)
        self._foot_area.setVisible(is_open)
        if is_open:
            self._sync()

    # -- one change ------------------------------------------------------------------------------------------

    def _change(self, form: ModeForm) -> None:
        """Take other answers, and show what follows from them."""
        if form != self._form:
            self._before.append(self._form)
            self._form = form
            if self.conclusion.asked_mode is not None:
                self.conclusion.stop()
                self.focus_first()
            self._tell_draft()
        self._sync()

    def _revert(self) -> None:
        if self._before:
            self._form = self._before.pop()
            self._sync()
            self._tell_draft()

    def _tell_draft(self) -> None:
        state = replace(self.desk.state, answers=self._form.text)
        if self.desk.is_asking:
            self.conclusion.stop()  # One reason at a time.
            self._area.ensureWidgetVisible(self.desk)
        mode = self.conclusion.asked_mode
        if mode is not None:
            unfinished = self._form.overridden(self.conclusion.code, self.conclusion.words)
            state = replace(state, choice=mode.value, answers=unfinished.text)
        self.draft_changed.emit(state)

    def _sync(self) -> None:
        """Show the answers, what can be done now, and what follows."""
        form = self._form
        self._keys.sync(form, self._query)
        self.work.sync(form, self._passage)
        self.given.show_findings(form.has_opened or not self._searches)
        derived = form.derived(self._relations)
        choice = self._context.manifest.choice(derived.mode) if derived.mode else None
        self.conclusion.show_derived(derived, choice, form.missing)

    # -- queries ---------------------------------------------------------------------------------------------

    def _show_query(self, number: int) -> None:
        if self._searches:
            self._query = number
            self.work.show_query(number, self._form, self._entity, self._excerpts)
        self._sync()

    def _class_chosen(self) -> None:
        number = self._query
        if not number:
            return
        is_first = self._form.labels[number - 1] is None
        self._change(self._form.labelled(number, QueryLabel(self._value_chosen())))
        waiting = self._without_class(number)
        if is_first and waiting:
            self._show_query(waiting[0])

    def _value_chosen(self) -> str:
        """The value of the action that was triggered, of those that share a method."""
        action = self.sender()
        assert isinstance(action, QAction)
        return action.objectName().partition(":")[2]

    def _without_class(self, number: int) -> list[int]:
        """The queries that have no class, those after `number` first."""
        count = len(self._searches)
        in_order = [*range(number + 1, count + 1), *range(1, number + 1)]
        return [each for each in in_order if self._form.labels[each - 1] is None]

    def _to_next_query(self) -> None:
        if self._query < len(self._searches):
            self._show_query(self._query + 1)

    def _to_previous_query(self) -> None:
        if self._query > 1:
            self._show_query(self._query - 1)

    def _to_query_note(self) -> None:
        self.work.to_query_note()

    def _note_typed(self, note: str) -> None:
        if self._query:
            self._form = self._form.noted(self._query, note.strip())
            self._tell_draft()

    def _open_received(self) -> None:
        if not self._searches or None in self._form.labels:
            return
        self._form = replace(self._form, has_opened=True)
        self._before = []  # What was said before stays as it was said.
        self._query = 1
        self.work.open_received(self._form, self._entity, self._excerpts)
        self._sync()
        self._tell_draft()
        self.focus_first()
        self._area.ensureWidgetVisible(self.work.marking)

    # -- evidence --------------------------------------------------------------------------------------------

    def _evidence_chosen(self) -> None:
        self._change(self._form.answered(EvidenceAnswer(self._value_chosen())))
        if not self._form.missing:
            self._area.ensureWidgetVisible(self._foot_area)

    def _mark(self) -> None:
        relation = Relation(self._value_chosen())
        start, stop = self.received.passage
        same = [s for s in self._form.spans if (s.search, s.start, s.stop) == (self._query, start, stop)]
        try:
            received = self._searches[self._query - 1].received
            span = (
                replace(same[0], relation=relation) if same else make_span(self._query, received, start, stop, relation)
            )
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
        in_list = self.passages.lines.hasFocus()
        span = self.passages.current if in_list or not at_caret else at_caret[0]
        if span is not None:
            self._passage = None
            self._change(self._form.without_passage(span))
            self.said.emit("Passage removed; Ctrl+Z brings it back", "small")
            if in_list and not self._form.spans:
                self.focus_first()

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
        if self.conclusion.asked_mode is not None:
            self.conclusion.give()
            return
        if self.desk.is_asking:
            self.said.emit("Enter saves this reason, Esc leaves it.", "warning")
            return
        derived = self._form.derived(self._relations).mode
        if derived is not None:
            self._submitted(replace(self.desk.state, choice=derived.value, reason=""))

    def _submitted(self, state: ItemState) -> None:
        """A label was chosen: give it, or say what is missing, or ask why another mode than the derived one."""
        if self._context.comes_too_soon():
            return
        if state.choice not in _MODES:
            self.submitted.emit(replace(state, answers=self._form.overridden(None).text))
            return
        mode = FailureMode(state.choice)
        if self._form.missing:
            self.said.emit(f"Still needed: {', then '.join(self._form.missing)}.", "warning")
        elif mode is self._form.derived(self._relations).mode:
            self.submitted.emit(replace(state, answers=self._form.overridden(None).text))
        else:
            choice = self._context.manifest.choice(mode)
            assert choice is not None  # It was chosen.
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
