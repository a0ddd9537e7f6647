"""A run's whole recipe as a file, and planning the same run again where the same probes are."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from importlib import metadata
from itertools import count
from pathlib import Path, PurePath
from typing import Any

from btc_gui import __version__
from btc_gui.domain.configuration import Configuration, ConfigurationId, Effort, Harness
from btc_gui.domain.evaluated_model import model_of
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import Purpose, Run, RunId, RunRecipe
from btc_gui.domain.run_recipe_file import Difference, portable, refusal, sealed, unsealed
from btc_gui.domain.search_settings import SearchKind
from btc_gui.errors import InputError, RunError
from btc_gui.known_secrets import secrets_in
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore, builtin_text
from btc_gui.store.recipes import KnownProbe, RecipeItem, RecipeStore
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore
from btc_gui.store.whole_text import whole_text

#: The packages whose behaviour a run depends on.
_PACKAGES = ("inspect-ai", "openai", "google-genai", "anthropic", "exa-py", "pydantic", "httpx", "numpy", "scipy")
_FOLDER = "search_folder"


@dataclass(frozen=True, slots=True)
class PlannedAgain:
    """A run planned from a recipe; `notes` say what is not the same although it does not stand in the way."""

    run_id: RunId
    configurations: int
    samples: int
    notes: tuple[str, ...]


def versions() -> dict[str, str]:
    """The versions of the app, the engine, the SDKs and Python; what is not installed is left out."""
    found = {"btc_gui": __version__, "python": platform.python_version(), "system": platform.system()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


# -- export --------------------------------------------------------------------------------------------------


def export_recipe(database: Database, run_id: RunId, environment: Mapping[str, str] = os.environ) -> str:
    """Everything that made a run, as the text of a recipe file: the same text each time.

    Raises `RunError` for a run that was not planned here, or when a secret of the environment would be in it;
    `SettingsError` when a models file is wrong.
    """
    run = RunStore(database).get(run_id)
    store = RecipeStore(database)
    items = store.items(run_id)
    foreign = store.without_probe(run_id)
    if foreign or not items:
        raise RunError(
            f"{foreign:,} samples of “{run.name}” belong to no probe of this project.",
            "A recipe is made of runs that were planned from probes.",
        )
    machines = store.machines(run_id)
    told_by = {each.prompt_hash for each in RunStore(database).configurations(_ids(items)).values()}
    text = sealed(
        {
            "versions": versions(),
            "run": portable(_run_part(database, run, items)),
            "sample": _sample_part(database, run),
            "machines": [asdict(each) for each in machines],
            "prompts": _prompts(database, told_by | {digest for each in machines for digest in each.prompts}),
        }
    )
    told = secrets_in(text, environment)
    if told:
        raise RunError(
            f"The recipe would hold the value of {', '.join(told)}: it is not written.",
            "Take the key out of the model's settings, prompts or names.",
        )
    return text


def _run_part(database: Database, run: Run, items: list[RecipeItem]) -> dict[str, Any]:
    probes = {(each.probe_key, each.text_hash): each for each in items}
    place = {name: number for number, name in enumerate(probes)}
    chosen: dict[ConfigurationId, list[int]] = {}
    for each in items:
        chosen.setdefault(each.configuration_id, []).append(place[each.probe_key, each.text_hash])
    known = {model.name: model for model in available_models(database)}
    configurations = RunStore(database).configurations(list(chosen))
    dates = RecipeStore(database).dates(run.id)
    return {
        "name": run.name,
        "planned_at": run.created_at,
        "answers": {"first_at": dates.first, "last_at": dates.last, "count": dates.answers},
        "recipe": asdict(run.recipe),
        "repetitions": max(each.repetitions for each in items),
        "configurations": [
            {
                **asdict(configurations[each]),
                "identity": configurations[each].identity,
                "model_entry": model_of(configurations[each], known).as_json(),
                "probes": numbers,
            }
            for each, numbers in chosen.items()
        ],
        "probes": [
            {
                "key": each.probe_key,
                "kind": each.kind,
                "category": each.category,
                "revision": each.revision,
                "text_sha256": each.text_hash,
                "facts_sha256": each.facts_hash,
            }
            for each in probes.values()
        ],
    }


def _sample_part(database: Database, run: Run) -> dict[str, Any] | None:
    sample = SampleStore(database).find(run.recipe.sample) if run.recipe.sample else None
    if sample is None:
        return None
    return {
        "name": sample.name,
        "algorithm": sample.algorithm,
        **asdict(sample.design),
        "cells": [asdict(cell) for cell in sample.cells],
        "items_sha256": sample.sha256,
    }


def _ids(items: list[RecipeItem]) -> list[ConfigurationId]:
    return list(dict.fromkeys(each.configuration_id for each in items))


def _prompts(database: Database, hashes: set[str]) -> dict[str, str]:
    """The full texts of prompts by hash. One whose text was never kept is left out."""
    store, own = PromptStore(database), builtin_text(SHARED_SYSTEM)
    found = {digest: store.by_hash(digest) for digest in sorted(hashes - {""})}
    found = {digest: own if digest == sha256(own) else text for digest, text in found.items()}
    return {digest: text for digest, text in found.items() if text}


# -- planning again ------------------------------------------------------------------------------------------


def read_recipe(path: Path) -> dict[str, Any]:
    """The recipe of a file, for `plan_recipe`. Raises `InputError` when it is none or was changed."""
    try:
        recipe = unsealed(whole_text(path, "utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read: {error}.", "Check the path.") from error
    _check(recipe)
    return recipe


def _check(recipe: Mapping[str, Any]) -> None:
    # Takes a while to load, and only those who plan a recipe need it.
    from btc_gui.domain.recipe_shape import check_shape

    check_shape(recipe)


def asks_for_documents(recipe: Mapping[str, Any]) -> bool:
    """Whether planning it needs to know where on this machine the documents are that its run searched."""
    return any(_lacks_documents(_configuration(each, "")) for each in recipe["run"]["configurations"])


def plan_recipe(
    database: Database,
    recipe: Mapping[str, Any],
    created_by: str,
    *,
    name: str = "",
    search_folder: str = "",
    current_date: str = "",
) -> PlannedAgain:
    """Plan the run of a recipe (as `read_recipe` gives it) in a project that holds the same probes.

    `search_folder` is where the documents of a local search are on this machine; `current_date` tells the agents
    another day than the recipe does. Without a `name` the run is called as in the recipe, with a number where a run
    here is called so. Raises `RunError` with the list of what the project lacks or has otherwise,
    and plans nothing then; `InputError` for a recipe that can't be read.
    """
    _check(recipe)
    run = recipe["run"]
    configurations = [_configuration(each, search_folder) for each in run["configurations"]]
    again = _run_recipe(run["recipe"])
    known = RecipeStore(database).probes([each["key"] for each in run["probes"]])
    differences = [*_probe_differences(run["probes"], known), *_other_differences(database, recipe, configurations)]
    if differences:
        raise RunError(refusal(differences), "Load the same probes, with the same wordings and facts.")
    items: list[tuple[ProbeId, RevisionId]] = [
        (known[each["key"]].probe_id, known[each["key"]].revisions[each["text_sha256"]]) for each in run["probes"]
    ]
    plan = [
        (configuration, [items[number] for number in each["probes"]])
        for configuration, each in zip(configurations, run["configurations"], strict=True)
    ]
    sample = SampleStore(database).find(again.sample) if again.sample else None
    is_same_sample = sample is not None and sample.sha256 == (recipe["sample"] or {}).get("items_sha256")
    again = replace(
        again, sample=again.sample if is_same_sample else "", current_date=current_date or again.current_date
    )
    with database.write():
        for text in recipe["prompts"].values():
            PromptStore(database).keep(text)
        run_id = RunStore(database).create_each(
            name.strip() or _free_name(database, run["name"]), again, plan, run["repetitions"], created_by
        )
    samples = sum(len(chosen) for _, chosen in plan) * run["repetitions"]
    return PlannedAgain(run_id, len(plan), samples, tuple(_notes(recipe, configurations, again)))


def _free_name(database: Database, name: str) -> str:
    """The name, with a number behind it where a run here has it: commands find runs by their names."""
    store = RunStore(database)
    taken = {run.name for run in store.fetch(store.ids()).values()}
    names = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(each for each in names if each not in taken)


def _configuration(value: Mapping[str, Any], search_folder: str) -> Configuration:
    settings = dict(value["settings"])
    if _FOLDER in settings and search_folder:
        settings[_FOLDER] = search_folder
    return Configuration(
        model=value["model"],
        harness=Harness(value["harness"]),
        effort=Effort(value["effort"]),
        search=value["search"],
        prompt_hash=value["prompt_hash"],
        as_of=value["as_of"],
        settings=settings,
    )


def _run_recipe(value: Mapping[str, Any]) -> RunRecipe:
    # Recipes once said who answers, which each configuration says for itself.
    value = {name: each for name, each in value.items() if name != "provider"}
    unknown = sorted(set(value) - {each.name for each in fields(RunRecipe)})
    if unknown:
        raise InputError(f"The recipe has settings that this app does not know: {', '.join(unknown)}.", "Update it.")
    return RunRecipe(**{**value, "purpose": Purpose(value["purpose"])})


def _probe_differences(probes: list[dict[str, Any]], known: Mapping[str, KnownProbe]) -> Iterator[Difference]:
    for each in probes:
        here = known.get(each["key"])
        if here is None:
            yield Difference("probe", each["key"], "is not in the project")
        elif each["text_sha256"] not in here.revisions:
            yield Difference("probe", each["key"], "has no such wording here")
        elif each["facts_sha256"] != here.facts_hash:
            yield Difference("probe", each["key"], "is about an event with other facts here")


def _other_differences(
    database: Database, recipe: Mapping[str, Any], configurations: list[Configuration]
) -> Iterator[Difference]:
    own = sha256(builtin_text(SHARED_SYSTEM))
    store = PromptStore(database)
    for digest in dict.fromkeys(each.prompt_hash for each in configurations if each.harness is Harness.SHARED):
        if digest and digest not in recipe["prompts"] and digest != own and not store.by_hash(digest):
            yield Difference("prompt", digest[:12], "its text is neither in the recipe nor here")
    for each in configurations:
        if _lacks_documents(each):
            yield Difference("search of", each.title, "say where its documents are on this machine (--search-folder)")


def _lacks_documents(configuration: Configuration) -> bool:
    """Whether it searches documents that are nobody knows where on this machine: a recipe names no folders."""
    folder = configuration.settings.get(_FOLDER, "")
    return configuration.search == SearchKind.LOCAL and not PurePath(folder).is_absolute()


def _notes(recipe: Mapping[str, Any], configurations: list[Configuration], again: RunRecipe) -> Iterator[str]:
    here = versions()
    for package, version in recipe["versions"].items():
        if here.get(package) != version:
            yield f"{package} was {version} and is {here.get(package, 'not installed')} here."
    for each, told in zip(configurations, recipe["run"]["configurations"], strict=True):
        if each.identity != told["identity"]:
            yield f"{each.title} is another configuration here (its settings name things of this machine)."
    if again.sample != recipe["run"]["recipe"].get("sample", ""):
        yield "The sample that the run was drawn from is not in this project; its probes are."
    if again.current_date != recipe["run"]["recipe"]["current_date"]:
        yield f"The agents are told {again.current_date}, not {recipe['run']['recipe']['current_date']}."
