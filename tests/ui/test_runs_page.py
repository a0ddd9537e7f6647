"""Runs: composing with a forecast, watching a real one, and saying what can't be done now."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.domain.trajectory import Ending, Usage
from btc_gui.errors import RunError
from btc_gui.jobs.run_evaluation import RunOutcome
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.run_log import RunLogStore
from btc_gui.store.runs import RunStore
from btc_gui.ui import latest_job, main_window, run_driver
from btc_gui.ui.error_dialog import ErrorDialog
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.pages.runs_page import RunsPage
from btc_gui.ui.pictures import settle
from btc_gui.ui.run_composing import SearchChoice, read_offers
from btc_gui.ui.run_driver import read_summary
from btc_gui.ui.widgets.ask_dialog import AskDialog
from btc_gui.ui.widgets.pipeline_dialog import PipelineDialog
from btc_gui.ui.widgets.run_dialog import RunDialog
from tests import run_builders
from tests.case_builders import add_answer, add_answers, make_configuration, make_trajectory
from tests.fakes.http_replies import HttpReplies, Prepared
from tests.recordings import behaviour, write_recordings
from tests.run_builders import add_run
from tests.sessions.test_logged_cases import _logged
from tests.shared_worker import LentWorker
from tests.ui.conftest import activate


def accept(database: Database, words: str) -> None:
    """Accept the probes whose text contains `words`."""
    store = ProbeStore(database)
    for probe in store.fetch(store.ids(ProbeQuery(contains=words))).values():
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")


def agree(*_: object) -> bool:
    return True


@pytest.fixture
def first_page() -> str:
    return "runs"


@pytest.fixture(autouse=True)
def _no_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the window while a run goes (a test failed half-way) must not wait for an answer."""
    monkeypatch.setattr(main_window, "confirm", agree)


@pytest.fixture
def page(window: MainWindow) -> RunsPage:
    window.go("runs")
    settle(window.job_runner)
    made = window.current_page
    assert isinstance(made, RunsPage)
    return made


def words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def enabled(window: MainWindow) -> set[str]:
    names = ("start", "pause", "cancel", "stop", "retry", "judge", "classify", "cases")
    return {name for name in names if window.commands.action(f"runs.{name}").isEnabled()}


def test_without_runs_the_page_offers_the_first_step(window: MainWindow, page: RunsPage) -> None:
    assert "No runs yet" in words(page)
    assert enabled(window) == set()
    assert window.commands.action("runs.start").toolTip() == "Choose a run first."


def test_a_finished_run_says_what_can_be_done_and_why_not_the_rest(window: MainWindow, page: RunsPage) -> None:
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    probe = store.get(store.ids()[0])
    add_answer(database, probe, make_trajectory(ending=Ending.FAILED, answer=""))
    page.activate()
    settle(window.job_runner)
    assert enabled(window) == {"retry", "cases"}
    assert window.commands.action("runs.start").toolTip() == "Every item has an answer."
    assert window.commands.action("runs.judge").toolTip() == "Every answer has a label."
    assert "1 of 1 answer" in words(page)
    window.commands.action("runs.cases").trigger()
    settle(window.job_runner)
    assert isinstance(window.current_page, CasesPage)


def test_what_failed_in_somebody_elses_log_is_not_tried_again(window: MainWindow, page: RunsPage) -> None:
    assert window.context is not None
    database = window.context.database
    answer_id = _logged(database, "A", "7", ending=Ending.FAILED)
    page.activate()
    settle(window.job_runner)
    assert page._current is not None
    assert page._current.ending(Ending.FAILED) == 1
    assert enabled(window) == {"cases"}
    assert "somebody else's log" in window.commands.action("runs.retry").toolTip()
    assert AnswerStore(database).fetch([answer_id])[answer_id].is_final


def test_the_table_behaves_as_a_model(window: MainWindow, page: RunsPage) -> None:
    assert window.context is not None
    store = ProbeStore(window.context.database)
    add_answers(window.context.database, store.get(store.ids()[0]), [make_trajectory()])
    page.activate()
    settle(window.job_runner)
    QAbstractItemModelTester(page._table, QAbstractItemModelTester.FailureReportingMode.Warning)
    assert page._table.rowCount() == 1
    assert page._table.index(0, 5).data() == "1 answered"


