"""A synthetic project of the paper's size, made with a seed: invented words, real shapes.

    python -m tests.bench.synthetic /tmp/full.btc [--scale 1.0]

At scale 1: 2,829 events, 14,145 indirect probes and their direct ones, 27 configurations × 800 answers with
trajectories of 0 to 12 queries × 5 results, judged and classified. Its texts are words drawn at random, so sizes are
real and sentences are not.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.domain.run import RunRecipe
from btc_gui.domain.trajectory import AnswerId, Ending, SearchResult, Step, StepKind, Trajectory, Usage
from btc_gui.domain.verdict import Label
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import NewProbe, ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore

EVENTS, PROBES_EACH, ANSWERS_EACH = 2_829, 5, 800
_SYLLABLES = ("ka", "lo", "mi", "ren", "tas", "vor", "el", "qui", "san", "dur", "pe", "nal", "ost", "bri", "fen", "gul")


class Words:
    """Random words and sentences from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._vocabulary = ["".join(self.random.choices(_SYLLABLES, k=self.random.randint(1, 4))) for _ in range(6_000)]

    def sentence(self, words: int) -> str:
        """So many words and a full stop."""
        return " ".join(self.random.choices(self._vocabulary, k=words)).capitalize() + "."

    def name(self) -> str:
        """A given name and a surname."""
        return " ".join(word.capitalize() for word in self.random.choices(self._vocabulary, k=2))


def build(path: Path, scale: float = 1.0, seed: int = 7) -> Database:
    """Make the project at `path` and leave it open. Takes a few minutes at scale 1."""
    words = Words(seed)
    database = Database.create(path, "Synthetic")
    ProjectStore(database).set_value("illustrative", "yes")
    events = _add_events(database, words, max(4, int(EVENTS * scale)))
    probes = _add_probes(database, words, events)
    _add_answers(database, words, probes, max(8, int(ANSWERS_EACH * scale)))
    return database


def _add_events(database: Database, words: Words, count: int) -> list[tuple[EventId, EventFacts]]:
    facts = []
    for number in range(count):
        is_demise = number % 4 != 0
        facts.append(
            EventFacts(
                category="demise" if is_demise else "tenure",
                entity=words.name(),
                date=EventDate(2026, words.random.randint(2, 6), words.random.randint(1, 28)),
                qid=f"Q{10_000_000 + number}",
                description=words.sentence(5),
                position="" if is_demise else words.sentence(3),
                source="https://example.org/synthetic",
            )
        )
    with database.write(durable=False) as connection:
        ids = EventStore(database).add_many(connection, facts, "synthetic", None)
    return list(zip(ids, facts, strict=True))


def _add_probes(
    database: Database, words: Words, events: list[tuple[EventId, EventFacts]]
) -> list[tuple[int, int, ProbeKind]]:
    new = []
    for event_id, facts in events:
        for ordinal in range(1, PROBES_EACH + 2):
            kind = ProbeKind.DIRECT if ordinal > PROBES_EACH else ProbeKind.INDIRECT
            content = ProbeText(words.sentence(25), words.sentence(2), words.sentence(3), words.sentence(3))
            number = 1 if kind is ProbeKind.DIRECT else ordinal
            key = f"s{event_id}-{kind}-{number}"
            new.append(NewProbe(key, event_id, kind, number, content, facts.facts_hash, "synthetic", "synthetic"))
    with database.write(durable=False) as connection:
        ids = ProbeStore(database).add_many(connection, new, None)
        connection.execute(
            "UPDATE probe SET status = 'accepted', decided_facts_hash = "
            "(SELECT facts_hash FROM probe_revision WHERE probe_revision.id = probe.revision_id) WHERE id % 3 <> 0"
        )
    found = ProbeStore(database).fetch(ids)
    return [(found[i].id, found[i].revision_id, found[i].kind) for i in ids]


def _trajectory(words: Words, number: int) -> Trajectory:
    steps = [Step(1, StepKind.REASONING, words.sentence(40))]
    for _ in range(min(12, int(words.random.expovariate(0.3)))):
        results = tuple(
            SearchResult(
                words.sentence(7),
                f"https://example.org/{words.random.randint(1, 10**9)}",
                f"202{words.random.randint(3, 6)}-0{words.random.randint(1, 9)}-11" if rank else "",
                (words.sentence(60),),
            )
            for rank in range(5)
        )
        steps.append(Step(len(steps) + 1, StepKind.QUERY, words.sentence(6), results, tool="web_search"))
        steps.append(Step(len(steps) + 1, StepKind.REASONING, words.sentence(25)))
    answer = words.sentence(120)
    steps.append(Step(len(steps) + 1, StepKind.ANSWER, answer))
    ending = Ending.ANSWERED if number % 50 else Ending.NO_ANSWER
    usage = Usage(input=4_000, output=700, reasoning=300)
    return Trajectory(f"synthetic-{number}", ending, answer, tuple(steps), usage=usage, seconds=4.0)


def _add_answers(database: Database, words: Words, probes: list[tuple[int, int, ProbeKind]], each: int) -> None:
    configurations = [
        Configuration(f"Synthetic-{number // 2}", Harness.SHARED, Effort.LOW if number % 2 else Effort.HIGH, "replay")
        for number in range(27)
    ]
    items = [(probe, revision) for probe, revision, _ in probes][:each]
    recipe = RunRecipe(current_date="2026-07-15")
    run_id = RunStore(database).create("Synthetic run", recipe, configurations, items, 1, "synthetic")  # type: ignore[arg-type]
    answers, verdicts = AnswerStore(database), VerdictStore(database)
    pending = RunStore(database).pending(run_id)
    kinds = {probe: kind for probe, _, kind in probes}
    for start in range(0, len(pending), 200):
        with database.write(durable=False):
            for number, item in enumerate(pending[start : start + 200], start):
                trajectory = _trajectory(words, number)
                answer_id = answers.add(item.id, trajectory)
                if answer_id is None or trajectory.ending is not Ending.ANSWERED:
                    continue
                is_direct = kinds[item.probe_id] is ProbeKind.DIRECT
                is_correct = words.random.random() < (0.9 if is_direct else 0.4)
                label = Label.CORRECT if is_correct else Label.INCORRECT
                verdicts.add(NewVerdict(answer_id, "synthetic-judge", None, label, True, words.sentence(12)))
                if not is_correct and not is_direct:
                    _classify(database, words, answer_id)


def _classify(database: Database, words: Words, answer_id: AnswerId) -> None:
    queries = AnswerStore(database).trajectory(answer_id).queries
    mode = words.random.choice(list(FailureMode)) if queries else FailureMode.NONE
    labels = {step.id: words.random.choice(list(QueryClass)) for step in queries if step.id is not None}
    ClassificationStore(database).add(
        NewClassification(answer_id, "synthetic", None, mode, "synthetic", by_construction=not queries, queries=labels)
    )


def main() -> None:
    """Build and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    began = time.perf_counter()
    with build(options.path, options.scale) as database:
        counts = ProjectStore(database).counts()
    size = options.path.stat().st_size / 1e6
    print(f"{counts}\n{size:,.0f} MB in {time.perf_counter() - began:,.0f} s")


if __name__ == "__main__":
    main()
