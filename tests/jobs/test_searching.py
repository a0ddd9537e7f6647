"""Evaluations whose agents search in documents or with Exa, in the real worker; and the same again offline."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.configuration import Effort
from btc_gui.domain.run import RunId
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.domain.shard import Shard
from btc_gui.domain.trajectory import Ending, Trajectory
from btc_gui.errors import RunError
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.search.opening import with_documents
from btc_gui.jobs.load_logs import load_logs
from btc_gui.jobs.run_evaluation import log_folder, plan_run, run_evaluation
from btc_gui.jobs.run_shards import run_shard
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.fakes.exa import exa_error, exa_reply, exa_result
from tests.recordings import behaviour, write_recordings
from tests.run_builders import make_recipe
from tests.shared_worker import SharedServices


@pytest.fixture
def desk(services: SharedServices, monkeypatch: pytest.MonkeyPatch) -> SharedServices:
    """The worker whose Exa is the loopback server; the key is set here as well."""
    monkeypatch.setenv("EXA_API_KEY", services.keys["EXA_API_KEY"])
    return services


def _plan(database: Database, search: SearchSettings) -> RunId:
    event = add_event(database)
    probe = add_probe(database, event, key=f"p{event}")
    configuration = shared_configuration("Larkspur-2", Effort.LOW, search=search)
    return plan_run(database, "", [configuration], [(probe.id, probe.revision_id)], 1, "tests", make_recipe())


def _recordings(folder: Path, queries: list[str], searches: bool = False) -> Path:
    behaviours = [behaviour(f"p{number}", [queries]) for number in (1, 2, 3)]
    write_recordings(folder, behaviours)
    if not searches:
        (folder / "searches.jsonl").unlink()
    return folder


def _run(
    database: Database, run_id: RunId, replay: Path, desk: SharedServices, progress: Progress | None = None
) -> Trajectory:
    run_evaluation(database, run_id, replay, progress or Progress(), start_worker=lambda _: desk.worker)
    answers = AnswerStore(database)
    (answer_id,) = answers.ids(run_id)
    return answers.trajectory(answer_id)


def _documents(folder: Path) -> Path:
    folder.mkdir()
    (folder / "2026-05-01 before.txt").write_text("The mayor of Exampleton is Ada Example.")
    (folder / "2026-05-20 after.txt").write_text("The new mayor of Exampleton: mayor Ben Sample.")
    (folder / "2026-05.md").write_text("# Sometime in May\n\nExampleton's mayor resigned.")
    (folder / "about.txt").write_text("Exampleton has a mayor. 市長 🎉")
    return folder


def test_an_agent_searches_a_folder_as_of_a_day(database: Database, tmp_path: Path, desk: SharedServices) -> None:
    folder = _documents(tmp_path / "documents")
    search = with_documents(SearchSettings(SearchKind.LOCAL, as_of="2026-05-09", folder=str(folder)))
    run_id = _plan(database, search)
    replay = _recordings(tmp_path / "replay", ["mayor of Exampleton", "市長は誰 🎉", '" NEAR(', "Zanzibar"])

    whole = _run(database, run_id, replay, desk)

    assert (whole.ending, whole.ending_reason, whole.cost) == (Ending.ANSWERED, "", None)
    first, second, *others = whole.queries
    assert {each.title: each.published for each in first.results} == {"2026-05-01 before": "2026-05-01", "about": ""}
    assert first.dropped == 2
    assert "Ben" not in first.output
    assert "[1] " in first.output
    assert [each.title for each in second.results] == ["about"]
    assert [(each.results, each.output, each.dropped) for each in others] == [((), "No results.", 0)] * 2
    # The agents live on the as-of day, whatever day it is.
    assert desk.worker.requests[0].system_prompt.startswith("Today's date is 2026-05-09.")

    # What was found can be replayed without the folder, and with another as-of.
    for file in folder.iterdir():
        file.unlink()
    (replay / "searches.jsonl").write_bytes((_logs(database, run_id) / "searches.jsonl").read_bytes())
    for later, dropped in (("2026-05-09", 2), ("2026-12-31", 0)):
        again = _run(database, _plan(database, SearchSettings(as_of=later)), replay, desk)
        assert again.queries[0].dropped == dropped
        assert (again.queries[0].output == first.output) is (dropped == 2)
        assert len(again.queries[0].results) == 4 - dropped


def _logs(database: Database, run_id: RunId) -> Path:
    return log_folder(database, RunStore(database).get(run_id))


def test_documents_that_changed_since_the_plan_are_refused(
    database: Database, tmp_path: Path, desk: SharedServices
) -> None:
    folder = _documents(tmp_path / "documents")
    run_id = _plan(database, with_documents(SearchSettings(SearchKind.LOCAL, folder=str(folder))))
    (folder / "about.txt").write_text("Something else.")
    with pytest.raises(RunError, match="have changed since the run was planned"):
        _run(database, run_id, _recordings(tmp_path / "replay", ["mayor"]), desk)
    assert desk.worker.requests == []


def test_an_agent_searches_with_exa_and_the_same_again_offline(
    database: Database, tmp_path: Path, desk: SharedServices
) -> None:
    desk.exa.give(exa_reply([exa_result(), exa_result("Undated", None), exa_result("Late", "2026-06-01")], 0.007))
    search = SearchSettings(SearchKind.EXA, characters=30, as_of="2026-05-09")
    run_id = _plan(database, search)
    replay = _recordings(tmp_path / "replay", ["who", "who else"])

    whole = _run(database, run_id, replay, desk)

    assert whole.cost == pytest.approx(0.014)
    assert [[each.title for each in step.results] for step in whole.queries] == [["A festival", "Undated"]] * 2
    assert whole.queries[0].dropped == 1
    assert whole.queries[0].results[0].excerpts == ("She spoke in March.", "A second p…")
    # A result without a date says so where days matter.
    assert "Published: unknown" in whole.queries[0].output
    assert len(desk.exa.received) == 2

    recording = _logs(database, run_id) / "searches.jsonl"
    assert [json.loads(line)["query"] for line in recording.read_text().splitlines()] in (
        ["who", "who else"],
        ["who else", "who"],
    )
    (replay / "searches.jsonl").write_bytes(recording.read_bytes())
    again = _run(database, _plan(database, replace(search, kind=SearchKind.REPLAY)), replay, desk)
    assert len(desk.exa.received) == 2
    assert again.cost is None
    assert [(step.text, step.output, step.dropped) for step in again.queries] == [
        (step.text, step.output, step.dropped) for step in whole.queries
    ]


def test_a_search_that_fails_is_seen_by_the_agent_and_the_sample_survives(
    database: Database, tmp_path: Path, desk: SharedServices
) -> None:
    desk.exa.give(exa_error(429, "slow down", retry_after="0"))
    replay = _recordings(tmp_path / "replay", ["who"])
    told: list[str] = []
    run_id = _plan(database, SearchSettings(SearchKind.EXA))
    whole = _run(database, run_id, replay, desk, Progress(lambda report: told.append(report.text)))
    assert (whole.ending, len(desk.exa.received)) == (Ending.ANSWERED, 4)
    assert told.count("Exa: Exa is busy (429), next try in 0 s") == 3
    (query,) = whole.queries
    assert query.error == "The search failed: Exa is busy (429) (tried 4 times)."
    assert (query.results, whole.cost) == ((), None)


def test_a_key_that_is_refused_ends_the_sample_with_that_reason(
    database: Database, tmp_path: Path, desk: SharedServices
) -> None:
    desk.exa.give(exa_error(401, f"Invalid API key: {desk.keys['EXA_API_KEY']}"))
    replay = _recordings(tmp_path / "replay", ["who"])
    whole = _run(database, _plan(database, SearchSettings(SearchKind.EXA)), replay, desk)
    assert (whole.ending, len(desk.exa.received)) == (Ending.FAILED, 1)
    assert (
        whole.ending_reason == "no search is possible: Exa refuses the key in EXA_API_KEY (401): Invalid API key: (key)"
    )


def test_a_run_whose_searches_are_all_refused_is_given_up(
    database: Database, tmp_path: Path, desk: SharedServices
) -> None:
    desk.exa.give(exa_error(402, "no credits left"))
    event = add_event(database)
    probes = [add_probe(database, event, key=f"p{number}") for number in range(1, 7)]
    replay = write_recordings(tmp_path / "replay", [behaviour(each.key, [["who"]]) for each in probes])
    configuration = shared_configuration("Larkspur-2", Effort.LOW, search=SearchSettings(SearchKind.EXA))
    items = [(each.id, each.revision_id) for each in probes]
    run_id = plan_run(database, "", [configuration], items, 1, "tests", make_recipe(at_once=1))
    with pytest.raises(RunError, match="no search is possible: the Exa account has no credit left"):
        run_evaluation(database, run_id, replay, Progress(), start_worker=lambda _: desk.worker)
    left = len(RunStore(database).pending(run_id))
    assert left >= 2
    assert len(desk.exa.received) == len(AnswerStore(database).ids(run_id)) == 6 - left


def test_a_missing_key_is_named_before_anybody_is_asked(
    database: Database, tmp_path: Path, desk: SharedServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EXA_API_KEY")
    run_id = _plan(database, SearchSettings(SearchKind.EXA))
    with pytest.raises(RunError, match="Set the environment variable EXA_API_KEY"):
        _run(database, run_id, _recordings(tmp_path / "replay", ["who"]), desk)
    assert desk.worker.requests == []
    assert len(RunStore(database).pending(run_id)) == 1


def test_a_shard_records_its_searches_beside_its_logs(database: Database, tmp_path: Path, desk: SharedServices) -> None:
    folder = _documents(tmp_path / "documents")
    run_id = _plan(database, with_documents(SearchSettings(SearchKind.LOCAL, folder=str(folder))))
    replay = _recordings(tmp_path / "replay", ["mayor of Exampleton"])
    place = str(tmp_path / "shared")
    run_shard(database, run_id, Shard(1, 1), place, replay, Progress(), start_worker=lambda _: desk.worker)
    (recording,) = (tmp_path / "shared").rglob("searches.jsonl")
    (line,) = recording.read_text().splitlines()
    assert json.loads(line)["query"] == "mayor of Exampleton"
    load_logs(database, [place], Progress(), author="tests", start_worker=lambda _: desk.worker)
    assert [
        len(each.queries[0].results) for each in map(AnswerStore(database).trajectory, AnswerStore(database).ids())
    ] == [4]
