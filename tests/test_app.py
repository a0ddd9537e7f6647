"""The one entry: what a stopped command says, and its exit code."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from btc_gui import app
from btc_gui.cli import main as command_line
from btc_gui.progress import Cancelled
from btc_gui.store.database import Database

#: Says that it has begun once the program listens to interrupts: before that Python itself would answer them.
#: A shell that runs the tests in the background has them ignore interrupts, and so all that they start.
STOPPABLE = """
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)

from btc_gui import app

run = app._dispatch

def told(words):
    print("here", flush=True)
    return run(words)

app._dispatch = told
app.main({words!r})
"""


def test_ctrl_c_at_any_moment_is_one_sentence(database: Database) -> None:
    """While modules are loaded as well as while a command waits: no stack, and the code that shells know."""
    words = ["prompts", "set", "judge", "-", "-p", str(database.path)]
    code = STOPPABLE.format(words=words)
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        # It waits for the text of a prompt, which never comes.
        process.wait(timeout=60)
        _, said = process.communicate(timeout=60)
    assert said.strip() == "btc-gui: stopped."
    assert process.returncode == 130


def test_work_that_was_cancelled_in_order_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def stopped() -> None:
        raise Cancelled

    monkeypatch.setattr(command_line, "get_command", lambda *_: stopped)
    with pytest.raises(SystemExit) as ended:
        app.main(["load"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "btc-gui: stopped. What was done before is kept.\n"


@pytest.mark.parametrize("command", ["open", "packet", "pictures"])
def test_commands_with_a_window_tell_their_use(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app.main([command, "--help"])
    assert ended.value.code == 0
    assert f"{command}" in capsys.readouterr().out.partition("\n")[0]


def test_a_project_that_is_not_there_is_refused_without_a_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        app.main([str(tmp_path / "nothere.btc")])
    assert ended.value.code == 2
    assert "There is no project" in capsys.readouterr().err
