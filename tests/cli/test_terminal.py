"""What is printed to a terminal can't act on it."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys

from btc_gui.cli.terminal import ERASE_LINE, PlainTerminal


def _printed_to_a_terminal(*words: str) -> str:
    reader, writer = pty.openpty()
    command = [sys.executable, "-m", "btc_gui", *words]
    with subprocess.Popen(command, stdin=writer, stdout=writer, stderr=writer) as process:
        os.close(writer)
        printed = b""
        try:
            while piece := os.read(reader, 65_536):
                printed += piece
        except OSError:
            # The terminal's other end is gone: the process has ended.
            pass
        process.wait(60)
    os.close(reader)
    return printed.decode()


def test_text_from_outside_sets_no_title_and_turns_no_line() -> None:
    name = "/nowhere/\x1b]0;owned\x07\x1b[2J\u202egpj.exe.btc"
    printed = _printed_to_a_terminal("info", name)
    assert "There is no file" in printed
    assert not {"\x1b", "\x07", "\u202e"} & set(printed)


def test_only_progress_begins_its_line_anew() -> None:
    stream = io.StringIO()
    terminal = PlainTerminal(stream)
    terminal.write(f"{ERASE_LINE}Loading: 1\x1b[31m")
    terminal.write("a\r\nb\tc\rd\n")
    assert stream.getvalue() == f"{ERASE_LINE}Loading: 1\ufffd[31ma\nb\tc\ufffdd\n"
