"""What the composer of runs offers: the agents recorded in a folder, the probes that fit, what it would take."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from btc_gui.domain.configuration import Configuration, Effort
from btc_gui.domain.forecast import Forecast
from btc_gui.domain.models_file import load_models
from btc_gui.domain.probe import ProbeId, ProbeKind, ReviewStatus, RevisionId
from btc_gui.errors import RunError
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.replay import RecordedAgents
from btc_gui.jobs.run_evaluation import forecast
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A model with recorded behaviour: at which efforts, and the knowledge cutoff it is told (may be empty)."""

    name: str
    efforts: tuple[Effort, ...]
    cutoff: str = ""


@dataclass(frozen=True, slots=True)
class Recordings:
    """What a replay folder offers. `current_date` is the day that its agents should be told."""

    folder: Path
    models: tuple[RecordedModel, ...]
    current_date: str


def read_recordings(folder: Path) -> Recordings:
    """Look what was recorded in a folder; files beside it may name cutoffs
    (`models.toml`) and the date (`demo.toml`).

    Raises `RunError` when the folder holds no recordings, or a file of it can't be read.
    """
    efforts: dict[str, list[Effort]] = {}
    for model, effort in RecordedAgents(folder).configurations():
        efforts.setdefault(model, []).append(Effort(effort))
    table: dict[str, object] = {}
    about = folder / "demo.toml"
    if about.is_file():
        try:
            table = tomllib.loads(about.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise RunError(f"{about} can't be read: {error}.") from error
    about = folder / "models.toml"
    cutoffs = {model.name: model.cutoff for model in load_models(about)} if about.is_file() else {}
    models = tuple(RecordedModel(name, tuple(found), cutoffs.get(name, "")) for name, found in efforts.items())
    return Recordings(folder, models, str(table.get("current_date", date.today().isoformat())))


@dataclass(frozen=True, slots=True)
class Composition:
    """A run as it is being composed."""

    name: str
    folder: Path
    current_date: str
    configurations: tuple[Configuration, ...]
    categories: tuple[str, ...]
    kinds: tuple[ProbeKind, ...]
    only_accepted: bool
    repetitions: int
    at_once: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The probes that a composition takes, and what it would cost."""

    composition: Composition
    items: tuple[tuple[ProbeId, RevisionId], ...]
    forecast: Forecast


def configurations_of(models: Sequence[tuple[RecordedModel, Effort]]) -> tuple[Configuration, ...]:
    """The configurations of some models at some efforts, in the shared harness."""
    return tuple(shared_configuration(model.name, effort, cutoff=model.cutoff) for model, effort in models)


def look_ahead(database: Database, composition: Composition) -> Outlook:
    """Count the probes and forecast the run. Changes nothing."""
    items: list[tuple[ProbeId, RevisionId]] = []
    if composition.kinds and composition.categories:
        store = ProbeStore(database)
        ids = store.ids(
            ProbeQuery(
                categories=composition.categories,
                kinds=composition.kinds,
                statuses=(ReviewStatus.ACCEPTED,) if composition.only_accepted else (),
            )
        )
        probes = store.fetch(ids)
        items = [(probe_id, probes[probe_id].revision_id) for probe_id in ids if probe_id in probes]
    expected = forecast(
        database,
        composition.configurations,
        len(items),
        composition.repetitions,
        at_once=composition.at_once,
    )
    return Outlook(composition, tuple(items), expected)
