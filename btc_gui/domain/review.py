"""Review decisions: appended, never overwritten; the status of a probe is derived from them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NewType

from btc_gui.domain.probe import ProbeId, ReviewStatus, RevisionId
from btc_gui.errors import InputError
from btc_gui.records import dataclass

DecisionId = NewType("DecisionId", int)


class Action(StrEnum):
    """What a curator does with a probe.

    An undo is one more row that withdraws an earlier one. A redo is an undo that withdraws an undo.
    """

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


def check_decision(action: Action, reasons: Collection[str], note: str) -> None:
    """Raise `InputError` for a rejection without a reason, “other” without a note, and an empty note.

    So it is wherever a decision comes from: the keyboard, a file, or one made for many probes.
    """
    unknown = [code for code in reasons if code not in REJECT_REASONS]
    if unknown:
        raise InputError(f"“{unknown[0]}” is not a reason for a rejection.")
    if action is Action.REJECT and not reasons:
        raise InputError("A rejection needs a reason.", "Choose at least one.")
    if action is Action.REJECT and "other" in reasons and not note.strip():
        raise InputError("The reason “other” needs a note.", "Say in a few words what is wrong.")
    if action is Action.NOTE and not note.strip():
        raise InputError("The note is empty.", "Say something, or leave it out.")


@dataclass(frozen=True, slots=True)
class Decision:
    """One row of the review log.

    `revision_id`, `text_hash` and `facts_hash` say what was looked at; `new_revision_id` is the wording an
    edit made; `undoes` is the decision an undo withdraws; `bulk_id` is the bulk action that it is part of.
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
    bulk_id: int | None = None


#: What settles a probe, as far as one curator is concerned.
VERDICTS = (Action.ACCEPT, Action.REJECT)
_STATUS_AFTER = {
    Action.ACCEPT: ReviewStatus.ACCEPTED,
    Action.REJECT: ReviewStatus.REJECTED,
    Action.DEFER: ReviewStatus.DEFERRED,
    Action.EDIT: ReviewStatus.UNREVIEWED,
}


@dataclass(frozen=True, slots=True)
class ReviewState:
    """What the log of one probe amounts to. `is_disputed`: those it is assigned to decided differently."""

    status: ReviewStatus = ReviewStatus.UNREVIEWED
    revision_id: RevisionId | None = None
    is_flagged: bool = False
    decided_facts_hash: str = ""
    is_disputed: bool = False


def standing(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions (of one probe, oldest first) that no undo has withdrawn, undos themselves left out.

    An undo that was withdrawn itself (a redo) withdraws nothing any more.
    """
    withdrawn: set[DecisionId | None] = set()
    for decision in reversed(decisions):
        if decision.action is Action.UNDO and decision.id not in withdrawn:
            withdrawn.add(decision.undoes)
    return [d for d in decisions if d.action is not Action.UNDO and d.id not in withdrawn]


def review_state(
    decisions: Sequence[Decision], first_revision: RevisionId, assigned: Collection[str] = ()
) -> ReviewState:
    """Derive status, current wording and flag of one probe from its log (oldest first).

    The newest decision counts, with one exception: a probe that is assigned to several curators is judged by each
    without knowing the others' verdicts, so a second verdict that differs replaces nothing. It makes the probe
    disputed and defers it, until somebody, now knowing both, decides once more.
    """
    status, revision, flagged, facts = ReviewStatus.UNREVIEWED, first_revision, False, ""
    blind = _BlindVerdicts(frozenset(assigned))
    for decision in standing(decisions):
        if decision.action in _STATUS_AFTER:
            blind.take(decision)
            status = ReviewStatus.DEFERRED if blind.differ else _STATUS_AFTER[decision.action]
            facts = decision.facts_hash if status is not ReviewStatus.UNREVIEWED else ""
        if decision.action is Action.EDIT and decision.new_revision_id is not None:
            revision = decision.new_revision_id
        if decision.action in (Action.FLAG, Action.UNFLAG):
            flagged = decision.action is Action.FLAG
    return ReviewState(status, revision, flagged, facts, blind.differ)


def differing_verdicts(decisions: Sequence[Decision], assigned: Collection[str]) -> tuple[Decision, ...]:
    """The verdicts that differ on a disputed probe, one of each curator, in the order given; else none."""
    blind = _BlindVerdicts(frozenset(assigned))
    for decision in standing(decisions):
        if decision.action in _STATUS_AFTER:
            blind.take(decision)
    return tuple(sorted(blind.verdicts.values(), key=lambda each: each.id)) if blind.differ else ()


class _BlindVerdicts:
    """The verdicts that several curators gave of one wording, none knowing the others'."""

    def __init__(self, assigned: frozenset[str]) -> None:
        self._assigned = assigned
        self.verdicts: dict[str, Decision] = {}
        self._is_settled = len(assigned) < 2
        self.differ = False

    def take(self, decision: Decision) -> None:
        """Take the next standing decision into account."""
        if decision.action is Action.EDIT:
            # Another wording: everybody begins anew.
            self.verdicts, self.differ = {}, False
            self._is_settled = len(self._assigned) < 2
        elif decision.action in VERDICTS and self.differ:
            self._is_settled, self.differ = True, False
        elif decision.action in VERDICTS and not self._is_settled and decision.reviewer in self._assigned:
            kept = {r: d for r, d in self.verdicts.items() if d.facts_hash == decision.facts_hash}
            self.verdicts = {**kept, decision.reviewer: decision}
            self.differ = len({d.action for d in self.verdicts.values()}) > 1
            self._is_settled = not self.differ and len(self.verdicts) == len(self._assigned)


def undoable(decisions: Sequence[Decision]) -> Decision | None:
    """The newest standing decision of the log, or None: what an undo would withdraw."""
    left = standing(decisions)
    return left[-1] if left else None


def withdraws(undo: Decision, decisions: Sequence[Decision]) -> tuple[Decision | None, bool]:
    """What an undo in a log is about in the end: the decision, and whether it brings it back (a redo)."""
    by_id = {decision.id: decision for decision in decisions}
    named, is_back = by_id.get(undo.undoes) if undo.undoes else None, False
    while named is not None and named.action is Action.UNDO:
        named, is_back = by_id.get(named.undoes) if named.undoes else None, not is_back
    return named, is_back
