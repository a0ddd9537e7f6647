"""A case: one answer to one probe with all that lists show of it, and which cases somebody asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.number_words import counted
from btc_gui.domain.probe import ProbeId, ProbeKind, RevisionId
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label


class CasePool(StrEnum):
    """Which answers are cases: those of evaluations and loaded logs, or those that a filter of probes asked for."""

    EVALUATION = "evaluation"
    FILTER = "filter"


#: Values of the facets `labels` and `modes` beside the classes: a reply that could not be used, and none yet.
UNSCORED, UNJUDGED, UNCLASSIFIED = "unscored", "unjudged", "unclassified"

#: Value of the facets `labels` and `modes` for cases whose label is not told, since a study over them is open.
IN_STUDY = "in an open study"

#: Value of the facet `queries` for an answer that may have searched, of whose queries none is known.
QUERIES_UNKNOWN = "not known"

#: Values of the facet `sources`: an answer to a probe of this project, or a sample of somebody else's log.
PROBE, LOG = "probe", "log"

#: Values of the facet `directs`: what the same configuration answered when asked directly about the same event.
DIRECT_RIGHT, DIRECT_WRONG, DIRECT_BOTH = "right", "wrong", "right and wrong"
DIRECT_UNJUDGED, DIRECT_NONE = "not judged", "not asked"

#: Value of the facet `humans` beside the labels: annotators of a study did not agree.
ANNOTATORS_DIFFER = "annotators differ"


@dataclass(frozen=True, slots=True)
class CaseQuery:
    """Which cases, in which order; an empty tuple means all.

    `labels` takes correct, incorrect, unscored, unjudged; `modes` the failure modes, unscored, unclassified; `humans`
    what annotators said in studies whose key is open; `directs` what became of the direct question by the same
    configuration; `queries` 0, 1, 2+ and not known; `sources` probe and log; `runs` their numbers; `releases` and
    `samples` their names. `contains` is a search (see `search_terms`), or a reference such as btc:17.
    `order` is one of entity, category, date, kind, probe, model, effort, harness, ending, queries, label,
    mode, stored.
    """

    pool: CasePool = CasePool.EVALUATION
    categories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ()
    harnesses: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    humans: tuple[str, ...] = ()
    directs: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    contains: str = ""
    run_id: RunId | None = None
    event_id: EventId | None = None
    probe_id: ProbeId | None = None
    configuration_id: ConfigurationId | None = None
    order: str = "date"
    descending: bool = False

    def as_json(self) -> dict[str, object]:
        """What differs from all cases in their usual order, as plain values: what a saved view keeps."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        usual = {each.name: each.default for each in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value != usual[name]
        }

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> CaseQuery:
        """The query of a saved view. What this version does not know is left out."""
        usual = cls()
        known: dict[str, Any] = {}
        for name, value in content.items():
            default = getattr(usual, name, None)
            if isinstance(default, tuple) and isinstance(value, list | tuple):
                known[name] = tuple(str(one) for one in value)
            elif name in _NUMBERED and type(value) is int and 0 <= value <= _MOST:
                known[name] = value
        if content.get("pool") == CasePool.FILTER:
            known["pool"] = CasePool.FILTER
        if isinstance(content.get("contains"), str):
            known["contains"] = content["contains"]
        if isinstance(content.get("descending"), bool):
            known["descending"] = content["descending"]
        if content.get("order") in ORDERS:
            known["order"] = content["order"]
        return cls(**known)


#: More than any number in a project, and less than a database can hold.
_MOST = 10**18
_NUMBERED = ("run_id", "event_id", "probe_id", "configuration_id")
#: The facets: the fields of a query that take several values.
FACETS = tuple(each.name for each in fields(CaseQuery) if isinstance(each.default, tuple))
#: By what cases can be sorted.
ORDERS = (
    "entity",
    "category",
    "date",
    "kind",
    "probe",
    "model",
    "effort",
    "harness",
    "ending",
    "queries",
    "label",
    "mode",
    "stored",
)
#: Every case.
ALL_CASES = CaseQuery()


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case as lists show it: no long texts.

    `label` and `mode` are None while there is none, and where they are not told (`is_blind`); `unscored` says why the
    judge's reply could not be used, if there was one; `ending_reason` why there is no answer. `label_text` and
    `mode_text` are the values of the facets. `hides_queries`: it may have searched, no query is known.
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
    pool: CasePool = CasePool.EVALUATION
    ending_reason: str = ""
    hides_queries: bool = False

    @property
    def queries_text(self) -> str:
        """`2 queries`; of a search of the provider's, or an agent of others, that tells nothing of them, that."""
        return "queries not known" if self.hides_queries else counted(self.queries, "query", "queries")

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
