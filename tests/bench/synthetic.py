"""A synthetic project of the paper's size, made with a seed: invented words, real shapes.

    python -m tests.bench.synthetic /tmp/full.btc [--scale 1.0] [--seed 7]

At scale 1: 2,829 events; 14,145 indirect probes and a direct one of each event; a filter of 8 models with three
answers to each indirect probe (339,480), judged; a sample of 200 retained probes of each category for each model; and
27 configurations × 800 answers to it with trajectories of 0 to 40 queries × 5 results (a million results), judged and
classified, with evidence. At scale 0.1 there are a tenth of the events and of the sample. Of the answers four are of
unusual size, at any scale: two of 1 MB to the same probe, one of 2,000 steps, one of 100 MB (see `made_answers`).

What is assumed: an answer has about 120 words, a result two excerpts of 60 words; half of the results are pages that
several queries about the event find; 3 in 100 pages are in other scripts. All of it goes through the stores as the
app's own jobs do, so that the file is what the app would have made, only that a batch is one transaction that does not
wait for the disk. Answers are made in other processes (`makers`), the same ones however many these are.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from btc_gui.domain.classification import Evidence
from btc_gui.domain.configuration import EFFORTS, Configuration, Effort, Harness
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import Probe, ProbeId, ProbeKind, ProbeText
from btc_gui.domain.probe_sample import SAMPLE_SIZE, SampleDesign
from btc_gui.domain.run import PlannedItem, Purpose, RunRecipe
from btc_gui.domain.trajectory import AnswerId, ResultId, StepId
from btc_gui.jobs.sample_probes import items_of_sample, sample_probes
from btc_gui.store import bodies
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.lint import LintStore
from btc_gui.store.probes import NewProbe, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.bench.made_answers import FIRST_MEGABYTE, HUNDRED_MEGABYTES, MANY_STEPS, SECOND_MEGABYTE, Large, MadeAnswer
from tests.bench.makers import Makers, made_answers, made_texts
from tests.bench.words import Words

EVENTS, PROBES_EACH, REPETITIONS = 2_829, 5, 3
MODELS = ("Larkspur-2", "Quill-Mini", "Osprey-4.1-Pro", "Tamarind", "Basalt-V3", "Juniper-Max", "Heron", "Marram-5")
#: The models whose provider has a search of its own; and the one that never answered in one configuration.
_NATIVE, _SILENT = MODELS[:6], ("Heron", Harness.SHARED, Effort.LOW)
#: So many answers are made at a time, of a filter and with steps; and so many of the latter are one transaction, each
#: of which writes the index of words anew.
_BATCH, _LARGE_BATCH, _TOGETHER = 500, 100, 2_000
#: So many bytes of the index of words wait in memory before they are written: the usual ones, those of a long load.
_USUAL, _LONG = 1_048_576, 67_108_864
_TODAY = "2026-07-15"
Say = Callable[[str], None]


def build(path: Path, scale: float = 1.0, seed: int = 7, say: Say = lambda _: None) -> Database:
    """Make the project at `path` and leave it open. Takes some minutes at scale 1; `say` hears of each part."""
    is_small = scale <= 0.02
    draw = Words if is_small else Words.many
    with Makers(draw, seed, alone=is_small) as makers:
        words = draw(seed)
        database = Database.create(path, "Synthetic")
        ProjectStore(database).set_value("illustrative", "yes")
        _gather_words(database, _LONG)
        facts = _add_events(database, words, max(12, int(EVENTS * scale)))
        say("events")
        _add_probes(database, words, facts)
        say("probes")
        _filter(database, words, makers, facts)
        say("filter")
        _evaluate(database, words, makers, facts, max(2, int(SAMPLE_SIZE * scale)))
        _gather_words(database, _USUAL)
        say("evaluation")
    LintStore(database).refresh()
    say("lint")
    return database


def _gather_words(database: Database, size: int) -> None:
    """Write the index of words in pieces of this size: few large ones need less merging, and are the same index."""
    with database.write() as connection:
        connection.execute("INSERT INTO case_words (case_words, rank) VALUES ('hashsize', ?)", (size,))
    # More of the file stays in memory, and is written less often.
    connection.execute("PRAGMA cache_size = -200000")
    connection.execute("PRAGMA wal_autocheckpoint = 20000")
    # What refers to what is made here, and rightly.
    connection.execute("PRAGMA foreign_keys = OFF")


def configurations() -> list[Configuration]:
    """The 27 configurations: eight models in the shared harness, six in their own, two efforts, less one."""
    pairs = [(model, Harness.SHARED) for model in MODELS] + [(model, Harness.NATIVE) for model in _NATIVE]
    return [
        Configuration(model, harness, effort, "exa" if harness is Harness.SHARED else "native")
        for model, harness in pairs
        for effort in EFFORTS
        if (model, harness, effort) != _SILENT
    ]


def _add_events(database: Database, words: Words, count: int) -> dict[EventId, EventFacts]:
    facts = []
    for number in range(count):
        is_demise = number % 4 != 0
        entity = words.name()
        facts.append(
            EventFacts(
                category="demise" if is_demise else "tenure",
                entity=entity,
                date=EventDate(2026, words.random.randint(2, 6), words.random.randint(1, 28)),
                qid=f"Q{10_000_000 + number}",
                description=words.sentence(5),
                position="" if is_demise else words.sentence(3),
                aliases=(f"{entity[0]}. {entity.rpartition(' ')[2]}",),
                source="https://example.org/synthetic",
            )
        )
    with database.write(durable=False) as connection:
        ids = EventStore(database).add_many(connection, facts, "synthetic", None)
    return dict(zip(ids, facts, strict=True))


def _add_probes(database: Database, words: Words, facts: dict[EventId, EventFacts]) -> None:
    new = []
    for event_id, each in facts.items():
        for ordinal in range(1, PROBES_EACH + 2):
            kind = ProbeKind.DIRECT if ordinal > PROBES_EACH else ProbeKind.INDIRECT
            content = ProbeText(words.sentence(45), words.sentence(2), words.sentence(3), words.sentence(3))
            number = 1 if kind is ProbeKind.DIRECT else ordinal
            key = f"s{event_id}-{kind}-{number}"
            new.append(NewProbe(key, event_id, kind, number, content, each.facts_hash, "synthetic", "synthetic"))
    with database.write(durable=False) as connection:
        ProbeStore(database).add_many(connection, new, None)
        connection.execute(
            "UPDATE probe SET status = 'accepted', decided_facts_hash = "
            "(SELECT facts_hash FROM probe_revision WHERE probe_revision.id = probe.revision_id) WHERE id % 3 <> 0"
        )


def _filter(database: Database, words: Words, makers: Makers, facts: dict[EventId, EventFacts]) -> None:
    """The answers of the filter. A model retains about half of the probes; the hard ones fewer models do."""
    event_of = _events_of_probes(database)
    items = [(probe.id, probe.revision_id) for probe in _probes(database) if probe.kind is ProbeKind.INDIRECT]
    asked = [Configuration(model, Harness.NONE, Effort.LOW) for model in MODELS]
    recipe = RunRecipe(_TODAY, purpose=Purpose.FILTER)
    run_id = RunStore(database).create("Filter", recipe, asked, items, REPETITIONS, "synthetic")
    pending = RunStore(database).pending(run_id)
    easy = {probe_id: words.random.random() for probe_id, _ in items}
    retains = {
        (probe_id, number): words.random.random() < easy[probe_id]
        for probe_id, _ in items
        for number in range(len(MODELS))
    }
    models = {item.configuration_id: 0 for item in pending}
    models = {each: number for number, each in enumerate(models)}
    told = [retains[each.probe_id, models[each.configuration_id]] or words.random.random() < 0.4 for each in pending]
    asks = [
        (number, facts[event_of[item.probe_id]], names)
        for number, (item, names) in enumerate(zip(pending, told, strict=True))
    ]
    store = AnswerStore(database)
    for start, (trajectories, packed) in makers.each(made_texts, asks, _BATCH):
        part = [item.id for item in pending[start : start + _BATCH]]
        with database.write(durable=False) as connection:
            bodies.put_packed(connection, packed)
            added = store.add_texts(list(zip(part, trajectories, strict=True)))
            connection.executemany(
                "INSERT INTO verdict (answer_id, judge, label, names_entity, rationale, at) "
                "VALUES (?, 'synthetic-judge', ?, ?, ?, '2026-07-15T11:00:00.000+00:00')",
                [
                    (added[item], "incorrect" if names else "correct", int(names), "It names them." if names else "")
                    for item, names in zip(part, told[start : start + _BATCH], strict=True)
                ],
            )


def _evaluate(database: Database, words: Words, makers: Makers, facts: dict[EventId, EventFacts], size: int) -> None:
    sample = sample_probes(database, "main", MODELS, SampleDesign("1", size), "synthetic")
    recipe = RunRecipe(current_date=_TODAY, sample="main")
    plan = items_of_sample(database, sample, configurations())
    run_id = RunStore(database).create_each("Evaluation", recipe, plan, 1, "synthetic")
    pending = RunStore(database).pending(run_id)
    event_of = _events_of_probes(database)
    kinds = {probe.id: probe.kind for probe in _probes(database)}
    known = RunStore(database).configurations()
    large = _large(pending)
    asks = [
        (
            number,
            known[item.configuration_id],
            facts[event_of[item.probe_id]],
            kinds[item.probe_id],
            large.get(number),
        )
        for number, item in enumerate(pending)
    ]
    store = AnswerStore(database)
    answers = makers.each(made_answers, asks, _LARGE_BATCH)
    for _ in range(0, len(asks), _TOGETHER):
        with database.write(durable=False):
            for start, batch in islice(answers, _TOGETHER // _LARGE_BATCH):
                for item, (made, prepared) in zip(pending[start : start + _LARGE_BATCH], batch, strict=True):
                    answer_id = store.add_prepared(item.id, prepared)
                    if answer_id is not None and made.label is not None:
                        _say_of(database, words, answer_id, made)


def _large(pending: list[PlannedItem]) -> dict[int, Large]:
    """Which items get the answers of unusual size: the first three, and the first probe's of another configuration."""
    first = pending[0]
    same = next(
        number
        for number, item in enumerate(pending)
        if item.probe_id == first.probe_id and item.configuration_id != first.configuration_id
    )
    return {0: FIRST_MEGABYTE, 1: MANY_STEPS, 2: HUNDRED_MEGABYTES, same: SECOND_MEGABYTE}


