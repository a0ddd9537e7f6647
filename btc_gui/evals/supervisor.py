"""Starting, feeding and stopping the evaluation worker from a job's thread. Does not load Inspect AI itself."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType

from btc_gui.errors import RunError
from btc_gui.evals.log_messages import LoggedSample, LogOpened, LogToWrite, SampleToWrite
from btc_gui.evals.messages import EvaluationRequest, Event, Exited, decode

_CLOSE_SECONDS = 15.0
_LONGEST_LOG = 5_000_000


def worker_command() -> list[str]:
    """The app's own executable as a worker: frozen builds have no `-m`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "worker"]
    return [sys.executable, "-m", "btc_gui.evals.worker"]


def worker_environment(folder: Path) -> dict[str, str]:
    """The worker's environment: ours (keys of services are in it and nowhere else), less what would change the
    engine's ways, with the engine's own files below `folder`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INSPECT_")}
    # Keys out of files bring line ends along, with which clients can't send them, and say so, key and all.
    environment.update((name, value.strip()) for name, value in environment.items() if name.endswith("_API_KEY"))
    package_root = str(Path(__file__).resolve().parents[2])
    known = environment.get("PYTHONPATH")
    environment.update(
        PYTHONUTF8="1",
        PYTHONPATH=f"{package_root}{os.pathsep}{known}" if known else package_root,
        XDG_DATA_HOME=str(folder / "engine"),
        INSPECT_DISPLAY="none",
        INSPECT_LOG_LEVEL="warning",
    )
    return environment


class Worker:
    """One worker process. `folder` keeps its log and the engine's journals, so that what a crashed worker had
    finished can be recovered by the next one; give both the same folder.

    Raises `RunError` when it can't be started. Use as a context manager, or call `close`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log_path = folder / "worker.log"
        self._events: queue.Queue[Event] = queue.Queue()
        self._is_closing = False
        # Inspect reads a file .env from the working folder upwards: ours is empty and away from any project.
        self._own_folder = tempfile.mkdtemp(prefix="btc-gui-worker-")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            too_long = self._log_path.exists() and self._log_path.stat().st_size > _LONGEST_LOG
            with self._log_path.open("wb" if too_long else "ab") as log:
                self._process = subprocess.Popen(
                    worker_command(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    cwd=self._own_folder,
                    env=worker_environment(folder),
                    text=True,
                    encoding="utf-8",
                    # The last line of a killed worker may end within a character.
                    errors="replace",
                    # Ctrl+C in a terminal is for the app, which drains the worker.
                    start_new_session=True,
                )
        except OSError as error:
            shutil.rmtree(self._own_folder, ignore_errors=True)
            raise RunError(f"The evaluation worker can't be started: {error}.") from error
        self._reader = threading.Thread(target=self._read, name="evaluation worker", daemon=True)
        self._reader.start()

    # -- state -----------------------------------------------------------------------------------------------

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process is there and has not been told to end."""
        return not self._is_closing and self._process.poll() is None

    def next_event(self, seconds: float) -> Event | None:
        """The next event, or None when none came in time. After the last one `Exited` comes once."""
        try:
            return self._events.get(timeout=seconds)
        except queue.Empty:
            return None

    def last_words(self) -> str:
        """The end of what the worker printed: for the log of a crash."""
        try:
            return self._log_path.read_bytes()[-4_000:].decode("utf-8", "replace")
        except OSError:
            return ""

    # -- commands --------------------------------------------------------------------------------------------

    def run(self, *requests: EvaluationRequest) -> None:
        """Have requests of different names carried out side by side. They end with one `Done`, `Fatal` or `Exited`."""
        self._send({"command": "run", "requests": [each.as_json() for each in requests]})

    def recover(self, logs: Iterable[Path], known: Iterable[str]) -> None:
        """Have the finished samples of `logs` reported, less those whose uuids are known. Ends as `run` does."""
        self._send({"command": "recover", "logs": [str(log) for log in logs], "known": sorted(known)})

    def list_logs(self, place: str) -> None:
        """Have the logs below a folder listed, wherever it is. Ends with `Done`, as all about logs does."""
        self._send({"command": "list_logs", "place": place})

    def open_log(self, path: str) -> None:
        """Have told what a log holds."""
        self._send({"command": "open_log", "path": path})

    def read_samples(self, log: LogOpened, samples: Sequence[LoggedSample]) -> None:
        """Have samples of a log read. Several such requests are served one after another."""
        wanted = [asdict(each) for each in samples]
        self._send({"command": "read_samples", "path": log.path, "log_id": log.log_id, "samples": wanted})

    def begin_log(self, log: LogToWrite) -> None:
        """Begin a new log; its samples follow."""
        self._send({"command": "begin_log", "log": asdict(log)})

    def add_samples(self, samples: Sequence[SampleToWrite]) -> None:
        """Samples for the log that was begun."""
        self._send({"command": "add_samples", "samples": [asdict(each) for each in samples]})

    def finish_log(self) -> None:
        """Write the log that was begun."""
        self._send({"command": "finish_log"})

    def pause(self) -> None:
        """Start no new samples."""
        self._send({"command": "pause"})

    def resume(self) -> None:
        """Start new samples again."""
        self._send({"command": "resume"})

    def drain(self) -> None:
        """Finish what is in flight, start nothing new."""
        self._send({"command": "drain"})

    def stop(self) -> None:
        """Cancel what is in flight now."""
        self._send({"command": "stop"})

    def close(self) -> None:
        """End the process: what is in flight is cancelled. Safe to call twice."""
        if self._is_closing:
            return
        self._is_closing = True
        self._send({"command": "shutdown"})
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._own_folder, ignore_errors=True)

    def kill(self) -> None:
        """End the process at once, as the operating system would."""
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- the pipes -------------------------------------------------------------------------------------------

    def _send(self, command: dict[str, object]) -> None:
        assert self._process.stdin is not None
        # A worker that is gone is noticed by its reader.
        with suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            # The last line of a killed worker may be cut; its sample is in the journal.
            with suppress(ValueError):
                self._events.put(decode(line))
        self._events.put(Exited(self._process.wait()))
