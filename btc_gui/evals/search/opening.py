"""The backend that settings ask for, and whether it can be used, before anything is paid for."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import RunError
from btc_gui.evals.replay import SEARCHES_FILE, RecordedSearches
from btc_gui.evals.search.backend import SearchBackend
from btc_gui.evals.search.documents import index_documents
from btc_gui.evals.search.local import LocalBackend
from btc_gui.evals.search.recording import RecordingBackend
from btc_gui.evals.search.replay import ReplayBackend
from btc_gui.known_secrets import KEYS_BELONG, address_problem
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
    elif settings.kind is SearchKind.LOCAL:
        _index(settings, progress)


def with_documents(settings: SearchSettings, progress: Progress | None = None) -> SearchSettings:
    """The settings of a run that is planned now: a local search is held to the documents as they are.

    Indexes the folder when it has to. Raises `InputError` when it holds no documents.
    """
    if settings.kind is not SearchKind.LOCAL:
        return settings
    folder = Path(settings.folder).resolve()
    return replace(settings, folder=str(folder), documents=index_documents(folder, progress).digest)


def _index(settings: SearchSettings, progress: Progress | None = None) -> Path:
    """The index of the documents that a run was planned with."""
    report = index_documents(Path(settings.folder), progress)
    if settings.documents and settings.documents != report.digest:
        raise RunError(
            f"The documents in {settings.folder} have changed since the run was planned.",
            "Put the old ones back, or plan a new run.",
        )
    return report.path


def open_backend(settings: SearchSettings, replay_folder: str, recording: str = "", request: str = "") -> SearchBackend:
    """What stands behind web_search in the request of this name.

    Live searches are kept in the file `recording`, if it is given. Raises `RunError` when it can't be used.
    """
    check_search(settings, Path(replay_folder) if replay_folder else None)
    if settings.kind is SearchKind.REPLAY:
        return ReplayBackend(Path(replay_folder))
    live = _live(settings, request)
    return RecordingBackend(live, Path(recording)) if recording else live


def _live(settings: SearchSettings, request: str) -> SearchBackend:
    if settings.kind is SearchKind.EXA:
        # exa-py takes its time to load: only those who search with it wait.
        from btc_gui.evals.search.exa import ExaBackend

        address = os.environ.get(EXA_ADDRESS, "").strip()
        if problem := address_problem(address):
            raise RunError(f"Exa can't be asked there. {problem}", KEYS_BELONG)
        return ExaBackend(settings, os.environ[EXA_KEY].strip(), address, request=request)
    return LocalBackend(settings, _index(settings))
