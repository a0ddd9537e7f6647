"""The report of an unblinded study: the matrix, whose cells open their cases, and every figure with its words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.confusion import ConfusionMatrix
from btc_gui.domain.study_report import AnnotatorReport, StudyReport
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.context import Context
from btc_gui.ui.plots.confusion_plot import ConfusionPlot
from btc_gui.ui.widgets.frames import scrolling
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.statistics_grid import StatisticsGrid
from btc_gui.ui.words import counted

#: The figures need so many pixels beside the matrix.
_NARROWEST_FIGURES = 380


class ReportView(QWidget):
    """Shows one report. Annotator and matrix (all classes, or some joined) can be chosen where there is a choice."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._report: StudyReport | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._problems = label("", "banner")
        column.addWidget(self._problems)
        row = QHBoxLayout()
        self._who = QComboBox()
        self._who.setAccessibleName("Annotator")
        self._who.currentIndexChanged.connect(self._show_chosen)
        self._which = QComboBox()
        self._which.setAccessibleName("Classes")
        self._which.addItems(["All classes", "Indirect and unrelated joined"])
        self._which.currentIndexChanged.connect(self._show_chosen)
        self._about = label("", "secondary")
        row.addWidget(self._about, 1)
        row.addWidget(self._who)
        row.addWidget(self._which)
        column.addLayout(row)
        body = QWidget()
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, body)
        self._body.setContentsMargins(0, 4, 8, 8)
        self._body.setSpacing(24)
        self.plot = ConfusionPlot(context.theme)
        self.plot.cell_opened.connect(self._open_cell)
        self._body.addWidget(self.plot, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._figures = StatisticsGrid(context.theme)
        self._body.addWidget(self._figures, 1)
        column.addWidget(scrolling(body, "Matrix and agreement"), 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The figures stand beside the matrix, or below it where there is no room."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        is_wide = event.size().width() > self.plot.sizeHint().width() + _NARROWEST_FIGURES
        self._body.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)

    @property
    def report(self) -> StudyReport | None:
        """The report that is shown."""
        return self._report

    @property
    def matrix(self) -> ConfusionMatrix | None:
        """The matrix that is shown."""
        chosen = self._chosen()
        if chosen is None:
            return None
        return chosen.merged if self._is_merged and chosen.merged is not None else chosen.matrix

    @property
    def _is_merged(self) -> bool:
        return self._which.currentIndex() == 1

    def _chosen(self) -> AnnotatorReport | None:
        place = self._who.currentIndex()
        if self._report is None or not 0 <= place < len(self._report.annotators):
            return None
        return self._report.annotators[place]

    def show_report(self, report: StudyReport) -> None:
        """Show a report, its primary annotator first."""
        if report == self._report:
            return
        self._report = report
        self._who.blockSignals(True)
        self._who.clear()
        self._who.addItems([one_line(each.annotator, 40) for each in report.annotators])
        self._who.blockSignals(False)
        self._who.setVisible(len(report.annotators) > 1)
        self._which.setVisible(any(each.merged is not None for each in report.annotators))
        self._problems.setVisible(bool(report.problems))
        self._problems.setText("Not as its log tells: " + "; ".join(report.problems))
        self._show_chosen()

    def _show_chosen(self) -> None:
        chosen = self._chosen()
        if chosen is None or self._report is None:
            return
        self._about.setText(_about(self._report, chosen))
        self.plot.show_matrix(self.matrix)
        self._show_figures(chosen)

    def _show_figures(self, chosen: AnnotatorReport) -> None:
        figures = self._figures
        figures.clear()
        figures.add(chosen.agreement.statistics)
        if chosen.averaged is not None:
            figures.add_words("Each configuration of a stratum counting alike", "section")
            known = {(s.key, s.scope) for s in chosen.agreement.statistics}
            other = [s for s in chosen.averaged.statistics if (s.key, s.scope) not in known or "population" in s.key]
            figures.add(other or chosen.averaged.statistics)
        for note in chosen.agreement.notes:
            figures.add_words(note, "small")

    def _open_cell(self, machine: str, human: str) -> None:
        chosen, report = self._chosen(), self._report
        if chosen is None or report is None:
            return
        kinds = chosen.merged is not None and self._is_merged
        rows, columns = (_members(report, machine), _members(report, human)) if kinds else ((machine,), (human,))
        ids = [case.answer_id for row in rows for cell in columns for case in chosen.cases_of(row, cell)]
        if not ids:
            self._context.shell.say("There is no case in this cell")
            return
        title = f"{report.machine_role} {machine}, human {human}"
        self._context.shell.open("cases", CaseSet(title, tuple(ids), shows_verdicts=True))


def _members(report: StudyReport, name: str) -> tuple[str, ...]:
    """The classes that a joined class holds."""
    from btc_gui.domain.studies import study_kind

    return study_kind(report.study.design.kind).merged.get(name, (name,))


def _about(report: StudyReport, chosen: AnnotatorReport) -> str:
    machine, person = one_line(report.machine, 40), one_line(chosen.annotator, 40)
    parts = [
        f"{report.kind}: {report.machine_role} “{machine}” against {person}",
        f"{chosen.labelled:,} of {counted(report.drawn, 'item')} labelled",
        f"{counted(report.events, 'event')}",
    ]
    if chosen.layer.shows_machine:
        parts.append("assisted, not blind")
    if chosen.unsure:
        parts.append(f"{len(chosen.unsure)} unsure")
    if report.exposures:
        parts.append(counted(len(report.exposures), "exposed case"))
    return " · ".join(parts)
