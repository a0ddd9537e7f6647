"""Whether the curators agree on the probes that they share."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.review_agreement import CLASSES, PairAgreement
from btc_gui.progress import Progress
from btc_gui.sessions.curators import agreement_of_curators
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import Card, scrolling, size_window
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.wording import action_words, counted


class AgreementDialog(QDialog):
    """`resolve_asked` carries nothing: show the disagreements as a queue."""

    resolve_asked = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setWindowTitle("Agreement of curators")
        size_window(self, 620, 520)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("Agreement of curators", "title"))
        self.note = label(
            "Verdicts on the same wording, given without knowing the other's. Accepted as it stands, edited, rejected.",
            "secondary",
        )
        column.addWidget(self.note)
        self._content = QWidget()
        self._pairs = QVBoxLayout(self._content)
        self._pairs.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scrolling(self._content, "Pairs of curators"), 1)
        self.resolve_button = button("Resolve disagreements", role="primary")
        self.resolve_button.setEnabled(False)
        self.resolve_button.clicked.connect(self._resolve)
        close = button("Close")
        close.setDefault(True)
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(close)
        row.addWidget(self.resolve_button)
        column.addLayout(row)
        self._reading = LatestJob(context.job_runner, "Read the agreement", self._show, self)
        database = context.database

        def read(progress: Progress) -> list[PairAgreement]:
            return agreement_of_curators(database)

        self._reading.ask(read)

    def _show(self, pairs: list[PairAgreement]) -> None:
        if not pairs:
            self._pairs.addWidget(label("No probe is assigned to two curators.", "secondary"))
        for pair in pairs:
            self._pairs.addWidget(_card(pair))
        self._pairs.addStretch(1)
        self.resolve_button.setEnabled(any(pair.differ for pair in pairs))

    def _resolve(self) -> None:
        self.resolve_asked.emit()
        self.accept()


def _card(pair: PairAgreement) -> QWidget:
    first, second = pair.reviewers
    card = Card(f"{first} and {second}")
    card.body.addWidget(label(pair_words(pair), selectable=True))
    if not pair.n:
        return card
    grid = QGridLayout()
    grid.setHorizontalSpacing(16)
    grid.addWidget(label(f"{first} ↓   {second} →", "small", wraps=False), 0, 0)
    for place, action in enumerate(CLASSES):
        grid.addWidget(label(action_words(action), "small", wraps=False), 0, place + 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(label(action_words(action), "small", wraps=False), place + 1, 0)
    for row, counts in enumerate(pair.table, 1):
        for column, count in enumerate(counts, 1):
            cell = label(f"{count:,}", "heading" if row == column else "", wraps=False)
            grid.addWidget(cell, row, column, Qt.AlignmentFlag.AlignRight)
    grid.setColumnStretch(len(CLASSES) + 1, 1)
    card.body.addLayout(grid)
    return card


def pair_words(pair: PairAgreement) -> str:
    """`Agreement 37/40, 0.925 [0.801, 0.974] · κ 0.813 [0.602, 0.931] · 3 disagreements · 5 not judged by both yet`."""
    agreed = sum(pair.table[i][i] for i in range(len(CLASSES)))
    parts = [f"Agreement {agreed}/{pair.n}, {pair.observed.text}" if pair.n else "Nothing is judged by both"]
    parts.append(f"κ {pair.kappa.text}" if pair.n else "")
    parts.append(counted(len(pair.differ), "disagreement") if pair.n else "")
    parts.append(f"{pair.waiting:,} not judged by both yet" if pair.waiting else "")
    return " · ".join(part for part in parts if part)
