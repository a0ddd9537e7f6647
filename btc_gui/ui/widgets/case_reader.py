"""The reader of a case: what changed, who answered, the timeline, the steps, the notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.outline import TextPlace
from btc_gui.domain.trajectory import AnswerId, StepKind
from btc_gui.sessions.comparing import Target
from btc_gui.store.outlines import OutlineStore
from btc_gui.ui.case_jumps import CaseJumps
from btc_gui.ui.case_reading import CaseGate, CaseReading
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.answer_diff import AnswerDiff
from btc_gui.ui.widgets.case_gate_page import CaseGatePage
from btc_gui.ui.widgets.case_heads import CaseHeads
from btc_gui.ui.widgets.case_notes import CaseNotes
from btc_gui.ui.widgets.case_top import CaseTop
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.compare_view import CompareView
from btc_gui.ui.widgets.frames import EmptyState, tab_after, text_scale_of
from btc_gui.ui.widgets.plain_text import copy_to_clipboard, label, one_line, set_role
from btc_gui.ui.widgets.step_card import StepCard
from btc_gui.ui.widgets.whole_text_dialog import WholeTextDialog

#: Below this height in pixels the steps get all of it.
_LOW = 900
#: Narrower than this, the title is set smaller.
_NARROW = 640
#: So many milliseconds at most nothing is painted while a case is laid out.
_LONGEST_HELD = 200


class CaseReader(QWidget):
    """Shows a `CaseReading`. The page reads; this shows and jumps."""

    #: The answers to put beside the case, in order (none: read it alone).
    comparison_asked = Signal(object)
    #: The `CaseGate` that a person opens although a study over the case is open.
    consented = Signal(object)
    #: Something about the case was written: read it again.
    changed = Signal()
    #: What is in sight of the case is painted.
    painted = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._reading: CaseReading | None = None
        self._jumps = CaseJumps(self)
        self._jumps.found.connect(self._go)
        self._jumps.said.connect(self._say)
        self._top_scrolls = False
        self._is_held = False
        self._painting = QTimer(self)
        self._painting.setSingleShot(True)
        self._painting.timeout.connect(self._waited)
        self._stack = QStackedWidget()
        self._nothing = EmptyState("layout-columns", "No case chosen", "Choose one on the left.")
        self._stack.addWidget(self._nothing)
        self._gate = CaseGatePage()
        self._gate.consented.connect(self.consented)
        self._gate.declined.connect(self._ask_for_none)
        self._stack.addWidget(self._gate)
        self._stack.addWidget(self._reading_page())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    @property
    def case_id(self) -> AnswerId | None:
        """The case that is shown."""
        return self._reading.case.answer_id if self._reading else None

    @property
    def other_ids(self) -> tuple[AnswerId, ...]:
        """The cases beside it."""
        return self._reading.ids[1:] if self._reading else ()

    @property
    def commands(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        """What the page's keys do here: names of the command table with their methods."""
        return (
            *self._jumps.commands,
            ("cases.compare", self.compare_next),
            ("cases.results", self.toggle_results),
            ("cases.fold", self.toggle_fold),
            ("cases.fold_all", self.toggle_fold_all),
            ("cases.plain", self.toggle_plain),
            ("cases.diff", self.toggle_diff),
            ("cases.copy_reference", self.copy_reference),
            ("cases.free", self.toggle_free),
            ("cases.timeline", self.toggle_timeline),
            ("cases.verdicts", self.toggle_opinions),
            ("cases.note", self.to_note),
            ("cases.note_step", self.to_step_note),
            ("cases.tag", self.to_tag),
            *self.notes.actions_row.commands,
        )

    # -- building --------------------------------------------------------------------------------------------

    def _reading_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._warning = label("", "banner")
        self._warning.hide()
        column.addWidget(self._warning)
        self._page_column = column
        head = QHBoxLayout()
        head.setSpacing(8)
        self._title = label("", "title", is_english=True)
        self._kind = Chip(self._context.theme, "")
        head.addWidget(self._title, 1)
        head.addWidget(self._kind, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        self._top = CaseTop(self._context.theme)
        self._top.bar.comparison_asked.connect(self.comparison_asked)
        self._top.step_chosen.connect(self._go_to_step)
        column.addWidget(self._top)
        self._heads = CaseHeads(self._context.theme)
        self._heads.opinions_asked.connect(self.toggle_opinions)
        self._heads.removed.connect(self._top.bar.take_away)
        for each in (self._top, self._heads):
            each.remade.connect(self._order_tabs)
        column.addWidget(self._heads)
        self.compare = CompareView(self._context.theme)
        self.compare.whole_asked.connect(self._open_whole_text)
        self.compare.entered.connect(self._jumps.enter)
        self.compare.settled.connect(self._paint_again)
        self.compare.note_asked.connect(self._note_on)
        self.compare.reference_asked.connect(self._copy_reference)
        self.diff = AnswerDiff(self._context)
        self.diff.closed.connect(self.toggle_diff)
        self._body = QStackedWidget()
        self._body.addWidget(self.compare)
        self._body.addWidget(self.diff)
        column.addWidget(self._body, 1)
        self.notes = CaseNotes(self._context)
        self.notes.changed.connect(self.changed)
        self.notes.written.connect(self._read_on)
        column.addWidget(self.notes)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Pin what stands above the columns where there is room for it; let it scroll away where there is not."""
        super().resizeEvent(event)
        self._place_top()

    def _place_top(self) -> None:
        scale = text_scale_of(self)
        set_role(self._title, "heading" if self.width() < _NARROW * scale else "title")
        scrolls = self.height() < _LOW * scale and not self.compare.is_free
        if scrolls == self._top_scrolls:
            return
        self._top_scrolls = scrolls
        if scrolls:
            self._page_column.removeWidget(self._top)
            self.compare.set_header(self._top)
        else:
            self.compare.set_header(None)
            self._page_column.insertWidget(2, self._top)
            self._top.show()
        self._order_tabs()

    def _order_tabs(self) -> None:
        """Let Tab go through what stands above the steps as it stands there now."""
        tab_after(self, [self._heads] if self._top_scrolls else [self._top, self._heads])

    # -- showing ---------------------------------------------------------------------------------------------

    @property
    def parts_ahead(self) -> tuple[Callable[[], object], ...]:
        """What makes, part by part, what the first case needs."""
        kinds = (StepKind.REASONING, StepKind.QUERY) * 2
        return (self._top.prepare, *(partial(self.compare.prepare, kind) for kind in kinds))

    def show_nothing(self, heading: str, text: str) -> None:
        """Show that no case is chosen."""
        self._reading = None
        self._jumps.clear()
        self._nothing.say(heading, text)
        self._stack.setCurrentIndex(0)

    def ask_consent(self, gate: CaseGate) -> None:
        """Warn before a case of an open study is shown."""
        self._reading = None
        self._jumps.clear()
        self._gate.ask(gate)
        self._stack.setCurrentIndex(1)

    def _read_on(self) -> None:
        """Let keys go to the steps: without a place for them Qt would give the focus away to any field."""
        shown = self._body.currentWidget()
        if shown is not None:
            shown.setFocus()

    def _ask_for_none(self) -> None:
        self._top.bar.show_again()
        self.comparison_asked.emit(())

    def show_reading(self, reading: CaseReading) -> None:
        """Show a case, or the pair of cases that is compared."""
        before, self._reading = self._reading, reading
        is_same = before is not None and before.rows == reading.rows
        self._jumps.show_targets(reading.targets, len(reading.cases), from_start=not is_same)
        if not is_same:
            self._hold_painting()
        if self._gate.button.hasFocus() or self._gate.back.hasFocus():
            # Qt would hand the focus on to the field for notes, and letters would be typed instead of being keys.
            self.setFocus()
        self._stack.setCurrentIndex(2)
        self._show_head(reading)
        self.notes.show_remarks(reading.remarks)
        if before is None or _head_of(before) != _head_of(reading):
            self._heads.show_reading(reading)
        self._top.show_reading(reading)
        if is_same:
            self._painting.start(0)
            return
        self._top.show_timeline()
        if before is not None and before.ids != reading.ids:
            self._body.setCurrentWidget(self.compare)
        self.compare.show_rows(reading.rows, len(reading.cases))
        if self._body.currentWidget() is self.diff:
            self._show_diff(reading)
        if self.hasFocus():
            self.compare.setFocus()

    def _hold_painting(self) -> None:
        """Paint once all that is in sight is made: in between, parts would be painted again and again as they move."""
        self._is_held = True
        self._painting.start(_LONGEST_HELD)
        if self._stack.isVisible() and self._body.currentWidget() is self.compare:
            self.setUpdatesEnabled(False)

    def _paint_again(self) -> None:
        if self._is_held:
            self._is_held = False
            self.setUpdatesEnabled(True)
            # In the turn after the one that paints.
            self._painting.start(0)

    def _waited(self) -> None:
        """It takes too long to make all at once, or all is painted."""
        if self._is_held:
            self._paint_again()
        else:
            self.painted.emit()

    def _show_head(self, reading: CaseReading) -> None:
        case = reading.case
        self._title.setText(one_line(reading.change, 300))
        which = f" · answer {case.repetition}" if case.repetition > 1 else ""
        self._kind.show_fact(f"{case.kind_text}{which} · {case.reference}")
        self._warning.setVisible(bool(reading.studies))
        names = ", ".join(f"“{one_line(name, 40)}”" for name in reading.studies)
        self._warning.setText(f"Part of the open study {names}: your looking at it is recorded.")

    def compare_next(self) -> None:
        """Compare with the next of the other answers, then with none."""
        if self._reading is not None:
            self._top.bar.compare_next()

    def toggle_opinions(self) -> None:
        """Show every verdict and classification of what is read, or put them away."""
        self._heads.toggle_opinions()

    def show_opinions(self) -> None:
        """Show what machines and people said of what is read."""
        if not self._heads.shows_opinions:
            self._heads.toggle_opinions()

    def toggle_timeline(self) -> None:
        """Show or hide the timeline."""
        self._top.toggle_timeline()

    # -- jumping ---------------------------------------------------------------------------------------------

    def _go_to_step(self, lane: int, number: int) -> None:
        target = self._jumps.step(lane, number)
        if target is not None:
            self._go(target)
            card = self.compare.card(lane, number)
            if card is not None:
                card.open_results()

    def show_step(self, lane: int, number: int) -> None:
        """Go to a step by its number, with its results open."""
        if self._jumps.step(lane, number) is None:
            self._say(f"There is no step {number} in this case")
            return
        self._go_to_step(lane, number)

    def _go(self, target: Target) -> None:
        self._body.setCurrentWidget(self.compare)
        self._jumps.place = (target.row, target.lane)
        self.compare.go_to(target.lane, target.step_number, takes_focus=True)

    def _say(self, words: str) -> None:
        self._context.shell.say(words)

    def add_mentions(self, targets: Sequence[Target]) -> None:
        """Mentions further on in very long texts were found: jumps go there, too."""
        self._jumps.add_mentions(targets)

    def _current_card(self) -> StepCard | None:
        """The card that keys act on."""
        current = self.compare.current
        return self.compare.card(*current) if current else None

    def toggle_results(self) -> None:
        """Open or close the results of the current query."""
        card = self._current_card()
        if card is not None and card.results_button is not None:
            card.results_button.toggle()
        else:
            self._jumps.next_query()

    def toggle_fold(self) -> None:
        """Fold the current step to its head, or show it."""
        card = self._current_card()
        if card is not None:
            card.set_folded(not card.is_folded)
        else:
            self._jumps.next_step()

    def toggle_fold_all(self) -> None:
        """Fold all steps to their heads, or show all."""
        self.compare.fold_all(not self.compare.is_all_folded)

    def toggle_plain(self) -> None:
        """Show answers as they were written, or as the Markdown that they are meant as."""
        self.compare.set_plain(not self.compare.is_plain)
        self._say("Answers as they were written" if self.compare.is_plain else "Answers as Markdown")

    def toggle_diff(self) -> None:
        """Compare the answers word by word, or go back to the steps."""
        if self._reading is None:
            return
        if self._body.currentWidget() is self.diff:
            self._body.setCurrentWidget(self.compare)
        elif len(self._reading.cases) < 2:
            self._say("There is one answer only: compare with another one first")
        else:
            self._show_diff(self._reading)
            self._body.setCurrentWidget(self.diff)

    def _show_diff(self, reading: CaseReading) -> None:
        self.diff.show_answers(reading.answers)

    def copy_reference(self) -> None:
        """Copy the reference of the current step, else of the case."""
        current = self.compare.current
        if current is not None:
            self._copy_reference(*current)
        elif self._reading is not None:
            self._copy(self._reading.case.reference)

    def _copy_reference(self, lane: int, number: int) -> None:
        if self._reading is not None:
            self._copy(f"{self._reading.cases[lane].reference}#{number}")

    def _copy(self, reference: str) -> None:
        copy_to_clipboard(reference)
        self._say(f"Copied {reference}")

    def _note_on(self, lane: int, number: int) -> None:
        self.notes.note_on(lane, number)

    def _open_whole_text(self, place: object, title: str) -> None:
        if not isinstance(place, TextPlace):
            return
        store = OutlineStore(self._context.database)
        dialog = WholeTextDialog(self._context, title, partial(store.whole, place), self)
        dialog.show()

    def toggle_free(self) -> None:
        """One scroll bar for both columns, or one each."""
        self.compare.set_free(not self.compare.is_free)
        self._place_top()
        self._say("Columns scroll freely" if self.compare.is_free else "Columns scroll together")

    def to_note(self) -> None:
        """Put the cursor into the note field."""
        self.notes.to_note()

    def to_step_note(self) -> None:
        """Put the cursor into the note field, for a note on the current step."""
        row, lane = self._jumps.place
        view = self._reading.rows[row] if self._reading and 0 <= row < len(self._reading.rows) else None
        step = view.steps[lane] if view else None
        if step is None:
            self._say("Go to a step first: S, Q or a click on it")
        else:
            self.notes.note_on(lane, step.step.number)

    def to_tag(self) -> None:
        """Put the cursor into the field for tags."""
        self.notes.to_tag()


def _head_of(reading: CaseReading) -> tuple[object, ...]:
    """What the heads of the columns show."""
    return reading.cases, reading.opinions
