"""Writing a log: what its head tells, and that no more of its samples is kept than that."""

from __future__ import annotations

import asyncio
import gc
import math
from dataclasses import asdict
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample, read_eval_log

from btc_gui.domain.trajectory import Ending, Step, StepKind, Trajectory
from btc_gui.evals.log_desk import LogDesk
from btc_gui.evals.log_messages import LogRefused, LogToWrite, LogWritten, SampleToWrite
from btc_gui.evals.log_writer import LogWriter

AT = "2026-05-01T10:00:00.000+00:00"


def _sample(name: str, epoch: int, verdicts: dict[str, tuple[str, str]]) -> SampleToWrite:
    steps = (Step(1, StepKind.ANSWER, f"Answer of {name}.", at=AT),)
    found = Trajectory(uuid=f"{name}-{epoch}", ending=Ending.ANSWERED, answer=f"Answer of {name}.", steps=steps)
    return SampleToWrite(name, epoch, "Who?", "", {}, found, verdicts)


def test_samples_are_written_as_they_come_and_the_head_counts_them(tmp_path: Path) -> None:
    """Two of judge a's three labels are correct; judge b could not score the only one that it saw."""
    path = tmp_path / "made.eval"
    writer = LogWriter(LogToWrite(str(path), "a log", "a run", "task", "m", "low", "2026-05-01T10:00:00+00:00"))
    writer.add(_sample("one", 1, {"a": ("correct", "Yes."), "b": ("", "no reply")}))
    writer.add(_sample("one", 2, {"a": ("incorrect", "No.")}))
    writer.add(_sample("two", 1, {"a": ("correct", "Yes.")}))
    writer.add(_sample("three", 1, {}))
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, EvalSample)]
    assert writer.finish() == (str(path), 4)

    log = read_eval_log(str(path))
    assert log.status == "success"
    assert (log.eval.dataset.samples, log.eval.dataset.sample_ids) == (3, ["one", "two", "three"])
    assert log.eval.config.epochs == 2
    assert log.samples is not None
    assert {(each.id, each.epoch, each.output.completion) for each in log.samples} == {
        ("one", 1, "Answer of one."),
        ("one", 2, "Answer of one."),
        ("two", 1, "Answer of two."),
        ("three", 1, "Answer of three."),
    }
    assert log.results is not None
    assert log.results.completed_samples == 4
    told = {each.name: (each.scored_samples, each.unscored_samples) for each in log.results.scores}
    assert told == {"a": (3, 0), "b": (0, 1)}
    accuracy = {each.name: each.metrics["accuracy"].value for each in log.results.scores}
    assert accuracy["a"] == 2 / 3
    assert math.isnan(accuracy["b"])


def test_a_sample_that_cannot_be_written_leaves_nothing_open(tmp_path: Path) -> None:
    """An event loop that is left open warns when it is collected, and warnings fail here."""
    heard: list[object] = []
    desk = LogDesk(heard.append)

    def begin(name: str) -> None:
        log = LogToWrite(str(tmp_path / name), name, "a run", "task", "m", "low", "2026-05-01T10:00:00+00:00")
        desk._carry_out({"command": "begin_log", "log": asdict(log)})

    def loops() -> int:
        gc.collect()
        return sum(isinstance(each, asyncio.BaseEventLoop) and not each.is_closed() for each in gc.get_objects())

    before = loops()
    begin("broken.eval")
    broken = asdict(_sample("one", 1, {}))
    broken["trajectory"]["steps"][0]["at"] = "no time at all"
    with pytest.raises(ValueError, match="isoformat"):
        desk._carry_out({"command": "add_samples", "samples": [broken]})
    assert loops() == before
    desk._carry_out({"command": "finish_log"})
    assert heard == [LogRefused("no log was begun")]
    assert list(tmp_path.iterdir()) == []

    begin("whole.eval")
    begin("again.eval")
    desk._carry_out({"command": "add_samples", "samples": [asdict(_sample("one", 1, {}))]})
    desk._carry_out({"command": "finish_log"})
    assert heard[1:] == [LogWritten(str(tmp_path / "again.eval"), 1)]
    assert loops() == before
