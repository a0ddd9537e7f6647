"""The reports of unblinded studies on the Results page, one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.study_report import StudyReport
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import EmptyState
from btc_gui.ui.widgets.plain_text import label
from btc_gui.ui.widgets.report_view import ReportView


class ResultValidation(QWidget):
    """Shows a report, and lets a study be chosen where there are several."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reports: tuple[StudyReport, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.studies = Combo("Study")
        self.studies.setMinimumContentsLength(28)
        self.studies.currentIndexChanged.connect(self._show_report)
        row = QHBoxLayout()
        row.addWidget(self.studies)
        row.addStretch(1)
        row.setContentsMargins(0, 0, 0, 0)
        self._row = QWidget()
        self._row.setLayout(row)
        column.addWidget(self._row)
        self._problems = label("", "warning")
        column.addWidget(self._problems)
        self.report = ReportView(context)
        self._nothing = EmptyState(
            "certificate",
            "No study is unblinded yet",
            "Once people have labelled a sample blind, their labels stand against the judge's here.",
            context.commands.action("go.validation"),
        )
        column.addWidget(self.report, 1)
        column.addWidget(self._nothing, 1)

    def show_reports(self, reports: Sequence[StudyReport], problems: Sequence[str] = ()) -> None:
        """Show these; the chosen study stays chosen."""
        self._reports = tuple(reports)
        choices = [(str(int(report.study.id)), report.study.name) for report in reports]
        self.studies.set_choices(choices, self.studies.value)
        self._row.setVisible(len(reports) > 1)
        self._problems.setText("\n".join(problems))
        self._problems.setVisible(bool(problems))
        self.report.setVisible(bool(reports))
        self._nothing.setVisible(not reports)
        self._show_report()

    def choose(self, study: int) -> None:
        """Show the report of a study, if it has one."""
        place = self.studies.findData(str(study))
        if place >= 0:
            self.studies.setCurrentIndex(place)

    def _show_report(self) -> None:
        place = self.studies.currentIndex()
        if 0 <= place < len(self._reports):
            self.report.show_report(self._reports[place])
