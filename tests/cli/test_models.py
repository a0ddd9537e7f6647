"""The commands about models and prompts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from btc_gui.cli import main
from btc_gui.domain.models_file import own_models_path
from btc_gui.errors import SettingsError
from btc_gui.store.database import Database
from btc_gui.store.prompts import builtin_text


def _run(*arguments: object, text: str | None = None) -> str:
    done = CliRunner().invoke(main, [str(each) for each in arguments], input=text, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_models_are_listed_with_their_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    found = {model["name"]: model for model in json.loads(_run("models", "--json"))["models"]}
    assert len(found) == 8
    assert (found["Gemini-3.1-Pro"]["has_key"], found["GPT-5.4"]["has_key"]) == (True, False)
    listed = _run("models")
    assert "cutoff none reported, told as 2026-01-31" in listed
    assert "no key (OPENAI_API_KEY)" in listed


def test_a_wrong_file_of_ones_own_is_named_with_its_line() -> None:
    own_models_path().parent.mkdir(parents=True)
    own_models_path().write_text('[models."GPT-5.4"]\n\nprice = 3\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="line 3: “price” must be a table"):
        _run("models")


def test_a_prompt_is_set_shown_and_reset(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "prompt.md"
    file.write_text("It is {current_date}.\n", encoding="utf-8")
    _run("prompts", "set", "shared_system", file, "-p", database.path)
    assert _run("prompts", "show", "shared_system", "-p", database.path) == "It is {current_date}.\n"
    rows = {
        row["name"]: row["own"] for row in json.loads(_run("prompts", "list", "-p", database.path, "--json"))["prompts"]
    }
    assert [name for name, own in rows.items() if own] == ["shared_system"]
    assert {"judge", "classify", "demise/generate_indirect", "tenure/generate_direct"} < set(rows)
    _run("prompts", "set", "judge", "-", "-p", database.path, text=f"{builtin_text('judge')}\nBe brief.\n")
    with pytest.raises(SettingsError, match=r"does not say \$criteria"):
        _run("prompts", "set", "judge", "-", "-p", database.path, text="You judge.\n---\n$entity $after $probe $answer")
    _run("prompts", "reset", "shared_system", "-p", database.path)
    assert "judge           " in _run("prompts", "list", "-p", database.path)


def test_a_project_is_given_models_of_its_own(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text('[models."Mine"]\nprovider = "vllm"\nmodel = "org/mine"\n', encoding="utf-8")
    assert "Mine  (vllm/org/mine)" in _run("models", "--use", file, "-p", database.path)
    assert "Mine" in _run("models", "-p", database.path)
    assert "Mine" not in _run("models")
    file.write_text("[models", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"models\.toml of project\.btc, line 1"):
        _run("models", "--use", file, "-p", database.path)
    file.write_text("", encoding="utf-8")
    assert "Mine" not in _run("models", "--use", file, "-p", database.path)
