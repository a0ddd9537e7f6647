"""Why indirect answers failed, as bars: one configuration a line, category by category."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.composition_table import CompositionRow
from btc_gui.ui.context import Context
from btc_gui.ui.plots.composition_plot import CompositionPlot
from btc_gui.ui.widgets.frames import EmptyState, scrolling
from btc_gui.ui.widgets.plain_text import label


class ResultBars(QWidget):
    """`piece_opened` carries the row and the mode whose cases are wanted (None: not classified)."""

    piece_opened = Signal(object, object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.plots: list[tuple[QWidget, CompositionPlot]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        body = QWidget()
        self._bars = QVBoxLayout(body)
        self._bars.setContentsMargins(2, 4, 8, 8)
        self._bars.setSpacing(8)
        self._nothing = EmptyState(
            "tag", "No failures classified yet", "Judge the answers of a run, then classify its failures."
        )
        self._bars.addWidget(self._nothing)
        self._bars.addStretch(1)
        column.addWidget(scrolling(body, "Failure modes"))

    def show_rows(self, rows: Sequence[CompositionRow]) -> None:
        """Show the bars of other rows."""
        for holder, _ in self.plots:
            self._bars.removeWidget(holder)
            holder.hide()
            holder.deleteLater()
        self.plots = []
        categories = list(dict.fromkeys(row.category for row in rows if row.total))
        self._nothing.setVisible(not categories)
        for place, category in enumerate(categories):
            holder = QWidget()
            inner = QVBoxLayout(holder)
            inner.setContentsMargins(0, 0, 0, 16)
            known = self._context.categories.get(category)
            words = known.plural if known else category
            inner.addWidget(label(f"{words[:1].upper()}{words[1:]}: why indirect answers failed", "heading"))
            plot = CompositionPlot(self._context.theme)
            plot.show_rows([row for row in rows if row.category == category])
            plot.piece_opened.connect(self.piece_opened)
            inner.addWidget(plot)
            self._bars.insertWidget(place, holder)
            self.plots.append((holder, plot))
