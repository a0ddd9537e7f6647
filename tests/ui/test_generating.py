"""Generating from the window: forecast, job, rows that did not come, one probe anew, one by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.probe import ProbeKind
from btc_gui.jobs.generation_plan import rewrite_event
from btc_gui.remote.gemini import GeminiModel
from btc_gui.store.evaluated_models import role_models
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.ui.context import Context
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.events_page import EventsPage
from btc_gui.ui.pages.probes_page import ProbesPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.widgets.failed_generations import FailedGenerations
from btc_gui.ui.widgets.generate_dialog import GenerateDialog
from btc_gui.ui.widgets.write_probe_dialog import WriteProbeDialog
from tests.builders import add_event
from tests.fakes.gemini import FakeGemini
from tests.jobs.test_generate_probes import add_article, generate
from tests.jobs.test_sample_probes import _accepted as accepted
from tests.jobs.test_sample_probes import _filter as filter_probe
from tests.ui.conftest import activate


@pytest.fixture
def first_page() -> str:
    return "events"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGemini]:
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    with FakeGemini({"Cy Cook": ["four"]}) as made:
        yield made


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


def events_page(window: MainWindow) -> EventsPage:
    window.go("events")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, EventsPage)
    return page


def probes_page(window: MainWindow) -> ProbesPage:
    window.go("probes")
    settle(window.job_runner)
    page = window.current_page
    assert isinstance(page, ProbesPage)
    return page


def foreseen(dialog: GenerateDialog, window: MainWindow, qtbot: QtBot, text: str) -> None:
    """Wait until the dialog says this of what is to come."""
    qtbot.waitUntil(lambda: text in f"{dialog.forecast_label.text()}\n{dialog.warning_label.text()}", timeout=30_000)
    settle(window.job_runner)


def generate_dialog(page: EventsPage | ProbesPage) -> GenerateDialog:
    dialog = page._generating.dialog
    assert isinstance(dialog, GenerateDialog)
    return dialog


def test_from_the_forecast_to_the_rows_that_did_not_come(
    window: MainWindow, context: Context, server: FakeGemini, qtbot: QtBot
) -> None:
    """What is written stands on the page; what broke a rule is listed and asked for again."""
    database = context.database
    di, cy = (add_event(database, entity=name, date="2026-06-01") for name in ("Di Dunn", "Cy Cook"))
    add_event(database, entity="Without Article", date="2026-06-02")
    for event_id in (di, cy):
        add_article(database, event_id)
    page = events_page(window)
    activate(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_G)
    dialog = generate_dialog(page)
    foreseen(dialog, window, qtbot, "2 calls: about")
    assert "1 event can't be asked for. There is no article" in words(dialog)
    assert "of one family (Gemini)" in words(dialog)
    assert dialog.choice.name == "gemini-3.1-pro-preview (high)"
    dialog._without.setChecked(True)
    foreseen(dialog, window, qtbot, "3 calls: about")
    dialog._without.setChecked(False)
    dialog._address.setText(server.address)
    foreseen(dialog, window, qtbot, "2 calls: about")
    dialog.go_button.click()
    settle(window.job_runner)
    store = ProbeStore(database)
    assert len(store.siblings(di)) == 5
    (failure,) = GenerationStore(database).failed()
    assert failure.event_id == cy

    qtbot.waitUntil(lambda: page.failed_link.isVisible(), timeout=30_000)
    assert page.failed_link.text() == "1 request for probes brought none: see why"
    page.failed_link.click()
    listed = page._generating.dialog
    assert isinstance(listed, FailedGenerations)
    cells = [listed.table.model().index(0, column).data() for column in (0, 2)]
    assert cells == ["Cy Cook", "5 probes were asked for, and 4 came."]
    assert "4 came" in listed.reason.toPlainText()
    listed.retry_button.click()
    dialog = generate_dialog(page)
    assert dialog._address.text() == server.address  # As it was used last.
    foreseen(dialog, window, qtbot, "1 call: about")
    dialog.go_button.click()
    settle(window.job_runner)
    assert len(store.siblings(cy)) == 5
    assert GenerationStore(database).failed() == []


def test_nothing_to_write_is_said_and_not_started(window: MainWindow, qtbot: QtBot, server: FakeGemini) -> None:
    page = events_page(window)
    window.commands.action("events.generate").trigger()
    dialog = generate_dialog(page)
    foreseen(dialog, window, qtbot, "There is nothing to write.")
    assert not dialog.go_button.isEnabled()


def test_direct_probes_are_written_by_a_model_of_their_own(
    window: MainWindow, context: Context, server: FakeGemini, qtbot: QtBot
) -> None:
    """The kind is chosen where probes are generated; without a retained probe it says what comes first."""
    database = context.database
    di = add_event(database, entity="Di Dunn", date="2026-06-01")
    page = probes_page(window)
    window.commands.action("probes.generate").trigger()
    dialog = generate_dialog(page)
    settle(window.job_runner)
    assert not dialog._without.isHidden()
    dialog._scope.setCurrentIndex(1)
    assert dialog._scope.currentText() == "Direct probes for all events with a retained probe"
    assert dialog._without.isHidden()
    foreseen(dialog, window, qtbot, "Filter first")
    assert not dialog.go_button.isEnabled()
    dialog.reject()

    filter_probe(database, accepted(database, di, "p1"))
    window.commands.action("probes.generate").trigger()
    dialog = generate_dialog(page)
    dialog._scope.setCurrentIndex(1)
    assert dialog.choice.model == role_models(database)["pairer"].model
    dialog._address.setText(server.address)
    foreseen(dialog, window, qtbot, "1 call: about")
    dialog.go_button.click()
    settle(window.job_runner)
    (direct,) = [each for each in ProbeStore(database).siblings(di) if each.kind is ProbeKind.DIRECT]
    assert "Di Dunn" in direct.text


def test_without_a_key_the_dialog_says_which(window: MainWindow, qtbot: QtBot) -> None:
    page = events_page(window)
    window.commands.action("events.generate").trigger()
    dialog = generate_dialog(page)
    settle(window.job_runner)
    assert "GEMINI_API_KEY" in dialog.forecast_label.text()
    assert not dialog.go_button.isEnabled()


def test_one_probe_is_written_anew_and_says_where_it_is_from(
    window: MainWindow, context: Context, server: FakeGemini, qtbot: QtBot
) -> None:
    store = ProbeStore(context.database)
    ada = store.get(store.ids(ProbeQuery(kinds=(ProbeKind.INDIRECT,)))[-1]).event_id
    add_article(context.database, ada)
    page = probes_page(window)
    probe = store.siblings(ada)[1]
    page.show_item(probe.id)
    settle(window.job_runner)
    assert page.detail.provenance.isHidden()
    window.commands.action("probes.rewrite").trigger()
    dialog = generate_dialog(page)
    dialog.note.setPlainText("For a village.")
    dialog._address.setText(server.address)
    foreseen(dialog, window, qtbot, "1 call: about")
    dialog._scope.setCurrentIndex(1)
    foreseen(dialog, window, qtbot, "1 call: about")
    dialog._scope.setCurrentIndex(0)
    foreseen(dialog, window, qtbot, "1 call: about")
    dialog.go_button.click()
    settle(window.job_runner)
    assert "For a village." in server.prompts[-1]
    assert store.get(probe.id).origin == "regenerated"
    assert [each.revision for each in store.siblings(ada)][:3] == [1, 2, 1]
    qtbot.waitUntil(lambda: not page.detail.provenance.isHidden(), timeout=30_000)
    text = page.detail.provenance.text()
    assert "Written by gemini-3.1-pro-preview (high), prompt " in text
    assert "Note: For a village. · Also thought of: Cy Other, Di Another" in text


def test_a_failed_rewrite_is_put_aside(window: MainWindow, context: Context, server: FakeGemini, qtbot: QtBot) -> None:
    """Probes that stay as they are need nothing; what an event still lacks can't be put aside."""
    database = context.database
    server.plan = {"Cy Cook": ["", "four"], "Di Dunn": ["four"]}
    for name in ("Cy Cook", "Di Dunn"):
        add_article(database, add_event(database, entity=name, date="2026-06-01"))
    store = GenerationStore(database)
    with closing(GeminiModel("gemini-w", "k", thinking="high", base_url=server.address)) as model:
        generate(database, model, dict(context.categories))
        (cy,) = EventStore(database).find("Cy Cook")
        generate(database, model, dict(context.categories), rewrite_event(cy, "").targets)
    assert [each.is_rewrite for each in store.failed()] == [True, False]
    page = probes_page(window)
    page._generating.show_failed()
    listed = page._generating.dialog
    assert isinstance(listed, FailedGenerations)
    assert listed.dismiss_button.isEnabled()
    listed.table.clearSelection()
    assert not listed.retry_button.isEnabled()
    listed.table.selectRow(1)
    assert not listed.dismiss_button.isEnabled()
    listed.table.selectRow(0)
    listed.dismiss_button.click()
    assert [each.entity for each in store.failed()] == ["Di Dunn"]


def test_a_probe_is_written_by_hand(window: MainWindow, context: Context, qtbot: QtBot) -> None:
    store = ProbeStore(context.database)
    page = probes_page(window)
    before = len(store.ids())
    window.commands.action("probes.write").trigger()
    dialog = page._generating.dialog
    assert isinstance(dialog, WriteProbeDialog)
    assert "is alive." in words(dialog) or "holds the position" in words(dialog)
    dialog.save_button.click()
    assert "A probe needs a text." in dialog.message.text()
    dialog.text.setPlainText("Who could <b>open</b> our fair?")
    dialog.fields["requester"].setText("a fair")
    dialog.save_button.click()
    settle(window.job_runner)
    assert len(store.ids()) == before + 1
    qtbot.waitUntil(lambda: page._shown is not None and page._shown.probe.origin == "written", timeout=30_000)
    assert page.detail.text.view.toPlainText() == "Who could <b>open</b> our fair?"


def test_the_settings_page_offers_the_templates_of_every_category(window: MainWindow) -> None:
    window.go("settings")
    settle(window.job_runner)
    assert window.current_page is not None
    shown = words(window.current_page)
    assert "Demise: indirect probes" in shown
    assert "Tenure: direct probes" in shown
