"""What a curator does at the review screen: the decisions, undo and redo, progress and drafts. No Qt."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from btc_gui.domain.category import Category
from btc_gui.domain.probe import Probe, ProbeId, ProbeText, ReviewStatus
from btc_gui.domain.review import REJECT_REASONS, Action, Decision, check_decision
from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.records import dataclass
from btc_gui.sessions.review_item import ItemReader, ReviewItem
from btc_gui.sessions.review_queue import STATUSES, Fingerprint, Queue, QueueReader, QueueScope, own_status
from btc_gui.store.database import Database
from btc_gui.store.drafts import DraftStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore, Step

#: A longer gap between two decisions is a break, not the time a probe takes.
_BREAK_SECONDS = 180.0
#: Fewer decisions than this say nothing about the pace; more of them than that are of another hour.
_PACE_DECISIONS, _PACE_OF_LAST = 5, 300
_LEAVES_ITEM = (Action.ACCEPT, Action.REJECT, Action.DEFER)
_TIMED = (*_LEAVES_ITEM, Action.EDIT)
#: After an edit the new wording waits to be judged.
_HANDLED: Mapping[Action, bool] = {**dict.fromkeys(_LEAVES_ITEM, True), Action.EDIT: False}


#: Each decision tells the pace anew, of the same times and one more.
_moment = lru_cache(maxsize=2 * _PACE_OF_LAST)(datetime.fromisoformat)


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """How far the probes of the queue's scope are. `seconds_left` is None while the pace is not known."""

    decided: int
    total: int
    deferred: int
    open: int
    seconds_left: float | None

    @property
    def per_hour(self) -> int | None:
        """The pace, in probes an hour."""
        if not self.seconds_left or not self.open:
            return None
        return round(3600 * self.open / self.seconds_left)

    @property
    def text(self) -> str:
        """`34 of 210 decided · 12 deferred · 190 an hour · about 18 min left`."""
        parts = [f"{self.decided:,} of {self.total:,} decided"]
        if self.deferred:
            parts.append(f"{self.deferred:,} deferred")
        if self.per_hour is not None:
            parts.append(f"{self.per_hour:,} an hour")
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
class EditDraft:
    """An edit that was not saved, and the revision it was begun on."""

    content: ProbeText
    revision_id: int


def seconds_per_decision(times: Sequence[str]) -> float | None:
    """The median time between decisions (ISO times, oldest first), breaks left out; None for too few."""
    moments = [_moment(text) for text in times]
    gaps = [(b - a).total_seconds() for a, b in itertools.pairwise(moments)]
    working = [gap for gap in gaps if 0 <= gap <= _BREAK_SECONDS]
    if len(working) < _PACE_DECISIONS - 1:
        return None
    # Not before the first page is there: it brings decimals and fractions along.
    from statistics import median

    return median(working)


