"""Opening a packet for labelling: asked for or dropped, with a project open or without one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.ui.file_dialogs import ask_open
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.processes import start_labelling
from btc_gui.ui.shell import Shell


class PacketOpening(QObject):
    """The labelling window is a process of its own: whoever labels has no project open in it."""

    def __init__(self, job_runner: JobRunner, shell: Shell, window: QWidget) -> None:
        super().__init__(window)
        self._job_runner, self._shell, self._window = job_runner, shell, window

    def ask(self, folder: Path | None = None) -> Path | None:
        """Ask for a packet, first in `folder`, and open it. Gives what was chosen."""
        from btc_gui.store.packet_file import SUFFIX

        path = ask_open(self._window, "Open a packet for labelling", f"Packets (*{SUFFIX})", folder)
        if path is not None:
            self.open(path)
        return path

    def open(self, path: Path) -> None:
        """Open the labelling window on a packet, or say why that can't be."""

        def look(_: Progress) -> Path:
            from btc_gui.store.packet_file import PacketFile

            # A foreign, altered or open one is refused here, where the reason can be shown.
            with PacketFile.open(path, to_label=False) as packet:
                packet.outline()
            return path

        self._job_runner.start(
            "Open packet", look, is_quiet=True, succeeded=self._opened, failed=self._shell.show_error
        )

    def _opened(self, path: object) -> None:
        if isinstance(path, Path):
            try:
                start_labelling(path)
            except BtcError as error:
                self._shell.show_error(error)
            else:
                self._shell.say(f"{path.name} opens in a window of its own.")
