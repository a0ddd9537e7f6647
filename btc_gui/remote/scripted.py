"""A language model that replays recorded replies: for tests, the demo, and work without a network."""

from __future__ import annotations

import json
import time
from pathlib import Path

from btc_gui.errors import InputError, why_unreadable
from btc_gui.outside_data import json_from
from btc_gui.remote.language_model import ModelReply, ModelRequest, NotRecordedError, Wait


class ScriptedLanguageModel:
    """Replies from files with one JSON object a line: `{"subject": …, "reply": object or text}`.

    A reply that is a text is given as it is, so that broken replies can be recorded too.
    """

    def __init__(self, name: str, *paths: Path) -> None:
        """Read the recordings. Raises `InputError` naming the line that is wrong or told twice."""
        self._name = name
        self._files = " and ".join(path.name for path in paths)
        self._replies: dict[str, str] = {}
        for path in paths:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            # Not `splitlines`: a line separator of Unicode may stand inside a JSON string.
            lines = path.read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"The replay file {path} can't be read: {why_unreadable(error)}.") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._take(f"{path.name}, line {number}", line)

    def _take(self, place: str, line: str) -> None:
        try:
            row = json_from(line)
            subject, reply = row["subject"], row["reply"]
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{place}: not a JSON object with “subject” and “reply”.") from error
        if not isinstance(subject, str):
            raise InputError(f"{place}: the subject is not a text.")
        if subject in self._replies:
            raise InputError(f"{place}: “{subject}” has a reply already.")
        self._replies[subject] = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)

    @property
    def name(self) -> str:
        """The name under which the replies are kept."""
        return self._name

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        """The recorded reply. Raises `NotRecordedError` when there is none: a miss is never an empty reply."""
        reply = self._replies.get(request.subject)
        if reply is None:
            raise NotRecordedError(
                f"There is no recorded reply for {request.subject} in {self._files}.",
                "Record one, or use the replay file that belongs to this run.",
            )
        return ModelReply(reply)
