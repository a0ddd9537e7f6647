"""F1: every page has its help, and what the help says of commands and keys is so."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.ui.command_table import COMMANDS, EVERYWHERE
from btc_gui.ui.help_window import HelpWindow, help_text
from btc_gui.ui.jargon import meaning
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.page_list import PAGES, help_topics
from btc_gui.ui.widgets.filter_bar import Choice, Facet

_NAMES = [name for name, _ in help_topics()]


def test_every_page_has_its_help() -> None:
    assert {entry.name for entry in PAGES} < set(_NAMES)
    for name in _NAMES:
        assert help_text(name).startswith("# ")


@pytest.mark.parametrize("topic", _NAMES)
def test_commands_and_keys_are_what_the_help_says(topic: str) -> None:
    """“*Correct…* (`E`)” names a command of that page by its words, and its key; “*Export…*” one that exists."""
    text = help_text(topic)
    keys = {
        (command.text.rstrip("…"), key)
        for command in COMMANDS
        if command.page in (topic, EVERYWHERE)
        for key in command.key.split(", ")
    }
    told = {(words.rstrip("…"), key) for words, key in re.findall(r"\*([^*]+)\* \(`?([^`)]+)`?\)", text)}
    assert {pair for pair in told if _is_key(pair[1])} - keys == set()
    known = {command.text for command in COMMANDS}
    assert set(re.findall(r"(?<!\*)\*([A-Z][^*]+…)\*", text)) - known == set()
    of_page = {command.key for command in COMMANDS if command.page == topic}
    lone = set(re.findall(r"`((?:Shift\+)?[A-Z])`", text))
    assert lone - of_page == set()


def _is_key(text: str) -> bool:
    return re.fullmatch(r"(Ctrl\+|Shift\+|Alt\+)*([A-Z]|F\d+)", text) is not None


def test_f1_explains_the_page_and_stays_open_beside_it(bare_window: MainWindow, qtbot: QtBot) -> None:
    QTest.keyClick(bare_window, Qt.Key.Key_F1)
    shown = bare_window.findChild(HelpWindow)
    assert shown is not None
    assert shown.isVisible()
    assert not shown.isModal()
    assert "First steps" in shown.text.toPlainText()
    shown.topics.setCurrentRow(_NAMES.index("glossary"))
    assert "retained probe" in shown.text.toPlainText()
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    bare_window.commands.action("help.page").trigger()
    assert shown.isVisible()
    assert bare_window.findChildren(HelpWindow) == [shown]


def test_what_the_help_links_to_opens_beside_it(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = HelpWindow(help_topics(), parent)
    shown.show_topic("cases")
    shown.text.anchorClicked.emit(QUrl("../../docs/cases.md"))
    assert shown.text.toPlainText().startswith("Cases")
    assert "btc-gui cases find" in shown.text.toPlainText(), "docs/cases.md tells of the command, the help does not"
    shown.text.anchorClicked.emit(QUrl("results.md#tables"))
    assert shown.text.toPlainText().startswith("Results")
    shown.text.anchorClicked.emit(QUrl("../resources/help/glossary.md"))
    assert "retained probe" in shown.text.toPlainText()


def test_a_long_document_is_laid_out_part_by_part(qtbot: QtBot) -> None:
    """To its end, every command once."""
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = HelpWindow(help_topics(), parent)
    shown.text.anchorClicked.emit(QUrl("commands.md"))
    expected = re.findall(r"^##+ `(.+)`$", (paths.documents() / "commands.md").read_text("utf-8"), re.MULTILINE)
    assert expected[-1] not in re.split(r"\n", shown.text.toPlainText())
    qtbot.waitUntil(lambda: expected[-1] in re.split(r"\n", shown.text.toPlainText()), timeout=60_000)
    lines = shown.text.toPlainText().split("\n")
    assert [line for line in lines if line in set(expected)] == expected


def test_a_topic_that_is_none_shows_the_first(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    shown = HelpWindow(help_topics(), parent)
    shown.show_topic("nowhere")
    assert shown.topics.currentRow() == 0


@pytest.mark.parametrize(
    "word",
    [
        "Failure mode",
        "Harness",
        "Effort",
        "Ending",
        "Direct answer",
        "Retained by",
        "Lint",
        "Cohen's kappa",
        "PPV (judge says correct)",
        "NPV (judge says incorrect)",
        "Gwet's AC1",
        "Agreement, unsure left out (primary)",
    ],
)
def test_words_of_the_benchmark_are_explained_where_they_stand(word: str) -> None:
    assert meaning(word).endswith((".", ")"))


def test_a_facet_tells_what_its_word_means_whatever_is_chosen(qtbot: QtBot) -> None:
    facet = Facet("Harness", [Choice("shared", "shared"), Choice("native", "native")])
    qtbot.addWidget(facet)
    assert "How search reaches the model" in facet.toolTip()
    facet.choose(["native"])
    assert "How search reaches the model" in facet.toolTip()
    plain = Facet("Saved")
    qtbot.addWidget(plain)
    assert plain.toolTip() == ""
