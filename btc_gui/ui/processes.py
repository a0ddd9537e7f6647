"""Starting another process of this app: the labelling window must not share one with a project."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment

from btc_gui.errors import PacketError
from btc_gui.known_secrets import environment_without_secrets


def own_command(*words: str) -> list[str]:
    """The command line that runs this app with `words`, also in a frozen build."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    return [sys.executable, "-m", "btc_gui", *words]


def start_labelling(packet: Path) -> None:
    """Open the labelling window on a packet, in a process that outlives this one. Raises `PacketError`."""
    program, *arguments = own_command("packet", str(packet))
    process = QProcess()
    process.setProgram(program)
    process.setArguments(arguments)
    environment = QProcessEnvironment()
    for name, value in environment_without_secrets().items():
        environment.insert(name, value)
    process.setProcessEnvironment(environment)
    started = process.startDetached()
    if not (started[0] if isinstance(started, tuple) else started):
        raise PacketError(f"The labelling window can't be started ({program}).", "Run “btc-gui packet FILE” yourself.")
