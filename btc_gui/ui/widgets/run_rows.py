"""The live rows of a run: one a configuration, with its bar, endings, spend, rate and time left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QWidget

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.run import ConfigurationProgress
from btc_gui.domain.trajectory import Ending
from btc_gui.ui.run_driver import RunDriver, ending_words
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.words import duration, money, tokens

_HEADS = ("Configuration", "", "Done", "Endings", "Tokens", "Cost", "A minute", "Left")
_NUMBERS = (2, 4, 5, 6, 7)


class RunRows(QWidget):
    """The rows are made once for a run and then only change their words, so that nothing flickers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 2)
        self._grid.setColumnStretch(3, 3)
        self._shown: tuple[ConfigurationId, ...] = ()
        self._bars: list[QProgressBar] = []
        self._cells: list[list[QLabel]] = []

    def show_progress(self, rows: Sequence[ConfigurationProgress], driver: RunDriver | None) -> None:
        """Show how far each configuration is; `driver` knows how fast it goes."""
        ids = tuple(row.configuration_id for row in rows)
        if ids != self._shown:
            self._build(rows)
            self._shown = ids
        for row, bar, cells in zip(rows, self._bars, self._cells, strict=True):
            bar.setRange(0, max(row.planned, 1))
            bar.setValue(row.done)
            rate = driver.rate(row.configuration_id, row.done) if driver else None
            endings = [(ending, row.by_ending.get(ending, 0)) for ending in Ending]
            texts = (
                f"{row.done:,}/{row.planned:,}",
                ending_words(endings) or "–",
                tokens(row.usage.total),
                money(row.cost),
                f"{rate:,.0f}" if rate else "–",
                duration(row.pending / rate * 60) if rate and row.pending else ("–" if row.pending else "done"),
            )
            for cell, text in zip(cells, texts, strict=True):
                if cell.text() != text:
                    cell.setText(text)

    def _build(self, rows: Sequence[ConfigurationProgress]) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._bars, self._cells = [], []
        for column, words in enumerate(_HEADS):
            head = label(words, "section", wraps=False)
            if column in _NUMBERS:
                head.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(head, 0, column)
        for line, row in enumerate(rows, start=1):
            title = label(one_line(row.configuration.title, 60), wraps=False)
            self._grid.addWidget(title, line, 0)
            bar = QProgressBar()
            bar.setTextVisible(False)
            bar.setMinimumWidth(60)
            bar.setAccessibleName(f"Progress of {row.configuration.title}")
            self._grid.addWidget(bar, line, 1, Qt.AlignmentFlag.AlignVCenter)
            self._bars.append(bar)
            cells = []
            for column in range(2, len(_HEADS)):
                cell = label("", wraps=False)
                cell.setMinimumWidth(0)
                if column in _NUMBERS:
                    cell.setAlignment(Qt.AlignmentFlag.AlignRight)
                self._grid.addWidget(cell, line, column)
                cells.append(cell)
            self._cells.append(cells)
        self._grid.setRowStretch(len(rows) + 1, 1)
