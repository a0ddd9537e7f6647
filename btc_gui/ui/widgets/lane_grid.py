"""Where the rows and columns of a lane area lie."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.lane_rows import LaneRow, guessed_heights
from btc_gui.ui.widgets.step_card import CardState

#: Pixels between rows, and between lanes.
BETWEEN, AROUND = 8, 12
#: A lane holds a reading line of about eighty characters, and no less than a few words.
_WIDEST, _NARROWEST = 760, 190


class LaneGrid:
    """Rows one below the other, as wide as what they are seen through (`viewport`) gives to each lane. The heights of
    rows that were not seen yet are guessed."""

    def __init__(self, theme: Theme, viewport: QWidget) -> None:
        self._theme, self._viewport = theme, viewport
        self.lanes: tuple[int, ...] = (0,)
        self.rows: tuple[LaneRow, ...] = ()
        self.heights: list[int] = []
        #: Where each row begins, and where the last one ends.
        self.tops: list[int] = [0]

    def show(self, lanes: Sequence[int], rows: Sequence[LaneRow]) -> None:
        """Take other rows; `lanes` are the numbers of their columns among all lanes."""
        self.lanes, self.rows = tuple(lanes), tuple(rows)

    def guess(self, state_of: Callable[[tuple[int, int]], CardState]) -> None:
        """Guess the heights of all rows."""
        self.heights = guessed_heights(self.rows, self.lanes, self.lane_width, self._theme.text_scale, state_of)

    def lay_out(self, head: int) -> None:
        """Put the rows below what is `head` pixels high, by the heights that are known."""
        self.tops = list(accumulate((height + BETWEEN for height in self.heights), initial=head))

    @property
    def room(self) -> int:
        """The width that is seen."""
        return self._viewport.width() - 4

    @property
    def lane_width(self) -> int:
        """The width of each lane."""
        count = len(self.lanes)
        room = (self.room - AROUND * (count - 1)) // max(count, 1)
        return max(min(room, _WIDEST), int(_NARROWEST * max(self._theme.text_scale, 1.0)))

    @property
    def width(self) -> int:
        """The width of all lanes."""
        return self.x(len(self.lanes) - 1) + self.lane_width

    def x(self, column: int) -> int:
        """Where a column begins."""
        return column * (self.lane_width + AROUND)

    def heading_height(self, row: int) -> int:
        """How much of a row its heading takes."""
        return self._viewport.fontMetrics().height() + 8 if self.rows[row].heading and len(self.lanes) > 1 else 0

    def row_at(self, y: int) -> int:
        """The row at a height, or the nearest one."""
        return max(min(bisect_right(self.tops, y) - 1, len(self.rows) - 1), 0)

    def gaps(self, top: int, bottom: int) -> list[QRectF]:
        """Where a lane has no such step, in what is seen between two heights."""
        if len(self.lanes) < 2:
            return []
        found = []
        for row in range(self.row_at(top), min(self.row_at(bottom) + 1, len(self.rows))):
            heading = self.heading_height(row)
            for column, view in enumerate(self.rows[row].steps):
                if view is None:
                    place = self.x(column), self.tops[row] + heading, self.lane_width, self.heights[row] - heading
                    found.append(QRectF(*place))
        return found
