"""What the composer of runs offers: models that can be asked, recorded agents, samples; and what a run would take."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from btc_gui.domain.configuration import EFFORTS, Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.forecast import Forecast
from btc_gui.domain.models_file import load_models
from btc_gui.domain.probe import ProbeId, ProbeKind, ReviewStatus, RevisionId
from btc_gui.domain.run import RunId, RunRecipe
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import BtcError, RunError
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.replay import AGENTS_FILE, RecordedAgents
from btc_gui.evals.search.documents import check_folder
from btc_gui.evals.search.opening import check_search, with_documents
from btc_gui.jobs.model_price import role_choice
from btc_gui.jobs.run_evaluation import forecast_plan, plan_each
from btc_gui.jobs.sample_probes import items_of_sample
from btc_gui.outside_data import toml_from
from btc_gui.progress import Progress
from btc_gui.remote.model_choice import ModelChoice
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, role_models
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore
from btc_gui.store.samples import SampleStore

#: The search settings to begin with.
SEARCH = SearchSettings()
Item = tuple[ProbeId, RevisionId]
Plan = Sequence[tuple[Configuration, Sequence[Item]]]


@dataclass(frozen=True, slots=True)
class Offer:
    """A model to choose: the efforts that it can answer at, and the reason when it can't be asked at all."""

    model: EvaluatedModel
    efforts: tuple[Effort, ...] = EFFORTS
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """What there is to choose from. `current_date` is the day that the agents should be told; `roles` names who
    judges and classifies by models.toml."""

    folder: Path
    models: tuple[Offer, ...]
    samples: tuple[str, ...]
    current_date: str
    roles: Mapping[str, ModelChoice] = field(default_factory=dict)


def read_offers(database: Database, folder: Path, environment: Mapping[str, str] = os.environ) -> Offers:
    """The agents recorded in a folder, then the models of models.toml, then the project's samples.

    Files in the folder may name its models (`models.toml`) and their day (`demo.toml`). A folder without recordings
    only offers the others. Raises `RunError` when its recordings can't be read, `SettingsError` when a models file
    is wrong.
    """
    recorded: dict[str, list[Effort]] = {}
    if (folder / AGENTS_FILE).exists():
        for name, effort in RecordedAgents(folder).configurations():
            recorded.setdefault(name, []).append(Effort(effort))
    about = folder / "models.toml"
    told = {each.name: each for each in (load_models(about) if about.is_file() else ()) if each.is_scripted}
    known = {each.name: each for each in available_models(database)}
    offers = []
    for name, efforts in recorded.items():
        model = told.get(name) or known.get(name)
        if model is None or not model.is_scripted:
            model = EvaluatedModel(name, SCRIPTED, name)
        offers.append(Offer(model, tuple(efforts)))
    for model in known.values():
        if model.name not in recorded:
            reason = "no recordings in this folder" if model.is_scripted else _without_key(model, environment)
            offers.append(Offer(model, reason=reason))
    samples = tuple(sample.name for sample in SampleStore(database).all())
    day = _day_of(folder) if recorded else date.today().isoformat()
    roles = {role: role_choice(database, role) for role in role_models(database)}
    return Offers(folder, tuple(offers), samples, day, roles)


def _without_key(model: EvaluatedModel, environment: Mapping[str, str]) -> str:
    return "" if model.has_key(environment) else f"no key: set {' or '.join(model.key_variables)}"


def _day_of(folder: Path) -> str:
    about = folder / "demo.toml"
    if not about.is_file():
        return date.today().isoformat()
    try:
        told = toml_from(about.read_text(encoding="utf-8-sig")).get("current_date", date.today().isoformat())
        return date.fromisoformat(str(told)).isoformat()
    except (OSError, ValueError) as error:
        raise RunError(f"{about} can't be read: {error}.") from error


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """The search of the shared harness as it was typed in."""

    kind: SearchKind = SearchKind.REPLAY
    folder: str = ""
    as_of: str = ""
    results: int = SEARCH.results
    characters: int = SEARCH.characters
    keep_undated: bool = SEARCH.keep_undated

    def settings(self) -> SearchSettings:
        """The settings. Raises `InputError` for a day that is none, or a local search without a folder.

        Undated results only matter with an as-of day: without one they are kept, so that the configuration is the
        same one whatever was ticked.
        """
        folder = self.folder if self.kind is SearchKind.LOCAL else ""
        keep_undated = self.keep_undated or not self.as_of
        return SearchSettings(self.kind, self.results, self.characters, self.as_of, keep_undated, folder)


