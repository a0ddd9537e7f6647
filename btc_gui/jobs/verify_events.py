"""Ask again about the project's events, and put what moved into a queue. Nothing is changed by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from btc_gui.domain.category import Category
from btc_gui.domain.collecting import plan_of
from btc_gui.domain.collection_plan import Binding, CollectionPlan, QuerySpec, ids_for
from btc_gui.domain.event import Event, EventId
from btc_gui.domain.verification import Moved, Movement, what_moved
from btc_gui.jobs.ask_wikidata import ask_about
from btc_gui.progress import Progress
from btc_gui.remote.http import WebClient
from btc_gui.remote.wikidata import Wikidata
from btc_gui.settings import Settings
from btc_gui.store.candidates import CandidateStore
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.movements import MovementStore

#: How many events are asked about, decided on and noted at once.
_AT_ONCE = 200
#: Events asked about within this time are passed over: so a stopped check goes on where it was.
FRESH = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class VerifyOutcome:
    """What asking again found: events `checked`, by movement; `queued` are new in the queue.

    `fresh` were asked about a short time ago, `without_id` have no id of Wikidata: nothing can be asked about them.
    `unanswered` got no answer within the time: they are asked about again by the next check.
    """

    checked: int
    movements: Mapping[Movement, int]
    queued: int
    fresh: int
    without_id: int
    unanswered: int
    requests: int

    @property
    def has_events(self) -> bool:
        """Whether the project has any events of the category that are not rejected."""
        return bool(self.checked or self.fresh or self.without_id or self.unanswered)

    @property
    def text(self) -> str:
        """One line for a person; says so where there was nothing to ask about."""
        if not self.has_events:
            return "no events here"
        moved = [f"{count:,} {movement}" for movement, count in self.movements.items() if count]
        rest = [f"{self.fresh:,} asked about lately"] if self.fresh else []
        rest += [f"{self.without_id:,} without an id of Wikidata"] if self.without_id else []
        rest += [f"{self.unanswered:,} without an answer: check them again later"] if self.unanswered else []
        return ", ".join([f"{self.checked:,} events asked about", *moved, *rest])

    def __add__(self, other: VerifyOutcome) -> VerifyOutcome:
        """What two checks found together."""
        return VerifyOutcome(
            self.checked + other.checked,
            Counter(self.movements) + Counter(other.movements),
            self.queued + other.queued,
            self.fresh + other.fresh,
            self.without_id + other.without_id,
            self.unanswered + other.unanswered,
            self.requests + other.requests,
        )

    def as_json(self) -> dict[str, object]:
        """The report as commands print it."""
        return {
            "checked": self.checked,
            "movements": {movement.value: self.movements.get(movement, 0) for movement in Movement},
            "queued": self.queued,
            "fresh": self.fresh,
            "without_id": self.without_id,
            "unanswered": self.unanswered,
            "requests": self.requests,
        }


def verify_events(
    database: Database,
    category: Category,
    settings: Settings,
    progress: Progress,
    *,
    service: str = "",
    event_ids: Sequence[EventId] | None = None,
    again: bool = False,
) -> VerifyOutcome:
    """Ask again about a category's events (or these), the rejected ones left out.

    What moved waits in the queue (`MovementStore`); approvals go stale only when somebody takes the new facts.
    Raises `SettingsError` without a contact, `ServiceError` when there is no answer, or none about several events
    in a row (what was asked before it counts: the same call goes on), and `Cancelled`.
    """
    plan = plan_of(category)
    events, movements = EventStore(database), MovementStore(database)
    ids = list(event_ids) if event_ids is not None else events.ids(EventQuery(categories=(category.name,)))
    rejected = EventRejectionStore(database).fetch(ids)
    found = [event for event_id, event in events.fetch(ids).items() if event_id not in rejected]
    known = [event for event in found if event.facts.qid and event.facts.category == category.name]
    limit = (datetime.now(UTC) - FRESH).isoformat(timespec="milliseconds")
    checked = {} if again else movements.checked_at([event.id for event in known])
    wanted = [event for event in known if checked.get(event.id, "") < limit]
    put_back = CandidateStore(database).put_back_rows(category.name)
    overruled = {key: row.overruled for key, row in put_back.items()}
    counts: Counter[Movement] = Counter()
    queued = unanswered = 0
    with WebClient(settings.operator_contact, progress) as client:
        wikidata = Wikidata(client, settings, service)
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            progress.report(start, len(wanted), f"Asking again about {part[0].facts.entity} and others")
            client.said = _teller(progress, start, len(wanted))
            rows, without = _ask(wikidata, plan, [event.facts.qid for event in part], progress)
            # One item that always takes too long must not keep the others from being asked about.
            part = [event for event in part if event.facts.qid not in without]
            unanswered += len(wanted[start : start + _AT_ONCE]) - len(part)
            facts = [event.facts for event in part]
            found_now = what_moved(category, facts, rows, run_date=_today(), overruled=overruled)
            moved = _by_event(part, found_now)
            with database.write() as connection:
                movements.note_checks(connection, [(event_id, each.movement) for event_id, each in moved])
                worth_telling = [pair for pair in moved if pair[1].movement is not Movement.UNCHANGED]
                queued += movements.add(connection, worth_telling, wikidata.service)
            counts.update(each.movement for _, each in moved)
        progress.report(len(wanted), len(wanted))
        return VerifyOutcome(
            checked=len(wanted) - unanswered,
            movements={movement: counts[movement] for movement in Movement},
            queued=queued,
            fresh=len(known) - len(wanted),
            without_id=len(found) - len(known),
            unanswered=unanswered,
            requests=client.sent,
        )


def _today() -> date:
    return datetime.now(UTC).date()


def _teller(progress: Progress, done: int, total: int) -> Callable[[str], None]:
    return lambda text: progress.tell(done, total, text)


def _ask(
    wikidata: Wikidata, plan: CollectionPlan, qids: Sequence[str], progress: Progress
) -> tuple[dict[str, list[Binding]], set[str]]:
    """The rows of the plan's queries, and the ids about which too little is known to decide.

    Redirects come first: a merged item's statements stand at its new id.
    """
    ids = list(dict.fromkeys(qids))
    rows: dict[str, list[Binding]] = {}
    without: set[str] = set()
    for spec in sorted(plan.verify, key=lambda each: "merged_into" not in each.columns):
        wanted = ids_for(spec, rows) if spec.ids_from else ids
        rows[spec.name], unanswered = ask_about(wikidata, spec, wanted, progress)
        without.update(unanswered)
        if "merged_into" in spec.columns:
            ids = list(dict.fromkeys([*ids, *_column(rows[spec.name], spec, "merged_into")]))
    return rows, _depending(plan, rows, without) if without else without


def _depending(plan: CollectionPlan, rows: Mapping[str, Sequence[Binding]], without: set[str]) -> set[str]:
    """`without`, and the items of rows that name one of them: what is not known of an office is not of its holders."""
    found, before = set(without), 0
    while len(found) > before:
        before = len(found)
        for spec in plan.verify:
            for row in rows[spec.name]:
                if any(cell.get("value", "").rpartition("/")[2] in found for cell in row.values()):
                    found.update(_column([row], spec, "item"))
    return found


def _column(rows: Sequence[Binding], spec: QuerySpec, meaning: str) -> list[str]:
    found = (row.get(spec.columns[meaning], {}).get("value", "").rpartition("/")[2] for row in rows)
    return [qid for qid in found if qid]


def _by_event(events: Sequence[Event], moved: Sequence[Moved]) -> list[tuple[EventId, Moved]]:
    """Each finding with the event it is about, one for each event in their order."""
    return [(event.id, each) for event, each in zip(events, moved, strict=True)]