def _say_of(database: Database, words: Words, answer_id: AnswerId, made: MadeAnswer) -> None:
    unscored = "" if words.random.random() > 0.002 else "The reply is not JSON."
    label = None if unscored else made.label
    names = None if unscored else made.names_entity
    rationale = "" if unscored else words.sentence(30)
    VerdictStore(database).add(
        NewVerdict(answer_id, "synthetic-judge", None, label, names, rationale, unscored=unscored)
    )
    if made.mode is None or unscored:
        return
    connection = database.read()
    steps = [
        StepId(row[0])
        for row in connection.execute(
            "SELECT id FROM step WHERE answer_id = ? AND kind = 'query' ORDER BY number", (answer_id,)
        )
    ]
    evidence = []
    if made.mode is FailureMode.REASONING and made.revealed is not None:
        told = made.revealed
        found = connection.execute(
            "SELECT search_result.id FROM search_result JOIN step ON step.id = step_id "
            "WHERE answer_id = ? AND number = ? AND rank = ?",
            (answer_id, told.step, told.rank),
        ).fetchone()
        evidence.append(Evidence(ResultId(found[0]), told.excerpt, told.start, told.start + len(told.excerpt)))
    ClassificationStore(database).add(
        NewClassification(
            answer_id,
            "synthetic-classifier",
            None,
            made.mode,
            "synthetic",
            words.sentence(25) if steps else "",
            by_construction=not steps,
            queries=dict(zip(steps, made.classes, strict=True)),
            evidence=evidence,
        )
    )


def _probes(database: Database) -> list[Probe]:
    store = ProbeStore(database)
    return list(store.fetch(store.ids()).values())


def _events_of_probes(database: Database) -> dict[ProbeId, EventId]:
    return {probe.id: probe.event_id for probe in _probes(database)}


def main() -> None:
    """Build and say how long each part took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    began = last = time.perf_counter()
    worked = time.process_time()

    def say(part: str) -> None:
        nonlocal last, worked
        now, work = time.perf_counter(), time.process_time()
        print(f"{part:<12} {now - last:7.1f} s, {work - worked:7.1f} s of the processor here", flush=True)
        last, worked = now, work

    with build(options.path, options.scale, options.seed, say) as database:
        counts = ProjectStore(database).counts()
    size = options.path.stat().st_size / 1e6
    print(f"{counts}\n{size:,.0f} MB in {time.perf_counter() - began:,.0f} s")


if __name__ == "__main__":
    main()
