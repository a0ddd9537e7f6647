"""Load Inspect's logs: every sample becomes an answer, once; ours attach to their probes and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, ConfigurationId, Effort, Harness
from btc_gui.domain.evaluated_model import model_of
from btc_gui.domain.load_report import LoadReport, Rejection
from btc_gui.domain.origin import PROBE, REPETITION, REVISION, Origin
from btc_gui.domain.run import Purpose, RunId, RunItemId, RunRecipe
from btc_gui.errors import InputError, RunError
from btc_gui.evals.log_messages import (
    LoggedSample,
    LogOpened,
    LogRefused,
    LogsListed,
    SampleRead,
    SampleUnreadable,
)
from btc_gui.evals.messages import Done, Event, Exited, Fatal
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.read_text import readable
from btc_gui.jobs.run_agents import with_cost
from btc_gui.known_secrets import without_secrets
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore, PreparedAnswer
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.imports import ImportStore

_SUFFIXES = (".eval", ".json")
#: How many samples are asked for at once, since each request opens the log anew; the next ones are read while these are
#: stored.
_BATCH = 32
#: How many are stored in one transaction: nobody who decides meanwhile waits longer than for so many.
_AT_ONCE = 4
_TICK_SECONDS = 0.2
#: So many workers may end one after the other without one answer in between.
_MOST_LOSSES = 3
_UNSTORABLE = "its names hold half of a character, or its numbers are larger than any that can be stored"


@dataclass(frozen=True, slots=True)
class LogOutcome:
    """What came of one log. `refused` says why nothing of it could be read; then the report counts nothing."""

    report: LoadReport
    refused: str = ""
    task: str = ""
    model: str = ""
    attached: int = 0

    def as_json(self) -> dict[str, object]:
        """The outcome as commands print it."""
        return {
            "file": self.report.file,
            "refused": self.refused,
            "task": self.task,
            "model": self.model,
            "read": self.report.read,
            "new": self.report.new,
            "known": self.report.known,
            "attached": self.attached,
            "rejected": [{"sample": each.content, "reason": each.reason} for each in self.report.rejected],
        }


def load_logs(
    database: Database,
    places: Sequence[str | Path],
    progress: Progress,
    *,
    author: str,
    on_outcome: Callable[[LogOutcome], None] | None = None,
    start_worker: Callable[[Path], Worker] = Worker,
) -> list[LogOutcome]:
    """Load logs: files, folders (with those below) or places that fsspec knows (`s3://…`).

    `on_outcome` hears of each log once it is done with, also when the load is stopped later.

    A sample that is known already changes nothing, so loading again goes on where it was broken off. A file
    that is no log, and a sample that can't be read, keep no other one out. Raises `InputError` when there is
    nothing to load, `RunError` when the worker can't be started, `Cancelled`.
    """
    with _Desk(lambda: start_worker(paths.state() / "evaluation"), progress) as desk:
        logs = list(dict.fromkeys(log for place in places for log in _logs_at(str(place), desk)))
        if not logs:
            raise InputError("There is no Inspect log to load.", "Logs end in .eval or .json.")
        outcomes = []
        for number, log in enumerate(logs, 1):
            progress.report(number - 1, len(logs), Path(log).name)
            outcomes.append(_LogLoad(database, desk, log, author).go())
            if on_outcome is not None:
                on_outcome(outcomes[-1])
        progress.report(len(logs), len(logs), "")
    return outcomes


def _logs_at(place: str, desk: _Desk) -> list[str]:
    if "://" in place:
        if place.endswith(_SUFFIXES):
            return [place]
        try:
            listed = desk.ask_one(lambda worker: worker.list_logs(place))
        except _GoneError as error:
            raise InputError(f"{without_secrets(place)} can't be listed: {error}.") from error
        if isinstance(listed, LogRefused):
            raise InputError(listed.reason)
        assert isinstance(listed, LogsListed)
        return list(listed.paths)
    path = Path(place).resolve()
    if path.is_dir():
        return [str(each) for each in sorted(path.rglob("*")) if each.suffix in _SUFFIXES and each.is_file()]
    if not path.exists():
        raise InputError(f"There is no file {place}.")
    return [str(path)]


class _GoneError(Exception):
    """Something was asked of the worker that it could not answer; the text says why, for a person."""


class _Desk:
    """Asks the worker about logs, and hears its answers."""

    def __init__(self, start: Callable[[], Worker], progress: Progress) -> None:
        self._start = start
        self._worker = start()
        self._progress = progress
        self._losses = 0

    def __enter__(self) -> _Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    def ask(self, *requests: Callable[[Worker], None]) -> Iterator[Event]:
        """Send requests and give what comes back, until all are over; two at a time, so that little waits.

        Raises `_GoneError` when the worker ended over it (there is another one then), or says that it can't; `RunError`
        when one after the other ends, `Cancelled`.
        """
        waiting = list(reversed(requests))
        going = 0
        problem = ""
        while waiting or going:
            while waiting and going < 2:
                waiting.pop()(self._worker)
                going += 1
            self._progress.check()
            event = self._worker.next_event(_TICK_SECONDS)
            if isinstance(event, Done):
                going -= 1
                self._losses = 0
            elif isinstance(event, Fatal):
                # The other request is heard to its end, so that the next log does not hear of it.
                going -= 1
                problem = event.reason
                waiting.clear()
            elif isinstance(event, Exited):
                self._replace()
                raise _GoneError("the engine broke down over it")
            elif event is not None:
                yield event
        if problem:
            raise _GoneError(f"the engine can't read it: {problem}")

    def _replace(self) -> None:
        """Another worker in the place of one that is gone: one file must not keep the others out."""
        last_words = self._worker.last_words()[-300:]
        self._worker.close()
        self._losses += 1
        if self._losses >= _MOST_LOSSES:
            raise RunError("The worker ended again and again while it read logs.", f"Load again to go on. {last_words}")
        self._worker = self._start()

    def ask_one(self, request: Callable[[Worker], None]) -> Event:
        """The one answer to a request about logs."""
        found = [event for event in self.ask(request) if isinstance(event, LogOpened | LogRefused | LogsListed)]
        return found[-1]


class _LogLoad:
    """One log on its way into the project."""

    def __init__(self, database: Database, desk: _Desk, path: str, author: str) -> None:
        self._database = database
        self._imports = ImportStore(database)
        self._answers = AnswerStore(database)
        self._models = {model.name: model for model in available_models(database)}
        self._desk = desk
        self._path = path
        #: Reports are printed and kept: a login or key in an address is not.
        self._told = without_secrets(path) if "://" in path else path
        self._author = author
        self._new = self._known = self._attached = 0
        self._rejected: list[Rejection] = []
        self._own_run: tuple[RunId, ConfigurationId] | None = None
        self._foreign_run: tuple[RunId, ConfigurationId] | None = None

    def go(self) -> LogOutcome:
        """Read what is not known yet, batch by batch, each stored in one transaction."""
        if readable(self._path) != self._path:
            return LogOutcome(LoadReport(readable(self._path), 0, 0, 0), refused="its name is not UTF-8: rename it")
        try:
            log = self._desk.ask_one(lambda worker: worker.open_log(self._path))
        except _GoneError as error:
            return LogOutcome(LoadReport(self._told, 0, 0, 0), refused=str(error))
        if not isinstance(log, LogOpened):
            reason = log.reason if isinstance(log, LogRefused) else "it can't be read"
            return LogOutcome(LoadReport(self._told, 0, 0, 0), refused=reason)
        known = self._imports.known([each.key for each in log.samples])
        wanted = [each for each in log.samples if each.key not in known]
        self._known = len(log.samples) - len(wanted)
        places = {each.key: place for place, each in enumerate(log.samples, 1)}
        origin = Origin.from_json(log.about)
        batch: list[SampleRead] = []
        told: set[str] = set()
        reason = "it was lost on the way from the engine"
        try:
            for event in self._desk.ask(*_requests(log, wanted)):
                if isinstance(event, SampleRead | SampleUnreadable):
                    told.add(event.sample.key)
                if isinstance(event, SampleRead):
                    batch.append(event)
                    if len(batch) >= _AT_ONCE:
                        self._store(log, origin, batch, places)
                        batch = []
                elif isinstance(event, SampleUnreadable):
                    self._reject(places, event.sample, event.reason)
        except _GoneError as error:
            reason = f"{error}, or over one beside it: load the log again to go on"
        self._store(log, origin, batch, places)
        for each in wanted:
            if each.key not in told:
                self._reject(places, each, reason)
        report = LoadReport(self._told, len(log.samples), self._new, self._known, tuple(self._rejected))
        return LogOutcome(report, "", log.task, log.model, self._attached)

    def _reject(self, places: dict[str, int], sample: LoggedSample, reason: str) -> None:
        self._rejected.append(Rejection(places.get(sample.key, 0), reason, sample.text))

    def _store(
        self, log: LogOpened, origin: Origin | None, batch: Sequence[SampleRead], places: dict[str, int]
    ) -> None:
        try:
            ready = [self._answers.prepare(read.trajectory) for read in batch]
            with self._database.write(durable=False):
                added = [self._add(log, origin, *each) for each in zip(batch, ready, strict=True)]
        except (UnicodeError, OverflowError):
            # Half a character in a name, or a number that no column holds: one sample must not keep the others out.
            self._own_run = self._foreign_run = None
            if len(batch) == 1:
                self._reject(places, batch[0].sample, _UNSTORABLE)
            else:
                for read in batch:
                    self._store(log, origin, [read], places)
            return
        for is_new, is_own in added:
            self._new += is_new
            self._known += not is_new
            self._attached += is_new and is_own

    def _add(self, log: LogOpened, origin: Origin | None, read: SampleRead, ready: PreparedAnswer) -> tuple[bool, bool]:
        """Store a sample; whether it is new, and whether it belongs to a probe of ours."""
        item_id, is_own = self._item(log, origin, read)
        if is_own and origin is not None:
            costing = with_cost(model_of(origin.configuration, self._models), read.trajectory)
            ready = replace(ready, trajectory=costing)
        # What is ours can be asked again; nobody makes a sample of others again.
        return self._answers.add_prepared(item_id, ready, cancelled_counts=not is_own) is not None, is_own

    def _item(self, log: LogOpened, origin: Origin | None, read: SampleRead) -> tuple[RunItemId, bool]:
        """Where a sample belongs: to its probe in its run, or to the run that stands for its log."""
        about = read.about
        revision = None
        if origin is not None and PROBE in about:
            revision = self._imports.revision(str(about[PROBE]), str(about.get(REVISION, "")))
        if origin is not None and revision is not None:
            if self._own_run is None:
                self._own_run = self._imports.run_of(origin), self._imports.configuration(origin.configuration)
            repetition = _repetition(read, 1)
            return self._imports.item_of_revision(*self._own_run, *revision, repetition), True
        if self._foreign_run is None:
            name = f"{log.task} ({log.model}, {log.created[:10]})"
            recipe = RunRecipe(current_date=log.created[:10], purpose=Purpose.IMPORT)
            configuration = origin.configuration if origin is not None else _configuration(log)
            self._foreign_run = (
                self._imports.run_of_log(log.log_id, name, recipe, self._author),
                self._imports.configuration(configuration),
            )
        sample = str(about.get(PROBE, read.sample.id)) if origin is not None else str(read.sample.id)
        epoch = _repetition(read, read.sample.epoch) if origin is not None else read.sample.epoch
        return self._imports.item_of_sample(*self._foreign_run, sample, epoch, read.request), False


def _repetition(read: SampleRead, default: int) -> int:
    """What our task wrote about the sample; the default where that is no number."""
    written = str(read.about.get(REPETITION, default))
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else default


def _requests(log: LogOpened, wanted: Sequence[LoggedSample]) -> list[Callable[[Worker], None]]:
    def request(part: Sequence[LoggedSample]) -> Callable[[Worker], None]:
        return lambda worker: worker.read_samples(log, part)

    return [request(wanted[start : start + _BATCH]) for start in range(0, len(wanted), _BATCH)]


def _configuration(log: LogOpened) -> Configuration:
    """What is known of the configuration of a log of others; the rest is said to be unknown."""
    return Configuration(model=log.model, harness=Harness.OTHER, effort=Effort(log.effort), settings=dict(log.settings))
