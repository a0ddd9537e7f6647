"""The reference of commands as Markdown, made from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from btc_gui import app
from btc_gui.cli import main

_BEGINNING = """# Commands

Everything that `btc-gui` does without its window, and the words that open it. `btc-gui COMMAND --help` says the same
in a terminal. Made from the program's own help; a test keeps it true.

Exit codes: 0 done; 1 done, but some rows, samples or replies were rejected, failed or unreadable; 2 wrong use or
refused; 130 stopped with Ctrl+C. Almost every command takes `--json`: then standard output holds JSON and nothing else.
Instead of `-p PROJECT` the environment may name the project: `BTC_PROJECT=spring.btc`.
"""


def commands() -> Iterator[tuple[tuple[str, ...], click.Command, click.Context]]:
    """Every command and group below `btc-gui`, with its words, in the order of the help."""
    yield from _below(main, click.Context(main, info_name="btc-gui"), ())


def reference() -> str:
    """The whole of docs/commands.md."""
    parts = [_BEGINNING]
    for name, text in app.HELP.items():
        usage, _, description = text.partition("\n\n")
        lines = "\n".join(line.strip().removeprefix("Usage: ") for line in usage.splitlines())
        parts += [f"## `btc-gui {name}`\n", f"{_paragraphs(description)}\n", f"```\n{lines}\n```\n"]
    for words, command, context in commands():
        depth = min(len(words), 2) + 1
        parts.append(f"{'#' * depth} `btc-gui {' '.join(words)}`\n")
        parts.append(f"{_paragraphs(command.help or '')}\n")
        if isinstance(command, click.Group):
            continue
        usage = " ".join(command.collect_usage_pieces(context))
        parts.append(f"```\nbtc-gui {' '.join(words)} {usage}\n```\n")
        rows = [record for record in (_row(option, context) for option in command.params) if record]
        if rows:
            parts.append("| option | |\n|---|---|\n" + "".join(rows))
    return "\n".join(parts)


def _below(
    group: click.Group, context: click.Context, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command, click.Context]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        yield (*words, name), command, inner
        if isinstance(command, click.Group):
            yield from _below(command, inner, (*words, name))


def _paragraphs(text: str) -> str:
    """The paragraphs of a help text, each on one line; those that click keeps as they stand are code."""
    done = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in paragraph.strip().splitlines()]
        if lines[0] == "\b":
            done.append("```\n" + "\n".join(lines[1:]) + "\n```")
        else:
            done.append(" ".join(lines).replace("|", "\\|").replace("<", "\\<"))
    return "\n\n".join(done)


def _row(option: click.Parameter, context: click.Context) -> str:
    record = option.get_help_record(context)
    if record is None:
        return ""
    names, text = (" ".join(part.split()).replace("|", "\\|") for part in record)
    return f"| `{names}` | {text} |\n" if text else ""
