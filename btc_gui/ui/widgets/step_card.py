"""One step of a trajectory as a quiet card: a query with its results, reasoning, a tool call, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from btc_gui.domain.excerpting import LongText, long_text
from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.mentions import Name, find_mentions
from btc_gui.domain.outside_text import showable
from btc_gui.domain.timeline import newest_published, published_date
from btc_gui.domain.trajectory import ResultId, SearchResult, Step, StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.card_head import CardHead, HeadWords
from btc_gui.ui.widgets.marked_text import Part, PartStyle, Passage, ShrinkingButton, Span, TextBlock
from btc_gui.ui.widgets.marks import mark_of_query
from btc_gui.ui.widgets.plain_text import label, one_line, tooltip
from btc_gui.ui.widgets.rendered_text import may_render
from btc_gui.ui.words import counted

_REASONING_CUT, _EXCERPT_CUT, _OUTPUT_CUT, _ANSWER_CUT = 400, 700, 600, 3_000
#: So much more of a text is laid out at a click: more would hold the window.
_STEP_OF_MORE = 8_000
#: So many results are built at once; the rest is a click away.
_RESULTS_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with what is known about it. `ordinal` numbers the queries; spans are offsets in the step's text, and in
    each result's title and excerpts, a line each. Where texts are not at hand whole, `text`, `output` and `excerpts`
    (by result) say how long they are. `evidence_by` names who located evidence; `names` are looked for in answers."""

    step: Step
    ordinal: int = 0
    query_class: QueryClass | None = None
    spans: tuple[Span, ...] = ()
    result_spans: Mapping[ResultId, tuple[Span, ...]] = field(default_factory=dict)
    text: LongText | None = None
    output: LongText | None = None
    excerpts: Mapping[ResultId, LongText] = field(default_factory=dict)
    evidence_by: tuple[str, ...] = ()
    lost_marks: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()

    def has(self, passage: Passage) -> bool:
        """Whether one of the results has such a passage."""
        return any(span.passage is passage for spans in self.result_spans.values() for span in spans)

    @property
    def title(self) -> str:
        """What the step is, in a word or two."""
        if self.step.kind is StepKind.QUERY:
            return f"Query {self.ordinal}"
        names = {
            StepKind.REASONING: "Reasoning",
            StepKind.TOOL: f"Tool {showable(self.step.tool)[:60]}".strip(),
            StepKind.MESSAGE: "Message",
            StepKind.ANSWER: "Answer",
        }
        return names[self.step.kind]


@dataclass(slots=True)
class CardState:
    """How a person left a card: it is the same when the card is made again."""

    is_folded: bool = False
    are_results_open: bool | None = None
    results_shown: int = _RESULTS_AT_ONCE
    shown: dict[object, int] = field(default_factory=dict)


class ResultView(TextBlock):
    """One search result: title, where it is from and when, what the model was given of it."""

    def __init__(
        self,
        theme: Theme,
        result: SearchResult,
        spans: tuple[Span, ...],
        excerpts: LongText | None = None,
        shown: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        title = showable(result.title)
        super().__init__(
            theme,
            f"Result {one_line(title, 60)}",
            cut_at=_EXCERPT_CUT,
            parent=parent,
            step_of_more=_STEP_OF_MORE,
        )
        day = published_date(result.published)
        host = urlsplit(result.url).netloc if "//" in result.url else result.url
        source = f"{showable(host)[:80] or 'no address'} · {day.text if day else 'no date'}"
        # The spans count through title and excerpts as one text; the title's own line takes the first of them.
        offset = len(result.title) + 1
        # A title of a megabyte is no title.
        head = Part(title[:300] + "…" * (len(title) > 300) or "(no title)", PartStyle.TITLE, _before(spans, offset))
        self.show_long(
            excerpts or long_text("\n".join(result.excerpts)),
            [Span(s.start - offset, s.stop - offset, s.passage) for s in spans if s.start >= offset],
            [head, Part(source, PartStyle.NOTE)],
            shown,
        )
        self.setToolTip(tooltip(showable(result.url)[:300]))


def _before(spans: tuple[Span, ...], offset: int) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.stop < offset)


