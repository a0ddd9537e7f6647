"""A line for one day, written 2026-05-09."""

from __future__ import annotations

from datetime import date

from PySide6.QtWidgets import QLineEdit, QWidget


class DayField(QLineEdit):
    """`day` is None while what stands there is no day."""

    def __init__(self, start: date, name: str, parent: QWidget | None = None) -> None:
        super().__init__(start.isoformat(), parent)
        self.setAccessibleName(name)
        self.setPlaceholderText("2026-05-09")
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * 16)

    @property
    def day(self) -> date | None:
        """The day."""
        try:
            return date.fromisoformat(self.text().strip())
        except ValueError:
            return None