def like_the_demo(window: MainWindow) -> None:
    """Make the project one whose runs begin with the demo's recorded agents."""
    assert window.context is not None
    ProjectStore(window.context.database).set_value("illustrative", "yes")


def composer(window: MainWindow, page: RunsPage) -> RunDialog:
    """The composer, opened and filled."""
    like_the_demo(window)
    window.commands.action("runs.new").trigger()
    dialog = page.findChild(RunDialog)
    assert dialog is not None
    settle(window.job_runner)
    return dialog


def looks_again(window: MainWindow) -> None:
    """Wait until the composer has made its forecast anew: that is a pause after the last key, and a read."""
    settle(window.job_runner)


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("_models", "Tick at least one model."),
        ("_harnesses", "Shared is our own search, native the provider's."),
        ("_efforts", "Tick low, high or both."),
        ("_kinds", "Tick indirect or direct probes, or both."),
        ("_categories", "Tick at least one category."),
    ],
)
def test_the_composer_says_what_is_not_chosen(
    window: MainWindow, page: RunsPage, qtbot: QtBot, part: str, sentence: str
) -> None:
    dialog = composer(window, page)
    for box, _ in getattr(dialog, part):
        box.setChecked(False)
    looks_again(window)
    assert sentence in words(dialog)
    assert not dialog.start_button.isEnabled()


