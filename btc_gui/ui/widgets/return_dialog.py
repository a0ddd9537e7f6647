"""What came back in packets: for each file what it holds, what is new, and why it was refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from btc_gui.jobs.return_packet import ReturnReport
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import add_close_row
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.text_table import TextTable
from btc_gui.ui.words import counted

_HEADS = ("File", "Study", "Annotator", "Packet", "Sent", "Back", "Missing", "New rows", "Duplicate", "Changed")


@dataclass(frozen=True, slots=True)
class Returned:
    """One file: its report, or why it was refused."""

    file: str
    report: ReturnReport | None
    refused: str = ""


class ReturnDialog(QDialog):
    """Shows what came back."""

    def __init__(self, theme: Theme, returned: Sequence[Returned], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Packets that came back")
        size_window(self, 960, 360)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        taken = [each for each in returned if each.report is not None]
        refused = len(returned) - len(taken)
        head = f"{counted(len(taken), 'packet')} taken back" + (f", {refused} refused" if refused else "")
        column.addWidget(label(head, "title"))
        self.table = TextTable(
            theme,
            "packets that came back",
            _HEADS,
            [_row(each.file, each.report) for each in taken if each.report is not None],
            numbers=(4, 5, 6, 7, 8, 9),
            most_rows=10,
        )
        column.addWidget(self.table)
        self.table.setVisible(bool(taken))
        self.notes = label("\n".join(_notes(returned)), "secondary", selectable=True)
        column.addWidget(self.notes)
        column.addStretch(1)
        add_close_row(self, column)


def _row(file: str, report: ReturnReport) -> tuple[str, ...]:
    counts = (report.sent, report.back, report.missing, report.new_rows, report.duplicate, report.changed)
    names = (one_line(file, 80), one_line(report.study, 80), one_line(report.annotator, 60), report.layer)
    return (*names, *(f"{count:,}" for count in counts))


def _notes(returned: Sequence[Returned]) -> list[str]:
    """What the table does not say: refusals, labels of two machines, labels that came too late."""
    notes = []
    for each in returned:
        file = one_line(each.file, 80)
        if each.report is None:
            notes.append(f"{file} was refused. {each.refused}")
            continue
        if each.report.new_rows > each.report.back:
            notes.append(f"{file}: labels that were taken back or given anew are rows too.")
        if each.report.labelled_twice:
            items = counted(each.report.labelled_twice, "item")
            notes.append(f"{file}: {items} labelled on two machines; the earlier label counts, the other is a change.")
        if each.report.late_rows:
            rows = counted(each.report.late_rows, "label")
            notes.append(f"{file}: {rows} kept apart and in no figure, since {each.report.late}.")
    return notes
