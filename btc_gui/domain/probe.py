"""Probes: the requests put to agents, direct and indirect, each in numbered revisions."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NewType

from btc_gui.domain.event import EventId
from btc_gui.domain.hashing import sha256
from btc_gui.records import dataclass

ProbeId = NewType("ProbeId", int)
RevisionId = NewType("RevisionId", int)


class ProbeKind(StrEnum):
    """Direct probes ask which fact holds; indirect ones are recommendation requests that never mention it."""

    DIRECT = "direct"
    INDIRECT = "indirect"


class ReviewStatus(StrEnum):
    """Where the review of a probe's current revision stands."""

    UNREVIEWED = "unreviewed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DEFERRED = "deferred"


#: A load asks for the hash of a wording three times: when it is read, known and written.
_hash_of = lru_cache(maxsize=1_000)(sha256)


@dataclass(frozen=True, slots=True)
class ProbeText:
    """What a revision says: the request, and what the generator varied."""

    text: str
    requester: str = ""
    situation: str = ""
    consequence: str = ""

    @property
    def text_hash(self) -> str:
        """SHA-256 of the request's text. Approvals are bound to it."""
        return _hash_of(self.text)


@dataclass(frozen=True, slots=True)
class Probe:
    """A probe with its current revision.

    `facts_hash` is the event's at the time the revision was written; `is_stale` says that an approval was
    made for other facts than the event has now, and must be renewed; `is_disputed` that those it is assigned to
    decided differently. `event_facts_hash` is the event's now: a decision names the facts that it was made for.
    """

    id: ProbeId
    key: str
    event_id: EventId
    kind: ProbeKind
    ordinal: int
    revision_id: RevisionId
    revision: int
    content: ProbeText
    facts_hash: str
    origin: str
    status: ReviewStatus
    is_flagged: bool
    is_stale: bool
    added_at: str
    is_disputed: bool = False
    event_facts_hash: str = ""

    @property
    def text(self) -> str:
        """The request's text."""
        return self.content.text


@dataclass(frozen=True, slots=True)
class ProbeRevision:
    """One wording of a probe: who wrote it, when, from which wording."""

    id: RevisionId
    probe_id: ProbeId
    number: int
    content: ProbeText
    facts_hash: str
    origin: str
    author: str
    at: str
