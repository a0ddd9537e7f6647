"""The heads of the reader's columns: who answered, with what outcome; and below, if asked for, what machines and people
said of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.case import CaseRow
from btc_gui.domain.trajectory import AnswerId
from btc_gui.jobs.explain_case import Opinion, OpinionKind
from btc_gui.ui.case_reading import CaseReading
from btc_gui.ui.theme import MARKS, Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import scrolling
from btc_gui.ui.widgets.marks import MarkLabel
from btc_gui.ui.widgets.plain_text import in_line, label, one_line, tooltip
from btc_gui.ui.words import counted, moment

#: The verdicts take so many pixels of the height at most, and scroll then: the steps below are what is read.
_HIGHEST = 240
#: As wide as the columns below, and what Qt takes for no limit.
_WIDEST, _QT_WIDEST = 760, 16_777_215


class CaseHeads(QWidget):
    """One head a column. `opinions_asked` comes when somebody wants to see or put away the verdicts."""

    opinions_asked = Signal()
    #: The answer of a lane that is to be taken away.
    removed = Signal(object)
    #: There are other buttons: whoever knows what stands around them settles the order of Tab.
    remade = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shows_opinions = False
        self._reading: CaseReading | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._heads = QHBoxLayout()
        self._heads.setSpacing(12)
        self._heads.addStretch(0)
        self._made: list[_Head] = []
        column.addLayout(self._heads)
        self._why = QHBoxLayout()
        self._why.setSpacing(12)
        column.addLayout(self._why)
        self._below = QHBoxLayout()
        self._below.setSpacing(12)
        column.addLayout(self._below)

    @property
    def shows_opinions(self) -> bool:
        """Whether the verdicts are shown."""
        return self._shows_opinions

    def toggle_opinions(self) -> None:
        """Show or put away every verdict and classification of what is read."""
        self._shows_opinions = not self._shows_opinions
        if self._reading is not None:
            self.show_reading(self._reading)

    def show_reading(self, reading: CaseReading) -> None:
        """Show the heads of a reading's columns."""
        self._reading = reading
        cases = list(reading.cases)
        new = [self._new_head() for _ in cases[len(self._made) :]]
        for head in self._made[len(cases) :]:
            head.hide()
        for head, case, opinions in zip(self._made, cases, reading.opinions, strict=False):
            head.show_case(case, cases, opinions, shows_opinions=self._shows_opinions)
            head.setMaximumWidth(_WIDEST if len(cases) > 1 else _QT_WIDEST)
            head.show()
        # Whatever is left beyond the widest columns stands behind them.
        self._heads.setStretch(len(self._made), 1 if len(cases) > 1 else 0)
        self._clear(self._why)
        had_below = self._clear(self._below)
        if any(each.ending_reason for each in cases):
            for case in cases:
                self._why.addWidget(label(one_line(case.ending_reason, 300), "secondary"), 1)
        below = [self._opinions(each, is_wide=len(cases) == 1) for each in reading.opinions if self._shows_opinions]
        for made in below:
            self._below.addWidget(made, 1)
        if new or below or had_below:
            self.remade.emit()

    def _new_head(self) -> _Head:
        head = _Head(self._theme)
        head.removed.connect(self.removed)
        head.opinions_asked.connect(self.opinions_asked)
        self._heads.insertWidget(len(self._made), head, 1_000)
        self._made.append(head)
        return head

    def _clear(self, row: QHBoxLayout) -> bool:
        """Take away what stands in a row; whether there was something."""
        had_some = row.count() > 0
        while row.count():
            item = row.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        return had_some

    def _opinions(self, opinions: Sequence[Opinion], *, is_wide: bool) -> QWidget:
        """Machines and people: side by side where there is room, else one below the other."""
        body = QWidget()
        directions = QBoxLayout.Direction
        sides = QBoxLayout(directions.LeftToRight if is_wide else directions.TopToBottom, body)
        sides.setContentsMargins(0, 0, 8, 0)
        sides.setSpacing(24 if is_wide else 10)
        labels = [each for each in opinions if each.kind is OpinionKind.LABEL]
        machines = [each for each in opinions if each.kind is not OpinionKind.LABEL]
        for said in [machines, labels] if labels else [machines]:
            column = QVBoxLayout()
            column.setSpacing(10)
            if not said:
                column.addWidget(label("Nobody has judged this answer.", "secondary"))
            for each in said:
                column.addWidget(self._opinion(each))
            column.addStretch(1)
            sides.addLayout(column, 1)
        frame = QFrame()
        frame.setProperty("role", "card")
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(12, 8, 4, 8)
        inner.addWidget(scrolling(body, "What machines and people said"))
        frame.setMaximumHeight(_HIGHEST)
        return frame

    def _opinion(self, opinion: Opinion) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(6)
        mark = opinion.mark if opinion.mark in MARKS else "unreviewed"
        head.addWidget(MarkLabel(self._theme, mark), 0, Qt.AlignmentFlag.AlignTop)
        words = label(one_line(f"{opinion.text} · {opinion.who}", 200), "" if opinion.counts else "secondary")
        head.addWidget(words, 1)
        column.addLayout(head)
        facts = [moment(opinion.at)]
        if opinion.prompt_hash:
            facts.append(f"prompt {opinion.prompt_hash[:12]}")
        facts.append(opinion.reason)
        column.addWidget(label(" · ".join(facts), "small", selectable=True))
        if opinion.stale:
            column.addWidget(label(f"Stale: {opinion.stale}", "warning"))
        if opinion.rationale:
            column.addWidget(label(opinion.rationale, "secondary", selectable=True))
        return holder


