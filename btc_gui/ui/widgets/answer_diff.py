"""Two answers compared word by word: what is the same is folded, so that the differences are what one reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from btc_gui.domain.outside_text import showable
from btc_gui.domain.wording_diff import Change, Piece, diff_answers, folded
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import scrolling
from btc_gui.ui.widgets.plain_text import ReadingText, in_line, label
from btc_gui.ui.widgets.word_diff import diff_looks
from btc_gui.ui.words import counted


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer of one lane; `is_cut` when only its beginning is at hand."""

    title: str
    text: str
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Compared:
    answers: tuple[ShownAnswer, ShownAnswer]
    pieces: tuple[Piece, ...]


class AnswerDiff(QWidget):
    """Compares the answers of two lanes; with more lanes one chooses which."""

    closed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = context.theme
        self._answers: tuple[ShownAnswer, ...] = ()
        self._compared: _Compared | None = None
        self._job = LatestJob(context.job_runner, "Compare answers", self._show_compared, self, drops_older=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        holder = QWidget()
        row = FlowLayout(holder, 8)
        self._sides = (Combo("The answer on the left"), Combo("The answer that it is compared with"))
        self.whole = QCheckBox("Show what is the same")
        self.whole.toggled.connect(self._draw)
        back = button("Back to the steps")
        back.setToolTip("Key W")
        back.clicked.connect(self.closed)
        height = back.sizeHint().height()
        row.addWidget(in_line("Answers compared", "heading", height))
        row.addWidget(self._sides[0])
        row.addWidget(in_line("→", "secondary", height))
        row.addWidget(self._sides[1])
        for side in self._sides:
            side.setMinimumContentsLength(24)
        self.whole.setMinimumHeight(height)
        row.addWidget(self.whole)
        row.addWidget(back)
        column.addWidget(holder)
        self._said = label("", "secondary")
        column.addWidget(self._said)
        self.view = ReadingText()
        self.view.setAccessibleName("Answers compared word by word")
        self.view.setMaximumWidth(self.view.reading_width() + 40)
        page = QWidget()
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 8, 16)
        inner.addWidget(self.view)
        inner.addStretch(1)
        column.addWidget(scrolling(page, "Answers compared"), 1)
        for side in self._sides:
            side.currentIndexChanged.connect(self._compare)
        context.theme.changed.connect(self._draw)

    def show_answers(self, answers: Sequence[ShownAnswer]) -> None:
        """Compare the first two of these answers."""
        self._answers = tuple(answers)
        for place, side in enumerate(self._sides):
            titles = [(str(number), answer.title) for number, answer in enumerate(self._answers)]
            side.set_choices(titles, str(min(place, len(self._answers) - 1)))
        self._compare()

    def _compare(self) -> None:
        places = [side.currentIndex() for side in self._sides]
        if not self._answers or min(places) < 0:
            return
        left, right = (self._answers[place] for place in places)

        def compare(progress: Progress) -> _Compared:
            return _Compared((left, right), tuple(diff_answers(showable(left.text), showable(right.text))))

        self._job.ask(compare)

    def _show_compared(self, compared: object) -> None:
        if isinstance(compared, _Compared):
            self._compared = compared
            self._draw()

    def _draw(self) -> None:
        if self._compared is None:
            return
        pieces = self._compared.pieces
        self._said.setText(_summary(self._compared))
        looks = diff_looks(self._theme)
        self.view.set_text("")
        cursor = QTextCursor(self.view.document())
        for piece in pieces if self.whole.isChecked() else folded(pieces):
            # insertText takes the text as it is; it never reads markup.
            cursor.insertText(f" {piece.text} " if piece.change is Change.FOLDED else piece.text, looks[piece.change])
        self.view.fit()


def _summary(compared: _Compared) -> str:
    counts = dict.fromkeys(Change, 0)
    for piece in compared.pieces:
        counts[piece.change] += len(piece.text.split())
    left, right = compared.answers
    if left.text == right.text:
        words = "The answers are the same, letter by letter."
    else:
        removed, added = counted(counts[Change.REMOVED], "word"), counted(counts[Change.ADDED], "word")
        words = f"{removed} only on the left (struck through), {added} only on the right (underlined), "
        words += f"{counted(counts[Change.KEPT], 'word')} the same."
    if left.is_cut or right.is_cut:
        words += " Only the beginnings of these long answers are compared."
    return words
