"""Prompts for language models, read from resources/prompts/ and filled without reading what is filled in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from string import Template

from btc_gui import paths
from btc_gui.domain.hashing import canonical_json, sha256
from btc_gui.errors import SettingsError

_DIVIDER = "\n---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt, and a template with `$names` for what changes."""

    name: str
    system: str
    template: str

    def fill(self, **values: str) -> str:
        """The prompt with its values. They are put in as they are: braces, `$` and markup in them mean nothing.

        Raises `SettingsError` when the template asks for a value that there is not.
        """
        try:
            filled = Template(self.template).substitute(values)
        except (KeyError, ValueError) as error:
            raise SettingsError(f"The prompt “{self.name}” can't be filled: {error}.") from error
        # Half a character (a lone surrogate) can't be sent.
        return filled.encode("utf-8", "replace").decode("utf-8")

    def text_with(self, *criteria: str) -> str:
        """The prompt with the criteria that go into it, as one text (a JSON list): what replies are asked by."""
        return canonical_json([self.system, self.template, *criteria])

    @property
    def names(self) -> frozenset[str]:
        """The `$names` that the template asks for."""
        return frozenset(Template(self.template).get_identifiers())

    @property
    def is_fillable(self) -> bool:
        """Whether every `$` of the template begins a name or is written `$$`."""
        return Template(self.template).is_valid()

    def hash_with(self, *criteria: str) -> str:
        """SHA-256 of `text_with`."""
        return sha256(self.text_with(*criteria))


def load_prompt(name: str, folder: Path | None = None) -> Prompt:
    """Read `<name>.md`: system prompt, a line `---`, template. Raises `SettingsError` when it can't be used."""
    path = (folder or paths.resources() / "prompts") / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The prompt {path} can't be read: {error}.") from error
    return prompt_of(name, text, str(path))


def prompt_of(name: str, text: str, origin: str = "") -> Prompt:
    """Read the text of a prompt. Raises `SettingsError` without a line `---`, naming `origin` or else the prompt."""
    system, divider, template = text.partition(_DIVIDER)
    if not divider or not template.strip():
        raise SettingsError(f"The prompt {origin or f'“{name}”'} has no line “---” between its two parts.")
    return Prompt(name, system.strip(), template.strip())
