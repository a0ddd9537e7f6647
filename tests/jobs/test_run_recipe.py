"""A run's recipe: everything that made it, in one file, and the same run again where the same probes are."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.hashing import hash_of, sha256
from btc_gui.domain.probe import Probe
from btc_gui.domain.run import RunId, RunRecipe
from btc_gui.domain.run_recipe_file import portable, sealed, unsealed
from btc_gui.errors import InputError, RunError
from btc_gui.evals.harness import shared_configuration, system_prompt_hash, system_prompt_template
from btc_gui.jobs.classify import classify
from btc_gui.jobs.judge import judge
from btc_gui.jobs.run_recipe import export_recipe, plan_recipe
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import set_project_models
from btc_gui.store.events import EventStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe, make_facts
from tests.case_builders import make_query, make_result, make_trajectory
from tests.jobs.test_judge import Judge, reply

MARKER = "sk-planted-marker-0123456789"
NATIVE = Configuration("GPT-5.4", Harness.NATIVE, Effort.LOW, settings={"engine_model": "openai/gpt-5.4"})


def _probes(database: Database) -> list[Probe]:
    return [
        add_probe(database, add_event(database, entity=name), f"Whom to ask, {name[0]}?", key=f"p{number}")
        for number, name in enumerate(("Ada Example", "Bo Sample", "Cy Instance"), 1)
    ]


@pytest.fixture
def run_id(database: Database) -> RunId:
    """Two configurations with probes of their own, two repetitions; one answer, judged and classified."""
    one, two, three = _probes(database)
    shared = shared_configuration("Model A", Effort.LOW, cutoff="2025-09")
    items = [(probe.id, probe.revision_id) for probe in (one, two, three)]
    run_id = RunStore(database).create_each(
        "Spring", RunRecipe("2026-07-15", at_once=3), [(shared, items[:2]), (NATIVE, items[1:])], 2, "Somebody"
    )
    search = [make_query("Ada Example", make_result("Old news."))]
    AnswerStore(database).add(RunStore(database).pending(run_id)[0].id, make_trajectory(queries=search))
    categories = load_categories(paths.resources() / "categories")
    judge(database, Judge(reply()), categories, Progress())
    found = {"rationale": "No.", "evidence": [], "queries": [{"query": 1, "label": "indirect"}]}
    classify(database, Judge(json.dumps(found), name="classifier-1"), categories, Progress())
    return run_id


def _recipe(database: Database, run_id: RunId) -> dict[str, Any]:
    return unsealed(export_recipe(database, run_id))


def _other(tmp_path: Path) -> Database:
    return Database.create(tmp_path / "other.btc", "Other")


def test_what_a_recipe_holds(database: Database, run_id: RunId) -> None:
    """Versions, prompts with their texts, models, configurations with their probes, dates, judge and classifier."""
    recipe = _recipe(database, run_id)
    assert {"btc_gui", "python", "inspect-ai", "openai", "google-genai", "anthropic"} <= set(recipe["versions"])
    run = recipe["run"]
    assert (run["name"], run["repetitions"], run["recipe"]["current_date"]) == ("Spring", 2, "2026-07-15")
    assert run["answers"]["count"] == 1
    shared, native = run["configurations"]
    assert (shared["model"], shared["settings"], shared["probes"]) == ("Model A", {"cutoff": "2025-09-30"}, [0, 1])
    assert (native["identity"], native["probes"]) == (NATIVE.identity, [1, 2])
    assert native["model_entry"]["family"] == "GPT"
    assert native["model_entry"]["price"]["output"] > 0
    assert [(each["key"], each["revision"], each["text_sha256"]) for each in run["probes"]] == [
        (f"p{number}", 1, sha256(f"Whom to ask, {letter}?")) for number, letter in ((1, "A"), (2, "B"), (3, "C"))
    ]
    assert recipe["prompts"][system_prompt_hash()] == system_prompt_template()
    machines = {each["role"]: each for each in recipe["machines"]}
    assert (machines["judge"]["name"], machines["classifier"]["name"]) == ("judge-1", "classifier-1")
    for machine, words in ((machines["judge"], "consistent with the change"), (machines["classifier"], "Boundaries")):
        (digest,) = machine["prompts"]
        assert words in recipe["prompts"][digest]
        assert sha256(recipe["prompts"][digest]) == digest


def test_what_is_planned_again_has_a_name_of_its_own(database: Database, run_id: RunId) -> None:
    """Commands find a run by its name: two of one name could not be told apart."""
    recipe = _recipe(database, run_id)
    planned = [plan_recipe(database, recipe, "Else").run_id for _ in range(2)]
    runs = RunStore(database).fetch(planned)
    assert [runs[each].name for each in planned] == ["Spring (2)", "Spring (3)"]


def test_the_file_is_the_same_each_time_and_tells_changes(database: Database, run_id: RunId) -> None:
    """Canonical JSON with its own SHA-256; a changed, foreign or newer file is refused."""
    text = export_recipe(database, run_id)
    assert export_recipe(database, run_id) == text
    whole = json.loads(text)
    assert text == json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    assert whole.pop("sha256") == hash_of(whole)
    for wrong, words in (
        (text.replace("2026-07-15", "2026-07-16"), "was changed after it was written"),
        (text[:-40], "is not JSON"),
        ("[]", "is not the recipe of a run"),
        (json.dumps({"format": "btc_gui run recipe", "version": 99}), "version 99"),
        (sealed({"prompts": {"0" * 64: "Another text."}}), "not the one of its hash"),
    ):
        with pytest.raises(InputError, match=words):
            unsealed(wrong)


def test_no_key_and_no_path_is_in_any_byte(
    database: Database, run_id: RunId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With keys in the environment, nothing that the commands write holds them, nor where this machine has things."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "EXA_API_KEY", "DASHSCOPE_API_KEY"):
        monkeypatch.setenv(name, MARKER)
    local = replace(NATIVE, model="Local", search="local", settings={"search_folder": str(tmp_path / "documents")})
    RunStore(database).create("Here", RunRecipe("2026-07-15"), [local], _any_item(database), 1, "Somebody")
    out = tmp_path / "out"
    for run in ("Spring", "Here"):
        words = ["recipe", "export", "-p", str(database.path), "--run", run, "--out", str(out / f"{run}.json")]
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0
        assert MARKER not in result.output
    database.close()
    written = [*out.iterdir(), *database.path.parent.glob("project.btc*")]
    assert len(written) >= 3
    for path in written:
        assert MARKER.encode() not in path.read_bytes(), path
    for path in out.iterdir():
        assert str(tmp_path).encode() not in path.read_bytes()
        assert str(Path.home()).encode() not in path.read_bytes()
    assert '"search_folder":"documents"' in (out / "Here.json").read_text(encoding="utf-8")


def _any_item(database: Database) -> list[Any]:
    row = database.read().execute("SELECT id, revision_id FROM probe LIMIT 1").fetchone()
    return [(row["id"], row["revision_id"])]


def test_a_key_in_the_settings_stops_the_export(
    database: Database, run_id: RunId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that somebody wrote into a model's entry is never carried on: no file is written at all."""
    set_project_models(database, f'[models."GPT-5.4"]\neffort.low = {{ extra_body = {{ auth = "{MARKER}" }} }}\n')
    leaky = replace(NATIVE, settings={**NATIVE.settings, "effort": json.dumps({"extra_body": {"auth": MARKER}})})
    RunStore(database).create("Leaky", RunRecipe("2026-07-15"), [leaky], _any_item(database), 1, "Somebody")
    monkeypatch.setenv("MY_OWN_API_KEY", MARKER)
    out = tmp_path / "leaky.json"
    with pytest.raises(RunError, match="would hold the value of MY_OWN_API_KEY"):
        CliRunner().invoke(
            main,
            ["recipe", "export", "-p", str(database.path), "--run", "Leaky", "--out", str(out)],
            catch_exceptions=False,
        )
    assert not out.exists()


