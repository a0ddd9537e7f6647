"""The help that a newcomer reads first: every command can be imported and explains itself."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from btc_gui.cli import COMMANDS, main


def test_the_help_lists_every_command() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0, result.output
    for name in COMMANDS:
        assert f"\n  {name} " in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.help
    assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0
