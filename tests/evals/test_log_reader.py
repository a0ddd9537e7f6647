"""What a crashed run left is read whole, from its log and from the engine's buffer, and its log stays as it is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from btc_gui.evals.log_messages import LogOpened, LogsListed, SampleRead
from btc_gui.evals.messages import Done, EvaluationRequest, Event, Exited, Finished, SampleRequest
from btc_gui.evals.supervisor import Worker
from tests.recordings import behaviour, write_recordings
from tests.shared_worker import LentWorker

COUNT = 12


def _until(worker: Worker, *kinds: type[Event]) -> list[Event]:
    """All events up to the first one of these kinds."""
    deadline = time.monotonic() + 120
    events: list[Event] = []
    while time.monotonic() < deadline:
        event = worker.next_event(1)
        if event is not None:
            events.append(event)
        if isinstance(event, kinds):
            return events
    raise AssertionError(f"no {kinds} came; the worker said: {worker.last_words()}")


@pytest.mark.slow
def test_what_a_killed_run_had_finished_is_read_from_a_copy(tmp_path: Path, lent_worker: LentWorker) -> None:
    keys = [f"p{number}" for number in range(1, COUNT + 1)]
    folder = write_recordings(tmp_path / "replay", [behaviour(key, answer=f"About {key}.") for key in keys])
    request = EvaluationRequest(
        name="test",
        provider="scripted",
        model="Larkspur-2",
        effort="low",
        harness="shared",
        search="replay",
        system_prompt="Today is a day.",
        log_folder=str(tmp_path / "logs"),
        samples=tuple(SampleRequest(number, key, "Who?") for number, key in enumerate(keys, 1)),
        replay_folder=str(folder),
        latency=0.2,
        at_once=1,
        about={"run": "R"},
    )
    # Its buffer is where the next worker looks for it.
    with Worker(lent_worker.folder) as worker:
        worker.run(request)
        finished = 0
        # The engine writes every fourth of twelve samples: the fifth and sixth are in its buffer only.
        while finished < 6:
            finished += sum(isinstance(event, Finished) for event in _until(worker, Finished, Exited))
        worker.kill()
        _until(worker, Exited)

    before = {path: path.read_bytes() for path in (tmp_path / "logs").iterdir()}
    worker = lent_worker
    worker.list_logs(str(tmp_path / "logs"))
    listed = next(event for event in _until(worker, Done, Exited) if isinstance(event, LogsListed))
    assert len(listed.paths) == 1
    worker.open_log(listed.paths[0].removeprefix("file://"))
    log = next(event for event in _until(worker, Done, Exited) if isinstance(event, LogOpened))
    assert (log.status, log.about) == ("started", {"run": "R"})
    whole = [sample for sample in log.samples if not sample.is_cancelled]
    assert {str(sample.id) for sample in whole} >= {"1", "2", "3", "4", "5", "6"}
    worker.read_samples(log, whole)
    read = [event for event in _until(worker, Done, Exited) if isinstance(event, SampleRead)]
    assert {event.trajectory.answer for event in read} >= {f"About p{number}." for number in range(1, 7)}
    assert read[0].about["probe"] == "p1"
    assert {path: path.read_bytes() for path in (tmp_path / "logs").iterdir()} == before
