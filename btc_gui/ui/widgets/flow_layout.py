"""A layout that puts its items in lines and breaks them like words."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, then the next line. Items from the place `trailing` on stand at the right of their line; the item
    at the place `filling` asks for its least width only and takes what is left over of its line."""

    def __init__(
        self,
        parent: QWidget | None = None,
        gap: int = 8,
        *,
        trailing: int | None = None,
        filling: int | None = None,
    ) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self._gap = gap
        self._trailing = trailing
        self._filling = filling
        self._items: list[QLayoutItem] = []
        #: Heights by width: layouts ask for the same one many times.
        self._heights: dict[int, int] = {}

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def insertWidget(self, place: int, widget: QWidget) -> None:
        """Put a widget before what stands at a place now."""
        self.addWidget(widget)
        self._items.insert(place, self._items.pop())

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), is_trial=True)
        return self._heights[width]

    def invalidate(self) -> None:
        # Qt calls this while the layout is being made, too.
        self._heights = {}
        super().invalidate()

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize(0, 0)
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, is_trial=False)

    def clear(self) -> None:
        """Take all widgets out and let Qt delete them."""
        while self._items:
            widget = self._items.pop().widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.invalidate()

    def _arrange(self, rect: QRect, *, is_trial: bool) -> int:
        """Place the items (unless it is a trial) and give the height that they take."""
        y = rect.y()
        for line in self._lines(rect.width()):
            height = max(size.height() for _, size in line)
            x = rect.x()
            # What is left over of the line comes before the first of them.
            spare = rect.width() - sum(size.width() + self._gap for _, size in line) + self._gap
            first = self._first_trailing(line)
            filler = self._items[self._filling] if self._filling is not None else None
            for place, (item, size) in enumerate(line):
                if item is filler:
                    size.setWidth(size.width() + max(spare, 0))
                elif place == first and not any(each is filler for each, _ in line):
                    x += max(spare, 0)
                if not is_trial:
                    # Things of different heights stand on one middle line, as words do.
                    item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + self._gap
            y += height + self._gap
        return max(y - self._gap - rect.y(), 0)

    def _first_trailing(self, line: list[tuple[QLayoutItem, QSize]]) -> int | None:
        if self._trailing is None:
            return None
        trailing = self._items[self._trailing :]
        return next((place for place, (item, _) in enumerate(line) if item in trailing), None)

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        used = 0
        for place, item in enumerate(self._items):
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            size = item.sizeHint()
            if place == self._filling:
                size.setWidth(item.minimumSize().width())
            if width > 0:
                size.setWidth(min(size.width(), width))
            if not lines or used + size.width() > width > 0:
                lines.append([])
                used = 0
            lines[-1].append((item, size))
            used += size.width() + self._gap
        return lines
