"""`btc-gui evaluate` and `btc-gui runs`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from btc_gui.cli import main
from btc_gui.domain.probe import Probe, ProbeKind
from btc_gui.domain.review import Action
from btc_gui.domain.run import Purpose
from btc_gui.errors import BtcError, InputError, RunError
from btc_gui.store.database import Database
from btc_gui.store.imports import ImportStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_recordings
from tests.run_builders import make_recipe

_KEYS = [f"p{number}" for number in range(1, 9)]


@pytest.fixture
def probes(database: Database) -> list[Probe]:
    event = add_event(database)
    added = [add_probe(database, event, key=key, text=f"Speakers for {key}?") for key in _KEYS]
    for probe in added:
        ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    return added


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    agents = [behaviour(key, [["speakers autumn"]] * 6) for key in _KEYS]
    return write_recordings(tmp_path / "replay", [*agents, behaviour("p1", model="Juniper-Air", effort="high")])


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=True)


def _refusal(*words: object) -> BtcError:
    result = _run(*words)
    assert isinstance(result.exception, BtcError), result.output
    return result.exception


def test_a_log_of_others_is_not_tried_again(database: Database) -> None:
    recipe = make_recipe(purpose=Purpose.IMPORT)
    run_id = ImportStore(database).run_of_log("log-1", "sums", recipe, "tests")
    refusal = _refusal("evaluate", "-p", database.path, "--resume", run_id, "--retry-failed")
    assert "somebody else's log" in refusal.message
    assert refusal.remedy


def test_a_dry_run_says_what_it_would_take_and_plans_nothing(
    database: Database, probes: list[Probe], replay: Path
) -> None:
    result = _run("evaluate", "-p", database.path, "--replay", replay, "--dry-run", "--json", "--limit", 3)
    told = json.loads(result.stdout)
    assert [(row["model"], row["effort"], row["answers"]) for row in told["configurations"]] == [
        ("Larkspur-2", "low", 3),
        ("Juniper-Air", "high", 3),
    ]
    assert told["answers"] == 6
    assert RunStore(database).ids() == []
    text = _run("evaluate", "-p", database.path, "--replay", replay, "--dry-run", "--effort", "low").stdout
    assert text.startswith(
        "Larkspur-2 · low · shared: 8 answers, 32 calls, 24 searches, 96,000 tokens in, 12,000 out (assumed)"
    )
    assert "Nothing was run." in text


def test_only_probes_that_passed_the_review_are_put_to_agents(database: Database, replay: Path) -> None:
    event = add_event(database)
    accepted = add_probe(database, event, key="p1")
    ReviewStore(database).decide(accepted.id, accepted.revision_id, Action.ACCEPT, "tests")
    rejected = add_probe(database, event, key="p2", text="Another?")
    ReviewStore(database).decide(rejected.id, rejected.revision_id, Action.REJECT, "tests", reasons=("names_entity",))
    add_probe(database, event, key="p3", text="Not yet read?")
    add_probe(database, event, key="p4", text="Is Ada Example alive?", kind=ProbeKind.DIRECT)
    add_probe(database, add_event(database, entity="Bo Other"), key="p5", text="Is Bo?", kind=ProbeKind.DIRECT)

    def answers(*words: str) -> int:
        told = _run(
            "evaluate", "-p", database.path, "--replay", replay, "--model", "Larkspur-2", "--dry-run", "--json", *words
        )
        return int(json.loads(told.stdout)["answers"])

    assert answers() == 2
    assert answers("--kind", "indirect") == 1
    assert answers("--kind", "direct") == 1


def test_recordings_of_the_demo_are_not_played_to_probes_that_they_do_not_know(
    database: Database, probes: list[Probe]
) -> None:
    """Else every answer of a project of one's own would fail, one by one."""
    for words in ((), ("--model", "Larkspur-2"), ("--dry-run",)):
        refusal = _refusal("evaluate", "-p", database.path, *words)
        assert isinstance(refusal, InputError)
        assert "--model" in refusal.remedy
    assert RunStore(database).ids() == []


def test_wrong_wishes_are_refused_in_plain_words(database: Database, probes: list[Probe], replay: Path) -> None:
    base = ("evaluate", "-p", database.path, "--replay", replay)
    assert "Larkspur-2, Juniper-Air." in str(_refusal(*base, "--model", "GPT-9"))
    assert isinstance(_refusal(*base, "--effort", "medium"), InputError)
    assert "Its runs: none." in str(_refusal(*base, "--resume", "Autumn"))
    assert isinstance(_refusal(*base, "--model", "Juniper-Air", "--effort", "low"), RunError)
    assert isinstance(_refusal("evaluate", "-p", database.path, "--replay", replay / "no"), RunError)
    assert RunStore(database).ids() == []


def test_there_may_be_no_run_yet(database: Database) -> None:
    assert _run("runs", "-p", database.path).stdout == "There is no run yet.\n"
    assert json.loads(_run("runs", "-p", database.path, "--json").stdout) == {"runs": []}


#: In the program's own process: every turn of a scripted agent takes its time.
_SLOWLY = """
from dataclasses import replace
from btc_gui.jobs.run_session import RunSession
of = RunSession._requests
RunSession._requests = lambda self: [replace(each, latency=0.7) for each in of(self)]
"""


@pytest.mark.slow
def test_ctrl_c_lets_samples_finish_and_leaves_the_rest_to_resume(
    database: Database, probes: list[Probe], replay: Path
) -> None:
    # The first answer comes soon and the others take long: most have not begun when it is interrupted.
    write_recordings(replay, [behaviour(key, [["speakers autumn"]] * (0 if key == "p1" else 6)) for key in _KEYS])
    words = ["evaluate", "-p", str(database.path), "--replay", str(replay), "--json", "--at-once", "2"]
    new = [*words, "--name", "Autumn", "--model", "Larkspur-2"]
    process = subprocess.Popen(
        [sys.executable, "-c", f"{_SLOWLY}\nfrom btc_gui.app import main\nmain({new!r})"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    store = RunStore(database)
    deadline = time.monotonic() + 120
    while not (store.ids() and store.progress(store.ids()[0])[0].done):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    told = json.loads(output)
    assert told["cancelled"]
    assert told["by_ending"] == {"answered": told["stored"]}
    assert 0 < told["left"] == 8 - told["stored"]
    assert "Traceback" not in errors

    # Starting the engine once more is left to the tests of the job: here it only matters what would go on.
    forecast = json.loads(_run(*words, "--resume", "Autumn", "--dry-run").stdout)
    assert forecast["answers"] == told["left"]
    assert forecast["configurations"][0]["basis"] == "measured in this project"
    listed = _run("runs", "-p", database.path).stdout
    assert "1  Autumn" in listed
    assert f"Larkspur-2 · low · shared  {told['stored']} of 8  {told['stored']} answered" in listed
