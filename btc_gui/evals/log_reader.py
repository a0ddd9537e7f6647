"""Reading Inspect's logs in the worker: what a log holds, and its samples in batches. Changes no file."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    RecoveryNotAvailable,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples_by_id,
    recover_eval_log,
)
from inspect_ai.model import ChatMessageSystem, ChatMessageUser

from btc_gui.domain.configuration import Effort
from btc_gui.domain.origin import ORIGIN, PROBE, REPETITION, REVISION
from btc_gui.evals.log_messages import (
    LoggedSample,
    LogOpened,
    LogRefused,
    LogsListed,
    SampleRead,
    SampleUnreadable,
)
from btc_gui.evals.log_safety import is_much, why_unsafe
from btc_gui.evals.log_text import shortened
from btc_gui.evals.logs import sample_key, says_cancelled, trajectory_of

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_SUFFIXES = (".eval", ".json")
_LONGEST_REQUEST = 4_000
_LONGEST_REASON = 300
#: Where our tasks write what a sample is about.
_ABOUT = (PROBE, REVISION, REPETITION)


def list_logs(place: str) -> LogsListed | LogRefused:
    """The logs in a folder and below it, which may be anywhere that fsspec reaches."""
    try:
        found = list_eval_logs(place, formats=["eval", "json"], recursive=True, descending=False)
    except Exception as error:  # Whatever stands between us and the place: the reason is for a person.
        return LogRefused(f"{place} can't be listed: {in_words(error)}")
    return LogsListed(tuple(sorted(each.name for each in found)))


def open_log(path: str) -> LogOpened | LogRefused:
    """What a log holds, without its samples; or why it is none."""
    reason = _obvious_fault(path)
    if reason:
        return LogRefused(reason)
    try:
        header = read_eval_log(path, header_only=True)
        if header.status == "started":
            path = _recovered(path)
        summaries = read_eval_log_sample_summaries(path)
    except Exception as error:  # Files come from anywhere: each kind of damage has an exception of its own.
        return LogRefused(_why_unreadable(path, error))
    if not summaries:
        return LogRefused(_why_empty(header))
    log_id = header.eval.eval_id
    return LogOpened(
        path=path,
        log_id=log_id,
        task=header.eval.task,
        model=header.eval.model,
        effort=_effort(header),
        created=_iso(header.eval.created),
        status=header.status,
        settings=_settings(header),
        about=_origin(header),
        samples=tuple(
            LoggedSample(
                id=each.id,
                epoch=each.epoch,
                key=sample_key(each.uuid, log_id, each.id, each.epoch),
                is_cancelled=says_cancelled(each.error),
            )
            for each in summaries
        ),
    )


def read_samples(path: str, log_id: str, wanted: Sequence[LoggedSample]) -> Iterator[SampleRead | SampleUnreadable]:
    """The samples of a batch. One that can't be read keeps no other one back."""
    samples: list[EvalSample] | None = None
    # Together is faster; one by one tells which of them is broken.
    if "://" in path or not is_much(Path(path), [(each.id, each.epoch) for each in wanted]):
        with suppress(Exception):
            samples = _read(path, wanted)
    for place, each in enumerate(wanted):
        try:
            sample = samples[place] if samples is not None else _read(path, [each])[0]
            yield SampleRead(each, _request(sample), _about(sample), trajectory_of(sample, log_id))
        except Exception as error:  # As above.
            yield SampleUnreadable(each, in_words(error))
        if samples is not None:
            # Let go of what has been sent: a sample can be large.
            samples[place] = None  # type: ignore[call-overload]


def _read(path: str, wanted: Sequence[LoggedSample]) -> list[EvalSample]:
    return read_eval_log_samples_by_id(path, [(each.id, each.epoch) for each in wanted], resolve_attachments=True)


# -- faults --------------------------------------------------------------------------------------------------


def in_words(error: BaseException) -> str:
    """An exception's reason on one line."""
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + " …"


def _obvious_fault(path: str) -> str:
    """What is wrong with a local file before the engine looks at it; empty when nothing is."""
    if "://" in path:
        return ""
    try:
        with open(path, "rb") as file:
            head = file.read(512)
    except (OSError, ValueError) as error:
        return f"it can't be read: {getattr(error, 'strerror', None) or error}"
    if not head:
        return "the file is empty"
    if head.startswith(_LFS_POINTER):
        size = re.search(rb"^size (\d+)$", head, re.MULTILINE)
        told = f" of {int(size.group(1)):,} bytes" if size else ""
        return f"it is a Git LFS pointer: the log itself{told} was not downloaded (git lfs pull)"
    if path.endswith(".eval") and not head.startswith(b"PK"):
        return "it is named .eval, but is no Inspect log (those are zip archives)"
    if path.endswith(".json") and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        return "it is JSON of another kind: an Inspect log is an object"
    return why_unsafe(Path(path))


def _why_unreadable(path: str, error: Exception) -> str:
    if "EOCD not found" in str(error):
        return "the archive is cut off: its end is missing"
    if path.endswith(".json"):
        return f"it can't be read as an Inspect log: {in_words(error)}"
    return f"it can't be read: {in_words(error)}"


def _why_empty(header: EvalLog) -> str:
    if header.status == "started":
        return "the run was broken off before it had finished a sample"
    if header.error is not None:
        return f"the run failed before it had finished a sample: {in_words(Exception(header.error.message))}"
    return "it holds no samples: only the header was kept"


def _recovered(path: str) -> str:
    """A copy with what the engine on this machine still holds of a run that crashed; else the log as it is."""
    if "://" in path:
        return path
    folder = Path(tempfile.mkdtemp(prefix="recovered-", dir=os.getcwd()))
    try:
        recover_eval_log(path, output=str(folder / Path(path).name), cleanup=False)
        return str(folder / Path(path).name)
    except RecoveryNotAvailable:
        return path
    finally:
        # Nothing is left of what could not be recovered.
        with suppress(OSError):
            folder.rmdir()


# -- what a log says -----------------------------------------------------------------------------------------


def _effort(header: EvalLog) -> str:
    found = header.eval.model_generate_config.reasoning_effort or header.plan.config.reasoning_effort or ""
    return found if found in set(Effort) else Effort.UNKNOWN


def _settings(header: EvalLog) -> dict[str, str]:
    """What tells this log's configuration from others of the same model."""
    settings = {"task": header.eval.task}
    solvers = [step.solver for step in header.plan.steps]
    if solvers:
        settings["solver"] = " → ".join(solvers)
    found = header.eval.model_generate_config.reasoning_tokens or header.plan.config.reasoning_tokens
    if found:
        settings["reasoning_tokens"] = str(found)
    return settings


def _request(sample: EvalSample) -> str:
    """What the sample was asked: the user's words; the system's too when there are no others."""
    if isinstance(sample.input, str):
        text = sample.input
    else:
        asked = [each.text for each in sample.input if isinstance(each, ChatMessageUser)]
        told = [each.text for each in sample.input if isinstance(each, ChatMessageSystem)]
        text = "\n\n".join(each for each in asked or told if each)
    return shortened(text, _LONGEST_REQUEST)


def _origin(header: EvalLog) -> dict[str, Any]:
    found = (header.eval.metadata or {}).get(ORIGIN)
    return found if isinstance(found, dict) else {}


def _about(sample: EvalSample) -> dict[str, Any]:
    return {name: sample.metadata[name] for name in _ABOUT if name in (sample.metadata or {})}


def _iso(value: str | datetime) -> str:
    return value if isinstance(value, str) else value.isoformat()
