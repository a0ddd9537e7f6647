"""models.toml: the paper's models are in it, one's own file overrides it, and what is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, TokenPrice, model_of
from btc_gui.domain.models_file import (
    ModelsFileError,
    ModelsText,
    builtin_models_path,
    load_models,
    models_in,
    read_models_text,
    roles_in,
)
from btc_gui.domain.trajectory import Usage
from btc_gui.errors import SettingsError
from btc_gui.evals.harness import configuration_of


def _models(own: str = "") -> dict[str, EvaluatedModel]:
    texts = [read_models_text(builtin_models_path())]
    return {model.name: model for model in models_in([*texts, ModelsText("own.toml", own)] if own else texts)}


def test_the_eight_models_of_the_paper_are_there_with_what_it_says_of_them() -> None:
    """Native harness and cutoff as the paper reports them; a month is told as its last day, none as the latest."""
    found = {
        model.name: (Harness.NATIVE in model.harnesses, model.cutoff, model.told_cutoff)
        for model in load_models(builtin_models_path())
    }
    assert found == {
        "Claude-Opus-4.7": (True, "2026-01", "2026-01-31"),
        "GPT-5.4": (True, "2025-08-31", "2025-08-31"),
        "Gemini-3.1-Pro": (True, "2025-01", "2025-01-31"),
        "Qwen3.7-Max": (True, "", "2026-01-31"),
        "DeepSeek-V4-Pro-0423": (False, "", "2026-01-31"),
        "Kimi-K2.6": (False, "", "2026-01-31"),
        "MiMo-V2.5-Pro": (True, "2024-12", "2024-12-31"),
        "GLM-5.1": (True, "", "2026-01-31"),
    }
    for model in _models().values():
        assert bool(model.cutoff) == bool(model.cutoff_source), model.name
        assert set(model.efforts) == {Effort.LOW, Effort.HIGH}, model.name
        assert model.price is None or (model.price.date and model.price.source), model.name
        assert len({model.key_variables}) == 1
        assert model.family


def test_ones_own_file_changes_keys_of_known_models_and_adds_models() -> None:
    own = _models("""
[models."GPT-5.4"]
price = { input = 1, output = 2, date = 2026-12-01 }
native = false

[models."Mine"]
provider = "vllm"
model = "org/mine"
""")
    assert own["GPT-5.4"].price == TokenPrice(1.0, 2.0, date="2026-12-01")
    assert own["GPT-5.4"].harnesses == (Harness.SHARED,)
    assert own["GPT-5.4"].cutoff == "2025-08-31"
    assert own["Mine"].engine_name == "vllm/org/mine"
    assert own["Mine"].key_variables == ()
    assert list(own)[-1] == "Mine"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[models."X"]\nprovider = "openai"\n', 1, "has no “model”"),
        ('[models."GPT-5.4"]\n\ncutoff = "2025-13"', 3, "must be a month or a day"),
        ('[models."GPT-5.4"]\nprice = { input = 1 }', 2, "has no “output”"),
        ('[models."GPT-5.4"]\nprice.input = 1\nprice.output = "a"', 2, "“output” must be a number"),
        ('[models."GPT-5.4"]\nprice = { input = 1, output = -1 }', 2, "“output” must be a number from 0"),
        ('[models."GPT-5.4"]\nprice = { input = 1, output = 2, date = "soon" }', 2, "must be a day"),
        ('[models."GPT-5.4"]\n[models."GPT-5.4".price]\ninput = 1\noutput = true', 2, "“output” must be a number"),
        ('# a comment\n[models."GPT-5.4"]\ncolour = 3', 3, "the key “colour” is unknown"),
        ('[models."A"]\nprovider="x"\nmodel="y"\n[models."GPT-5.4"]\ncutoff = 3', 5, "must be a text"),
        ('[models."GPT-5.4"]\n\n[models."GPT-5.4".native]\nfoo = 1', 3, "the unknown key “foo”"),
        ('[models."GPT-5.4"]\neffort = { medium = "x" }', 2, "the unknown key “medium”"),
        ('[models."GPT-5.4"]\neffort = { low = "lowest" }', 2, "must be one of none, minimal"),
        ('[models."GPT-5.4"]\nbase_url = "example.org"', 2, "must be an address"),
        ('[models."GPT-5.4"]\nat_once = 1.5', 2, "a whole number"),
        ('[models."X"]\nprovider = "openai-api"\nmodel = "foo"', 3, "written SERVICE/model"),
        ("[models.GPT\nx = 1", 1, "not TOML"),
        ('[models."A"]\nx = 1\nx = 2', 3, "not TOML"),
        ("\nmodel = 3", 2, "the key “model” is unknown"),
        ("models = 3", 1, "must be tables"),
        ('[models]\n"A" = 3', 2, "“A” must be a table"),
    ],
)
def test_what_is_wrong_is_said_with_file_line_and_key(text: str, line: int, words: str) -> None:
    with pytest.raises(ModelsFileError, match=words) as refused:
        _models(text)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"own.toml, line {line}: ")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read"):
        load_models(tmp_path / "none.toml")


def test_costs_are_by_kind_of_token_and_unknown_without_a_price() -> None:
    usage = Usage(input=1_000_000, output=200_000, reasoning=150_000, cache_read=2_000_000, cache_write=100_000)
    price = TokenPrice(input=5, output=25, cache_read=0.5, cache_write=6.25, search=0.01)
    model = EvaluatedModel("M", "anthropic", "m", price=price)
    # 5 + 5 (reasoning is part of the output) + 1 + 0.625, and three searches.
    assert model.cost_of(usage, searches=3) == pytest.approx(11.655)
    plain = TokenPrice(input=2, output=8)
    assert plain.cost(usage) == pytest.approx(2 + 1.6 + 4 + 0.2)
    assert EvaluatedModel("M", "anthropic", "m").cost_of(usage) is None


def test_a_configuration_remembers_how_its_model_was_asked_and_the_price_is_todays() -> None:
    before = _models()["Qwen3.7-Max"]
    configuration = configuration_of(before, Harness.NATIVE, Effort.HIGH)
    now = _models("""
