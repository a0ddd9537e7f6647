"""The steps of an answer as somebody's own agent writes them down, in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from btc_gui.domain.cell_values import moment_in, number_in
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event_rows import Rejected
from btc_gui.domain.trajectory import SearchResult, Step, StepKind
from btc_gui.outside_data import json_from

#: What files call the kinds of steps. A step may name its kind, or have its text under one of these names.
_KINDS: Final = {
    **dict.fromkeys(("query", "search", "web_search"), StepKind.QUERY),
    **dict.fromkeys(("reasoning", "thought", "thinking"), StepKind.REASONING),
    **dict.fromkeys(("answer", "final_answer", "final"), StepKind.ANSWER),
    **dict.fromkeys(("message", "assistant"), StepKind.MESSAGE),
    **dict.fromkeys(("tool_call", "call", "action", "tool"), StepKind.TOOL),
}
_TEXT = ("text", "content", "input", "arguments")
_EXCERPTS = ("excerpts", "highlights", "excerpt", "snippet", "text", "content")
_PUBLISHED = ("published", "published_date", "date")
_ADDRESS = ("url", "link", "address")
_TIME_OF_DAY = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d")


def read_steps(written: str, default: StepKind | None = None) -> list[Step]:
    """The steps in a cell: a JSON list of objects, or of texts where their kind is known by `default`.

    A step's number is 0: they stand in order. Raises `Rejected` with the place and the reason.
    """
    try:
        value = json_from(written, allows_nan=True)
    except ValueError as error:
        raise Rejected(f"the steps are not JSON: {error}") from error
    if not isinstance(value, list):
        raise Rejected("the steps are no list in brackets")
    return [_step(entry, f"step {number}", default) for number, entry in enumerate(value, 1)]


def _step(value: object, where: str, default: StepKind | None) -> Step:
    if isinstance(value, str) and default is not None:
        return Step(0, default, value)
    if not isinstance(value, Mapping):
        raise Rejected(f"{where} is not an object in braces")
    kind, named = _kind(value, where, default)
    tool = _word(value, "tool") or _word(value, "name") if kind in (StepKind.TOOL, StepKind.QUERY) else ""
    text = _first(value, _TEXT if kind is StepKind.TOOL and named == "tool" else (named, *_TEXT))
    output = _text(value.get("output"))
    results = _results(value.get("results"), where) if kind in (StepKind.QUERY, StepKind.ANSWER) else ()
    if kind is StepKind.QUERY:
        if not text:
            raise Rejected(f"{where} is a search without its query")
        if output and not results:
            # What was delivered is where evidence is looked for, in pieces or not.
            results = (SearchResult("", "", "", (output,)),)
    return Step(
        number=0,
        kind=kind,
        text=text,
        results=results,
        output=output,
        error=_text(value.get("error")),
        tool=tool,
        agent=_word(value, "agent"),
        at=moment_in(f"the time of {where}", _word(value, "at")),
        seconds=number_in(f"seconds of {where}", _text(value.get("seconds"))),
    )


def _kind(value: Mapping[str, object], where: str, default: StepKind | None) -> tuple[StepKind, str]:
    """A step's kind, and the name under which its text may be."""
    for field in ("kind", "type"):
        written = _word(value, field).casefold()
        if written:
            if written not in _KINDS:
                raise Rejected(f"{where} is of an unknown kind: “{written[:40]}” (there are {', '.join(StepKind)})")
            return _KINDS[written], written
    named = next((name for name in _KINDS if _text(value.get(name))), "")
    if named:
        return _KINDS[named], named
    if default is not None:
        return default, str(default)
    raise Rejected(f"{where} says nothing of its kind (kind: {', '.join(StepKind)})")


def _results(value: object, where: str) -> tuple[SearchResult, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Rejected(f"the results of {where} are no list")
    return tuple(_result(entry, f"result {number} of {where}") for number, entry in enumerate(value, 1))


def _result(value: object, where: str) -> SearchResult:
    if isinstance(value, str):
        return SearchResult("", "", "", (value,))
    if not isinstance(value, Mapping):
        raise Rejected(f"{where} is not an object in braces")
    excerpts: list[str] = []
    for name in _EXCERPTS:
        entry = value.get(name)
        if entry:
            excerpts = [_text(each) for each in entry] if isinstance(entry, list) else [_text(entry)]
            break
    return SearchResult(
        title=_word(value, "title"),
        url=_first(value, _ADDRESS),
        published=_day(_first(value, _PUBLISHED)),
        excerpts=tuple(text for text in excerpts if text),
    )


def _day(written: str) -> str:
    """The date as stored; what is no date (“3 days ago”) is none: such a result counts as undated."""
    day = written.strip()
    if _TIME_OF_DAY.match(day):
        day = day[:10]
    try:
        return parse_event_date(day).iso if day else ""
    except ValueError:
        return ""


def _first(value: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := _text(value.get(name)))), "")


def _word(value: Mapping[str, object], name: str) -> str:
    entry = value.get(name)
    return entry.strip() if isinstance(entry, str) else ""


def _text(value: object) -> str:
    """A value as text: what is no text is written as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
