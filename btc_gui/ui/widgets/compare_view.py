"""One to four trajectories side by side: aligned by step under one scroll bar, or free under one each.

Cards are made only for what is seen and a little around it, and put away again further off: a trajectory of thousands
of steps takes no more time and memory than one of forty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from btc_gui.domain.trajectory import StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.frames import tab_after
from btc_gui.ui.widgets.lane_area import LaneArea
from btc_gui.ui.widgets.lane_rows import LaneRow
from btc_gui.ui.widgets.step_card import CardState, StepCard, StepView


@dataclass(frozen=True, slots=True)
class RowView:
    """One aligned row, a step a lane; None where one has no such step. `parts_here` marks the first difference."""

    steps: tuple[StepView | None, ...]
    parts_here: bool = False


class CompareView(QWidget):
    """The reader's body."""

    #: The whole of a text is asked for: its `TextPlace` and what to call it.
    whole_asked = Signal(object, str)
    #: A note on a step is wanted, or its reference: its lane and number.
    note_asked = Signal(int, int)
    reference_asked = Signal(int, int)
    #: A card got the focus: its lane and number.
    entered = Signal(int, int)
    #: All that is in sight is made and has its place.
    settled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[RowView, ...] = ()
        self._columns = 1
        self._is_free = self._is_plain = False
        self._states: dict[tuple[int, int], CardState] = {}
        self._places: dict[tuple[int, int], int] = {}
        self._header: QWidget | None = None
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        self._areas: list[LaneArea] = []

    def show_rows(self, rows: Sequence[RowView], columns: int) -> None:
        """Show other trajectories, from their beginning."""
        self._rows, self._columns = tuple(rows), columns
        self._states = {}
        self._places = {
            (lane, view.step.number): number
            for number, row in enumerate(self._rows)
            for lane, view in enumerate(row.steps)
            if view is not None
        }
        self._rebuild()

    @property
    def is_free(self) -> bool:
        """Whether each column has its own scroll bar."""
        return self._is_free

    def set_free(self, is_free: bool) -> None:
        """Give each column its own scroll bar, or all one."""
        if is_free != self._is_free:
            self._is_free = is_free
            self._rebuild()

    @property
    def is_plain(self) -> bool:
        """Whether answers are shown as they were written."""
        return self._is_plain

    def set_plain(self, is_plain: bool) -> None:
        """Show answers as they were written, or as the Markdown that they are meant as."""
        self._is_plain = is_plain
        for area in self._areas:
            area.set_plain(is_plain)

    def set_header(self, header: QWidget | None) -> None:
        """Let `header` scroll away above the steps, where there is little room; None gives it back."""
        if header is not self._header:
            if self._header is not None:
                self._header.setParent(self)
            self._header = header
            if self._areas:
                self._areas[0].set_header(header)

    def card(self, lane: int, step_number: int) -> StepCard | None:
        """The card of a step, built if it was not yet; None when there is no such step."""
        found = self._find(lane, step_number)
        return found[0].card(found[1], found[2]) if found else None

    def go_to(self, lane: int, step_number: int, *, takes_focus: bool = False) -> bool:
        """Scroll to a step and outline it; with `takes_focus` keys act on it."""
        found = self._find(lane, step_number)
        if found is None:
            return False
        area, row, column = found
        for other in self._areas:
            other.set_current(None)
        area.set_current((row, column))
        area.scroll_to(row)
        card = area.card(row, column)
        if takes_focus and card is not None:
            card.setFocus()
        return True

    @property
    def current(self) -> tuple[int, int] | None:
        """The step that was gone to last: its lane and number."""
        for area in self._areas:
            card = area.current_card
            if card is not None:
                return area.lane_of(card), card.view.step.number
        return None

    def fold_all(self, is_folded: bool) -> None:
        """Show only the heads of all steps, or all of them."""
        for key in self._places:
            self._state(key).is_folded = is_folded
        for area in self._areas:
            area.fold_all(is_folded)

    @property
    def is_all_folded(self) -> bool:
        """Whether all steps are folded."""
        return bool(self._places) and all(self._state(key).is_folded for key in self._places)

    # -- building --------------------------------------------------------------------------------------------

    def prepare(self, kind: StepKind) -> None:
        """Make a card for such a step before there is one."""
        if not self._areas:
            self._add_area()
        self._areas[0].stock.prepare(kind)

    def _find(self, lane: int, step_number: int) -> tuple[LaneArea, int, int] | None:
        row = self._places.get((lane, step_number))
        if row is None or not self._areas:
            return None
        if self._is_free:
            return self._areas[lane], self._areas[lane].number_of(row), 0
        return self._areas[0], row, lane

    def _state(self, key: tuple[int, int]) -> CardState:
        return self._states.setdefault(key, CardState())

    def _rebuild(self) -> None:
        lanes = [[lane] for lane in range(self._columns)] if self._is_free else [list(range(self._columns))]
        while len(self._areas) > len(lanes):
            area = self._areas.pop()
            self._layout.removeWidget(area)
            area.hide()
            area.deleteLater()
        while len(self._areas) < len(lanes):
            self._add_area()
        for own, area in zip(lanes, self._areas, strict=True):
            area.setAccessibleName("Trajectory" if self._columns == 1 else "Trajectories side by side")
            area.show_rows(own, self._rows_of(own))
        self.setFocusProxy(self._areas[0])

    def _area_settled(self) -> None:
        if not any(area.is_making for area in self._areas):
            self.settled.emit()

    def _rows_of(self, lanes: Sequence[int]) -> list[LaneRow]:
        return [
            LaneRow(number, tuple(row.steps[lane] for lane in lanes), "First difference" if row.parts_here else "")
            for number, row in enumerate(self._rows)
            if len(lanes) == self._columns or any(row.steps[lane] is not None for lane in lanes)
        ]

    def _add_area(self) -> None:
        area = LaneArea(self._theme, self._state)
        area.set_plain(self._is_plain)
        area.whole_asked.connect(self.whole_asked)
        area.note_asked.connect(self.note_asked)
        area.reference_asked.connect(self.reference_asked)
        area.entered.connect(self.entered)
        area.settled.connect(self._area_settled)
        self._layout.addWidget(area, 1)
        self._areas.append(area)
        tab_after(self, self._areas)
        if len(self._areas) == 1:
            area.set_header(self._header)
