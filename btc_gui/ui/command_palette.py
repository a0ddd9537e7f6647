"""The command palette (Ctrl+K): type some letters of a command, run it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.case_reference import is_reference
from btc_gui.ui.theme import INSIDE, Theme

_PLACE_ROLE = int(Qt.ItemDataRole.UserRole)
_KEY_ROLE = _PLACE_ROLE + 1
_NAME_ROLE = _PLACE_ROLE + 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the palette."""

    name: str
    text: str
    place: str
    key: str


def matches(entry: Entry, typed: str) -> bool:
    """Whether every typed word occurs in the command's words or page."""
    haystack = f"{entry.place} {entry.text}".casefold()
    return all(word in haystack for word in typed.casefold().split())


def ranked(entries: Sequence[Entry], typed: str) -> list[Entry]:
    """The entries that match, those whose words begin with what was typed first."""
    found = [entry for entry in entries if matches(entry, typed)]
    start = typed.casefold().strip()
    return sorted(found, key=lambda entry: not entry.text.casefold().startswith(start)) if start else found


class _EntryDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, option.fontMetrics.height() + 14)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        tokens = self._theme.tokens
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QColor(tokens.accent))
            painter.setBrush(QColor(tokens.selection))
            painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1), 4, 4)
        inner = rect.adjusted(12, 0, -12, 0)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(tokens.text))
        text = str(index.data())
        painter.drawText(inner, left, text)
        painter.setPen(QColor(tokens.secondary))
        painter.drawText(inner, right, str(index.data(_KEY_ROLE)))
        offset = painter.fontMetrics().horizontalAdvance(text) + 12
        painter.drawText(inner.adjusted(offset, 0, 0, 0), left, str(index.data(_PLACE_ROLE)))


class CommandPalette(QDialog):
    """Offers commands; `chosen` carries the name of the one that was chosen.

    Where a project is open (`has_cases`), a reference such as btc:17 is a command too: then that is what is carried.
    """

    chosen = Signal(str)

    def __init__(
        self, entries: Sequence[Entry], theme: Theme, parent: QWidget | None = None, *, has_cases: bool = False
    ) -> None:
        super().__init__(parent)
        self._has_cases = has_cases
        self.setWindowTitle("Commands")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(560, 420)
        self._entries = list(entries)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(INSIDE)
        self.field = QLineEdit()
        self.field.setPlaceholderText(
            "Type a command, or a reference such as btc:17" if has_cases else "Type a command"
        )
        self.field.setAccessibleName("Type a command")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        self.list.setItemDelegate(_EntryDelegate(theme, self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._choose)
        self._filter("")
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if step:
                row = self.list.currentRow() + step
                self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _filter(self, typed: str) -> None:
        self.list.clear()
        reference = typed.strip().lower()
        found = ranked(self._entries, typed)
        if self._has_cases and is_reference(reference):
            found = [Entry(reference, f"Open case {reference}", "Cases", "")]
        for entry in found:
            item = QListWidgetItem(entry.text)
            item.setData(_PLACE_ROLE, entry.place)
            item.setData(_KEY_ROLE, entry.key)
            item.setData(_NAME_ROLE, entry.name)
            self.list.addItem(item)
        if not found:
            nothing = QListWidgetItem("No command has these words")
            nothing.setData(_PLACE_ROLE, "")
            nothing.setData(_KEY_ROLE, "")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(nothing)
        self.list.setCurrentRow(0)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEnabled:
            name = str(item.data(_NAME_ROLE))
            self.accept()
            self.chosen.emit(name)
