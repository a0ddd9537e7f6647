"""The worker process on its own: what it refuses, and that it does not outlive the app."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from btc_gui.domain.trajectory import Ending
from btc_gui.evals.messages import (
    Done,
    EvaluationRequest,
    Event,
    Exited,
    Fatal,
    Finished,
    Queried,
    Ready,
    SampleRequest,
)
from btc_gui.evals.supervisor import Worker
from tests.recordings import behaviour, write_recordings


def _next(worker: Worker, *kinds: type[Event]) -> Event:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        event = worker.next_event(1)
        if isinstance(event, kinds):
            return event
    raise AssertionError(f"no {kinds} came; the worker said: {worker.last_words()}")


def test_the_worker_serves_request_after_request_and_ends_with_the_app(tmp_path: Path) -> None:
    folder = write_recordings(
        tmp_path / "replay", [behaviour("p1"), behaviour("p2", [["speakers autumn"]] * 50, answer="too late")]
    )
    request = EvaluationRequest(
        name="test",
        provider="scripted",
        model="Larkspur-2",
        effort="low",
        harness="shared",
        search="replay",
        system_prompt="Today is a day.",
        log_folder=str(tmp_path / "logs"),
        samples=(SampleRequest(1, "p1", "Who?"),),
        replay_folder=str(folder),
        message_limit=0,
    )
    with Worker(tmp_path / "state") as worker:
        assert _next(worker, Ready, Exited) == Ready()

        worker.run(replace(request, provider="carrier pigeon"))
        refused = _next(worker, Fatal, Done, Exited)
        assert refused == Fatal("The provider “carrier pigeon” of Larkspur-2 is unknown.")
        worker.run(replace(request, search="a hunch"))
        assert _next(worker, Fatal, Done, Exited) == Fatal(
            "The search backend “a hunch” is unknown. Known are: replay, exa, local."
        )
        worker.run(replace(request, harness="native"))
        assert isinstance(_next(worker, Fatal, Done, Exited), Fatal)
        (tmp_path / "broken.eval").write_text("no log")
        worker.recover([tmp_path / "broken.eval"], [])
        assert _next(worker, Fatal, Done, Exited) == Done()

        worker.run(request)
        finished = _next(worker, Finished, Fatal, Done, Exited)
        assert isinstance(finished, Finished)
        assert (finished.sample, finished.trajectory.answer) == (1, "Ask Ada Example.")
        assert _next(worker, Fatal, Done, Exited) == Done()

        # The engine's own files stay where they were told to.
        assert (tmp_path / "state" / "engine").is_dir()
        assert not (tmp_path / "home" / "data").exists()

        worker.run(replace(request, samples=(SampleRequest(2, "p2", "Who?"),), latency=0.3))
        _next(worker, Queried, Exited)
        # What the worker sees when the app is killed: the end of its input.
        assert worker._process.stdin is not None
        worker._process.stdin.close()
        # The sample is given up: it would have gone on for a quarter of a minute.
        ended = _next(worker, Finished, Exited)
        if isinstance(ended, Finished):
            assert ended.trajectory.ending is Ending.CANCELLED
            ended = _next(worker, Exited)
        assert ended == Exited(0)
