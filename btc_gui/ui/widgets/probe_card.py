"""One probe large: where it stands, its text to read or edit in place, what was varied, its siblings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from btc_gui.domain.probe import ProbeText
from btc_gui.sessions.review_item import ReviewItem
from btc_gui.sessions.reviewing import EditDraft
from btc_gui.ui.theme import INSIDE, Theme
from btc_gui.ui.widgets.buttons import button, link_button
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card, line
from btc_gui.ui.widgets.plain_text import ReadingText, label, set_role
from btc_gui.ui.widgets.sibling_list import SiblingList
from btc_gui.ui.wording import STATUS_WORDS

_PAUSE_MILLISECONDS = 400


class ProbeCard(Card):
    """`typed` carries the edit after each pause in typing; `edited` the edit that is to be saved."""

    typed = Signal(object)  # ProbeText
    edited = Signal(object)  # ProbeText
    edit_left = Signal()
    draft_resumed = Signal()
    draft_dropped = Signal()
    sibling_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._theme = theme
        self._item: ReviewItem | None = None
        self._build()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._tell_typed)
        self.text.textChanged.connect(self._text_changed)
        self.text.installEventFilter(self)

    def _build(self) -> None:
        self.place = label("", "heading", wraps=False)
        self._chips = QWidget()
        self._chip_flow = FlowLayout(self._chips)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self.place, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self._chips, 1)
        self.notice = label("", "warning")
        self.notice.hide()
        self._draft_row = QWidget()
        draft = QHBoxLayout(self._draft_row)
        draft.setContentsMargins(0, 0, 0, 0)
        draft.setSpacing(INSIDE)
        draft.addWidget(label("There is an unsaved edit of this probe.", "warning", wraps=False))
        resume, drop = link_button("Go on with it"), link_button("Discard it")
        resume.clicked.connect(self.draft_resumed)
        drop.clicked.connect(self.draft_dropped)
        draft.addWidget(resume)
        draft.addWidget(drop)
        draft.addStretch(1)
        self.text = ReadingText()
        self.text.setAccessibleName("Text of the probe")
        self.text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._edit_row = QWidget()
        edit = QHBoxLayout(self._edit_row)
        edit.setContentsMargins(0, 0, 0, 0)
        save, leave = button("Save as a new revision", role="primary"), button("Leave")
        save.clicked.connect(self._save)
        leave.clicked.connect(self.edit_left)
        edit.addWidget(save)
        edit.addWidget(leave)
        edit.addWidget(label("Ctrl+Enter saves · Esc leaves, what is typed is kept", "small"), 1)
        self.varied = label("", "secondary", selectable=True)
        self.retention = label("", "secondary", selectable=True)
        self.siblings = SiblingList(self._theme)
        self.siblings.chosen.connect(self.sibling_chosen)
        self.siblings_heading = label("Probes of this event", "section", wraps=False)
        self.body.addLayout(top)
        self.body.addWidget(self.notice)
        self.body.addWidget(self._draft_row)
        self.body.addSpacing(4)
        self.body.addWidget(self.text)
        self.body.addWidget(self._edit_row)
        self.body.addSpacing(4)
        self.body.addWidget(self.varied)
        self.body.addWidget(self.retention)
        self.body.addSpacing(4)
        self.body.addWidget(line())
        self.body.addWidget(self.siblings_heading)
        self.body.addWidget(self.siblings)
        self._edit_row.hide()
        self._draft_row.hide()
        # In line with the text, whose frame keeps two pixels for the focus ring; and with the words in the chips.
        self.place.setContentsMargins(2, 3, 0, 0)
        for each in (self.notice, self.varied, self.retention, self.siblings_heading):
            each.setIndent(2)

    # -- showing ----------------------------------------------------------------------------------------------

    def show_item(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Show this probe, to be read."""
        self._item = item
        self.stop_editing()
        self.refresh_item(item)
        self.text.set_text(item.probe.text)
        self._draft_row.setVisible(has_draft)
        self.say("")

    def refresh_item(self, item: ReviewItem) -> None:
        """Show anew what stands around the text; the text itself, perhaps being edited, is left alone."""
        self._item = item
        content = item.probe.content
        self.place.setText(item.place)
        varied = [part for part in (content.requester, content.situation, content.consequence) if part]
        self.varied.setText(" · ".join(varied))
        self.varied.setVisible(bool(varied))
        self.retention.setText(item.retention)
        self.retention.setVisible(bool(item.retention))
        self.siblings.show_probes(item.siblings, item.probe.id)
        is_alone = len(item.siblings) < 2
        self.siblings.setVisible(not is_alone)
        self.siblings_heading.setVisible(not is_alone)
        self._show_chips(item)

    def _show_chips(self, item: ReviewItem) -> None:
        probe = item.probe
        self._chip_flow.clear()
        facts = [(STATUS_WORDS[probe.status], probe.status.value)]
        if probe.is_stale:
            facts.append(("Facts changed since", "stale"))
        if probe.is_flagged:
            facts.append(("Flagged", "flagged"))
        facts.append((str(probe.kind), ""))
        if probe.revision > 1:
            facts.append((f"revision {probe.revision}", ""))
        if probe.origin:
            facts.append((probe.origin, ""))
        for words, mark in facts:
            chip = Chip(self._theme, words, mark)
            self._chip_flow.addWidget(chip)
            chip.show()
        self._chips.updateGeometry()

    def say(self, text: str, role: str = "warning") -> None:
        """Say something above the text, or nothing."""
        set_role(self.notice, role)
        self.notice.setText(text)
        self.notice.setVisible(bool(text))

    # -- editing ----------------------------------------------------------------------------------------------

    @property
    def is_editing(self) -> bool:
        """Whether the text is being edited."""
        return not self.text.isReadOnly()

    def start_editing(self, draft: EditDraft | None) -> None:
        """Let the text be edited in place, from a draft when there is one."""
        if self._item is None:
            return
        self._draft_row.hide()
        self.text.set_whole_text(draft.content.text if draft else self._item.probe.text)
        self.text.setReadOnly(False)
        self.text.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.text.setProperty("bare", "false")
        self.text.setProperty("editing", "true")
        self._repolish()
        self._edit_row.show()
        if draft is not None and draft.revision_id != self._item.probe.revision_id:
            self.say("Your edit was begun on an earlier wording: compare before you save it.")
        self.text.setFocus()
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)

    def stop_editing(self) -> None:
        """Back to reading; what was typed last is told first."""
        if not self.is_editing:
            return
        self.flush()
        self.text.setReadOnly(True)
        self.text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.text.setProperty("bare", "true")
        self.text.setProperty("editing", "false")
        self._repolish()
        self._edit_row.hide()

    def flush(self) -> None:
        """Tell at once what was typed since the last pause."""
        if self._pause.isActive():
            self._pause.stop()
            self._tell_typed()

    def typed_text(self) -> ProbeText:
        """The edit as it stands."""
        assert self._item is not None
        content = self._item.probe.content
        text = self.text.toPlainText()
        return ProbeText(text, content.requester, content.situation, content.consequence)

    def _repolish(self) -> None:
        self.text.style().unpolish(self.text)
        self.text.style().polish(self.text)

    def _text_changed(self) -> None:
        if self.is_editing:
            self._pause.start()

    def _tell_typed(self) -> None:
        if self.is_editing and self._item is not None:
            self.typed.emit(self.typed_text())

    def _save(self) -> None:
        self._pause.stop()
        self._tell_typed()
        self.edited.emit(self.typed_text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.text and self.is_editing and isinstance(event, QKeyEvent):
            is_press = event.type() == QEvent.Type.KeyPress
            is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if is_press and is_control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if not event.isAutoRepeat():
                    self._save()
                return True
            if is_press and event.key() == Qt.Key.Key_Escape:
                self.edit_left.emit()
                return True
        return super().eventFilter(watched, event)
