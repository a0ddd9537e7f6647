"""A list with the chosen thing beside it, or below it where there is no room beside."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from btc_gui.ui.widgets.frames import LEAST_BESIDE, text_scale_of

#: Of what is left over, so many parts go to the list while one goes to the detail beside it.
_PARTS_OF_MAIN = 4


class ListAndDetail(QSplitter):
    """Two parts with a line between them that can be moved; both are always seen.

    `sizes` are their widths at first, `heights` their shares where one is below the other. Most of what is
    left over goes to the list, or all of it to the detail where that `is_main`. With `width_of_list` the list is as
    wide as that says of the width of both, until somebody moves the line. With a `name` the window keeps the sizes.
    `turned` tells that the parts stand below each other now, or beside each other again.
    """

    turned = Signal()

    def __init__(
        self,
        name: str,
        upper: QWidget,
        lower: QWidget,
        sizes: tuple[int, int],
        *,
        heights: tuple[int, int] = (2, 1),
        is_main: bool = False,
        width_of_list: Callable[[int], int] | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName(name)
        self.setChildrenCollapsible(False)
        self._parts, self._sizes, self._heights = (upper, lower), sizes, heights
        self._width_of_list = width_of_list
        #: Whether somebody has moved the line, now or in another session.
        self._is_moved = False
        self.splitterMoved.connect(self._keep)
        self.addWidget(upper)
        self.addWidget(lower)
        # Also the smaller part is easier to read where a window is wide.
        self.setStretchFactor(int(is_main), _PARTS_OF_MAIN)
        self.setStretchFactor(int(not is_main), 0 if is_main else 1)
        self.setSizes(list(sizes))

    def minimumSizeHint(self) -> QSize:
        """No wider than either part: they need not stand side by side."""
        widest = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_narrow = self.width() < LEAST_BESIDE * text_scale_of(self)
        wanted = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        is_turned = self.orientation() is not wanted
        self.setOrientation(wanted)
        if is_narrow and (is_turned or not self._is_moved):
            # Left to itself Qt would give what a window grows by to one of them.
            self.setSizes([self.height() * each // sum(self._heights) for each in self._heights])
        elif is_turned:
            self.setSizes(list(self._sizes))
        self.share_width()
        super().resizeEvent(event)
        if is_turned:
            self.turned.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.share_width()  # The style may have come after the size.

    def share_width(self) -> None:
        """Make the list as wide as `width_of_list` says, where it is beside the other and nobody has moved the line."""
        if self._width_of_list is not None and not self._is_moved and self.orientation() is Qt.Orientation.Horizontal:
            own = self._width_of_list(self.width())
            self.setSizes([own, self.width() - own])

    def saveState(self) -> QByteArray:
        """Nothing as long as the list's width is its own: kept, it would follow neither window nor text any more."""
        if self._width_of_list is not None and not self._is_moved:
            return QByteArray()
        return super().saveState()

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        self._is_moved = True
        return super().restoreState(state)

    def _keep(self, *_: int) -> None:
        self._is_moved = True
