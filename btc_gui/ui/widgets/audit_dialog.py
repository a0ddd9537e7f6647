"""The report of a leak audit: which channels were searched, and what was found in them."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from btc_gui.jobs.audit_study import AuditReport
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import add_close_row
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.text_table import TextTable
from btc_gui.ui.words import counted


class AuditDialog(QDialog):
    """Shows what was searched for what is hidden from annotators, and every leak."""

    def __init__(self, theme: Theme, report: AuditReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Leak audit")
        size_window(self, 760, 480)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        found = len(report.leaks)
        self.head = label(f"✗ {counted(found, 'leak')} found" if found else "✓ Nothing hidden was found", "title")
        column.addWidget(self.head)
        pieces = sum(report.channels.values())
        self.words = label(
            f"“{one_line(report.study, 80)}”: {counted(pieces, 'piece')} of {counted(len(report.channels), 'channel')} "
            f"searched for {counted(report.words, 'hidden word')}: labels of the machine, models, configurations, "
            "keys, strata, seeds, other annotators.",
            "secondary",
        )
        column.addWidget(self.words)
        leaks = [
            (leak.channel, leak.what, one_line(leak.text, 120), one_line(leak.where, 120)) for leak in report.leaks
        ]
        self.leaks = TextTable(theme, "leaks", ("Channel", "What", "Text", "Where"), leaks, filler=3)
        column.addWidget(self.leaks, 1)
        self.leaks.setVisible(bool(leaks))
        channels = [(name, f"{count:,}") for name, count in report.channels.items()]
        self.channels = TextTable(theme, "channels", ("Searched", "Pieces"), channels, numbers=(1,))
        column.addWidget(self.channels, 1)
        add_close_row(self, column)
