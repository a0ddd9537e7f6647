"""Where a sample in a log comes from: what our tasks write beside their samples, and read back on any machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.declared_kinds import check_kinds
from btc_gui.domain.evaluated_model import model_of
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.run import Purpose, Run, RunRecipe

#: The key under which a log's metadata hold an `Origin`.
ORIGIN = "btc_gui"
#: What a sample's metadata say: the probe's key, the hash of the wording that was asked, which answer to it.
PROBE, REVISION, REPETITION = "probe", "revision", "repetition"
#: How a run's origin begins when it was read from the logs of another project's run, or from a log of others.
RUN_ORIGIN, LOG_ORIGIN = "run:", "log:"


@dataclass(frozen=True, slots=True)
class Origin:
    """A run and one of its configurations, as a log of its samples names them.

    `run` is the run's identity: the same in all copies of a project, and in none of another.
    """

    run: str
    name: str
    created_by: str
    created_at: str
    recipe: RunRecipe
    configuration: Configuration

    def as_json(self) -> dict[str, Any]:
        """What the log holds."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Origin | None:
        """Read what a log holds; None for what is not ours, or cannot be read by this version."""
        try:
            recipe, configuration = dict(value["recipe"]), dict(value["configuration"])
            known = {each.name for each in fields(RunRecipe)}
            origin = cls(
                run=str(value["run"]),
                name=str(value["name"]),
                created_by=str(value["created_by"]),
                created_at=str(value["created_at"]),
                recipe=RunRecipe(
                    **{
                        **{name: each for name, each in recipe.items() if name in known},
                        "purpose": Purpose(recipe["purpose"]),
                    }
                ),
                configuration=Configuration(
                    **{
                        **configuration,
                        "harness": Harness(configuration["harness"]),
                        "effort": Effort(configuration["effort"]),
                    }
                ),
            )
            check_kinds(origin.recipe, origin.configuration)
            # Its settings say how its model was asked.
            model_of(origin.configuration, {})
        except (AttributeError, KeyError, TypeError, ValueError):
            return None
        return origin


def origin_of(run: Run, configuration: Configuration) -> Origin:
    """What the logs of `run` say about the samples of `configuration`."""
    return Origin(run_identity(run), run.name, run.created_by, run.created_at, run.recipe, configuration)


def run_identity(run: Run) -> str:
    """What a run is, whatever its number in a project: SHA-256 over how, when and by whom it was planned."""
    if run.origin.startswith(RUN_ORIGIN):
        return run.origin.removeprefix(RUN_ORIGIN)
    return hash_of([run.id, run.name, run.created_by, run.created_at])
