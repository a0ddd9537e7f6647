"""Freezing a release: everything that is accepted, once nothing of it is stale, unreviewed or unpaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.article import Article
from btc_gui.domain.category import Category
from btc_gui.domain.datasheet import CollectionRecord, DatasheetFacts, datasheet
from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import Event, EventId
from btc_gui.domain.generation import Provenance
from btc_gui.domain.hashing import sha256
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ReviewStatus, RevisionId
from btc_gui.domain.release import Release, ReleasedProbe, ReleasePair, ReleaseProblem, in_order
from btc_gui.domain.review import Decision
from btc_gui.domain.review_agreement import pair_agreements
from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.store.articles import ArticleStore
from btc_gui.store.candidates import CandidateStore
from btc_gui.store.collections import CollectionStore
from btc_gui.store.contexts import ContextStore
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventStore
from btc_gui.store.generations import GenerationStore
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.releases import ReleaseItem, ReleaseStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.review_assignments import AssignmentStore

_REVIEW = "Review it."
_NO_DIRECT = "its event has no direct probe"
_PAIR = "Make one with “btc-gui pair --accepted”, or “Make direct probes” in the window, and review it."
_WITHDRAW = "Decide on it in the review."
#: What is against a probe, what to do, and which other probe to look at.
_Problem = tuple[str, str, ProbeId | None]


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """What a release would hold now, and what stands against it."""

    items: tuple[ReleaseItem, ...]
    problems: tuple[ReleaseProblem, ...]

    @property
    def unpaired(self) -> int:
        """How many accepted probes have no direct one beside them at all."""
        return sum(problem.what == _NO_DIRECT for problem in self.problems)


@dataclass(frozen=True, slots=True)
class _Sources:
    """What the project knows of where its probes are from."""

    events: Mapping[EventId, Event]
    generations: Mapping[RevisionId, Provenance]
    articles: Mapping[EventId, Article]
    acceptances: Mapping[ProbeId, Decision]
    retained_by: Mapping[ProbeId, tuple[str, ...]]
    #: SHA-256 of the context that a generator would get now.
    contexts: Mapping[EventId, str]


def draft_release(
    database: Database, categories: Mapping[str, Category], progress: Progress, only: Collection[str] = ()
) -> ReleaseDraft:
    """The pairs of all accepted indirect probes (of the categories `only`), and why some can't be released.

    A pair needs an approval of both wordings that still holds: for the facts that the event has now. Raises
    `Cancelled`. Changes nothing.
    """
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(categories=tuple(only), kinds=(ProbeKind.INDIRECT,), statuses=(ReviewStatus.ACCEPTED,)))
    probes = store.fetch(ids)
    event_ids = sorted({probe.event_id for probe in probes.values()})
    progress.report(0, len(ids), "Reading what is accepted")
    events = EventStore(database).fetch(event_ids)
    rejected = EventRejectionStore(database).fetch(event_ids)
    directs = _direct_probes(database, only)
    problems: list[ReleaseProblem] = []
    pairs: list[tuple[Probe, Probe]] = []
    for probe_id in ids:
        probe = probes[probe_id]
        event = events[probe.event_id]
        direct, problem = _paired(directs.get(probe.event_id, ()))
        if event.facts.category not in categories:
            problem = (
                "its category is not known here",
                f"Add a folder “{event.facts.category}” to the categories.",
                None,
            )
        elif probe.event_id in rejected:
            problem = ("its event was rejected", _WITHDRAW, None)
        elif probe.is_stale:
            problem = ("accepted for other facts than the event has now", _REVIEW, None)
        if problem is not None:
            problems.append(ReleaseProblem(probe.key, event.facts.entity, *problem[:2], problem[2] or probe.id))
        elif direct is not None:
            pairs.append((probe, direct))
    progress.check()
    revisions = [probe.revision_id for pair in pairs for probe in pair]
    both = [probe.id for pair in pairs for probe in pair]
    generations = GenerationStore(database).provenance(revisions)
    sources = _Sources(
        events,
        generations,
        {i: each for i, each in ArticleStore(database).standing(event_ids).items() if not each.problem},
        ReleaseStore(database).acceptances(both),
        RetentionStore(database).retained_by([probe.id for probe, _ in pairs]),
        _contexts(database, [probe.event_id for probe, _ in pairs if probe.revision_id in generations], progress),
    )
    items = {}
    for number, (probe, direct) in enumerate(pairs, 1):
        pair = _pair(probe, direct, categories[events[probe.event_id].facts.category], sources)
        items[pair.key] = ReleaseItem(pair, probe.id, probe.revision_id, direct.id, direct.revision_id)
        progress.report(number, len(pairs), pair.facts.entity)
    ordered = in_order(item.pair for item in items.values())
    return ReleaseDraft(tuple(items[pair.key] for pair in ordered), tuple(problems))


def freeze_release(
    database: Database,
    categories: Mapping[str, Category],
    name: str,
    author: str,
    progress: Progress,
    *,
    only: Collection[str] = (),
    note: str = "",
    licence: str = "",
) -> Release:
    """Freeze what is accepted. Raises `InputError` when the name is taken, nothing is accepted, or something of it
    can't be released (`draft_release` tells what, one by one); `Cancelled`."""
    if not name.strip():
        raise InputError("A release needs a name.")
    draft = draft_release(database, categories, progress, only)
    if draft.problems:
        first = draft.problems[0]
        raise InputError(
            f"{len(draft.problems):,} of the accepted probes can't be released, such as {first.key} "
            f"({first.entity}): {first.what}.",
            "“btc-gui release check” lists all of them.",
        )
    if not draft.items:
        raise InputError("No probe is accepted that could be released.", "Review some, and their direct probes.")
    at = now_utc()
    text = datasheet(_datasheet_facts(database, categories, draft.items, name.strip(), author, at, only, note, licence))
    store = ReleaseStore(database)
    store.add(name, draft.items, text, author, note=note, created_at=at)
    return store.get(name)


