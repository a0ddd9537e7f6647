"""Who answers in a run: the models behind its configurations, what they are told, what their answers cost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.configuration import Configuration, ConfigurationId, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, model_of
from btc_gui.domain.hashing import sha256
from btc_gui.domain.run import Run, cutoff_day
from btc_gui.domain.trajectory import StepKind, Trajectory
from btc_gui.errors import RunError
from btc_gui.evals.harness import system_prompt
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore, builtin_text
from btc_gui.store.runs import RunStore


def keep_prompts(database: Database, configurations: Sequence[Configuration]) -> None:
    """Keep the system prompt's text for a run that is planned now, whatever the project uses later."""
    prompts = PromptStore(database)
    text = prompts.text(SHARED_SYSTEM)
    if any(each.prompt_hash == sha256(text) for each in configurations):
        prompts.keep(text)


@dataclass(frozen=True, slots=True)
class RunAgents:
    """The models and prompts of a run's configurations, as they were planned; prices are today's."""

    models: Mapping[ConfigurationId, EvaluatedModel]
    templates: Mapping[ConfigurationId, str]

    @classmethod
    def of(cls, database: Database, run: Run, environment: Mapping[str, str] = os.environ) -> RunAgents:
        """Look up who is to answer what is still pending.

        Raises `RunError` when a key is missing or the text of a prompt is gone, before anybody is asked;
        `SettingsError` when a models file is wrong.
        """
        known = {model.name: model for model in available_models(database)}
        models: dict[ConfigurationId, EvaluatedModel] = {}
        templates: dict[ConfigurationId, str] = {}
        for each in RunStore(database).progress(run.id):
            model = model_of(each.configuration, known)
            models[each.configuration_id] = model
            if not each.pending:
                continue
            missing = model.missing_key(environment)
            if missing:
                raise RunError(missing, "Keys are never kept in the project; a keyring can be chosen in Settings.")
            templates[each.configuration_id] = _template(database, run, each.configuration)
        return cls(models, templates)

    @property
    def is_any_scripted(self) -> bool:
        """Whether recordings are needed."""
        return any(model.is_scripted for model in self.models.values())

    def told(self, configuration_id: ConfigurationId, configuration: Configuration, current_date: str) -> str:
        """The complete system prompt: dates filled in; empty outside of the shared harness."""
        template = self.templates.get(configuration_id, "")
        if not template:
            return ""
        return system_prompt(current_date, configuration.settings.get("cutoff") or cutoff_day(""), template)

    def with_cost(self, configuration_id: ConfigurationId, trajectory: Trajectory) -> Trajectory:
        """The trajectory with its cost in US dollars, where the price is known.

        What its searches cost is in it already; scripted agents cost nothing else.
        """
        model = self.models.get(configuration_id)
        if model is None or model.is_scripted:
            return trajectory
        searches = sum(step.kind is StepKind.QUERY for step in trajectory.steps) if model.native else 0
        cost = model.cost_of(trajectory.usage, searches)
        return replace(trajectory, cost=None if cost is None else cost + (trajectory.cost or 0.0))


def _template(database: Database, run: Run, configuration: Configuration) -> str:
    if configuration.harness is not Harness.SHARED or not configuration.prompt_hash:
        return ""
    kept = PromptStore(database).by_hash(configuration.prompt_hash)
    if kept:
        return kept
    own = builtin_text(SHARED_SYSTEM)
    if sha256(own) == configuration.prompt_hash:
        return own
    raise RunError(
        f"The shared system prompt has changed since the run “{run.name}” was planned.",
        "Plan a new run, or put the old prompt back.",
    )
