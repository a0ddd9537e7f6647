"""What a check of the project found: what is wrong, what wants attention, and what is as it should be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from btc_gui.jobs.check_project import ERROR, FIGURE, NOTE, Finding
from btc_gui.ui.widgets.buttons import add_close_row, button
from btc_gui.ui.widgets.frames import scrolling, size_window
from btc_gui.ui.widgets.plain_text import copy_to_clipboard, label
from btc_gui.ui.words import counted

_HEADS = {ERROR: "✗ Wrong", NOTE: "Wants attention", FIGURE: "✓ As it should be"}
#: A damaged file can have a problem in each row; so many are shown, all are copied.
_SHOWN = 100


class CheckDialog(QDialog):
    """The findings in the words of `btc-gui check`."""

    def __init__(self, project: str, findings: Sequence[Finding], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self.setWindowTitle("Check of the project")
        size_window(self, 760, 520)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        by_severity = {each: [f.text for f in findings if f.severity == each] for each in _HEADS}
        errors, notes = len(by_severity[ERROR]), len(by_severity[NOTE])
        self.head = label(f"{'✗' if errors else '✓'} {project} {'is not sound' if errors else 'is sound'}", "title")
        column.addWidget(self.head)
        wrong = f"{counted(errors, 'thing')} {'is' if errors == 1 else 'are'} wrong" if errors else "Nothing is wrong"
        wants = f"{counted(notes, 'thing')} {'wants' if notes == 1 else 'want'}" if notes else "nothing wants"
        told = (
            f"{wrong}, {wants} attention. Checked were the file, approvals, the linter, runs, models’ replies, samples "
            "and studies, as by “btc-gui check”."
        )
        column.addWidget(label(told, "secondary"))
        body = QWidget()
        self.texts = QVBoxLayout(body)
        self.texts.setContentsMargins(0, 4, 8, 4)
        self.texts.setSpacing(6)
        self.texts.setAlignment(Qt.AlignmentFlag.AlignTop)
        for severity, texts in by_severity.items():
            self._add(_HEADS[severity], texts)
        column.addWidget(scrolling(body, "Findings"), 1)
        copy = button("Copy", "copy")
        copy.clicked.connect(self._copy)
        add_close_row(self, column, copy)

    def _add(self, head: str, texts: Sequence[str]) -> None:
        if not texts:
            return
        if self.texts.count():
            self.texts.addSpacing(8)
        self.texts.addWidget(label(head, "heading"))
        for text in islice(texts, _SHOWN):
            self.texts.addWidget(label(text, selectable=True))
        if len(texts) > _SHOWN:
            self.texts.addWidget(label(f"… and {len(texts) - _SHOWN:,} more: Copy takes all.", "secondary"))

    def _copy(self) -> None:
        copy_to_clipboard("\n".join(f"{each.severity}: {each.text}" for each in self._findings))