class _Head(QWidget):
    """One head. It is kept, and shows one case after another: making its parts anew takes longer than reading."""

    opinions_asked = Signal()
    removed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._answer_id: AnswerId | None = None
        self._flow = FlowLayout(self, 6)
        height = Chip(theme, "x").sizeHint().height()
        self._title = in_line("", "heading", height)
        self._chips: list[Chip] = []
        self._queries = in_line("", "small", height)
        self._opinions = link_button("")
        self._opinions.setToolTip("What machines and people said of it: who, when, why, and which counts (V)")
        self._opinions.clicked.connect(self.opinions_asked)
        self._away = link_button("✕")
        self._away.setToolTip("Take this one away")
        self._away.clicked.connect(self._take_away)
        for each in (self._title, self._queries, self._opinions, self._away):
            self._flow.addWidget(each)

    def show_case(
        self, case: CaseRow, cases: Sequence[CaseRow], opinions: Sequence[Opinion], *, shows_opinions: bool
    ) -> None:
        """Show one of the cases that stand side by side."""
        self._answer_id = case.answer_id
        configuration, first = case.configuration, cases[0]
        name = f"{configuration.model} · {configuration.effort.text}"
        if configuration.harness is not first.configuration.harness:
            name += f" · {configuration.harness}"
        if len({shown.run_id for shown in cases}) > 1:
            name += f" · run {case.run_id}"
        self._title.setText(one_line(name, 60))
        self._title.setToolTip(tooltip(configuration.title))
        facts = [("", "", case.kind_text)] if case.kind is not first.kind else []
        self._show_chips([*facts, *_outcome(case, opinions, len(cases))])
        self._queries.setText(case.queries_text)
        words = "Hide verdicts" if shows_opinions else _said(opinions)
        self._opinions.setText(words)
        self._opinions.setAccessibleName(words)
        self._opinions.setVisible(bool(opinions))
        self._away.setAccessibleName(f"Take {one_line(name, 40)} away")
        self._away.setVisible(case is not first)

    def _show_chips(self, facts: Sequence[tuple[str, str, str]]) -> None:
        while len(self._chips) < len(facts):
            chip = Chip(self._theme)
            self._flow.insertWidget(1 + len(self._chips), chip)
            self._chips.append(chip)
        for chip, (mark, words, text) in zip(self._chips, facts, strict=False):
            chip.show_fact(text, mark)
            chip.setToolTip(tooltip(words))
        for place, chip in enumerate(self._chips):
            chip.setVisible(place < len(facts))

    def _take_away(self) -> None:
        self.removed.emit(self._answer_id)


def _outcome(case: CaseRow, opinions: Sequence[Opinion], lanes: int) -> list[tuple[str, str, str]]:
    """What came of a case, as chips: the mark of each, what is told beside it, its words."""
    found: list[tuple[str, str, str]] = []
    if case.label is not None:
        said = next((each for each in opinions if each.counts and each.kind is OpinionKind.VERDICT), None)
        found.append((case.label.value, f"{said.who}: {said.rationale}" if said else "", case.label.value))
    elif case.label_text:
        found.append(("unreviewed", "", case.label_text))
    if case.mode is not None:
        found.append((case.mode.value, "", case.mode.text))
    if case.ending != "answered":
        found.append(("deferred", case.ending_reason, case.ending.text))
    # Beside two others there is no room for each; their number stands in the button that shows them.
    for each in opinions if lanes < 3 else ():
        if each.kind is OpinionKind.LABEL and each.counts:
            told = f"{each.who}: {each.text}. {each.rationale}".strip()
            found.append((each.mark, told, f"{one_line(each.who, 20)}: {each.text.lower()}"))
    if any(each.counts and each.stale for each in opinions):
        found.append(("stale", "", "stale"))
    return found


def _said(opinions: Sequence[Opinion]) -> str:
    """How much was said."""
    verdicts = sum(each.kind is OpinionKind.VERDICT for each in opinions)
    labels = sum(each.kind is OpinionKind.LABEL for each in opinions)
    return " · ".join([counted(verdicts, "verdict"), *([counted(labels, "label")] if labels else [])])
