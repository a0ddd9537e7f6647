"""The models of a project: which for each stage, their knowledge cutoffs, what an effort is for each provider."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.evaluated_model import EffortSetting, EvaluatedModel
from btc_gui.domain.natural_order import natural_key
from btc_gui.domain.role_model import ROLES, RoleModel

_STAGES = {
    "generator": "Generate indirect probes",
    "pairer": "Write direct probes",
    "judge": "Judge",
    "classifier": "Classify failures",
}


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the tables about models are made from. `judges` has how many verdicts of each judge count."""

    models: Sequence[EvaluatedModel] = ()
    roles: Mapping[str, RoleModel] = field(default_factory=dict)
    judges: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageRow:
    """One model of one stage. `source` says how that is known: configured, recorded with verdicts, or evaluated."""

    stage: str
    model: str
    efforts: tuple[str, ...]
    harnesses: tuple[str, ...]
    source: str


def stage_rows(
    configurations: Iterable[Configuration], roles: Mapping[str, RoleModel], judges: Mapping[str, int]
) -> list[StageRow]:
    """Models by stage: what the settings name for each role, the judges whose verdicts count, what was evaluated."""
    rows = [
        StageRow(
            _STAGES[name], roles[name].model, (roles[name].effort,) if roles[name].effort else (), (), "configured"
        )
        for name in ROLES
        if name in roles and roles[name].model
    ]
    rows += [
        StageRow(_STAGES["judge"], judge, (), (), f"{count:,} verdicts that count")
        for judge, count in sorted(judges.items())
        if count
    ]
    used: dict[str, list[Configuration]] = {}
    for configuration in configurations:
        used.setdefault(configuration.model, []).append(configuration)
    for model, each in sorted(used.items(), key=lambda entry: natural_key(entry[0])):
        efforts = sorted({str(one.effort) for one in each}, key=_effort_order)
        harnesses = sorted({str(one.harness) for one in each})
        rows.append(StageRow("Evaluate", model, tuple(efforts), tuple(harnesses), "answers"))
    return rows


@dataclass(frozen=True, slots=True)
class CutoffRow:
    """The knowledge cutoff of an evaluated model: as reported (empty: not), where from, and as agents were told it."""

    model: str
    reported: str
    source: str
    told: tuple[str, ...]


def cutoff_rows(configurations: Iterable[Configuration], models: Sequence[EvaluatedModel]) -> list[CutoffRow]:
    """The cutoffs of the models that were evaluated; what was told is what the configurations say."""
    known = {model.name: model for model in models}
    told: dict[str, set[str]] = {}
    for configuration in configurations:
        days = told.setdefault(configuration.model, set())
        days.update({configuration.settings["cutoff"]} if configuration.settings.get("cutoff") else ())
    return [
        CutoffRow(
            name,
            known[name].cutoff if name in known else "",
            known[name].cutoff_source if name in known else "",
            tuple(sorted(days)),
        )
        for name, days in sorted(told.items(), key=lambda entry: natural_key(entry[0]))
    ]


@dataclass(frozen=True, slots=True)
class EffortRow:
    """What a provider is told for an effort of a model; empty where neither a run nor models.toml says."""

    model: str
    provider: str
    effort: str
    value: str


def effort_rows(configurations: Iterable[Configuration], models: Sequence[EvaluatedModel]) -> list[EffortRow]:
    """Effort values by model: those of the configurations that ran, else those of models.toml."""
    known = {model.name: model for model in models}
    found: dict[tuple[str, str], set[str]] = {}
    for configuration in configurations:
        values = found.setdefault((configuration.model, str(configuration.effort)), set())
        recorded = configuration.settings.get("effort")
        if recorded:
            values.add(EffortSetting(**json.loads(recorded)).text)
        elif configuration.model in known and not known[configuration.model].is_scripted:
            values.add(known[configuration.model].effort(configuration.effort).text)
    rows = []
    for (model, effort), values in sorted(
        found.items(), key=lambda entry: (natural_key(entry[0][0]), _order(entry[0]))
    ):
        provider = known[model].service if model in known else ""
        rows.append(EffortRow(model, provider, effort, " or ".join(sorted(values))))
    return rows


def _order(key: tuple[str, str]) -> tuple[int, str]:
    return _effort_order(key[1])


def _effort_order(effort: str) -> tuple[int, str]:
    return {"low": 0, "high": 2}.get(effort, 1), effort
