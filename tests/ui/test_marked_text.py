"""Text from outside: literal, marked at the right places, cut when long, as high as it needs."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.outside_text import showable
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.marked_text import CUT_AT, MarkedText, Passage, Span, TextBlock


def marked(text: MarkedText) -> list[str]:
    return [selection.cursor.selectedText() for selection in text.extraSelections()]


def test_markup_stays_text(qtbot: QtBot, theme: Theme) -> None:
    view = MarkedText(theme, "Answer")
    qtbot.addWidget(view)
    view.show_text("<b>x</b><img src='http://example.org/x.png'>")
    assert view.toPlainText() == "<b>x</b><img src='http://example.org/x.png'>"


def test_passages_are_marked_behind_emoji_line_ends_and_odd_characters(qtbot: QtBot, theme: Theme) -> None:
    text = "👩‍👩‍👧 a\r\nb\x00\ud800 Ada and 村上"
    view = MarkedText(theme, "Answer")
    qtbot.addWidget(view)
    start, other = text.index("Ada"), text.index("村上")
    view.show_text(text, [Span(start, start + 3, Passage.MENTION), Span(other, other + 2, Passage.EVIDENCE)])
    assert marked(view) == ["Ada", "村上"]


def test_what_can_be_shown_keeps_every_offset() -> None:
    text = "a\r\nb\rc\u2028d\x07\udfff"
    assert len(showable(text)) == len(text)
    assert "\r" not in showable(text)


def test_spans_beyond_the_text_are_left_out(qtbot: QtBot, theme: Theme) -> None:
    view = MarkedText(theme, "Answer")
    qtbot.addWidget(view)
    view.show_text("short", [Span(2, 90, Passage.EVIDENCE), Span(3, 3, Passage.MENTION)])
    assert view.spans == ()


def test_a_long_text_is_cut_and_shown_whole_on_demand(qtbot: QtBot, theme: Theme) -> None:
    text = "word " * 2_000
    block = TextBlock(theme, "Answer")
    qtbot.addWidget(block)
    block.show_text(text, [Span(9_000, 9_004, Passage.EVIDENCE), Span(8_000, 8_004, Passage.MENTION)])
    block.show()
    shown = block.body.toPlainText()
    # What matters is shown wherever it stands, with what is around it.
    assert shown.startswith(text[:CUT_AT] + "\n⋯ 5,760 characters ⋯\n" + text[8_760:9_000])
    assert marked(block.body) == ["word"]
    assert "1 marked passage among them" in block.more.text()
    block.more.click()
    assert block.body.toPlainText() == text
    assert not block.more.isVisible()


def test_a_megabyte_in_one_line_is_shown_in_portions(qtbot: QtBot, theme: Theme) -> None:
    block = TextBlock(theme, "Output")
    qtbot.addWidget(block)
    block.show_text("A" * 1_000_000)
    block.show()
    block.more.click()
    assert 50_000 < len(block.body.toPlainText()) < 100_000
    assert "left" in block.more.text()


def test_a_text_is_as_high_as_it_needs_at_its_width(qtbot: QtBot, theme: Theme) -> None:
    holder = QWidget()
    layout = QVBoxLayout(holder)
    view = MarkedText(theme, "Answer", "reading")
    layout.addWidget(view)
    layout.addStretch(1)
    qtbot.addWidget(holder)
    view.show_text("many words that need to be broken into lines " * 20)
    holder.resize(800, 900)
    holder.show()
    qtbot.waitUntil(lambda: view.height() > 80)
    wide = view.height()
    holder.resize(300, 900)
    qtbot.waitUntil(lambda: view.height() > wide * 1.8)
    assert view.height() >= int(view.document().size().height())
