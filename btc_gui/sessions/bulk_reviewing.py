"""One decision on many probes: what it would change is said first, and one undo takes all of it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from btc_gui.domain.lint import Severity
from btc_gui.domain.probe import Probe, ProbeId, ReviewStatus
from btc_gui.domain.review import REJECT_REASONS, Action, Decision, check_decision
from btc_gui.errors import BtcError, InputError, ProjectError
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore, Step

T = TypeVar("T")
#: What can be done to many probes at once.
BULK_ACTIONS = (Action.ACCEPT, Action.REJECT, Action.DEFER, Action.FLAG, Action.UNFLAG)
SHARED = "shared among curators: each judges them one by one"
MOVED = "decided or edited in the meantime"
_EXAMPLES = 5
#: How many decisions hold the file at once: a curator's own decision must not wait.
_BATCH = 25
_STATUS_AFTER = {
    Action.ACCEPT: ReviewStatus.ACCEPTED,
    Action.REJECT: ReviewStatus.REJECTED,
    Action.DEFER: ReviewStatus.DEFERRED,
}


@dataclass(frozen=True, slots=True)
class BulkExample:
    """One of the probes that would change."""

    entity: str
    text: str
    before: ReviewStatus


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What a bulk action would do, before it does anything.

    `changes` are the probes as they were looked at; `before` counts them by their status.
    `renewed` of them are approvals that are made anew for the present facts; `with_errors` are to be accepted although
    the linter's errors stand against them. `already` stand as wanted; `refused` counts by reason those that can't be
    decided in bulk.
    """

    action: Action
    reasons: tuple[str, ...]
    note: str
    chosen: int
    changes: tuple[Probe, ...]
    before: Mapping[ReviewStatus, int]
    renewed: int
    with_errors: int
    already: int
    refused: Mapping[str, int]
    examples: tuple[BulkExample, ...]


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """What a bulk action did: `done` decisions, and by reason those that it passed over."""

    bulk_id: int
    done: int
    skipped: Mapping[str, int] = field(default_factory=dict)


def plan_bulk(
    database: Database, ids: Sequence[ProbeId], action: Action, reasons: Sequence[str] = (), note: str = ""
) -> BulkPlan:
    """Say what an action on these probes would change; nothing is written.

    Raises `InputError` for an action that isn't for many, and for a rejection without a reason.
    """
    note = note.strip()
    if action not in BULK_ACTIONS:
        raise InputError(f"“{action}” can't be done to many probes at once.")
    check_decision(action, reasons, note)
    wanted = list(dict.fromkeys(ids))
    shared = AssignmentStore(database).shared() if action in _STATUS_AFTER else {}
    changes: list[Probe] = []
    refused: Counter[str] = Counter()
    already = 0
    for part in _parts(wanted, 500):
        found = ProbeStore(database).fetch(part)
        for probe_id in part:
            probe = found.get(probe_id)
            if probe is None:
                refused["gone"] += 1
            elif probe_id in shared:
                refused[SHARED] += 1
            elif _stands(probe, action):
                already += 1
            else:
                changes.append(probe)
    return BulkPlan(
        action=action,
        reasons=tuple(code for code in REJECT_REASONS if code in reasons),
        note=note,
        chosen=len(wanted),
        changes=tuple(changes),
        before=Counter(probe.status for probe in changes),
        renewed=sum(probe.is_stale for probe in changes) if action is Action.ACCEPT else 0,
        with_errors=_with_errors(database, changes) if action is Action.ACCEPT else 0,
        already=already,
        refused=refused,
        examples=_examples(database, changes),
    )


def _stands(probe: Probe, action: Action) -> bool:
    if action in (Action.FLAG, Action.UNFLAG):
        return probe.is_flagged is (action is Action.FLAG)
    return probe.status is _STATUS_AFTER[action] and not probe.is_stale


def _with_errors(database: Database, changes: Sequence[Probe]) -> int:
    worst = LintStore(database).worst([probe.id for probe in changes])
    return sum(severity is Severity.ERROR for severity in worst.values())


