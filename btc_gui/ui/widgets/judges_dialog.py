"""Who judged, whose verdicts count, by which prompts; and two judges side by side on the answers that both judged."""

from __future__ import annotations

import json
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.agreement_report import AgreementReport
from btc_gui.domain.trajectory import AnswerId
from btc_gui.jobs.compare_judges import compare_judges, grouped
from btc_gui.jobs.stale_replies import StaleReplies, stale_classifications, stale_verdicts
from btc_gui.progress import Progress
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.judges import JudgeCounts, JudgedTwice, JudgeStore, PromptVersion
from btc_gui.store.prompts import PromptStore
from btc_gui.store.results import ResultStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.plots.confusion_plot import ConfusionPlot
from btc_gui.ui.result_opening import told_cases
from btc_gui.ui.widgets.buttons import button, in_button, link_button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import line, scrolling, size_window, tab_after, text_scale_of
from btc_gui.ui.widgets.plain_text import label, one_line, tooltip
from btc_gui.ui.widgets.statistics_grid import StatisticsGrid
from btc_gui.ui.widgets.whole_text_dialog import WholeTextDialog
from btc_gui.ui.words import counted, day

_HEADS = ("Judge", "Verdicts", "Correct", "Incorrect", "Unscored", "Replaced", "Counting", "Stale", "Last")
#: What the comparison shows beside its matrix; all statistics are in `btc-gui judges --compare`.
_SHOWN = ("observed_agreement", "kappa", "gwet_ac1", "stuart_maxwell_p")


#: So many pixels wide, at text size 1, the judges' figures stand in columns.
_LEAST_IN_COLUMNS = 880


