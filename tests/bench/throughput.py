"""Samples a second through the app beside bare Inspect AI: the same samples, the same model, the same run of this file.

    python -m tests.bench.throughput [--scale 0.1] [--latency 0.0] [--configurations 4] [--queries 16] [--rounds 3]
        [--json FILE]

At scale 1: 800 samples a configuration × 16 queries × 5 results. Bare Inspect is the same tasks given to its
`eval_async`, with its own defaults, in a process of its own; the app is `run_evaluation`, its worker, and every
answer stored in a project. Start-up is not counted on either side: both have run a sample before the clock starts.
Memory is the resident memory of three processes: the one that stores the answers, the worker, and a window that is
open on the Runs page of the project meanwhile (`tests.bench.open_window`), the latter also before the run begins. On a
machine that others use too, the processor's time for a sample says more than the clock's.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from btc_gui.domain.configuration import Configuration, Effort
from btc_gui.domain.run import RunId, RunRecipe
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.messages import EvaluationRequest
from btc_gui.evals.supervisor import Worker, worker_environment
from btc_gui.jobs.run_agents import RunAgents
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from tests.bench.measure import Measure, save
from tests.bench.processes import cpu_seconds, resident
from tests.bench.words import Words
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_recordings

SAMPLES, RESULTS = 800, 5
_AT_ONCE = 16


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=0.1, help="share of 800 samples a configuration")
    parser.add_argument("--queries", type=int, default=16, help="searches in each sample")
    parser.add_argument("--latency", type=float, default=0.0, help="what the scripted model takes for a turn, seconds")
    parser.add_argument("--configurations", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured, one after the other")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--bare", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bare:
        print(*asyncio.run(_bare(options.bare)))
        return
    samples = max(2, int(SAMPLES * options.scale))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = [f"Model {number}" for number in range(1, options.configurations + 1)]
        keys = [f"p{number}" for number in range(samples)]
        replay = _write_recordings(folder / "replay", models, keys, options.queries)
        count = samples * len(models)
        print(
            f"{count:,} samples × {options.queries} queries × {RESULTS} results, {len(models)} configurations",
            flush=True,
        )
        heads = ("bare", "app", "share", "bare", "worker", "job", "share", "job", "worker", "window", "idle")
        units = ("a second", "a second", "", "CPU ms", "CPU ms", "CPU ms", "of CPU", "MB", "MB", "MB", "MB")
        for line in (heads, units):
            print(f"{'':<8}" + "".join(f"{each:>10}" for each in line), flush=True)
        rows = []
        for round_ in range(options.rounds):
            bare = _time_bare(folder / f"bare-{round_}", models, keys, replay, options.latency)
            app = _time_app(folder / f"app-{round_}", models, keys, replay, options.latency)
            each = [1_000 * seconds / count for seconds in (bare.cpu, app.worker_cpu, app.job_cpu)]
            rows.append(
                (
                    *(count / bare.seconds, count / app.seconds, bare.seconds / app.seconds),
                    *(*each, each[0] / (each[1] + each[2])),
                    *(app.job, app.worker, app.window, app.idle),
                )
            )
            _print_row(f"round {round_ + 1}", rows[-1])
        middle = tuple(statistics.median(column) for column in zip(*rows, strict=True))
        _print_row("median", middle)
        save(_measures(middle), options.json)


def _measures(row: Sequence[float]) -> list[Measure]:
    bare, app, _, bare_work, worker_work, job_work, _, job, worker, *_ = row
    own = "bare Inspect, the same samples"
    return [
        Measure("run throughput, scripted model", app, "a second", bare, own, least_ratio=0.8),
        Measure("  processor time of a sample", worker_work + job_work, "ms", bare_work, own),
        Measure("  memory of worker and job", worker + job, "MB"),
    ]


def _print_row(name: str, row: Sequence[float]) -> None:
    print(f"{name:<8}" + "".join(f"{value:>10,.{2 if value < 10 else 0}f}" for value in row), flush=True)


def _write_recordings(folder: Path, models: list[str], keys: list[str], queries: int) -> Path:
    words = Words(11)
    pool = [words.sentence(6) for _ in range(400)]
    searches = {
        query: [
            {
                "title": words.sentence(8),
                "url": f"https://example.org/{number}/{place}",
                "published": "2026-03-01",
                "excerpts": [words.sentence(90), words.sentence(90)],
            }
            for place in range(RESULTS)
        ]
        for number, query in enumerate(pool)
    }
    chance = random.Random(3)
    behaviours = [
        behaviour(key, [[query] for query in chance.sample(pool, queries)], words.sentence(60), model=model)
        for model in models
        for key in keys
    ]
    return write_recordings(folder, behaviours, searches)


def _project(folder: Path, models: list[str], keys: list[str], latency: float) -> tuple[Database, RunId]:
    folder.mkdir()
    database = Database.create(folder / "project.btc", "Bench")
    event = add_event(database)
    probes = [add_probe(database, event, text=f"Which speakers for evening {key}?", key=key) for key in keys]
    configurations: list[Configuration] = [shared_configuration(model, Effort.LOW) for model in models]
    recipe = RunRecipe(current_date="2026-07-15", latency=latency, at_once=_AT_ONCE)
    items = [(probe.id, probe.revision_id) for probe in probes]
    return database, plan_run(database, "bench", configurations, items, 1, "bench", recipe)


def _requests(database: Database, run_id: RunId, replay: Path, logs: Path) -> list[EvaluationRequest]:
    store = RunStore(database)
    run, pending = store.get(run_id), store.pending(run_id)
    agents = RunAgents.of(database, run)
    return [
        agents.request(
            run,
            each.configuration_id,
            each.configuration,
            [item for item in pending if item.configuration_id == each.configuration_id],
            logs=str(logs),
            replay_folder=replay,
        )
        for each in store.progress(run_id)
    ]


# -- bare Inspect --------------------------------------------------------------------------------------------


def _time_bare(folder: Path, models: list[str], keys: list[str], replay: Path, latency: float) -> _Bare:
    import json

    database, run_id = _project(folder, models, keys, latency)
    requests = _requests(database, run_id, replay, folder / "logs")
    database.close()
    path = folder / "requests.json"
    path.write_text(json.dumps([each.as_json() for each in requests]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.throughput", "--bare", str(path)],
        env=worker_environment(folder),
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, cpu = map(float, done.stdout.split()[-2:])
    return _Bare(seconds, cpu)


async def _bare(path: Path) -> tuple[float, float]:
    """The seconds, of the clock and the processor, that Inspect takes for the requests of a file, once it is warm."""
    import json
    from dataclasses import replace

    from inspect_ai import eval_async
    from inspect_ai.util import display_type

    from btc_gui.evals.tasks import evaluation_task

    display_type()
    requests = [EvaluationRequest.from_json(each) for each in json.loads(path.read_text(encoding="utf-8"))]
    warm = replace(requests[0], samples=requests[0].samples[:1])
    await eval_async([evaluation_task(warm)], log_dir=str(path.parent / "warm"), score=False, ctl_server=False)
    began, worked = time.perf_counter(), time.process_time()
    await eval_async(
        [evaluation_task(each) for each in requests],
        log_dir=str(path.parent / "logs"),
        max_samples=_AT_ONCE,
        max_tasks=len(requests),
        score=False,
        ctl_server=False,
    )
    return time.perf_counter() - began, time.process_time() - worked


# -- the app -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bare:
    """Seconds of the clock and of the processor."""

    seconds: float
    cpu: float


@dataclass(frozen=True, slots=True)
class _Measured:
    """Seconds for all answers but the first, of the clock and of the processor; peak memory of the three processes,
    and the window's before, in MB."""

    seconds: float
    worker_cpu: float
    job_cpu: float
    job: float
    worker: float
    window: float
    idle: float


