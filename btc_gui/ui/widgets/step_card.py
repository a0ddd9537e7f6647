"""One step of a trajectory as a quiet card: a query with its results, reasoning, a tool call, the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.timeline import newest_published, published_date
from btc_gui.domain.trajectory import ResultId, SearchResult, Step, StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.chip import Chip
from btc_gui.ui.widgets.marked_text import ShrinkingButton, Span, TextBlock, showable
from btc_gui.ui.widgets.marks import MarkLabel, mark_of_query
from btc_gui.ui.widgets.plain_text import label

_REASONING_CUT = 400


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with what is known about it. `ordinal` numbers the queries; spans are offsets in the step's text
    and in each result's title and excerpts, a line each."""

    step: Step
    ordinal: int = 0
    query_class: QueryClass | None = None
    spans: tuple[Span, ...] = ()
    result_spans: Mapping[ResultId, tuple[Span, ...]] = field(default_factory=dict)

    @property
    def has_evidence(self) -> bool:
        """Whether one of the results reveals the change."""
        return any(span.passage == "evidence" for spans in self.result_spans.values() for span in spans)


class ResultView(QWidget):
    """One search result: title, where it is from and when, what the model was given of it."""

    def __init__(
        self, theme: Theme, result: SearchResult, spans: Sequence[Span], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(2)
        day = published_date(result.published)
        host = urlsplit(result.url).netloc if "//" in result.url else result.url
        source = label(f"{showable(host)[:80] or 'no address'} · {day.text if day else 'no date'}", "small")
        title_length = len(result.title)
        # The spans count through title and excerpts as one text; the title's own line takes the first of them.
        title = TextBlock(theme, "Title", cut_at=300)
        title.body.setFont(theme.font("body", bold=True))
        title.show_text(result.title or "(no title)", [s for s in spans if s.stop <= title_length])
        layout.addWidget(title)
        layout.addWidget(source)
        body = "\n".join(result.excerpts)
        if body:
            offset = title_length + 1
            text = TextBlock(theme, "Excerpt", cut_at=1_200)
            text.show_text(
                body, [Span(s.start - offset, s.stop - offset, s.passage) for s in spans if s.start >= offset]
            )
            layout.addWidget(text)


class StepCard(QFrame):
    """The card of one step. Results are built when they are opened for the first time."""

    def __init__(self, theme: Theme, view: StepView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.view = view
        self._is_current = False
        self._results: QWidget | None = None
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 8, 12, 8)
        self._layout.setSpacing(4)
        self._build_head()
        self._build_body()
        self.setAccessibleName(self._title())

    @property
    def results_button(self) -> QPushButton | None:
        """The button that opens and closes the results of a query."""
        return self._toggle

    def set_current(self, is_current: bool) -> None:
        """Outline the card as the one that a jump went to."""
        if is_current != self._is_current:
            self._is_current = is_current
            self.update()

    def open_results(self) -> None:
        """Show the results of a query."""
        if self._toggle is not None:
            self._toggle.setChecked(True)

    # -- building --------------------------------------------------------------------------------------------

    def _title(self) -> str:
        step = self.view.step
        if step.kind is StepKind.QUERY:
            return f"Query {self.view.ordinal}"
        names = {
            StepKind.REASONING: "Reasoning",
            StepKind.TOOL: f"Tool {step.tool}".strip(),
            StepKind.MESSAGE: "Message",
            StepKind.ANSWER: "Answer",
        }
        return names[step.kind]

    def _build_head(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        step = self.view.step
        if step.kind is StepKind.QUERY:
            words = self.view.query_class.value if self.view.query_class else "not classified"
            head.addWidget(MarkLabel(self._theme, mark_of_query(self.view.query_class), f"{words} query"))
            head.addWidget(label(f"{self._title()} · {words}", "small"))
        else:
            head.addWidget(label(self._title(), "heading" if step.kind is StepKind.ANSWER else "small"))
        head.addStretch(1)
        if self.view.has_evidence:
            head.addWidget(Chip(self._theme, "evidence", "stale"))
        if step.agent:
            head.addWidget(label(showable(step.agent)[:40], "small"))
        self._layout.addLayout(head)

    def _build_body(self) -> None:
        step = self.view.step
        self._toggle: QPushButton | None = None
        if step.hidden_text and not step.text:
            self._layout.addWidget(label(step.hidden_text, "secondary"))
            if step.results:
                self._build_results_button()
            return
        role = {StepKind.QUERY: "mono", StepKind.ANSWER: "reading"}.get(step.kind, "")
        cut = _REASONING_CUT if step.kind is StepKind.REASONING else 3_000
        text = TextBlock(self._theme, self._title(), role, cut_at=cut)
        text.show_text(step.text or "(nothing)", self.view.spans)
        self._layout.addWidget(text)
        if step.error:
            error = TextBlock(self._theme, "What went wrong", cut_at=600)
            error.show_text(f"Failed: {step.error}")
            self._layout.addWidget(error)
        if step.kind is StepKind.QUERY or step.results:
            self._build_results_button()
            self._build_dropped()
        elif step.kind is StepKind.TOOL and step.output:
            output = TextBlock(self._theme, "Output", "mono", cut_at=600)
            output.show_text(step.output)
            self._layout.addWidget(output)
        if step.hidden_text:
            self._layout.addWidget(label(step.hidden_text, "secondary"))

    def _build_results_button(self) -> None:
        step = self.view.step
        if not step.results:
            if not step.error and not step.hidden_text:
                self._layout.addWidget(label("No results", "secondary"))
            return
        self._toggle = ShrinkingButton()
        self._toggle.setCheckable(True)
        self._toggle.toggled.connect(self._show_results)
        self._write_toggle(False)
        self._layout.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        if self.view.has_evidence:
            self._toggle.setChecked(True)

    def _build_dropped(self) -> None:
        count = self.view.step.dropped
        if count:
            words = f"{count:,} better result{'' if count == 1 else 's'} dropped by the as-of day"
            self._layout.addWidget(label(words, "secondary"))

    def _write_toggle(self, is_open: bool) -> None:
        assert self._toggle is not None
        count = len(self.view.step.results)
        newest = newest_published(self.view.step)
        noun = "result" if self.view.step.kind is StepKind.QUERY else "cited page"
        words = f"{count} {noun}{'' if count == 1 else 's'} {'▾' if is_open else '▸'}"
        words += f"  newest {newest}" if newest else "  none dated"
        self._toggle.setText(words)
        self._toggle.setAccessibleName(words + (", evidence of the change" if self.view.has_evidence else ""))

    def _show_results(self, is_open: bool) -> None:
        self._write_toggle(is_open)
        if self._results is None and is_open:
            self._results = QWidget()
            layout = QVBoxLayout(self._results)
            layout.setContentsMargins(12, 0, 0, 0)
            layout.setSpacing(4)
            for result in self.view.step.results[:50]:
                spans = self.view.result_spans.get(result.id, ()) if result.id is not None else ()
                layout.addWidget(ResultView(self._theme, result, spans))
            left = len(self.view.step.results) - 50
            if left > 0:
                layout.addWidget(label(f"and {left:,} more results", "secondary"))
            self._layout.addWidget(self._results)
        if self._results is not None:
            self._results.setVisible(is_open)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The card, with an outline while it is the current one or has the focus."""
        super().paintEvent(event)
        if self._is_current or self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
            painter.end()
