"""All that the review screen shows of one probe, and what it keeps from a curator who must not know it yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from btc_gui.domain.category import Category
from btc_gui.domain.event import Event
from btc_gui.domain.folding import search_key
from btc_gui.domain.lint import Finding
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind
from btc_gui.domain.retention import Retention, retention_line
from btc_gui.domain.review import VERDICTS, Decision, differing_verdicts, standing
from btc_gui.records import dataclass
from btc_gui.sessions.review_queue import own_status
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """All that the screen shows of one probe.

    `retentions` says where each model stands on this wording, empty before a filter; `was_filtered`, whether an earlier
    wording was filtered. `findings` are the linter's, None before it looked. `assigned` are the curators who are to
    review it; `is_blind` says that it is shared and this curator has not judged its wording yet: then probe, siblings
    and log show no trace of the others.
    """

    probe: Probe
    event: Event
    category: Category | None
    siblings: tuple[Probe, ...]
    log: tuple[Decision, ...]
    retentions: tuple[Retention, ...] = ()
    was_filtered: bool = False
    findings: tuple[Finding, ...] | None = None
    assigned: frozenset[str] = frozenset()
    is_blind: bool = False

    @property
    def before(self) -> str:
        """The fact that held before the change."""
        return self.category.fact_before(self.event.facts) if self.category else ""

    @property
    def after(self) -> str:
        """The fact that holds since."""
        return self.category.fact_after(self.event.facts) if self.category else self.event.title

    @property
    def retention(self) -> str:
        """Which models retain it, in a line."""
        return retention_line(self.retentions)

    @property
    def differing(self) -> tuple[Decision, ...]:
        """The verdicts to be weighed where curators disagree: none for one who is still to judge blind."""
        return differing_verdicts(self.log, self.assigned) if self.probe.is_disputed else ()

    @property
    def has_other_facts(self) -> bool:
        """Whether the wording was written for other facts than the event has now."""
        return self.probe.facts_hash != self.event.facts.facts_hash

    @property
    def place(self) -> str:
        """`Probe 3 of this event's 5`, among those of its kind: not the place in the queue."""
        same = [probe for probe in self.siblings if probe.kind is self.probe.kind]
        if self.probe.kind is ProbeKind.DIRECT and len(same) == 1:
            return "Direct probe"
        position = next((i for i, probe in enumerate(same, 1) if probe.id == self.probe.id), 1)
        words = "Probe" if self.probe.kind is ProbeKind.INDIRECT else "Direct probe"
        return f"{words} {position} of this event’s {len(same)}"

    @property
    def variety(self) -> str:
        """Whether the event's indirect probes differ in what they are to vary: `4 requesters, 5 situations … in 5`."""
        probes = [probe.content for probe in self.siblings if probe.kind is ProbeKind.INDIRECT]
        parts = []
        for words, values in (
            ("requester", [content.requester for content in probes]),
            ("situation", [content.situation for content in probes]),
            ("consequence", [content.consequence for content in probes]),
        ):
            different = len({search_key(value) for value in values if value.strip()})
            if different:
                parts.append(f"{different} {words}{'' if different == 1 else 's'}")
        return f"{', '.join(parts)} in {len(probes)}" if parts and len(probes) > 1 else ""


class ItemReader:
    """Reads what the screen shows, anew each time."""

    def __init__(self, database: Database, categories: Mapping[str, Category]) -> None:
        self._categories = categories
        self._probes, self._events = ProbeStore(database), EventStore(database)
        self._reviews, self._assignments = ReviewStore(database), AssignmentStore(database)
        self._retention, self._lint = RetentionStore(database), LintStore(database)

    def read(self, probe_id: ProbeId, reviewer: str) -> ReviewItem:
        """One probe as this curator may see it. Raises `ProjectError` when it is gone."""
        # The probe first: facts that change in between make a decision on it refused, not bound to unseen ones.
        probe = self._probes.get(probe_id)
        event = self._events.get(probe.event_id)
        siblings = self._probes.siblings(probe.event_id)
        log = self._reviews.log(probe.id)
        retentions = self._retention.of_probes([probe.id]).get(probe.id, {})
        assigned = self._assignments.of_probes([sibling.id for sibling in siblings])
        hidden = {
            sibling.id
            for sibling in siblings
            if len(assigned.get(sibling.id, ())) > 1
            and reviewer in assigned[sibling.id]
            and not _has_judged(self._reviews.log(sibling.id), reviewer, sibling)
        }
        return ReviewItem(
            probe=self._seen(probe, reviewer) if probe.id in hidden else probe,
            event=event,
            category=self._categories.get(event.facts.category),
            siblings=tuple(self._seen(each, reviewer) if each.id in hidden else each for each in siblings),
            log=tuple(_own(log, reviewer) if probe.id in hidden else log),
            retentions=tuple(sorted(retentions.values(), key=lambda each: each.model)),
            was_filtered=bool(retentions) or (probe.revision > 1 and self._retention.was_filtered(probe.id)),
            findings=self._lint.findings([probe.id]).get(probe.id),
            assigned=assigned.get(probe.id, frozenset()),
            is_blind=probe.id in hidden,
        )

    def _seen(self, probe: Probe, reviewer: str) -> Probe:
        """The probe as if nobody else had decided anything on it."""
        log = _own(self._reviews.log(probe.id), reviewer)
        return replace(
            probe,
            status=own_status(log, reviewer, probe.revision_id),
            is_flagged=False,
            is_stale=False,
            is_disputed=False,
        )


def _has_judged(log: Sequence[Decision], reviewer: str, probe: Probe) -> bool:
    return any(
        decision.reviewer == reviewer and decision.action in VERDICTS and decision.revision_id == probe.revision_id
        for decision in standing(log)
    )


def _own(log: Sequence[Decision], reviewer: str) -> list[Decision]:
    return [decision for decision in log if decision.reviewer == reviewer]