class StepCard(QFrame):
    """The card of one step. Results are built when they are opened for the first time.

    Making a card takes ten times longer than filling one: what was put away shows another step of its kind.
    """

    #: It may have become higher or lower.
    resized = Signal()
    #: The whole of a text is asked for: its `TextPlace` and what to call it.
    whole_asked = Signal(object, str)
    #: A note on this step is wanted; its reference.
    note_asked = Signal()
    reference_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        view: StepView,
        parent: QWidget | None = None,
        *,
        state: CardState | None = None,
        is_plain: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.kind = view.step.kind
        self.view, self._state = view, CardState()
        self._is_plain = self._is_current = self._is_built = False
        self._results: QWidget | None = None
        self._toggle: QPushButton | None = None
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(10, 6, 10, 8)
        self._layout.setSpacing(4)
        self._head = CardHead(theme)
        self._head.clicked.connect(self._fold_clicked)
        self._layout.addWidget(self._head)
        self._body = QWidget()
        self._inside = QVBoxLayout(self._body)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(4)
        self._layout.addWidget(self._body)
        role = {StepKind.ANSWER: "reading", StepKind.QUERY: "mono"}.get(self.kind, "")
        self._cut_at = {StepKind.REASONING: _REASONING_CUT}.get(self.kind, _ANSWER_CUT)
        self._text = TextBlock(theme, "", role, self._cut_at, step_of_more=_STEP_OF_MORE)
        self._follow(self._text)
        self._inside.addWidget(self._text)
        self.show_view(view, state, is_plain=is_plain)

    def show_view(self, view: StepView, state: CardState | None = None, *, is_plain: bool = False) -> None:
        """Show another step of the same kind."""
        self.view, self._state, self._is_plain = view, state or CardState(), is_plain
        self._is_built = False
        self._results = self._toggle = None
        # All but the text itself differs from step to step.
        while self._inside.count() > 1:
            item = self._inside.takeAt(1)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.setAccessibleName(f"{view.title}: {one_line(showable(view.step.text[:400]), 120)}")
        self._apply_fold()

    @property
    def results_button(self) -> QPushButton | None:
        """The button that opens and closes the results of a query."""
        return self._toggle

    @property
    def is_folded(self) -> bool:
        """Whether only the card's head is shown."""
        return self._state.is_folded

    def set_folded(self, is_folded: bool) -> None:
        """Show only the card's head, or all of it."""
        if is_folded != self._state.is_folded:
            self._state.is_folded = is_folded
            self._apply_fold()

    def set_current(self, is_current: bool) -> None:
        """Outline the card as the one that a jump went to."""
        if is_current != self._is_current:
            self._is_current = is_current
            self.update()

    def set_plain(self, is_plain: bool) -> None:
        """Show the answer as it was written, or as the Markdown that it is meant as."""
        if is_plain != self._is_plain:
            self._is_plain = is_plain
            if self._is_built and self.kind is StepKind.ANSWER:
                self._show_answer()

    def open_results(self) -> None:
        """Show the results of a query."""
        self.set_folded(False)
        if self._toggle is not None:
            self._toggle.setChecked(True)

    # -- building --------------------------------------------------------------------------------------------

    def _head_words(self) -> HeadWords:
        view, step = self.view, self.view.step
        fact = fact_mark = fact_words = mark = ""
        title = view.title
        if step.kind is StepKind.QUERY:
            title += f" · {view.query_class.value if view.query_class else 'not classified'}"
            mark = mark_of_query(view.query_class)
        if view.has(Passage.EVIDENCE):
            fact, fact_mark = "evidence", "stale"
            fact_words = f"Evidence: located by {', '.join(view.evidence_by)}" if view.evidence_by else "Evidence"
        elif view.has(Passage.GUESS):
            fact, fact_mark = "guess", "unreviewed"
            fact_words = "A guess: a sentence names the entity with words of the change. Nobody located evidence."
        agent = one_line(showable(step.agent[:80]), 24) if step.agent else ""
        return HeadWords(title, mark, step.kind is StepKind.ANSWER, fact, fact_mark, fact_words, agent)

    def _fold_clicked(self) -> None:
        self.set_folded(not self._state.is_folded)

    def _apply_fold(self) -> None:
        is_folded = self._state.is_folded
        if not is_folded and not self._is_built:
            self._build_body()
        self._body.setVisible(not is_folded)
        summary = one_line(showable(self.view.step.text[:400]), 160) if is_folded else ""
        self._head.show_words(self._head_words(), is_folded=is_folded, summary=summary)
        self.resized.emit()

    def _add_block(self, name: str, role: str, text: LongText) -> None:
        block = TextBlock(self._theme, name, role, _OUTPUT_CUT, step_of_more=_STEP_OF_MORE)
        block.key, block.title = name, name
        block.show_long(text, shown=self._state.shown.get(name, 0))
        self._follow(block)
        self._inside.addWidget(block)

    def _follow(self, block: TextBlock) -> None:
        """Keep how much of a text is shown, and pass on what it asks for."""
        block.extended.connect(self._extended)
        block.whole_asked.connect(self._ask_whole)

    def _extended(self, shown: int) -> None:
        block = self.sender()
        if isinstance(block, TextBlock):
            self._state.shown[block.key] = shown

    def _ask_whole(self, place: object) -> None:
        block = self.sender()
        if isinstance(block, TextBlock):
            self.whole_asked.emit(place, f"{self.view.title} · {block.title}")

    def _build_body(self) -> None:
        self._is_built = True
        view, step = self.view, self.view.step
        is_hidden = bool(step.hidden_text) and not step.text
        self._text.setVisible(not is_hidden)
        if is_hidden:
            self._inside.addWidget(label(step.hidden_text, "secondary"))
            if step.results:
                self._build_results_button()
            return
        is_answer = step.kind is StepKind.ANSWER
        self._text.key = "Answer" if is_answer else view.title
        self._text.title = "whole text" if is_answer else view.title
        self._text.body.setAccessibleName(self._text.key)
        if is_answer:
            self._show_answer()
        else:
            self._text.show_long(self._whole_text(), view.spans, shown=self._state.shown.get(view.title, 0))
        if step.error:
            self._add_block("What went wrong", "", long_text(f"Failed: {step.error}"))
        if step.kind is StepKind.QUERY or step.results:
            self._build_results_button()
            self._build_remarks()
        elif step.kind is StepKind.TOOL and step.output:
            self._add_block("Output", "mono", view.output or long_text(step.output))
        if step.hidden_text:
            self._inside.addWidget(label(step.hidden_text, "secondary"))

    def _whole_text(self) -> LongText:
        text = self.view.text or long_text(self.view.step.text)
        return text if text.length else long_text("(nothing)")

    def _show_answer(self) -> None:
        text = self._whole_text()
        # What is cut in the middle is no Markdown any more.
        is_whole = text.length <= max(_ANSWER_CUT * 2, self._state.shown.get("Answer", 0))
        if self._is_plain or not is_whole or not may_render(text.beginning):
            self._text.show_long(text, self.view.spans, shown=self._state.shown.get("Answer", 0))
            return
        self._text.show_rendered(text.beginning, self._spans_in)

    def _spans_in(self, text: str) -> list[Span]:
        return [Span(found.start, found.stop, Passage.MENTION) for found in find_mentions(text, self.view.names)]

    def _build_results_button(self) -> None:
        step = self.view.step
        if not step.results:
            if not step.error and not step.hidden_text:
                self._inside.addWidget(label("No results", "secondary"))
            return
        self._toggle = ShrinkingButton()
        self._toggle.setCheckable(True)
        self._toggle.toggled.connect(self._show_results)
        self._write_toggle(False)
        self._inside.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        is_open = self._state.are_results_open
        if self.view.has(Passage.EVIDENCE) if is_open is None else is_open:
            self._toggle.setChecked(True)

    def _build_remarks(self) -> None:
        count = self.view.step.dropped
        if count:
            words = f"{count:,} better result{'' if count == 1 else 's'} dropped by the as-of day"
            self._inside.addWidget(label(words, "secondary"))
        for quote in self.view.lost_marks:
            words = f"Marked by people, not found in one result: “{one_line(showable(quote[:400]), 200)}”"
            self._inside.addWidget(label(words, "small"))

    def _write_toggle(self, is_open: bool) -> None:
        assert self._toggle is not None
        newest = newest_published(self.view.step)
        noun = "result" if self.view.step.kind is StepKind.QUERY else "cited page"
        words = f"{counted(len(self.view.step.results), noun)} {'▾' if is_open else '▸'}"
        words += f"  newest {newest}" if newest else "  none dated"
        self._toggle.setText(words)
        has_evidence = self.view.has(Passage.EVIDENCE)
        self._toggle.setAccessibleName(words + (", evidence of the change" if has_evidence else ""))

    def _show_results(self, is_open: bool) -> None:
        self._write_toggle(is_open)
        self._state.are_results_open = is_open
        if self._results is None and is_open:
            self._results = QWidget()
            layout = QVBoxLayout(self._results)
            layout.setContentsMargins(12, 0, 0, 0)
            layout.setSpacing(10)
            self._more_results = ShrinkingButton()
            self._more_results.clicked.connect(self._show_more_results)
            layout.addWidget(self._more_results, 0, Qt.AlignmentFlag.AlignLeft)
            self._results_built = 0
            self._add_results()
            place = self._inside.indexOf(self._toggle) + 1 if self._toggle else -1
            self._inside.insertWidget(place, self._results)
        if self._results is not None:
            self._results.setVisible(is_open)
        self.resized.emit()

    def _show_more_results(self) -> None:
        self._state.results_shown += _RESULTS_AT_ONCE
        self._add_results()

    def _add_results(self) -> None:
        assert self._results is not None
        layout = self._results.layout()
        assert isinstance(layout, QVBoxLayout)
        results = self.view.step.results
        # Evidence is never hidden behind a button.
        wanted = max(self._state.results_shown, self._last_evidence())
        for result in results[self._results_built : wanted]:
            spans = self.view.result_spans.get(result.id, ()) if result.id is not None else ()
            long = self.view.excerpts.get(result.id) if result.id is not None else None
            made = ResultView(self._theme, result, spans, long, self._state.shown.get(result.id, 0))
            made.key, made.title = result.id, one_line(showable(result.title[:200]), 60)
            self._follow(made)
            layout.insertWidget(layout.count() - 1, made)
        self._results_built = min(wanted, len(results))
        left = len(results) - self._results_built
        self._more_results.setVisible(left > 0)
        self._more_results.setText(f"Show {counted(min(left, _RESULTS_AT_ONCE), 'more result')} of {left:,}")

    def _last_evidence(self) -> int:
        found = 0
        for number, result in enumerate(self.view.step.results[: _RESULTS_AT_ONCE * 4], start=1):
            spans = self.view.result_spans.get(result.id, ()) if result.id is not None else ()
            if any(span.passage is Passage.EVIDENCE for span in spans):
                found = number
        return found

    # -- events ----------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with one step."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show this step" if self.is_folded else "Fold this step").triggered.connect(self._fold_clicked)
        menu.addAction("Note on this step").triggered.connect(self.note_asked)
        menu.addAction("Copy reference of this step").triggered.connect(self.reference_asked)
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Tell when what is inside asks for another height."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.resized.emit()
        return done

    def paintEvent(self, event: QPaintEvent) -> None:
        """The card, with an outline while it is the current one, and a wider one while it has the focus."""
        super().paintEvent(event)
        if self._is_current or self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width = 4 if self.hasFocus() else 2
            painter.setPen(QPen(self._theme.color("accent"), width))
            inset = width / 2
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 6, 6)
            painter.end()