class ReviewSession:
    """One curator going through a queue.

    Every decision names the probe and revision that were shown. Accept, reject and defer move on to the next
    open probe; edit, flag and note stay. Undo withdraws the curator's newest standing decision, whenever it was
    made, and shows its probe again, also when the queue is finished; redo brings back what was undone last.
    """

    def __init__(self, database: Database, categories: Mapping[str, Category], reviewer: str) -> None:
        self.reviewer = reviewer
        self._database = database
        self._probes = ProbeStore(database)
        self._reviews, self._drafts = ReviewStore(database), DraftStore(database)
        self._queues, self._items = QueueReader(database), ItemReader(database, categories)
        self._queue = Queue()
        self._ids: list[ProbeId] = []
        self._places: dict[ProbeId, int] = {}
        self._status: dict[ProbeId, ReviewStatus] = {}
        self._handled: set[ProbeId] = set()
        self._current: ProbeId | None = None
        self._position = 0
        self._has_probes = self._has_started = False
        self._counts: Counter[ReviewStatus] = Counter()
        self._open = 0
        self._times: list[str] = []
        self._pace: float | None = None
        self._decisions = 0

    # -- the queue --------------------------------------------------------------------------------------------

    @property
    def queue(self) -> Queue:
        """The present queue."""
        return self._queue

    def start(self, queue: Queue, scope: QueueScope | None = None) -> None:
        """Go through another queue, from its first open probe. `scope` is what `read_scope` gave for it.

        The first queue of a session begins where the curator was typing when the last one ended.
        """
        scope = scope or self.read_scope(queue)
        left = None if self._has_started else self._left_edit()
        self._has_started = True
        self._queue = queue
        self._handled = set()
        self._take(scope, list(scope.ids))
        self._position = 0
        self._current = None
        self._to_next_open(self._places.get(left, 0) if left is not None else 0)

    def _left_edit(self) -> ProbeId | None:
        for place in self._drafts.places("review-edit/"):
            _, number, *whose = place.split("/")
            if "/".join(whose) == self.reviewer:
                return ProbeId(int(number))
        return None

    def reload(self, scope: QueueScope | None = None) -> None:
        """Follow what others changed: new probes join at the end, gone ones leave, statuses are read anew.

        A `scope` of another queue, or read before the newest decision, is let go: the session knows better.
        """
        scope = scope or self.read_scope(self._queue)
        if scope.queue != self._queue or self.is_outdated(scope):
            return
        kept = [i for i in self._ids if i in scope.exist]
        known = set(kept)
        self._take(scope, kept + [i for i in scope.ids if i not in known])
        if self._current is None:
            self._to_next_open(0)
        elif self._current in self._places:
            self._position = self._places[self._current]
        elif not self._probes.fetch([self._current]):
            self._to_next_open(min(self._position, max(len(self._ids) - 1, 0)))

    def read_scope(self, queue: Queue) -> QueueScope:
        """Read what a queue is about, for `start` and `reload`. May be called on any thread: it changes nothing."""
        return self._queues.read(queue, self.reviewer, self._decisions)

    def fingerprint(self, queue: Queue) -> Fingerprint:
        """Equal as long as reading the queue anew would give the same. May be called on any thread."""
        return self._queues.fingerprint(queue)

    def models(self) -> list[str]:
        """The models by whose retention a queue can be chosen. May be called on any thread."""
        return self._queues.models()

    def is_outdated(self, scope: QueueScope) -> bool:
        """Whether something was decided here since the scope was read."""
        return scope.decisions != self._decisions

    def _take(self, scope: QueueScope, ids: list[ProbeId]) -> None:
        self._ids = ids
        self._places = {probe_id: place for place, probe_id in enumerate(ids)}
        self._status = dict(scope.statuses)
        self._has_probes = bool(scope.exist)
        self._counts = Counter(self._status.values())
        wanted, handled = self._wanted(), self._handled
        self._open = sum(1 for i in ids if i not in handled and (wanted is None or self._status.get(i) in wanted))
        self._times = list(scope.times)
        self._pace = seconds_per_decision(self._times[-_PACE_OF_LAST:])

    def _wanted(self) -> tuple[ReviewStatus, ...] | None:
        """Which statuses are open in this queue; None for all."""
        return None if self._queue.ids else STATUSES.get(self._queue.kind)

    def _is_open(self, probe_id: ProbeId) -> bool:
        wanted = self._wanted()
        return probe_id not in self._handled and (wanted is None or self._status.get(probe_id) in wanted)

    def _to_next_open(self, start: int) -> None:
        position = self._next_open(start)
        if position is not None:
            self._position = position
        self._current = None if position is None else self._ids[position]

    def _next_open(self, start: int, but: ProbeId | None = None) -> int | None:
        """Where the next open probe stands, from a place on and round; not that of `but`."""
        for offset in range(len(self._ids)):
            position = (start + offset) % len(self._ids)
            if self._ids[position] != but and self._is_open(self._ids[position]):
                return position
        return None

    # -- where one is -----------------------------------------------------------------------------------------

    @property
    def current(self) -> ProbeId | None:
        """The probe that is shown; None when the queue is finished or empty."""
        return self._current

    @property
    def ids(self) -> Sequence[ProbeId]:
        """The probes of the queue, in its order."""
        return self._ids

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
        return None if self._current is None else self._items.read(self._current, self.reviewer)

    def following(self) -> ReviewItem | None:
        """What is shown after a decision on the present probe, as it stands before."""
        position = None if self._current is None else self._next_open(self._position, but=self._current)
        return None if position is None else self._items.read(self._ids[position], self.reviewer)

    def show(self, probe_id: ProbeId) -> None:
        """Show one probe, in the queue or not. Raises `ProjectError` when it is gone."""
        self._probes.get(probe_id)
        self._current = probe_id
        self._position = self._places.get(probe_id, self._position)

    def step(self, by: int) -> bool:
        """Go forward or back in the queue, decided probes included; False at its ends."""
        if self._current is None:
            if by < 0 and self._ids:
                self._current = self._ids[self._position]
                return True
            return False
        if self._current not in self._places and self._ids:
            self._current = self._ids[self._position]
            return True
        position = self._position + by
        if not 0 <= position < len(self._ids):
            return False
        self._position, self._current = position, self._ids[position]
        return True

    def progress(self) -> ReviewProgress:
        """How far the scope of the queue is."""
        return ReviewProgress(
            decided=self._counts[ReviewStatus.ACCEPTED] + self._counts[ReviewStatus.REJECTED],
            total=len(self._status),
            deferred=self._counts[ReviewStatus.DEFERRED],
            open=self._open,
            seconds_left=None if self._pace is None else self._pace * self._open,
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
        """Decide on the probe and revision that were seen, for the event's facts as they were then.

        Raises `InputError` for a rejection without a reason, “other” without a note, an empty note or an
        unchanged edit; `ProjectError` when the probe was edited, or the facts changed, in the meantime. Then
        nothing was stored.
        """
        note = note.strip()
        check_decision(action, reasons, note)
        _check_edit(action, seen, edited)
        ordered = tuple(code for code in REJECT_REASONS if code in reasons)
        decision = self._reviews.decide(
            seen.id,
            seen.revision_id,
            action,
            self.reviewer,
            reasons=ordered,
            note=note,
            edited=edited,
            facts_hash=seen.event_facts_hash,
        )
        if action in _TIMED:
            self._times.append(decision.at)
            self._pace = seconds_per_decision(self._times[-_PACE_OF_LAST:])
        self._after(seen.id, _HANDLED.get(action))
        if action is Action.EDIT:
            self.forget_edit(seen.id)
        if action in (Action.NOTE, Action.REJECT):
            self.keep_note(seen.id, "")
        if action in _LEAVES_ITEM and seen.id == self._current:
            self._to_next_open(self._position)
        return decision

    def _after(self, probe_id: ProbeId, is_handled: bool | None) -> None:
        """Follow a decision on one probe: counting all of them again would hold up the next one.

        `is_handled`: the queue is done with it, has it open again, or as before (None).
        """
        self._decisions += 1
        was_open = probe_id in self._places and self._is_open(probe_id)
        if is_handled:
            self._handled.add(probe_id)
        elif is_handled is False:
            self._handled.discard(probe_id)
        if probe_id in self._status:
            self._counts[self._status[probe_id]] -= 1
            self._status[probe_id] = self._read_status(probe_id)
            self._counts[self._status[probe_id]] += 1
        is_open = probe_id in self._places and self._is_open(probe_id)
        self._open += is_open - was_open

    def _read_status(self, probe_id: ProbeId) -> ReviewStatus:
        if self._queue.assigned_to:
            item = self._items.read(probe_id, self.reviewer)
            if len(item.assigned) > 1 and self._queue.assigned_to in item.assigned:
                return own_status(self._reviews.log(probe_id), self._queue.assigned_to, item.probe.revision_id)
        return self._probes.get(probe_id).status

    # -- undo and redo ----------------------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether this curator has a standing decision."""
        return self.next_undo() is not None

    def next_undo(self) -> Step | None:
        """What Undo would withdraw: one decision, or a whole bulk action."""
        return self._reviews.undo_step(self.reviewer)

    def next_redo(self) -> Step | None:
        """What Redo would bring back."""
        return self._reviews.redo_step(self.reviewer)

    def undo(self) -> Decision | None:
        """Withdraw the newest standing decision of this curator and show its probe; None when there is none.

        A bulk action is withdrawn as a whole: with many probes that takes a while (`take_back`, as a job).
        """
        step = self.next_undo()
        if step is None:
            return None
        if step.bulk_id is not None:
            from btc_gui.sessions.bulk_reviewing import take_back

            take_back(self._database, step, self.reviewer, Progress())
            self.follow_bulk()
        else:
            self._reviews.undo(step.decision, self.reviewer)
            self._after(step.about.probe_id, False)
            self.show(step.about.probe_id)
        return step.about

    def redo(self) -> Decision | None:
        """Bring back what this curator undid last; None when there is nothing, or something was decided since."""
        step = self.next_redo()
        if step is None:
            return None
        if step.bulk_id is not None:
            from btc_gui.sessions.bulk_reviewing import bring_back

            bring_back(self._database, step, self.reviewer, Progress())
            self.follow_bulk()
            return step.about
        self._reviews.redo(step.decision, self.reviewer)
        leaves = step.about.action in _LEAVES_ITEM
        self._after(step.about.probe_id, _HANDLED.get(step.about.action))
        self.show(step.about.probe_id)
        if leaves:
            self._to_next_open(self._position)
        return step.about

    def follow_bulk(self) -> None:
        """Read the queue anew after a bulk action."""
        self._decisions += 1
        self.reload()

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
        self._keep_draft("edit", seen.id, json.dumps(values, ensure_ascii=False))

    def edit_draft(self, probe_id: ProbeId) -> EditDraft | None:
        """The edit that this curator was typing on a probe, from before a crash too."""
        stored = self._draft("edit", probe_id)
        if not stored:
            return None
        values = json.loads(stored)
        content = ProbeText(values["text"], values["requester"], values["situation"], values["consequence"])
        return EditDraft(content, int(values["revision_id"]))

    def forget_edit(self, probe_id: ProbeId) -> None:
        """Forget the edit that was being typed."""
        self._keep_draft("edit", probe_id, "")

    def keep_note(self, probe_id: ProbeId, text: str) -> None:
        """Keep a note that is being typed (for Note and Reject alike)."""
        self._keep_draft("note", probe_id, text)

    def note_draft(self, probe_id: ProbeId) -> str:
        """The note that this curator was typing on a probe."""
        return self._draft("note", probe_id)

    def _draft(self, kind: str, probe_id: ProbeId) -> str:
        # Earlier versions kept drafts per probe, whoever typed them.
        return self._drafts.get(f"review-{kind}/{probe_id}/{self.reviewer}") or self._drafts.get(
            f"review-{kind}/{probe_id}"
        )

    def _keep_draft(self, kind: str, probe_id: ProbeId, text: str) -> None:
        self._drafts.keep(f"review-{kind}/{probe_id}/{self.reviewer}", text)
        if self._drafts.get(of_old := f"review-{kind}/{probe_id}"):
            self._drafts.keep(of_old, "")


def _check_edit(action: Action, seen: Probe, edited: ProbeText | None) -> None:
    if action is Action.EDIT:
        if edited is None or not edited.text.strip():
            raise InputError("An edited probe needs a text.")
        if edited == seen.content:
            raise InputError("Nothing was changed.", "Change the wording, or leave with Esc.")
