"""What a curator does at the review screen: the queue, the decisions, undo, progress and drafts. No Qt."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import median

from btc_gui.domain.category import Category
from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import Event
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ProbeText, ReviewStatus
from btc_gui.domain.retention import retention_line
from btc_gui.domain.review import REJECT_REASONS, Action, Decision
from btc_gui.errors import InputError
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore

#: A longer gap between two decisions is a break, not the time a probe takes.
_BREAK_SECONDS = 180.0
_PACE_WINDOW = timedelta(hours=12)
#: Fewer decisions than this say nothing about the pace.
_PACE_DECISIONS = 5
_LEAVES_ITEM = (Action.ACCEPT, Action.REJECT, Action.DEFER)


class QueueKind(StrEnum):
    """Which probes a curator goes through."""

    UNREVIEWED = "unreviewed"
    DEFERRED = "deferred"
    FLAGGED = "flagged"
    STALE = "stale"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Queue:
    """The probes to go through. `ids` (from the Probes page) replaces the other conditions."""

    kind: QueueKind = QueueKind.UNREVIEWED
    categories: tuple[str, ...] = ()
    kinds: tuple[ProbeKind, ...] = ()
    ids: tuple[ProbeId, ...] = ()


@dataclass(frozen=True, slots=True)
class QueueScope:
    """What the project says of a queue: where the probes of its scope stand, which it holds, which exist at all.

    `decisions` is how many the session had made before it was read.
    """

    queue: Queue
    decisions: int
    statuses: Mapping[ProbeId, ReviewStatus]
    ids: Sequence[ProbeId]
    exist: frozenset[ProbeId]


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """How far the probes of the queue's scope are. `seconds_left` is None while the pace is not known."""

    decided: int
    total: int
    deferred: int
    open: int
    seconds_left: float | None

    @property
    def text(self) -> str:
        """`34 of 210 · 12 deferred · about 18 min left`."""
        parts = [f"{self.decided:,} of {self.total:,}"]
        if self.deferred:
            parts.append(f"{self.deferred:,} deferred")
        if self.seconds_left is not None and self.open:
            minutes = self.seconds_left / 60
            if minutes < 1:
                parts.append("less than a minute left")
            elif minutes < 90:
                parts.append(f"about {round(minutes)} min left")
            else:
                parts.append(f"about {minutes / 60:.1f} h left")
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """All that the screen shows of one probe. `retention` says which models retain it; empty before a filter."""

    probe: Probe
    event: Event
    category: Category | None
    siblings: tuple[Probe, ...]
    log: tuple[Decision, ...]
    retention: str = ""

    @property
    def before(self) -> str:
        """The fact that held before the change."""
        return self.category.fact_before(self.event.facts) if self.category else ""

    @property
    def after(self) -> str:
        """The fact that holds since."""
        return self.category.fact_after(self.event.facts) if self.category else self.event.title

    @property
    def place(self) -> str:
        """`Probe 3 of 5`, among the event's probes of its kind."""
        same = [probe for probe in self.siblings if probe.kind is self.probe.kind]
        if self.probe.kind is ProbeKind.DIRECT and len(same) == 1:
            return "Direct probe"
        position = next((i for i, probe in enumerate(same, 1) if probe.id == self.probe.id), 1)
        words = "Probe" if self.probe.kind is ProbeKind.INDIRECT else "Direct probe"
        return f"{words} {position} of {len(same)}"


@dataclass(frozen=True, slots=True)
class EditDraft:
    """An edit that was not saved, and the revision it was begun on."""

    content: ProbeText
    revision_id: int


def seconds_per_decision(times: Sequence[str]) -> float | None:
    """The median time between decisions (ISO times, oldest first), breaks left out; None for too few."""
    moments = [datetime.fromisoformat(text) for text in times]
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(moments)]
    working = [gap for gap in gaps if 0 <= gap <= _BREAK_SECONDS]
    return median(working) if len(working) >= _PACE_DECISIONS - 1 else None


