"""Statistics with their names, intervals and the words that say what each is of."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from btc_gui.domain.agreement_report import Statistic
from btc_gui.ui.jargon import meaning
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import label, tooltip

#: No wider than this many characters: beyond, nobody sees which figure belongs to which name.
_COLUMNS = 90


class StatisticsGrid(QWidget):
    """Filled from above: statistics, headings, notes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._line = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.setMaximumWidth(_COLUMNS * self.fontMetrics().averageCharWidth())

    def clear(self) -> None:
        """Take everything out."""
        self._grid.setRowStretch(self._line, 0)
        self._line = 0
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def add(self, statistics: Sequence[Statistic]) -> None:
        """Add statistics, each with its scope below."""
        for statistic in statistics:
            name = label(_sentence(statistic.name))
            name.setMinimumWidth(120)
            name.setToolTip(tooltip(meaning(statistic.name)))
            value = label(statistic.text, selectable=True, wraps=False)
            value.setFont(self._theme.font("body", tabular=True))
            value.setToolTip(tooltip(statistic.method))
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(name, self._line, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, self._line, 1, Qt.AlignmentFlag.AlignTop)
            scope = " · ".join(part for part in (statistic.scope, statistic.reason if statistic.value else "") if part)
            words = label(scope, "small")
            words.setContentsMargins(0, 0, 0, 6)
            self._grid.addWidget(words, self._line + 1, 0, 1, 2)
            self._line += 2
        self._fill()

    def _fill(self) -> None:
        """What is above keeps to the top."""
        for line in range(self._line):
            self._grid.setRowStretch(line, 0)
        self._grid.setRowStretch(self._line, 1)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
