"""The backend that settings ask for, and whether it can be used, before anything is paid for."""

from __future__ import annotations

import os
from pathlib import Path

from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import RunError
from btc_gui.evals.replay import SEARCHES_FILE, RecordedSearches
from btc_gui.evals.search.backend import SearchBackend
from btc_gui.evals.search.recording import RecordingBackend
from btc_gui.evals.search.replay import ReplayBackend
from btc_gui.progress import Progress

EXA_KEY = "EXA_API_KEY"
EXA_ADDRESS = "EXA_BASE_URL"


def check_search(settings: SearchSettings, replay_folder: Path | None, progress: Progress | None = None) -> None:
    """Say what keeps a search from working. Raises `RunError` that names the file or variable; asks nobody."""
    if settings.kind is SearchKind.REPLAY:
        if replay_folder is None:
            raise RunError("Replayed searches need a replay folder.", f"Name the folder that holds {SEARCHES_FILE}.")
        RecordedSearches(replay_folder)
    elif settings.kind is SearchKind.EXA and not os.environ.get(EXA_KEY, "").strip():
        raise RunError(
            "Searching with Exa needs a key.", f"Set the environment variable {EXA_KEY}, or choose another search."
        )


def open_backend(settings: SearchSettings, replay_folder: str, recording: str) -> SearchBackend:
    """What stands behind web_search. Live searches are kept in the file `recording`, if it is given.

    Raises `RunError` when it can't be used.
    """
    check_search(settings, Path(replay_folder) if replay_folder else None)
    if settings.kind is SearchKind.REPLAY:
        return ReplayBackend(Path(replay_folder))
    live = _live(settings)
    return RecordingBackend(live, Path(recording)) if recording else live


def _live(settings: SearchSettings) -> SearchBackend:
    if settings.kind is SearchKind.EXA:
        # exa-py takes its time to load: only those who search with it wait.
        from btc_gui.evals.search.exa import ExaBackend

        return ExaBackend(settings, os.environ[EXA_KEY].strip(), os.environ.get(EXA_ADDRESS, "").strip())
    raise RunError(f"The search backend “{settings.kind}” is unknown.")
