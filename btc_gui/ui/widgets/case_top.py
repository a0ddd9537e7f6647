"""What stands between the title of a case and its columns: the probe, what to compare with, the timeline, the key."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.ui.case_reading import CaseReading
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.compare_bar import CompareBar
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.marked_text import MarkedText, Passage, Span, TextBlock
from btc_gui.ui.widgets.marks import MarkLabel, mark_of_query
from btc_gui.ui.widgets.plain_text import label, tooltip


class CaseTop(QWidget):
    """Shows a `CaseReading`'s probe, its timeline, and the answers that it can be compared with."""

    #: The lane and the number of the step whose mark was chosen on the timeline.
    step_chosen = Signal(int, int)
    #: There is a timeline now: whoever knows what stands around it settles the order of Tab.
    remade = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reading: CaseReading | None = None
        self._shows_timeline = True
        self.timeline: QWidget | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._probe = TextBlock(theme, "Probe", "", cut_at=280)
        column.addWidget(self._probe)
        self.bar = CompareBar()
        column.addWidget(self.bar)
        self._timeline_place = QVBoxLayout()
        column.addLayout(self._timeline_place)
        column.addWidget(_key(theme))

    def show_reading(self, reading: CaseReading) -> None:
        """Show another case, or the same among others; its timeline by `show_timeline`."""
        before, self._reading = self._reading, reading
        if before is None or before.case.probe_text != reading.case.probe_text:
            self._probe.show_text(reading.case.probe_text)
        if before is None or (before.cases, before.others) != (reading.cases, reading.others):
            self.bar.show_others(reading)

    def show_timeline(self) -> None:
        """Show the timeline of the present case, unless it was put away."""
        reading = self._reading
        if not self._shows_timeline or reading is None:
            return
        shown = reading.timeline
        if shown.event is None:
            # A sample of somebody else's log is about no event.
            if self.timeline is not None:
                self.timeline.hide()
            return
        self.prepare()
        # Brings numpy: only when a timeline is wanted.
        from btc_gui.ui.plots.timeline_view import TimelineView

        assert isinstance(self.timeline, TimelineView)
        self.timeline.show_trajectories(shown.event, shown.lanes, shown.marks, shown.asked)
        self.timeline.show()

    def prepare(self) -> None:
        """Make the timeline, with nothing on it."""
        if self.timeline is not None:
            return
        from btc_gui.ui.plots.timeline_view import TimelineView

        plot = TimelineView(self._theme)
        plot.step_chosen.connect(self.step_chosen)
        plot.hide()
        self._timeline_place.addWidget(plot)
        self.timeline = plot
        self.remade.emit()

    def toggle_timeline(self) -> None:
        """Show or hide the timeline."""
        self._shows_timeline = not self._shows_timeline
        if self.timeline is not None:
            self.timeline.setVisible(self._shows_timeline)
        if self._shows_timeline:
            self.show_timeline()


def _key(theme: Theme) -> QWidget:
    """What marks and washes mean."""
    holder = QWidget()
    flow = FlowLayout(holder, 6)
    for query_class in (*QueryClass, None):
        words = f"{query_class.value} query" if query_class else "not classified"
        pair = QWidget()
        row = QHBoxLayout(pair)
        row.setContentsMargins(0, 0, 6, 0)
        row.setSpacing(4)
        row.addWidget(MarkLabel(theme, mark_of_query(query_class), words))
        row.addWidget(label(words, "small", wraps=False))
        flow.addWidget(pair)
    sample = MarkedText(theme, "Key to the marks in texts")
    words = "evidence of the change   guess   mention"
    spans = [Span(0, 22, Passage.EVIDENCE), Span(25, 30, Passage.GUESS), Span(33, 40, Passage.MENTION)]
    sample.show_text(words, spans)
    sample.setToolTip(
        tooltip(
            "Evidence: passages that the classifier quoted and that were found in what the model got, and those "
            "that people marked. A guess: a sentence that names the entity with words of the change; nobody "
            "located evidence there."
        )
    )
    sample.setFixedWidth(sample.fontMetrics().horizontalAdvance(words) + 16)
    flow.addWidget(sample)
    return holder
