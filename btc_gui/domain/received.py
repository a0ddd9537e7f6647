"""Search results as the text that the shared harness gives the model, and where each result stands in that text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.trajectory import SearchResult, Step

_HEAD = re.compile(r"^\[(\d{1,4})\] [^\n]*\nURL: [^\n]*(?:\nPublished: ([^\n]*))?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReceivedResult:
    """One result within a received text: `number` counts from 1, `start` and `stop` are character offsets.

    `published` is the date that stands in the result's head, empty where none does.
    """

    number: int
    start: int
    stop: int
    published: str


def write_results(results: Sequence[SearchResult], *, marks_undated: bool = False) -> str:
    """The results as the model reads them. `marks_undated` says of those without a date that it is not known."""
    if not results:
        return "No results."
    return "\n\n".join(_paragraph(number, result, marks_undated) for number, result in enumerate(results, 1))


def _paragraph(number: int, result: SearchResult, marks_undated: bool) -> str:
    lines = [f"[{number}] {result.title}", f"URL: {result.url}"]
    if result.published or marks_undated:
        lines.append(f"Published: {result.published or 'unknown'}")
    lines += result.excerpts
    return "\n".join(lines)


def received_text(step: Step) -> str:
    """What the model received for a query: its words where they are recorded, else those of the results or error."""
    return step.output or (write_results(step.results) if step.results else step.error)


def read_results(text: str) -> tuple[ReceivedResult, ...]:
    """Where the results of `write_results` stand; none for a text of another form."""
    heads: list[re.Match[str]] = []
    for match in _HEAD.finditer(text):
        # A passage may look like the head of a result; it hardly has the number that comes next.
        if int(match[1]) == len(heads) + 1:
            heads.append(match)
    if not heads:
        return ()
    stops = [*(match.start() for match in heads[1:]), len(text)]
    return tuple(
        ReceivedResult(number, match.start(), stop, "" if (match[2] or "unknown") == "unknown" else match[2].strip())
        for number, (match, stop) in enumerate(zip(heads, stops, strict=True), start=1)
    )


def result_at(results: Sequence[ReceivedResult], offset: int) -> ReceivedResult | None:
    """The result that a character belongs to; None before the first one, and in a text without results."""
    return next((result for result in results if result.start <= offset < result.stop), None)


_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？]+[」』）]*|\n")


def sentence_at(text: str, offset: int) -> tuple[int, int]:
    """The sentence (at most a line) that the character at `offset` stands in, without space at its ends."""
    # A megabyte without a full stop is no sentence: what is near is enough.
    low, high = max(0, offset - _NEAR), min(len(text), offset + _NEAR)
    start, stop = low, high
    for match in _SENTENCE_END.finditer(text, low, high):
        if match.end() <= offset:
            start = match.end()
        else:
            stop = match.end()
            break
    found = text[start:stop]
    return start + len(found) - len(found.lstrip()), start + len(found.rstrip())


_NEAR = 2_000


def parts_of(text: str, size: int) -> list[tuple[int, int]]:
    """The text in parts of at most `size` characters to be shown one at a time, cut at line ends where possible."""
    parts, start = [], 0
    while len(text) - start > size:
        line = text.rfind("\n", start + size // 2, start + size)
        stop = line + 1 if line >= 0 else start + size
        parts.append((start, stop))
        start = stop
    return [*parts, (start, len(text))]
