"""Review: one probe large, what changed beside it, and every decision one key away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtWidgets import QStackedWidget, QWidget

from btc_gui.domain.probe import ProbeId, ProbeText
from btc_gui.domain.review import Action, Decision
from btc_gui.errors import BtcError, InputError
from btc_gui.sessions.review_item import ReviewItem
from btc_gui.sessions.review_queue import Queue, QueueKind
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.reviews import Step
from btc_gui.ui.announcing import announce
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.queue_feed import News, QueueFeed
from btc_gui.ui.review_tools import DID_AGAIN, UNDID, ReviewTools
from btc_gui.ui.shell import Page
from btc_gui.ui.trying import Trying
from btc_gui.ui.widgets.decision_bar import DECIDING, DecisionBar
from btc_gui.ui.widgets.decision_panel import DecisionPanel
from btc_gui.ui.widgets.frames import EmptyState, page_column
from btc_gui.ui.widgets.probe_card import ProbeCard
from btc_gui.ui.widgets.queue_bar import QueueBar, end_words
from btc_gui.ui.widgets.review_reader import ReviewReader
from btc_gui.ui.wording import action_words

if TYPE_CHECKING:
    from btc_gui.ui.generating import Generating


#: A second press within this time was meant for the probe that has just left.
SETTLE_MILLISECONDS: Final = 250
_LEAST_READING: Final = 80
#: So long after a probe came the next one is laid out: this one is painted by then, and has its article.
_AHEAD_MILLISECONDS: Final = 160


class ReviewPage(Page):
    """Keeps no rule of its own: the session decides, the page shows and asks."""

    name, title, icon = "review", "Review", "checklist"
    subjects = frozenset({Subject.PROBES, Subject.EVENTS, Subject.REVIEWS, Subject.SETTINGS})

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self._context = context
        self._session = ReviewSession(context.database, context.categories, context.settings.reviewer)
        self._shown: ReviewItem | None = None
        self._starting: Queue | None = Queue()
        self._asked: ProbeId | None = None
        self._is_telling = False
        self._feed = QueueFeed(context.job_runner, self._session, self._take_news, self)
        self._tools = ReviewTools(context, self, self._bulk_done)
        self._trying = Trying(context, self, self._shown_id)
        self._settling = QElapsedTimer()
        self._ahead = QTimer(self, singleShot=True, interval=_AHEAD_MILLISECONDS)
        self._ahead.setObjectName("ahead")
        self._ahead.timeout.connect(self._make_ready)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # For its keys; there is nothing to see on it.
        self.setAccessibleName("Review")
        self._build()
        self._bind()
        self._enable()

    # -- building ---------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = page_column(self)
        self.header = QueueBar(self._context, self._reviewer)
        self.header.chosen.connect(self._choose_queue)
        column.addWidget(self.header)
        self._stack = QStackedWidget(self)
        self.reader = ReviewReader(self._context, self, self._stack, self._bind_card)
        self._stack.addWidget(self.reader)
        self._stack.addWidget(blank := QWidget())
        self._stack.setCurrentWidget(blank)  # Until the queue is read.
        # What is to be read scrolls: where room is scarce, filters and buttons must stay whole.
        self._stack.setMinimumHeight(_LEAST_READING)
        column.addWidget(self._stack, 1)
        self.panel = DecisionPanel(self)
        self.panel.hide()
        self.panel.confirmed.connect(self._confirm_panel)
        self.panel.left.connect(self._leave_panel)
        self.panel.typed.connect(self._keep_note)
        column.addWidget(self.panel)
        self._bar = DecisionBar(self._context.commands, self)
        column.addWidget(self._bar)

    # What is seldom shown is made then.

    @cached_property
    def empty(self) -> EmptyState:
        """Says that there are no probes yet, and where they come from."""
        made = EmptyState(
            "checklist",
            "No probes to review yet",
            "Probes that are imported or generated come here, each beside the change it is about.",
            self._context.commands.action("file.import_probes"),
        )
        self._stack.addWidget(made)
        return made

    @cached_property
    def finished(self) -> EmptyState:
        """Says that no probe is left in the queue."""
        made = EmptyState("circle-check", "", "")
        self._stack.addWidget(made)
        return made

    def _bind(self) -> None:
        methods = {
            "accept": self._accept,
            "reject": self._ask_reasons,
            "edit": self._edit,
            "defer": self._defer,
            "flag": self._flag,
            "note": self._ask_note,
            "undo": self._undo,
            "redo": self._redo,
            "article": self.reader.open_article,
            "source": self.reader.open_source,
            "search": self.header.start_search,
            "waive": self._waive,
            "rewrite": self._rewrite,
            "try": self._try,
            "assign": self._assign,
            "agreement": self._tools.show_agreement,
            "next": self._next,
            "previous": self._previous,
        }
        for name, method in methods.items():
            self._context.commands.bind(f"review.{name}", method, self)

    def kept_parts(self) -> Sequence[QWidget]:
        return (self.reader,)

    def _bind_card(self, card: ProbeCard) -> None:
        card.typed.connect(self._keep_edit)
        card.edited.connect(self._save_edit)
        card.edit_left.connect(self._leave_edit)
        card.draft_resumed.connect(self._edit)
        card.draft_dropped.connect(self._drop_draft)
        card.sibling_chosen.connect(self._show_probe)

    @property
    def probe_card(self) -> ProbeCard:
        """The card of the probe that is shown."""
        return self.reader.probe_card

    # -- what the window asks ---------------------------------------------------------------------------------

    def activate(self) -> None:
        if self._is_telling:
            # What was decided here is known: reading the queue anew would hold up the next probe.
            self._show()
            return
        if self._session.reviewer != self._reviewer():
            self._session.reviewer = self._reviewer()
            self._starting = self._starting or (self.header.queue() if self._session.queue.assigned_to else None)
        self._feed.ask(self._starting or self._session.queue, is_new=self._starting is not None)

    def _reviewer(self) -> str:
        return self._context.settings.reviewer

    def _start(self, queue: Queue) -> None:
        self._starting, self._asked = queue, None
        self._feed.ask(queue, is_new=True)

    def _take_news(self, news: News) -> None:
        before = self._session.current
        if news.scope is None:
            # Nothing that a queue is made of has changed; its article may have.
            self.reader.read_article_again()
        elif self._starting is not None:
            self._session.start(self._starting, news.scope)
            self._starting = None
            if self._asked is not None:
                self._session.show(self._asked)
                self._asked = None
        else:
            self._session.reload(news.scope)
        if news.scope is not None:
            self.header.offer_models(news.models)
        self._show_around()
        if news.is_late and before is not None and self._session.current != before:
            # The probe changed by itself: a key that is on its way was meant for the one before.
            self._settling.start()

    def _show_around(self) -> None:
        """Show what moved; while somebody is typing only around the text, never the text itself."""
        if self._is_typing:
            self._show_progress()
        else:
            self._show()

    def show_item(self, item: object) -> None:
        """Show one probe (its id), or go through some (a sequence of ids)."""
        self._leave_typing()
        if isinstance(item, int):
            self._show_probe(ProbeId(item))
        elif isinstance(item, Sequence):
            queue = Queue(kind=QueueKind.ALL, ids=tuple(item))
            self.header.show_queue(queue)
            self._start(queue)
        elif isinstance(item, Queue):
            self.header.show_queue(item)
            self._start(item)

    def focus_filter(self) -> None:
        self.reader.article_card.start_find()

    def take_focus(self) -> None:
        if not self._is_typing:
            self.setFocus()

    def leave(self) -> None:
        self._ahead.stop()
        self._leave_typing()

    # -- showing ----------------------------------------------------------------------------------------------

    @property
    def _is_typing(self) -> bool:
        return self.probe_card.is_editing or not self.panel.isHidden()

    def _show(self) -> None:
        """Show what the session is at."""
        before, item = self._shown, self._session.item()
        self._shown = item
        self.panel.hide()
        is_other = item is not None and (before is None or before.probe.id != item.probe.id)
        if item is not None and is_other:
            announce(self, item.probe.text)
        if item is None:
            self.probe_card.stop_editing()
            self._show_end()
        else:
            self._stack.setCurrentIndex(0)
            self.reader.show_item(item, has_draft=self._session.edit_draft(item.probe.id) is not None)
            # What is only shown anew, since others wrote, does not put off the next one.
            if is_other or not self._ahead.isActive():
                self._ahead.start()
        self._show_progress()
        self._enable()

    def _make_ready(self) -> None:
        """Lay out the next probe while this one is read."""
        if self._is_typing:
            return
        # What can't be read now is told when somebody asks for it.
        with suppress(BtcError):
            following = self._session.following()
            if following is not None:
                has_draft = self._session.edit_draft(following.probe.id) is not None
                self.reader.make_ready(following, has_draft=has_draft)

    def _show_end(self) -> None:
        if not self._session.has_probes:
            self._stack.setCurrentWidget(self.empty)
            return
        self._stack.setCurrentWidget(self.finished)
        session = self._session
        is_share = bool(session.queue.assigned_to)
        self.finished.say(*end_words(session.progress(), is_empty=session.is_empty, is_share=is_share))

    def _show_progress(self) -> None:
        self.header.set_counts(self._session.progress().text if self._session.has_probes else "")

    def _enable(self) -> None:
        commands = self._context.commands
        can_decide = self._shown is not None and not self._is_typing
        for name in (*DECIDING, "next", "previous"):
            commands.action(f"review.{name}").setEnabled(can_decide)
        commands.action("review.previous").setEnabled(not self._is_typing and not self._session.is_empty)
        commands.action("review.undo").setEnabled(not self._is_typing and self._session.can_undo)
        commands.action("review.redo").setEnabled(not self._is_typing and self._session.next_redo() is not None)
        for name in ("article", "source", "waive", "rewrite", "try"):
            commands.action(f"review.{name}").setEnabled(self._shown is not None)
        # The panel and the editor have buttons of their own; without probes there is nothing to decide.
        is_empty = self._starting is None and not self._session.has_probes
        self._bar.setVisible(not self._is_typing and not is_empty)
        # In a low window the reasons need the room of the filters.
        self.header.setVisible(self.panel.isHidden() or self._has_room_for_both())
        flag = commands.action("review.flag")
        flag.setText("Remove flag" if self._shown is not None and self._shown.probe.is_flagged else "Flag")

    def _has_room_for_both(self) -> bool:
        """Whether the filters and the panel of reasons leave room to read."""
        return self.header.sizeHint().height() + self.panel.sizeHint().height() + 2 * _LEAST_READING <= self.height()

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
            with self._feed.own_decision():
                self._session.decide(seen, action, reasons=reasons, note=note, edited=edited)
        except InputError as error:
            self._say_problem(str(error))
            return False
        except BtcError as error:
            self._show_moved(error)
            return False
        self._tell()
        if self._session.current != seen.id:
            self._settling.start()
        return True

    def _tell(self) -> None:
        """Tell the others what was decided here."""
        self._is_telling = True
        try:
            self._context.changes.tell(Subject.REVIEWS)
        finally:
            self._is_telling = False

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
        self.reader.refresh_item(item)
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
        self._turn(self._session.next_undo(), self._session.undo, UNDID)

    def _redo(self) -> None:
        self._turn(self._session.next_redo(), self._session.redo, DID_AGAIN)

    def _turn(self, step: Step | None, turn: Callable[[], Decision | None], word: str) -> None:
        if step is None:
            return
        if step.bulk_id is not None:
            self._tools.turn_bulk(step, word)
            return
        try:
            with self._feed.own_decision():
                about = turn()
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        if about is not None:
            self._tell()
            self._context.shell.say(f"{word}: {action_words(about.action).lower()}.")

    def _bulk_done(self) -> None:
        """Follow a bulk action that was done, taken back or brought back."""
        self._feed.ask(self._session.queue, is_new=True)

    # -- what is beside it ------------------------------------------------------------------------------------

    def _waive(self) -> None:
        item = self._shown
        if item is None or not item.findings:
            self._context.shell.say("The linter found nothing here that could be let pass.")
            return
        self._leave_typing()
        self._tools.waive(item.probe.id, item.findings)

    @cached_property
    def _generating(self) -> Generating:
        # With all that asking a model needs: loaded when somebody asks, not when the page is opened.
        from btc_gui.ui.generating import Generating

        return Generating(self._context, self)

    def _rewrite(self) -> None:
        if self._shown is not None:
            self._leave_typing()
            self._generating.rewrite(self._shown.probe, self._shown.event)

    def _try(self) -> None:
        self._leave_typing()
        self._trying.ask()

    def _shown_id(self) -> ProbeId | None:
        return self._shown.probe.id if self._shown is not None else None

    def _assign(self) -> None:
        self._tools.assign(self._session.ids)

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
            self._keep_typed(partial(self._session.keep_note, self._shown.probe.id, text))

    def _keep_typed(self, keep: Callable[[], object]) -> None:
        """Typing goes on when it can't be kept now; it is tried again with the next words."""
        try:
            keep()
        except BtcError as error:
            self._say_problem(str(error))

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
            self._keep_typed(partial(self._session.keep_edit, self._shown.probe, content))

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

    def _choose_queue(self) -> None:
        self._leave_typing()
        self._start(self.header.queue())
        if not self.header.search.hasFocus():
            self.setFocus()
