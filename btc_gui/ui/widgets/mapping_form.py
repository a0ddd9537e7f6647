"""Which column of a file is which fact, beside the first rows as they would be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.load_preview import Preview, SampleRow
from btc_gui.ui.theme import BETWEEN, INSIDE
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card, scrolling
from btc_gui.ui.widgets.list_and_detail import ListAndDetail
from btc_gui.ui.widgets.plain_text import label, one_line

_WORDS: Final = {
    "qid": "Wikidata id",
    "position_qid": "Wikidata id of the position",
    "entity": "Name",
    "article": "Wikipedia title",
    "precision": "Precision of the date",
    "started": "In office since",
    "ended": "Left office on",
    "died": "Died on",
    "ends": "Change ends on",
    "ordinal": "Number",
    "probe": "Probe (key, number or text)",
    "text": "Text of the request",
    "reason": "Reason of the ending",
    "as_of": "As of",
    "started_at": "Started",
    "finished_at": "Finished",
}
_SHOWN_FACTS: Final = 8


def fact_words(fact: str) -> str:
    """A fact's name for a person."""
    return _WORDS.get(fact, fact.replace("_", " ").capitalize())


class _Sample(QFrame):
    """One row of the file: what would be taken, or why it would not."""

    def __init__(self, row: SampleRow) -> None:
        super().__init__()
        self.setProperty("role", "sunken")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(2)
        column.addWidget(label(f"Line {row.line:,}", "small", wraps=False))
        if row.reason:
            column.addWidget(label(f"Not taken: {row.reason}", "danger"))
        if row.reason or not row.facts:
            cells = " · ".join(one_line(text, 40) for text in row.cells.values() if text)
            column.addWidget(label(one_line(cells, 240), "secondary"))
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for position, (fact, text) in enumerate(list(row.facts.items())[:_SHOWN_FACTS]):
            grid.addWidget(label(fact_words(fact), "small", wraps=False), position, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(one_line(text, 160)), position, 1)
        column.addLayout(grid)


class MappingForm(QWidget):
    """`mapped` carries a fact and the column chosen for it ("" for none)."""

    mapped = Signal(str, str)
    default_chosen = Signal(str)

    def __init__(
        self,
        facts: Sequence[str],
        default: tuple[str, str, Sequence[tuple[str, str]]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.combos = {fact: Combo(f"Column for {fact_words(fact)}") for fact in facts}
        self._default_fact, words, choices = default
        self._choices = [("", "not taken"), *choices]
        self.default = Combo(words, self._choices)
        self.default.activated.connect(self._tell_default)
        left = Card("Which column is what")
        grid_widget = QWidget()
        grid = QGridLayout(grid_widget)
        grid.setContentsMargins(0, 0, INSIDE, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for position, (fact, combo) in enumerate(self.combos.items()):
            combo.setProperty("fact", fact)
            combo.activated.connect(self._tell)
            name = label(fact_words(fact), wraps=False)
            name.setBuddy(combo)
            grid.addWidget(name, position, 0)
            grid.addWidget(combo, position, 1)
        grid.setRowStretch(len(self.combos), 1)
        left.body.addWidget(scrolling(grid_widget, "Columns"), 1)
        for_all = QWidget()
        flow = FlowLayout(for_all, filling=1)
        flow.addWidget(label(words, "small", wraps=False))
        flow.addWidget(self.default)
        left.body.addWidget(for_all)
        right = Card("The first rows, as they would be read")
        holder = QWidget()
        self._samples = QVBoxLayout(holder)
        self._samples.setContentsMargins(0, 0, INSIDE, 0)
        self._samples.setSpacing(INSIDE)
        self._samples.addStretch(1)
        right.body.addWidget(scrolling(holder, "First rows"), 1)
        parts = ListAndDetail("", left, right, (380, 400), heights=(2, 1), is_main=True)
        parts.setHandleWidth(BETWEEN)
        row.addWidget(parts)

    def show_preview(self, preview: Preview, default: str) -> None:
        """Show how the file would be read."""
        choices = [("", "—"), *((column, column) for column in preview.columns)]
        for fact, combo in self.combos.items():
            combo.set_choices(choices, preview.mapping.get(fact, ""))
        self.default.set_choices(self._choices, default)
        while self._samples.count() > 1:
            item = self._samples.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for position, sample in enumerate(preview.sample):
            self._samples.insertWidget(position, _Sample(sample))

    def _tell(self) -> None:
        combo = self.sender()
        if isinstance(combo, Combo):
            self.mapped.emit(str(combo.property("fact")), combo.value)

    def _tell_default(self) -> None:
        self.default_chosen.emit(self.default.value)
