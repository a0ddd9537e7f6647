"""Fetching the articles about the events: as of when, and how many there are to fetch."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.article import AsOf
from btc_gui.jobs.fetch_articles import ArticleRequest
from btc_gui.store.articles import ArticleCounts
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.day_field import DayField
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.wording import counted


class ArticlesDialog(QDialog):
    """`wanted` carries the request."""

    wanted = Signal(object)

    def __init__(self, counts: ArticleCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Fetch articles")
        size_window(self, 560, 320)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("Fetch articles", "title"))
        words = (
            "The English articles about the events' people and positions, as they stood before the change: what "
            "probes are written from. Illness and resignations are in an article before the day itself."
        )
        column.addWidget(label(words, "secondary"))
        self._form = form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(12)
        self.as_of = Combo("As of", [(each.value, each.text.capitalize()) for each in AsOf])
        self.as_of.activated.connect(self._show_rows)
        form.addRow("&As of", self.as_of)
        self.has_start = QCheckBox("The window starts on")
        self.has_start.setToolTip("Else the first day of the collection that found the event counts")
        self.start = DayField(date(2026, 2, 1), "First day of the window")
        self.start.setEnabled(False)
        self.has_start.toggled.connect(self.start.setEnabled)
        holder = QWidget()
        days = QHBoxLayout(holder)
        days.setContentsMargins(0, 0, 0, 0)
        days.addWidget(self.has_start)
        days.addWidget(self.start)
        days.addStretch(1)
        self._days = holder
        form.addRow("", holder)
        self.again = QCheckBox("Fetch those that are there too")
        form.addRow("", self.again)
        column.addLayout(form)
        column.addWidget(label(_standing(counts), "heading"))
        column.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.fetch_button = button("Fetch", "download", "primary")
        self.fetch_button.clicked.connect(self._tell)
        row.addWidget(cancel)
        row.addWidget(self.fetch_button)
        column.addLayout(row)
        self._show_rows()

    def _show_rows(self, _: object = None) -> None:
        self._form.setRowVisible(self._days, self.as_of.value == AsOf.WINDOW)

    def _tell(self) -> None:
        as_of = AsOf(self.as_of.value)
        has_start = as_of is AsOf.WINDOW and self.has_start.isChecked()
        start = self.start.day if has_start else None
        if has_start and start is None:
            self.start.setFocus()
            self.start.selectAll()
            return
        self.wanted.emit(ArticleRequest(as_of, start, again=self.again.isChecked()))
        self.accept()


def _standing(counts: ArticleCounts) -> str:
    parts = [f"{counted(counts.fetched, 'article')} there", f"{counts.missing:,} never asked for"]
    if counts.failed:
        parts.append(f"{counts.failed:,} could not be had")
    return ", ".join(parts) + "."