def _time_app(folder: Path, models: list[str], keys: list[str], replay: Path, latency: float) -> _Measured:
    database, run_id = _project(folder, models, keys, latency)
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    warm_run = plan_run(
        database,
        "warm",
        [shared_configuration(models[0], Effort.LOW)],
        [(item.probe_id, item.revision_id) for item in RunStore(database).pending(run_id)[:1]],
        1,
        "bench",
        RunRecipe(current_date="2026-07-15", latency=latency),
    )
    worker = _KeptWorker(folder / "worker")
    try:
        run_evaluation(database, warm_run, replay, Progress(), start_worker=lambda _: worker)
        with _open_window(database.path) as window:
            idle = resident(window)
            watch = _Memory([os.getpid(), worker.pid, window])
            began, worked, own = time.perf_counter(), cpu_seconds(worker.pid), time.process_time()
            run_evaluation(database, run_id, replay, Progress(), start_worker=lambda _: worker)
            seconds = time.perf_counter() - began
            worker_cpu, job_cpu = cpu_seconds(worker.pid) - worked, time.process_time() - own
            job, engine, painted = watch.stop()
    finally:
        worker.end()
        database.close()
    return _Measured(seconds, worker_cpu, job_cpu, job, engine, painted, idle)


@contextmanager
def _open_window(project: Path) -> Iterator[int]:
    """The process of a window that is open on the project."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.open_window", str(project)],
        cwd=Path(__file__).resolve().parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
        yield process.pid
        process.stdin.close()


class _KeptWorker(Worker):
    """A worker that stays warm for the second run."""

    def close(self) -> None:
        """Stay."""

    def end(self) -> None:
        """End the process."""
        super().close()


class _Memory:
    """Watches the resident memory of processes."""

    def __init__(self, pids: list[int]) -> None:
        self._peaks = dict.fromkeys(pids, 0.0)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> list[float]:
        """The peaks, in MB."""
        self._over.set()
        self._thread.join()
        return list(self._peaks.values())

    def _watch(self) -> None:
        while not self._over.wait(0.25):
            for pid in self._peaks:
                self._peaks[pid] = max(self._peaks[pid], resident(pid))


if __name__ == "__main__":
    main()
