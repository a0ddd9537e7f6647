"""What of a run needs recorded agents or searches, and in which folder they are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, Harness
from btc_gui.domain.search_settings import SearchKind
from btc_gui.evals.replay import AGENTS_FILE
from btc_gui.ui.file_dialogs import ask_folder
from btc_gui.ui.run_driver import RunSummary


def is_recorded(configuration: Configuration) -> bool:
    """Whether a configuration's agent replays recordings."""
    return "engine_model" not in configuration.settings


def needs_recordings(summary: RunSummary) -> bool:
    """Whether what is left of a run needs recorded agents or searches."""
    return any(
        is_recorded(each.configuration)
        or (each.configuration.harness is Harness.SHARED and each.configuration.search == SearchKind.REPLAY)
        for each in summary.configurations
        if each.pending
    )


def ask_recordings(summary: RunSummary, parent: QWidget) -> Path | None:
    """The folder of the recordings that a run's agents replay: the demo's where it has them, else one asked for."""
    demo = paths.resources() / "demo"
    models = {each.configuration.model for each in summary.configurations if is_recorded(each.configuration)}
    if _has_recordings_of(demo, models):
        return demo
    return ask_folder(parent, "Folder with the recorded agents of this run")


def _has_recordings_of(folder: Path, models: set[str]) -> bool:
    """Whether the folder's recordings name these models. Looks at the text, so that it is quick."""
    try:
        text = (folder / AGENTS_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return all(f'"{model}"' in text for model in models)
