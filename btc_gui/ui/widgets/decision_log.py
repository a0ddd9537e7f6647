"""The review log of one probe, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from btc_gui.domain.review import Action, Decision
from btc_gui.ui.marks import mark_pixmap
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import label, set_role
from btc_gui.ui.wording import action_words, reason_words, when

_SHOWN = 40
_MARKS = {
    Action.ACCEPT: "accepted",
    Action.REJECT: "rejected",
    Action.DEFER: "deferred",
    Action.FLAG: "flagged",
}


class DecisionLog(QWidget):
    """Who decided what, when and why; withdrawn decisions say so."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, QLabel, QLabel]] = []
        self._log: Sequence[Decision] = ()
        self._none = label("No decision yet.", "secondary")
        self._grid.addWidget(self._none, 0, 0, 1, 2)
        theme.changed.connect(self._show)

    def show_log(self, log: Sequence[Decision]) -> None:
        """Show these decisions (oldest first, as stored)."""
        self._log = log
        self._show()

    def _show(self) -> None:
        withdrawn = {decision.undoes for decision in self._log if decision.undoes is not None}
        newest = list(reversed(self._log))[:_SHOWN]
        self._none.setVisible(not newest)
        while len(self._rows) < len(newest):
            self._add_row()
        for position, (mark, words, details) in enumerate(self._rows):
            is_shown = position < len(newest)
            for widget in (mark, words, details):
                widget.setVisible(is_shown)
            if is_shown:
                self._fill(newest[position], newest[position].id in withdrawn, mark, words, details)

    def _add_row(self) -> None:
        row = 2 * len(self._rows) + 1
        mark, words, details = QLabel(), label("", selectable=True), label("", "small", selectable=True)
        self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(words, row, 1)
        self._grid.addWidget(details, row + 1, 1)
        self._rows.append((mark, words, details))

    def _fill(self, decision: Decision, is_withdrawn: bool, mark: QLabel, words: QLabel, details: QLabel) -> None:
        name = _MARKS.get(decision.action, "unreviewed")
        mark.setPixmap(mark_pixmap(self._theme.mark(name), 12, self.devicePixelRatioF()))
        said = action_words(decision.action)
        if decision.action is Action.UNDO:
            undone = next((d for d in self._log if d.id == decision.undoes), None)
            said = f"Undid: {action_words(undone.action).lower()}" if undone else said
        parts = [part for part in (reason_words(decision), decision.note) if part]
        words.setText(said + (f": {'. '.join(parts)}" if parts else ""))
        set_role(words, "secondary" if is_withdrawn or decision.action is Action.UNDO else "")
        tail = " · withdrawn" if is_withdrawn else ""
        details.setText(f"{decision.reviewer}, {when(decision.at)}{tail}")
