"""A packet of long trajectories: to write, to open, to leaf through and to take back, with the memory of each.

    python -m tests.bench.packets [--items 1000] [--megabytes 1.0] [--folder DIR]

A project is made with failed answers whose trajectories hold so many megabytes each (ten queries with ten results);
a study of failure modes draws them all. Each part then runs in a process of its own, so that its memory is its own:
the highest that it reached, beside what such a process needs with nothing done. Before the parts stands a plain
copy of as many bytes with fsync, which is what no packet can be written faster than.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.packet import Mode
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.trajectory import AnswerId, SearchResult, StepKind, Trajectory
from btc_gui.domain.verdict import Label
from btc_gui.jobs.return_packet import return_packet
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, add_verdict, make_configuration, make_query, make_trajectory
from tests.study_builders import add_locked_study, issue, make_design

_QUERIES = 10
_RESULTS = 10
_WORDS = ["".join(random.Random(f"word {n}").choices("abcdefghijklmnopqrstuvwxyz", k=3 + n % 9)) for n in range(5_000)]


def long_trajectory(number: int, megabytes: float) -> Trajectory:
    """Queries and results of made-up words; most bytes are the text that the model received."""
    hand = random.Random(number)
    # What was received stands twice: as results, and as the text that went to the model.
    length = int(megabytes * 1e6 / 2 / _QUERIES / _RESULTS / 7)

    def result(place: int) -> SearchResult:
        text = " ".join(hand.choices(_WORDS, k=length))
        return SearchResult(f"Report {place}", f"https://example.org/{number}/{place}", "2026-04-01", (text,))

    queries = [
        make_query(f"query {place} of answer {number}", *(result(n) for n in range(_RESULTS)))
        for place in range(_QUERIES)
    ]
    return make_trajectory(f"I suggest Person {number}.", queries)


def add_failure(database: Database, number: int, megabytes: float) -> AnswerId:
    """One failed answer with its classification."""
    probe = add_probe(database, add_event(database, entity=f"Person {number}"), f"Whom to invite, number {number}?")
    model = make_configuration(f"Model {number % 9}")
    (answer_id,) = add_answers(database, probe, [long_trajectory(number, megabytes)], model)[1]
    add_verdict(database, answer_id, Label.INCORRECT)
    steps = AnswerStore(database).trajectory(answer_id).steps
    ids = [step.id for step in steps if step.kind is StepKind.QUERY and step.id is not None]
    ClassificationStore(database).add(
        NewClassification(
            answer_id, "Sorter", None, FailureMode.INDIRECT, queries=dict.fromkeys(ids, QueryClass.INDIRECT)
        )
    )
    return answer_id


def build(project: Path, items: int, megabytes: float) -> None:
    """The project, with its study locked."""
    with Database.create(project) as database:
        for number in range(items):
            with database.write(durable=False):
                add_failure(database, number, megabytes)
        strata = (Stratum("all", items, {"category": "demise"}),)
        began = time.perf_counter()
        add_locked_study(database, make_design(kind="failure_mode", mode=Mode.BLIND, strata=strata))
        print(f"locked in {time.perf_counter() - began:.1f} s")


# -- the parts, each in a process of its own -----------------------------------------------------------------

Result = dict[str, float | str]


def nothing(project: Path, packet: Path) -> Result:
    """Only what is imported."""
    return {}


def write(project: Path, packet: Path) -> Result:
    """`issue_packet`."""
    with Database.open(project) as database:
        (study,) = StudyStore(database).all()
        return {"path": str(issue(database, study.id, packet))}


def open_first(project: Path, packet: Path) -> Result:
    """Until the first item could be shown."""
    with LabellingSession(packet) as session:
        assert session.current is not None
        return {"characters": float(sum(map(len, session.current.values.values())))}


def leaf_through(project: Path, packet: Path) -> Result:
    """Label everything; tells the middle and the worst time from a label to the next item's texts."""
    times = []
    with LabellingSession(packet) as session:
        while session.current is not None:
            began = time.perf_counter()
            # Before any other label: unsure may come with an unfinished form.
            session.label(session.current.item, "unsure", reason="a bench")
            times.append(time.perf_counter() - began)
    times.sort()
    return {"ms p50": times[len(times) // 2] * 1000, "ms worst": times[-1] * 1000}


def take_back(project: Path, packet: Path) -> Result:
    """`return_packet`, which compares every text with its seal."""
    with Database.open(project) as database:
        report = return_packet(database, packet, "bench", Progress())
        return {"rows": float(report.new_rows)}


def _measured(part: Callable[[Path, Path], Result], project: Path, packet: Path, into: Path) -> None:
    began, work = time.perf_counter(), time.process_time()
    found = part(project, packet)
    found["seconds"], found["work"] = time.perf_counter() - began, time.process_time() - work
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    found["peak MB"] = int(status["VmHWM"].split()[0]) / 1024
    into.write_text(json.dumps(found))


def measure(name: str, part: Callable[[Path, Path], Result], project: Path, packet: Path) -> Result:
    """Run a part and print what it took."""
    into = project.with_name("found.json")
    child = multiprocessing.get_context("spawn").Process(target=_measured, args=(part, project, packet, into))
    child.start()
    child.join()
    if child.exitcode:
        raise SystemExit(f"{name} failed")
    found: Result = json.loads(into.read_text())
    more = ", ".join(
        f"{key} {value:,.1f}"
        for key, value in found.items()
        if isinstance(value, float) and key not in ("seconds", "work", "peak MB")
    )
    print(f"{name:<28} {found['seconds']:>8.2f} {found['work']:>8.2f} {found['peak MB']:>9.0f}   {more}", flush=True)
    return found


def bare_copy(source: Path) -> float:
    """Seconds to copy a file to the disk."""
    copy = source.with_name("copy")
    began = time.perf_counter()
    with source.open("rb") as old, copy.open("wb") as new:
        shutil.copyfileobj(old, new, 1 << 20)
        new.flush()
        os.fsync(new.fileno())
    took = time.perf_counter() - began
    copy.unlink()
    return took


def main() -> None:
    """Build, measure, and throw away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000)
    parser.add_argument("--megabytes", type=float, default=1.0, help="of each trajectory")
    parser.add_argument("--folder", type=Path, help="where to work (default: the temporary folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        project = folder / "packets.btc"
        began = time.perf_counter()
        build(project, options.items, options.megabytes)
        size = project.stat().st_size / 1e6
        print(f"{options.items} answers, project of {size:,.0f} MB, built in {time.perf_counter() - began:.0f} s")
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        print(f"{'':<28} {'seconds':>8} {'work':>8} {'peak MB':>9}")
        measure("nothing", nothing, project, folder)
        written = measure("write the packet", write, project, folder / "out")
        packet = Path(str(written["path"]))
        print(f"packet of {packet.stat().st_size / 1e6:,.0f} MB; a copy of it takes {bare_copy(packet):.2f} s")
        measure("open, first item", open_first, project, packet)
        measure("label all, one by one", leaf_through, project, packet)
        measure("take it back", take_back, project, packet)
        measure("take it back again", take_back, project, packet)


if __name__ == "__main__":
    main()
