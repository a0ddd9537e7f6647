"""Loading logs: each sample once, ours where they belong, and a true reason for what can't be read."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import Ending, StepKind, Trajectory
from btc_gui.errors import InputError
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample


Start = Callable[[Path], Worker]
PICTURE = "data:image/png;base64," + "QUJD" * 5_000


def _load(database: Database, *places: Path | str, start: Start) -> list[LogOutcome]:
    return load_logs(database, places, Progress(), author="tests", start_worker=start)


def _trajectories(database: Database) -> list[Trajectory]:
    store = AnswerStore(database)
    return [store.trajectory(each) for each in store.ids()]


def _sample(number: int | str = 1, answer: str = "Four.", **overrides: object) -> EvalSample:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput

    message = ChatMessageAssistant(content=answer, source="generate")
    values: dict[str, object] = {
        "id": number,
        "epoch": 1,
        "input": f"Two and two, {number}?",
        "target": "4",
        "messages": [ChatMessageUser(content="Two and two?"), message],
        "output": ModelOutput.from_message(message),
    }
    return EvalSample(**{**values, **overrides})  # type: ignore[arg-type]


def _write(path: Path, *samples: EvalSample, **overrides: object) -> Path:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, write_eval_log

    path.parent.mkdir(parents=True, exist_ok=True)
    ids = list(dict.fromkeys(each.id for each in samples))
    spec = {
        "created": "2026-05-01T10:00:00+00:00",
        "task": "sums",
        "dataset": EvalDataset(name="sums", samples=len(ids), sample_ids=ids),
        "model": "mockllm/adder",
        "config": EvalConfig(epochs=max(each.epoch for each in samples)),
    }
    log = EvalLog(status="success", eval=EvalSpec(**{**spec, **overrides}), samples=list(samples))  # type: ignore[arg-type]
    write_eval_log(log, str(path))
    return path


def test_every_real_log_is_loaded_or_refused_with_a_true_reason(
    database: Database, shared_data: Path, start_worker: Start
) -> None:
    """Logs of 2024 to 2026, of six writers: all samples, once, whoever made them."""
    from inspect_ai.log import read_eval_log

    folder = shared_data / "inspect_logs"
    found = {Path(each.report.file).name: each for each in _load(database, folder, start=start_worker)}
    refused = {name: each.refused for name, each in found.items() if each.refused}
    assert refused == {
        "ia_2024-08_header_only.json": "it holds no samples: only the header was kept",
        "ia_broken_lfs_pointer.eval": (
            "it is a Git LFS pointer: the log itself of 514,557 bytes was not downloaded (git lfs pull)"
        ),
    }
    # Inspect's own word for how many there are.
    held = {
        path.name: len(read_eval_log(str(path)).samples or [])
        for path in sorted(folder.iterdir())
        if path.suffix in (".eval", ".json") and path.name not in refused
    }
    assert {name: each.report.new for name, each in found.items() if not each.refused} == held
    assert not any(each.report.rejected for each in found.values())
    again = {Path(each.report.file).name: each.report for each in _load(database, folder, start=start_worker)}
    assert all(again[name].new == 0 and again[name].known == count for name, count in held.items())

    runs = RunStore(database).fetch(RunStore(database).ids())
    assert {run.purpose for run in runs.values()} == {Purpose.IMPORT}
    assert len(runs) == len(held)
    answers = AnswerStore(database)
    rows = list(answers.fetch(answers.ids()).values())
    assert len(rows) == sum(held.values())
    by_model = {row.configuration.model: row for row in rows}
    assert by_model["anthropic/claude-opus-4-1-20250805"].configuration.effort is Effort.UNKNOWN
    assert {row.configuration.harness for row in rows} == {Harness.OTHER}
    assert {row.repetition for row in rows if row.configuration.model.startswith("anthropic/claude-opus-4-1")} == set(
        range(1, 7)
    )
    assert Counter(row.ending for row in rows)[Ending.CANCELLED] == 4
    tools = {step.tool for each in _trajectories(database) for step in each.steps if step.kind is StepKind.TOOL}
    assert {"bash", "python", "web_browser_go"} <= tools


def test_the_same_log_in_another_place_or_format_is_known(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    """A sample is known by what it is: its uuid, or in older logs the log's id with the sample's id and epoch."""
    from inspect_ai.log import read_eval_log, write_eval_log

    log = _write(
        tmp_path / "a" / "sums.eval", _sample(1), _sample(1, "4", epoch=2), _sample(2, uuid="abc"), eval_id="E1"
    )
    shutil.copy(log, tmp_path / "copy.eval")
    write_eval_log(read_eval_log(str(log)), str(tmp_path / "same.json"))
    outcomes = _load(database, log, tmp_path, start=start_worker)
    assert [(each.report.new, each.report.known) for each in outcomes] == [(3, 0), (0, 3), (0, 3)]
    answers = AnswerStore(database)
    rows = sorted(answers.fetch(answers.ids()).values(), key=lambda row: row.id)
    assert [(row.answer, row.repetition) for row in rows] == [("Four.", 1), ("4", 2), ("Four.", 1)]
    assert {row.configuration.title for row in rows} == {"mockllm/adder · effort unknown · other"}


def test_pictures_and_absurd_lengths_are_noted_and_all_else_is_kept(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    """Ten megabytes of a tool, a picture, half a character, a number that no column holds, and no number at all."""
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageTool,
        ChatMessageUser,
        ContentImage,
        ContentText,
        ModelOutput,
        ModelUsage,
    )
    from inspect_ai.tool import ToolCall

    call = ToolCall(id="c1", function="shell", arguments={"n": 10**40, "x": math.nan, "text": "\ud83d"})
    sample = _sample(
        "Ж 1",
        input=[ChatMessageUser(content=[ContentText(text="See:"), ContentImage(image=PICTURE)])],
        messages=[
            ChatMessageAssistant(content=f"Looking at {PICTURE}.", tool_calls=[call]),
            ChatMessageTool(content="y" * 10_000_000, tool_call_id="c1", function="shell"),
            ChatMessageAssistant(content="Four. 現任"),
        ],
        output=ModelOutput.from_message(ChatMessageAssistant(content="Four. 現任")),
        model_usage={"m": ModelUsage(input_tokens=10**30, output_tokens=2, total_tokens=3)},
        total_time=math.inf,
    )
    outcome = _load(database, _write(tmp_path / "odd.eval", sample), start=start_worker)[0]
    assert (outcome.report.new, outcome.report.rejected) == (1, ())
    found = _trajectories(database)[0]
    said, tool, answer = found.steps
    assert said.text == "Looking at [image/png, 15,000 bytes, in the log]."
    arguments = json.loads(tool.text)
    assert (arguments["n"], math.isnan(arguments["x"])) == (10**40, True)
    assert len(tool.output) < 1_001_000
    assert tool.output.endswith("[… 9,000,000 more characters are in the log]")
    assert (answer.text, found.seconds) == ("Four. 現任", None)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.eval", b"", "the file is empty"),
        ("text.eval", b"hello", "it is named .eval, but is no Inspect log (those are zip archives)"),
        ("list.json", b"[1, 2]", "it is JSON of another kind: an Inspect log is an object"),
        ("other.json", b'{"a": 1}', "it can't be read as an Inspect log"),
        ("half.json", b'{"version": 2, "status": ', "it can't be read as an Inspect log"),
    ],
)
def test_what_is_no_log_is_refused_in_words(
    database: Database, tmp_path: Path, start_worker: Start, name: str, content: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(content)
    outcome = _load(database, tmp_path / name, start=start_worker)[0]
    assert outcome.refused.startswith(reason)
    assert AnswerStore(database).ids() == []


def test_a_login_in_an_address_is_not_repeated(database: Database, start_worker: Start) -> None:
    """Other machines are asked with it; reports go to terminals and files."""
    outcome = _load(database, "ftp://ada:marker-0123456789@127.0.0.1:9/a.eval", start=start_worker)[0]
    assert outcome.report.file == "ftp://127.0.0.1:9/a.eval"
    assert outcome.refused.startswith("it can't be read")
    assert "marker" not in outcome.refused


def test_a_log_that_was_cut_off_is_refused_and_keeps_no_other_out(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    whole = _write(tmp_path / "logs" / "b.eval", _sample(1))
    (tmp_path / "logs" / "a.eval").write_bytes(whole.read_bytes()[:-30])
    refused, loaded = _load(database, tmp_path / "logs", start=start_worker)
    assert refused.refused == "the archive is cut off: its end is missing"
    assert loaded.report.new == 1


def test_nothing_to_load_is_said(database: Database, tmp_path: Path, start_worker: Start) -> None:
    with pytest.raises(InputError, match="no file"):
        _load(database, tmp_path / "nowhere.eval", start=start_worker)
    with pytest.raises(InputError, match="no Inspect log"):
        _load(database, tmp_path, start=start_worker)
