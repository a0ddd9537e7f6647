"""Asking for files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from btc_gui import paths

PROJECTS = "Projects (*.btc);;All files (*)"
TABLES = "Tables (*.csv *.tsv *.json *.jsonl *.ndjson);;All files (*)"
TEXTS = "Text files (*.csv *.txt);;All files (*)"


def ask_open(parent: QWidget, title: str, kinds: str = PROJECTS, folder: Path | None = None) -> Path | None:
    """The file a person chose to open, or None.

    Without a folder, projects are looked for where they are kept, and all else where the app was started, then where
    the last file was chosen (that is what no folder means to Qt): people's tables don't lie beside the projects.
    """
    if folder is None and kinds == PROJECTS:
        folder = _existing(paths.projects())
    chosen, _ = QFileDialog.getOpenFileName(parent, title, str(folder or ""), kinds)
    return Path(chosen) if chosen else None


def ask_save(parent: QWidget, title: str, proposed: Path, kinds: str = PROJECTS, suffix: str = ".btc") -> Path | None:
    """Where a person wants a file, with `suffix` when they wrote none, or None."""
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(_existing(proposed.parent) / proposed.name), kinds)
    if not chosen:
        return None
    path = Path(chosen)
    return path if path.suffix else path.with_suffix(suffix)


def ask_folder(parent: QWidget, title: str, folder: Path) -> Path | None:
    """The folder a person chose, or None."""
    chosen = QFileDialog.getExistingDirectory(parent, title, str(_existing(folder)))
    return Path(chosen) if chosen else None


def _existing(folder: Path) -> Path:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder
