"""The heads of the reader's columns: who answered, with what outcome; and below, if asked for, what machines and people
said of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.case import CaseRow
from btc_gui.jobs.explain_case import Opinion, OpinionKind
from btc_gui.ui.case_reading import CaseReading
from btc_gui.ui.theme import MARKS, Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import scrolling, tab_after
from btc_gui.ui.widgets.marks import MarkLabel
from btc_gui.ui.widgets.plain_text import in_line, label, one_line, tooltip
from btc_gui.ui.words import counted, moment

#: The verdicts take so many pixels of the height at most, and scroll then: the steps below are what is read.
_HIGHEST = 240
#: As wide as the columns below.
_WIDEST = 760


class CaseHeads(QWidget):
    """One head a column. `opinions_asked` comes when somebody wants to see or put away the verdicts."""

    opinions_asked = Signal()
    #: The answer of a lane that is to be taken away.
    removed = Signal(object)

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
        for row in (self._heads, self._why, self._below):
            while row.count():
                item = row.takeAt(0)
                widget = item.widget() if item else None
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()
        cases = list(reading.cases)
        for case, opinions in zip(cases, reading.opinions, strict=True):
            head = self._head(case, cases, opinions)
            if len(cases) > 1:
                head.setMaximumWidth(_WIDEST)
            # Whatever is left beyond the widest columns stands behind them.
            self._heads.addWidget(head, 1_000)
            if any(each.ending_reason for each in cases):
                self._why.addWidget(label(one_line(case.ending_reason, 300), "secondary"), 1)
            if self._shows_opinions:
                self._below.addWidget(self._opinions(opinions, is_wide=len(cases) == 1), 1)
        items = [row.itemAt(at) for row in (self._heads, self._below) for at in range(row.count())]
        tab_after(self, [made for item in items if item and (made := item.widget())])
        if len(cases) > 1:
            self._heads.addStretch(1)

    def _head(self, case: CaseRow, cases: Sequence[CaseRow], opinions: Sequence[Opinion]) -> QWidget:
        holder = QWidget()
        flow = FlowLayout(holder, 6)
        theme, first = self._theme, cases[0]
        configuration = case.configuration
        name = f"{configuration.model} · {configuration.effort.text}"
        if configuration.harness is not first.configuration.harness:
            name += f" · {configuration.harness}"
        if len({shown.run_id for shown in cases}) > 1:
            name += f" · run {case.run_id}"
        height = Chip(theme, "x").sizeHint().height()
        title = in_line(one_line(name, 60), "heading", height)
        title.setToolTip(tooltip(configuration.title))
        flow.addWidget(title)
        if case.kind is not first.kind:
            flow.addWidget(Chip(theme, case.kind_text))
        for chip in self._outcome(case, opinions, len(cases)):
            flow.addWidget(chip)
        flow.addWidget(in_line(counted(case.queries, "query", "queries"), "small", height))
        if opinions:
            flow.addWidget(self._opinions_button(opinions))
        if case is not first:
            away = link_button("✕")
            away.setAccessibleName(f"Take {one_line(name, 40)} away")
            away.setToolTip("Take this one away")
            away.setProperty("answer", int(case.answer_id))
            away.clicked.connect(self._take_away)
            flow.addWidget(away)
        return holder

    def _take_away(self) -> None:
        self.removed.emit(self.sender().property("answer"))

    def _outcome(self, case: CaseRow, opinions: Sequence[Opinion], lanes: int) -> list[QWidget]:
        theme = self._theme
        made: list[QWidget] = []
        if case.label is not None:
            verdict = Chip(theme, case.label.value, case.label.value)
            said = next((each for each in opinions if each.counts and each.kind is OpinionKind.VERDICT), None)
            if said is not None:
                verdict.setToolTip(tooltip(f"{said.who}: {said.rationale}"))
            made.append(verdict)
        elif case.label_text:
            made.append(Chip(theme, case.label_text, "unreviewed"))
        if case.mode is not None:
            made.append(Chip(theme, case.mode.text, case.mode.value))
        if case.ending != "answered":
            made.append(Chip(theme, case.ending.text, "deferred"))
            made[-1].setToolTip(tooltip(case.ending_reason))
        # Beside two others there is no room for each; their number stands in the button that shows them.
        for each in opinions if lanes < 3 else ():
            if each.kind is OpinionKind.LABEL and each.counts:
                human = Chip(theme, f"{one_line(each.who, 20)}: {each.text.lower()}", each.mark)
                human.setToolTip(tooltip(f"{each.who}: {each.text}. {each.rationale}".strip()))
                made.append(human)
        if any(each.counts and each.stale for each in opinions):
            made.append(Chip(theme, "stale", "stale"))
        return made

    def _opinions_button(self, opinions: Sequence[Opinion]) -> QWidget:
        verdicts = sum(each.kind is OpinionKind.VERDICT for each in opinions)
        labels = sum(each.kind is OpinionKind.LABEL for each in opinions)
        words = " · ".join([counted(verdicts, "verdict"), *([counted(labels, "label")] if labels else [])])
        made = link_button("Hide verdicts" if self._shows_opinions else words)
        made.setToolTip("What machines and people said of it: who, when, why, and which counts (V)")
        made.clicked.connect(self.opinions_asked)
        return made

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