def test_models_without_a_key_are_offered_with_the_reason(
    window: MainWindow, page: RunsPage, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    dialog = composer(window, page)
    boxes = {offer.model.name: box for box, offer in dialog._models}
    assert not boxes["GPT-5.4"].isEnabled()
    assert boxes["GPT-5.4"].toolTip() == "no key: set OPENAI_API_KEY"
    assert boxes["Claude-Opus-4.7"].isEnabled()
    assert not boxes["Claude-Opus-4.7"].isChecked()
    assert boxes["Larkspur-2"].isChecked()


def test_a_project_of_ones_own_is_not_offered_the_recordings_of_the_demo(window: MainWindow, page: RunsPage) -> None:
    """They know the demo's probes only, and its day."""
    window.commands.action("runs.new").trigger()
    dialog = page.findChild(RunDialog)
    assert dialog is not None
    settle(window.job_runner)
    assert "Larkspur-2" not in {offer.model.name for _, offer in dialog._models}
    assert "Agents are told that it is 15 July 2026." not in words(dialog)
    assert "Tick at least one model." in words(dialog)


def test_the_composer_tells_costs_and_what_a_limit_will_do(
    window: MainWindow, page: RunsPage, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    assert window.context is not None
    accept(window.context.database, "evening")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key")
    dialog = composer(window, page)
    for box, offer in dialog._models:
        box.setChecked(offer.model.name == "Claude-Opus-4.7")
    dialog._efforts[1][0].setChecked(False)
    looks_again(window)
    # Three answers at low effort, as assumed: 12,000 tokens in at $5 a million and 1,500 out at $25.
    assert "$0.29" in words(dialog)
    assert "by stated assumptions" in words(dialog)
    dialog._limit.setValue(0.1)
    looks_again(window)
    assert "will stop it at about 34%" in words(dialog)
    dialog.search.as_of.setText("some day")
    dialog.search.as_of.textEdited.emit("some day")
    looks_again(window)
    assert "as-of date can't be read" in words(dialog)
    assert not dialog.start_button.isEnabled()


def test_a_search_that_cannot_work_is_refused_in_the_composer(
    window: MainWindow, page: RunsPage, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    monkeypatch.delenv("EXA_API_KEY", raising=False)
    dialog = composer(window, page)
    dialog.search.kind.setCurrentIndex(1)
    looks_again(window)
    assert "Searching with Exa needs a key" in words(dialog)
    dialog.search.kind.setCurrentIndex(2)
    looks_again(window)
    assert dialog.search.folder.isVisible()
    assert "Local search needs a folder of documents" in words(dialog)
    nowhere = tmp_path / "nowhere"
    dialog.search.folder.setText(str(nowhere))
    qtbot.waitUntil(lambda: f"There is no folder {nowhere}." in words(dialog), timeout=60_000)
    nowhere.mkdir()
    (nowhere / "picture.png").write_bytes(b"none that is read")
    dialog.search.changed.emit()
    qtbot.waitUntil(lambda: f"There is no document in {nowhere}." in words(dialog), timeout=60_000)
    assert not dialog.start_button.isEnabled()
    (nowhere / "news.txt").write_text("A document.", encoding="utf-8")
    dialog.search.changed.emit()
    qtbot.waitUntil(lambda: "There is no document" not in words(dialog), timeout=60_000)


def test_search_settings_are_part_of_what_is_planned(window: MainWindow, page: RunsPage, qtbot: QtBot) -> None:
    """Results, characters and undated results as chosen; the defaults leave a configuration as it was."""
    assert window.context is not None
    accept(window.context.database, "evening")
    dialog = composer(window, page)
    assert dialog.outlook is not None
    assert "search_results" not in dialog.outlook.plan[0][0].settings
    assert not dialog.search.keep_undated.isVisible()
    dialog.search.results.setValue(5)
    dialog.search.characters.setValue(2_000)
    dialog.search.as_of.setText("2026-05-01")
    assert dialog.search.keep_undated.isVisible()
    dialog.search.keep_undated.setChecked(False)
    qtbot.waitUntil(lambda: bool(dialog.outlook and dialog.outlook.plan and dialog.outlook.plan[0][0].as_of))
    settings = dialog.outlook.plan[0][0].settings
    assert (settings["search_results"], settings["search_characters"], settings["search_keep_undated"]) == (
        "5",
        "2000",
        "0",
    )
    # Without an as-of day nothing is dropped for want of a date, whatever was ticked.
    assert SearchChoice(keep_undated=False).settings() == SearchSettings()


def test_the_pipeline_takes_a_limit_and_any_judge(
    window: MainWindow, page: RunsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judge and classifier with server and effort; a limit needs their prices."""
    assert window.context is not None
    accept(window.context.database, "evening")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    like_the_demo(window)
    window.commands.action("runs.pipeline").trigger()
    dialog = page.findChild(PipelineDialog)
    assert dialog is not None
    settle(window.job_runner)
    judge = dialog._judge
    judge._kind.setCurrentIndex(judge._kind.findData("openai"))
    judge._name.setText("house-judge")
    judge._address.setText("http://127.0.0.1:9/v1")
    judge._effort.setCurrentIndex(judge._effort.findData("low"))
    dialog._limit.setValue(3.0)
    qtbot.waitUntil(lambda: "needs the price of “house-judge”" in words(dialog))
    assert not dialog.start_button.isEnabled()
    dialog._limit.setValue(0)
    qtbot.waitUntil(lambda: dialog.start_button.isEnabled())
    assert dialog.draft is not None
    assert dialog.draft.max_cost is None
    assert (dialog.draft.judge.name, dialog.draft.judge.base_url) == ("house-judge (low)", "http://127.0.0.1:9/v1")
    judge._kind.setCurrentIndex(judge._kind.findData("recorded"))
    dialog._limit.setValue(3.0)
    qtbot.waitUntil(lambda: bool(dialog.draft and dialog.draft.max_cost == 3.0))


def test_a_pipeline_without_anything_to_do_says_what_to_do(window: MainWindow, page: RunsPage) -> None:
    like_the_demo(window)
    window.commands.action("runs.pipeline").trigger()
    dialog = page.findChild(PipelineDialog)
    assert dialog is not None
    settle(window.job_runner)
    assert "Accept probes on the Review page" in words(dialog)
    assert not dialog.start_button.isEnabled()


def test_the_pipeline_may_have_the_direct_probes_written(
    window: MainWindow, page: RunsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    """The template is the default; who writes is asked only when a model is to."""
    assert window.context is not None
    accept(window.context.database, "evening")
    like_the_demo(window)
    window.commands.action("runs.pipeline").trigger()
    dialog = page.findChild(PipelineDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.start_button.isEnabled, timeout=30_000)
    assert dialog.draft is not None
    assert dialog.draft.pairer is None
    assert dialog._pairer.isHidden()
    dialog._by_model.setChecked(True)
    assert not dialog._pairer.isHidden()
    qtbot.waitUntil(lambda: bool(dialog.draft and dialog.draft.pairer), timeout=30_000)
    dialog._pairer.set_replies(tmp_path / "missing.jsonl")
    qtbot.waitUntil(lambda: "The writer of direct probes can't be asked" in words(dialog), timeout=30_000)
    assert not dialog.start_button.isEnabled()


def test_the_pipeline_is_forecast_stage_by_stage(
    window: MainWindow, page: RunsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    assert window.context is not None
    accept(window.context.database, "evening")
    activate(window, qtbot)
    like_the_demo(window)
    QTest.keyClick(window, Qt.Key.Key_W)
    dialog = page.findChild(PipelineDialog)
    assert dialog is not None
    settle(window.job_runner)
    # Three probes, asked three times without search by two models.
    assert "1. Answer without search: 18" in words(dialog)
    assert "7. Classify the failures" in words(dialog)
    assert dialog.start_button.isEnabled()
    dialog._judge.set_replies(tmp_path / "missing.jsonl")
    looks_again(window)
    assert "The judge can't be asked" in words(dialog)
    assert not dialog.start_button.isEnabled()
    dialog.reject()
    assert RunStore(window.context.database).ids() == []


def test_a_row_and_the_log_tell_of_a_configuration(window: MainWindow, page: RunsPage, qtbot: QtBot) -> None:
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    add_answer(database, store.get(store.ids()[0]), make_trajectory())
    (run_id,) = RunStore(database).ids()
    [progress] = RunStore(database).progress(run_id)
    log = RunLogStore(database)
    log.add(run_id, "429: asked again 7 times", progress.configuration_id)
    log.count_retries(run_id, {(progress.configuration_id, "429"): 7})
    page.activate()
    settle(window.job_runner)
    cells = [cell.text for cell in page._rows._configurations.cells(0)]
    assert (cells[2], cells[3], cells[6]) == ("1/1", "1 answered", "7")
    window.commands.action("runs.log").trigger()
    assert page._log_view.isVisible()
    assert window.commands.action("runs.log").text() == "Show configurations"
    assert "429: asked again 7 times" in page._log_view._text.toPlainText()
    name = page._rows.visualRect(page._rows.model().index(0, 0)).center()
    QTest.mouseClick(page._rows.viewport(), Qt.MouseButton.LeftButton, pos=name)
    settle(window.job_runner)
    cases = window.current_page
    assert isinstance(cases, CasesPage)


def test_the_composer_forecasts_before_anything_is_planned(window: MainWindow, page: RunsPage, qtbot: QtBot) -> None:
    assert window.context is not None
    database = window.context.database
    accept(database, "evening")
    activate(window, qtbot)
    like_the_demo(window)
    QTest.keyClick(window, Qt.Key.Key_N)
    dialog = page.findChild(RunDialog)
    assert dialog is not None
    settle(window.job_runner)
    # The demo's two models at two efforts, three accepted probes.
    assert "3 probes × 4 configurations = 12 answers" in words(dialog)
    # Recordings take seconds, and cost nothing.
    told = dialog._details.text()
    assert "About 78 model calls, 66 searches" in told
    assert "nothing is paid for" in told
    assert "$" not in told
    assert dialog.outlook is not None
    assert dialog.outlook.forecast.seconds < 60
    dialog._models[0][0].setChecked(False)
    settle(window.job_runner)
    assert "3 probes × 2 configurations = 6 answers" in words(dialog)
    dialog._harnesses[1][0].setChecked(True)
    settle(window.job_runner)
    assert "= 6 answers" in words(dialog)
    assert "has no native search" in words(dialog)
    for box, _ in dialog._kinds:
        box.setChecked(False)
    settle(window.job_runner)
    assert "No probe fits" in words(dialog)
    assert not dialog.start_button.isEnabled()
    dialog.reject()
    assert RunStore(database).ids() == []


@pytest.mark.slow
def test_a_run_goes_from_the_composer_to_stored_answers(
    window: MainWindow,
    page: RunsPage,
    qtbot: QtBot,
    tmp_path: Path,
    lent_to_all: None,
    lent_worker: LentWorker,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    assert window.context is not None
    # Nothing is heard of the worker until the run has been paused and gone on: its end can't come before that.
    is_let_through, next_event = threading.Event(), lent_worker.next_event
    request.addfinalizer(is_let_through.set)
    monkeypatch.setattr(lent_worker, "next_event", lambda s: next_event(s) if is_let_through.wait(s) else None)
    database = window.context.database
    accept(database, "evening")
    store = ProbeStore(database)
    keys = [store.get(probe_id).key for probe_id in store.ids(ProbeQuery(statuses=(ReviewStatus.ACCEPTED,)))]
    folder = write_recordings(tmp_path / "replay", [behaviour(key) for key in keys[:2]])
    like_the_demo(window)
    window.commands.action("runs.new").trigger()
    dialog = page.findChild(RunDialog)
    assert dialog is not None
    dialog._read_folder(folder)
    settle(window.job_runner)
    dialog._name.setText("Trial")
    settle(window.job_runner)
    dialog.start_button.click()
    qtbot.waitUntil(lambda: {"pause", "cancel", "stop"} <= enabled(window))
    window.commands.action("runs.pause").trigger()
    assert next(iter(page._drivers.values())).is_paused
    window.commands.action("runs.pause").trigger()
    is_let_through.set()
    qtbot.waitUntil(lambda: not page._drivers and not window.job_runner.jobs())
    (run_id,) = RunStore(database).ids()
    summary = read_summary(database, run_id)
    # The third probe has no recording: that is a failed answer, with its reason.
    assert (summary.ending(Ending.ANSWERED), summary.ending(Ending.FAILED), summary.unjudged) == (2, 1, 2)
    assert len(AnswerStore(database).ids(run_id)) == 3
    assert "3 of 3 answers" in words(page)
    assert "2 answers to judge" in words(page)


def test_judging_asks_for_the_recorded_replies(window: MainWindow, page: RunsPage, tmp_path: Path) -> None:
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    probes = [store.get(probe_id) for probe_id in store.ids(ProbeQuery(contains="evening"))]
    add_answers(database, probes[0], [make_trajectory(), make_trajectory("Nobody comes to mind.")])
    page.activate()
    settle(window.job_runner)
    window.commands.action("runs.judge").trigger()
    dialog = page.findChild(AskDialog)
    assert dialog is not None
    assert "“Test run”: 2 answers without a label." in words(dialog)
    settle(window.job_runner)
    dialog._kind.setCurrentIndex(dialog._kind.findData("recorded"))
    dialog._path.setText(str(tmp_path / "missing.jsonl"))
    assert not dialog.go_button.isEnabled()
    reply = {"rationale": "Fine.", "names_entity": True, "label": "correct"}
    subject = f"judge/{probes[0].key}/Model A/high/1"
    (tmp_path / "replies.jsonl").write_text(json.dumps({"subject": subject, "reply": reply}), encoding="utf-8")
    dialog._path.setText(str(tmp_path / "replies.jsonl"))
    dialog.accept()
    settle(window.job_runner)
    assert "1 judged · 1 without a reply" in window.job_bar.message.text()
    error = window.findChild(ErrorDialog)
    assert error is not None
    assert "no recorded reply" in error.message.text()
    error.close()
    assert "1 answer to judge" in words(page)


def test_broken_recordings_are_refused(tmp_path: Path, filled: Database) -> None:
    (tmp_path / "agents.jsonl").write_text("no JSON\n", encoding="utf-8")
    with pytest.raises(RunError, match=r"Line 1 of agents\.jsonl"):
        read_offers(filled, tmp_path)


def test_replies_beside_a_project_are_offered_only_where_there_are_some(
    window: MainWindow, page: RunsPage, tmp_path: Path
) -> None:
    """A run of a real model is planned with the folder of its project, in which nothing is recorded."""
    assert window.context is not None
    store = ProbeStore(window.context.database)
    probe = store.get(store.ids(ProbeQuery(contains="evening"))[0])
    add_answers(window.context.database, probe, [make_trajectory("An answer.")], make_configuration("GPT-5.4"))
    page.activate()
    settle(window.job_runner)
    (summary,) = (each for each in page._summaries.values() if each.unjudged)
    for kind in ("gemini", "recorded"):
        page._machines.ask_to_judge(summary, tmp_path)
        settle(window.job_runner)
        dialog = next(each for each in page.findChildren(AskDialog) if each.isVisible())
        assert dialog.choice.kind == kind
        dialog.reject()
        (tmp_path / "judge.jsonl").write_text("", encoding="utf-8")


def test_a_real_judge_in_the_window(
    window: MainWindow, page: RunsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key nothing starts; with one there is a forecast with its cost, kin are warned of, limits hold."""
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    probe = store.get(store.ids(ProbeQuery(contains="evening"))[0])
    add_answers(database, probe, [make_trajectory(f"Answer {n}.") for n in range(6)], make_configuration("GPT-5.4"))
    page.activate()
    settle(window.job_runner)
    window.commands.action("runs.judge").trigger()
    dialog = page.findChild(AskDialog)
    assert dialog is not None
    settle(window.job_runner)
    # models.toml names a judge: it is proposed, since the app's recordings know nothing of this project.
    assert (dialog.choice.kind, dialog.choice.model) == ("gemini", "gemini-3.5-flash-lite")
    dialog._kind.setCurrentIndex(dialog._kind.findData("openai"))
    assert dialog.choice.model == ""
    dialog._name.setText("gpt-5.4-mini")
    assert not dialog.go_button.isEnabled()
    assert "There is no key: set OPENAI_API_KEY" in words(dialog)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    reply = json.dumps({"rationale": "Fine.", "names_entity": True, "label": "correct"})
    message = {"role": "assistant", "content": reply}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
    with HttpReplies(Prepared(body)) as server:
        dialog._address.setText(f"{server.address}/v1")
        qtbot.waitUntil(lambda: "6 calls" in dialog.forecast_label.text())
        assert "the price is not known" in dialog.forecast_label.text()
        assert "Judge gpt-5.4-mini and evaluated model GPT-5.4 are of one family (GPT)" in dialog.warning_label.text()
        dialog._limit.setValue(4.0)
        assert dialog.go_button.toolTip() == "A spending limit needs the price of the model."
        dialog._price_in.setValue(1_000)
        dialog._price_out.setValue(1_000)
        qtbot.waitUntil(lambda: "dollars" in dialog.forecast_label.text())
        assert dialog.go_button.isEnabled()
        dialog.accept()
        settle(window.job_runner)
        assert 1 <= len(server.received) <= 3
    assert f"{len(server.received)} judged" in window.job_bar.message.text()
    assert f"{6 - len(server.received)} left by the spending limit" in window.job_bar.message.text()


@pytest.mark.parametrize(
    ("dialog_class", "module"),
    [(RunDialog, "run_dialog.look_ahead"), (PipelineDialog, "pipeline_dialog.look_ahead_pipeline")],
)
def test_edits_in_quick_succession_make_no_heap_of_forecasts(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, dialog_class: type[RunDialog], module: str
) -> None:
    assert window.context is not None
    dialog = dialog_class(window.context, window)
    dialog.show()
    settle(window.job_runner)
    monkeypatch.setattr(latest_job, "PATIENCE_SECONDS", 0.0)
    go, asked = threading.Event(), []

    def slow(*_: object) -> object:
        asked.append(threading.get_ident())
        assert go.wait(60)
        raise RunError("None.", "")

    monkeypatch.setattr(f"btc_gui.ui.widgets.{module}", slow)
    for number in range(2, 12):
        dialog._at_once.setValue(number)
        dialog._forecast()
    assert len([job for job in window.job_runner.jobs() if job.title == "Forecast"]) == 1
    go.set()
    settle(window.job_runner)
    assert "None." in words(dialog)
    assert len(asked) <= 3
    dialog.close()


def test_a_run_that_goes_is_not_started_again_and_stays_in_hand(
    window: MainWindow, page: RunsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """“Retry” and “Start” in quick succession: one run goes, and it can be stopped until its end."""
    assert window.context is not None
    database = window.context.database
    probe = ProbeStore(database).get(ProbeStore(database).ids()[0])
    run_id = add_run(database, [probe])
    page.activate()
    settle(window.job_runner)
    go, calls = threading.Event(), []

    def goes_on(*_: object, **__: object) -> None:
        calls.append(1)
        assert go.wait(60)

    monkeypatch.setattr(run_driver, "run_evaluation", goes_on)
    summary = read_summary(database, run_id)
    page.drive(summary, None)
    first = page._driver
    page.drive(summary, None)
    assert page._driver is first
    page._show_current()
    assert {"pause", "cancel", "stop"} <= enabled(window)
    go.set()
    qtbot.waitUntil(lambda: not page._drivers)
    settle(window.job_runner)
    assert calls == [1]


def test_a_run_that_goes_on_tells_all_of_it_and_what_is_new(
    window: MainWindow, page: RunsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R1: answers, tokens and cost are those of all sessions; beside them stands what came in this one."""
    assert window.context is not None
    database = window.context.database
    store = ProbeStore(database)
    run_id = add_run(database, list(store.fetch(store.ids()[:3]).values()))
    run_builders.add_answer(database, run_id, run_builders.make_trajectory(usage=Usage(input=3_000_000), cost=3.0))
    page.activate()
    settle(window.job_runner)
    go = threading.Event()

    def goes_on(*_: object, **__: object) -> RunOutcome:
        assert go.wait(60)
        return RunOutcome(1, {}, 1, is_cancelled=False)

    monkeypatch.setattr(run_driver, "run_evaluation", goes_on)
    page.drive(read_summary(database, run_id), None)
    qtbot.waitUntil(lambda: "1 of 3 answers · 0 in this session" in words(page))
    run_builders.add_answer(database, run_id, run_builders.make_trajectory(usage=Usage(input=1_000_000), cost=1.0))
    page.activate()
    qtbot.waitUntil(lambda: "2 of 3 answers · 1 in this session" in words(page))
    (row,) = read_summary(database, run_id).configurations
    assert (row.usage.total, row.cost) == (4_000_000, 4.0)
    go.set()
    qtbot.waitUntil(lambda: not page._drivers)
    settle(window.job_runner)


def test_the_page_follows_what_the_job_bar_does_with_a_run_and_says_what_is_left(
    window: MainWindow, page: RunsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.context is not None
    database = window.context.database
    run_id = add_run(database, [ProbeStore(database).get(ProbeStore(database).ids()[0])])
    page.activate()
    settle(window.job_runner)
    go = threading.Event()

    def goes_on(*_: object, **__: object) -> RunOutcome:
        assert go.wait(60)
        return RunOutcome(0, {}, 1, is_cancelled=True)

    monkeypatch.setattr(run_driver, "run_evaluation", goes_on)

    def offered() -> list[str]:
        """What the page's button says that starts the run, holds it or lets it go on: there is one."""
        return [page._buttons[name].text() for name in ("start", "pause") if page._buttons[name].isVisible()]

    assert offered() == ["Start"]
    driver = page.drive(read_summary(database, run_id), None)
    assert offered() == ["Pause"]
    driver.job.set_paused(True)
    assert offered() == ["Go on"]
    assert "paused" in words(page)
    driver.job.cancel()
    assert offered() == ["Pause"]
    assert "stopping" in words(page)
    assert enabled(window) == {"stop"}
    assert window.commands.action("runs.pause").toolTip() == "It is stopping already."
    go.set()
    qtbot.waitUntil(lambda: not page._drivers)
    settle(window.job_runner)
    assert offered() == ["Start"]
    assert window.job_bar.message.text() == "Stopped: 1 answer still to come."
