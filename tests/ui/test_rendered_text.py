"""Criteria and codebooks as an annotator sees them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QTextTable
from pytestqt.qtbot import QtBot

from btc_gui import paths
from btc_gui.ui.widgets.rendered_text import RenderedText
from tests.ui.conftest import activate

PAGES = [
    page for page in sorted((paths.resources() / "categories").glob("*/*.md")) if "\n| " in page.read_text("utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_a_long_page_is_shown_from_its_beginning_and_its_tables_as_tables(qtbot: QtBot, page: Path) -> None:
    shown = RenderedText("Criteria")
    qtbot.addWidget(shown)
    shown.show_markdown(page.read_text("utf-8"))
    shown.resize(300, 140)
    activate(shown, qtbot)
    assert shown.verticalScrollBar().maximum() > 0
    assert shown.verticalScrollBar().value() == 0
    assert any(isinstance(frame, QTextTable) for frame in shown.document().rootFrame().childFrames())
    assert "| " not in shown.toPlainText()