def _examples(database: Database, changes: Sequence[Probe]) -> tuple[BulkExample, ...]:
    """Some of them, from the whole of the list."""
    step = max(1, len(changes) // _EXAMPLES)
    shown = changes[::step][:_EXAMPLES]
    events = EventStore(database).fetch(list({probe.event_id for probe in shown}))
    return tuple(BulkExample(events[p.event_id].facts.entity, p.text, p.status) for p in shown if p.event_id in events)


def apply_bulk(database: Database, plan: BulkPlan, reviewer: str, scope: str, progress: Progress) -> BulkOutcome:
    """Do what was planned, in short transactions under one bulk id.

    A probe that was edited, decided or shared meanwhile, or has other facts, is passed over. Cancelled or killed in
    between, what was done stands, and one undo takes it back. Raises `Cancelled`.
    """
    reviews = ReviewStore(database)
    bulk_id = reviews.start_bulk(plan.action, len(plan.changes), scope, reviewer)
    done, skipped = 0, Counter[str]()
    for part in _parts(plan.changes, _BATCH):
        with database.write():
            as_planned = _as_planned(database, part, plan.action, skipped)
            for probe in as_planned:
                reviews.decide(
                    probe.id,
                    probe.revision_id,
                    plan.action,
                    reviewer,
                    reasons=plan.reasons,
                    note=plan.note,
                    bulk_id=bulk_id,
                    facts_hash=probe.event_facts_hash,
                )
            done += len(as_planned)
        progress.report(done, len(plan.changes), f"{done:,} probes")
    return BulkOutcome(bulk_id, done, skipped)


def _as_planned(database: Database, part: Sequence[Probe], action: Action, skipped: Counter[str]) -> list[Probe]:
    """Those that are still as the preview showed them, read within the write transaction; the others are counted."""
    ids = [probe.id for probe in part]
    now = ProbeStore(database).fetch(ids)
    assigned = AssignmentStore(database).of_probes(ids) if action in _STATUS_AFTER else {}
    found = []
    for probe in part:
        if len(assigned.get(probe.id, ())) > 1:
            skipped[SHARED] += 1
        elif probe.id not in now or _looked_at(now[probe.id], action) != _looked_at(probe, action):
            skipped[MOVED] += 1
        else:
            found.append(probe)
    return found


def _looked_at(probe: Probe, action: Action) -> tuple[object, ...]:
    """What the preview went by."""
    is_flag = action in (Action.FLAG, Action.UNFLAG)
    standing = (probe.is_flagged,) if is_flag else (probe.status, probe.is_stale)
    return probe.revision_id, probe.event_facts_hash, *standing


def take_back(database: Database, step: Step, reviewer: str, progress: Progress) -> BulkOutcome:
    """Undo a bulk action as a whole, by one more. Probes that were decided since are passed over.

    Works on what is left of an action that was cut short, and of an undo that was.
    """
    return _turn(database, step, reviewer, progress, "undo")


def bring_back(database: Database, step: Step, reviewer: str, progress: Progress) -> BulkOutcome:
    """Redo a bulk action that was taken back. Probes that were decided since are passed over."""
    return _turn(database, step, reviewer, progress, "redo")


def _turn(database: Database, step: Step, reviewer: str, progress: Progress, word: str) -> BulkOutcome:
    assert step.bulk_id is not None
    reviews = ReviewStore(database)
    rows = reviews.of_bulk(step.bulk_id)
    bulk_id = reviews.start_bulk(word, len(rows), f"{word} of {step.about.action}", reviewer)
    done, skipped = 0, Counter[str]()
    for part in _parts(rows, _BATCH):
        with database.write():
            done += _turn_part(reviews, part, reviewer, bulk_id, word, skipped)
        progress.report(done, len(rows), f"{done:,} probes")
    if not done:
        raise ProjectError("Nothing of this bulk action can be taken back: its probes were all decided since.")
    return BulkOutcome(bulk_id, done, skipped)


def _parts(whole: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (whole[start : start + size] for start in range(0, len(whole), size))


def _turn_part(
    reviews: ReviewStore, part: Iterable[Decision], reviewer: str, bulk_id: int, word: str, skipped: Counter[str]
) -> int:
    done = 0
    for row in part:
        try:
            if word == "undo":
                reviews.undo(row, reviewer, bulk_id=bulk_id)
            else:
                reviews.redo(row, reviewer, bulk_id=bulk_id)
            done += 1
        except BtcError:
            skipped[MOVED] += 1
    return done
