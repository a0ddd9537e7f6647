"""The report of an unblinded study in sections; cells of matrices and rows of tables open their cases."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.report_cells import answers_in
from btc_gui.domain.report_sections import ReportSection, report_sections
from btc_gui.domain.study_report import StudyReport
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.context import Context
from btc_gui.ui.plots.confusion_plot import ConfusionPlot
from btc_gui.ui.widgets.frames import scrolling
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.widgets.report_fold import ReportFold

#: These sections are open from the start: what the study is, and what its primary labels say.
_OPEN_KEYS = ("labels", "problems", "codebook")


class ReportView(QWidget):
    """Shows one report, its primary labels open."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._report: StudyReport | None = None
        self.folds: list[ReportFold] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._problems = label("", "banner")
        column.addWidget(self._problems)
        body = QWidget()
        self._sections = QVBoxLayout(body)
        self._sections.setContentsMargins(0, 4, 8, 8)
        self._sections.setSpacing(8)
        self._sections.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._scroll = scrolling(body, "Report")
        column.addWidget(self._scroll, 1)

    @property
    def report(self) -> StudyReport | None:
        """The report that is shown."""
        return self._report

    @property
    def plot(self) -> ConfusionPlot | None:
        """The matrix of the primary labels."""
        return next((fold.plot for fold in self.folds if fold.plot is not None), None)

    @property
    def matrix(self) -> ConfusionMatrix | None:
        """The primary labels against the machine's."""
        return self._report.primary.matrix if self._report is not None else None

    def fold(self, key: str) -> ReportFold | None:
        """The first section of a key."""
        return next((fold for fold in self.folds if fold.section.key == key), None)

    def show_report(self, report: StudyReport) -> None:
        """Show a report. Sections that are open stay so when the same study is shown again."""
        if report == self._report:
            return
        is_same = self._report is not None and self._report.study.id == report.study.id
        were_open = {(f.section.key, f.section.title) for f in self.folds if f.is_open} if is_same else set()
        self._report = report
        self._problems.setVisible(bool(report.problems))
        self._problems.setText("Not as its log tells: " + "; ".join(report.problems))
        for old in self.folds:
            self._sections.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.folds = []
        opened: set[str] = set()
        for section in _in_reading_order(report_sections(report)):
            fold = ReportFold(self._context.theme, section)
            fold.cell_opened.connect(self._open_cell)
            fold.cases_opened.connect(self._open_cases)
            self._sections.addWidget(fold)
            self.folds.append(fold)
            is_first = section.key in _OPEN_KEYS and section.key not in opened
            if (section.key, section.title) in were_open or (is_first and not is_same):
                fold.open()
            opened.add(section.key)

    def _open_cell(self, section: object, row: str, column: str) -> None:
        if self._report is None or not isinstance(section, ReportSection) or section.matrix is None:
            return
        matrix = section.matrix
        answers = answers_in(self._report, section, row, column)
        if not answers:
            self._context.shell.say("There is no case in this cell")
            return
        title = f"{matrix.rows_name} {row}, {matrix.columns_name} {column}"
        self._context.shell.open("cases", CaseSet(title, answers, shows_verdicts=True))

    def _open_cases(self, title: str, answers: object) -> None:
        if isinstance(answers, tuple) and answers:
            self._context.shell.open("cases", CaseSet(title, answers, shows_verdicts=True))
        else:
            self._context.shell.say("There is no case here")


def _in_reading_order(sections: tuple[ReportSection, ...]) -> list[ReportSection]:
    """What the study was comes after what it found: the page's head tells the most of it already."""
    about = ("study", "flow")
    return [s for s in sections if s.key not in about] + [s for s in sections if s.key in about]