def test_what_belongs_to_a_machine() -> None:
    """Folders shrink to their name, logins leave addresses, prose and JSON stay what they are."""
    before = {
        "folder": "/home/ada/documents/news",
        "url": "https://ada:secret@example.org:8000/v1?x=1",
        "prose": "/Look here:\nand there",
        "numbers": [1, None, 0.5, True, "a/b", "/"],
    }
    assert portable(before) == {
        "folder": "news",
        "url": "https://example.org:8000/v1?x=1",
        "prose": "/Look here:\nand there",
        "numbers": [1, None, 0.5, True, "a/b", "/"],
    }


def test_the_same_run_in_another_project(database: Database, run_id: RunId, tmp_path: Path) -> None:
    """The same configurations, wordings, repetitions and settings are planned; its recipe has the same run in it."""
    PromptStore(database).set("shared_system", "Own prompt: {current_date}, {cutoff}.")
    own = replace(
        shared_configuration("Model A", Effort.HIGH), prompt_hash=sha256("Own prompt: {current_date}, {cutoff}.")
    )
    mine = RunStore(database).create("Own", RunRecipe("2026-07-15"), [own], _any_item(database), 1, "Somebody")
    with _other(tmp_path) as other:
        _probes(other)
        recipe = _recipe(database, run_id)
        planned = plan_recipe(other, recipe, "Else")
        assert (planned.configurations, planned.samples, planned.notes) == (2, 8, ())
        again = _recipe(other, planned.run_id)
        for key in ("recipe", "repetitions", "configurations", "probes", "name"):
            assert again["run"][key] == recipe["run"][key]
        assert len(RunStore(other).pending(planned.run_id)) == 8
        dated = plan_recipe(other, recipe, "Else", name="Today", current_date="2026-08-01")
        assert RunStore(other).get(dated.run_id).recipe.current_date == "2026-08-01"
        assert dated.notes == ("The agents are told 2026-08-01, not 2026-07-15.",)
        plan_recipe(other, _recipe(database, mine), "Else")
        assert PromptStore(other).by_hash(own.prompt_hash) == "Own prompt: {current_date}, {cutoff}."


