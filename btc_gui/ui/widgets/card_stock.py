"""The cards of a lane area: one that was put away shows another step of its kind, since making one takes longer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from btc_gui.domain.trajectory import Step, StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.step_card import CardState, StepCard, StepView

#: So many cards of a kind are kept when they are put away.
_SPARE = 12


class CardStock:
    """Gives cards that lie on `body`; `connect` is told each one that is made."""

    def __init__(self, theme: Theme, body: QWidget, connect: Callable[[StepCard], object]) -> None:
        self._theme, self._body, self._connect = theme, body, connect
        self._spare: dict[StepKind, list[StepCard]] = {}

    def prepare(self, kind: StepKind) -> None:
        """Make a card for such a step before there is one: the first case then only has to show it."""
        card = self._make(StepView(Step(1, kind, "")), CardState(), is_plain=False)
        card.hide()
        self._spare.setdefault(kind, []).append(card)

    def take(self, view: StepView, state: CardState, *, is_plain: bool) -> StepCard:
        """A card that shows a step; it is still to be placed and shown."""
        spare = self._spare.get(view.step.kind)
        if not spare:
            return self._make(view, state, is_plain=is_plain)
        card = spare.pop()
        card.show_view(view, state, is_plain=is_plain)
        return card

    def put_away(self, card: StepCard) -> None:
        """Take a card out of sight."""
        card.hide()
        card.set_current(False)
        spare = self._spare.setdefault(card.kind, [])
        if len(spare) < _SPARE:
            spare.append(card)
        else:
            card.deleteLater()

    def _make(self, view: StepView, state: CardState, *, is_plain: bool) -> StepCard:
        card = StepCard(self._theme, view, self._body, state=state, is_plain=is_plain)
        self._connect(card)
        return card
