"""The live rows of a run: one a configuration, with its bar, endings, spend, what was asked again, rate, time left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.run import ConfigurationProgress
from btc_gui.domain.trajectory import Ending
from btc_gui.ui.run_driver import RunDriver, ending_words
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.progress_bar import ProgressBar
from btc_gui.ui.words import duration, money, tokens

_HEADS = ("Configuration", "", "Done", "Endings", "Tokens", "Cost", "Again", "A minute", "Left")
_NUMBERS = (2, 4, 5, 6, 7, 8)
_ENDINGS = 3
_FIRST_CELL = 2
_PERHAPS_EMPTY = (6, 7)
_AGAIN = 4
_ROWS_AT_ONCE = 5


class RunRows(QWidget):
    """The rows are made once for a run and then only change their words, so that nothing flickers.

    A click on a row, or its title by keyboard, asks with `opened` for the answers of its configuration.
    """

    opened = Signal(object)  # Configuration

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "page")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 4)
        self._shown: tuple[ConfigurationId, ...] = ()
        self._bars: list[ProgressBar] = []
        self._cells: list[list[QLabel]] = []
        self._titles: list[QPushButton] = []
        self._rows: tuple[ConfigurationProgress, ...] = ()
        self._driver: RunDriver | None = None
        self._building = QTimer(self)
        self._building.setSingleShot(True)
        self._building.setInterval(0)
        self._building.timeout.connect(self._build_some)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            y = event.position().y()
            for number, title in enumerate(self._titles):
                if title.y() <= y <= title.y() + title.height():
                    self.opened.emit(self._rows[number].configuration)
        super().mouseReleaseEvent(event)

    def _open_focused(self) -> None:
        sender = self.sender()
        if isinstance(sender, QPushButton) and sender in self._titles:
            self.opened.emit(self._rows[self._titles.index(sender)].configuration)

    def show_progress(self, rows: Sequence[ConfigurationProgress], driver: RunDriver | None) -> None:
        """Show how far each configuration is; `driver` knows how fast it goes."""
        ids = tuple(row.configuration_id for row in rows)
        self._rows, self._driver = tuple(rows), driver
        if ids != self._shown:
            self._shown = ids
            self._clear()
            self._build_some()
        for number in range(len(self._cells)):
            self._show_row(number)
        self._hide_empty_columns()

    def _hide_empty_columns(self) -> None:
        """Columns that tell nothing leave their room to the others: calls made again, and the rate once all is done."""
        for column in _PERHAPS_EMPTY:
            tells = any(cells[column - _FIRST_CELL].text() != "–" for cells in self._cells)
            for row in range(len(self._cells) + 1):
                item = self._grid.itemAtPosition(row, column)
                if item is not None and (widget := item.widget()) is not None:
                    widget.setVisible(tells)

    def _show_row(self, number: int) -> None:
        row, bar, cells = self._rows[number], self._bars[number], self._cells[number]
        bar.setRange(0, max(row.planned, 1))
        bar.setValue(row.done)
        rate = self._driver.rate(row.configuration_id, row.done) if self._driver else None
        endings = [(ending, row.by_ending.get(ending, 0)) for ending in Ending]
        texts = (
            f"{row.done:,}/{row.planned:,}",
            ending_words(endings) or "–",
            tokens(row.usage.total),
            money(row.cost) if row.done else "–",
            f"{sum(row.retries.values()):,}" if row.retries else "–",
            f"{rate:,.0f}" if rate else "–",
            duration(row.pending / rate * 60) if rate and row.pending else ("–" if row.pending else "done"),
        )
        why = ", ".join(f"{reason}: {count:,}" for reason, count in row.retries.items())
        cells[_AGAIN].setToolTip(f"Calls made again – {one_line(why, 200)}" if why else "No call was made again")
        for cell, text in zip(cells, texts, strict=True):
            if cell.text() != text:
                cell.setText(text)

    # -- building --------------------------------------------------------------------------------------------

    def _clear(self) -> None:
        self._building.stop()
        self._grid.setRowStretch(len(self._cells) + 1, 0)
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._bars, self._cells, self._titles = [], [], []
        for column, words in enumerate(_HEADS):
            head = label(words, "section", wraps=False)
            if column in _NUMBERS:
                head.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(head, 0, column)

    def _build_some(self) -> None:
        """Make some rows; the others in later turns: with dozens of configurations the window would be held."""
        start = len(self._cells)
        for number in range(start, min(start + _ROWS_AT_ONCE, len(self._rows))):
            self._build_row(number)
            self._show_row(number)
        if len(self._cells) < len(self._rows):
            self._building.start()
        else:
            self._grid.setRowStretch(len(self._rows) + 1, 1)
        self._hide_empty_columns()

    def _build_row(self, number: int) -> None:
        row, line = self._rows[number], number + 1
        title = link_button(one_line(row.configuration.title, 60))
        title.setToolTip("Show its answers in Cases, also while they come")
        title.clicked.connect(self._open_focused)
        self._titles.append(title)
        self._grid.addWidget(title, line, 0)
        bar = ProgressBar(f"Progress of {one_line(row.configuration.title, 60)}")
        bar.setMinimumWidth(40)
        self._grid.addWidget(bar, line, 1, Qt.AlignmentFlag.AlignVCenter)
        self._bars.append(bar)
        cells = []
        for column in range(_FIRST_CELL, len(_HEADS)):
            # Endings may be many words: they give way when the window is narrow.
            cell = label("", wraps=column == _ENDINGS)
            cell.setMinimumWidth(0)
            if column in _NUMBERS:
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(cell, line, column)
            cells.append(cell)
        self._cells.append(cells)
