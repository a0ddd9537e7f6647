"""`btc-gui collect`: from nothing to events with articles, and what moved later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from btc_gui.cli import main
from btc_gui.settings import Settings, save_settings
from btc_gui.store.database import Database
from tests.builders import add_event
from tests.fakes.mediawiki import mediawiki
from tests.fakes.service_faults import FaultyServer
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import World, make_world

Run = Callable[..., Result]
WINDOW = ("--from", "2026-02-01", "--to", "2026-02-05")


@pytest.fixture
def world() -> World:
    made = make_world(6, 0, date(2026, 2, 1), 5)
    made.dead[5].precision = 10
    return made


@pytest.fixture
def queries(world: World) -> QueryWorld:
    return QueryWorld(world.tables())


@pytest.fixture
def server(queries: QueryWorld, world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    with wdqs(queries) as made, mediawiki(world.wiki()) as wiki:
        monkeypatch.setenv("WDQS_BASE_URL", f"{made.address}/sparql")
        monkeypatch.setenv("WIKIDATA_BASE_URL", f"{wiki.address}/w/api.php")
        monkeypatch.setenv("WIKIPEDIA_BASE_URL", f"{wiki.address}/w/api.php")
        yield made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "p.btc"
    Database.create(path).close()
    return path


@pytest.fixture
def run(project: Path, server: FaultyServer) -> Run:
    save_settings(Settings(reviewer="mara", operator_contact="curator@example.org"))

    def go(*words: str) -> Result:
        return CliRunner().invoke(main, ["collect", *words, "-p", str(project)], catch_exceptions=True)

    return go


def test_collecting_says_every_number(run: Run) -> None:
    """The funnel for people and for machines; the same again asks nothing."""
    found = run("demise", *WINDOW)
    assert found.exit_code == 0, found.output
    assert "6 rows, 5 events (5 new, 0 known)" in found.output
    assert "−1" in found.output
    report = json.loads(run("demise", *WINDOW, "--json").stdout)
    assert (report["read"], report["kept"], report["new"], report["known"]) == (6, 5, 0, 5)
    assert sum(step["dropped"] for step in report["funnel"]) == 1
    assert report["data_date"].startswith("2026-11-30")


def test_a_dry_run_asks_nothing(run: Run, server: FaultyServer) -> None:
    """It says what would be asked, before and after."""
    forecast = json.loads(run("demise", *WINDOW, "--dry-run", "--json").stdout)
    assert (forecast["stretches"], forecast["to_ask"], forecast["is_complete"]) == (5, 5, False)
    assert server.asked == []
    run("demise", *WINDOW)
    assert "collected already" in run("demise", *WINDOW, "--dry-run").output


def test_bad_days_are_sentences_and_the_same_command_goes_on(run: Run, server: FaultyServer) -> None:
    """A ban, then later the rest; a refusal is exit code 2 and no traceback."""
    server.give_faults("ok", "ok", "ban")
    found = run("demise", *WINDOW)
    assert found.exit_code != 0
    assert "banned this program until" in str(found.exception)
    assert "not complete" in run("list").output
    assert "nothing is decided yet" in str(run("dropped", "1").exception)
    forecast = json.loads(run("demise", *WINDOW, "--dry-run", "--json").stdout)
    assert (forecast["answered"], forecast["to_ask"]) == (1, 4)


def test_dropped_rows_are_listed_and_put_back(run: Run, world: World) -> None:
    """With a note; then it is an event."""
    run("demise", *WINDOW)
    (row,) = json.loads(run("dropped", "1", "--json").stdout)
    assert "No row was dropped at this step" in run("dropped", "1", "--step", "human").output
    refused = run("dropped", "1", "--step", "nonsense").exception
    assert "no step “nonsense”" in str(refused)
    assert "day_precision" in str(refused)
    assert (row["name"], row["can_be_put_back"]) == (world.dead[5].name, True)
    assert row["reason"]
    noted = ("put-back", "1", row["key"], "--note", "The obituary has the day")
    assert run("put-back", "1", row["key"]).exit_code != 0
    assert "an event needs its day" in str(run(*noted).exception)
    assert "is event 6 now" in run(*noted, "--date", "2026-02-03").output
    asked_again = run("verify", "demise")
    assert (asked_again.exit_code, asked_again.output.splitlines()[-1]) == (0, "Nothing waits.")
    assert "event 6 stays" in run("put-back", "1", row["key"], "--withdraw").output
    assert run("put-back", "1", row["key"], "--withdraw").exit_code != 0
    assert json.loads(run("list", "--json").stdout)[0]["events"] == 6


def test_articles_and_asking_again(run: Run, world: World, queries: QueryWorld) -> None:
    """Articles as of before the window; later one date has moved, and the correction is taken."""
    run("demise", *WINDOW)
    report = json.loads(run("articles", "--json").stdout)
    assert (report["fetched"], report["failed"], report["leaking"]) == (5, [], 0)
    world.dead[0].end = "2026-02-02"
    queries.tables = world.tables()
    found = run("verify", "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["categories"]["demise"]["movements"]["date corrected"] == 1
    (entry,) = json.loads(run("moved", "--json").stdout)
    assert (entry["date"], entry["date_now"]) == ("2026-02-01", "2026-02-02")
    taken = run("moved", "--take", str(entry["entry"]))
    assert taken.exit_code == 0
    assert "Nothing waits" in taken.output
    assert "is rejected, and 0 of its probes" in run("reject", "1", "--note", "A hoax").output
    assert "is in again" in run("reject", "1", "--restore").output


def test_asking_again_names_only_categories_with_events(run: Run) -> None:
    """Others are named when they were asked for."""
    assert run("verify").output.splitlines()[-1] == "Nothing waits."
    run("demise", *WINDOW)
    lines = run("verify").output
    assert "demise: 5 events asked about" in lines
    assert "tenure:" not in lines
    assert "tenure: no events here" in run("verify", "tenure").output


def test_ids_are_found_by_article(run: Run, project: Path, world: World) -> None:
    """Exit code 1 when some have no item."""
    with Database.open(project) as database:
        add_event(database, entity=world.dead[0].name, article=world.dead[0].name, date="2026-02-01")
        add_event(database, entity="Kale", article="Kale", date="2026-02-01")
    found = run("ids", "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["found"] == 1
    assert "0 ids found, 1 articles without an item" in run("ids").output


def test_wrong_use_is_refused(run: Run, server: FaultyServer) -> None:
    """Unknown categories, impossible windows, no contact."""
    assert run("wedding", *WINDOW).exit_code == 2
    assert run("demise", "--from", "yesterday", "--to", "2026-02-05").exit_code == 2
    assert "before the first" in str(run("demise", "--from", "2026-02-05", "--to", "2026-02-01").exception)
    assert "contact" in str(run("demise", *WINDOW, "--contact", "").exception)
    assert "can't be collected" in str(run("verify", "wedding").exception)
    assert server.asked == []
    assert {"demise", "tenure", "articles", "verify"} <= set(CliRunner().invoke(main, ["collect", "-h"]).output.split())
