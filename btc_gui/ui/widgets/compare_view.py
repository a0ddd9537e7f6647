"""One or two trajectories side by side: aligned by step under one scroll bar, or free under one each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.widgets.step_card import StepCard, StepView

#: Rows built at once: a trajectory of thousands of steps opens as fast as one of forty.
ROWS_AT_ONCE = 40
#: How long cards are built before the window gets its turn.
_SLICE_SECONDS = 0.012
#: A column holds a reading line of about eighty characters; more would be hard to read.
_WIDEST_COLUMN = 760


@dataclass(frozen=True, slots=True)
class RowView:
    """One aligned row, a step a lane; None where one has no such step. `parts_here` marks the first difference."""

    steps: tuple[StepView | None, ...]
    parts_here: bool = False


class CompareView(QWidget):
    """The reader's body. `columns` is 1 to 4."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[RowView, ...] = ()
        self._columns = 1
        self._is_free = False
        self._built = self._wanted = 0
        self._building = QTimer(self)
        self._building.setInterval(0)
        self._building.timeout.connect(self._build_some)
        self._cards: dict[tuple[int, int], StepCard] = {}
        self._current: StepCard | None = None
        self._header: QWidget | None = None
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(12)
        self._areas: list[QScrollArea] = []
        self._grids: list[QGridLayout] = []
        self._more: list[QPushButton] = []

    def show_rows(self, rows: Sequence[RowView], columns: int) -> None:
        """Show other trajectories, from their beginning."""
        self._rows, self._columns = tuple(rows), columns
        self._rebuild()

    @property
    def is_free(self) -> bool:
        """Whether each column has its own scroll bar."""
        return self._is_free

    def set_free(self, is_free: bool) -> None:
        """Give each column its own scroll bar, or both one."""
        if is_free != self._is_free:
            self._is_free = is_free
            self._rebuild()

    def set_header(self, header: QWidget | None) -> None:
        """Let `header` scroll away above the steps, where there is little room; None gives it back."""
        if header is not self._header:
            self._header = header
            self._rebuild()

    def card(self, lane: int, step_number: int) -> StepCard | None:
        """The card of a step, built if it was not yet; None when the step is not shown."""
        while (lane, step_number) not in self._cards and self._built < len(self._rows):
            self._build_next()
        if self._built > self._wanted:
            self._wanted = self._built
            self._build_some()
        return self._cards.get((lane, step_number))

    def go_to(self, lane: int, step_number: int) -> bool:
        """Scroll to a step and outline it."""
        card = self.card(lane, step_number)
        if card is None:
            return False
        if self._current is not None:
            self._current.set_current(False)
        self._current = card
        card.set_current(True)
        # After new cards have been laid out; until then their places are those of an empty page.
        QTimer.singleShot(0, self._scroll_to_current)
        return True

    def _scroll_to_current(self) -> None:
        if self._current is None:
            return
        for area in self._areas:
            body = area.widget()
            if body is not None and body.isAncestorOf(self._current):
                layout = body.layout()
                if layout is not None:
                    layout.activate()
                top = self._current.mapTo(body, self._current.rect().topLeft()).y()
                area.verticalScrollBar().setValue(max(top - 24, 0))

    # -- building --------------------------------------------------------------------------------------------

    def _rebuild(self) -> None:
        self._current = None
        self._cards.clear()
        if self._header is not None:
            # Out of the area that goes away; the new one takes it in.
            self._header.setParent(self)
        for area in self._areas:
            self._layout.removeWidget(area)
            area.hide()
            area.deleteLater()
        self._areas, self._grids, self._more = [], [], []
        self._built = self._wanted = 0
        self._building.stop()
        for _ in range(self._columns if self._is_free else 1):
            self._add_area()
        self._wanted = min(ROWS_AT_ONCE, len(self._rows))
        self._building.start()

    def _add_area(self) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        # Only where large text has no room: without a bar, what is on the right could not be reached.
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        # Always there, so that no text is laid out twice because a bar came or went.
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        area.setAccessibleName("Trajectory" if self._columns == 1 else "Trajectories side by side")
        body = QWidget()
        body.setProperty("role", "page")
        outer = QVBoxLayout(body)
        outer.setContentsMargins(0, 0, 8, 16)
        if self._header is not None and not self._areas:
            outer.addWidget(self._header)
            self._header.show()
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        for column in range(1 if self._is_free else self._columns):
            grid.setColumnStretch(column, 1)
        outer.addLayout(grid)
        more = QPushButton()
        more.setProperty("role", "link")
        more.clicked.connect(self._build_more)
        more.hide()
        outer.addWidget(more, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(1)
        if self._columns == 1:
            body.setMaximumWidth(_WIDEST_COLUMN)
        area.setWidget(body)
        self._areas.append(area)
        self._grids.append(grid)
        self._more.append(more)
        self._layout.addWidget(area, 1)

    def _build_more(self) -> None:
        """Build the next rows, a few at a time, so that the window stays awake."""
        self._wanted = min(self._wanted + ROWS_AT_ONCE, len(self._rows))
        self._build_some()

    def _build_some(self) -> None:
        start = time.monotonic()
        while self._built < self._wanted and time.monotonic() - start < _SLICE_SECONDS:
            self._build_next()
        if self._built < self._wanted:
            self._building.start()
            return
        self._building.stop()
        left = len(self._rows) - self._built
        for button in self._more:
            button.setVisible(left > 0)
            button.setText(f"Show more steps ({left:,} left)")

    def _build_next(self) -> None:
        self._build_row(self._built, self._rows[self._built])
        self._built += 1

    def _build_row(self, index: int, row: RowView) -> None:
        line = index * 2
        if row.parts_here and self._columns > 1:
            for grid in self._grids:
                words = label("First difference", "section")
                words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
                grid.addWidget(words, line, 0, 1, 1 if self._is_free else self._columns)
        for lane, view in enumerate(row.steps):
            if view is None:
                if not self._is_free:
                    self._grids[0].addWidget(_gap(), line + 1, lane)
                continue
            card = StepCard(self._theme, view)
            self._cards[(lane, view.step.number)] = card
            if self._is_free:
                self._grids[lane].addWidget(card, line + 1, 0, Qt.AlignmentFlag.AlignTop)
            else:
                self._grids[0].addWidget(card, line + 1, lane, Qt.AlignmentFlag.AlignTop)


def _gap() -> QWidget:
    """The place of a step that one side does not have."""
    gap = QFrame()
    gap.setProperty("role", "sunken")
    gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    gap.setAccessibleName("No such step")
    return gap
