"""Which configurations a run compares: models of models.toml, or recorded agents of a replay folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.configuration import EFFORTS, Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.errors import InputError
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.replay import RecordedAgents
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore


def choose_configurations(
    database: Database,
    names: Sequence[str],
    efforts: Sequence[Effort],
    harnesses: Sequence[Harness],
    search: SearchSettings,
    replay_folder: Path | None,
) -> list[Configuration]:
    """Models × harnesses × efforts, under the project's prompt.

    A name is looked for among the recordings of `replay_folder` (if there is one) and then among the project's
    models; without names, all recorded agents. No efforts means all that there are, no harnesses the shared one.
    Raises `InputError` for a name or harness that there is not, `SettingsError` when a models file is wrong.
    """
    recorded = _recorded(replay_folder)
    template = PromptStore(database).text(SHARED_SYSTEM)
    return [
        configuration_of(model, harness, effort, template=template, search=search)
        for model in choose_models(database, names, replay_folder)
        for harness in harnesses or (Harness.SHARED,)
        for effort in _efforts(model, recorded.get(model.name), efforts)
    ]


def choose_models(database: Database, names: Sequence[str], replay_folder: Path | None) -> list[EvaluatedModel]:
    """The models of these names, looked for as in `choose_configurations`; without names, all recorded agents.

    Raises `InputError` (also without names and recordings) and `SettingsError` as that does.
    """
    recorded = _recorded(replay_folder)
    known = {model.name: model for model in available_models(database)}
    for name in recorded:
        if name not in known or not known[name].is_scripted:
            known[name] = EvaluatedModel(name, SCRIPTED, name)
    for name in names:
        if name not in known:
            raise InputError(f"There is no model “{name}”.", f"Known are: {', '.join(known)}.")
    if not names and not recorded:
        raise InputError(
            "Say which models answer (--model), or name recordings (--replay).", f"Known are: {', '.join(known)}."
        )
    return [known[name] for name in names or recorded]


def _recorded(folder: Path | None) -> dict[str, list[Effort]]:
    found: dict[str, list[Effort]] = {}
    for model, effort in RecordedAgents(folder).configurations() if folder is not None else ():
        found.setdefault(model, []).append(Effort(effort))
    return found


def _efforts(model: EvaluatedModel, recorded: Sequence[Effort] | None, wanted: Sequence[Effort]) -> list[Effort]:
    there = (recorded or ()) if model.is_scripted else EFFORTS
    found = [effort for effort in there if not wanted or effort in wanted]
    if model.is_scripted and not there:
        raise InputError(f"There is no recording of the model “{model.name}”.", "Name the folder that holds it.")
    return found