def _direct_probes(database: Database, only: Collection[str]) -> dict[EventId, list[Probe]]:
    store = ProbeStore(database)
    ids = store.ids(ProbeQuery(categories=tuple(only), kinds=(ProbeKind.DIRECT,)))
    found: dict[EventId, list[Probe]] = {}
    for probe in store.fetch(ids).values():
        if probe.status is not ReviewStatus.REJECTED:
            found.setdefault(probe.event_id, []).append(probe)
    return {event_id: sorted(probes, key=lambda each: each.ordinal) for event_id, probes in found.items()}


def _paired(directs: Sequence[Probe]) -> tuple[Probe | None, _Problem | None]:
    """The direct probe that goes with an event's indirect ones, or why there is none, and what would help."""
    for direct in directs:
        if direct.status is ReviewStatus.ACCEPTED and not direct.is_stale:
            return direct, None
    if not directs:
        return None, (_NO_DIRECT, _PAIR, None)
    what = "accepted for other facts" if directs[0].is_stale else str(directs[0].status)
    return None, (f"its direct probe {directs[0].key} is {what}", _REVIEW, directs[0].id)


def _contexts(database: Database, event_ids: Sequence[EventId], progress: Progress) -> dict[EventId, str]:
    store, found = ContextStore(database), {}
    for event_id in dict.fromkeys(event_ids):
        progress.check()
        # One at a time: the articles of all events would fill the memory.
        found.update({each: sha256(text) for each, text in store.fetch([event_id]).items()})
    return found


def _pair(probe: Probe, direct: Probe, category: Category, sources: _Sources) -> ReleasePair:
    facts = sources.events[probe.event_id].facts
    provenance: dict[str, object] = {
        "indirect": _provenance(probe, sources),
        "direct": _provenance(direct, sources),
        "retained_by": list(sources.retained_by.get(probe.id, ())),
    }
    article, written = sources.articles.get(probe.event_id), sources.generations.get(probe.revision_id)
    # Another article may have been fetched since: only the text that the model had is a context.
    had_it = written is not None and sources.contexts.get(probe.event_id) == written.context_hash
    if article is not None and had_it:
        provenance["context"] = {
            "url": article.url,
            "revision": article.revision_id,
            "revised_at": article.revised_at,
            "attribution": article.attribution,
        }
    return ReleasePair(
        facts=facts,
        before=category.fact_before(facts),
        after=category.fact_after(facts),
        indirect=ReleasedProbe(probe.key, probe.content, probe.origin),
        direct=ReleasedProbe(direct.key, direct.content, direct.origin),
        provenance=provenance,
    )


def _provenance(probe: Probe, sources: _Sources) -> dict[str, object]:
    found: dict[str, object] = {}
    written = sources.generations.get(probe.revision_id)
    if written is not None:
        found |= {"model": written.model, "prompt_hash": written.prompt_hash, "written_at": written.at}
    accepted = sources.acceptances.get(probe.id)
    if accepted is not None:
        found |= {"accepted_by": accepted.reviewer, "accepted_at": accepted.at}
    return found


def _datasheet_facts(
    database: Database,
    known: Mapping[str, Category],
    items: Sequence[ReleaseItem],
    name: str,
    author: str,
    at: str,
    only: Collection[str],
    note: str,
    licence: str,
) -> DatasheetFacts:
    pairs = [item.pair for item in items]
    days = sorted(pair.facts.date.iso for pair in pairs)
    by_event = {(pair.facts.category, pair.facts.identities()): pair for pair in pairs}
    categories = {pair.facts.category for pair in pairs}
    directs = {pair.direct.key: pair for pair in pairs}
    writers = Counter(_writer(pair.indirect, pair.provenance["indirect"], "indirect") for pair in pairs)
    writers += Counter(_writer(pair.direct, pair.provenance["direct"], "direct") for pair in directs.values())
    assignments = AssignmentStore(database)
    candidates = CandidateStore(database)
    return DatasheetFacts(
        name=name,
        created_by=author,
        created_at=at,
        note=note,
        licence=licence,
        is_illustrative=ProjectStore(database).is_illustrative,
        events=Counter(category for category, _ in by_event),
        pairs=Counter(pair.facts.category for pair in pairs),
        days=(days[0], days[-1]),
        collections=tuple(
            CollectionRecord(each.titled(known[each.question.category].plural), candidates.funnel(each.id))
            for each in reversed(CollectionStore(database).all())
            if each.completed_at and each.question.category in categories
        ),
        writers=writers,
        retention=[each for each in RetentionStore(database).counts() if each.category in categories],
        decisions={
            status.value: count
            for status, count in Counter(
                ProbeStore(database).statuses(ProbeQuery(categories=tuple(only), kinds=(ProbeKind.INDIRECT,))).values()
            ).items()
        },
        reviewers=Counter(str(pair.provenance["indirect"].get("accepted_by", "unknown")) for pair in pairs),
        agreements=pair_agreements(assignments.logs_of_shared(), assignments.shared()),
        findings=Counter(
            rule
            for found in LintStore(database).findings([item.probe_id for item in items]).values()
            for rule in {finding.rule for finding in found}
        ),
        articles=len({pair.facts.identities() for pair in pairs if "context" in pair.provenance}),
    )


def _writer(probe: ReleasedProbe, provenance: Mapping[str, object], kind: str) -> str:
    model = provenance.get("model")
    return f"{kind}: {model} (prompt {str(provenance['prompt_hash'])[:12]})" if model else f"{kind}: {probe.origin}"
