"""The options of commands whose agents answer probes: who, at which effort, in which harness, how many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from btc_gui.domain.configuration import EFFORTS, HARNESSES, Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.run import AT_ONCE
from btc_gui.domain.search_settings import SearchKind, SearchSettings
from btc_gui.errors import InputError
from btc_gui.evals.replay import RecordedAgents
from btc_gui.jobs.choose_agents import choose_configurations, choose_models
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore

Member = TypeVar("Member")
Item = tuple[ProbeId, RevisionId]


@dataclass(frozen=True, slots=True)
class Agents:
    """Who is to answer, as given. `replay` is the folder of recordings that was named; else `folder` is the default."""

    models: tuple[str, ...]
    efforts: tuple[Effort, ...]
    harnesses: tuple[Harness, ...]
    replay: Path | None
    folder: Path | None
    at_once: int

    def chosen_models(self, database: Database) -> list[EvaluatedModel]:
        """The models. Raises `InputError` for a name that there is not."""
        return choose_models(database, self.models, self.folder)

    def configurations(self, database: Database, search: SearchSettings) -> list[Configuration]:
        """Models × harnesses × efforts. Raises `InputError` for what there is not, or what could only fail."""
        found = choose_configurations(database, self.models, self.efforts, self.harnesses, search, self.folder)
        self.check_searches(found)
        return found

    def check_searches(self, configurations: Sequence[Configuration]) -> None:
        """Models that cost money would fail at their first query with the demo's searches. Raises `InputError`."""
        for each in configurations:
            is_paid = "engine_model" in each.settings
            if self.replay is None and is_paid and each.search == SearchKind.REPLAY:
                raise InputError(
                    f"{each.title} replays searches, but no recordings are named.",
                    "Name their folder (--replay), or choose another search (--search exa or local).",
                )

    def check_recordings(self, database: Database, plan: Sequence[tuple[Configuration, Sequence[Item]]]) -> None:
        """The demo's recordings know the demo's probes only: others would fail, one by one. Raises `InputError`."""
        probes = {probe for each, items in plan if "engine_model" not in each.settings for probe, _ in items}
        if self.replay is not None or self.folder is None or not probes:
            return
        known = RecordedAgents(self.folder).probes()
        if all(probe.key not in known for probe in ProbeStore(database).fetch(sorted(probes)).values()):
            raise InputError(
                "No recordings are named, and the demo's know none of these probes.",
                "Say which model answers (--model; “btc-gui models” lists them), or name recordings (--replay).",
            )


def agent_options(
    *, harnesses: Sequence[Harness] = HARNESSES, default: Path | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--model`, `--effort`, `--harness`, `--replay` and `--at-once`; the command gets one argument `agents`.

    Only these `harnesses` can be chosen; without any, there is no such option and no `--effort`. `default` is the
    folder of recordings when none is named.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_agents(
            *arguments: object,
            models: tuple[str, ...],
            replay_folder: Path | None,
            at_once: int,
            efforts: tuple[str, ...] = (),
            harness_names: tuple[str, ...] = (),
            **others: object,
        ) -> object:
            agents = Agents(
                models,
                members(efforts, Effort, EFFORTS),
                members(harness_names, Harness, harnesses),
                replay_folder,
                replay_folder or default,
                at_once,
            )
            return command(*arguments, agents=agents, **others)

        for option in reversed([*_who(default), *(_how(harnesses) if harnesses else ())]):
            with_agents = option(with_agents)
        return with_agents

    return decorated


def _who(default: Path | None) -> Iterator[Callable[..., Any]]:
    unnamed = "all recorded ones" if default else "all of the recordings; needed without --replay"
    yield click.option(
        "--model",
        "models",
        multiple=True,
        help=f"A model of models.toml or of the recordings, more than once for several (default: {unnamed}).",
    )
    whose = "the demo's" if default else "none"
    yield click.option(
        "--replay",
        "replay_folder",
        type=click.Path(path_type=Path),
        help=f"The folder with recorded agents and searches (default: {whose}).",
    )
    yield click.option(
        "--at-once",
        type=click.IntRange(min=1),
        default=AT_ONCE,
        show_default=True,
        help="Samples of a service in parallel.",
    )


def _how(harnesses: Sequence[Harness]) -> Iterator[Callable[..., Any]]:
    yield click.option("--effort", "efforts", multiple=True, help="low, high, or low,high (default: all there are).")
    yield click.option(
        "--harness",
        "harness_names",
        multiple=True,
        default=(Harness.SHARED.value,),
        show_default=True,
        help=f"{', '.join(harnesses)}, or several.",
    )


def members(texts: Sequence[str], kind: Callable[[str], Member], known: Sequence[str]) -> tuple[Member, ...]:
    """`low,high`, or `low` and `high`, as members of an enumeration, each once. Raises `InputError`."""
    words = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    for word in words:
        if word not in known:
            raise InputError(f"“{word}” is not known here.", f"Known are: {', '.join(known)}.")
    return tuple(kind(word) for word in dict.fromkeys(words))
