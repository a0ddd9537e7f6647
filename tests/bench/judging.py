"""What a verdict costs beyond a bare durable commit, with a scripted judge: judging 2,000 answers.

    python -m tests.bench.judging [--answers 2000] [--at-once 8]

Each reply is stored with its verdict in one durable transaction, so a durable commit of one small row in the same
file is the floor. Both are measured in turns in the same run, because disks differ and change their minds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.category import load_categories
from btc_gui.domain.run import RunId
from btc_gui.jobs.judge import forecast_judging, judge
from btc_gui.jobs.stale_replies import stale_verdicts
from btc_gui.progress import Progress
from btc_gui.remote.language_model import ModelReply, ModelRequest, Wait
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.results import ResultStore
from btc_gui.store.verdicts import VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, make_trajectory

_PROBES = 20


class _Judge:
    """Answers at once, always the same."""

    name = "scripted"

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        return ModelReply(json.dumps({"rationale": "He is named.", "names_entity": True, "label": "incorrect"}))


def fill(database: Database, answers: int) -> list[RunId]:
    """A project with so many answers of about 300 words, none alike; a run for each probe."""
    runs = []
    with database.write(durable=False):
        for number in range(_PROBES):
            probe = add_probe(database, add_event(database, entity=f"Person {number}"), key=f"p{number}")
            texts = [f"Answer {number}-{each}. " + "Some words about it. " * 75 for each in range(answers // _PROBES)]
            runs.append(add_answers(database, probe, [make_trajectory(text) for text in texts])[0])
    return runs


def bare_commits(database: Database, count: int) -> float:
    """Seconds for one durable commit of one small row, on average of `count`."""
    began = time.perf_counter()
    for number in range(count):
        with database.write() as connection:
            connection.execute(
                "INSERT INTO draft (place, content, at) VALUES (?, ?, '')",
                (f"bench-{began}-{number}", "x" * 200),
            )
    return (time.perf_counter() - began) / count


def measure(answers: int, at_once: int) -> None:
    """Print the figures."""
    categories = load_categories(paths.resources() / "categories")
    with tempfile.TemporaryDirectory() as folder, Database.create(Path(folder) / "bench.btc", "Bench") as database:
        runs = fill(database, answers)
        began = time.perf_counter()
        told = forecast_judging(database, "scripted", categories)
        print(f"forecast of {told.answers:,} answers: {time.perf_counter() - began:.2f} s")
        verdicts, commits = [], []
        for run_id in runs:
            commits.append(bare_commits(database, 100))
            began = time.perf_counter()
            outcome = judge(database, _Judge(), categories, Progress(), run_id=run_id, at_once=at_once)
            verdicts.append((time.perf_counter() - began) / outcome.judged)
        each, floor = statistics.median(verdicts), statistics.median(commits)
        print(
            f"a verdict: {each * 1000:.2f} ms; a bare durable commit: {floor * 1000:.2f} ms; ratio {each / floor:.2f}"
        )
        began = time.perf_counter()
        skipped = judge(database, _Judge(), categories, Progress()).skipped
        print(f"judging again, {skipped:,} skipped: {time.perf_counter() - began:.2f} s")
        began = time.perf_counter()
        stale_verdicts(database, "scripted", categories)
        print(f"looking for stale verdicts: {time.perf_counter() - began:.2f} s")
        for primary in ("", "scripted"):
            JudgeStore(database).set_primary(primary)
            began = time.perf_counter()
            CaseStore(database).facets(CaseQuery())
            ResultStore(database).answers()
            VerdictStore(database).counting(CaseStore(database).ids(CaseQuery()))
            print(f"facets, results, verdicts (primary: {primary or 'none'}): {time.perf_counter() - began:.3f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=2_000)
    parser.add_argument("--at-once", type=int, default=8)
    options = parser.parse_args()
    measure(options.answers, options.at_once)
