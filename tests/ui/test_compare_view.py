"""Steps as cards, two trajectories side by side, and thousands of steps without waiting."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.trajectory import ResultId, SearchResult, Step, StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.compare_view import ROWS_AT_ONCE, CompareView, RowView
from btc_gui.ui.widgets.marked_text import MarkedText, Passage, Span
from btc_gui.ui.widgets.step_card import ResultView, StepCard, StepView

RESULT = SearchResult(
    "An <i>obituary</i>", "https://news.example.org/a", "2026-05-12", ("She died on Saturday.",), ResultId(5)
)


def query(number: int, *results: SearchResult, evidence: bool = False) -> StepView:
    spans = {ResultId(5): (Span(21, 29, Passage.EVIDENCE),)} if evidence else {}
    step = Step(number, StepKind.QUERY, f"query {number}", tuple(results))
    return StepView(step, number, QueryClass.EXPLICIT, (), spans)


def texts(card: StepCard) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel)]


def test_results_are_collapsed_and_made_when_opened(qtbot: QtBot, theme: Theme) -> None:
    card = StepCard(theme, query(1, RESULT))
    qtbot.addWidget(card)
    assert card.results_button is not None
    assert card.results_button.text() == "1 result ▸  newest 12 May 2026"
    assert not card.findChildren(ResultView)
    card.results_button.click()
    (result,) = card.findChildren(ResultView)
    assert [text.toPlainText() for text in result.findChildren(MarkedText)] == [
        "An <i>obituary</i>",
        "She died on Saturday.",
    ]
    assert "news.example.org · 12 May 2026" in texts(card)


def test_evidence_is_open_and_marked_at_once(qtbot: QtBot, theme: Theme) -> None:
    card = StepCard(theme, query(1, RESULT, evidence=True))
    qtbot.addWidget(card)
    (result,) = card.findChildren(ResultView)
    excerpt = result.findChildren(MarkedText)[1]
    # The excerpt begins behind the title and a line end: 18 + 1 characters.
    assert excerpt.spans == (Span(2, 10, Passage.EVIDENCE),)
    assert [selection.cursor.selectedText() for selection in excerpt.extraSelections()] == ["e died o"]


def test_a_query_says_what_the_as_of_day_kept_from_the_agent(qtbot: QtBot, theme: Theme) -> None:
    for dropped, words in ((1, "1 better result dropped by the as-of day"), (1_200, "1,200 better results dropped")):
        card = StepCard(theme, StepView(Step(1, StepKind.QUERY, "q", dropped=dropped), 1))
        qtbot.addWidget(card)
        assert "No results" in texts(card)
        assert any(text.startswith(words) for text in texts(card))


def test_failed_hidden_and_empty_steps_say_so(qtbot: QtBot, theme: Theme) -> None:
    failed = StepCard(theme, StepView(Step(1, StepKind.QUERY, "q", error="timed out"), 1))
    hidden = StepCard(theme, StepView(Step(2, StepKind.REASONING, "", is_hidden=True)))
    empty = StepCard(theme, StepView(Step(3, StepKind.QUERY, "q"), 2))
    for card in (failed, hidden, empty):
        qtbot.addWidget(card)
    assert "Failed: timed out" in [text.toPlainText() for text in failed.findChildren(MarkedText)]
    assert any("does not reveal" in text for text in texts(hidden))
    assert "No results" in texts(empty)


def rows(count: int) -> list[RowView]:
    return [RowView((query(n), query(n + 10_000) if n % 3 else None), n == 3) for n in range(1, count + 1)]


def test_a_trajectory_of_thousands_of_steps_is_built_by_portions(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.show_rows(rows(3_000), 2)
    qtbot.waitUntil(lambda: view._more[0].isVisible())
    cards = view.findChildren(StepCard)
    assert len(cards) <= 2 * ROWS_AT_ONCE + 2
    assert "more steps" in view._more[0].text()


def test_jumping_builds_as_far_as_needed_and_scrolls_there(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 400)
    view.show()
    view.show_rows(rows(60), 2)
    assert view.go_to(0, 55)
    qtbot.waitUntil(lambda: view._areas[0].verticalScrollBar().value() > 0)
    assert not view.go_to(0, 99_999)


def test_columns_can_scroll_freely_and_together_again(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.show()
    view.show_rows(rows(5), 2)
    view.set_free(True)
    assert len(view._areas) == 2
    assert view.card(1, 10_005) is not None
    view.set_free(False)
    assert len(view._areas) == 1
    assert view.card(0, 5) is not None
    assert view.card(1, 10_003) is None


def test_large_text_in_a_narrow_window_can_be_reached(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(420, 400)
    view.show()
    told = [query(n, RESULT, evidence=True) for n in (1, 2)]
    view.show_rows([RowView((told[0], told[1]))], 2)
    bar = view._areas[0].horizontalScrollBar()
    try:
        theme.set_text_scale(2.0)
        qtbot.waitUntil(lambda: bar.isVisible() and bar.maximum() > 0)
        bar.setValue(bar.maximum())
    finally:
        theme.set_text_scale(1.0)
    view.resize(1_000, 400)
    qtbot.waitUntil(lambda: bar.maximum() == 0 and bar.value() == 0)
