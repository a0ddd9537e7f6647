"""A case: one answer to one probe with all that lists show of it, which cases somebody asks for, and references."""

from __future__ import annotations

import re
from dataclasses import dataclass

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeId, ProbeKind, RevisionId
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError

#: Values of the facets `labels` and `modes` beside the classes: a reply that could not be used, and none yet.
UNSCORED, UNJUDGED, UNCLASSIFIED = "unscored", "unjudged", "unclassified"

#: Value of the facets `labels` and `modes` for cases whose label is not told, since a study over them is open.
IN_STUDY = "in an open study"

#: Values of the facet `sources`: an answer to a probe of this project, or a sample of somebody else's log.
PROBE, LOG = "probe", "log"

_REFERENCE = re.compile(r"^\s*btc:(\d{1,18})\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CaseQuery:
    """Which cases, in which order; an empty tuple means all.

    `labels` takes correct, incorrect, unscored, unjudged; `modes` the failure modes, unscored, unclassified;
    `queries` 0, 1 and 2+; `sources` probe and log. `contains` looks in answers, queries, the probe's text (or what
    a sample of a log was asked) and the entity's name.
    `order` is one of entity, category, date, kind, probe, model, effort, harness, ending, queries, label,
    mode, stored.
    """

    categories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    harnesses: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    contains: str = ""
    run_id: RunId | None = None
    event_id: EventId | None = None
    probe_id: ProbeId | None = None
    configuration_id: ConfigurationId | None = None
    order: str = "date"
    descending: bool = False


#: Every case.
ALL_CASES = CaseQuery()


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case as lists show it: no long texts.

    `label` and `mode` are None while there is none, and where they are not told (`is_blind`); `unscored` says why the
    judge's reply could not be used, if there was one. `label_text` and `mode_text` are the values of the facets.
    `human_labels` counts the annotators that labelled this answer. A sample of somebody else's log has no event and
    no probe: then `entity` is its task and id, and `probe_text` what it was asked.
    """

    answer_id: AnswerId
    run_id: RunId
    event_id: EventId | None
    probe_id: ProbeId | None
    revision_id: RevisionId | None
    entity: str
    category: str
    date: EventDate | None
    kind: ProbeKind | None
    probe_text: str
    configuration_id: ConfigurationId
    configuration: Configuration
    repetition: int
    ending: Ending
    queries: int
    label: Label | None
    label_text: str
    names_entity: bool | None
    unscored: str
    mode: FailureMode | None
    mode_text: str
    by_construction: bool
    human_labels: int
    notes: int
    stored_at: str

    @property
    def is_blind(self) -> bool:
        """Whether label and mode are not told, since a study over the case is open."""
        return self.label_text == IN_STUDY

    @property
    def kind_text(self) -> str:
        """`direct probe`, or what an answer without a probe is."""
        return f"{self.kind} probe" if self.kind else "sample of a log"

    @property
    def reference(self) -> str:
        """How texts refer to this case: `btc:17`."""
        return f"btc:{self.answer_id}"


def is_reference(text: str) -> bool:
    """Whether `text` is a reference such as `btc:17`."""
    return _REFERENCE.match(text) is not None


def answer_of_reference(text: str) -> AnswerId:
    """The answer that `btc:17` refers to. Raises `InputError` when `text` is no such reference."""
    match = _REFERENCE.match(text)
    if match is None:
        raise InputError(f"“{text[:40]}” is not a case reference.", "Write it as btc:17.")
    return AnswerId(int(match.group(1)))
