"""The figures of results: one is chosen, its rows are filtered and sorted, everything drawn leads to its cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from btc_gui import paths
from btc_gui.domain.figures.arranging import by_value, with_words
from btc_gui.domain.figures.behind import names_within
from btc_gui.domain.figures.catalogue import KINDS
from btc_gui.domain.figures.figure import BarFigure, Figure, PointFigure, QueryFigure
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_folder
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.plots.bar_plot import BarPlot
from btc_gui.ui.plots.figure_canvas import FigureCanvas, Spot
from btc_gui.ui.plots.point_plot import PointPlot
from btc_gui.ui.plots.query_plot import QueryPlot
from btc_gui.ui.result_exporting import export_results
from btc_gui.ui.result_opening import told_cases
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.filter_bar import FilterText
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import EmptyState, scrolling
from btc_gui.ui.widgets.plain_text import label

_KINDS = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True, slots=True)
class _Made:
    """The figures of a kind, made of a record."""

    record: ResultsRecord
    kind: str
    figures: tuple[Figure, ...]


class ResultFigures(QWidget):
    """`show_record` gives it what to draw; `opened` carries the `CaseSet` whose cases are wanted."""

    opened = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        #: Whether the files count answers of trials, as what is shown does.
        self.with_trials = False
        self._record: ResultsRecord | None = None
        self._made: dict[str, _Made] = {}
        #: What is drawn: the figure, the words that rows must have, the order.
        self._drawn: tuple[Figure, str, str] | None = None
        self._job = LatestJob(context.job_runner, "Make figures", self._show_made, self, drops_older=True)
        self._build()
        context.commands.bind("results.export_figures", self._ask_folder, self)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        bar = QWidget()
        row = FlowLayout(bar, trailing=4)
        self.kinds = Combo("Figure", [(kind.name, kind.text) for kind in KINDS])
        self.kinds.setMinimumContentsLength(28)
        self.parts = Combo("Events")
        self.order = Combo("Order of rows", [("", "By model"), ("value", "Greatest first")])
        self.words = FilterText("Rows with…", width=160)
        for combo in (self.kinds, self.parts, self.order):
            row.addWidget(combo)
            combo.currentIndexChanged.connect(self._choose)
        row.addWidget(self.words)
        self.words.filtered.connect(self._draw)
        row.addWidget(CommandButton(self._context.commands.action("results.export_figures")))
        column.addWidget(bar)
        self.title = label("", "heading")
        column.addWidget(self.title)
        self._stack = QStackedWidget()
        column.addWidget(self._stack, 1)
        body = QWidget()
        plots = QVBoxLayout(body)
        plots.setContentsMargins(2, 4, 8, 8)
        theme = self._context.theme
        self.points, self.bars, self.queries = PointPlot(theme), BarPlot(theme), QueryPlot(theme)
        for plot in (self.points, self.bars, self.queries):
            plot.opened.connect(self._open)
            plot.hide()
            plots.addWidget(plot)
        plots.addStretch(1)
        self._area = scrolling(body, "Figure")
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        # A figure of many panels scrolls sideways rather than push what stands beside it.
        self._area.setMinimumWidth(320)
        self._stack.addWidget(self._area)
        self.nothing = EmptyState("chart-bar", "Nothing to draw yet", "")
        self._stack.addWidget(self.nothing)
        self.caption = label("", "small")
        column.addWidget(self.caption)

    # -- showing ---------------------------------------------------------------------------------------------

    def show_record(self, record: ResultsRecord) -> None:
        """Draw of these results from now on."""
        if record is not self._record:
            self._record = record
            self._made = {}
        self._choose()

    def show_kind(self, name: str, part: str = "") -> None:
        """Show a figure by the name of its kind, and of its file."""
        self.kinds.setCurrentIndex(max(0, self.kinds.findData(name)))
        if part:
            self.parts.setCurrentIndex(max(0, self.parts.findData(part)))

    @property
    def figure(self) -> Figure | None:
        """The figure that is chosen, with all its rows."""
        made = self._made.get(self.kinds.value)
        figures = made.figures if made else ()
        return next((each for each in figures if each.name == self.parts.value), figures[0] if figures else None)

    @property
    def plot(self) -> FigureCanvas | None:
        """The plot that is shown."""
        if self._stack.currentIndex():
            return None
        return next((plot for plot in (self.points, self.bars, self.queries) if not plot.isHidden()), None)

    def take_focus(self) -> None:
        """The keys of the figure, or of what chooses it."""
        (self.plot or self.kinds).setFocus()

    def _choose(self, *_: object) -> None:
        record, kind = self._record, self.kinds.value
        if record is None:
            return
        if kind in self._made:
            self._draw()
            return
        names = names_within({name: category.plural for name, category in self._context.categories.items()})

        def make(progress: Progress) -> _Made:
            return _Made(record, kind, tuple(_KINDS[kind].make(record, names)))

        self._job.ask(make)

    def _show_made(self, made: object) -> None:
        if not isinstance(made, _Made) or made.record is not self._record:
            return
        self._made[made.kind] = made
        if made.kind == self.kinds.value:
            self._draw()

    def _draw(self, *_: object) -> None:
        made = self._made.get(self.kinds.value)
        if made is None:
            return
        self._offer_parts(made.figures)
        figure = self.figure
        self.order.setVisible(isinstance(figure, PointFigure | BarFigure))
        self.words.setVisible(figure is not None)
        if figure is None:
            self._say_nothing("Nothing to draw yet", _KINDS[made.kind].needs)
            return
        wanted = (figure, self.words.text(), self.order.value)
        if self._drawn is not None and self._drawn[0] is figure and self._drawn == wanted:
            return
        self._drawn = wanted
        shown = with_words(figure, self.words.text())
        if self.order.value:
            shown = by_value(shown)
        if self.title.text() != figure.title:
            self._area.verticalScrollBar().setValue(0)
        self.title.setText(figure.title)
        self.caption.setText(f"{figure.words} Click a point or press Enter on it to open its cases.")
        if not _has_rows(shown):
            self._say_nothing("No row has these words", "Remove some of them.")
            return
        self._stack.setCurrentIndex(0)
        for plot, kind in ((self.points, PointFigure), (self.bars, BarFigure), (self.queries, QueryFigure)):
            plot.setVisible(isinstance(shown, kind))
        if isinstance(shown, PointFigure):
            self.points.show_figure(shown)
        elif isinstance(shown, BarFigure):
            self.bars.show_figure(shown)
        else:
            self.queries.show_figure(shown)
        if self.plot is not None:
            self.words.lead_to(self.plot)

    def _offer_parts(self, figures: Sequence[Figure]) -> None:
        """One entry for each figure of the kind, in the words that tell them apart."""
        choices = [(figure.name, _part(figure)) for figure in figures]
        if [value for value, _ in choices] != [self.parts.itemData(place) for place in range(self.parts.count())]:
            # The same category again where the other kind of figure has it.
            same = next((value for value, words in choices if words == self.parts.currentText()), "")
            self.parts.set_choices(choices, same)
        self.parts.setVisible(len(choices) > 1)

    def _say_nothing(self, heading: str, words: str) -> None:
        if self.figure is None:
            self._drawn = None
            self.title.setText(_KINDS[self.kinds.value].text)
            self.caption.setText("")
        self.nothing.say(heading, words)
        self._stack.setCurrentIndex(1)

    # -- to the cases, and to files --------------------------------------------------------------------------

    def _open(self, spot: object) -> None:
        if not isinstance(spot, Spot) or self._record is None:
            return
        hidden = self._record.blinded if spot.tells_label else frozenset()
        title = f"{spot.title}: {spot.words.split(':')[0]}"
        cases = told_cases(self._context.shell, title, spot.answers, hidden)
        if cases is not None:
            self.opened.emit(cases)

    def _ask_folder(self) -> None:
        chosen = ask_folder(self, "Folder for the figures", paths.exports())
        if chosen is not None:
            self.export(chosen)

    def export(self, folder: Path) -> None:
        """Write every figure into `folder`, as “btc-gui export figures” does."""
        project, with_trials = self._context.database.path, self.with_trials

        def write(progress: Progress) -> str:
            files = export_results("figures", project, folder, progress, with_trials=with_trials)
            return f"{len(files):,} files are in {folder}"

        self._context.job_runner.start("Export figures", write, succeeded=self._exported)

    def _exported(self, words: object) -> None:
        self._context.shell.say(str(words))


def _part(figure: Figure) -> str:
    """What tells a figure from the others of its kind: what follows its name."""
    _, mark, rest = figure.title.rpartition(", ")
    words = rest if mark else figure.title
    return f"{words[:1].upper()}{words[1:]}"


def _has_rows(figure: Figure) -> bool:
    if isinstance(figure, PointFigure):
        return bool(figure.rows)
    return bool(figure.bars if isinstance(figure, BarFigure) else figure.panels)
