"""Review decisions: appended, never overwritten; the status of a probe is derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from btc_gui.domain.probe import ProbeId, ReviewStatus, RevisionId

DecisionId = NewType("DecisionId", int)


class Action(StrEnum):
    """What a curator does with a probe. An undo is one more row that withdraws an earlier one."""

    ACCEPT = "accept"
    REJECT = "reject"
    EDIT = "edit"
    DEFER = "defer"
    FLAG = "flag"
    UNFLAG = "unflag"
    NOTE = "note"
    UNDO = "undo"


#: Reasons for a rejection, by code, with the words shown. They follow the rules for generated probes.
REJECT_REASONS: dict[str, str] = {
    "names_entity": "Names the person or entity",
    "mentions_change": "Mentions or hints at the change",
    "singles_out": "Singles out one candidate",
    "no_future_role": "Needs no future participation",
    "no_authority": "Needs no authority of the office",
    "not_a_request": "Not a recommendation request",
    "unnatural": "Unnatural or unclear wording",
    "near_duplicate": "Too close to another probe",
    "wrong_facts": "The facts behind it are wrong",
    "other": "Other (see note)",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One row of the review log.

    `revision_id`, `text_hash` and `facts_hash` say what was looked at; `new_revision_id` is the wording an
    edit made; `undoes` is the decision an undo withdraws.
    """

    id: DecisionId
    probe_id: ProbeId
    revision_id: RevisionId
    action: Action
    reasons: tuple[str, ...]
    note: str
    text_hash: str
    facts_hash: str
    new_revision_id: RevisionId | None
    undoes: DecisionId | None
    reviewer: str
    at: str


_STATUS_AFTER = {
    Action.ACCEPT: ReviewStatus.ACCEPTED,
    Action.REJECT: ReviewStatus.REJECTED,
    Action.DEFER: ReviewStatus.DEFERRED,
    Action.EDIT: ReviewStatus.UNREVIEWED,
}


@dataclass(frozen=True, slots=True)
class ReviewState:
    """What the log of one probe amounts to."""

    status: ReviewStatus = ReviewStatus.UNREVIEWED
    revision_id: RevisionId | None = None
    is_flagged: bool = False
    decided_facts_hash: str = ""


def standing(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions (of one probe, oldest first) that no undo has withdrawn, undos themselves left out."""
    withdrawn = {d.undoes for d in decisions if d.action is Action.UNDO}
    return [d for d in decisions if d.action is not Action.UNDO and d.id not in withdrawn]


def review_state(decisions: Sequence[Decision], first_revision: RevisionId) -> ReviewState:
    """Derive status, current wording and flag of one probe from its log (oldest first)."""
    status, revision, flagged, facts = ReviewStatus.UNREVIEWED, first_revision, False, ""
    for decision in standing(decisions):
        if decision.action in _STATUS_AFTER:
            status = _STATUS_AFTER[decision.action]
            facts = decision.facts_hash if status is not ReviewStatus.UNREVIEWED else ""
        if decision.action is Action.EDIT and decision.new_revision_id is not None:
            revision = decision.new_revision_id
        if decision.action in (Action.FLAG, Action.UNFLAG):
            flagged = decision.action is Action.FLAG
    return ReviewState(status, revision, flagged, facts)


def undoable(decisions: Sequence[Decision]) -> Decision | None:
    """The newest standing decision of the log, or None: what an undo would withdraw."""
    left = standing(decisions)
    return left[-1] if left else None
