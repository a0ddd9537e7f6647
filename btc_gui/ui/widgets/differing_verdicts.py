"""The verdicts of curators who disagree, side by side: who said what, why, and with which note."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from btc_gui.domain.review import Action, Decision
from btc_gui.ui.marks import mark_pixmap
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.wording import action_words, reason_words, when

_MARKS = {Action.ACCEPT: "accepted", Action.REJECT: "rejected"}
_COLUMNS = 2
_MARK = 12


class DifferingVerdicts(QWidget):
    """Hidden while there is nothing to weigh."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._verdicts: tuple[Decision, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._heading = label("Curators disagree: the next verdict counts", "section")
        self._heading.setIndent(2)
        column.addWidget(self._heading)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(12)
        for place in range(_COLUMNS):
            self._grid.setColumnStretch(place, 1)
        column.addLayout(self._grid)
        self.cards: list[QWidget] = []
        self.hide()
        theme.changed.connect(self._fill)

    def show_verdicts(self, verdicts: Sequence[Decision]) -> None:
        """Show these, in their order, or nothing."""
        if tuple(verdicts) != self._verdicts:
            self._verdicts = tuple(verdicts)
            self._fill()
        self.setVisible(bool(verdicts))

    def _fill(self) -> None:
        for card in self.cards:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [self._card(each) for each in self._verdicts]
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // _COLUMNS, place % _COLUMNS)

    def _card(self, verdict: Decision) -> QWidget:
        card = Card("", self)
        top = QHBoxLayout()
        top.setSpacing(8)
        mark, size = QLabel(), round(_MARK * max(1.0, self._theme.text_scale))
        mark.setPixmap(mark_pixmap(self._theme.mark(_MARKS[verdict.action]), size, self.devicePixelRatioF()))
        top.addWidget(mark)
        top.addWidget(
            label(f"{verdict.reviewer}: {action_words(verdict.action).lower()}", "heading", selectable=True), 1
        )
        card.body.addLayout(top)
        if verdict.reasons:
            card.body.addWidget(label(reason_words(verdict), selectable=True))
        card.body.addWidget(label(verdict.note or "No note.", "" if verdict.note else "secondary", selectable=True))
        card.body.addWidget(label(when(verdict.at), "small"))
        card.body.addStretch(1)
        return card
