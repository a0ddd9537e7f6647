"""What the app and its evaluation worker say to each other: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.trajectory import Trajectory
from btc_gui.evals.log_messages import (
    LogOpened,
    LogRefused,
    LogsListed,
    LogWritten,
    SampleRead,
    SampleUnreadable,
    trajectory_from_json,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

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
    stands behind web_search (`as_of` and `search_settings` are a configuration's, as `SearchSettings` reads them),
    `system_prompt` is complete. `replay_folder` holds recorded agents and searches; live searches are appended to
    the file `recording`. `about` says in the log which run and configuration this is. `agent` is the record of a
    model that is asked for real (`EvaluatedModel.as_json`); a failed call to it is made again at most `retries`
    times, first after `retry_seconds`."""

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
    as_of: str = ""
    search_settings: Mapping[str, str] = field(default_factory=dict)
    recording: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)
    agent: Mapping[str, Any] = field(default_factory=dict)
    retries: int = 5
    retry_seconds: float = 3.0

    @property
    def service(self) -> str:
        """Whose limit of parallel samples it is under: requests of one service share it."""
        return EvaluatedModel.from_json(self.agent).service if self.agent else self.provider

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
    """A call to a model failed and is made again after `wait` seconds; `request` is the request's name."""

    model: str
    reason: str
    wait: float
    request: str = ""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A request could not be carried out, or not to its end; those that were sent with it go on."""

    request: str
    reason: str


@dataclass(frozen=True, slots=True)
class Done:
    """What was asked for is over: all samples have been reported or given up, or it was told to stop."""

    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class Fatal:
    """Nothing of what was asked for could be carried out; the worker goes on."""

    reason: str


@dataclass(frozen=True, slots=True)
class Exited:
    """The worker is gone. Not sent, but seen."""

    code: int


LogEvent = LogOpened | LogRefused | LogsListed | LogWritten | SampleRead | SampleUnreadable
Event = Ready | Started | Queried | Finished | Retried | GivenUp | Done | Fatal | Exited | LogEvent
_LOG_EVENTS: dict[str, type[LogEvent]] = {
    each.__name__.lower(): each
    for each in (LogOpened, LogRefused, LogsListed, LogWritten, SampleRead, SampleUnreadable)
}
_EVENTS: dict[str, type[Ready | Started | Queried | Finished | Retried | GivenUp | Done | Fatal]] = {
    each.__name__.lower(): each for each in (Ready, Started, Queried, Finished, Retried, GivenUp, Done, Fatal)
}


def encode(event: Event) -> str:
    """The line that carries an event, without its end."""
    # The worker's engine has it loaded; it takes less than half of the time.
    from pydantic_core import PydanticSerializationError, to_json

    value = {"event": type(event).__name__.lower(), **_plain(event)}
    try:
        return to_json(value).decode()
    except PydanticSerializationError:
        # Half a character survives as an escape only.
        return json.dumps(value, default=_plain)


def _plain(value: DataclassInstance) -> dict[str, Any]:
    """A dataclass's fields. `asdict` copies all that is in them, which takes longer than writing it."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def decode(line: str) -> Event:
    """Read such a line. Raises ValueError for what is no event."""
    try:
        value = json.loads(line)
        word = value.pop("event")
        if word in _LOG_EVENTS:
            return _LOG_EVENTS[word].from_json(value)
        kind = _EVENTS[word]
        if kind is Finished:
            return Finished(value["sample"], trajectory_from_json(value["trajectory"]))
        return kind(**{each.name: value[each.name] for each in fields(kind)})
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not an event of the worker: {line[:200]}") from error
