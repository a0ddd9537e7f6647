"""Trajectories that viewers choke on: huge, in one line, in every script, with markup and broken characters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.classification import Evidence
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.outline import TextPart, TextPlace
from btc_gui.domain.outside_text import showable
from btc_gui.domain.trajectory import AnswerId, Ending, SearchResult, Step, StepKind, Trajectory
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.ui.case_reading import CaseReading, read_case
from btc_gui.ui.context import Context
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.pictures import settle
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.compare_view import CompareView, RowView
from btc_gui.ui.widgets.marked_text import MarkedText, TextBlock
from btc_gui.ui.widgets.rendered_text import may_render
from btc_gui.ui.widgets.step_card import StepCard, StepView
from btc_gui.ui.widgets.whole_text_dialog import PART, WholeTextDialog
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_verdict

TOLD = "Ada Example died on 9 May 2026."
MARKUP = (
    "<script>alert(1)</script><img src='http://example.org/x.png'><a href='file:///etc/passwd'>x</a> "
    "\ud83d broken \x00 nul \u202eright-to-left\u202c مرحبا بالعالم 北京大学 👩‍👩‍👧 \r\n line &amp; &lt;b&gt;"
)


def _add(database: Database, *steps: Step) -> AnswerId:
    trajectory = Trajectory("hostile", Ending.ANSWERED, "x", steps)
    return add_answer(database, add_probe(database, add_event(database)), trajectory)


def _read(database: Database, answer: AnswerId) -> CaseReading:
    found = read_case(database, load_categories(paths.resources() / "categories"), [answer], "ann", has_agreed=True)
    assert isinstance(found, CaseReading)
    return found


def _shown(qtbot: QtBot, theme: Theme, rows: tuple[RowView, ...]) -> CompareView:
    view = CompareView(theme)
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    view.show_rows(rows, 1)
    qtbot.waitUntil(lambda: bool(view.findChildren(StepCard)))
    return view


def test_evidence_in_the_middle_of_ten_megabytes_is_shown(qtbot: QtBot, theme: Theme, database: Database) -> None:
    """A result of ten megabytes in one line: its beginning, the evidence with what is around it, the rest on demand."""
    noise = "x" * 5_000_000
    result = SearchResult("News", "https://example.org", "2026-05-12", (f"{noise} {TOLD} {noise}",))
    answer = _add(database, Step(1, StepKind.QUERY, "q", results=(result,)), Step(2, StepKind.ANSWER, "Ada."))
    (step,) = AnswerStore(database).trajectory(answer).queries
    (stored,) = step.results
    assert stored.id is not None
    assert step.id is not None
    add_verdict(database, answer)
    start = len("News\n") + len(noise) + 1
    ClassificationStore(database).add(
        NewClassification(
            answer,
            "classifier",
            None,
            FailureMode.REASONING,
            queries={},
            evidence=[Evidence(stored.id, TOLD, start, start + len(TOLD))],
        )
    )
    reading = _read(database, answer)
    view = _shown(qtbot, theme, reading.rows)
    card = view.card(0, 1)
    assert card is not None
    (text,) = [each for each in card.findChildren(MarkedText) if TOLD in each.toPlainText()]
    assert len(text.toPlainText()) < 3_000
    assert text.extraSelections()[0].cursor.selectedText() == TOLD
    asked: list[TextPlace] = []
    view.whole_asked.connect(lambda place, title: asked.append(place))
    block = next(each for each in card.findChildren(TextBlock) if each.body is text)
    for _ in range(4):
        block.more.click()
    assert asked == [TextPlace(TextPart.EXCERPTS, stored.id)]


def test_a_whole_text_is_read_part_by_part_and_searched(qtbot: QtBot) -> None:
    runner = JobRunner()
    noise = "x" * 3_000_000
    dialog = WholeTextDialog(cast(Context, SimpleNamespace(job_runner=runner)), "Result", lambda: f"{noise} {TOLD}")
    qtbot.addWidget(dialog)
    dialog.show()
    settle(runner)
    assert dialog.view.toPlainText() == noise[:PART]
    dialog.later.click()
    assert dialog.where.text().startswith("Part 2 of 376 · characters 8,001–16,000")
    dialog.field.setText("example  DIED")
    dialog.find_next()
    settle(runner)
    assert dialog.view.textCursor().selectedText() == "Example died"
    dialog.field.setText("not there")
    dialog.find_next()
    settle(runner)
    assert "not in this text" in dialog.where.text()


def test_markup_is_text_and_broken_characters_are_shown(qtbot: QtBot, theme: Theme, database: Database) -> None:
    result = SearchResult(MARKUP, MARKUP, MARKUP, (MARKUP, MARKUP))
    steps = [
        Step(1, StepKind.REASONING, MARKUP, agent=MARKUP),
        Step(2, StepKind.QUERY, MARKUP, results=(result,), error=MARKUP),
        Step(3, StepKind.TOOL, MARKUP, output=MARKUP, tool=MARKUP),
        Step(4, StepKind.ANSWER, f"![x](http://example.org/x.png) {MARKUP}"),
    ]
    reading = _read(database, _add(database, *steps))
    view = _shown(qtbot, theme, reading.rows)
    cards = [view.card(0, number) for number in range(1, 5)]
    assert all(cards)
    for card in cards:
        assert card is not None
        card.open_results()
        texts = [text.toPlainText() for text in card.findChildren(MarkedText)]
        assert any("<script>alert(1)</script>" in text for text in texts)
        assert not any("\ufffc" in text for text in texts)
    view.set_plain(True)
    answer = view.card(0, 4)
    assert answer is not None
    assert answer.findChildren(MarkedText)[0].toPlainText() == showable(steps[3].text)


@pytest.mark.parametrize(
    "text",
    [
        "![x](file:///etc/passwd)",
        "![x][y]\n\n[y]: http://example.org/x.png",
        "<img src='http://example.org/x.png'>",
        "[![x](http://example.org/x.png)](http://example.org)",
    ],
)
def test_rendered_answers_load_nothing(qtbot: QtBot, theme: Theme, text: str) -> None:
    asked: list[str] = []

    class Watched(MarkedText):
        def loadResource(self, kind: int, name: QUrl | str) -> object:
            asked.append(str(name))
            return super().loadResource(kind, name)

    view = Watched(theme, "Answer")
    qtbot.addWidget(view)
    view.show_rendered(text, lambda _: [])
    view.show()
    view.grab()
    assert asked == []
    assert "\ufffc" not in view.toPlainText()
    assert MarkedText.loadResource(view, QTextDocument.ResourceType.ImageResource.value, "file:///etc/passwd") == b" "


def test_nothing_of_an_answer_is_hidden_by_rendering_it(qtbot: QtBot, theme: Theme) -> None:
    view = MarkedText(theme, "Answer")
    qtbot.addWidget(view)
    view.show_rendered("---\nhidden: yes\n---\n\n**Bold** and <b>not</b>", lambda _: [])
    text = view.toPlainText()
    assert "hidden: yes" in text
    assert "Bold and <b>not</b>" in text


@pytest.mark.parametrize("text", ["|a" * 700, "`a" * 500, "word " * 10_000])
def test_what_would_hold_the_window_is_not_rendered(text: str) -> None:
    assert not may_render(text)


def test_two_thousand_steps_are_jumped_through(qtbot: QtBot, theme: Theme) -> None:
    rows = tuple(RowView((StepView(Step(n, StepKind.REASONING, f"{n} {MARKUP * 20}")),)) for n in range(1, 2_001))
    view = _shown(qtbot, theme, rows)
    for number in (2_000, 1, 1_000):
        assert view.go_to(0, number)
        assert len(view.findChildren(StepCard)) < 300
    current = view.card(0, 1_000)
    assert current is not None
    assert not current.visibleRegion().isEmpty()
