"""The evaluation worker: a process of its own that runs Inspect AI, told by JSON lines what to do.

Commands come on standard input, events go out on what was standard output. When the input ends, the app is gone:
the worker stops what is going on (nothing more is paid for) and ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, cast

from btc_gui.domain.trajectory import Ending, Trajectory
from btc_gui.evals.failure_reason import is_unusable
from btc_gui.evals.log_desk import LOG_COMMANDS, LogDesk
from btc_gui.evals.messages import (
    Done,
    EvaluationRequest,
    Event,
    Fatal,
    Finished,
    GivenUp,
    Queried,
    Ready,
    Retried,
    Started,
    encode,
)
from btc_gui.known_secrets import without_secrets
from btc_gui.remote.reply_limit import limit_replies

_log = logging.getLogger(__name__)
#: How long a stopped evaluation may take to write its log before the process ends anyhow.
_STOP_SECONDS = 10.0
#: After so many refusals of the key or the model, and nothing else, a request is ended: the rest would fail too.
_HOPELESS = 3
#: The part of the machine's memory that the worker may take.
_MOST_MEMORY = 0.75


def main() -> int:
    """Serve requests until the input ends or `shutdown` comes."""
    _bound_memory()
    emit = _take_over_stdout()
    # Into the worker's log: of the engine's warnings and of tracebacks, no key is in it.
    sys.stderr = cast(TextIO, _WithoutKeys(sys.stderr))
    os.environ["INSPECT_DISPLAY"] = "none"
    from inspect_ai.util import display_type

    display_type()
    _write_plain_tracebacks()
    limit_replies()
    emit(Ready())
    asyncio.run(_serve(emit))
    # The engine may leave threads behind that would keep the process.
    sys.stderr.flush()
    os._exit(0)


def _bound_memory() -> None:
    """Let a log or a reply that would fill the machine's memory fail by itself, and take nothing else with it.

    Only Linux holds a process to that.
    """
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        most = int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * _MOST_MEMORY)
        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, highest))


def _write_plain_tracebacks() -> None:
    """Keep the engine from drawing every failed call's traceback in colours that nobody sees.

    That takes seconds of the processor for each failure (measured: 2 to 9), in which no other sample goes on.
    """
    from inspect_ai._util import rich
    from rich.text import Text

    if hasattr(rich, "rich_traceback"):
        # Not a plain text: brackets in an error would be read as markup.
        rich.rich_traceback = lambda kind, error, *_, **__: Text(f"{kind.__name__}: {error}")


class _WithoutKeys:
    """A stream that takes keys out of what is written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(without_secrets(text))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def _take_over_stdout() -> Callable[[Event], None]:
    """Keep standard output for events; whatever else is printed goes to standard error."""
    pipe: TextIO = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    lock = threading.Lock()

    def emit(event: Event) -> None:
        # When the app is gone, the end of the input says so too.
        with lock, suppress(BrokenPipeError):
            pipe.write(encode(event) + "\n")

    return emit


def _read_commands(arrived: Callable[[dict[str, Any] | None], None]) -> None:
    """Hand over each command, and None at the end of the input."""
    for line in sys.stdin:
        if line.strip():
            arrived(json.loads(line))
    arrived(None)


async def _serve(emit: Callable[[Event], None]) -> None:
    loop = asyncio.get_running_loop()
    commands: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def arrived(command: dict[str, Any] | None) -> None:
        # The loop may be closed already when the last word comes.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(commands.put_nowait, command)

    threading.Thread(target=_read_commands, args=(arrived,), daemon=True).start()
    evaluation = Evaluation(emit)
    logs = LogDesk(emit)
    going: asyncio.Task[None] | None = None
    while True:
        command = await commands.get()
        word = command["command"] if command else "shutdown"
        if word == "shutdown":
            evaluation.stop()
            if going is not None:
                await asyncio.wait([going], timeout=_STOP_SECONDS)
            return
        assert command is not None
        if word == "run":
            requests = [EvaluationRequest.from_json(each) for each in command["requests"]]
            evaluation.begin(requests)
            going = asyncio.create_task(evaluation.run(requests))
        elif word == "recover":
            going = asyncio.create_task(evaluation.recover(command["logs"], set(command["known"])))
        elif word in LOG_COMMANDS:
            logs.take(command)
        elif word in ("pause", "resume", "drain", "stop"):
            getattr(evaluation, word)()
        else:
            emit(Fatal(f"The command “{word}” is unknown."))