@dataclass(frozen=True, slots=True)
class Composition:
    """A run as it is being composed: of one `probe`, else of those of `sample`, or of all that fit when it is empty."""

    name: str
    folder: Path
    current_date: str
    models: tuple[Offer, ...]
    harnesses: tuple[Harness, ...]
    efforts: tuple[Effort, ...]
    search: SearchChoice
    sample: str
    categories: tuple[str, ...]
    kinds: tuple[ProbeKind, ...]
    only_accepted: bool
    repetitions: int
    at_once: int
    max_cost: float | None = None
    probe: Item | None = None

    @property
    def recipe(self) -> RunRecipe:
        """How the samples are made."""
        return RunRecipe(
            current_date=self.current_date, at_once=self.at_once, sample=self.sample, max_cost=self.max_cost
        )

    def missing(self) -> tuple[str, str]:
        """What has not been chosen, and what to do about it; empty when something is chosen everywhere."""
        if not self.models:
            return "No model is chosen", "Tick at least one model."
        if not self.harnesses:
            return "No harness is chosen", "Shared is our own search, native the provider's."
        if not self.efforts:
            return "No effort is chosen", "Tick low, high or both."
        if not self.kinds:
            return "No probe fits", "Tick indirect or direct probes, or both."
        if not self.sample and not self.categories:
            return "No probe fits", "Tick at least one category."
        return "", ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a composition would ask, and what that takes. `problem` and `remedy` say why it can't be run, if so;
    `notes` what a person should know before."""

    composition: Composition
    plan: Plan
    forecast: Forecast
    problem: str = ""
    remedy: str = ""
    notes: tuple[str, ...] = ()


def look_ahead(database: Database, composition: Composition, progress: Progress) -> Outlook:
    """Count the probes and forecast the run. Changes nothing, asks nobody."""
    problem, remedy = composition.missing()
    nothing = Forecast((), composition.at_once)
    if problem:
        return Outlook(composition, (), nothing, problem, remedy)
    try:
        search = composition.search.settings()
        if Harness.SHARED in composition.harnesses:
            if search.kind is SearchKind.LOCAL:
                # Indexing waits for the start: it may take minutes.
                check_folder(Path(search.folder), progress)
            else:
                check_search(search, composition.folder)
        configurations, left_out = configurations_of(database, composition, search)
        plan = _plan(database, composition, configurations)
    except BtcError as error:
        return Outlook(composition, (), nothing, error.message, error.remedy)
    if not plan:
        return Outlook(composition, (), nothing, "Nothing of this can be asked", " ".join(left_out))
    if not any(items for _, items in plan):
        remedy = "Accept probes in the review, or leave “Only accepted” out." if not composition.sample else ""
        return Outlook(composition, (), nothing, "No probe fits", remedy)
    expected = forecast_plan(database, plan, composition.repetitions, at_once=composition.at_once)
    return Outlook(composition, plan, expected, notes=tuple(left_out))


def plan_composition(database: Database, composition: Composition, author: str, progress: Progress) -> RunId:
    """Plan the run; a folder of documents is indexed first. Raises `BtcError` for what can't be run."""
    configurations = configurations_for(database, composition, progress)
    plan = _plan(database, composition, configurations)
    return plan_each(database, composition.name, plan, composition.repetitions, author, composition.recipe)


def configurations_for(database: Database, composition: Composition, progress: Progress) -> list[Configuration]:
    """What is asked, with a folder of documents indexed. Raises `BtcError` for what can't be run."""
    search = composition.search.settings()
    if Harness.SHARED in composition.harnesses:
        search = with_documents(search, progress)
    return configurations_of(database, composition, search)[0]


def configurations_of(
    database: Database, composition: Composition, search: SearchSettings
) -> tuple[list[Configuration], list[str]]:
    """Models × harnesses × efforts, and a sentence for each thing that there is not."""
    template = PromptStore(database).text(SHARED_SYSTEM)
    found: list[Configuration] = []
    left_out: list[str] = []
    for offer in composition.models:
        name = offer.model.name
        missing = [effort for effort in composition.efforts if effort not in offer.efforts]
        if missing:
            left_out.append(f"{name} is not recorded at {' and '.join(missing)} effort.")
        for harness in composition.harnesses:
            if harness is Harness.NATIVE and offer.model.native is None:
                left_out.append(f"{name} has no native search.")
                continue
            found += [
                configuration_of(offer.model, harness, effort, template=template, search=search)
                for effort in composition.efforts
                if effort in offer.efforts
            ]
    return found, left_out


def _plan(database: Database, composition: Composition, configurations: Sequence[Configuration]) -> Plan:
    if composition.probe is not None:
        return [(configuration, [composition.probe]) for configuration in configurations]
    if composition.sample:
        sample = SampleStore(database).get(composition.sample)
        return items_of_sample(database, sample, configurations, composition.kinds)
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
    return [(configuration, items) for configuration in configurations]
