"""One probe large: where it stands, its text to read or edit in place, what was varied, its siblings."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from btc_gui.domain.probe import ProbeText
from btc_gui.domain.retention import Standing
from btc_gui.sessions.review_item import ReviewItem
from btc_gui.sessions.reviewing import EditDraft
from btc_gui.ui.linting import mark_findings
from btc_gui.ui.theme import INSIDE, Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.chip_row import ChipRow
from btc_gui.ui.widgets.differing_verdicts import DifferingVerdicts
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card, line, text_scale_of
from btc_gui.ui.widgets.lint_row import LintRow
from btc_gui.ui.widgets.plain_text import ReadingText, label, set_role
from btc_gui.ui.widgets.sibling_list import SiblingList
from btc_gui.ui.widgets.wording_fields import WordingFields
from btc_gui.ui.wording import STATUS_WORDS

_PAUSE_MILLISECONDS = 400
#: Most probes need no more: the siblings below stay where they are from one to the next.
_LEAST_LINES = 5
_EDIT_MARGIN = 6
#: So many pixels wide, at text size 1, chips have room beside the place of the probe.
_LEAST_BESIDE = 360


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
        # Of what holds others each is made at its place: it would be styled anew there, with all that it holds.
        self.place = label("", "heading", wraps=False)
        self.chips = ChipRow(self._theme, self)
        self._top = top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        top.setSpacing(12)
        top.addWidget(self.place, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.chips, 1)
        self.notice = label("", "warning")
        self.notice.hide()
        self._build_draft_row()
        self.text = ReadingText(least_lines=_LEAST_LINES)
        self.text.setAccessibleName("Text of the probe")
        self.text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.wording = WordingFields(self._theme, self)
        self.wording.changed.connect(self._text_changed)
        self.wording.saved.connect(self._save)
        self.wording.left.connect(self.edit_left)
        for field in self.wording.fields.values():
            field.installEventFilter(self)
        self.verdicts = DifferingVerdicts(self._theme, self)
        self.lint = LintRow(self._theme, self)
        self.varied = label("", "secondary", selectable=True)
        self.retention = ChipRow(self._theme, self)
        self.siblings = SiblingList(self._theme, self)
        self.siblings.chosen.connect(self.sibling_chosen)
        self.siblings_heading = label("Probes of this event", "section")
        self.body.addLayout(top)
        self.body.addWidget(self.notice)
        self.body.addWidget(self._draft_row)
        self.body.addSpacing(4)
        self.body.addWidget(self.text)
        self.body.addWidget(self.wording)
        self.body.addSpacing(4)
        for widget in (self.verdicts, self.lint, self.varied, self.retention):
            self.body.addWidget(widget)
        self.body.addSpacing(4)
        self.body.addWidget(line())
        self.body.addWidget(self.siblings_heading)
        self.body.addWidget(self.siblings)
        self.wording.hide()
        self._draft_row.hide()
        # In line with the text, whose frame keeps two pixels for the focus ring; and with the words in the chips.
        self.place.setContentsMargins(2, 3, 0, 0)
        for each in (self.notice, self.varied, self.siblings_heading):
            each.setIndent(2)

    def _build_draft_row(self) -> None:
        self._draft_row = QWidget()
        draft = FlowLayout(self._draft_row, INSIDE)
        draft.addWidget(label("There is an unsaved edit of this probe.", "warning", wraps=False))
        resume, drop = link_button("Go on with it"), link_button("Discard it")
        resume.clicked.connect(self.draft_resumed)
        drop.clicked.connect(self.draft_dropped)
        draft.addWidget(resume)
        draft.addWidget(drop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _LEAST_BESIDE * text_scale_of(self)
        ways = QBoxLayout.Direction
        self._top.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)

    # -- showing ----------------------------------------------------------------------------------------------

    def is_about(self, item: ReviewItem) -> bool:
        """Whether this probe is shown, as it stands or as it stood."""
        return self._item is not None and self._item.probe.id == item.probe.id

    def follow(self, item: ReviewItem, *, has_draft: bool) -> bool:
        """Show how the siblings stand now; False where anything else is to be shown than what is."""
        shown = self._item
        if shown is None or self.is_editing or has_draft == self._draft_row.isHidden() or self.notice.text():
            return False
        # An event tells, too, how many of its probes are accepted: that is not shown here.
        is_same = replace(shown, siblings=item.siblings, event=item.event) == item
        is_same = is_same and shown.event.facts == item.event.facts
        if is_same and _wordings(shown) == _wordings(item):
            self._item = item
            self.siblings.show_probes(item.siblings, item.probe.id)
            return True
        return False

    def show_item(self, item: ReviewItem, *, has_draft: bool) -> None:
        """Show this probe, to be read."""
        self._item = item
        self.stop_editing()
        self.refresh_item(item)
        self.text.set_text(item.probe.text)
        self._mark_findings()
        self._draft_row.setVisible(has_draft)
        self.say("")

    def draw_ahead(self) -> None:
        """Draw what can be drawn before it is seen."""
        self.siblings.draw_ahead()
        for chips in (self.chips, self.lint.chips, self.retention):
            chips.picture()

    def refresh_item(self, item: ReviewItem) -> None:
        """Show anew what stands around the text; the text itself, perhaps being edited, is left alone."""
        self._item = item
        content = item.probe.content
        self.place.setText(item.place)
        varied = [part for part in (content.requester, content.situation, content.consequence) if part]
        self.varied.setText(" · ".join(varied))
        self.varied.setVisible(bool(varied) and not self.is_editing)
        self.verdicts.show_verdicts(item.differing)
        self.lint.show_findings(item.findings)
        self.retention.show_facts(retention_facts(item))
        self.siblings.show_probes(item.siblings, item.probe.id)
        is_alone = len(item.siblings) < 2
        self.siblings.setVisible(not is_alone)
        self.siblings_heading.setVisible(not is_alone)
        self.siblings_heading.setText(f"Probes of this event{f' · {item.variety}' if item.variety else ''}")
        self.chips.show_facts(_facts(item))

    def _mark_findings(self) -> None:
        """Mark in the text what the linter found there, as long as it is shown as it stands."""
        assert self._item is not None
        findings = () if self.is_editing else self._item.findings or ()
        mark_findings(self.text, self._theme, self._item.probe.text, findings)

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
        content = self._item.probe.content
        wanted = draft.content if draft else content
        self._draft_row.hide()
        self.text.setExtraSelections([])
        self.text.set_whole_text(wanted.text)
        self.wording.start(content, wanted)
        self.text.document().setDocumentMargin(_EDIT_MARGIN)
        self.text.setReadOnly(False)
        self.text.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.text.setProperty("bare", "false")
        self.text.setProperty("editing", "true")
        self._repolish()
        self.wording.show()
        self.varied.hide()
        if draft is not None and draft.revision_id != self._item.probe.revision_id:
            self.say("Your edit was begun on an earlier wording: compare before you save it.")
        self.text.setFocus()
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)

    def stop_editing(self) -> None:
        """Back to reading; what was typed last is told first."""
        if not self.is_editing:
            return
        self.flush()
        self.text.document().setDocumentMargin(0)
        self.text.setReadOnly(True)
        self.text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.text.setProperty("bare", "true")
        self.text.setProperty("editing", "false")
        self._repolish()
        self.wording.hide()

    def flush(self) -> None:
        """Tell at once what was typed since the last pause."""
        if self._pause.isActive():
            self._pause.stop()
            self._tell_typed()

    def typed_text(self) -> ProbeText:
        """The edit as it stands."""
        return self.wording.content(self.text.toPlainText())

    def _repolish(self) -> None:
        self.text.style().unpolish(self.text)
        self.text.style().polish(self.text)

    def _text_changed(self) -> None:
        if not self.is_editing:
            return
        self.wording.follow(self.text.toPlainText())
        # Not begun anew by every key: who types without a pause must lose no more than the others.
        if not self._pause.isActive():
            self._pause.start()

    def _tell_typed(self) -> None:
        if self.is_editing and self._item is not None:
            self.typed.emit(self.typed_text())

    def _save(self) -> None:
        self._pause.stop()
        self._tell_typed()
        self.edited.emit(self.typed_text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.is_editing and isinstance(event, QKeyEvent):
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


def _wordings(item: ReviewItem) -> list[int]:
    return [probe.revision_id for probe in item.siblings]


_STANDING_MARKS = {
    Standing.RETAINED: "accepted",
    Standing.NOT_RETAINED: "rejected",
    Standing.UNDECIDED: "unreviewed",
}


def retention_facts(item: ReviewItem) -> list[tuple[str, str]]:
    """A chip for each model: whether it retains the probe in its current wording."""
    if not item.retentions:
        return [("Not filtered in this wording yet", "unreviewed")] if item.was_filtered else []
    return [
        (
            f"{each.model}: {each.standing.text}"
            + (f" ({each.reason})" if each.standing is Standing.UNDECIDED and each.reason else ""),
            _STANDING_MARKS[each.standing],
        )
        for each in item.retentions
    ]


def _facts(item: ReviewItem) -> list[tuple[str, str]]:
    probe = item.probe
    facts = [("Disagreement", "stale") if probe.is_disputed else (STATUS_WORDS[probe.status], probe.status.value)]
    if probe.is_stale:
        facts.append(("Facts changed since", "stale"))
    elif item.has_other_facts:
        facts.append(("Written for other facts", "stale"))
    if probe.is_flagged:
        facts.append(("Flagged", "flagged"))
    facts.append((str(probe.kind), ""))
    if probe.revision > 1:
        facts.append((f"revision {probe.revision}", ""))
    if probe.origin:
        facts.append((probe.origin, ""))
    if len(item.assigned) > 1:
        facts.append(("Shared: judged blind" if item.is_blind else f"Shared: {', '.join(sorted(item.assigned))}", ""))
    return facts
