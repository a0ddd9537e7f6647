"""`btc-gui documents`, and the options of evaluate that choose a search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from btc_gui.cli import main
from btc_gui.errors import BtcError
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_recordings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "2026-05-01 old.txt").write_text("The mayor is Ada Example.")
    (folder / "2026-06-01 new.txt").write_text("The mayor is Ben Sample.")
    return folder


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_index_says_what_it_holds_and_what_it_left_out(folder: Path) -> None:
    first = _run("documents", "index", folder)
    assert (first.exit_code, first.stdout[:47]) == (0, "2 files, 2 documents, 2 passages: indexed in 0.")
    (folder / "bad.txt").write_bytes(b"\xff\xff")
    (folder / "rows.jsonl").write_text("[]\n" * 30)
    second = _run("documents", "index", folder)
    assert second.exit_code == 1
    assert "Left out: bad.txt: it is not UTF-8." in second.stdout
    assert second.stdout.endswith("Left out: 11 more.\n")
    report = json.loads(_run("documents", "index", folder, "--json").stdout)
    assert (report["documents"], report["refusals"], report["is_new"]) == (2, 31, False)


def test_search_shows_what_an_agent_would_get(folder: Path) -> None:
    found = _run("documents", "search", folder, "who is mayor", "--as-of", "2026-05-09")
    assert found.stdout == (
        "[1] 2026-05-01 old  (2026-05-01)  local:///2026-05-01%20old.txt\n    The mayor is Ada Example.\n"
        "Dropped: 1, published after 2026-05-09.\n"
    )
    told = json.loads(_run("documents", "search", folder, '"mayor" -ada', "--results", 1, "--json").stdout)
    assert (len(told["results"]), told["dropped"]) == (1, 0)
    assert _run("documents", "search", folder, "???").stdout == "No results.\n"


@pytest.mark.parametrize("words", [("index", "nowhere"), ("search", "nowhere", "who")])
def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    refused = _run("documents", words[0], tmp_path / words[1], *words[2:])
    assert isinstance(refused.exception, BtcError)


def test_evaluate_plans_with_the_search_that_was_chosen(
    database: Database, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_probe(database, add_event(database), key="p1")
    replay = write_recordings(tmp_path / "replay", [behaviour("p1")])
    planned: list[dict[str, str]] = []

    def not_now(opened: Database, run_id: object, *_: object, **__: object) -> None:
        store = RunStore(opened)
        (each,) = store.configurations().values()
        planned.append({"search": each.search, "as_of": each.as_of, **each.settings})
        raise BtcError("Not now.")

    monkeypatch.setattr("btc_gui.cli.evaluate.run_evaluation", not_now)
    monkeypatch.setattr("btc_gui.cli.evaluate.choose_probes", lambda *_: [(1, 1)])
    options = ("--search-folder", folder, "--as-of", "2026-05-09", "--results", 3, "--drop-undated")
    _run("evaluate", "-p", database.path, "--replay", replay, *options)
    digest = json.loads(_run("documents", "index", folder, "--json").stdout)["digest"]
    assert planned[0].pop("cutoff")
    assert planned == [
        {
            "search": "local",
            "as_of": "2026-05-09",
            "search_results": "3",
            "search_keep_undated": "0",
            "search_folder": str(folder.resolve()),
            "search_documents": digest,
        }
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--as-of", "May"), "The as-of date can't be read"),
        (("--as-of", "2026-05"), "is not a full day"),
        (("--search", "local"), "Local search needs a folder of documents"),
        (("--search-folder", "/nowhere"), "There is no folder /nowhere"),
    ],
)
def test_evaluate_refuses_a_search_that_can_not_be(database: Database, options: tuple[str, ...], message: str) -> None:
    refused = _run("evaluate", "-p", database.path, *options)
    assert isinstance(refused.exception, BtcError)
    assert message in str(refused.exception)


def test_paid_models_do_not_replay_the_demos_searches(database: Database) -> None:
    add_probe(database, add_event(database), key="p1")
    model = next(each.name for each in available_models(database) if not each.is_scripted)
    refused = _run("evaluate", "-p", database.path, "--model", model)
    assert "replays searches, but no recordings are named" in str(refused.exception)
    assert RunStore(database).ids() == []
