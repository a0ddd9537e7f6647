"""One section of a report: its title opens and shuts it; what is in it is made when it is first opened."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.agreement_report import Statistic
from btc_gui.domain.report_sections import ReportSection, ReportTable
from btc_gui.domain.trajectory import AnswerId
from btc_gui.ui.icons import icon
from btc_gui.ui.plots.confusion_plot import ConfusionPlot
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import link_button
from btc_gui.ui.widgets.frames import line
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.widgets.statistics_grid import StatisticsGrid
from btc_gui.ui.widgets.text_table import TextTable

#: The figures need so many pixels beside the matrix, at text size 1.
_NARROWEST_FIGURES = 340
#: A section with more figures than this shows the headlines first.
_FEW = 12
_MOST_ROWS = 8
_HEADLINES = (
    "observed_agreement",
    "population_agreement",
    "ppv",
    "npv",
    "sensitivity",
    "specificity",
    "kappa",
    "population_kappa",
    "gwet_ac1",
    "judge_accuracy",
    "corrected_accuracy",
)


class ReportFold(QWidget):
    """A section under its title.

    `cell_opened` carries the section with the classes of a cell's row and column, `cases_opened` the section's title
    and some of its answers.
    """

    cell_opened = Signal(object, str, str)
    cases_opened = Signal(str, object)

    def __init__(self, theme: Theme, section: ReportSection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.section = section
        self._theme = theme
        self._content: _Content | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.head = link_button(one_line(section.title, 90))
        self.head.setCheckable(True)
        self.head.setProperty("role", "fold")
        self.head.toggled.connect(self._toggle)
        row.addWidget(self.head, 1)
        row.addWidget(label(_in_short(section), "secondary", wraps=False))
        self._column.addLayout(row)
        self._column.addWidget(line())
        self._show_arrow(is_open=False)

    @property
    def plot(self) -> ConfusionPlot | None:
        """The section's matrix, once it is open."""
        return self._content.plot if self._content is not None else None

    @property
    def is_open(self) -> bool:
        """Whether the section is open."""
        return self.head.isChecked()

    def open(self) -> None:
        """Open the section."""
        self.head.setChecked(True)

    def _toggle(self, is_open: bool) -> None:
        if is_open and self._content is None:
            self._content = _Content(self._theme, self.section, self)
            self._column.insertWidget(1, self._content)
        if self._content is not None:
            self._content.setVisible(is_open)
        self._show_arrow(is_open=is_open)

    def _show_arrow(self, *, is_open: bool) -> None:
        self.head.setIcon(icon("chevron-down" if is_open else "chevron-right", QPalette.ColorRole.PlaceholderText))
        self.head.setAccessibleDescription("open" if is_open else "shut")