@dataclass(frozen=True, slots=True)
class JudgesReading:
    """All that the dialog lists."""

    primary: str
    judges: tuple[JudgeCounts, ...]
    stale: dict[str, StaleReplies]
    prompts: tuple[PromptVersion, ...]
    classifiers: tuple[StaleReplies, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two judges on the answers that both judged, all and by group; `kept` are those of studies with a closed key."""

    left: str
    right: str
    groups: dict[str, list[JudgedTwice]]
    reports: dict[str, AgreementReport]
    kept: frozenset[AnswerId] = frozenset()


class JudgesDialog(QDialog):
    """Stays open beside the window: a cell of the matrix opens its cases there."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._is_narrow = False
        self._comparison: Comparison | None = None
        self._reading: JudgesReading | None = None
        self._listing = LatestJob(context.job_runner, "Read judges", self._show_reading, self)
        self._comparing = LatestJob(context.job_runner, "Compare judges", self._show_comparison, self)
        self.setWindowTitle("Judges")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size_window(self, 940, 760)
        self._build()
        context.changes.changed.connect(self._changed)
        self._read()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("Judges", "title"))
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 8, 0)
        inner.setSpacing(12)
        inner.addWidget(
            label("Every verdict is kept under its judge. Which of them count in Results, Cases and studies?")
        )
        self._newest = QRadioButton("The newest verdict on each answer, whoever gave it")
        self._choices = QButtonGroup(self)
        self._choices.addButton(self._newest)
        self._choices.buttonClicked.connect(self._chosen)
        self._state = label("Reading …", "secondary")
        inner.addWidget(self._state)
        inner.addWidget(self._newest)
        self._judges = QWidget()
        self._grid = QGridLayout(self._judges)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        inner.addWidget(self._judges)
        self._classifiers = label("", "secondary")
        inner.addWidget(self._classifiers)
        inner.addWidget(line())
        inner.addWidget(self._comparison_part())
        inner.addWidget(line())
        inner.addWidget(label("Prompts of judges, by first use", "section"))
        self._prompt_lines = QWidget()
        self._prompts = QVBoxLayout(self._prompt_lines)
        self._prompts.setContentsMargins(0, 0, 0, 0)
        self._prompts.setSpacing(2)
        inner.addWidget(self._prompt_lines)
        inner.addStretch(1)
        column.addWidget(scrolling(body, "Judges"), 1)
        row = QHBoxLayout()
        row.addStretch(1)
        close = button("Close")
        close.setDefault(True)
        close.clicked.connect(self.close)
        row.addWidget(close)
        column.addLayout(row)

    def _comparison_part(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        tools = QWidget()
        row = FlowLayout(tools)
        row.addWidget(label("Compare", "section", wraps=False))
        self._left, self._right = Combo("Judge in the rows"), Combo("Judge in the columns")
        self._group = Combo("Which answers", [("all", "All answers")])
        for combo in (self._left, self._right, self._group):
            combo.setMinimumContentsLength(18)
        row.addWidget(self._left)
        row.addWidget(label("with", "secondary", wraps=False))
        row.addWidget(self._right)
        row.addWidget(self._group)
        column.addWidget(tools)
        self._about = label("", "secondary")
        column.addWidget(self._about)
        self._side = side = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        side.setSpacing(24)
        self.plot = ConfusionPlot(self._context.theme)
        self.plot.cell_opened.connect(self._open_cell)
        side.addWidget(self.plot, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._figures = StatisticsGrid(self._context.theme)
        side.addWidget(self._figures, 1)
        column.addLayout(side)
        for combo in (self._left, self._right):
            combo.currentIndexChanged.connect(self._compare)
        self._group.currentIndexChanged.connect(self._show_group)
        self._comparison_widget = part
        return part

    # -- the judges ------------------------------------------------------------------------------------------

    def _changed(self, subjects: object) -> None:
        if isinstance(subjects, frozenset) and Subject.VERDICTS in subjects:
            self._read()

    def _read(self) -> None:
        database, categories = self._context.database, self._context.categories

        def read(progress: Progress) -> JudgesReading:
            store = JudgeStore(database)
            judges = tuple(store.counts())
            classifiers = ClassificationStore(database).classifiers()
            return JudgesReading(
                store.primary,
                judges,
                {each.judge: stale_verdicts(database, each.judge, categories) for each in judges},
                tuple(store.prompt_versions("judge")),
                tuple(stale_classifications(database, each, categories) for each in classifiers),
            )

        self._listing.ask(read)

    def _show_reading(self, reading: object) -> None:
        if not isinstance(reading, JudgesReading) or reading == self._reading:
            return
        self._reading = reading
        self._state.setVisible(not reading.judges)
        self._state.setText("Nobody has judged here yet: “Judge answers” on the Runs page begins.")
        self._newest.setVisible(bool(reading.judges))
        self._newest.setChecked(not reading.primary)
        self._show_judges(reading)
        stale = [f"{each.total:,} of {each.model}" for each in reading.classifiers if each.total]
        self._classifiers.setText(f"Stale classifications: {', '.join(stale)}. Classify again to replace them.")
        self._classifiers.setVisible(bool(stale))
        self._show_prompts(reading)
        names = [(each.judge, each.judge) for each in reading.judges]
        self._comparison_widget.setVisible(len(names) > 1)
        if len(names) > 1:
            left = self._left.value or names[0][0]
            right = self._right.value or names[1][0]
            self._left.set_choices(names, left)
            self._right.set_choices(names, right)
            self._compare()

    def _show_judges(self, reading: JudgesReading) -> None:
        for each in self._choices.buttons():
            if each is not self._newest:
                self._choices.removeButton(each)
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._is_narrow = self._has_no_room()
        ways = QBoxLayout.Direction
        self._side.setDirection(ways.TopToBottom if self._is_narrow else ways.LeftToRight)
        if reading.judges and not self._is_narrow:
            self._add_heads()
        for number, judge in enumerate(reading.judges):
            choice = QRadioButton(in_button(one_line(judge.judge, 36)))
            choice.setAccessibleName(one_line(judge.judge, 200))
            choice.setToolTip(tooltip(f"{judge.judge}: let only this judge's verdicts count"))
            choice.setProperty("judge", judge.judge)
            choice.setChecked(judge.is_primary)
            self._choices.addButton(choice)
            # Each has two rows where its figures have no room beside it.
            self._grid.addWidget(choice, 2 * number + 1, 0, 1, len(_HEADS) if self._is_narrow else 1)
            stale = reading.stale[judge.judge]
            if self._is_narrow:
                self._grid.addWidget(label(_in_words(judge, stale), "secondary"), 2 * number + 2, 0, 1, len(_HEADS))
            else:
                self._add_figures(2 * number + 1, judge, stale)
        tab_after(self._judges, self._choices.buttons()[1:])

    def _add_heads(self) -> None:
        for place, words in enumerate(_HEADS):
            head = label(words, "section", wraps=False)
            if 0 < place < len(_HEADS) - 1:
                head.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(head, 0, place)

    def _add_figures(self, row: int, judge: JudgeCounts, stale: StaleReplies) -> None:
        figures = (judge.current, judge.correct, judge.incorrect, judge.unscored, judge.replaced, judge.counting)
        cells = [label(f"{each:,}", wraps=False) for each in figures]
        cells.append(label(f"{stale.total:,}", "warning" if stale.total else "", wraps=False))
        cells[-1].setToolTip(
            f"{stale.criteria:,} by other criteria, {stale.facts:,} for other facts than now: judge again"
        )
        for place, cell in enumerate(cells, 1):
            cell.setFont(self._context.theme.font("body", tabular=True))
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(cell, row, place)
        self._grid.addWidget(label(day(judge.last_at), "secondary", wraps=False), row, len(_HEADS) - 1)

    def _has_no_room(self) -> bool:
        """Whether figures have no room in columns beside the judges."""
        return self.width() < _LEAST_IN_COLUMNS * text_scale_of(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._reading is not None and self._has_no_room() is not self._is_narrow:
            self._show_judges(self._reading)

    def _chosen(self, choice: QRadioButton) -> None:
        judge, database = str(choice.property("judge") or ""), self._context.database
        if self._reading is not None and judge == self._reading.primary:
            return

        def choose(progress: Progress) -> str:
            JudgeStore(database).set_primary(judge)
            return judge

        self._context.job_runner.start(
            "Choose the judge", choose, lane="judges", is_quiet=True, succeeded=self._was_chosen
        )

    def _was_chosen(self, judge: object) -> None:
        who = f"only {judge}'s verdicts count" if judge else "the newest verdict on each answer counts"
        self._context.shell.say(f"From now on {who}")
        self._context.changes.tell(Subject.VERDICTS)

    # -- two of them -----------------------------------------------------------------------------------------

    def _compare(self) -> None:
        left, right, database = self._left.value, self._right.value, self._context.database
        person = self._context.settings.reviewer

        def compare(progress: Progress) -> Comparison:
            found = JudgeStore(database).judged_twice(left, right) if left != right else []
            kept = ResultStore(database, person=person).blinding().answers
            return Comparison(left, right, grouped(found), compare_judges(found, left, right) if found else {}, kept)

        self._comparing.ask(compare)

    def _show_comparison(self, comparison: object) -> None:
        if not isinstance(comparison, Comparison):
            return
        if (comparison.left, comparison.right) != (self._left.value, self._right.value):
            return
        self._comparison = comparison
        names = [(name, "All answers" if name == "all" else name.capitalize()) for name in comparison.groups]
        self._group.set_choices(names, self._group.value)
        self._group.setVisible(len(names) > 2)
        self._show_group()

    def _show_group(self) -> None:
        comparison = self._comparison
        if comparison is None:
            return
        name = self._group.value or "all"
        report = comparison.reports.get(name)
        self.plot.setVisible(report is not None)
        self._figures.setVisible(report is not None)
        if report is None:
            same = comparison.left == comparison.right
            self._about.setText("Choose two different judges." if same else "No answer has a verdict of both.")
            return
        answers = comparison.groups[name]
        self._about.setText(
            f"Judge against judge on {counted(len(answers), 'answer')}: neither is the truth, and this says nothing of "
            "people. A click on a cell opens its cases (answers without search have none)."
        )
        self.plot.show_matrix(report.matrix)
        self._figures.clear()
        self._figures.add([each for each in report.statistics if each.key in _SHOWN])

    def _open_cell(self, left: str, right: str) -> None:
        comparison = self._comparison
        if comparison is None:
            return
        ids = tuple(
            row.answer_id
            for row in comparison.groups[self._group.value or "all"]
            if row.left and row.right and (row.left.value, row.right.value) == (left, right)
        )
        title = f"{one_line(comparison.left, 30)} {left}, {one_line(comparison.right, 30)} {right}"
        cases = told_cases(self._context.shell, title, ids, comparison.kept)
        if cases is not None:
            self._context.shell.open("cases", cases)

    # -- prompts ---------------------------------------------------------------------------------------------

    def _show_prompts(self, reading: JudgesReading) -> None:
        while self._prompts.count():
            item = self._prompts.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if not reading.prompts:
            self._prompts.addWidget(label("None: all verdicts came without a request.", "secondary"))
        lines: list[QWidget] = []
        for version in reading.prompts:
            holder = QWidget()
            row = QHBoxLayout(holder)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(12)
            row.addWidget(label(version.hash[:12], "mono", wraps=False, selectable=True))
            since = day(version.first_at)
            until = day(version.last_at)
            dates = since if since == until else f"{since} to {until}"
            models = one_line(", ".join(version.models), 80)
            row.addWidget(label(f"{counted(version.calls, 'call')} · {dates} · {models}", "secondary"), 1)
            if version.is_kept:
                show = link_button("Show its text")
                show.setAccessibleName(f"Show the text of prompt {version.hash[:12]}")
                show.setProperty("prompt", version.hash)
                show.clicked.connect(self._show_text)
                row.addWidget(show)
            self._prompts.addWidget(holder)
            lines.append(holder)
        tab_after(self._prompt_lines, lines)

    def _show_text(self) -> None:
        sender = self.sender()
        digest = str(sender.property("prompt")) if isinstance(sender, QPushButton) else ""
        store = PromptStore(self._context.database)
        WholeTextDialog(
            self._context, f"Prompt {digest[:12]}", lambda: prompt_words(store.by_hash(digest)), self
        ).open()


def _in_words(judge: JudgeCounts, stale: StaleReplies) -> str:
    """The figures of a judge in a sentence."""
    labels = f"{judge.correct:,} correct, {judge.incorrect:,} incorrect, {judge.unscored:,} unscored"
    rest = f"{judge.replaced:,} replaced · {judge.counting:,} counting · {stale.total:,} stale"
    return f"{counted(judge.current, 'verdict')}: {labels} · {rest} · last {day(judge.last_at)}"


def prompt_words(kept: str) -> str:
    """A kept prompt as a person reads it: system prompt, template and criteria, with lines between them."""
    try:
        parts = json.loads(kept)
    except ValueError:
        return kept
    return "\n\n——————\n\n".join(map(str, parts)) if isinstance(parts, list) else kept
