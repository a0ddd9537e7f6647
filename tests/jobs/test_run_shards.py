"""Runs beyond one process: shards give the same project as one local run, each answer once, whatever dies."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from btc_gui.domain.configuration import Effort
from btc_gui.domain.run import RunId
from btc_gui.domain.shard import Shard, shards
from btc_gui.errors import InputError, RunError
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.load_logs import load_logs
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.jobs.run_shards import run_on_cluster, run_shard
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.recordings import behaviour, write_recordings
from tests.run_builders import make_recipe


class Cluster(Protocol):
    """What these tests use of a cluster."""

    scheduler_address: str
    workers: Mapping[int, Any]


Start = Callable[[Path], Worker]
COUNT = 8


def _plan(database: Database, count: int = COUNT, **recipe: object) -> RunId:
    event = add_event(database)
    probes = [
        add_probe(database, event, text=f"Which speakers for evening {n}?", key=f"p{n}") for n in range(1, count + 1)
    ]
    configuration = shared_configuration("Larkspur-2", Effort.LOW)
    items = [(probe.id, probe.revision_id) for probe in probes]
    return plan_run(database, "Autumn", [configuration], items, 1, "tests", make_recipe(**recipe))


def _recordings(folder: Path, count: int = COUNT) -> Path:
    return write_recordings(folder, [behaviour(f"p{n}", answer=f"Answer {n}.") for n in range(1, count + 1)])


def _answers(database: Database, run_id: RunId) -> dict[str, tuple[str, int, int]]:
    """What a run has: answer, queries and results of each probe."""
    store = AnswerStore(database)
    rows = store.fetch(store.ids(run_id)).values()
    return {row.probe_key: (row.answer, row.queries, row.results) for row in rows}


def test_every_item_falls_into_one_shard_on_any_machine(database: Database) -> None:
    run_id = _plan(database, 60)
    items = RunStore(database).pending(run_id)
    held = [[item.id for item in shard.of(items)] for shard in shards(4)]
    assert sorted(number for part in held for number in part) == [item.id for item in items]
    # Hashing spreads them: none of four shards of 60 gets all or nothing.
    assert all(5 <= len(part) <= 25 for part in held)
    assert Shard.parse("2/4") == Shard(2, 4)
    for wrong in ("0/4", "5/4", "2", "a/b", ""):
        with pytest.raises(ValueError, match=r"shard|literal"):
            Shard.parse(wrong)


def test_shards_give_the_project_of_a_local_run(database: Database, tmp_path: Path, start_worker: Start) -> None:
    """One shard into the project, one into logs at an address; loading those twice changes nothing."""
    run_id, folder = _plan(database), _recordings(tmp_path / "replay")
    database.copy(tmp_path / "local.btc")
    place = f"file://{tmp_path}/shared"

    done = run_shard(database, run_id, Shard(1, 2), place, folder, Progress(), start_worker=start_worker)
    assert (done.known, done.left) == (0, 0)
    assert _answers(database, run_id) == {}
    again = run_shard(database, run_id, Shard(1, 2), place, folder, Progress(), start_worker=start_worker)
    assert (again.known, again.finished) == (done.asked, 0)
    other = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker, shard=Shard(2, 2))
    assert (other.stored, other.left) == (COUNT - done.asked, 0)
    for new in (done.asked, 0):
        outcomes = load_logs(database, [place], Progress(), author="tests", start_worker=start_worker)
        assert sum(each.report.new for each in outcomes) == new
        assert sum(each.attached for each in outcomes) == new

    assert RunStore(database).pending(run_id) == []
    assert len(RunStore(database).ids()) == 1
    with Database.open(tmp_path / "local.btc") as local:
        run_evaluation(local, run_id, folder, Progress(), start_worker=start_worker)
        assert _answers(database, run_id) == _answers(local, run_id)
    assert len(_answers(database, run_id)) == COUNT


def test_without_recordings_or_an_extra_it_is_said(
    database: Database, tmp_path: Path, start_worker: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = _plan(database, 1)
    with pytest.raises(RunError, match="replay folder"):
        run_shard(database, run_id, Shard(1, 1), str(tmp_path), None, Progress(), start_worker=start_worker)
    monkeypatch.setitem(sys.modules, "distributed", None)
    folder = _recordings(tmp_path / "replay", 1)
    with pytest.raises(InputError, match="extra “cluster”"):
        run_on_cluster(database, run_id, "tcp://127.0.0.1:1", 1, str(tmp_path), folder, Progress(), author="tests")


# -- a cluster -----------------------------------------------------------------------------------------------


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A Dask cluster of two worker processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="the extra “cluster” is not installed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=str(tmp_path / "dask"),
        host="127.0.0.1",
    ) as started:
        yield started


# What the cluster's own code warns of is its own affair.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_of_a_cluster_loses_and_doubles_nothing(
    cluster: Cluster, database: Database, tmp_path: Path, start_worker: Start
) -> None:
    """Its shard goes to another worker, which goes on where the log ends; then everything is in the project."""
    run_id, folder = _plan(database, latency=0.3, at_once=1), _recordings(tmp_path / "replay")
    place = tmp_path / "shared"
    killed: list[int] = []
    killer = threading.Thread(target=_kill_one, args=(cluster, place, killed), daemon=True)
    killer.start()
    outcome = run_on_cluster(
        database,
        run_id,
        cluster.scheduler_address,
        2,
        str(place),
        folder,
        Progress(),
        author="tests",
        start_worker=start_worker,
    )
    killer.join()
    assert len(killed) == 1
    assert outcome.left == 0
    assert sum(each.asked for each in outcome.shards.values()) == COUNT
    # How much the killed one had written by then is the machine's affair; none of it may be lost or asked twice.
    assert _answers(database, run_id) == {f"p{n}": (f"Answer {n}.", 1, 1) for n in range(1, COUNT + 1)}
    store = AnswerStore(database)
    attempts = [row for row in store.fetch(store.ids(run_id, only_final=False)).values() if row.ending != "cancelled"]
    assert Counter(row.probe_key for row in attempts) == dict.fromkeys((f"p{n}" for n in range(1, COUNT + 1)), 1)


def _kill_one(cluster: Cluster, place: Path, killed: list[int]) -> None:
    """As soon as every shard has written a sample, kill one of the cluster's workers as the system would."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        logs = list(place.rglob("*.eval"))
        if len(logs) == 2 and all(_has_samples(log) for log in logs):
            pid = cluster.workers[0].pid
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            return
        time.sleep(0.02)


def _has_samples(log: Path) -> bool:
    try:
        with zipfile.ZipFile(log) as archive:
            return any(name.startswith("samples/") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError):
        # It is being written.
        return False