[models."Qwen3.7-Max"]
model = "qwen/qwen4"
effort = { high = "high" }
native = { extra_body = { enable_search = false } }
price = { input = 1, output = 2 }
""")
    found = model_of(configuration, now)
    assert (found.engine_name, found.base_url) == (before.engine_name, before.base_url)
    assert found.effort(Effort.HIGH) == before.effort(Effort.HIGH)
    assert found.native == before.native
    assert found.price == TokenPrice(1.0, 2.0)
    assert model_of(configuration, {}).engine_name == before.engine_name
    assert EvaluatedModel.from_json(before.as_json()) == before


def test_each_setting_that_changes_behaviour_makes_another_configuration() -> None:
    model, other = _models()["GPT-5.4"], _models('[models."GPT-5.4"]\nmodel = "gpt-5.4-mini"')["GPT-5.4"]
    made = [
        configuration_of(model, Harness.SHARED, Effort.LOW),
        configuration_of(model, Harness.SHARED, Effort.HIGH),
        configuration_of(model, Harness.SHARED, Effort.LOW, template="Another prompt."),
        configuration_of(model, Harness.NATIVE, Effort.LOW),
        configuration_of(model, Harness.NONE, Effort.LOW),
        configuration_of(other, Harness.SHARED, Effort.LOW),
    ]
    assert len({each.identity for each in made}) == len(made)
    # The native harness has no prompt of ours, and so no cutoff that it could be told.
    assert (made[3].prompt_hash, "cutoff" in made[3].settings) == ("", False)


@pytest.mark.parametrize(
    ("provider", "model", "needs_key", "variables"),
    [
        ("openai", "m", True, ("OPENAI_API_KEY",)),
        ("google", "m", True, ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
        ("openai-api", "my-service/m", True, ("MY_SERVICE_API_KEY",)),
        ("openai-api", "my-service/m", False, ()),
        ("ollama", "m", True, ()),
        ("scripted", "m", True, ()),
    ],
)
def test_a_missing_key_is_named(provider: str, model: str, needs_key: bool, variables: tuple[str, ...]) -> None:
    agent = EvaluatedModel("M", provider, model, needs_key=needs_key)
    assert agent.key_variables == variables
    assert agent.missing_key(dict.fromkeys(variables, "k")) == ""
    assert all(name in agent.missing_key({}) for name in variables)
    assert bool(agent.missing_key({})) == bool(variables)


def test_roles_name_who_makes_the_benchmark() -> None:
    """Later files go key by key before the app's; a wrong entry is named with its line."""
    builtin = read_models_text(builtin_models_path())
    roles = roles_in([builtin])
    assert {role: (each.model, each.effort) for role, each in roles.items()} == {
        "generator": ("gemini-3.1-pro-preview", "high"),
        "pairer": ("gemini-3.7-flash", "low"),
        "judge": ("gemini-3.5-flash-lite", ""),
        "classifier": ("gemini-3.7-flash", "low"),
    }
    own = ModelsText("mine.toml", '[roles.generator]\nprovider = "openai-api"\nbase_url = "http://localhost:8000/v1"\n')
    generator = roles_in([builtin, own])["generator"]
    assert (generator.provider, generator.model) == ("openai-api", "gemini-3.1-pro-preview")
    assert len(models_in([builtin, own])) == 8
    for text, words in [
        ("[roles.poet]\n", "line 1: the role “poet” is unknown"),
        ('[roles.judge]\nmodel = "x"\neffort = "huge"\n', "line 3: “effort” must be one of"),
        ('[roles.judge]\nprovider = "anthropic"\n', "line 2: “provider” must be one of google"),
        ('[roles.judge]\ncutoff = "2025"\n', "line 2: the key “cutoff” is unknown"),
        ("roles = 3\n", "“roles” must be tables"),
    ]:
        with pytest.raises(ModelsFileError, match=words):
            roles_in([builtin, ModelsText("mine.toml", text)])
