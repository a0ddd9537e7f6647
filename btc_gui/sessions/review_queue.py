"""Which probes a curator goes through, and in which order: read from the project, on any thread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from btc_gui.domain.dates import now_utc
from btc_gui.domain.probe import ProbeId, ProbeKind, ReviewStatus
from btc_gui.domain.review import Action, Decision, standing
from btc_gui.records import dataclass
from btc_gui.store.database import Database
from btc_gui.store.probe_places import all_places
from btc_gui.store.probes import Place, ProbeQuery, ProbeStore
from btc_gui.store.queue_state import queue_state
from btc_gui.store.retention import RetentionStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore

#: How far back decisions tell the pace.
PACE_WINDOW = timedelta(hours=12)
#: Values of `Queue.retained` beside the names of models.
BY_ANY, BY_NONE = "*any", "*none"


class QueueKind(StrEnum):
    """Which probes a curator goes through."""

    UNREVIEWED = "unreviewed"
    DEFERRED = "deferred"
    FLAGGED = "flagged"
    STALE = "stale"
    DISPUTED = "disputed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    ALL = "all"


class QueueOrder(StrEnum):
    """In which order.

    By sample: what some model retained comes first, in the order in which a sample is drawn (the best ranked probe of
    each event, then the second ones). Who stops when the sample is full has spared the rest.
    """

    EVENT = "event"
    SAMPLE = "sample"


@dataclass(frozen=True, slots=True)
class Queue:
    """The probes to go through. `ids` (from the Probes page) replaces the other conditions.

    `retained` names models that must all retain a probe, or is `BY_ANY` or `BY_NONE` alone; `lint` has the linter's
    rules or severities; `assigned_to` is a curator: then a probe that is shared with others is open until this
    curator has judged it.
    """

    kind: QueueKind = QueueKind.UNREVIEWED
    categories: tuple[str, ...] = ()
    kinds: tuple[ProbeKind, ...] = ()
    ids: tuple[ProbeId, ...] = ()
    contains: str = ""
    retained: tuple[str, ...] = ()
    lint: tuple[str, ...] = ()
    assigned_to: str = ""
    order: QueueOrder = QueueOrder.EVENT

    def as_json(self) -> dict[str, object]:
        """The queue as it is kept under a name: without probes that were chosen one by one."""
        return {key: value for key, value in asdict(self).items() if key != "ids"}


def queue_from_json(values: Mapping[str, Any]) -> Queue:
    """Read a queue that was kept. What this version doesn't know is passed over."""
    known = {field.name for field in fields(Queue)} - {"ids"}
    taken: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items() if key in known
    }
    try:
        taken["kind"] = QueueKind(taken.get("kind", QueueKind.UNREVIEWED))
        taken["order"] = QueueOrder(taken.get("order", QueueOrder.EVENT))
        taken["kinds"] = tuple(ProbeKind(kind) for kind in taken.get("kinds", ()))
        return Queue(**taken)
    except (ValueError, TypeError):
        return Queue()


@dataclass(frozen=True, slots=True)
class QueueScope:
    """What the project says of a queue: where the probes of its scope stand, which it holds, which exist at all.

    `decisions` is how many the session had made before it was read; `times` when its curator decided lately.
    """

    queue: Queue
    decisions: int
    statuses: Mapping[ProbeId, ReviewStatus]
    ids: Sequence[ProbeId]
    exist: Collection[ProbeId]
    times: Sequence[str]


class Fingerprint(NamedTuple):
    """The newest decision, the newest wording, and what else a queue is made of."""

    queue: Queue
    decision: int
    wording: int
    others: tuple[int | str, ...]

    def is_followed_by(self, later: Fingerprint) -> bool:
        """Whether nothing but one decision (with the wording that it made) lies between this and a later one."""
        only = self._replace(decision=later.decision, wording=later.wording) == later
        return only and later.decision - self.decision <= 1 and later.wording - self.wording <= 1


