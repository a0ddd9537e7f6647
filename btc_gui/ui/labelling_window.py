"""The labelling window: one packet, one item at a time. It is given a `LabellingSession` and nothing else.

Whatever is hidden from the annotator is not in this process: there is no project, no database, no settings.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QProgressBar,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.domain.mentions import find_mentions, names_of
from btc_gui.domain.packet import Choice, FieldForm, ItemId, Layer
from btc_gui.errors import BtcError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.icons import icon
from btc_gui.ui.key_sheet import KeyList
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import CommandButton, button, link_button
from btc_gui.ui.widgets.marked_text import Passage, Span, TextBlock
from btc_gui.ui.widgets.plain_text import label, set_role
from btc_gui.ui.widgets.rendered_text import RenderedText

#: A second press or click within this time was meant for the item that has just left.
SETTLE_MILLISECONDS = 350
#: A note is on the disk this long after the last keystroke.
AUTOSAVE_MILLISECONDS = 600
_TEXT_SIZES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
#: The field that stands large on the right; all others are what it is judged by.
_ANSWER = "answer"
_ENTITY = "entity"


class _Line(QLineEdit):
    """A text field that tells when Esc leaves it."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


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
        self._keep_text_size = keep_text_size
        self._session = session
        self._theme = theme
        self._find_mentions = find_mentions or mention_spans
        self._shown_item: ItemId | None = None
        self._asking: Choice | None = None
        self._size = min(_TEXT_SIZES, key=lambda size: abs(size - theme.text_scale))
        self._settled = QElapsedTimer()
        self._fields: dict[str, TextBlock] = {}
        self._is_note_unsaved = False
        self._autosave = QTimer(self)
        self._autosave.setSingleShot(True)
        self._autosave.setInterval(AUTOSAVE_MILLISECONDS)
        self._autosave.timeout.connect(self._keep_draft)
        self._actions: dict[str, QAction] = {}
        self._build_actions()
        self._build()
        self.resize(1180, 780)
        self.setMinimumSize(720, 520)
        self._show()

    # -- building --------------------------------------------------------------------------------------------

    @property
    def can_show(self) -> bool:
        """Whether this packet's fields can be shown here: texts only, for now."""
        return all(field.form is FieldForm.TEXT for field in self._session.manifest.fields)

    def action(self, name: str) -> QAction:
        """One of the window's actions: `undo`, `skip`, `back`, `note`, `pause`, `choose:VALUE`…"""
        return self._actions[name]

    def _add_action(self, name: str, text: str, key: str, method: Callable[[], object], picture: str = "") -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        action.setAutoRepeat(False)
        if key:
            action.setShortcut(QKeySequence(key))
        if picture:
            action.setIcon(icon(picture))
        action.triggered.connect(method)
        self.addAction(action)
        self._actions[name] = action
        return action

    def _build_actions(self) -> None:
        for choice in self._session.manifest.choices:
            text = f"{choice.text}…" if choice.needs_reason else choice.text
            action = self._add_action(f"choose:{choice.value}", text, choice.key, self._chosen)
            action.setData(choice.value)
        self._add_action("undo", "Undo", "Z", self._undo, "arrow-back-up")
        self._add_action("skip", "Skip", "S", self._skip)
        self._add_action("back", "Back", "B", self._back, "chevron-left")
        self._add_action("forward", "Forward", "F", self._forward, "chevron-right")
        self._add_action("note", "Note", "N", self._to_note, "note")
        self._add_action("criteria", "Criteria", "C", self._toggle_criteria)
        self._add_action("pause", "Pause", "P", self._toggle_pause, "player-pause")
        self._add_action("larger", "Larger text", "Ctrl++", self._larger)
        self._add_action("smaller", "Smaller text", "Ctrl+-", self._smaller)
        self._add_action("keys", "Keys", "?", self._show_keys, "keyboard")
        self._add_action("close", "Close labelling", "Ctrl+W", self.close)
        # One key, one action: a packet's own keys come first.
        taken = {choice.key.upper() for choice in self._session.manifest.choices}
        for name, action in self._actions.items():
            if not name.startswith("choose:") and action.shortcut().toString().upper() in taken:
                action.setShortcut(QKeySequence())

    def _build(self) -> None:
        body = QWidget()
        body.setObjectName("labelling")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        if self._session.manifest.note:
            layout.addWidget(label(self._session.manifest.note, "banner"))
        if self._session.manifest.layer is Layer.ASSISTED:
            layout.addWidget(
                label(
                    "Assisted: the classifier's findings are shown. These labels verify them; they are not blind.",
                    "banner",
                )
            )
        self._stack = QStackedWidget()
        self._stack.addWidget(self._item_page())
        self._stack.addWidget(self._plain_page("finished"))
        self._stack.addWidget(self._plain_page("paused"))
        self._stack.addWidget(self._plain_page("unshowable"))
        layout.addLayout(self._head())
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName("Labelled items")
        margin = QHBoxLayout()
        margin.setContentsMargins(24, 0, 24, 8)
        margin.addWidget(self._progress)
        layout.addLayout(margin)
        layout.addWidget(self._stack, 1)
        self.setCentralWidget(body)

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(24, 12, 24, 8)
        head.setSpacing(8)
        self._place = label("", "title", wraps=False)
        self._state = label("", "secondary", wraps=False)
        head.addWidget(self._place)
        head.addWidget(self._state)
        head.addStretch(1)
        for name in ("smaller", "larger"):
            made = button("A−" if name == "smaller" else "A+")
            made.setAccessibleName(self._actions[name].text())
            made.setToolTip(f"{self._actions[name].text()} ({self._actions[name].shortcut().toString()})")
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(self._actions[name].trigger)
            head.addWidget(made)
        head.addWidget(CommandButton(self._actions["keys"]))
        head.addWidget(CommandButton(self._actions["pause"]))
        return head

    def _item_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 0, 24, 16)
        layout.setSpacing(12)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(16)
        split.addWidget(self._left_side())
        split.addWidget(self._right_side())
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([440, 660])
        layout.addWidget(split, 1)
        layout.addWidget(self._desk())
        return page

    def _left_side(self) -> QWidget:
        column = QWidget()
        inner = self._left_column = QVBoxLayout(column)
        inner.setContentsMargins(16, 12, 16, 12)
        inner.setSpacing(4)
        for entry in self._session.manifest.fields:
            if entry.name != _ANSWER and entry.form is FieldForm.TEXT:
                inner.addWidget(_section(entry.title))
                block = TextBlock(self._theme, entry.title, "reading" if entry.name == "probe" else "")
                self._fields[entry.name] = block
                inner.addWidget(block)
                inner.addSpacing(8)
        self._criteria_button = link_button("")
        self._criteria_button.setCheckable(True)
        self._criteria_button.setChecked(True)
        self._criteria_button.toggled.connect(self._show_criteria)
        inner.addWidget(self._criteria_button)
        self._criteria = RenderedText("Criteria")
        self._criteria.setMinimumHeight(140)
        inner.addWidget(self._criteria, 1)
        self._filler = QWidget()
        inner.addWidget(self._filler, 0)
        self._show_criteria(True)
        self._left = _card_area(column, "What the answer is judged by")
        return self._left

    def _right_side(self) -> QWidget:
        column = QWidget()
        inner = QVBoxLayout(column)
        inner.setContentsMargins(20, 12, 16, 16)
        inner.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(_section("Answer"))
        head.addStretch(1)
        self._key = label("mentions are underlined", "small", wraps=False)
        head.addWidget(self._key)
        inner.addLayout(head)
        self._answer = TextBlock(self._theme, "Answer", "reading", cut_at=20_000)
        inner.addWidget(self._answer)
        inner.addStretch(1)
        self._right = _card_area(column, "Answer")
        return self._right

    def _desk(self) -> QWidget:
        desk = QWidget()
        layout = QVBoxLayout(desk)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label(self._session.manifest.question, "heading"))
        row = QHBoxLayout()
        row.setSpacing(8)
        self._choice_buttons: dict[str, CommandButton] = {}
        for choice in self._session.manifest.choices:
            made = CommandButton(self._actions[f"choose:{choice.value}"])
            made.setMinimumHeight(36)
            self._choice_buttons[choice.value] = made
            row.addWidget(made)
        row.addSpacing(16)
        self._note = _Line()
        self._note.setPlaceholderText("Note (N)")
        self._note.setAccessibleName("Note on this item")
        self._note.textEdited.connect(self._note_edited)
        self._note.returnPressed.connect(self._leave_text)
        self._note.left.connect(self._leave_text)
        row.addWidget(self._note, 1)
        row.addSpacing(8)
        for name in ("undo", "skip", "back", "forward"):
            row.addWidget(CommandButton(self._actions[name]))
        layout.addLayout(row)
        layout.addWidget(self._reason_row())
        self._message = label("", "small")
        layout.addWidget(self._message)
        return desk

    def _reason_row(self) -> QWidget:
        self._reason_box = QFrame()
        self._reason_box.setProperty("role", "sunken")
        row = QHBoxLayout(self._reason_box)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(label("What makes it unclear?", wraps=False))
        self._reason = _Line()
        self._reason.setAccessibleName("What makes it unclear")
        self._reason.setPlaceholderText("A few words; Enter saves, Esc goes back")
        self._reason.returnPressed.connect(self._give_reason)
        self._reason.left.connect(self._stop_asking)
        row.addWidget(self._reason, 1)
        self._reason_save = button("Save", role="primary")
        self._reason_save.clicked.connect(self._give_reason)
        cancel = button("Cancel")
        cancel.clicked.connect(self._stop_asking)
        row.addWidget(self._reason_save)
        row.addWidget(cancel)
        self._reason_box.hide()
        return self._reason_box

    def _plain_page(self, name: str) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.setSpacing(12)
        layout.addStretch(1)
        head, words = label("", "display"), label("", "secondary", selectable=True)
        for each in (head, words):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            layout.addWidget(each)
        row = QHBoxLayout()
        row.addStretch(1)
        if name == "finished":
            self._finished_head, self._finished_words = head, words
            row.addWidget(CommandButton(self._actions["undo"]))
            row.addWidget(CommandButton(self._actions["back"]))
        elif name == "paused":
            head.setText("Paused")
            words.setText("The time of the break does not count.")
            resume = CommandButton(self._actions["pause"], role="primary")
            row.addWidget(resume)
        else:
            head.setText("This packet can't be labelled in a window yet")
            words.setText(
                "Its items hold searches and excerpts, which this version labels without a window:\n"
                f"btc-gui label “{self._session.path.name}” --from LABELS.jsonl\n\nNothing was changed."
            )
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(2)
        return page

    # -- showing ---------------------------------------------------------------------------------------------

    def _show(self) -> None:
        session = self._session
        self._stop_asking()
        if not self.can_show:
            self._stack.setCurrentIndex(3)
            self._place.setText("Labelling")
            self.setWindowTitle("Labelling")
            self._progress.hide()
            for action in self._actions.values():
                action.setEnabled(action.objectName() in ("larger", "smaller"))
            return
        self._progress.setRange(0, max(session.total, 1))
        self._progress.setValue(session.done)
        item = session.current
        if session.is_paused:
            self._stack.setCurrentIndex(2)
        elif item is None:
            self._show_finished()
        else:
            self._stack.setCurrentIndex(0)
            if item.item != self._shown_item:
                self._show_item()
        self._shown_item = item.item if item else None
        place = f"Item {item.position:,} of {session.total:,}" if item else f"{session.total:,} items, all labelled"
        self._place.setText(place)
        self.setWindowTitle(f"Labelling: {place[:1].lower()}{place[1:]}")
        self._show_state()
        self._sync_actions()
        self._settled.restart()

    def _show_item(self) -> None:
        session = self._session
        item = session.current
        assert item is not None
        entity = item.text(_ENTITY)
        for name, block in self._fields.items():
            text = item.text(name)
            block.show_text(text, self._find_mentions(text, entity) if name == "probe" else ())
        answer = item.text(_ANSWER)
        self._answer.show_text(answer or "(no text)", self._find_mentions(answer, entity))
        self._criteria.show_markdown(session.page)
        self._note.setText(session.draft)
        self._message.setText("")
        for area in (self._left, self._right):
            area.verticalScrollBar().setValue(0)
        self._right.setFocus()

    def _show_finished(self) -> None:
        self._stack.setCurrentIndex(1)
        # Not on the Undo button: a stray space bar must not take a label back.
        self._stack.setFocus()
        total = self._session.total
        self._finished_head.setText(f"All {total:,} items are labelled" if total else "This packet has no items")
        self._finished_words.setText(
            f"Every label is saved in the packet. Close the window and hand the file back:\n{self._session.path.name}"
        )

    def _show_state(self) -> None:
        session = self._session
        words = []
        given = session.given
        if given is not None:
            choice = session.manifest.choice(given.label)
            words.append(f"you said: {choice.text if choice else given.label}")
        if session.skipped:
            words.append(f"{session.skipped:,} skipped, asked again at the end")
        self._state.setText(" · ".join(words))
        for value, made in self._choice_buttons.items():
            set_role(made, "primary" if given is not None and given.label == value else "")

    def _sync_actions(self) -> None:
        session = self._session
        has_item = session.current is not None and not session.is_paused
        for name, action in self._actions.items():
            if name.startswith("choose:") or name in ("skip", "note", "criteria"):
                action.setEnabled(has_item)
        self._actions["undo"].setEnabled(session.can_undo and not session.is_paused)
        position = session.current.position if session.current else session.total + 1
        self._actions["back"].setEnabled(position > 1 and not session.is_paused)
        self._actions["forward"].setEnabled(has_item and position < session.total)
        self._actions["pause"].setText("Go on" if session.is_paused else "Pause")
        self._actions["pause"].setEnabled(session.current is not None)

    # -- deciding --------------------------------------------------------------------------------------------

    def _is_too_soon(self) -> bool:
        """Whether a press was meant for the item before this one."""
        return self._settled.isValid() and self._settled.elapsed() < SETTLE_MILLISECONDS

    def _chosen(self) -> None:
        action = self.sender()
        if not isinstance(action, QAction) or self._is_too_soon():
            return
        choice = self._session.manifest.choice(str(action.data()))
        if choice is None:
            return
        if choice.needs_reason:
            self._asking = choice
            self._reason_box.show()
            self._reason.clear()
            self._reason.setFocus()
        else:
            self._give(choice, "")

    def _give_reason(self) -> None:
        if self._asking is None:
            return
        reason = self._reason.text().strip()
        if not reason:
            self._say("A few words are needed: why can't it be decided?", "warning")
            return
        self._give(self._asking, reason)

    def _give(self, choice: Choice, reason: str) -> None:
        if self._shown_item is None:
            return
        self._autosave.stop()
        if self._try(self._label_shown, choice, reason):
            self._is_note_unsaved = False
            self._show()
            self._say("Saved ✓", "success")

    def _label_shown(self, choice: Choice, reason: str) -> bool:
        assert self._shown_item is not None
        return self._session.label(self._shown_item, choice.value, reason=reason, note=self._note.text().strip())

    def _undo(self) -> None:
        if self._is_too_soon() or not self._flush():
            return
        if self._try(self._session.undo):
            self._shown_item = None
            self._show()
            self._say("Label withdrawn", "")

    def _skip(self) -> None:
        if self._shown_item is None or self._is_too_soon() or not self._flush():
            return
        if self._try(self._session.skip, self._shown_item):
            # The last open item comes back at once: it is the only one left.
            self._shown_item = None
            self._show()

    def _back(self) -> None:
        if self._flush() and self._try(self._session.back):
            self._show()

    def _forward(self) -> None:
        if self._flush() and self._try(self._session.forward):
            self._show()

    def _try(self, act: Callable[..., object], *arguments: object) -> bool:
        """Do something that writes; a failure is said beside the buttons and changes nothing."""
        try:
            return bool(act(*arguments))
        except BtcError as error:
            self._say(f"Not saved. {error}", "danger")
            return False

    # -- the note --------------------------------------------------------------------------------------------

    def _note_edited(self) -> None:
        self._say("", "small")
        # Not restarted by each key: also somebody who never stops typing is saved within the interval.
        if not self._autosave.isActive():
            self._autosave.start()

    def _keep_draft(self) -> None:
        if self._shown_item is None:
            return
        try:
            self._session.keep_draft(self._note.text(), self._shown_item)
        except BtcError as error:
            self._is_note_unsaved = True
            self._say(f"The note is not saved. {error}", "danger")
        else:
            self._is_note_unsaved = False
            self._say("Note saved ✓", "success")

    def _flush(self) -> bool:
        """Save what was typed; False when that fails: then the note must stay where it can be seen."""
        if self._autosave.isActive() or self._is_note_unsaved:
            self._autosave.stop()
            self._keep_draft()
        return not self._is_note_unsaved

    def _to_note(self) -> None:
        self._note.setFocus()

    def _leave_text(self) -> None:
        self._flush()
        self._right.setFocus()

    def _stop_asking(self) -> None:
        had_focus = self._reason_box.isAncestorOf(self.focusWidget() or self)
        self._asking = None
        self._reason_box.hide()
        if had_focus:
            self._right.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window's own input, before any widget has it: signs of life."""
        signs = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.Wheel)
        if event.type() in signs:
            self._session.touch()
        return super().eventFilter(watched, event)

    # -- the window ------------------------------------------------------------------------------------------

    def _toggle_criteria(self) -> None:
        self._criteria_button.toggle()

    def _show_criteria(self, is_open: bool) -> None:
        version = self._session.manifest.codebook_version
        self._criteria_button.setText(f"{'▾' if is_open else '▸'} Criteria, version {version[:12]}")
        self._criteria.setVisible(is_open)
        self._filler.setVisible(not is_open)
        self._left_column.setStretchFactor(self._filler, 0 if is_open else 1)

    def _toggle_pause(self) -> None:
        if self._session.is_paused:
            self._session.resume()
        elif self._flush():
            self._session.pause()
        self._show()

    def _larger(self) -> None:
        self._resize_text(1)

    def _smaller(self) -> None:
        self._resize_text(-1)

    def _resize_text(self, step: int) -> None:
        place = min(max(_TEXT_SIZES.index(self._size) + step, 0), len(_TEXT_SIZES) - 1)
        self._size = _TEXT_SIZES[place]
        self._theme.set_text_scale(self._size)
        if self._keep_text_size is not None:
            self._keep_text_size(self._size)

    def _show_keys(self) -> None:
        choices = [(action.text(), action.shortcut().toString()) for action in self._choice_actions()]
        others = [
            (action.text(), action.shortcut().toString())
            for name, action in self._actions.items()
            if not name.startswith("choose:")
        ]
        note = "Single keys act while no text field has the focus."
        KeyList(
            [("Labels", choices)], [("This window", others), ("Fields", (("Leave a field", "Esc"),))], note, self
        ).open()

    def _choice_actions(self) -> list[QAction]:
        return [action for name, action in self._actions.items() if name.startswith("choose:")]

    def _say(self, text: str, role: str) -> None:
        self._message.setText(text)
        set_role(self._message, role or "small")

    def showEvent(self, event: QShowEvent) -> None:
        """Listen to the window's own input, so that idle time does not count as work."""
        super().showEvent(event)
        handle = self.windowHandle()
        if handle is not None:
            handle.installEventFilter(self)
        if self.can_show:
            self._right.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the unfinished note and release the packet."""
        if not self._flush() and not confirm(
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


FindMentions = Callable[[str, str], tuple[Span, ...]]


def mention_spans(text: str, entity: str) -> tuple[Span, ...]:
    """Where the text names the entity."""
    if not entity:
        return ()
    # Only names are looked at: category and date stand for nothing here.
    names = names_of(EventFacts(category="", entity=entity, date=EventDate(2000)))
    return tuple(Span(found.start, found.stop, Passage.MENTION) for found in find_mentions(text, names))


def _section(text: str) -> QLabel:
    made = label(text, "section", wraps=False)
    made.setIndent(2)  # In line with the text below, which keeps room for a focus ring.
    return made


def _card_area(column: QWidget, name: str) -> QScrollArea:
    """A card that scrolls by itself, also with the keyboard."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setProperty("role", "card")
    area.setAccessibleName(name)
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column.setProperty("role", "page")
    area.setWidget(column)
    return area