class ReviewSession:
    """One curator going through a queue.

    Every decision names the probe and revision that were shown. Accept, reject and defer move on to the next
    open probe; edit, flag and note stay. Undo withdraws the curator's newest standing decision, whenever it was
    made, and shows its probe again, also when the queue is finished.
    """

    def __init__(self, database: Database, categories: Mapping[str, Category], reviewer: str) -> None:
        self._categories = categories
        self.reviewer = reviewer
        self._probes, self._events = ProbeStore(database), EventStore(database)
        self._reviews, self._drafts = ReviewStore(database), DraftStore(database)
        self._retention = RetentionStore(database)
        self._queue = Queue()
        self._ids: list[ProbeId] = []
        self._status: dict[ProbeId, ReviewStatus] = {}
        self._handled: set[ProbeId] = set()
        self._current: ProbeId | None = None
        self._position = 0
        self._has_probes = False
        self._counts: tuple[Counter[ReviewStatus], int] | None = None
        self._decisions = 0

    # -- the queue --------------------------------------------------------------------------------------------

    @property
    def queue(self) -> Queue:
        """The present queue."""
        return self._queue

    def start(self, queue: Queue, scope: QueueScope | None = None) -> None:
        """Go through another queue, from its first open probe. `scope` is what `read_scope` gave for it."""
        scope = scope or self.read_scope(queue)
        self._queue = queue
        self._handled = set()
        self._take_statuses(scope)
        self._ids = list(scope.ids)
        self._position = 0
        self._current = None
        self._to_next_open(0)

    def reload(self, scope: QueueScope | None = None) -> None:
        """Follow what others changed: new probes join at the end, gone ones leave, statuses are read anew.

        A `scope` of another queue, or read before the newest decision, is let go: the session knows better.
        """
        scope = scope or self.read_scope(self._queue)
        if scope.queue != self._queue or self.is_outdated(scope):
            return
        self._take_statuses(scope)
        known = set(self._ids)
        self._ids = [i for i in self._ids if i in scope.exist] + [i for i in scope.ids if i not in known]
        self._counts = None
        if self._current is None:
            self._to_next_open(0)
        elif self._current in self._ids:
            self._position = self._ids.index(self._current)
        elif not self._probes.fetch([self._current]):
            self._to_next_open(min(self._position, max(len(self._ids) - 1, 0)))

    def read_scope(self, queue: Queue) -> QueueScope:
        """Read what a queue is about, for `start` and `reload`. May be called on any thread: it changes nothing."""
        decisions = self._decisions
        statuses = self._probes.statuses(ProbeQuery(queue.categories, queue.kinds))
        exist = frozenset(statuses if not queue.categories and not queue.kinds else self._probes.statuses())
        if queue.ids:
            chosen = set(queue.ids)
            statuses = {i: s for i, s in statuses.items() if i in chosen}
            ids = [i for i in dict.fromkeys(queue.ids) if i in exist]
        else:
            ids = self._read_ids(queue)
        return QueueScope(queue, decisions, statuses, ids, exist)

    def is_outdated(self, scope: QueueScope) -> bool:
        """Whether something was decided here since the scope was read."""
        return scope.decisions != self._decisions

    def _take_statuses(self, scope: QueueScope) -> None:
        self._status = dict(scope.statuses)
        self._has_probes = bool(scope.exist)
        self._counts = None

    def _read_ids(self, queue: Queue) -> list[ProbeId]:
        kind = queue.kind
        return self._probes.ids(
            ProbeQuery(
                categories=queue.categories,
                kinds=queue.kinds,
                statuses=_STATUSES.get(kind, ()),
                only_flagged=kind is QueueKind.FLAGGED,
                only_stale=kind is QueueKind.STALE,
            )
        )

    def _is_open(self, probe_id: ProbeId) -> bool:
        if probe_id in self._handled:
            return False
        wanted = _STATUSES.get(self._queue.kind) if not self._queue.ids else None
        return wanted is None or self._status.get(probe_id) in wanted

    def _to_next_open(self, start: int) -> None:
        for offset in range(len(self._ids)):
            position = (start + offset) % len(self._ids)
            if self._is_open(self._ids[position]):
                self._position, self._current = position, self._ids[position]
                return
        self._current = None

    # -- where one is -----------------------------------------------------------------------------------------

    @property
    def current(self) -> ProbeId | None:
        """The probe that is shown; None when the queue is finished or empty."""
        return self._current

    @property
    def is_empty(self) -> bool:
        """Whether the queue never held anything."""
        return not self._ids

    @property
    def has_probes(self) -> bool:
        """Whether the project has any probes at all."""
        return self._has_probes

    def item(self) -> ReviewItem | None:
        """What to show now, read anew."""
        if self._current is None:
            return None
        probe = self._probes.get(self._current)
        event = self._events.get(probe.event_id)
        return ReviewItem(
            probe=probe,
            event=event,
            category=self._categories.get(event.facts.category),
            siblings=tuple(self._probes.siblings(probe.event_id)),
            log=tuple(self._reviews.log(probe.id)),
            retention=retention_line(self._retention.of_probes([probe.id]).get(probe.id, {}).values()),
        )

    def show(self, probe_id: ProbeId) -> None:
        """Show one probe, in the queue or not. Raises `ProjectError` when it is gone."""
        self._probes.get(probe_id)
        self._current = probe_id
        if probe_id in self._ids:
            self._position = self._ids.index(probe_id)

    def step(self, by: int) -> bool:
        """Go forward or back in the queue, decided probes included; False at its ends."""
        if self._current is None:
            if by < 0 and self._ids:
                self._current = self._ids[self._position]
                return True
            return False
        if self._current not in self._ids and self._ids:
            self._current = self._ids[self._position]
            return True
        position = self._position + by
        if not 0 <= position < len(self._ids):
            return False
        self._position, self._current = position, self._ids[position]
        return True

    def progress(self) -> ReviewProgress:
        """How far the scope of the queue is."""
        if self._counts is None:
            # Kept until something is decided: stepping through a long queue must not count it every time.
            self._counts = Counter(self._status.values()), sum(1 for i in self._ids if self._is_open(i))
        counts, open_count = self._counts
        since = (datetime.fromisoformat(now_utc()) - _PACE_WINDOW).isoformat(timespec="milliseconds")
        pace = seconds_per_decision(self._reviews.decided_since(self.reviewer, since))
        return ReviewProgress(
            decided=counts[ReviewStatus.ACCEPTED] + counts[ReviewStatus.REJECTED],
            total=len(self._status),
            deferred=counts[ReviewStatus.DEFERRED],
            open=open_count,
            seconds_left=None if pace is None else pace * open_count,
        )

    # -- deciding ---------------------------------------------------------------------------------------------

    def decide(
        self,
        seen: Probe,
        action: Action,
        *,
        reasons: Sequence[str] = (),
        note: str = "",
        edited: ProbeText | None = None,
    ) -> Decision:
        """Decide on the probe and revision that were seen.

        Raises `InputError` for a rejection without a reason, “other” without a note, an empty note or an
        unchanged edit; `ProjectError` when the probe was edited in the meantime. Then nothing was stored.
        """
        note = note.strip()
        _check(action, seen, reasons, note, edited)
        ordered = tuple(code for code in REJECT_REASONS if code in reasons)
        decision = self._reviews.decide(
            seen.id, seen.revision_id, action, self.reviewer, reasons=ordered, note=note, edited=edited
        )
        self._after(seen.id)
        if action is Action.EDIT:
            self.forget_edit(seen.id)
        if action in (Action.NOTE, Action.REJECT):
            self.keep_note(seen.id, "")
        if action in _LEAVES_ITEM:
            self._handled.add(seen.id)
            self._counts = None
            if seen.id == self._current:
                self._to_next_open(self._position)
        return decision

    def toggle_flag(self, seen: Probe) -> Decision:
        """Flag the probe, or take its flag away."""
        return self.decide(seen, Action.UNFLAG if seen.is_flagged else Action.FLAG)

    @property
    def can_undo(self) -> bool:
        """Whether this curator has a standing decision."""
        return self._reviews.last_undoable(self.reviewer) is not None

    def undo(self) -> Decision | None:
        """Withdraw the newest standing decision of this curator and show its probe; None when there is none."""
        decision = self._reviews.last_undoable(self.reviewer)
        if decision is None:
            return None
        self._reviews.undo(decision, self.reviewer)
        self._handled.discard(decision.probe_id)
        self._after(decision.probe_id)
        self.show(decision.probe_id)
        return decision

    def _after(self, probe_id: ProbeId) -> None:
        self._decisions += 1
        self._counts = None
        if probe_id in self._status:
            self._status[probe_id] = self._probes.get(probe_id).status

    # -- drafts -----------------------------------------------------------------------------------------------

    def keep_edit(self, seen: Probe, content: ProbeText) -> None:
        """Keep an edit that is being typed; one that changes nothing is forgotten."""
        if content == seen.content:
            self.forget_edit(seen.id)
            return
        values = {
            "revision_id": seen.revision_id,
            "text": content.text,
            "requester": content.requester,
            "situation": content.situation,
            "consequence": content.consequence,
        }
        self._drafts.keep(f"review-edit/{seen.id}", json.dumps(values, ensure_ascii=False))

    def edit_draft(self, probe_id: ProbeId) -> EditDraft | None:
        """The edit that was being typed on a probe, from before a crash too."""
        stored = self._drafts.get(f"review-edit/{probe_id}")
        if not stored:
            return None
        values = json.loads(stored)
        content = ProbeText(values["text"], values["requester"], values["situation"], values["consequence"])
        return EditDraft(content, int(values["revision_id"]))

    def forget_edit(self, probe_id: ProbeId) -> None:
        """Forget the edit that was being typed."""
        self._drafts.keep(f"review-edit/{probe_id}", "")

    def keep_note(self, probe_id: ProbeId, text: str) -> None:
        """Keep a note that is being typed (for Note and Reject alike)."""
        self._drafts.keep(f"review-note/{probe_id}", text)

    def note_draft(self, probe_id: ProbeId) -> str:
        """The note that was being typed on a probe."""
        return self._drafts.get(f"review-note/{probe_id}")


_STATUSES: dict[QueueKind, tuple[ReviewStatus, ...]] = {
    QueueKind.UNREVIEWED: (ReviewStatus.UNREVIEWED,),
    QueueKind.DEFERRED: (ReviewStatus.DEFERRED,),
}


def _check(action: Action, seen: Probe, reasons: Sequence[str], note: str, edited: ProbeText | None) -> None:
    unknown = [code for code in reasons if code not in REJECT_REASONS]
    if unknown:
        raise InputError(f"“{unknown[0]}” is not a reason for a rejection.")
    if action is Action.REJECT and not reasons:
        raise InputError("A rejection needs a reason.", "Choose at least one.")
    if action is Action.REJECT and "other" in reasons and not note:
        raise InputError("The reason “other” needs a note.", "Say in a few words what is wrong.")
    if action is Action.NOTE and not note:
        raise InputError("The note is empty.", "Write something, or leave with Esc.")
    if action is Action.EDIT:
        if edited is None or not edited.text.strip():
            raise InputError("An edited probe needs a text.")
        if edited == seen.content:
            raise InputError("Nothing was changed.", "Change the wording, or leave with Esc.")
