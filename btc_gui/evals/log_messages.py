"""What the app and its worker say to each other about logs. All of it can be a line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory, Usage


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """A sample that a log holds. `key` tells it from all others: the engine's uuid, or for older logs the log's
    id with the sample's id and epoch. A cancelled one was stopped while it was going."""

    id: str | int
    epoch: int
    key: str
    is_cancelled: bool = False

    @property
    def text(self) -> str:
        """The sample in words."""
        return f"sample {self.id}, epoch {self.epoch}"


@dataclass(frozen=True, slots=True)
class LogOpened:
    """A log that can be read: what it is about, and the samples it holds.

    `path` is what to read from (a repaired copy when the run had crashed). `about` is what our own tasks write
    about their run and configuration; empty in logs of others.
    """

    path: str
    log_id: str
    task: str
    model: str
    effort: str
    created: str
    status: str
    settings: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    samples: tuple[LoggedSample, ...] = ()

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LogOpened:
        """Read one that was sent."""
        return cls(**{**value, "samples": tuple(LoggedSample(**each) for each in value["samples"])})


@dataclass(frozen=True, slots=True)
class LogRefused:
    """A file that can't be read as a log, and why."""

    reason: str

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LogRefused:
        """Read one that was sent."""
        return cls(**value)


@dataclass(frozen=True, slots=True)
class LogsListed:
    """The logs in a folder, which may be elsewhere (any place that fsspec knows)."""

    paths: tuple[str, ...]

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LogsListed:
        """Read one that was sent."""
        return cls(tuple(value["paths"]))


@dataclass(frozen=True, slots=True)
class LogWritten:
    """A log has been written."""

    path: str
    samples: int

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LogWritten:
        """Read one that was sent."""
        return cls(**value)


@dataclass(frozen=True, slots=True)
class SampleRead:
    """A sample of a log whole. `request` is what was asked; `about` is what our tasks write about the probe."""

    sample: LoggedSample
    request: str
    about: Mapping[str, Any]
    trajectory: Trajectory

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SampleRead:
        """Read one that was sent."""
        return cls(
            LoggedSample(**value["sample"]), value["request"], value["about"], trajectory_from_json(value["trajectory"])
        )


@dataclass(frozen=True, slots=True)
class SampleUnreadable:
    """A sample of a log that can't be read, and why."""

    sample: LoggedSample
    reason: str

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SampleUnreadable:
        """Read one that was sent."""
        return cls(LoggedSample(**value["sample"]), value["reason"])


@dataclass(frozen=True, slots=True)
class SampleToWrite:
    """An answer as a log is to hold it. `about` names its probe; `verdicts` are label and reason by judge."""

    id: str
    epoch: int
    request: str
    system_prompt: str
    about: Mapping[str, Any]
    trajectory: Trajectory
    verdicts: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SampleToWrite:
        """Read one that was sent."""
        verdicts = {judge: (label, reason) for judge, (label, reason) in value["verdicts"].items()}
        return cls(**{**value, "trajectory": trajectory_from_json(value["trajectory"]), "verdicts": verdicts})


@dataclass(frozen=True, slots=True)
class LogToWrite:
    """A log that is to be written: where, and what it is about. `settings` are shown to its readers."""

    path: str
    log_id: str
    run_id: str
    task: str
    model: str
    effort: str
    created: str
    settings: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


def trajectory_from_json(value: Mapping[str, Any]) -> Trajectory:
    """Read a trajectory that was sent."""
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
