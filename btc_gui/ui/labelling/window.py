"""The labelling window: one packet, one item at a time. It is given a `LabellingSession` and nothing else.

Whatever is hidden from the annotator is not in this process: there is no project, no database, no settings.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import ItemId, Layer, PacketItem
from btc_gui.errors import BtcError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.practising import PracticeSession
from btc_gui.ui.announcing import announce
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.help_window import HelpWindow
from btc_gui.ui.key_sheet import KeyList
from btc_gui.ui.labelling.draft import Draft
from btc_gui.ui.labelling.form import FormContext
from btc_gui.ui.labelling.forms import make_form
from btc_gui.ui.labelling.head import Head
from btc_gui.ui.labelling.held_keys import HeldKeys
from btc_gui.ui.labelling.mentions import FindMentions, mention_spans
from btc_gui.ui.labelling.pages import BreakStrip, FeedbackCard, PlainPage, practice_words
from btc_gui.ui.labelling.said_line import SaidLine
from btc_gui.ui.labelling.session_words import place_of, state_words
from btc_gui.ui.labelling.text_size import TextSize
from btc_gui.ui.labelling.window_actions import not_now, share_keys, window_actions
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.words import counted

#: A second press or click within this time was meant for the item that has just left.
SETTLE_MILLISECONDS = 350
#: What stands above every item of a packet that shows more than the item.
_LAYER_WORDS = {
    Layer.ASSISTED: "Assisted: the classifier's findings are shown. These labels verify them; they are not blind.",
    Layer.REVEALED: "Revealed: the classifier's findings are shown now. Your blind labels are handed in and stay as "
    "they are; these come second.",
    Layer.ADJUDICATION: "Adjudication: two earlier labels are shown, in random order and without names. What the "
    "machine says is not shown.",
}


class LabellingWindow(QMainWindow):
    """The window for one packet."""

    def __init__(
        self,
        session: LabellingSession,
        theme: Theme,
        find_mentions: FindMentions | None = None,
        keep_text_size: Callable[[float], None] | None = None,
    ) -> None:
        """`keep_text_size` is told when the annotator wants another text size."""
        super().__init__()
        self._text_size = TextSize(self, theme, keep_text_size)
        self._session = session
        self._theme = theme
        self._shown_item: ItemId | None = None
        self._settled = QElapsedTimer()
        self._draft = Draft(session, self)
        self._message = SaidLine()
        self._draft.said.connect(self._message.say_of_draft)
        #: What practice is for stands before its first item.
        self._is_told_of_practice = session.practice is not None
        self.form = make_form(
            FormContext(
                session.manifest,
                theme,
                find_mentions or mention_spans,
                self._comes_too_soon,
                session.manifest.ask_confidence,
            )
        )
        self._help: HelpWindow | None = None
        self._held_keys = HeldKeys(self)
        self._build_actions()
        self._build()
        size_window(self, 1280, 900)
        self._text_size.limit()
        self._show()

    # -- building --------------------------------------------------------------------------------------------

    @property
    def can_show(self) -> bool:
        """Whether there is a form for this packet's kind."""
        return self.form is not None

    def action(self, name: str) -> QAction:
        """An action of the window (`undo`, `skip`, `back`, `pause`…) or its form (`choose:VALUE`, `note`…)."""
        return (
            self._actions[name] if name in self._actions else next(a for a in self._asked() if a.objectName() == name)
        )

    def _asked(self) -> list[QAction]:
        """The form's actions."""
        return self.form.actions() if self.form is not None else []

    def _build_actions(self) -> None:
        self._actions = window_actions(
            self,
            {
                "undo": self._undo,
                "skip": self._skip,
                "back": self._back,
                "forward": self._forward,
                "pause": self._toggle_pause,
                "later": self._put_break_off,
                "go_on": self._go_on,
                "larger": self._text_size.larger,
                "smaller": self._text_size.smaller,
                "keys": self._show_keys,
                "help": self._show_help,
                "close": self.close,
            },
        )
        share_keys(self._asked(), self._actions.values())

    def _build(self) -> None:
        body = QWidget()
        body.setObjectName("labelling")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        manifest = self._session.manifest
        if manifest.note:
            layout.addWidget(label(manifest.note, "banner"))
        if manifest.layer in _LAYER_WORDS:
            layout.addWidget(label(_LAYER_WORDS[manifest.layer], "banner"))
        self._build_pages()
        self._head = Head(self._actions, manifest.annotator)
        layout.addWidget(self._head)
        layout.addWidget(self._stack, 1)
        self.setCentralWidget(body)

    def _item_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 0, 24, 16)
        layout.setSpacing(8)
        self._break = BreakStrip(self._actions["pause"], self._actions["later"])
        layout.addWidget(self._break)
        if self.form is not None:
            self.form.submitted.connect(self._give)
            self.form.draft_changed.connect(self._draft.change)
            self.form.said.connect(self._message.say)
            layout.addWidget(self.form, 1)
        self._feedback = FeedbackCard(self._actions["go_on"])
        layout.addWidget(self._feedback)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._message, 1)
        # What is said comes and goes; the item above keeps its place.
        foot.addStrut(self.fontMetrics().height() * 2)
        self._ways = [CommandButton(self._actions[name]) for name in ("undo", "skip", "back", "forward")]
        for made in self._ways:
            foot.addWidget(made)
        layout.addLayout(foot)
        return page

    def _build_pages(self) -> None:
        act = self._actions
        self._items = self._item_page()
        self._finished = PlainPage([act["undo"], act["back"], act["close"]], leads=False)
        self._paused = PlainPage([act["pause"]], "Paused", "The time of the break does not count.")
        self._told = PlainPage([act["go_on"]])
        self._unshowable = PlainPage(
            [],
            "This packet can't be labelled in this window",
            "It asks for more than this version shows. A newer version may do it, or the labels come from a file:\n"
            f"btc-gui label “{self._session.path.name}” --from LABELS.jsonl\n\nNothing was changed.",
        )
        self._stack = QStackedWidget()
        for page in (self._items, self._finished, self._paused, self._told, self._unshowable):
            self._stack.addWidget(page)

    # -- showing ---------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Show what the session is at: an item, practice or labelling, or one of the plain pages."""
        session = self._session
        if not self.can_show:
            self._show_unshowable()
            return
        practice = session.practice
        is_between = practice is not None and (practice.current is None or self._is_told_of_practice)
        if practice is not None:
            item, done, total = practice.current, practice.done, practice.total
            place = f"Practice item {item.position:,} of {total:,}" if item and not is_between else "Practice"
        else:
            item, done, total = session.current, session.done, session.total
            place = f"Item {item.position:,} of {total:,}" if item else f"{counted(total, 'item')}, all labelled"
        self._head.show_place(place, state_words(session), done, total)
        self.setWindowTitle(f"Labelling: {place[:1].lower()}{place[1:]}")
        self._feedback.tell(practice.feedback if practice is not None else None)
        if session.is_paused:
            self._stack.setCurrentWidget(self._paused)
        elif practice is not None and is_between:
            self._show_told(practice)
        elif item is None:
            self._show_finished()
        else:
            self._stack.setCurrentWidget(self._items)
            if item.item != self._shown_item:
                self._show_item(item)
                # The focus stays in the text, in which the next item stands now.
                announce(self._head.place, place)
        self._shown_item = item.item if item else None
        self._break.remind(session.since_break, session.manifest.break_minutes)
        self._sync_actions()
        self._settled.restart()

    def _show_unshowable(self) -> None:
        self._stack.setCurrentWidget(self._unshowable)
        self._head.show_place("Labelling", "", 0, 0)
        self.setWindowTitle("Labelling")
        for action in self._actions.values():
            action.setEnabled(action.objectName() in ("larger", "smaller", "help", "close"))

    def _show_item(self, item: PacketItem) -> None:
        session = self._session
        assert self.form is not None
        if session.practice is not None:
            # Practice is given or not; there is nothing to keep.
            self._draft.begin(None)
            self.form.show_item(item, session.practice.page, None, ItemState())
        else:
            self._draft.begin(item.item)
            self.form.show_item(item, session.page, session.given, session.draft)
        self.form.focus_first()
        self._message.say("", "")

    def _show_told(self, practice: PracticeSession) -> None:
        """The page between two parts of the practice: what is asked, or how the round went."""
        self._stack.setCurrentWidget(self._told)
        self._stack.setFocus()
        head, words, go_on = practice_words(practice)
        self._told.say(head, words)
        self._actions["go_on"].setText(go_on)

    def _show_finished(self) -> None:
        self._stack.setCurrentWidget(self._finished)
        # Not on the Undo button: a stray space bar must not take a label back.
        self._stack.setFocus()
        place = place_of(self._session.path)
        self._finished.say(
            "Everything is labelled" if self._session.total else "This packet has no items",
            f"Every label is saved in the packet. Close the window and send this file back:\n{place}",
        )

    def _sync_actions(self) -> None:
        session, practice = self._session, self._session.practice
        is_open = not session.is_paused and self._stack.currentWidget() is self._items
        is_told = practice is not None and (practice.feedback is not None or not is_open)
        if self.form is not None:
            self.form.set_open(is_open and not is_told)
        is_labelling = practice is None and not session.is_paused
        position = session.current.position if session.current else session.total + 1
        enabled = {
            "undo": is_labelling and session.can_undo,
            "skip": is_labelling and is_open,
            "back": is_labelling and position > 1,
            "forward": is_labelling and is_open and (position < session.total or session.done == session.total),
            "go_on": is_told and not session.is_paused,
            "pause": is_open or session.is_paused,
            "later": not self._break.isHidden(),
        }
        for name, is_enabled in enabled.items():
            self._actions[name].setEnabled(is_enabled)
        self._actions["pause"].setText("Go on" if session.is_paused else "Pause")
        if practice is not None and practice.feedback is not None:
            self._actions["go_on"].setText("Next")
        for made in self._ways:
            made.setVisible(practice is None)

    # -- deciding --------------------------------------------------------------------------------------------

    def _is_too_soon(self) -> bool:
        """Whether a press would be meant for the item before this one."""
        return self._settled.isValid() and self._settled.elapsed() < SETTLE_MILLISECONDS

    def _comes_too_soon(self) -> bool:
        """Whether a press that came was meant for the item before. Then the next one comes too soon after this one as
        well: a row of quick clicks is one label, however long it is."""
        is_too_soon = self._is_too_soon()
        if is_too_soon:
            self._settled.restart()
        return is_too_soon

    def _give(self, state: ItemState) -> None:
        if self._shown_item is None or self._comes_too_soon():
            return
        practice = self._session.practice
        if practice is not None:
            if self._try(practice.label_as, self._shown_item, state):
                self._draft.begin(None)
                self._message.say("", "")
                self._show()
                self._focus_told()
            return
        is_change = self._session.given is not None
        if self._try(self._session.label_as, self._shown_item, state):
            self._draft.begin(None)
            self._show()
            self._message.say("Changed ✓ The first label is kept." if is_change else "Saved ✓", "success")

    def _focus_told(self) -> None:
        """With feedback on screen the item can still be read by keys; what can't be read there has no focus."""
        assert self.form is not None
        self.form.focus_first()
        if not self.form.isAncestorOf(self.focusWidget() or self):
            self._feedback.setFocus()

    def _go_on(self) -> None:
        """From what was told in the practice to what comes next."""
        practice = self._session.practice
        if practice is None:
            return
        if self._is_told_of_practice:
            self._is_told_of_practice = False
        else:
            practice.go_on()
        self._shown_item = None
        self._show()

    def _undo(self) -> None:
        if self._comes_too_soon() or not self._draft.flush():
            return
        if self._try(self._session.undo):
            self._shown_item = None
            self._show()
            self._message.say("Label withdrawn", "")

    def _skip(self) -> None:
        if self._shown_item is None or self._comes_too_soon() or not self._draft.flush():
            return
        if self._try(self._session.skip, self._shown_item):
            # The last open item comes back at once: it is the only one left.
            self._shown_item = None
            self._show()

    def _back(self) -> None:
        if self._draft.flush() and self._try(self._session.back):
            self._show()

    def _forward(self) -> None:
        if self._draft.flush() and self._try(self._session.forward):
            self._show()

    def _try(self, act: Callable[..., object], *arguments: object) -> bool:
        """Do something that writes; a failure is said beside the buttons and changes nothing."""
        try:
            return bool(act(*arguments))
        except BtcError as error:
            self._message.say(f"Not saved. {error}", "danger")
            return False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window's own input, before any widget has it: signs of life, and keys that do nothing now."""
        signs = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel)
        if event.type() in signs:
            self._session.touch()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._tell_not_now(QKeySequence(event.keyCombination()))
        return super().eventFilter(watched, event)

    def _tell_not_now(self, keys: QKeySequence) -> None:
        """Say what a key would do that does nothing now: silence would leave people to guess whether it was heard."""
        if isinstance(QApplication.focusWidget(), QLineEdit | QComboBox):
            return
        if words := not_now((*self._asked(), *self._actions.values()), keys):
            self._message.say(f"Not now: {words}", "small")

    # -- the window ------------------------------------------------------------------------------------------

    def _toggle_pause(self) -> None:
        was_paused = self._session.is_paused
        if was_paused:
            self._session.resume()
        elif self._draft.flush():
            self._session.pause()
        self._show()
        if was_paused and self.form is not None:
            # Not in the note, where the page's disappearance may have left it: the next letter is a label.
            self.form.focus_first()

    def _put_break_off(self) -> None:
        self._break.put_off(self._session.since_break)
        self._sync_actions()

    def _show_help(self) -> None:
        """What labelling is, beside the item."""
        if self._help is None:
            self._help = HelpWindow([("labelling", "Labelling")], self)
        self._help.show_topic("labelling")

    def _show_keys(self) -> None:
        def lines(actions: list[QAction]) -> list[tuple[str, str]]:
            return [(action.toolTip(), action.shortcut().toString()) for action in actions]

        choices = [action for action in self._asked() if action.objectName().startswith("choose:")]
        others = [action for action in self._asked() if action not in choices]
        KeyList(
            [("Labels", lines(choices)), ("This item", lines(others))],
            [("This window", lines(list(self._actions.values()))), ("Fields", (("Leave a field", "Esc"),))],
            "Single keys act while no text field has the focus.",
            self,
        ).open()

    def showEvent(self, event: QShowEvent) -> None:
        """Listen to the window's own input, so that idle time does not count as work."""
        super().showEvent(event)
        handle = self.windowHandle()
        if handle is not None:
            handle.installEventFilter(self)
        if self.form is not None and self._shown_item is not None:
            self.form.focus_first()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what was typed and release the packet."""
        if not self._draft.flush() and not confirm(
            self,
            "Close without the note?",
            "The packet can't be written, so what was typed last would be lost. Labels given before are safe.",
            "Close anyway",
            "Stay",
        ):
            event.ignore()
            return
        handle = self.windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)
        self._session.close()
        super().closeEvent(event)
