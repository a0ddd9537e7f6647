"""Recorded answers of agents that were given no tool, read from a replay folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from btc_gui.domain.configuration import Effort
from btc_gui.errors import RunError
from btc_gui.evals.replay import NotRecordedError
from btc_gui.outside_data import json_from

NO_SEARCH_FILE = "no_search.jsonl"


class RecordedNoSearch:
    """The answers of `no_search.jsonl`: one object for each model and probe.

    `{"model": …, "probe": …, "answers": [text, …], "effort": "low"}`; the effort may be left out. The first
    answer is that of the first repetition; a repetition beyond the last begins with the first again. An answer
    of null says that there was no final one.
    """

    def __init__(self, folder: Path) -> None:
        """Read the file; a folder without one has no such answers. Raises `RunError` naming a line that is wrong."""
        self._answers: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self.is_recorded = (folder / NO_SEARCH_FILE).exists()
        if not self.is_recorded:
            return
        try:
            lines = (folder / NO_SEARCH_FILE).read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"The recording {folder / NO_SEARCH_FILE} can't be read: {error}.") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._read(f"Line {number} of {NO_SEARCH_FILE}", line)

    def _read(self, place: str, line: str) -> None:
        try:
            row: dict[str, Any] = json_from(line, allows_halves=True)
            answers = tuple("" if each is None else str(each) for each in row["answers"])
            key = (str(row["model"]), str(row.get("effort", Effort.LOW)), str(row["probe"]))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RunError(f"{place} is not a recorded answer without search ({error!r}).") from error
        if not answers:
            raise RunError(f"{place} has no answer.")
        self._answers[key] = answers

    def answer(self, model: str, effort: str, probe: str, repetition: int) -> str:
        """What `model` answered to `probe` without any tool. Raises `NotRecordedError`."""
        found = self._answers.get((model, effort, probe))
        if found is None:
            raise NotRecordedError(
                f"no recorded answer of {model} at {effort} effort without search for the probe “{probe}”"
            )
        return found[(repetition - 1) % len(found)]
