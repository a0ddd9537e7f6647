"""Loading logs beside Inspect's own `read_eval_log` on the same files, in one run.

    python -m tests.bench.logs [FILE|FOLDER …] [--samples 200] [--rounds 3] [--json FILE]

Without files a log is made: samples with 16 queries of 5 results each. Both readers are warm when the clock starts
(engine imported, one small log read). Memory is the peak of each process (VmHWM). On a machine that others use too, the
processor's time (of worker and app together) says more than the clock's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory, Usage
from btc_gui.evals.log_messages import LogToWrite, SampleToWrite
from btc_gui.evals.messages import Ready
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.load_logs import load_logs
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from tests.bench.measure import Measure, save
from tests.bench.processes import cpu_seconds

QUERIES, RESULTS = 16, 5
AT = "2026-05-01T10:00:00.000+00:00"
WORDS = (
    "the", "garden", "speaks", "of", "seven", "chairs", "who", "left", "in", "spring", "and", "came", "back", "with",
    "other", "names", "before", "vote",
)  # fmt: skip


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured, one after the other")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--inspect", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.make:
        make_log(chosen.make, chosen.samples)
        return
    if chosen.inspect:
        print(json.dumps(_read_with_inspect(chosen.files)))
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        small = folder / "small.eval"
        _child("--make", str(small), "--samples", "1")
        files = [each for place in chosen.files for each in _logs(place)]
        if not files:
            files = [folder / "made.eval"]
            _child("--make", str(files[0]), "--samples", str(chosen.samples))
        size = sum(each.stat().st_size for each in files)
        rows: list[tuple[float, ...]] = []
        for number in range(chosen.rounds):
            inspect = json.loads(_child("--inspect", str(small), *map(str, files)))
            (own := folder / str(number)).mkdir()
            ours = _load_with_us(own, small, files)
            if not rows:
                print(
                    f"{len(files)} logs, {size / 1e6:.1f} MB, {ours['samples']:.0f} samples; s of clock and processor"
                )
                print(f"{'':<10}{'Inspect':>9}{'':>9}{'load':>9}{'':>9}{'again':>9}{'ratio':>9}{'':>9}")
            rows.append(
                (
                    *(inspect["seconds"], inspect["cpu"], ours["seconds"], ours["cpu"], ours["again"]),
                    *(ours["seconds"] / inspect["seconds"], ours["cpu"] / inspect["cpu"]),
                )
            )
            _print_row(f"round {number + 1}", rows[-1])
        _print_row("median", [statistics.median(column) for column in zip(*rows, strict=True)])
    print(f"peaks: Inspect {inspect['peak']:.0f} MB, our worker {ours['worker']:.0f} MB, the app {ours['app']:.0f} MB")
    theirs, mine = statistics.median(row[0] for row in rows), statistics.median(row[2] for row in rows)
    worked = statistics.median(row[3] for row in rows)
    reading = f"read_eval_log of the same {size / 1e6:.0f} MB"
    save(
        [
            Measure("load Inspect logs", mine, "s", theirs, reading, most_ratio=1.5, work=worked),
            Measure("  the worker's memory at most", ours["worker"], "MB", inspect["peak"], reading),
            Measure("  the app's memory at most", ours["app"], "MB"),
        ],
        chosen.json,
    )


def _print_row(name: str, row: Sequence[float]) -> None:
    print(f"{name:<10}" + "".join(f"{each:>9.2f}" for each in row), flush=True)


def _logs(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    return [each for each in sorted(place.iterdir()) if each.suffix in (".eval", ".json")]


def _child(*arguments: str) -> str:
    command = [sys.executable, "-m", "tests.bench.logs", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _read_with_inspect(files: list[Path]) -> dict[str, float]:
    from inspect_ai.log import read_eval_log

    small, *rest = files
    read_eval_log(str(small), resolve_attachments=True)
    began, worked = time.perf_counter(), time.process_time()
    for each in rest:
        try:
            read_eval_log(str(each), resolve_attachments=True)
        except ValueError:
            continue
    seconds, cpu = time.perf_counter() - began, time.process_time() - worked
    return {"seconds": seconds, "cpu": cpu, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000}


def _load_with_us(folder: Path, small: Path, files: list[Path]) -> dict[str, float]:
    worker = _KeptWorker(folder / "state")
    with Database.create(folder / "project.btc") as database:
        while not isinstance(worker.next_event(1), Ready):
            pass
        _load(database, worker, [small])
        before = cpu_seconds(worker.pid) + cpu_seconds(os.getpid())
        seconds, samples = _load(database, worker, files)
        cpu = cpu_seconds(worker.pid) + cpu_seconds(os.getpid()) - before
        again, _ = _load(database, worker, files)
        peak = _peak(worker.pid)
        worker.end()
    app = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    return {"seconds": seconds, "cpu": cpu, "again": again, "samples": samples, "worker": peak, "app": app}


def _load(database: Database, worker: _KeptWorker, files: list[Path]) -> tuple[float, int]:
    began = time.perf_counter()
    outcomes = load_logs(database, files, Progress(), author="bench", start_worker=lambda _: worker)
    return time.perf_counter() - began, sum(each.report.new for each in outcomes)


class _KeptWorker(Worker):
    """A worker that outlives a load."""

    def close(self) -> None:
        """Nothing: `end` does it."""

    def end(self) -> None:
        """End the process."""
        super().close()


def _peak(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1_000
    return 0.0


def make_log(path: Path, samples: int) -> None:
    """Write a log with that many samples of distinct prose, 16 queries and 5 results each."""
    from btc_gui.evals.log_writer import LogWriter

    chance = random.Random(7)
    writer = LogWriter(
        LogToWrite(str(path), f"bench{samples}", "bench", "bench", "m", "low", "2026-05-01T10:00:00+00:00")
    )
    for number in range(samples):
        steps = [_query(chance, number * 100 + place) for place in range(QUERIES)]
        steps.append(Step(QUERIES + 1, StepKind.ANSWER, _prose(chance, 150), at=AT))
        found = Trajectory(f"{samples}-{number}", Ending.ANSWERED, steps[-1].text, tuple(steps), usage=Usage(900, 100))
        writer.add(SampleToWrite(str(number), 1, "Who?", "Today is a day.", {}, found))
    writer.finish()


def _query(chance: random.Random, number: int) -> Step:
    results = tuple(
        SearchResult(_prose(chance, 6), f"https://example.org/{number}/{n}", "2026-03-01", (_prose(chance, 200),))
        for n in range(RESULTS)
    )
    text = "\n\n".join(f"{each.title}\n{each.url}\n{each.excerpts[0]}" for each in results)
    return Step(number, StepKind.QUERY, _prose(chance, 5), results, text, tool="web_search", at=AT)


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))


if __name__ == "__main__":
    main()
