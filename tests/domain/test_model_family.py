"""Kin among models: known by name, and warned of where a family has several roles."""

from __future__ import annotations

import pytest

from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.model_family import Role, family_of, same_families
from btc_gui.store.evaluated_models import available_models


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("gemini-3.5-flash-lite", "Gemini"),
        ("gemini-3.5-flash-lite (low)", "Gemini"),
        ("Gemini-3.1-Pro", "Gemini"),
        ("models/gemini-3.7-flash", "Gemini"),
        ("gpt-5.4-mini", "GPT"),
        ("o3-mini", "GPT"),
        ("openai/o4", "GPT"),
        ("Qwen3.7-Max", "Qwen"),
        ("Qwen/Qwen3-235B", "Qwen"),
        ("claude-opus-4-7", "Claude"),
        ("zai/glm-5.1", "GLM"),
        ("meta-llama/Llama-4-70B", "Llama"),
        ("recorded (gemini)", ""),
        ("demo-judge", ""),
        ("Larkspur-2", ""),
        ("geminix-1", ""),
        ("42", ""),
        ("", ""),
    ],
)
def test_families_by_name(name: str, family: str) -> None:
    """The first word tells, with or without effort, version and path; what is not known has no family."""
    assert family_of(name) == family


def test_models_toml_goes_first() -> None:
    """A family that is written down counts, under each of the model's names, and names the paper's eight."""
    own = EvaluatedModel("House-7B", "ollama", "house:7b", family="Llama")
    for name in ("House-7B", "house:7b", "ollama/house:7b", "HOUSE-7B (high)"):
        assert family_of(name, [own]) == "Llama"
    families = {each.name: family_of(each.name, available_models()) for each in available_models()}
    assert len(set(families.values())) == len(families) == 8
    assert all(families.values())


def test_where_a_family_has_several_roles() -> None:
    """Only families with two roles or more are told, with all their members in the order of the roles."""
    roles = {
        Role.EVALUATED: ["Gemini-3.1-Pro", "GPT-5.4", "Larkspur-2"],
        Role.JUDGE: ["gemini-3.5-flash-lite (low)", "qwen3.7-max"],
        Role.CLASSIFIER: ["gemini-3.7-flash", "demo-classifier"],
        Role.GENERATOR: [],
    }
    (found,) = same_families(roles, [])
    assert found.family == "Gemini"
    assert list(found.members) == [Role.JUDGE, Role.CLASSIFIER, Role.EVALUATED]
    assert found.text.startswith(
        "judge gemini-3.5-flash-lite (low), classifier gemini-3.7-flash and evaluated model Gemini-3.1-Pro "
        "are of one family (Gemini)"
    )
