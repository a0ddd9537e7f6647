"""Write a run as Inspect logs, one a configuration, that `inspect view` opens and `load logs` reads back."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, Harness
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.origin import PROBE, REPETITION, REVISION, origin_of, run_identity
from btc_gui.domain.run import AnswerRow, Run, RunId, cutoff_day
from btc_gui.domain.trajectory import AnswerId, Trajectory
from btc_gui.errors import InputError, RunError
from btc_gui.evals.harness import system_prompt
from btc_gui.evals.log_messages import LogToWrite, LogWritten, SampleToWrite
from btc_gui.evals.messages import Done, Exited, Fatal
from btc_gui.evals.supervisor import Worker
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.half_written import half_name, sweep
from btc_gui.store.imports import Asked, ImportStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import VerdictStore

_BATCH = 20
_TICK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class ExportedLog:
    """A log that was written."""

    path: Path
    configuration: Configuration
    samples: int


def export_log(
    database: Database,
    run_id: RunId,
    path: Path,
    progress: Progress,
    *,
    start_worker: Callable[[Path], Worker] = Worker,
) -> list[ExportedLog]:
    """Write the answers of a run that count to `path`, with their steps and the judges' verdicts.

    Verdicts on answers of studies whose key is closed are left out: a log goes to anybody, and tells labels.

    A log has one configuration: those of a run with several are told apart by name (`path` with the model and
    effort before its ending). Raises `InputError` when a file is there already or there is nothing to write,
    `RunError` when the worker can't write, `Cancelled`.
    """
    # The worker that writes has a folder of its own: a relative path would mean another place there.
    path = path.resolve()
    if path.suffix != ".eval":
        path = path.with_name(path.name + ".eval")
    run = RunStore(database).get(run_id)
    store = AnswerStore(database)
    by_configuration: dict[int, list[AnswerRow]] = {}
    for row in store.fetch(store.ids(run_id)).values():
        by_configuration.setdefault(row.configuration_id, []).append(row)
    if not by_configuration:
        raise InputError(f"The run “{run.name}” has no answers to write.", "Run it first.")
    targets = _targets(path, [rows[0].configuration for rows in by_configuration.values()])
    for target in targets:
        if target.exists():
            raise InputError(f"{target} exists already.", "Choose another name.")
    sweep(path.parent)
    total, done = sum(map(len, by_configuration.values())), 0
    written = []
    with start_worker(paths.state() / "evaluation") as worker:
        desk = _Desk(worker, progress)
        for target, rows in zip(targets, by_configuration.values(), strict=True):
            unfinished = target.with_name(f"{half_name()}{uuid.uuid4().hex}.part")
            desk.ask(partial(Worker.begin_log, log=_log(run, rows[0].configuration, unfinished)))
            for batch in _batches(database, run, rows):
                desk.ask(partial(Worker.add_samples, samples=batch))
                done += len(batch)
                progress.report(done, total, rows[0].configuration.title)
            try:
                samples = desk.ask(Worker.finish_log)
                os.replace(unfinished, target)
            finally:
                unfinished.unlink(missing_ok=True)
            written.append(ExportedLog(target, rows[0].configuration, samples))
    return written


class _Desk:
    """Asks the worker to write."""

    def __init__(self, worker: Worker, progress: Progress) -> None:
        self._worker = worker
        self._progress = progress

    def ask(self, request: Callable[[Worker], None]) -> int:
        """Have one request carried out; gives how many samples a finished log holds."""
        request(self._worker)
        samples = 0
        while True:
            self._progress.check()
            event = self._worker.next_event(_TICK_SECONDS)
            if isinstance(event, LogWritten):
                samples = event.samples
            elif isinstance(event, Fatal):
                raise RunError(f"The log can't be written: {event.reason}.")
            elif isinstance(event, Exited):
                raise RunError("The worker ended while it wrote a log.", self._worker.last_words()[-300:])
            elif isinstance(event, Done):
                return samples


def _targets(path: Path, configurations: Sequence[Configuration]) -> list[Path]:
    if len(configurations) == 1:
        return [path]
    # A model may be called anything; file systems take 255 bytes, and the run's name stands before it.
    models = [re.sub(r"[^\w.-]+", "-", each.model).encode()[:60].decode(errors="ignore") for each in configurations]
    names = [f"{model}-{each.effort}-{each.harness}" for model, each in zip(models, configurations, strict=True)]
    return [
        path.with_name(f"{path.stem}-{name}{f'-{number}' if names.count(name) > 1 else ''}{path.suffix}")
        for number, name in enumerate(names, 1)
    ]


def _log(run: Run, configuration: Configuration, path: Path) -> LogToWrite:
    identity = run_identity(run)
    return LogToWrite(
        path=str(path),
        # The same run and configuration are the same log, however often it is written.
        log_id=hash_of([identity, configuration.identity])[:22],
        run_id=identity[:22],
        task=run.name,
        model=configuration.model,
        effort=configuration.effort,
        created=run.created_at,
        settings={
            "harness": configuration.harness,
            "search": configuration.search,
            "as_of": configuration.as_of,
            "current_date": run.recipe.current_date,
        },
        about=origin_of(run, configuration).as_json(),
    )


def _batches(database: Database, run: Run, rows: Sequence[AnswerRow]) -> Iterator[list[SampleToWrite]]:
    system = _system_prompt(database, run, rows[0].configuration)
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        ids = [row.id for row in part]
        asked = ImportStore(database).asked([row.run_item_id for row in part])
        verdicts = _verdicts(database, ids)
        store = AnswerStore(database)
        batch = []
        for row in part:
            trajectory = store.trajectory(row.id)
            # Row ids mean nothing outside of this project.
            steps = tuple(
                replace(step, id=None, results=tuple(replace(each, id=None) for each in step.results))
                for step in trajectory.steps
            )
            trajectory = replace(trajectory, steps=steps)
            batch.append(_sample(row, asked[row.run_item_id], system, trajectory, verdicts.get(row.id, {})))
        yield batch


def _sample(
    row: AnswerRow, asked: Asked, system: str, trajectory: Trajectory, verdicts: Mapping[str, tuple[str, str]]
) -> SampleToWrite:
    about = {}
    if asked.probe_key:
        about = {PROBE: asked.probe_key, REVISION: asked.text_hash, REPETITION: row.repetition}
    return SampleToWrite(
        id=asked.probe_key or asked.sample,
        epoch=row.repetition,
        request=asked.request,
        system_prompt=system,
        about=about,
        trajectory=trajectory,
        verdicts=verdicts,
    )


def _verdicts(database: Database, ids: Sequence[AnswerId]) -> dict[AnswerId, dict[str, tuple[str, str]]]:
    """Label and reason of each judge for each answer that is in no open study; an unscored one says why instead."""
    store, closed = VerdictStore(database), ResultStore(database).blinding().answers
    told = [answer_id for answer_id in ids if answer_id not in closed]
    found: dict[AnswerId, dict[str, tuple[str, str]]] = {}
    for judge in store.judges():
        for answer_id, verdict in store.of_judge(judge, told).items():
            found.setdefault(answer_id, {})[judge] = (verdict.label or "", verdict.rationale or verdict.unscored)
    return found


def _system_prompt(database: Database, run: Run, configuration: Configuration) -> str:
    """What the agents of the shared harness were told; nothing when its text is not kept."""
    template = PromptStore(database).by_hash(configuration.prompt_hash) if configuration.prompt_hash else ""
    if not template or configuration.harness is not Harness.SHARED:
        return ""
    day = configuration.as_of or run.recipe.current_date
    return system_prompt(day, configuration.settings.get("cutoff") or cutoff_day(""), template)
