"""A run: which probes are put to which configurations, and how far that has come."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NewType

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.domain.purpose import Purpose as Purpose
from btc_gui.domain.trajectory import AnswerId, Ending, Usage

RunId = NewType("RunId", int)
RunItemId = NewType("RunItemId", int)

#: The latest knowledge cutoff that any provider reports: used for models whose provider reports none.
LATEST_REPORTED_CUTOFF = date(2026, 1, 31)
#: How many samples run in parallel unless a recipe says otherwise.
AT_ONCE = 8
#: How many seconds a turn of a recorded agent takes unless a recipe says otherwise.
LATENCY = 0.05


#: How the origin of a run begins whose answers were loaded from files; the rest is its name.
ANSWERS_ORIGIN = "answers:"
#: How the origin of a run begins that probes were tried out in; the rest is the day that the agents were told.
TRIALS_ORIGIN = "trials:"


@dataclass(frozen=True, slots=True)
class RunRecipe:
    """How the samples of a run are made; the same for all its configurations, and kept with the run.

    `current_date` is the day that the agents are told (ISO). `at_once` samples of each service run in parallel; a
    sample ends without an answer after `message_limit` messages or `seconds_limit` seconds (0 = no limit). `latency`
    is what a scripted turn takes. `sample` names the frozen sample that the items are from, if they are from one.
    Nothing new is started once the known costs reach `max_cost` US dollars (None: no limit).
    """

    current_date: str
    purpose: Purpose = Purpose.EVALUATE
    at_once: int = AT_ONCE
    message_limit: int = 60
    seconds_limit: int = 1_800
    latency: float = LATENCY
    sample: str = ""
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A run as planned. The lease says which process drives it now, and until when without renewal.

    `origin` says where it was read from: empty for a run that was planned in this project.
    """

    id: RunId
    name: str
    recipe: RunRecipe
    created_by: str
    created_at: str
    lease_owner: str = ""
    lease_until: str = ""
    origin: str = ""

    @property
    def purpose(self) -> Purpose:
        """What the run is for."""
        return self.recipe.purpose

    @property
    def is_import(self) -> bool:
        """Whether its answers came from elsewhere: nothing of it can be asked from here."""
        return self.recipe.purpose is Purpose.IMPORT

    @property
    def is_trial(self) -> bool:
        """Whether probes were only tried out in it: results leave it out, and studies never draw from it."""
        return self.origin.startswith(TRIALS_ORIGIN)

    @property
    def is_log(self) -> bool:
        """Whether it stands for a log of somebody else, whose samples are about no probe of the project."""
        return self.is_import and not self.origin.startswith(ANSWERS_ORIGIN)


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """One probe revision to be answered once by one configuration."""

    id: RunItemId
    run_id: RunId
    configuration_id: ConfigurationId
    probe_id: ProbeId
    probe_key: str
    revision_id: RevisionId
    text: str
    repetition: int


@dataclass(frozen=True, slots=True)
class ConfigurationProgress:
    """How far one configuration of a run has come.

    `by_ending` counts the answers that count (one an item at most); `attempts` all answers ever received,
    cancelled and retried ones included; `usage`, `cost` (None: no price known) and `seconds` are their sum.
    `retries` counts calls to the model that were made again, by reason.
    """

    configuration_id: ConfigurationId
    configuration: Configuration
    planned: int
    pending: int
    attempts: int
    by_ending: Mapping[Ending, int]
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float = 0.0
    retries: Mapping[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """How many items have their answer, whatever its ending."""
        return self.planned - self.pending


@dataclass(frozen=True, slots=True)
class RunLogLine:
    """One thing that happened in a run, at a time in UTC; `configuration` is the title of the one it is about."""

    at: str
    text: str
    configuration: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One attempt at an answer without its steps. `is_final` says that it is the one that counts for its item."""

    id: AnswerId
    run_item_id: RunItemId
    run_id: RunId
    probe_id: ProbeId | None
    probe_key: str
    revision_id: RevisionId | None
    configuration_id: ConfigurationId
    configuration: Configuration
    repetition: int
    is_final: bool
    ending: Ending
    ending_reason: str
    answer: str
    queries: int
    results: int
    usage: Usage
    cost: float | None
    seconds: float | None
    started_at: str
    finished_at: str


def cutoff_day(cutoff: str) -> str:
    """The knowledge cutoff as the agents are told it: a full day.

    A month means its last day; no cutoff means the latest one that any provider reports. Raises ValueError
    for what is neither `YYYY-MM` nor `YYYY-MM-DD`.
    """
    if not cutoff:
        return LATEST_REPORTED_CUTOFF.isoformat()
    parts = cutoff.split("-")
    if len(parts) == 2:
        year, month = int(parts[0]), int(parts[1])
        return date(year, month, calendar.monthrange(year, month)[1]).isoformat()
    return date.fromisoformat(cutoff).isoformat()
