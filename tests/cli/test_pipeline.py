"""`btc-gui pipeline`: who is asked and how, and what is refused before anybody is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from btc_gui.cli import main
from btc_gui.cli.language_models import read_choice
from btc_gui.domain.review import Action
from btc_gui.errors import BtcError, InputError
from btc_gui.remote.model_choice import ModelKind
from btc_gui.store.database import Database
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_no_search, write_recordings


@pytest.fixture
def words(database: Database, tmp_path: Path) -> list[str]:
    """A command over one accepted probe that can be foreseen."""
    probe = add_probe(database, add_event(database), key="p1")
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    folder = write_no_search(write_recordings(tmp_path / "replay", [behaviour("p1")]), {"p1": ["Ask Ada."]})
    replies = tmp_path / "replies.jsonl"
    replies.write_text("", encoding="utf-8")
    replay = f"replay:{replies}"
    words = ["pipeline", "-p", str(database.path), "--replay", str(folder)]
    return [*words, "--judge", replay, "--classifier", replay, "--dry-run", "--json"]


def _run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def _refusal(*words: str) -> BtcError:
    error = _run(*words).exception
    assert isinstance(error, BtcError)
    return error


def test_every_stage_is_foreseen_with_the_chosen_agents_and_search(words: list[str]) -> None:
    told = json.loads(_run(*words, "--results", "3", "--characters", "500").stdout)
    assert [(each["stage"], each["items"]) for each in told["stages"]][:2] == [("filter", 3), ("judge filter", 3)]
    assert "“middling” is not known here" in str(_refusal(*words, "--effort", "middling"))
    assert "Known are: shared, native." in str(_refusal(*words, "--harness", "none"))
    assert "There is no model “GPT-9”" in str(_refusal(*words, "--model", "GPT-9"))


def test_a_paid_model_does_not_search_in_the_recordings_of_a_demo(words: list[str]) -> None:
    without = [*words[:3], *words[5:]]
    assert "no recordings are named" in str(_refusal(*without, "--model", "GPT-5.4"))


def test_a_forecast_needs_no_key_and_the_models_file_names_who_judges(words: list[str]) -> None:
    unnamed = [*words[: words.index("--judge")], "--json"]
    told = json.loads(_run(*unnamed, "--dry-run").stdout)
    assert [each["calls"] for each in told["stages"]][1] == 3
    assert "GEMINI_API_KEY" in str(_refusal(*unnamed))


def test_a_project_without_accepted_probes_is_told_what_to_do(words: list[str], tmp_path: Path) -> None:
    empty = tmp_path / "empty.btc"
    Database.create(empty, "Empty").close()
    told = _run(*[str(empty) if word == words[2] else word for word in words if word != "--json"]).stdout
    assert "There is nothing to do: accept probes in the review" in told


def test_a_spending_limit_needs_prices(words: list[str]) -> None:
    judge = ["--judge", "openai:house-model", "--judge-url", "http://127.0.0.1:9/v1", "--max-cost", "5"]
    assert "needs the price of “house-model”" in str(_refusal(*words, *judge))
    assert _run(*words, *judge, "--judge-price", "0.1,0.4").exit_code == 0
    assert "“cheap” is no price" in str(_refusal(*words, *judge, "--judge-price", "cheap"))


def test_the_direct_probes_may_be_written_by_a_model(words: list[str]) -> None:
    """Without being told so, nobody is asked for them."""

    def calls(*more: str) -> list[int]:
        told = json.loads(_run(*words, *more).stdout)
        return [each["calls"] for each in told["stages"] if each["stage"] == "pair"]

    replay = words[words.index("--judge") + 1]
    assert (calls(), calls("--direct-by", replay)) == ([0], [1])
    assert "names no language model" in str(_refusal(*words, "--direct-by", "oracle"))


def test_who_is_named_in_a_word() -> None:
    # Names of models have colons of their own.
    local = read_choice("openai:qwen3:8b", "http://localhost:11434/v1", "low")
    assert (local.kind, local.model, local.base_url, local.effort) == (
        ModelKind.OPENAI,
        "qwen3:8b",
        "http://localhost:11434/v1",
        "low",
    )
    assert read_choice("replay:mine=judge.jsonl").name == "mine"
    assert read_choice("replay:judge.jsonl").name == "recorded (judge)"
    for wrong in ("somebody", "openai:", "recorded:judge.jsonl"):
        with pytest.raises(InputError, match="names no language model"):
            read_choice(wrong)
