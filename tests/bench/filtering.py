"""The filter at its full size: what an answer takes with the engine, and what asking for retention takes.

    python -m tests.bench.filtering [--samples 1500] [--at-once 16] [--models 8] [--events 2829]

First `--samples` no-search answers of a scripted model go through the real worker. Then a project of the paper's size
(5 probes of each event, 3 answers of each model: 339,480) is filled with answers and verdicts by the stores, in the
batches in which the filter stores them, and read the ways in which the app reads it.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.probe import ProbeId, ProbeKind, ProbeText, RevisionId
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.run import Purpose, RunRecipe
from btc_gui.domain.trajectory import Ending, Trajectory, Usage
from btc_gui.jobs.filter_probes import filter_probes
from btc_gui.jobs.sample_probes import sample_probes
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import NewProbe, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore
from tests.builders import make_facts
from tests.recordings import write_no_search, write_recordings

_BATCH = 50
_WORDS = ("panel", "keynote", "archive", "letter", "office", "region", "winter", "garden", "studio", "bridge", "river")


def text_of(random_: random.Random, key: str) -> str:
    """An answer of about 120 words, none alike."""
    return f"For {key} I would ask these. " + " ".join(random_.choice(_WORDS) for _ in range(120))


def add_probes(database: Database, events: int) -> list[tuple[ProbeId, RevisionId]]:
    """Events, five accepted indirect probes of each."""
    with database.write(durable=False) as connection:
        facts = [
            make_facts(f"Person {n}", "tenure" if n % 4 == 0 else "demise", f"2026-0{n % 5 + 2}-{n % 27 + 1:02}")
            for n in range(events)
        ]
        ids = EventStore(database).add_many(connection, facts, "bench", None)
        new = [
            NewProbe(
                f"p{event_id}-{n}",
                event_id,
                ProbeKind.INDIRECT,
                n,
                ProbeText(f"Who suits occasion {event_id}-{n}?"),
                each.facts_hash,
                "loaded",
                "bench",
            )
            for event_id, each in zip(ids, facts, strict=True)
            for n in range(1, 6)
        ]
        ProbeStore(database).add_many(connection, new, None)
        connection.execute(
            "UPDATE probe SET status = 'accepted', decided_facts_hash = (SELECT facts_hash FROM event_revision "
            "JOIN event ON event.revision_id = event_revision.id WHERE event.id = probe.event_id)"
        )
        rows = connection.execute("SELECT id, revision_id FROM probe ORDER BY id").fetchall()
    return [(ProbeId(row["id"]), RevisionId(row["revision_id"])) for row in rows]


@contextmanager
def timed(what: str) -> Iterator[Callable[[int], None]]:
    """Print how long a block took, and its rate when it says how many."""
    counted: list[int] = []
    began = time.perf_counter()
    yield counted.append
    seconds = time.perf_counter() - began
    rate = f", {counted[0] / seconds:,.0f}/s" if counted else ""
    print(f"  {what}: {seconds:.2f} s{rate}", flush=True)


def through_the_engine(folder: Path, samples: int, at_once: int) -> None:
    """Answers of a scripted model through the worker, and what they take in the file."""
    random_ = random.Random(1)
    with Database.create(folder / "engine.btc", "Bench") as database:
        items = add_probes(database, -(-samples // 15))[: samples // 3]
        keys = [probe.key for probe in ProbeStore(database).fetch([i for i, _ in items]).values()]
        replay = write_no_search(
            write_recordings(folder / "replay", []), {key: [text_of(random_, key) for _ in range(3)] for key in keys}
        )
        before = database_bytes(database)
        with timed(f"{3 * len(items):,} answers through the worker (its start included)") as count:
            outcome = filter_probes(
                database,
                [EvaluatedModel("Larkspur-2", SCRIPTED, "Larkspur-2")],
                items,
                replay,
                Progress(),
                author="bench",
                recipe=RunRecipe("2026-07-15", at_once=at_once, latency=0.0),
            )
            count(outcome.stored)
        assert outcome.by_ending == {Ending.ANSWERED: 3 * len(items)}, outcome
        grown = database_bytes(database) - before
        print(f"  {grown / outcome.stored:,.0f} bytes a sample in the file")
    worker = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"  worker: {worker.ru_utime / outcome.stored * 1e3:.0f} ms CPU a sample, {worker.ru_maxrss / 1e3:.0f} MB")


def database_bytes(database: Database) -> int:
    """The size of the file with all that is written."""
    database.read().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.path.stat().st_size


def at_full_size(folder: Path, events: int, models: int) -> None:
    """Fill a project by the stores and ask it what the app asks."""
    random_ = random.Random(2)
    with Database.create(folder / "full.btc", "Bench") as database:
        items = add_probes(database, events)
        recipe = RunRecipe("2026-07-15", purpose=Purpose.FILTER)
        configurations = [Configuration(f"Model {n}", Harness.NONE, Effort.LOW) for n in range(models)]
        before = database_bytes(database)
        with timed("planning"):
            run_id = RunStore(database).create("Filter", recipe, configurations, items, 3, "bench")
        planned = database_bytes(database)
        pending = RunStore(database).pending(run_id)
        print(f"  {len(pending):,} items, {(planned - before) / len(pending):,.0f} bytes each")
        store = AnswerStore(database)
        with timed("storing, a durable transaction for each 50") as count:
            for start in range(0, len(pending), _BATCH):
                part = pending[start : start + _BATCH]
                store.add_texts([(item.id, answer(text_of(random_, item.probe_key))) for item in part])
            count(len(pending))
        stored = database_bytes(database)
        print(f"  {(stored - planned) / len(pending):,.0f} bytes an answer")
        add_verdicts(database, random_)
        read_it(database)


def answer(text: str) -> Trajectory:
    """A no-search answer as the worker reports it."""
    return Trajectory(
        uuid=uuid.uuid4().hex[:22],
        ending=Ending.ANSWERED,
        answer=text,
        steps=(),
        usage=Usage(60, 150),
        seconds=0.1,
        started_at="2026-07-15T10:00:00.000+00:00",
        finished_at="2026-07-15T10:00:01.000+00:00",
    )


def add_verdicts(database: Database, random_: random.Random) -> None:
    """A verdict on every answer; about half of the probes come out as retained."""
    with database.write(durable=False) as connection:
        rows = connection.execute(
            "SELECT answer.id, run_item.probe_id FROM answer JOIN run_item ON run_item.id = answer.run_item_id"
        ).fetchall()
        kept = {row["probe_id"] for row in rows if random.Random(row["probe_id"]).random() < 0.5}
        connection.executemany(
            "INSERT INTO verdict (answer_id, judge, label, names_entity, rationale, at) VALUES (?, 'j', ?, ?, ?, '')",
            [
                (row["id"], "incorrect", 1, "Recommends him.")
                if row["probe_id"] in kept or random_.random() < 0.5
                else (row["id"], "correct", 0, "Not mentioned.")
                for row in rows
            ],
        )


def read_it(database: Database) -> None:
    """The ways in which the app asks for retention."""
    store = RetentionStore(database)
    page = ProbeStore(database).ids()[5_000:5_200]
    with timed("a page of 200 probes: who retains them"):
        store.retained_by(page)
    with timed("one model: all its probes"):
        found = store.of_model("Model 1")
    with timed("the table of retention"):
        counts = store.counts()
    with timed("the set common to all models"):
        common = store.retained(store.models())
    with timed("drawing 200 of each category for every model"):
        sample = sample_probes(database, "main", store.models(), SampleDesign("1"), "bench")
    with timed("what has come between a sample and the project"):
        SampleStore(database).faults(sample.id)
    with timed("what is pending of the filter"):
        RunStore(database).pending(store.runs()[0])
    shown = {
        "probes": len(found),
        "rows": len(counts),
        "common": len(common),
        "drawn": sum(c.drawn for c in sample.cells),
    }
    print(f"  {json.dumps(shown)}; whole file {database_bytes(database) / 1e6:,.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=1_500)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--models", type=int, default=8)
    parser.add_argument("--events", type=int, default=2_829)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        print("Through the engine")
        through_the_engine(Path(folder), wanted.samples, wanted.at_once)
        print("At full size")
        at_full_size(Path(folder), wanted.events, wanted.models)


if __name__ == "__main__":
    main()