def test_what_differs_is_listed(database: Database, run_id: RunId, tmp_path: Path) -> None:
    """Missing probes, other wordings and other facts refuse the run, all of them named, and nothing is planned."""
    recipe = _recipe(database, run_id)
    with _other(tmp_path) as other:
        add_probe(other, add_event(other, entity="Ada Example"), "Whom to ask, A, today?", key="p1")
        event = add_event(other, entity="Bo Sample")
        add_probe(other, event, "Whom to ask, B?", key="p2")
        EventStore(other).revise(event, make_facts(entity="Bo Sample", date="2026-05-10"), author="tests")
        with pytest.raises(RunError) as refused:
            plan_recipe(other, recipe, "Else")
        for words in (
            "probe p1: has no such wording here",
            "probe p2: is about an event with other facts here",
            "probe p3: is not in the project",
        ):
            assert words in str(refused.value)
        assert RunStore(other).ids() == []


def test_other_versions_are_told(database: Database, run_id: RunId) -> None:
    """Another engine does not stand in the way, but is said; so is a local search without its folder refused."""
    recipe = _recipe(database, run_id)
    recipe["versions"]["inspect-ai"] = "0.3.1"
    assert any(note.startswith("inspect-ai was 0.3.1") for note in plan_recipe(database, recipe, "Else").notes)
    # Recipes of earlier versions also said who answers.
    recipe["run"]["recipe"]["provider"] = "scripted"
    assert plan_recipe(database, recipe, "Else").samples == 8
    changed = {**recipe["run"], "recipe": {**recipe["run"]["recipe"], "colour": "blue"}}
    with pytest.raises(InputError, match="does not know: colour"):
        plan_recipe(database, {**recipe, "run": changed}, "Else")
    recipe["run"]["configurations"][0].update(search="local", settings={"search_folder": "news"})
    with pytest.raises(RunError, match="--search-folder"):
        plan_recipe(database, recipe, "Else")
    planned = plan_recipe(database, recipe, "Else", search_folder="/data/news")
    assert any("another configuration here" in note for note in planned.notes)


def test_a_recipe_that_finds_no_room_leaves_the_old_file(
    database: Database, run_id: RunId, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "spring.json"
    out.write_text("as before", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    words = ["recipe", "export", "-p", str(database.path), "--run", "1", "--out", str(out)]
    with pytest.raises(InputError, match="No space left"):
        CliRunner().invoke(main, words, catch_exceptions=False)
    assert out.read_text(encoding="utf-8") == "as before"
    assert [path for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_the_commands(database: Database, run_id: RunId, tmp_path: Path) -> None:
    """Export, plan, and what the machine-readable reports say; a run without probes has no recipe."""
    out = tmp_path / "spring.json"
    words = ["recipe", "export", "-p", str(database.path), "--run", "1", "--out", str(out), "--json"]
    report = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)
    assert report["file_sha256"] == sha256(out.read_text(encoding="utf-8"))
    words = ["recipe", "run", str(out), "-p", str(database.path), "--name", "Again", "--json"]
    planned = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)
    assert (planned["configurations"], planned["samples"], planned["notes"]) == (2, 8, [])
    assert RunStore(database).get(RunId(planned["run"])).name == "Again"
    with pytest.raises(InputError, match="“soon” is not a day"):
        CliRunner().invoke(main, [*words, "--current-date", "soon"], catch_exceptions=False)
    empty = RunStore(database).create("Empty", RunRecipe("2026-07-15"), [], [], 1, "Somebody")
    with pytest.raises(RunError, match="planned from probes"):
        export_recipe(database, empty)