class _Content(QWidget):
    """What a section holds: words, matrix and figures side by side where there is room, a table."""

    def __init__(self, theme: Theme, section: ReportSection, fold: ReportFold) -> None:
        super().__init__(fold)
        self._theme, self._section, self._fold = theme, section, fold
        self.plot: ConfusionPlot | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 0, 8, 12)
        column.setSpacing(12)
        words = label("\n".join(section.words), "secondary", selectable=True)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(24)
        if section.matrix is not None:
            self.plot = ConfusionPlot(theme)
            self.plot.show_matrix(section.matrix)
            self.plot.cell_opened.connect(self._cell_opened)
            self._body.addWidget(self.plot, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        if section.statistics:
            self._body.addWidget(_Figures(theme, section.statistics), 1)
        column.addLayout(self._body)
        if section.words:
            # Beside a matrix they are what to mind about it; else they are what the section says.
            column.insertWidget(0 if section.matrix is None else 1, words)
        if section.table is not None:
            self._add_table(column, section.table)

    def minimumSizeHint(self) -> QSize:
        """No wider than the wider of matrix and figures: they need not stand side by side."""
        whole, parts = super().minimumSizeHint(), [self._body.itemAt(place) for place in range(self._body.count())]
        if len(parts) < 2 or self._body.direction() is not QBoxLayout.Direction.LeftToRight:
            return whole
        widths = [part.minimumSize().width() for part in parts if part is not None]
        return QSize(whole.width() - sum(widths) - self._body.spacing() + max(widths), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The figures stand beside the matrix, or below it where there is no room."""
        super().resizeEvent(event)
        if self.plot is None:
            return
        room = self.plot.sizeHint().width() + round(_NARROWEST_FIGURES * max(1.0, self._theme.text_scale))
        ways = QBoxLayout.Direction
        self._body.setDirection(ways.LeftToRight if event.size().width() > room + 56 else ways.TopToBottom)

    def _cell_opened(self, row: str, column: str) -> None:
        self._fold.cell_opened.emit(self._section, row, column)

    def _add_table(self, column: QVBoxLayout, table: ReportTable) -> None:
        if not table.answers:
            column.addWidget(_Grid(table))
            return
        self._table = TextTable(
            self._theme,
            self._section.title,
            table.header,
            table.rows,
            filler=len(table.header) - 1,
            most_rows=_MOST_ROWS,
        )
        self._table.opened.connect(self._row_opened)
        column.addWidget(self._table)
        self._all = list(dict.fromkeys(answer for answers in table.answers for answer in answers))
        if self._all:
            link = link_button("Open its case" if len(self._all) == 1 else f"Open all {len(self._all):,} cases")
            link.clicked.connect(self._all_opened)
            column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)

    def _row_opened(self, place: object) -> None:
        answers = self._section.table.answers if self._section.table is not None else ()
        if isinstance(place, int) and place < len(answers):
            self._open(answers[place])

    def _all_opened(self) -> None:
        self._open(self._all)

    def _open(self, answers: Sequence[AnswerId]) -> None:
        self._fold.cases_opened.emit(self._section.title, tuple(answers))


class _Figures(QWidget):
    """The figures of a section: where they are many, the headlines with a way to all of them."""

    def __init__(self, theme: Theme, statistics: Sequence[Statistic]) -> None:
        super().__init__()
        self._statistics = statistics
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._grid = StatisticsGrid(theme)
        column.addWidget(self._grid)
        short = headlines(statistics)
        self._grid.add(short)
        if len(short) < len(statistics):
            self._more = link_button(f"All {len(statistics)} figures")
            self._more.clicked.connect(self._show_all)
            column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)

    def _show_all(self) -> None:
        self._more.hide()
        self._grid.clear()
        self._grid.add(self._statistics)


class _Grid(QWidget):
    """A table that opens nothing, as plain words in lines."""

    def __init__(self, table: ReportTable) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        has_head = any(table.header)
        for number, cells in enumerate([table.header, *table.rows] if has_head else table.rows):
            is_head = has_head and number == 0
            for place, text in enumerate(cells):
                role = "section" if is_head else "secondary" if place == 0 else ""
                cell = label(text, role, selectable=not is_head)
                grid.addWidget(cell, number, place, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(len(table.header) - 1, 1)


def headlines(statistics: Sequence[Statistic]) -> list[Statistic]:
    """The figures that are read first, in their order; all of them where they are few."""
    if len(statistics) <= _FEW:
        return list(statistics)
    first = [each for each in statistics if each.name.endswith("(primary)")]
    by_key = {each.key: each for each in statistics}
    wanted = [by_key[key] for key in _HEADLINES if key in by_key]
    if first:
        # The design counts unsure labels otherwise, or there are some: its own agreement stands for the plain one.
        wanted = [each for each in wanted if each.key not in ("observed_agreement", "population_agreement")]
    return first + wanted


def _in_short(section: ReportSection) -> str:
    """What a shut section has to say in a word: its first figure, or how many rows it has."""
    if section.statistics:
        return section.statistics[0].text
    if section.table is not None and section.table.answers:
        return f"{len(section.table.rows):,}"
    return ""