class _Going:
    """One request while it is carried out: what is left of it, and whether it is hopeless."""

    def __init__(self, request: EvaluationRequest) -> None:
        self.request = request
        self.left = len(request.samples)
        #: Why it is given up; no sample of it starts any more.
        self.reason = ""
        #: Why samples failed that could not but fail; None once one of the request did not.
        self._hopeless: list[str] | None = []

    def ended(self, trajectory: Trajectory) -> bool:
        """Count one of its samples. True when it is the last of several that all failed for a reason no other can
        escape: the key, the model's name."""
        self.left -= 1
        if trajectory.ending is not Ending.FAILED or not is_unusable(trajectory.ending_reason):
            self._hopeless = None
        elif self._hopeless is not None:
            self._hopeless.append(trajectory.ending_reason)
            if len(self._hopeless) >= _HOPELESS and not self.reason:
                self.reason = self._hopeless[0]
                return True
        return False


class Evaluation:
    """What the worker does: some requests side by side, with a gate before every new sample.

    A service gets no more samples at a time than its requests say, however many of them there are.
    """

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._gate = asyncio.Event()
        self._gate.set()
        self._is_paused = False
        self._is_ending = False
        self._going: dict[str, _Going] = {}
        self._of_sample: dict[int, _Going] = {}
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._in_flight: dict[str, asyncio.Semaphore] = {}
        self._engine: asyncio.Future[Any] | None = None
        _watch(self)

    # -- commands --------------------------------------------------------------------------------------------

    def begin(self, requests: Sequence[EvaluationRequest]) -> None:
        """Requests come: from now on `drain` and `stop` are about them."""
        self._is_ending = False
        self._going = {each.name: _Going(each) for each in requests}
        self._of_sample = {sample.id: going for going in self._going.values() for sample in going.request.samples}
        limits: dict[str, int] = {}
        for each in requests:
            limits[each.service] = min(limits.get(each.service, each.at_once), each.at_once)
        self._slots = {service: asyncio.Semaphore(limit) for service, limit in limits.items()}
        self._in_flight.clear()
        if not self._is_paused:
            self._gate.set()

    async def run(self, requests: Sequence[EvaluationRequest]) -> None:
        """Run requests; every sample is reported when it ends, then `Done` or `Fatal`."""
        from inspect_ai import eval_async

        if self._is_ending:
            self._emit(Done(is_stopped=True))
            return
        try:
            tasks = self._tasks()
            if not tasks:
                self._over(is_stopped=False)
                return
            self._engine = asyncio.ensure_future(
                eval_async(
                    tasks,
                    model=None,
                    log_dir=requests[0].log_folder,
                    fail_on_error=False,
                    max_samples=max(each.at_once for each in requests),
                    # All at once: a request that is given up would keep its place from others for ever.
                    max_tasks=len(tasks),
                    log_header_only=True,
                    log_realtime=True,
                    # Google's native search leaves its queries nowhere else.
                    log_model_api=any(each.harness == "native" for each in requests),
                    score=False,
                    ctl_server=False,
                )
            )
            await self._engine
        except asyncio.CancelledError:
            self._over(is_stopped=self._is_ending)
        except Exception as error:  # The boundary of a request: the worker lives on, the app is told.
            self._emit(Fatal(_in_words(error)))
        else:
            self._over(self._is_ending)
        finally:
            self._engine = None

    def _tasks(self) -> list[Any]:
        """A task for each request; one that can't be made is given up alone."""
        from btc_gui.evals.tasks import evaluation_task

        tasks = []
        for going in self._going.values():
            try:
                tasks.append(evaluation_task(going.request))
            except Exception as error:  # The engine raises what it likes.
                going.left = 0
                self._give_up(going, _in_words(error))
        return tasks

    async def recover(self, logs: list[str], known: set[str]) -> None:
        """Report the samples of `logs` that had finished and are not `known`; a broken log is repaired first."""
        for log in logs:
            for finished in await asyncio.to_thread(_unknown_samples, log, known):
                self._emit(finished)
        self._emit(Done())

    def pause(self) -> None:
        """Start no new samples; those in flight go on."""
        self._is_paused = True
        self._gate.clear()

    def resume(self) -> None:
        """Start new samples again, unless the request is ending."""
        self._is_paused = False
        if not self._is_ending:
            self._gate.set()

    def drain(self) -> None:
        """Start no new samples, and end the request once those in flight have ended."""
        self._is_ending = True
        self._gate.clear()
        self._stop_when_drained()

    def stop(self) -> None:
        """End the request now: what is in flight is cancelled."""
        self._is_ending = True
        self._gate.clear()
        if self._engine is not None:
            self._engine.cancel()

    # -- what the engine tells -------------------------------------------------------------------------------

    async def sample_waits(self, uuid: str, sample: int) -> None:
        """A sample is about to start: it waits while the gate is shut, and for a place at its service."""
        going = self._of_sample[sample]
        slots = self._slots[going.request.service]
        await slots.acquire()
        try:
            await self._gate.wait()
        except asyncio.CancelledError:
            slots.release()
            raise
        if going.reason:
            slots.release()
            # Until the engine is cancelled: it has no other way to skip a sample.
            await asyncio.Event().wait()
        self._in_flight[uuid] = slots

    def sample_started(self, sample: int) -> None:
        """A sample has started."""
        self._emit(Started(sample))

    def query_answered(self, sample: int, query: str) -> None:
        """A sample got the results of a query."""
        self._emit(Queried(sample, query))

    def call_retried(self, model: str, reason: str, wait: float, request: str) -> None:
        """A call to a model is made again."""
        self._emit(Retried(model, reason, wait, request))

    def sample_ended(self, uuid: str, sample: int, finished: Callable[[], Finished]) -> None:
        """A sample has ended and is in the engine's journal. One that never began is not worth a word."""
        slots = self._in_flight.pop(uuid, None)
        if slots is None:
            return
        slots.release()
        event = finished()
        self._emit(event)
        going = self._of_sample[sample]
        if going.ended(event.trajectory):
            self._give_up(going, going.reason)
        self._stop_when_drained()

    def _give_up(self, going: _Going, reason: str) -> None:
        going.reason = reason
        if len(self._going) > 1:
            self._emit(GivenUp(going.request.name, reason))

    def _over(self, is_stopped: bool) -> None:
        reasons = [going.reason for going in self._going.values()]
        if reasons and all(reasons):
            self._emit(Fatal(reasons[0].rstrip(".") + "."))
        else:
            self._emit(Done(is_stopped=is_stopped))

    def _stop_when_drained(self) -> None:
        if self._engine is None or self._in_flight:
            return
        waiting = any(going.left > 0 and not going.reason for going in self._going.values())
        given_up = any(going.left > 0 and going.reason for going in self._going.values())
        if self._is_ending or (given_up and not waiting):
            self._engine.cancel()


