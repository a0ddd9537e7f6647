"""Review: one probe large, what changed beside it, and every decision one key away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from btc_gui.domain.probe import ProbeId, ProbeKind, ProbeText
from btc_gui.domain.review import Action
from btc_gui.errors import BtcError, InputError
from btc_gui.progress import Progress
from btc_gui.sessions.review_item import ReviewItem
from btc_gui.sessions.review_queue import Queue, QueueKind, QueueScope
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.shell import Page
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.decision_log import DecisionLog
from btc_gui.ui.widgets.decision_panel import DecisionPanel
from btc_gui.ui.widgets.event_card import EventCard
from btc_gui.ui.widgets.filter_bar import Choice, Facet
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card, EmptyState, PageHeader, page_column, scrolling
from btc_gui.ui.widgets.probe_card import ProbeCard
from btc_gui.ui.wording import action_words, counted

#: A second press within this time was meant for the probe that has just left.
SETTLE_MILLISECONDS: Final = 250
_QUEUES = (
    (QueueKind.UNREVIEWED, "Unreviewed"),
    (QueueKind.DEFERRED, "Deferred"),
    (QueueKind.FLAGGED, "Flagged"),
    (QueueKind.STALE, "Approved for other facts"),
    (QueueKind.ALL, "All probes"),
)
_DECIDING = ("accept", "reject", "edit", "defer", "flag", "note")


class ReviewPage(Page):
    """Keeps no rule of its own: the session decides, the page shows and asks."""

    name, title, icon = "review", "Review", "checklist"
    subjects = frozenset({Subject.PROBES, Subject.EVENTS, Subject.REVIEWS, Subject.SETTINGS})

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._session = ReviewSession(context.database, context.categories, context.settings.reviewer)
        self._shown: ReviewItem | None = None
        self._starting: Queue | None = Queue()
        self._asked: ProbeId | None = None
        self._is_late = False
        self._reading = LatestJob(context.job_runner, "Read the review queue", self._take_scope, self)
        self._settling = QElapsedTimer()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Review")
        self._build()
        self._bind()
        self._enable()

    # -- building ---------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = page_column(self)
        self.header = PageHeader("Review")
        self.queue_box = QComboBox()
        self.queue_box.setAccessibleName("Which probes")
        for kind, words in _QUEUES:
            self.queue_box.addItem(words, kind)
        self.queue_box.activated.connect(self._choose_queue)
        self.category = Facet("Category", [Choice(c.name, c.plural) for c in self._context.categories.values()])
        self.category.chosen.connect(self._choose_queue)
        self.kind = Facet("Kind", [Choice(kind.value, kind.value.capitalize()) for kind in ProbeKind])
        self.kind.chosen.connect(self._choose_queue)
        for widget in (self.queue_box, self.category, self.kind):
            self.header.add(widget)
        column.addWidget(self.header)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_reader())
        self.empty = EmptyState(
            "checklist",
            "No probes to review yet",
            "Probes that are imported or generated come here, each beside the change it is about.",
            self._context.commands.action("file.import_probes"),
        )
        self.finished = EmptyState("circle-check", "", "")
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.finished)
        self._stack.addWidget(blank := QWidget())
        self._stack.setCurrentWidget(blank)  # Until the queue is read.
        column.addWidget(self._stack, 1)
        column.addWidget(self._build_panel())
        column.addWidget(self._build_bar())

    def _build_reader(self) -> QWidget:
        theme = self._context.theme
        self.probe_card = ProbeCard(theme)
        left = QWidget()
        left_column = QVBoxLayout(left)
        left_column.setContentsMargins(0, 0, INSIDE, 0)
        left_column.addWidget(self.probe_card)
        left_column.addStretch(1)
        self.event_card = EventCard(theme)
        self.history = DecisionLog(theme)
        history_card = Card("Decisions")
        history_card.body.addWidget(self.history)
        right = QWidget()
        right_column = QVBoxLayout(right)
        right_column.setContentsMargins(INSIDE, 0, 0, 0)
        right_column.setSpacing(12)
        right_column.addWidget(self.event_card)
        right_column.addWidget(history_card)
        right_column.addStretch(1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("review")
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(scrolling(left, "Probe"))
        splitter.addWidget(scrolling(right, "What changed"))
        splitter.setStretchFactor(0, 5)
        splitter.setStretchFactor(1, 3)
        splitter.setSizes([760, 420])
        return splitter

    def _build_panel(self) -> QWidget:
        self.panel = DecisionPanel()
        self.panel.hide()
        self.panel.confirmed.connect(self._confirm_panel)
        self.panel.left.connect(self._leave_panel)
        self.panel.typed.connect(self._keep_note)
        return self.panel

    def _build_bar(self) -> QWidget:
        self._bar = QWidget()
        action = self._context.commands.action
        deciding = QWidget()
        flow = FlowLayout(deciding)
        for name in _DECIDING:
            flow.addWidget(CommandButton(action(f"review.{name}"), "primary" if name == "accept" else ""))
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.setSpacing(INSIDE)
        bar.addWidget(deciding, 1)
        bar.addWidget(CommandButton(action("review.undo")), 0, Qt.AlignmentFlag.AlignTop)
        for name in ("previous", "next"):
            made = CommandButton(action(f"review.{name}"), has_words=False)
            bar.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
        return self._bar

    def _bind(self) -> None:
        methods = {
            "accept": self._accept,
            "reject": self._ask_reasons,
            "edit": self._edit,
            "defer": self._defer,
            "flag": self._flag,
            "note": self._ask_note,
            "undo": self._undo,
            "next": self._next,
            "previous": self._previous,
        }
        for name, method in methods.items():
            self._context.commands.bind(f"review.{name}", method, self)
        self.probe_card.typed.connect(self._keep_edit)
        self.probe_card.edited.connect(self._save_edit)
        self.probe_card.edit_left.connect(self._leave_edit)
        self.probe_card.draft_resumed.connect(self._edit)
        self.probe_card.draft_dropped.connect(self._drop_draft)
        self.probe_card.sibling_chosen.connect(self._show_probe)

    # -- what the window asks ---------------------------------------------------------------------------------

    def activate(self) -> None:
        self._session.reviewer = self._context.settings.reviewer
        self._read(self._starting or self._session.queue)

    def _read(self, queue: Queue) -> None:
        self._is_late = False

        def read(progress: Progress) -> QueueScope:
            return self._session.read_scope(queue)

        self._reading.ask(read)
        self._is_late = self._reading.is_reading

    def _start(self, queue: Queue) -> None:
        self._starting, self._asked = queue, None
        self._read(queue)

    def _take_scope(self, scope: QueueScope) -> None:
        before = self._session.current
        if self._starting is not None:
            if scope.queue != self._starting or self._session.is_outdated(scope):
                return
            self._session.start(self._starting, scope)
            self._starting = None
            if self._asked is not None:
                self._session.show(self._asked)
                self._asked = None
        else:
            self._session.reload(scope)
        if self._is_typing:
            # Somebody is typing: show what moved around the text, never the text itself.
            self._show_progress()
            return
        self._show()
        if self._is_late and before is not None and self._session.current != before:
            # The probe changed by itself: a key that is on its way was meant for the one before.
            self._settling.start()

    def show_item(self, item: object) -> None:
        """Show one probe (its id), or go through some (a sequence of ids)."""
        self._leave_typing()
        if isinstance(item, int):
            self._show_probe(ProbeId(item))
        elif isinstance(item, Sequence):
            self.queue_box.setCurrentIndex(-1)
            self.queue_box.setPlaceholderText(f"{counted(len(item), 'chosen probe')}")
            self._start(Queue(kind=QueueKind.ALL, ids=tuple(item)))

    def take_focus(self) -> None:
        if not self._is_typing:
            self.setFocus()

    def leave(self) -> None:
        self._leave_typing()

    # -- showing ----------------------------------------------------------------------------------------------

    @property
    def _is_typing(self) -> bool:
        return self.probe_card.is_editing or not self.panel.isHidden()

    def _show(self) -> None:
        """Show what the session is at."""
        self._shown = item = self._session.item()
        self.panel.hide()
        if item is None:
            self.probe_card.stop_editing()
            self._show_end()
        else:
            self._stack.setCurrentIndex(0)
            draft = self._session.edit_draft(item.probe.id)
            self.probe_card.show_item(item, has_draft=draft is not None)
            self.event_card.show_event(item.event, item.category)
            self.history.show_log(item.log)
        self._show_progress()
        self._enable()

    def _show_end(self) -> None:
        if not self._session.has_probes:
            self._stack.setCurrentWidget(self.empty)
            return
        self._stack.setCurrentWidget(self.finished)
        progress = self._session.progress()
        if self._session.is_empty:
            self.finished.say("Nothing here", "No probe is in this queue. Choose another one above.")
        else:
            deferred = (
                f" {counted(progress.deferred, 'probe')} wait among the deferred ones." if progress.deferred else ""
            )
            self.finished.say(
                "This queue is done", f"Every probe in it has a decision.{deferred} U takes back the last one."
            )

    def _show_progress(self) -> None:
        self.header.set_counts(self._session.progress().text if self._session.has_probes else "")

    def _enable(self) -> None:
        commands = self._context.commands
        can_decide = self._shown is not None and not self._is_typing
        for name in (*_DECIDING, "next", "previous"):
            commands.action(f"review.{name}").setEnabled(can_decide)
        commands.action("review.previous").setEnabled(not self._is_typing and not self._session.is_empty)
        commands.action("review.undo").setEnabled(not self._is_typing and self._session.can_undo)
        # The panel and the editor have buttons of their own; without probes there is nothing to decide.
        self._bar.setVisible(not self._is_typing and self._stack.currentWidget() is not self.empty)
        flag = commands.action("review.flag")
        flag.setText("Remove flag" if self._shown is not None and self._shown.probe.is_flagged else "Flag")

    def _show_probe(self, probe_id: object) -> None:
        self._leave_typing()
        try:
            shown = ProbeId(int(str(probe_id)))
            self._session.show(shown)
            self._asked = shown if self._starting is not None else None
        except BtcError as error:
            self._context.shell.show_error(error)
        self._show()
        self.setFocus()

    # -- deciding ---------------------------------------------------------------------------------------------

    def _decide(
        self, action: Action, *, reasons: Sequence[str] = (), note: str = "", edited: ProbeText | None = None
    ) -> bool:
        """Decide on the probe as shown; False when it could not be stored (the reason is on the screen)."""
        if self._shown is None or (self._settling.isValid() and self._settling.elapsed() < SETTLE_MILLISECONDS):
            return False
        seen = self._shown.probe
        try:
            self._session.decide(seen, action, reasons=reasons, note=note, edited=edited)
        except InputError as error:
            self._say_problem(str(error))
            return False
        except BtcError as error:
            self._show_moved(error)
            return False
        self._context.changes.tell(Subject.REVIEWS)
        if self._session.current != seen.id:
            self._settling.start()
        return True

    def _say_problem(self, text: str) -> None:
        if not self.panel.isHidden():
            self.panel.say_problem(text)
        else:
            self.probe_card.say(text)

    def _show_moved(self, error: BtcError) -> None:
        """The probe changed under the person's hands: show how it is now, keep what they typed."""
        if not self._is_typing:
            self._show()
        item = self._session.item()
        if item is None:
            self._context.shell.show_error(error)
            return
        self._shown = item
        self.probe_card.refresh_item(item)
        self.history.show_log(item.log)
        kept = f" Your text is kept. The wording is now: “{item.probe.text}”" if self.probe_card.is_editing else ""
        self._say_problem(f"{error}{kept}")

    def _done(self, action: Action) -> None:
        self._context.shell.say(f"{action_words(action)}.")

    def _accept(self) -> None:
        if self._decide(Action.ACCEPT):
            self._done(Action.ACCEPT)

    def _defer(self) -> None:
        if self._decide(Action.DEFER):
            self._done(Action.DEFER)

    def _flag(self) -> None:
        if self._shown is not None:
            action = Action.UNFLAG if self._shown.probe.is_flagged else Action.FLAG
            if self._decide(action):
                self._done(action)

    def _undo(self) -> None:
        try:
            undone = self._session.undo()
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        if undone is not None:
            self._context.changes.tell(Subject.REVIEWS)
            self._context.shell.say(f"Undid: {action_words(undone.action).lower()}.")

    # -- reasons and notes ------------------------------------------------------------------------------------

    def _ask_reasons(self) -> None:
        if self._shown is not None:
            self.panel.setProperty("action", Action.REJECT)
            self.panel.ask_reasons(self._session.note_draft(self._shown.probe.id))
            self._enable()

    def _ask_note(self) -> None:
        if self._shown is not None:
            self.panel.setProperty("action", Action.NOTE)
            self.panel.ask_note(self._session.note_draft(self._shown.probe.id))
            self._enable()

    def _confirm_panel(self, reasons: tuple[str, ...], note: str) -> None:
        action = Action(self.panel.property("action"))
        if self._decide(action, reasons=reasons, note=note):
            self.panel.hide()
            self._show()
            self.setFocus()
            self._done(action)

    def _keep_note(self, text: str) -> None:
        if self._shown is not None:
            self._session.keep_note(self._shown.probe.id, text)

    def _leave_panel(self) -> None:
        self.panel.close_panel()
        self._enable()
        self.setFocus()

    # -- editing ----------------------------------------------------------------------------------------------

    def _edit(self) -> None:
        if self._shown is not None:
            self.probe_card.start_editing(self._session.edit_draft(self._shown.probe.id))
            self._enable()

    def _keep_edit(self, content: ProbeText) -> None:
        if self._shown is not None:
            self._session.keep_edit(self._shown.probe, content)

    def _save_edit(self, content: ProbeText) -> None:
        if self._decide(Action.EDIT, edited=content):
            self._show()
            self.setFocus()
            self._done(Action.EDIT)

    def _leave_edit(self) -> None:
        self.probe_card.stop_editing()
        self._show()
        self.setFocus()

    def _drop_draft(self) -> None:
        if self._shown is not None:
            self._session.forget_edit(self._shown.probe.id)
            self._show()

    def _leave_typing(self) -> None:
        """Keep what is being typed and go back to reading."""
        if not self.panel.isHidden():
            self.panel.close_panel()
        self.probe_card.stop_editing()
        self._enable()

    # -- moving -----------------------------------------------------------------------------------------------

    def _next(self) -> None:
        self._step(1)

    def _previous(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._session.step(by):
            self._show()
        else:
            self._context.shell.say("That is the last probe of the queue." if by > 0 else "That is the first one.")

    def _choose_queue(self, _: object = None) -> None:
        self._leave_typing()
        index = self.queue_box.currentIndex()
        if index < 0:
            index = next(i for i, (kind, _words) in enumerate(_QUEUES) if kind is QueueKind.ALL)
            self.queue_box.setCurrentIndex(index)
        kinds = tuple(ProbeKind(value) for value in self.kind.values)
        self._start(Queue(_QUEUES[index][0], self.category.values, kinds))
        self.setFocus()
