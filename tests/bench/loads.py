"""Loading probes from JSONL beside `json.loads` and one `executemany` of the same lines.

    python -m tests.bench.loads [--probes 14145] [--rounds 3] [--json FILE]

The probes are of 2,829 events that the project has; the floor inserts the parsed fields into one bare table, in one
transaction that waits for the disk. Both begin with an empty file each time.
"""

from __future__ import annotations

import argparse
import json
import resource
import sqlite3
import tempfile
import time
from pathlib import Path

from btc_gui.domain.dates import EventDate
from btc_gui.domain.event import EventFacts
from btc_gui.jobs.load_probes import load_probes
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from tests.bench.measure import Measure, save, state_of_machine, table
from tests.bench.words import Words

_FIELDS = ("id", "qid", "kind", "ordinal", "text", "requester", "situation", "consequence")


def write_probes(path: Path, count: int) -> list[EventFacts]:
    """A file with so many probes, five of each event; gives the events' facts."""
    words = Words(3, 500_000)
    facts = []
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            event = number // 5
            if number % 5 == 0:
                day = EventDate(2026, words.random.randint(2, 6), words.random.randint(1, 28))
                facts.append(EventFacts("demise", words.name(), day, qid=f"Q{10_000_000 + event}"))
            row = {
                "id": f"p{number}",
                "qid": f"Q{10_000_000 + event}",
                "kind": "indirect",
                "ordinal": number % 5 + 1,
                "text": words.sentence(45),
                "requester": words.sentence(2),
                "situation": words.sentence(3),
                "consequence": words.sentence(3),
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return facts


def bare_load(source: Path, target: Path) -> float:
    """Seconds for parsing each line and inserting its fields into one table."""
    began = time.perf_counter()
    with sqlite3.connect(target) as connection:
        connection.execute(f"CREATE TABLE probe ({', '.join(_FIELDS)})")
        with source.open(encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        connection.executemany(
            f"INSERT INTO probe VALUES ({', '.join('?' * len(_FIELDS))})",
            [[row[field] for field in _FIELDS] for row in rows],
        )
    connection.close()
    return time.perf_counter() - began


def measure(count: int, rounds: int) -> list[Measure]:
    """Both in turns."""
    bare, ours, work = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "probes.jsonl"
        facts = write_probes(source, count)
        for number in range(rounds):
            bare.append(bare_load(source, folder / f"bare{number}.sqlite"))
            with Database.create(folder / f"{number}.btc") as database:
                with database.write() as connection:
                    EventStore(database).add_many(connection, facts, "bench", None)
                began, worked = time.perf_counter(), time.process_time()
                report = load_probes(database, source, Progress(), author="bench")
                ours.append(time.perf_counter() - began)
                work.append(time.process_time() - worked)
            assert report.new == count, report.as_json()
    best = ours.index(min(ours))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return [
        Measure(
            f"load {count:,} probes (JSONL)", count / ours[best], "a second", count / min(bare),
            "json.loads and executemany", least_ratio=0.5, work=work[best],
        ),
        Measure("  memory at most", peak, "MB"),
    ]  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probes", type=int, default=14_145)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(state_of_machine())
    measures = measure(options.probes, options.rounds)
    print(table(measures))
    save(measures, options.json)


if __name__ == "__main__":
    main()
