"""Who answers in a run: the models behind its configurations, what they are told, what their answers cost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from btc_gui.domain.configuration import Configuration, ConfigurationId, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel, model_of
from btc_gui.domain.hashing import sha256
from btc_gui.domain.origin import origin_of
from btc_gui.domain.run import PlannedItem, Run, cutoff_day
from btc_gui.domain.trajectory import StepKind, Trajectory
from btc_gui.errors import RunError
from btc_gui.evals.harness import system_prompt
from btc_gui.evals.messages import EvaluationRequest, SampleRequest
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
    def of(
        cls, database: Database, run: Run, environment: Mapping[str, str] = os.environ, *, runs_here: bool = True
    ) -> RunAgents:
        """Look up who is to answer what is still pending. Keys are not looked for when it runs elsewhere.

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
            if missing and runs_here:
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

    def request(
        self,
        run: Run,
        configuration_id: ConfigurationId,
        configuration: Configuration,
        items: Sequence[PlannedItem],
        *,
        logs: str,
        replay_folder: Path | None,
        recording: str = "",
    ) -> EvaluationRequest:
        """What the worker is asked for these items of one configuration. Its log goes to `logs`."""
        recipe = run.recipe
        model = self.models[configuration_id]
        return EvaluationRequest(
            name=f"run-{run.id}-configuration-{configuration_id}",
            provider=model.provider,
            agent={} if model.is_scripted else model.as_json(),
            model=configuration.model,
            effort=configuration.effort,
            harness=configuration.harness,
            search=configuration.search,
            system_prompt=self.told(configuration_id, configuration, configuration.as_of or recipe.current_date),
            log_folder=logs,
            samples=tuple(SampleRequest(item.id, item.probe_key, item.text, item.repetition) for item in items),
            replay_folder=str(replay_folder.resolve()) if replay_folder else "",
            latency=recipe.latency,
            at_once=min(recipe.at_once, model.at_once or recipe.at_once),
            message_limit=recipe.message_limit,
            seconds_limit=recipe.seconds_limit,
            as_of=configuration.as_of,
            search_settings=dict(configuration.settings),
            recording=recording,
            about=origin_of(run, configuration).as_json(),
        )

    def with_cost(self, configuration_id: ConfigurationId, trajectory: Trajectory) -> Trajectory:
        """The trajectory with its cost in US dollars, where the price is known.

        What its searches cost is in it already.
        """
        model = self.models.get(configuration_id)
        return trajectory if model is None else with_cost(model, trajectory)


def with_cost(model: EvaluatedModel, trajectory: Trajectory) -> Trajectory:
    """A trajectory of `model` with its cost in US dollars; as it is for scripted agents without an invented price."""
    if model.is_scripted and model.price is None:
        return trajectory
    searches = sum(step.kind is StepKind.QUERY for step in trajectory.steps) if model.native else 0
    cost = model.cost_of(trajectory.usage, searches)
    if cost is None:
        # What its searches cost is known all the same, and a spending limit counts all that is known.
        return trajectory
    return replace(trajectory, cost=cost + (trajectory.cost or 0.0))


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
