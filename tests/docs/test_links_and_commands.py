"""Links lead somewhere, and every command in the documents exists, with the options that it is given."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from btc_gui import app
from btc_gui.cli import main
from tests.docs.markdown import DOCUMENTS, ROOT, anchors, commands, links, words_of

#: Made from the commands themselves: their usage lines are patterns, not commands.
_REFERENCE = ROOT / "docs" / "commands.md"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_lead_to_files_and_headings_that_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    broken = []
    for link in links(text):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        place, _, anchor = unquote(link).partition("#")
        target = (document.parent / place).resolve() if place else document
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if path != _REFERENCE], ids=_name)
def test_commands_and_their_options_exist(document: Path) -> None:
    wrong = [
        f"{command}: {problem}"
        for command in commands(document.read_text(encoding="utf-8"))
        if (problem := _problem(words_of(command)))
    ]
    assert wrong == []


def _problem(words: list[str]) -> str:
    """What the program would say of these words before it does anything; nothing when they are well formed."""
    if not words or words[0] in app.HELP or words[0].endswith(".btc") or words[0].isupper():
        return ""
    command: click.Command = main
    context = click.Context(main, info_name="btc-gui")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, *words = words
        inner = command.get_command(context, name)
        if inner is None:
            if name.isupper():
                return ""
            # Two commands in one breath: “recipe export|run”, “study close, unblind”.
            names = name.replace("|", " ").replace("/", " ").replace(",", " ").split()
            return "" if len(names) > 1 and all(command.get_command(context, n) for n in names) else f"no {name}"
        command, context = inner, click.Context(inner, info_name=name, parent=context)
    if isinstance(command, click.Group):
        return ""
    if not any(word.startswith("-") for word in words):
        return ""
    try:
        given, _, _ = command.make_parser(context).parse_args(list(words))
    except click.UsageError as error:
        # An option named alone (“`btc-gui lint --waive`”) is a mention.
        return "" if isinstance(error, click.BadOptionUsage) and words[-1] in _names(command) else error.message
    for option in command.params:
        for value in _values(given.get(option.name or "")):
            if isinstance(option.type, click.Choice) and not value.isupper() and value not in option.type.choices:
                return f"{option.opts[0]} has no value {value}"
    return ""


def _names(command: click.Command) -> set[str]:
    return {name for option in command.params for name in option.opts}


def _values(given: object) -> list[str]:
    values = given if isinstance(given, list | tuple) else [given]
    return [value for value in values if isinstance(value, str)]
