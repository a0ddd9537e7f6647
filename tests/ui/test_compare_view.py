"""Steps as cards, two trajectories side by side, and thousands of steps without waiting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.domain.trajectory import ResultId, SearchResult, Step, StepKind
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.compare_view import CompareView, RowView
from btc_gui.ui.widgets.marked_text import MarkedText, Passage, Span
from btc_gui.ui.widgets.step_card import ResultView, StepCard, StepView
from tests.ui.conftest import activate

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
    assert result.body.toPlainText().split("\n") == [
        "An <i>obituary</i>",
        "news.example.org · 12 May 2026",
        "She died on Saturday.",
    ]


def test_evidence_is_open_and_marked_at_once(qtbot: QtBot, theme: Theme) -> None:
    card = StepCard(theme, query(1, RESULT, evidence=True))
    qtbot.addWidget(card)
    (result,) = card.findChildren(ResultView)
    # The excerpt begins behind the title and a line end: 18 + 1 characters.
    assert [selection.cursor.selectedText() for selection in result.body.extraSelections()] == ["e died o"]


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


def shown(view: CompareView) -> list[StepCard]:
    """The cards that are there now."""
    return [card for card in view.findChildren(StepCard) if card.isVisible()]


def made(view: CompareView, lane: int, number: int) -> bool:
    """Whether a step is in sight and made."""
    return any(
        card.view.step.number == number and card.x() >= lane and not card.visibleRegion().isEmpty()
        for card in shown(view)
    )


def test_of_thousands_of_steps_only_those_in_sight_are_made(qtbot: QtBot, theme: Theme) -> None:
    """Wherever one scrolls: the steps there are shown, and those left behind are put away."""
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.show_rows(rows(3_000), 2)
    qtbot.waitUntil(lambda: made(view, 0, 1))
    bar = view._areas[0].verticalScrollBar()
    for part in (0.5, 1.0, 0.25):
        bar.setValue(int(bar.maximum() * part))
        qtbot.waitUntil(lambda: any(not card.visibleRegion().isEmpty() for card in shown(view)))
        qtbot.wait(1)
        assert len(shown(view)) < 150
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: made(view, 0, 3_000))


def test_steps_in_sight_are_made_card_by_card_and_before_those_around(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No turn of the window makes the cards of four lanes at once, and none out of sight keeps one in sight waiting."""
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(1_200, 500)
    view.show()
    four = [RowView(tuple(query(10 * number + lane) for lane in range(4))) for number in range(1, 60)]
    view.show_rows(four, 4)
    (area,) = view._areas
    made: list[tuple[int, int]] = []
    make = area._make

    def noted(row: int, column: int) -> None:
        made.append((row, column))
        make(row, column)

    monkeypatch.setattr(area, "_make", noted)
    qtbot.waitUntil(lambda: not area._missing(0))
    in_sight = len(made)
    assert made == [(row, column) for row in range(in_sight // 4) for column in range(4)]
    qtbot.waitUntil(lambda: len(made) > in_sight)
    assert made[in_sight][0] >= in_sight // 4


def test_what_is_in_sight_does_not_move_any_more_once_it_is_made(qtbot: QtBot, theme: Theme) -> None:
    """Painting waits for that. Cards that showed steps at another width show others now."""
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    places: list[dict[StepCard, QRect]] = []
    view.settled.connect(lambda: places.append({card: card.geometry() for card in shown(view)}))
    for lanes in (1, 2, 1):
        long = [
            RowView(
                tuple(StepView(Step(n, StepKind.REASONING, "word " * (30 * n + 5 * lane))) for lane in range(lanes))
            )
            for n in range(1, 9)
        ]
        places.clear()
        with qtbot.waitSignal(view.settled):
            view.show_rows(long, lanes)
        (area,) = view._areas
        qtbot.waitUntil(lambda area=area: not area._settling.isActive() and not area._work.isActive())  # type: ignore[misc]
        assert len(places[0]) >= 2 * lanes
        assert places[0] == {card: card.geometry() for card in places[0]}
        for card in places[0]:
            text = card._text.body
            assert text.height() >= text.document().size().height()
            assert card.rect().contains(text.mapTo(card, text.rect().bottomRight()))


def test_a_step_keeps_its_place_while_heights_above_it_become_known(qtbot: QtBot, theme: Theme) -> None:
    """A jump goes to the step itself, however wrong the guesses of heights were; and what was opened stays open."""
    long = [
        RowView((StepView(Step(n, StepKind.REASONING, f"{n} " + "word " * (n % 7 * 90))), query(n, RESULT)))
        for n in range(1, 400)
    ]
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    view.show_rows(long, 2)
    for number in (350, 20, 399, 200):
        assert view.go_to(1, number)
        qtbot.waitUntil(lambda number=number: made(view, 1, number))  # type: ignore[misc]
        card = view.card(1, number)
        assert card is not None
        top = card.mapTo(view, card.rect().topLeft()).y()
        assert -1 <= top < 500
    assert card is not None
    assert card.results_button is not None
    card.results_button.setChecked(True)
    qtbot.waitUntil(lambda: card.height() > 120)
    view.go_to(1, 10)
    qtbot.waitUntil(lambda: made(view, 1, 10))
    # Far out of sight it was put away.
    assert not any(each.view.step.number == 200 for each in shown(view))
    again = view.card(1, 200)
    assert again is not None
    assert again.results_button is not None
    assert again.results_button.isChecked()


def test_steps_are_folded_one_by_one_and_all(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    view.show_rows(rows(40), 2)
    card = view.card(0, 2)
    assert card is not None
    high = card.height()
    card.set_folded(True)
    qtbot.waitUntil(lambda: card.height() < high)
    view.fold_all(True)
    assert all(each.is_folded for each in view._states.values())
    qtbot.waitUntil(lambda: len(shown(view)) > 15)
    assert all(each.is_folded for each in shown(view))
    view.fold_all(False)
    qtbot.waitUntil(lambda: not any(each.is_folded for each in shown(view)))


def test_four_lanes_and_their_gaps(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(1_000, 500)
    view.show()
    view.show_rows([RowView((query(1), None, query(1), query(2))), RowView((None, query(1), None, None))], 4)
    qtbot.waitUntil(lambda: len(shown(view)) == 4)
    assert len({card.x() for card in shown(view)}) == 4
    assert len(view._areas[0]._grid.gaps(0, 400)) == 4


def test_the_focus_says_which_step_keys_act_on(qtbot: QtBot, theme: Theme) -> None:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(900, 400)
    activate(view, qtbot)
    view.show_rows(rows(60), 2)
    entered: list[tuple[int, int]] = []
    view.entered.connect(lambda lane, number: entered.append((lane, number)))
    assert view.go_to(0, 55, takes_focus=True)
    assert view.current == (0, 55)
    assert entered[-1] == (0, 55)
    card = view.card(0, 54)
    assert card is not None
    card.setFocus()
    assert view.current == (0, 54)


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


def test_other_trajectories_are_shown_while_a_step_far_down_has_the_focus(qtbot: QtBot, theme: Theme) -> None:
    """The card that goes away must not hand the focus on to the next one, which goes away as well."""
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(600, 500)
    activate(view, qtbot)
    view.show_rows(rows(200), 2)
    assert view.go_to(0, 120, takes_focus=True)
    entered: list[tuple[int, int]] = []
    view.entered.connect(lambda lane, number: entered.append((lane, number)))
    view.show_rows(rows(3), 2)
    qtbot.waitUntil(lambda: len(shown(view)) > 3)
    assert entered == []
    focused = QApplication.focusWidget()
    assert focused is not None
    assert view.isAncestorOf(focused)
    assert view.go_to(0, 2, takes_focus=True)
    view.fold_all(True)
    card = view.card(0, 2)
    assert card is not None
    assert card.hasFocus()
