"""The review log of one probe, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from btc_gui.domain.probe import Probe
from btc_gui.domain.review import Action, Decision, standing, withdraws
from btc_gui.ui.marks import mark_pixmap
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import label, set_role
from btc_gui.ui.wording import action_words, reason_words, when

_SHOWN = 40
#: What is bound to the hashes of the text and of the facts.
_BOUND = (Action.ACCEPT, Action.REJECT, Action.DEFER)
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
        self._probe: Probe | None = None
        self._facts_hash = ""
        self._none = label("No decision yet.", "secondary")
        self._grid.addWidget(self._none, 0, 0, 1, 2)
        theme.changed.connect(self._show)

    def show_log(self, log: Sequence[Decision], probe: Probe | None = None, facts_hash: str = "") -> None:
        """Show these decisions (oldest first, as stored).

        With the probe and the facts' hash as they are now, those on another wording or other facts say so.
        """
        self._log, self._probe, self._facts_hash = log, probe, facts_hash
        self._show()

    def _show(self) -> None:
        stand = {decision.id for decision in standing(self._log)}
        withdrawn = {d.id for d in self._log if d.action is not Action.UNDO and d.id not in stand}
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
            undone, is_back = withdraws(decision, self._log)
            word = "Did again" if is_back else "Undid"
            said = f"{word}: {action_words(undone.action).lower()}" if undone else said
        parts = [part for part in (reason_words(decision), decision.note) if part]
        words.setText(said + (f": {'. '.join(parts)}" if parts else ""))
        set_role(words, "secondary" if is_withdrawn or decision.action is Action.UNDO else "")
        tail = [decision.reviewer + ", " + when(decision.at)]
        tail += ["withdrawn"] if is_withdrawn else []
        tail += ["in bulk"] if decision.bulk_id is not None else []
        if decision.action in _BOUND and self._probe is not None:
            tail += ["on another wording"] if decision.revision_id != self._probe.revision_id else []
            tail += ["for other facts"] if self._facts_hash and decision.facts_hash != self._facts_hash else []
        details.setText(" · ".join(tail))
        bound = f"Text {decision.text_hash[:12]}, facts {decision.facts_hash[:12]}"
        details.setToolTip(bound if decision.action in _BOUND else "")
