"""Loading probes from JSONL beside `json.loads` and `executemany` of the same lines.

    python -m tests.bench.loads [--probes 14145] [--rounds 3] [--json FILE]

The probes are of 2,829 events that the project has. There are two floors, each one transaction that waits for the disk:
the parsed fields into one bare table, and into the project's own tables with their indices, hashes and trigrams. The
rows count once they are loaded; the linter checks them after that, in the same job, which is told apart. All begin with
an empty file each time.
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
from btc_gui.domain.hashing import sha256
from btc_gui.jobs.load_probes import load_probes
from btc_gui.progress import Progress, Report
from btc_gui.store import probe_text
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


def load_own_tables(source: Path, database: Database) -> float:
    """Seconds for parsing each line and inserting it into the project's own tables, events looked up by their id."""
    began = time.perf_counter()
    with database.write() as connection:
        events = dict(
            connection.execute("SELECT json_extract(facts, '$.qid'), event_id FROM event_revision").fetchall()
        )
        with source.open(encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        probes = [(n, r["id"], events[r["qid"]], r["kind"], r["ordinal"], n) for n, r in enumerate(rows, 1)]
        connection.executemany(
            "INSERT INTO probe (id, key, event_id, kind, ordinal, revision_id, added_at) VALUES (?, ?, ?, ?, ?, ?, '')",
            probes,
        )
        texts = [tuple(row[field] for field in _FIELDS[4:]) for row in rows]
        connection.executemany(
            "INSERT INTO probe_revision (id, probe_id, number, text, requester, situation, consequence, text_hash, "
            "facts_hash, origin, author, at) VALUES (?, ?, 1, ?, ?, ?, ?, ?, '', 'loaded', 'bench', '')",
            [(n, n, *text, sha256(text[0])) for n, text in enumerate(texts, 1)],
        )
        probe_text.index(connection, ((n, *text) for n, text in enumerate(texts, 1)))
    return time.perf_counter() - began


class _Stages(Progress):
    """Hears when the rows count: with the last report before the linter's first, which comes once it has begun."""

    def __init__(self) -> None:
        super().__init__(self._hear)
        self.loaded: tuple[float, float] | None = None
        self._is_checking = False

    def _hear(self, report: Report) -> None:
        self._is_checking = self._is_checking or report.text.startswith("Check")
        if not self._is_checking:
            self.loaded = time.perf_counter(), time.process_time()


def measure(count: int, rounds: int) -> list[Measure]:
    """All in turns."""
    bare, own, ours, work, checking, checking_work = [], [], [], [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "probes.jsonl"
        facts = write_probes(source, count)
        for number in range(rounds):
            bare.append(bare_load(source, folder / f"bare{number}.sqlite"))
            with _with_events(folder / f"own{number}.btc", facts) as database:
                own.append(load_own_tables(source, database))
            with _with_events(folder / f"{number}.btc", facts) as database:
                stages = _Stages()
                began, worked = time.perf_counter(), time.process_time()
                report = load_probes(database, source, stages, author="bench")
                assert stages.loaded is not None
                ours.append(stages.loaded[0] - began)
                work.append(stages.loaded[1] - worked)
                checking.append(time.perf_counter() - stages.loaded[0])
                checking_work.append(time.process_time() - stages.loaded[1])
            assert report.new == count, report.as_json()
    best, quickest = ours.index(min(ours)), checking.index(min(checking))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    rate = count / ours[best]
    return [
        Measure(
            f"load {count:,} probes (JSONL)", rate, "a second", count / min(own),
            "json.loads and executemany into the project's own tables", least_ratio=0.5, work=work[best],
        ),
        Measure("  beside a bare table", rate, "a second", count / min(bare), "json.loads and executemany, one table"),
        Measure("  checked by the linter after that", checking[quickest], "s", work=checking_work[quickest]),
        Measure("  memory at most", peak, "MB"),
    ]  # fmt: skip


def _with_events(path: Path, facts: list[EventFacts]) -> Database:
    database = Database.create(path)
    with database.write() as connection:
        EventStore(database).add_many(connection, facts, "bench", None)
    return database


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
