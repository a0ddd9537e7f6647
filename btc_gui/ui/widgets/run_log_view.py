"""What happened while a run was driven: its latest lines, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from btc_gui.domain.run import RunLogLine
from btc_gui.ui.widgets.plain_text import one_line
from btc_gui.ui.words import moment

_LONGEST_LINE = 400


class RunLogView(QWidget):
    """Read-only lines that keep their place while new ones come on top."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setUndoRedoEnabled(False)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName("Log of the run")
        self._text.setMinimumHeight(64)
        column.addWidget(self._text, 1)
        self._shown: tuple[RunLogLine, ...] = ()

    def show_lines(self, lines: Sequence[RunLogLine]) -> None:
        """Show these; nothing happens when they are shown already."""
        if tuple(lines) == self._shown:
            return
        self._shown = tuple(lines)
        bar = self._text.verticalScrollBar()
        place = bar.value()
        self._text.setPlainText("\n".join(_words(line) for line in lines) or "Nothing has happened yet.")
        bar.setValue(place)


def _words(line: RunLogLine) -> str:
    parts = (moment(line.at), line.configuration, one_line(line.text, _LONGEST_LINE))
    return "  ".join(part for part in parts if part)
