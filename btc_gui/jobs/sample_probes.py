"""Sampling: freezing for each model and category the retained probes that it is evaluated on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.event import EventId
from btc_gui.domain.number_words import counted
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, RevisionId
from btc_gui.domain.probe_sample import Candidate, ProbeSample, SampleCell, SampleDesign, SampleItem, draw_probes
from btc_gui.domain.retention import RetainedProbe, Standing
from btc_gui.errors import InputError, RunError
from btc_gui.jobs.pair_probes import usable_direct_probes
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.samples import SampleStore


@dataclass(frozen=True, slots=True)
class DrawnSample:
    """A draw that is not frozen yet.

    `undecided` counts, for each model, the probes that might still be retained; `unpaired` the items whose event
    has no direct probe.
    """

    cells: tuple[SampleCell, ...]
    items: tuple[SampleItem, ...]
    undecided: Mapping[str, int]

    @property
    def unpaired(self) -> int:
        """How many items have no direct probe."""
        return sum(item.direct_id is None for item in self.items)


def draw_sample(database: Database, models: Sequence[str], design: SampleDesign, *, extends: str = "") -> DrawnSample:
    """Draw a sample without freezing it: retained, accepted probes for facts that still hold.

    With `extends`, the items of that sample come first. Raises `InputError` for a model without a filter, and for
    an extension that is not one (another seed or rule, or smaller); `StudyError` for an impossible size.
    """
    retention = RetentionStore(database)
    names = list(dict.fromkeys(models))
    filtered = retention.models()
    for name in names:
        if name not in filtered:
            known = ", ".join(filtered) or "none"
            raise InputError(
                f"There is no filter of the model “{name}”.", f"Filter its probes first. Filtered: {known}."
            )
    if not names:
        raise InputError("A sample needs a model.", "Name at least one that was filtered.")
    kept = _kept(database, design, extends)
    standings = {name: retention.of_model(name) for name in names}
    common = retention.retained_in(list(standings.values())) if design.is_common else None
    direct = usable_direct_probes(database)
    identities = {event_id: facts.identities()[0] for event_id, facts in EventStore(database).all_facts()}
    categories = sorted(EventStore(database).count_by_category())
    cells: list[SampleCell] = []
    items: list[SampleItem] = []
    for name in names:
        by_category: dict[str, list[RetainedProbe]] = defaultdict(list)
        for probe in common if common is not None else retention.retained_in([standings[name]]):
            if probe.is_usable:
                by_category[probe.category].append(probe)
        for category in categories:
            probes = {probe.probe_key: probe for probe in by_category[category]}
            candidates = [Candidate(key, identities[probe.event_id]) for key, probe in probes.items()]
            drawn = draw_probes(candidates, design, kept.get((name, category), ()))
            cells.append(SampleCell(name, category, design.size, drawn.events, len(drawn.probes), len(drawn.lost)))
            items += [_item(name, place, probes[key], direct) for place, key in enumerate(drawn.probes, 1)]
    undecided = {
        name: sum(each.standing is Standing.UNDECIDED for each in found.values()) for name, found in standings.items()
    }
    return DrawnSample(tuple(cells), tuple(items), {name: count for name, count in undecided.items() if count})


def sample_probes(
    database: Database, name: str, models: Sequence[str], design: SampleDesign, author: str, *, extends: str = ""
) -> ProbeSample:
    """Draw a sample and freeze it under a name. Raises what `draw_sample` raises, `InputError` when the name is
    taken, and `RunError` when nothing could be drawn."""
    drawn = draw_sample(database, models, design, extends=extends)
    if not drawn.items:
        undecided = sum(drawn.undecided.values())
        words, remedy = "", "Filter the probes, have the answers judged, and accept the probes in the review."
        if undecided:
            words = f", {counted(undecided, 'is', 'are')} undecided"
            remedy = "“btc-gui retention --undecided” says what they wait for."
        raise RunError(f"No probe can be drawn: none is retained and accepted{words}.", remedy)
    store = SampleStore(database)
    base = store.get(extends).id if extends else None
    store.add(name, design, drawn.cells, drawn.items, author, base)
    return store.get(name)


def items_of_sample(
    database: Database,
    sample: ProbeSample,
    configurations: Sequence[Configuration],
    kinds: Collection[ProbeKind] = tuple(ProbeKind),
    limit: int | None = None,
) -> list[tuple[Configuration, list[tuple[ProbeId, RevisionId]]]]:
    """What each configuration is asked: the indirect and direct probes of its model's part of the sample.

    `limit` takes the first so many indirect probes of each category, with their direct ones.

    Raises `InputError` when the sample has no part for a model.
    """
    store = SampleStore(database)
    plan = []
    for configuration in configurations:
        items = [item for item in store.items(sample.id, configuration.model) if limit is None or item.place <= limit]
        if not items:
            raise InputError(
                f"The sample “{sample.name}” has no probes for {configuration.model}.",
                f"It was drawn for {', '.join(sample.models)}.",
            )
        indirect = [(item.probe_id, item.revision_id) for item in items]
        direct = [
            (item.direct_id, item.direct_revision_id)
            for item in items
            if item.direct_id is not None and item.direct_revision_id is not None
        ]
        wanted = [
            *(indirect if ProbeKind.INDIRECT in kinds else ()),
            *(direct if ProbeKind.DIRECT in kinds else ()),
        ]
        plan.append((configuration, list(dict.fromkeys(wanted))))
    return plan


def _kept(database: Database, design: SampleDesign, extends: str) -> dict[tuple[str, str], list[str]]:
    """The keys of the probes of the sample to be extended, by model and category, in their order."""
    if not extends:
        return {}
    store = SampleStore(database)
    base = store.get(extends)
    old = base.design
    if (old.seed, old.per_event, old.is_common) != (design.seed, design.per_event, design.is_common):
        raise InputError(
            f"“{extends}” was drawn by another rule.", f"Its seed is “{old.seed}”; take the same settings."
        )
    if design.size < old.size:
        raise InputError(f"“{extends}” has {old.size} probes of each category.", "An extension can't be smaller.")
    items = store.items(base.id)
    probes = ProbeStore(database).fetch([item.probe_id for item in items])
    kept: dict[tuple[str, str], list[str]] = defaultdict(list)
    for item in items:
        kept[item.model, item.category].append(probes[item.probe_id].key)
    return dict(kept)


def _item(model: str, place: int, probe: RetainedProbe, direct: Mapping[EventId, Probe]) -> SampleItem:
    paired = direct.get(probe.event_id)
    return SampleItem(
        model=model,
        category=probe.category,
        place=place,
        event_id=probe.event_id,
        probe_id=probe.probe_id,
        revision_id=probe.revision_id,
        text_hash=probe.text_hash,
        facts_hash=probe.facts_hash,
        direct_id=paired.id if paired else None,
        direct_revision_id=paired.revision_id if paired else None,
        direct_text_hash=paired.content.text_hash if paired else "",
    )
