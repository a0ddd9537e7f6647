"""What the app and its evaluation worker say to each other: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory, Usage

#: How many samples one request may have: keeps the engine's memory flat.
MAX_SAMPLES = 500


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """One sample to be run: `id` is the item's, `probe` the probe's key."""

    id: int
    probe: str
    text: str
    repetition: int = 1


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """At most `MAX_SAMPLES` samples of one configuration. `provider` and `model` say who answers, `search` what
    stands behind web_search, `system_prompt` is complete. `replay_folder` is for scripted agents only."""

    name: str
    provider: str
    model: str
    effort: str
    harness: str
    search: str
    system_prompt: str
    log_folder: str
    samples: tuple[SampleRequest, ...]
    replay_folder: str = ""
    latency: float = 0.05
    at_once: int = 8
    message_limit: int = 60
    seconds_limit: int = 1_800

    def as_json(self) -> dict[str, Any]:
        """The request as it is sent."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> EvaluationRequest:
        """Read a request that was sent."""
        return cls(**{**value, "samples": tuple(SampleRequest(**each) for each in value["samples"])})


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has loaded the engine and takes requests."""


@dataclass(frozen=True, slots=True)
class Started:
    """A sample has begun."""

    sample: int


@dataclass(frozen=True, slots=True)
class Queried:
    """A sample has had the results of a query."""

    sample: int
    query: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A sample has ended, however it did."""

    sample: int
    trajectory: Trajectory


@dataclass(frozen=True, slots=True)
class Retried:
    """A call to a model failed and is made again after `wait` seconds."""

    model: str
    reason: str
    wait: float


@dataclass(frozen=True, slots=True)
class Done:
    """A request is over: all of its samples have been reported, or it was told to stop."""

    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class Fatal:
    """A request could not be carried out; the worker goes on."""

    reason: str


@dataclass(frozen=True, slots=True)
class Exited:
    """The worker is gone. Not sent, but seen."""

    code: int


Event = Ready | Started | Queried | Finished | Retried | Done | Fatal | Exited
_EVENTS: dict[str, type[Event]] = {
    each.__name__.lower(): each for each in (Ready, Started, Queried, Finished, Retried, Done, Fatal)
}


def encode(event: Event) -> str:
    """The line that carries an event, without its end. Plain ASCII, so that half characters survive too."""
    return json.dumps({"event": type(event).__name__.lower(), **asdict(event)})


def decode(line: str) -> Event:
    """Read such a line. Raises ValueError for what is no event."""
    try:
        value = json.loads(line)
        kind = _EVENTS[value.pop("event")]
        if kind is Finished:
            return Finished(value["sample"], _trajectory(value["trajectory"]))
        return kind(**{field.name: value[field.name] for field in fields(kind)})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not an event of the worker: {line[:200]}") from error


def _trajectory(value: Mapping[str, Any]) -> Trajectory:
    return Trajectory(
        **{
            **value,
            "ending": Ending(value["ending"]),
            "usage": Usage(**value["usage"]),
            "steps": tuple(_step(each) for each in value["steps"]),
        }
    )


def _step(value: Mapping[str, Any]) -> Step:
    results = tuple(SearchResult(**{**each, "excerpts": tuple(each["excerpts"])}) for each in value["results"])
    return Step(**{**value, "kind": StepKind(value["kind"]), "results": results})
