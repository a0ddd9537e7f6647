"""The file of a run's whole recipe: canonical JSON that carries its own SHA-256, without keys and machine paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from btc_gui.domain.hashing import canonical_json, hash_of, sha256
from btc_gui.errors import InputError
from btc_gui.outside_data import json_from

FORMAT: Final = "btc_gui run recipe"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a project does not have as a recipe says. `what` is probe, wording, facts, prompt or setting."""

    what: str
    name: str
    text: str


def sealed(content: Mapping[str, Any]) -> str:
    """The file's text: canonical JSON in one line, with the SHA-256 of everything else in it under `sha256`."""
    whole = {"format": FORMAT, "version": VERSION, **content}
    return canonical_json({**whole, "sha256": hash_of(whole)}) + "\n"


def unsealed(text: str, name: str = "The file") -> dict[str, Any]:
    """Read such a text. Raises `InputError` when it is no recipe, a newer one, or was changed since it was written."""
    try:
        whole = json_from(text)
    except ValueError as error:
        raise InputError(f"{name} is not JSON ({error}).", "Export the recipe again.") from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise InputError(f"{name} is not the recipe of a run.", "Make one with “btc-gui recipe export”.")
    if whole.get("version") != VERSION:
        raise InputError(
            f"{name} has version {whole.get('version')}; this app reads version {VERSION}.", "Use a newer app."
        )
    told = whole.pop("sha256", None)
    if told != hash_of(whole):
        raise InputError(f"{name} was changed after it was written: its SHA-256 does not fit.", "Export it again.")
    prompts = whole.get("prompts", {})
    if not isinstance(prompts, dict) or not all(isinstance(each, str) for each in prompts.values()):
        raise InputError(f"{name} holds prompts that are no texts.", "Export the recipe again.")
    for digest, prompt in prompts.items():
        if sha256(prompt) != digest:
            raise InputError(f"{name} holds a prompt that is not the one of its hash ({digest[:12]}).")
    return whole


def portable(value: object) -> object:
    """A value without what belongs to one machine: folders shrink to their last name, addresses lose their login."""
    if isinstance(value, Mapping):
        return {str(key): portable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [portable(each) for each in value]
    return portable_text(value) if isinstance(value, str) else value


def portable_text(text: str) -> str:
    """One text of that kind. Only a whole path or address counts as one: prose is left alone."""
    if "://" in text and not any(space in text for space in " \n"):
        parts = urlsplit(text)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    if "\n" not in text and len(text) > 1 and PurePath(text).is_absolute():
        return PurePath(text).name
    return text


def refusal(differences: Sequence[Difference], shown: int = 20) -> str:
    """All differences as the words of a refusal, one a line."""
    lines = [f"  {each.what} {each.name}: {each.text}" for each in differences[:shown]]
    if len(differences) > shown:
        lines.append(f"  … and {len(differences) - shown:,} more")
    return "\n".join(["This project can't repeat the run; it differs in:", *lines])
