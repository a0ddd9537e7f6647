"""Asking for files and folders; nothing else opens Qt's file dialog."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QFileInfo
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QFileDialog, QFileIconProvider, QToolButton, QWidget

from btc_gui import paths
from btc_gui.ui.icons import icon
from btc_gui.ui.widgets.frames import size_window

PROJECTS = "Projects (*.btc);;All files (*)"
TABLES = "Tables (*.csv *.tsv *.json *.jsonl *.ndjson);;All files (*)"
TEXTS = "Text files (*.csv *.txt);;All files (*)"
RECORDINGS = "JSON lines (*.jsonl)"

#: Qt's names of the buttons of its dialog, and their icons.
_ICONS = {
    "backButton": "chevron-left",
    "forwardButton": "chevron-right",
    "toParentButton": "chevron-up",
    "newFolderButton": "plus",
    "listModeButton": "layout-columns",
    "detailModeButton": "list-details",
}
_LAST_FOLDER = "last folder of a file dialog"


class ByName(QFileIconProvider):
    """Tells files by their names.

    Qt's own looks into each file of a folder to say of what type it is. With POSIX locks, closing a file takes all
    locks that the process holds on it: another process that closes an open project would take the window for gone and
    remove the log to which it writes (https://sqlite.org/howtocorrupt.html, 2.2).
    """

    def type(self, info: QFileInfo) -> str:
        """What the column Type says."""
        return "Folder" if info.isDir() else info.suffix()

    def icon(self, what: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        """A folder's, or a file's."""
        if isinstance(what, QFileInfo):
            what = QFileIconProvider.IconType.Folder if what.isDir() else QFileIconProvider.IconType.File
        return super().icon(what)


class FileDialog(QFileDialog):
    """Qt's own dialog, which looks into no file."""

    def __init__(self, parent: QWidget, title: str, mode: QFileDialog.FileMode, kinds: str = "") -> None:
        # It begins in a folder of ours: it reads its first one before it can be told how.
        super().__init__(parent, title, str(paths.resources()), kinds)
        if sys.platform not in ("win32", "darwin"):
            # Those of Linux desktops may run in this process, and look into files as well.
            self.setOption(QFileDialog.Option.DontUseNativeDialog)
        # Kept as long as the dialog: Qt does not.
        self._by_name = ByName()
        self.setIconProvider(self._by_name)
        self.setFileMode(mode)
        if mode is QFileDialog.FileMode.Directory:
            self.setOption(QFileDialog.Option.ShowDirsOnly)
        if mode is QFileDialog.FileMode.AnyFile:
            self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        # Qt's own are black, also where the ground is.
        for place, name in _ICONS.items():
            if (tool := self.findChild(QToolButton, place)) is not None:
                tool.setIcon(icon(name))
        size_window(self, 860, 560)


def ask_open(parent: QWidget, title: str, kinds: str = PROJECTS, folder: Path | None = None) -> Path | None:
    """The file a person chose to open, or None.

    Without a folder, projects are looked for where they are kept, and all else where a file was chosen last, at first
    where the app was started: people's tables don't lie beside the projects.
    """
    if folder is None and kinds == PROJECTS:
        folder = paths.projects()
    return _only(_ask(parent, title, folder, QFileDialog.FileMode.ExistingFile, kinds))


def ask_open_many(parent: QWidget, title: str, kinds: str, folder: Path | None = None) -> list[Path]:
    """The files a person chose to open, or none."""
    return _ask(parent, title, folder, QFileDialog.FileMode.ExistingFiles, kinds)


def ask_save(parent: QWidget, title: str, proposed: Path, kinds: str = PROJECTS, suffix: str = ".btc") -> Path | None:
    """Where a person wants a file, with `suffix` when they wrote none, or None."""
    path = _only(_ask(parent, title, proposed.parent, QFileDialog.FileMode.AnyFile, kinds, proposed.name))
    return path if path is None or path.suffix else path.with_suffix(suffix)


def ask_folder(parent: QWidget, title: str, folder: Path | None = None) -> Path | None:
    """The folder a person chose, or None."""
    return _only(_ask(parent, title, folder, QFileDialog.FileMode.Directory))


def _ask(
    parent: QWidget, title: str, folder: Path | None, mode: QFileDialog.FileMode, kinds: str = "", proposed: str = ""
) -> list[Path]:
    dialog = FileDialog(parent, title, mode, kinds)
    app = QCoreApplication.instance()
    assert app is not None
    dialog.setDirectory(str(_existing(folder or Path(app.property(_LAST_FOLDER) or Path.cwd()))))
    if proposed:
        dialog.selectFile(proposed)
    try:
        is_chosen = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = [Path(each) for each in dialog.selectedFiles()] if is_chosen else []
    finally:
        dialog.deleteLater()
    if chosen:
        app.setProperty(_LAST_FOLDER, str(chosen[0].parent))
    return chosen


def _only(chosen: list[Path]) -> Path | None:
    return chosen[0] if chosen else None


def _existing(folder: Path) -> Path:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder
