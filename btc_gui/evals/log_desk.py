"""The worker's desk for logs: reads and writes them, one request after another, beside the evaluation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from btc_gui.evals.log_messages import LoggedSample, LogRefused, LogToWrite, LogWritten, SampleToWrite
from btc_gui.evals.messages import Done, Event, Fatal

if TYPE_CHECKING:
    from btc_gui.evals.log_writer import LogWriter

LOG_COMMANDS = ("list_logs", "open_log", "read_samples", "begin_log", "add_samples", "finish_log")


class LogDesk:
    """Serves the requests in their order; each ends with `Done` or `Fatal`."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._requests: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._serving: asyncio.Task[None] | None = None
        self._writer: LogWriter | None = None

    def take(self, command: dict[str, Any]) -> None:
        """A request has come."""
        self._requests.put_nowait(command)
        if self._serving is None:
            self._serving = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        while True:
            command = await self._requests.get()
            try:
                await asyncio.to_thread(self._carry_out, command)
            except Exception as error:  # The boundary of a request: the worker lives on, the app is told.
                self._emit(Fatal(str(error) or type(error).__name__))
            else:
                self._emit(Done())

    def _carry_out(self, command: dict[str, Any]) -> None:
        from btc_gui.evals import log_reader
        from btc_gui.evals.log_writer import LogWriter

        word = command["command"]
        if word == "list_logs":
            self._emit(log_reader.list_logs(command["place"]))
        elif word == "open_log":
            self._emit(log_reader.open_log(command["path"]))
        elif word == "read_samples":
            wanted = [LoggedSample(**each) for each in command["samples"]]
            for read in log_reader.read_samples(command["path"], command["log_id"], wanted):
                self._emit(read)
        elif word == "begin_log":
            self._give_up()
            self._writer = LogWriter(LogToWrite(**command["log"]))
        elif self._writer is None:
            self._emit(LogRefused("no log was begun"))
        elif word == "add_samples":
            try:
                for each in command["samples"]:
                    self._writer.add(SampleToWrite.from_json(each))
            except BaseException:
                self._give_up()
                raise
        else:
            writer, self._writer = self._writer, None
            path, samples = writer.finish()
            self._emit(LogWritten(path, samples))

    def _give_up(self) -> None:
        """Let go of a log that is not finished: it was cancelled, or a sample of it could not be written."""
        writer, self._writer = self._writer, None
        if writer is not None:
            # Why it is given up is told, not that its file can't be removed either.
            with suppress(Exception):
                writer.close()