def _watch(evaluation: Evaluation) -> None:
    """Have the engine tell `evaluation` what happens. The engine keeps its listeners for the process's life."""
    from inspect_ai.event import ToolEvent
    from inspect_ai.hooks import (
        Hooks,
        ModelRetry,
        SampleEnd,
        SampleEvent,
        SampleInit,
        SampleStart,
        hooks,
    )

    from btc_gui.evals.logs import trajectory_of
    from btc_gui.evals.search.backend import listen_for_retries
    from btc_gui.evals.search_tool import SEARCH_TOOL

    listen_for_retries(evaluation.call_retried)
    samples: dict[str, int] = {}

    @hooks(name="btc_gui", description="Reports samples to btc_gui")
    class Reporting(Hooks):
        async def on_sample_init(self, data: SampleInit) -> None:
            await evaluation.sample_waits(data.sample_id, int(data.summary.id))

        async def on_sample_start(self, data: SampleStart) -> None:
            samples[data.sample_id] = int(data.summary.id)
            evaluation.sample_started(int(data.summary.id))

        async def on_sample_event(self, data: SampleEvent) -> None:
            event = data.event
            if isinstance(event, ToolEvent) and event.function == SEARCH_TOOL and not event.pending:
                evaluation.query_answered(samples.get(data.sample_id, 0), str(event.arguments.get("query", "")))

        async def on_model_retry(self, data: ModelRetry) -> None:
            reason = str(data.status_code or data.exception_type or "unknown reason")
            evaluation.call_retried(data.model_name, reason, data.wait_time, data.task_name or "")

        async def on_sample_end(self, data: SampleEnd) -> None:
            samples.pop(data.sample_id, None)
            sample = int(data.sample.id)
            evaluation.sample_ended(data.sample_id, sample, lambda: Finished(sample, trajectory_of(data.sample)))


def _unknown_samples(log: str, known: set[str]) -> list[Finished]:
    from inspect_ai.log import (
        RecoveryNotAvailable,
        read_eval_log,
        read_eval_log_sample_summaries,
        read_eval_log_samples_by_id,
        recover_eval_log,
    )

    from btc_gui.evals.logs import is_cancelled, trajectory_of

    try:
        if read_eval_log(log, header_only=True).status == "started":
            # Joins what the log holds with what was still in the engine's buffer.
            with suppress(RecoveryNotAvailable):
                recover_eval_log(log, overwrite=True)
        summaries = read_eval_log_sample_summaries(log)
        wanted = [(each.id, each.epoch) for each in summaries if each.uuid and each.uuid not in known]
        samples = read_eval_log_samples_by_id(log, wanted, resolve_attachments=True) if wanted else []
    except Exception as error:  # A log so broken that it can't be read has nothing to give; the rest must go on.
        _log.warning("%s can't be read: %s", Path(log).name, _in_words(error))
        return []
    return [Finished(int(each.id), trajectory_of(each)) for each in samples if not is_cancelled(each)]


def _in_words(error: BaseException) -> str:
    return without_secrets(str(error)) or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
