"""The prompts of a project: the app's own unless the project has its own; texts that were used are kept by hash.

The prompts of a category lie in its folder and are named by it: `demise/generate_indirect`.
"""

from __future__ import annotations

from pathlib import Path

from btc_gui import paths
from btc_gui.domain.generation import NEEDED_PLACES, PLACES, TEMPLATES
from btc_gui.domain.hashing import sha256
from btc_gui.domain.prompt import Prompt, prompt_of
from btc_gui.errors import InputError, SettingsError
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore

#: The prompts that belong to no category.
SHARED_SYSTEM = "shared_system"
NAMES = (SHARED_SYSTEM, "judge", "classify")
_OWN = "prompt:"
_KEPT = "prompt_text:"
#: What the judge's and the classifier's prompt can't do without. The others only help.
_NEEDED = {
    "judge": frozenset({"entity", "after", "criteria", "probe", "answer"}),
    "classify": frozenset({"entity", "after", "evidence_rule", "classes", "probe", "search", "answer"}),
}
_KINDS = {template: kind for kind, template in TEMPLATES.items()}


def prompt_names() -> tuple[str, ...]:
    """All prompts that a project can have of its own; those of categories are found in their folders."""
    folders = (paths.resources() / "categories", paths.own_categories())
    found = {f"{path.parent.name}/{path.stem}" for each in folders for path in each.glob("*/generate_*.md")}
    return (*NAMES, *sorted(name for name in found if name.rpartition("/")[2] in _KINDS and _text_path(name).is_file()))


class PromptStore:
    """The prompts of a project. Texts are kept apart from the choice: a run holds on to the one it was planned with."""

    def __init__(self, database: Database) -> None:
        self._project = ProjectStore(database)

    def text(self, name: str) -> str:
        """The text that is used now. Raises `InputError` for an unknown name, `SettingsError` for a missing file."""
        _check_name(name)
        return self.by_hash(self._project.value(_OWN + name)) or builtin_text(name)

    def prompt(self, name: str) -> Prompt:
        """The prompt that is used now, in its two parts. Raises as `text`, and `SettingsError` without a “---”."""
        return prompt_of(name, self.text(name))

    def is_own(self, name: str) -> bool:
        """Whether the project has its own text."""
        return bool(self._project.value(_OWN + name))

    def set(self, name: str, text: str) -> str:
        """Use this text from now on; gives its hash. Raises `SettingsError` when it can't be used."""
        _check_name(name)
        text = text.strip()
        _check_text(name, text)
        self._project.set_value(_OWN + name, self.keep(text))
        return sha256(text)

    def reset(self, name: str) -> None:
        """Use the app's own text again. Raises `InputError` for an unknown name."""
        _check_name(name)
        self._project.set_value(_OWN + name, "")

    def keep(self, text: str) -> str:
        """Keep a text for the runs that use it; gives its hash."""
        digest = sha256(text)
        if not self.by_hash(digest):
            self._project.set_value(_KEPT + digest, text)
        return digest

    def by_hash(self, digest: str) -> str:
        """A text that was kept; empty when there is none of that hash."""
        return self._project.value(_KEPT + digest) if digest else ""


def builtin_text(name: str) -> str:
    """The text that comes with the app or a person's own category. Raises `SettingsError` when it can't be read."""
    path = _text_path(name)
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The prompt {path} can't be read: {error}.") from error


def _text_path(name: str) -> Path:
    category, _, stem = name.rpartition("/")
    return (paths.category_folder(category) if category else paths.resources() / "prompts") / f"{stem}.md"


def _check_name(name: str) -> None:
    if name in NAMES:
        return
    names = prompt_names()
    category, _, kind = name.rpartition("/")
    if name not in names and kind in _KINDS and (paths.category_folder(category) / "category.toml").is_file():
        raise InputError(
            f"The category {category} has no {kind}.md, so no model can be asked to write its {_KINDS[kind]} probes.",
            "Load them from a file or write them by hand, or add the file (docs/extending.md).",
        )
    if name not in names:
        raise InputError(f"There is no prompt “{name}”.", f"Prompts are: {', '.join(names)}.")


def _check_text(name: str, text: str) -> None:
    if not text:
        raise SettingsError("A prompt can't be empty.", "Reset it to use the app's own.")
    if name == SHARED_SYSTEM:
        return
    prompt = prompt_of(name, text)
    if not prompt.is_fillable:
        raise SettingsError("A “$” in the prompt begins no name.", "Write “$$” for a “$” that stands for itself.")
    kind = _KINDS.get(name.rpartition("/")[2])
    known = prompt_of(name, builtin_text(name)).names if kind is None else PLACES
    unknown = sorted(prompt.names - known)
    if unknown:
        places = ", ".join(f"${each}" for each in sorted(known))
        raise SettingsError(f"Nothing is known to put in for ${unknown[0]}.", f"Known are {places}.")
    missing = sorted((NEEDED_PLACES[kind] if kind is not None else _NEEDED[name]) - prompt.names)
    if missing:
        places = " and ".join(f"${each}" for each in missing)
        raise SettingsError(
            f"The prompt does not say {places}: without that, replies could not be about what is asked.",
            f"Write {places} after the line “---”, where it is to stand.",
        )
