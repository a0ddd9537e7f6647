"""The Probes page and the linter: chips, the place in the text, a filter with counts, waivers, checking anew."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QTextEdit
from pytestqt.qtbot import QtBot

from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.probe import Probe
from btc_gui.store.database import Database
from btc_gui.store.lint import LintStore
from btc_gui.ui.linting import lint_choices, mark_findings
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.probes_page import ProbesPage
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.waive_dialog import WaiveDialog
from tests.builders import add_event, add_probe

LEAK = "🎻 Our opera house wants a voice like Price's. Which singers could we invite to our gala?"


@pytest.fixture
def first_page() -> str:
    return "probes"


@pytest.fixture
def leaking(filled: Database) -> Probe:
    """A probe that names its entity, in the project that the window shows."""
    return add_probe(filled, add_event(filled, entity="Leona Price"), LEAK, key="leak")


@pytest.fixture
def page(leaking: Probe, window: MainWindow) -> ProbesPage:
    """The Probes page with that probe chosen."""
    window.go("probes")
    shown = window.current_page
    assert isinstance(shown, ProbesPage)
    assert shown.view.select_id(leaking.id)
    return shown


def _marked(view: QTextEdit) -> list[str]:
    return [selection.cursor.selectedText() for selection in view.extraSelections()]


def _choose(page: ProbesPage, value: str) -> None:
    page.lint.choose([value] if value else [])
    page.lint.chosen.emit(page.lint.values)


def test_findings_are_chips_and_marked_where_they_stand(page: ProbesPage) -> None:
    assert page.detail.lint_row.chips.texts == ["Names the entity"]
    assert _marked(page.detail.text.view) == ["Price"]


def test_the_same_words_of_several_findings_are_said_once(page: ProbesPage) -> None:
    twice = [
        Finding("not_english", Severity.ERROR, at, at + 4, "abcd", "This sentence is not in English.") for at in (0, 5)
    ]
    page.detail.lint_row.show_findings([*twice, Finding("name", Severity.ERROR, 9, 12, "Ann", "“Ann” is a name.")])
    assert page.detail.lint_row.chips.texts == ["Not in English × 2", "Names the entity"]
    assert page.detail.lint_row.why.text().splitlines() == [
        "Not in English: This sentence is not in English. × 2",
        "Names the entity: “Ann” is a name.",
    ]


def test_the_list_is_filtered_by_findings_with_counts(page: ProbesPage, leaking: Probe) -> None:
    before = list(page.table.ids)
    _choose(page, "name")
    assert page.table.ids == [leaking.id]
    row = page.table.ids.index(leaking.id)
    assert page.table.data(page.table.index(row, 4)) == "The linter has an error"
    _choose(page, "")
    assert page.table.ids == before


def test_choices_say_how_many_and_leave_out_rules_without_findings() -> None:
    choices = {choice.value: choice.count for choice in lint_choices({"error": 2, "name": 2, "clean": 5, "date": 0})}
    assert choices == {
        "error": 2,
        "warning": 0,
        "note": 0,
        "clean": 5,
        "waived": 0,
        "unchecked": 0,
        "name": 2,
    }


def test_a_rule_is_let_pass_with_a_reason_and_taken_back(page: ProbesPage, filled: Database, leaking: Probe) -> None:
    store = LintStore(filled)

    def dialog() -> WaiveDialog:
        page._waive()
        [found] = [each for each in page.window().findChildren(WaiveDialog) if each.isVisible()]
        return found

    first = dialog()
    for words in first.findChildren(QLabel):
        assert words.height() >= words.heightForWidth(words.width()), words.text()
    assert not first.do_button.isEnabled()
    first.reason_field.setText("the price is meant")
    first.do_button.click()
    [finding] = store.findings([leaking.id])[leaking.id]
    assert finding.waiver is not None
    assert finding.waiver.reason == "the price is meant"
    page.activate()
    assert page.detail.lint_row.chips.texts == ["Names the entity (waived)"]
    assert _marked(page.detail.text.view) == []
    second = dialog()
    assert second.withdraws
    second.do_button.click()
    assert not store.findings([leaking.id])[leaking.id][0].is_waived


def test_what_is_unchecked_is_checked_as_a_job(page: ProbesPage, filled: Database, qtbot: QtBot) -> None:
    with filled.write() as connection:
        connection.execute("UPDATE lint_check SET version = 'old'")
        # As whatever writes findings does: counts are kept until then.
        connection.execute("UPDATE lint_counter SET changes = changes + 1")
    store = LintStore(filled)
    assert store.unchecked()
    page.activate()
    assert page.header.counts.text().endswith("not checked")
    page._linting.check()
    qtbot.waitUntil(lambda: not store.unchecked())


def test_marks_stand_behind_an_emoji_and_never_in_another_text(qtbot: QtBot, theme: Theme) -> None:
    view = QTextEdit()
    qtbot.addWidget(view)
    start = LEAK.index("Price")
    found = [Finding("name", Severity.ERROR, start, start + 5, "Price", "It names x.")]
    view.setPlainText(LEAK)
    mark_findings(view, theme, LEAK, found)
    assert _marked(view) == ["Price"]
    view.setPlainText("Another text that is long enough for these offsets, and somewhat longer than that.")
    mark_findings(view, theme, LEAK, found)
    assert _marked(view) == []