class QueueReader:
    """Reads queues. It changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._probes = ProbeStore(database)
        self._assignments = AssignmentStore(database)

    def read(self, queue: Queue, reviewer: str, decisions: int = 0) -> QueueScope:
        """Read what a queue is about, for this curator."""
        since = (datetime.fromisoformat(now_utc()) - PACE_WINDOW).isoformat(timespec="milliseconds")
        times = ReviewStore(self._database).decided_since(reviewer, since)
        exist = all_places(self._database)
        if queue.ids:
            ids = [i for i in dict.fromkeys(queue.ids) if i in exist]
            return QueueScope(queue, decisions, {i: exist[i].status for i in ids}, ids, exist.keys(), times)
        places = self._places(queue, exist)
        statuses = {probe_id: place.status for probe_id, place in places.items()}
        if queue.assigned_to:
            own = self._own_statuses(queue.assigned_to)
            statuses = {i: own.get(i, status) for i, status in statuses.items()}
        belongs = _belonging(queue.kind)
        ids = [i for i, place in places.items() if belongs(statuses[i], place)]
        return QueueScope(queue, decisions, statuses, ids, exist.keys(), times)

    def fingerprint(self, queue: Queue) -> Fingerprint:
        """What changes with anything that a queue is made of: the same one means that reading it gives the same."""
        with_answers = bool(queue.retained) or queue.order is QueueOrder.SAMPLE
        return Fingerprint(queue, *queue_state(self._database, with_answers=with_answers))

    def models(self) -> list[str]:
        """The models that a filter was planned for."""
        return RetentionStore(self._database).models()

    def _places(self, queue: Queue, exist: Mapping[ProbeId, Place]) -> Mapping[ProbeId, Place]:
        query = ProbeQuery(
            categories=queue.categories,
            kinds=queue.kinds,
            contains=queue.contains,
            lint=queue.lint,
            assigned_to=queue.assigned_to,
            retained_by=tuple(name for name in queue.retained if name not in (BY_ANY, BY_NONE)),
        )
        if query == ProbeQuery() and not queue.retained and queue.order is QueueOrder.EVENT:
            return exist
        ids: Sequence[ProbeId] = self._probes.ids(query)
        retained: Collection[ProbeId] = ()
        if queue.order is QueueOrder.SAMPLE or BY_ANY in queue.retained or BY_NONE in queue.retained:
            retained = self._retained()
        if BY_ANY in queue.retained:
            ids = [i for i in ids if i in retained]
        if BY_NONE in queue.retained:
            ids = [i for i in ids if i not in retained]
        if queue.order is QueueOrder.SAMPLE:
            ids = self._sample_order(frozenset(ids), retained)
        elif queue.assigned_to:
            in_turn = {i: turn for turn, i in enumerate(self._assignments.of_reviewer(queue.assigned_to))}
            ids = sorted(ids, key=in_turn.__getitem__)
        # Others may have added some since the places were read.
        return {i: exist[i] for i in ids if i in exist}

    def _retained(self) -> frozenset[ProbeId]:
        """The probes that some model retains in their current wording."""
        store = RetentionStore(self._database)
        return store.retained_ids(store.models(), by_any=True)

    def _sample_order(self, ids: Collection[ProbeId], retained: Collection[ProbeId]) -> list[ProbeId]:
        """Retained ones first, then the others; each part in the order in which a sample is drawn."""
        # Only this order needs what draws samples.
        from btc_gui.domain.probe_sample import in_turns
        from btc_gui.store.sample_order import ranked_probes

        first, others = list[tuple[ProbeId, str]](), list[tuple[ProbeId, str]]()
        for each in ranked_probes(self._database):
            if each[0] in ids:
                (first if each[0] in retained else others).append(each)
        return in_turns(first) + in_turns(others)

    def _own_statuses(self, reviewer: str) -> dict[ProbeId, ReviewStatus]:
        """How the shared probes of a curator stand by this curator's own decisions alone."""
        logs = self._assignments.logs_of_shared()
        shared = [i for i, names in self._assignments.shared().items() if reviewer in names]
        current = self._probes.current_revisions(shared)
        return {i: own_status(logs.get(i, ()), reviewer, current[i]) for i in shared if i in current}


def own_status(log: Sequence[Decision], reviewer: str, revision_id: int) -> ReviewStatus:
    """Where a probe stands by one curator's own decisions on its current wording."""
    status = ReviewStatus.UNREVIEWED
    for decision in standing(log):
        if decision.reviewer == reviewer and decision.revision_id == revision_id:
            status = _OWN.get(decision.action, status)
    return status


_OWN = {
    Action.ACCEPT: ReviewStatus.ACCEPTED,
    Action.REJECT: ReviewStatus.REJECTED,
    Action.DEFER: ReviewStatus.DEFERRED,
}
#: What makes a probe leave a queue: another status.
STATUSES: dict[QueueKind, tuple[ReviewStatus, ...]] = {
    QueueKind.UNREVIEWED: (ReviewStatus.UNREVIEWED,),
    QueueKind.DEFERRED: (ReviewStatus.DEFERRED,),
}


def _belonging(kind: QueueKind) -> Callable[[ReviewStatus, Place], bool]:
    """What tells whether a probe is of a queue: asked for each probe of the project, so the kind is looked at once."""
    match kind:
        case QueueKind.ALL:
            return lambda status, place: True
        case QueueKind.FLAGGED:
            return lambda status, place: place.is_flagged
        case QueueKind.STALE:
            return lambda status, place: place.is_stale
        case QueueKind.DISPUTED:
            return lambda status, place: place.is_disputed
    wanted = kind.value
    return lambda status, place: status == wanted
