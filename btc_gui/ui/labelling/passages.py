"""The passages marked as evidence: a line each, and the date of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from btc_gui.domain.mode_form import DateOrigin, EvidenceSpan
from btc_gui.domain.outside_text import showable
from btc_gui.domain.timeline import published_date
from btc_gui.ui.labelling.desk import FieldLine
from btc_gui.ui.widgets.plain_text import label, one_line

_MOST_LINES = 3


class _Lines(QListWidget):
    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here, they don't look for a line."""


class PassageList(QWidget):
    """Lists passages. Not there while there are none."""

    #: Another passage was chosen.
    chosen = Signal(object)
    #: The old passage and the new one: its date was written.
    dated = Signal(object, object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spans: Sequence[EvidenceSpan] = ()
        self.lines = _Lines()
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.lines.setAccessibleName("Passages marked as evidence")
        self.lines.currentRowChanged.connect(self._moved)
        self.date = FieldLine()
        self.date.setPlaceholderText("2026-05-09, 2026-05")
        self.date.setAccessibleName("Date of the passage, if its text tells it")
        self.date.textEdited.connect(self._date_typed)
        self.date.editingFinished.connect(self._write_date)
        self.date.returnPressed.connect(self.left)
        self.date.left.connect(self._leave_date)
        self._origin = label("", "small", wraps=False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.lines, 4)
        layout.addWidget(self._origin)
        layout.addWidget(self.date, 1)
        self.hide()

    @property
    def current(self) -> EvidenceSpan | None:
        """The chosen passage."""
        row = self.lines.currentRow()
        return self._spans[row] if 0 <= row < len(self._spans) else None

    def show_passages(self, spans: Sequence[EvidenceSpan], current: EvidenceSpan | None) -> None:
        """Show other passages, one of them chosen, without telling."""
        self._spans = spans
        was_blocked = self.lines.blockSignals(True)
        self.lines.clear()
        for span in spans:
            self.lines.addItem(QListWidgetItem(_words(span)))
        self.lines.setCurrentRow(spans.index(current) if current in spans else len(spans) - 1)
        self.lines.blockSignals(was_blocked)
        row = self.lines.sizeHintForRow(0) if spans else 24
        self.lines.setFixedHeight(row * min(max(len(spans), 1), _MOST_LINES) + 6)
        self._show_date()
        self.setVisible(bool(spans))

    def _moved(self) -> None:
        self._show_date()
        self.chosen.emit(self.current)

    def _show_date(self) -> None:
        span = self.current
        if span is None or self.date.text().strip() != span.published:
            self.date.setText(span.published if span else "")
        origin = span.dated_by if span else DateOrigin.UNKNOWN
        self._origin.setText(
            {DateOrigin.METADATA: "Date of the result", DateOrigin.TEXT: "Date in the text"}.get(
                origin, "Date in the text?"
            )
        )

    def _date_typed(self, text: str) -> None:
        # A whole date is taken at once: whoever goes on without leaving the field has written it too.
        if not text.strip() or published_date(text) is not None:
            self._write_date()

    def _write_date(self) -> None:
        span = self.current
        written = self.date.text().strip()
        if span is None or written == span.published:
            return
        origin = DateOrigin.TEXT if written else DateOrigin.UNKNOWN
        self.dated.emit(span, replace(span, published=written, dated_by=origin))

    def _leave_date(self) -> None:
        self._show_date()
        self.left.emit()


def _words(span: EvidenceSpan) -> str:
    day = published_date(span.published) if span.published else None
    place = f"query {span.search}" + (f", result {span.result}" if span.result else "")
    date = day.text if day else "no date"
    return f"{span.relation.value} · {place} · {date} · “{one_line(showable(span.quote), 120)}”"
