"""The form for verdicts: the criteria, the update and the request on the left, the answer on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QSplitter, QVBoxLayout, QWidget

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import GivenLabel, PacketItem
from btc_gui.ui.labelling.criteria_fold import CriteriaFold
from btc_gui.ui.labelling.desk import LabelDesk, form_action
from btc_gui.ui.labelling.earlier import EarlierLabels
from btc_gui.ui.labelling.form import FormContext, LabelForm, reading_width, run_from_left
from btc_gui.ui.widgets.marked_text import TextBlock
from btc_gui.ui.widgets.plain_text import label

#: The field that stands large on the right; the others on the left are what it is judged by.
_ANSWER = "answer"
_ENTITY = "entity"
#: The request is read as carefully as the answer.
_PROBE = "probe"
#: A line each, beside its title.
_SHORT = (_ENTITY, "before", "after")
#: Others are earlier labels, which an adjudicator sees.
_KNOWN = (*_SHORT, _PROBE, _ANSWER)


class VerdictForm(LabelForm):
    """Is the answer consistent with the change? The answer stands as the judge saw it (masking apart)."""

    def __init__(self, context: FormContext) -> None:
        super().__init__()
        self._context = context
        self.fields: dict[str, TextBlock] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
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
        self.desk = LabelDesk(context)
        self.desk.submitted.connect(self.submitted)
        self.desk.changed.connect(self._tell_draft)
        self.desk.left.connect(self.focus_first)
        self.desk.said.connect(self.said)
        layout.addWidget(self.desk)
        for action in self.desk.actions():
            self.addAction(action)
        context.theme.changed.connect(self._limit_lines)
        self._limit_lines()
        form_action(self, "criteria", "Criteria", "C").triggered.connect(self._fold.toggle)

    def _left_side(self) -> QWidget:
        column = QWidget()
        inner = QVBoxLayout(column)
        inner.setContentsMargins(16, 12, 16, 12)
        inner.setSpacing(4)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        inner.addLayout(grid)
        for entry in self._context.manifest.fields:
            if entry.name not in (*_SHORT, _PROBE):
                continue
            block = TextBlock(self._context.theme, entry.title, "reading" if entry.name == _PROBE else "")
            self.fields[entry.name] = block
            if entry.name in _SHORT:
                run_from_left(block)
                row = grid.rowCount()
                title = _section(entry.title)
                title.setContentsMargins(0, 3, 0, 0)  # Smaller letters, on the line of the text beside them.
                grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(block, row, 1)
            else:
                inner.addSpacing(8)
                inner.addWidget(_section(entry.title))
                inner.addWidget(block)
        inner.addSpacing(8)
        self._fold = CriteriaFold("Criteria", self._context.manifest.codebook_version, 140)
        self.criteria = self._fold.text
        inner.addWidget(self._fold, 1)
        self._left = card_area(column, "What the answer is judged by")
        return self._left

    def _right_side(self) -> QWidget:
        column = QWidget()
        inner = QVBoxLayout(column)
        inner.setContentsMargins(20, 12, 16, 16)
        inner.setSpacing(4)
        fields = self._context.manifest.fields
        self.earlier = EarlierLabels(self._context, [entry for entry in fields if entry.name not in _KNOWN])
        inner.addWidget(self.earlier)
        head = QHBoxLayout()
        head.addWidget(_section("Answer"))
        head.addStretch(1)
        head.addWidget(label("mentions are underlined", "small", wraps=False))
        inner.addLayout(head)
        self.answer = TextBlock(self._context.theme, "Answer", "reading", cut_at=20_000)
        inner.addWidget(self.answer)
        inner.addStretch(1)
        self._right = card_area(column, "Answer")
        return self._right

    def show_item(self, item: PacketItem, page: str, given: GivenLabel | None, draft: ItemState) -> None:
        """Show another item, from its beginning."""
        find = self._context.find_mentions
        entity = item.text(_ENTITY)
        for name, block in self.fields.items():
            text = item.text(name)
            block.show_text(text, find(text, entity) if name == _PROBE else ())
        answer = item.text(_ANSWER)
        self.earlier.show_item(item)
        self.answer.show_text(answer or "(no text)", find(answer, entity))
        self._fold.show_page(page)
        for area in (self._left, self._right):
            area.verticalScrollBar().setValue(0)
        self.desk.show_state(given, draft)

    def focus_first(self) -> None:
        """The answer: it is what is read."""
        self._right.setFocus()

    def set_open(self, is_open: bool) -> None:
        """Take labels, or only show; feedback then stands where the labels stood."""
        super().set_open(is_open)
        self.desk.setVisible(is_open)

    def _tell_draft(self) -> None:
        self.draft_changed.emit(self.desk.state)

    def _limit_lines(self) -> None:
        """Lines are at most 80 characters long, however wide the window is."""
        for block in (self.answer, self.criteria, *self.fields.values()):
            block.setMaximumWidth(reading_width(self._context.theme))


def card_area(column: QWidget, name: str) -> QScrollArea:
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


def _section(text: str) -> QLabel:
    made = label(text, "section", wraps=False)
    made.setIndent(2)  # In line with the text below, which keeps room for a focus ring.
    return made
