"""Which models are kin, and where a family has several roles: a judge may be kinder to its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from btc_gui.domain.evaluated_model import EvaluatedModel

# The first word of a model's name -> its family, for models that models.toml does not list (judges mostly).
_WORDS: Mapping[str, str] = {
    "claude": "Claude",
    "gpt": "GPT",
    "chatgpt": "GPT",
    "o1": "GPT",
    "o3": "GPT",
    "o4": "GPT",
    "gemini": "Gemini",
    "gemma": "Gemini",
    "qwen": "Qwen",
    "qwq": "Qwen",
    "deepseek": "DeepSeek",
    "kimi": "Kimi",
    "moonshot": "Kimi",
    "mimo": "MiMo",
    "glm": "GLM",
    "chatglm": "GLM",
    "llama": "Llama",
    "mistral": "Mistral",
    "mixtral": "Mistral",
    "magistral": "Mistral",
    "grok": "Grok",
    "phi": "Phi",
    "nova": "Nova",
    "command": "Command",
}
_FIRST_WORD = re.compile(r"o[134](?![0-9a-z])|[a-z]+")


class Role(StrEnum):
    """What a model does in a project."""

    GENERATOR = "generator"
    JUDGE = "judge"
    CLASSIFIER = "classifier"
    EVALUATED = "evaluated model"


@dataclass(frozen=True, slots=True)
class SameFamily:
    """A family that has several roles in a project, with the models of each."""

    family: str
    members: Mapping[Role, tuple[str, ...]]

    @property
    def text(self) -> str:
        """The warning as a sentence."""
        parts = [f"{role} {', '.join(names)}" for role, names in self.members.items()]
        return (
            f"{' and '.join([', '.join(parts[:-1]), parts[-1]])} are of one family ({self.family}): "
            "models may treat their own kind more kindly. Let a model of another family do it too, and compare."
        )


def family_of(name: str, models: Iterable[EvaluatedModel] = ()) -> str:
    """The family of a model by its name (also with an effort, `gemini-x (low)`, or a path, `org/llama-x`).

    What `models` say goes first, then the first word of the name. Empty when it is not known.
    """
    plain = re.sub(r"\s*\([^()]*\)$", "", name.strip()).casefold()
    for model in models:
        if model.family and plain in (model.name.casefold(), model.model.casefold(), model.engine_name.casefold()):
            return model.family
    word = _FIRST_WORD.match(plain.rpartition("/")[2])
    return _WORDS.get(word.group(), "") if word else ""


def same_families(roles: Mapping[Role, Sequence[str]], models: Sequence[EvaluatedModel]) -> list[SameFamily]:
    """The families that have more than one role, in the order of their names."""
    found: dict[str, dict[Role, list[str]]] = {}
    for role in Role:
        for name in dict.fromkeys(roles.get(role, ())):
            family = family_of(name, models)
            if family:
                found.setdefault(family, {}).setdefault(role, []).append(name)
    return [
        SameFamily(family, {role: tuple(names) for role, names in members.items()})
        for family, members in sorted(found.items())
        if len(members) > 1
    ]
