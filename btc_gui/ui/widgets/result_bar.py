"""Above a table of results: which rows are shown, how they are grouped, and what the figures are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from btc_gui.domain.arranged_table import TRAITS, Arrangement, groupings, values_of
from btc_gui.domain.result_table import ResultTable
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.filter_bar import Choice, Facet
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import label, set_role

_NO_GROUP = "none"


class ResultBar(QWidget):
    """`arranged` carries the `Arrangement` that a person chose. What is chosen holds for all tables."""

    arranged = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arrangement = Arrangement(group_by="category")
        self._table: ResultTable | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.title = label("", "heading")
        column.addWidget(self.title)
        tools = QWidget()
        flow = FlowLayout(tools, 8)
        self.facets: dict[str, Facet] = {}
        for trait in TRAITS:
            facet = Facet(trait.capitalize())
            facet.setProperty("trait", trait)
            facet.chosen.connect(self._choose)
            self.facets[trait] = facet
            flow.addWidget(facet)
        self.group = Combo("Group rows by")
        self.group.setMinimumContentsLength(18)
        self.group.currentIndexChanged.connect(self._group)
        flow.addWidget(self.group)
        self.reset = QPushButton("Show as at first")
        set_role(self.reset, "link")
        self.reset.clicked.connect(self._reset)
        flow.addWidget(self.reset)
        self.about = QPushButton("What the figures are")
        self.about.setCheckable(True)
        set_role(self.about, "link")
        self.about.toggled.connect(self._show_words)
        flow.addWidget(self.about)
        column.addWidget(tools)
        self.words = label("", "small", selectable=True)
        column.addWidget(self.words)
        self._show_words(False)

    @property
    def arrangement(self) -> Arrangement:
        """What is chosen."""
        return self._arrangement

    def offer(self, tables: Sequence[ResultTable]) -> None:
        """Offer the values that the tables have."""
        for trait, facet in self.facets.items():
            values = values_of(tables, trait)
            facet.set_choices([Choice(value, _words(value, trait)) for value in values])
            # A choice that nothing fits any more would hide all rows.
            self._arrangement = self._arrangement.choosing(trait, frozenset(facet.values))

    def show_table(self, table: ResultTable) -> None:
        """Show what can be chosen of a table."""
        if self._table is None or self._table.name != table.name:
            self._arrangement = self._arrangement.ordered("", False)
        self._table = table
        self.title.setText(table.title)
        self.words.setText(_figures_words(table))
        traits = [trait for trait in TRAITS if trait in table.header]
        for trait, facet in self.facets.items():
            facet.setVisible(trait in traits and len(values_of([table], trait)) > 1)
        groups = groupings(table)
        choices = [(_NO_GROUP, "Not grouped"), *((trait, f"Grouped by {trait}") for trait in groups)]
        self.group.set_choices(choices, self._arrangement.group_by or _NO_GROUP)
        self.group.setVisible(bool(groups))
        self._sync()

    def sort(self, order: str, is_descending: bool) -> None:
        """Sort by a column."""
        self._take(self._arrangement.ordered(order, is_descending))

    def _choose(self, values: object) -> None:
        facet = self.sender()
        if isinstance(facet, Facet) and isinstance(values, tuple):
            self._take(self._arrangement.choosing(str(facet.property("trait")), frozenset(values)))

    def _group(self) -> None:
        value = self.group.value
        self._take(self._arrangement.grouped("" if value == _NO_GROUP else value))

    def _reset(self) -> None:
        for facet in self.facets.values():
            facet.choose(())
        self.group.set_choices(
            [(str(self.group.itemData(i)), self.group.itemText(i)) for i in range(self.group.count())], "category"
        )
        self._take(Arrangement(group_by="category"))

    def _take(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        self._sync()
        self.arranged.emit(arrangement)

    def _sync(self) -> None:
        mine = self._arrangement
        is_first = not any(mine.chosen.values()) and mine.group_by == "category" and not mine.order
        self.reset.setVisible(not is_first)

    def _show_words(self, is_shown: bool) -> None:
        self.words.setVisible(is_shown)


def _figures_words(table: ResultTable) -> str:
    """What the figures are. It is the text of the exports as well, and names their columns: that is said."""
    if not table.named_columns:
        return table.words
    named = table.named_columns[0]
    hint = f"Names such as {named} are columns of the exported files; here the tooltip of a figure says what it is."
    return f"{table.words} {hint}"


def _words(value: str, trait: str) -> str:
    return value[:1].upper() + value[1:] if trait == "category" else value
