"""JSON lines, JSON arrays and SPARQL JSON results as rows of texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from btc_gui.domain.table_row import LIST_MARK, UNKNOWN_VALUE, BadRow, Row
from btc_gui.errors import InputError
from btc_gui.jobs.read_text import MAX_ROW, Line, readable, unusable
from btc_gui.outside_data import has_too_many_values, with_keys_once

_DEPTH = 4
_ENTITY = re.compile(r"^https?://www\.wikidata\.org/entity/([QPL]\d+)$")
_GENID = "/.well-known/genid/"
_BINDINGS = re.compile(r'"bindings"\s*:\s*\[')
_SPACE = re.compile(r"[\s]*")


# Numbers stay as written: no size is too large, and nothing is rounded. NaN and Infinity stand for a missing value.
_DECODER = json.JSONDecoder(
    object_pairs_hook=with_keys_once, parse_int=str, parse_float=str, parse_constant=lambda _: None, strict=True
)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"this is not JSON: {error.msg} at character {error.colno}"
    return str(error)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return LIST_MARK.join(text for entry in value if not isinstance(entry, dict | list) and (text := _text(entry)))
    return str(value).strip()


def _flat(value: dict[str, object], keeps: bool, prefix: str = "", depth: int = _DEPTH) -> dict[str, str]:
    """The cells of an object: those of an inner object as `outer.inner`, empty ones left out.

    A list is JSON again if it `keeps` lists, else its texts are joined.
    """
    cells: dict[str, str] = {}
    for key, entry in value.items():
        if isinstance(entry, str):
            if text := entry.strip():
                cells[f"{prefix}{key}" if prefix else key] = text
        elif isinstance(entry, dict):
            if depth > 1:
                cells.update(_flat(entry, keeps, f"{prefix}{key}.", depth - 1))
        elif keeps and isinstance(entry, list):
            cells[f"{prefix}{key}"] = json.dumps(entry, ensure_ascii=False)
        elif text := _text(entry):
            cells[f"{prefix}{key}"] = text
    return cells


def _row(line: int, value: object, text: str, keeps: bool) -> Row | BadRow:
    if not isinstance(value, dict):
        return BadRow(line, "this is not an object in braces, so nothing says what the values are", text[:500])
    try:
        cells = _flat(value, keeps)
    except RecursionError as error:
        return BadRow(line, _reason(error), readable(text[:500]))
    problem = unusable(cells)
    return BadRow(line, problem, readable(text[:500])) if problem else Row(line, cells)


def read_json_lines(lines: Iterator[Line], *, keeps_lists: bool = False) -> Iterator[Row | BadRow]:
    """The rows of a file with one JSON object a line; blank lines are left out.

    A list is JSON again in its cell if it `keeps_lists`; else its texts are joined, and objects in it left out.
    """
    for line in lines:
        text = line.text.strip()
        if line.problem:
            yield BadRow(line.number, line.problem, readable(text))
        elif text:
            try:
                if has_too_many_values(text):
                    raise ValueError("the row holds millions of values")
                value = _DECODER.decode(text)
            except (ValueError, RecursionError) as error:
                yield BadRow(line.number, _reason(error), text[:500])
            else:
                yield _row(line.number, value, text, keeps_lists)


class _Place:
    """The line number of a position that only moves forward."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = "\n" if "\n" in text else "\r"
        self._position, self._line = 0, 1

    def line(self, position: int) -> int:
        self._line += self._text.count(self._end, self._position, position)
        self._position = position
        return self._line


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    assert match is not None
    return match.end()


def _resume(text: str, start: int) -> int | None:
    """Where the object after the broken one at `start` begins: as far indented as that, or after `}, {`."""
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    indent = text[line_start:start]
    if not indent.strip(" \t"):
        later = re.compile(rf"[\r\n]{re.escape(indent)}(?=\{{)").search(text, start)
    else:
        later = re.compile(r"\}\s*,\s*(?=\{)").search(text, start)
    return later.end() if later else None


def read_json_array(text: str, *, longest: int = MAX_ROW, keeps_lists: bool = False) -> Iterator[Row | BadRow]:
    """The objects of a JSON array, of `longest` characters at most; lists as in `read_json_lines`.

    After a broken one reading goes on with the next that can be told apart.
    """
    place = _Place(text)
    position = _after_space(text, _after_space(text, 0) + 1)
    while position < len(text) and text[position] != "]":
        line = place.line(position)
        beginning = text[position : position + 500]
        try:
            value, end = _DECODER.raw_decode(text, position)
            after = _after_space(text, end)
            if text[after : after + 1] not in (",", "]"):
                raise ValueError("the JSON breaks off here" if after >= len(text) else "a comma is missing after it")
        except (ValueError, RecursionError) as error:
            yield BadRow(line, _array_reason(error, text), readable(beginning))
            resumed = _resume(text, position)
            if resumed is None:
                return
            position = resumed
            continue
        if end - position > longest:
            yield BadRow(line, f"the row has {end - position:,} characters: it may have {longest:,}", beginning)
        else:
            yield _row(line, value, beginning, keeps_lists)
        position = _after_space(text, after + 1) if text[after] == "," else after
    if position >= len(text):
        yield BadRow(place.line(len(text)), "the JSON breaks off here: the array is never closed", text[-200:])


def _array_reason(error: Exception, text: str) -> str:
    if isinstance(error, json.JSONDecodeError):
        if error.pos >= len(text.rstrip()):
            return "the JSON breaks off in this row"
        return f"this is not JSON: {error.msg} in line {error.lineno}, character {error.colno}"
    return _reason(error)


def read_sparql(text: str, file_name: str) -> tuple[tuple[str, ...], list[Row | BadRow]]:
    """The variables and rows of SPARQL 1.1 JSON results; entities become their ids, missing ones stay missing.

    Raises `InputError` when the results are not whole: a service that runs out of time ends them in the middle
    of a row with status 200, and a part of a result must never pass for all of it.
    """
    found = _BINDINGS.search(text)
    if found is None:
        raise InputError(
            f"{file_name} breaks off before its rows: these are no complete SPARQL results.", "Ask the query again."
        )
    place = _Place(text)
    rows: list[Row | BadRow] = []
    position = _after_space(text, found.end())
    try:
        while text[position : position + 1] != "]":
            line = place.line(position)
            value, end = _DECODER.raw_decode(text, position)
            rows.append(_binding(line, value, text[position : position + 500]))
            position = _after_space(text, end)
            if text[position : position + 1] == ",":
                position = _after_space(text, position + 1)
            elif text[position : position + 1] != "]":
                raise ValueError("the JSON breaks off here")
        # All but the rows, as a whole: nothing may be missing, and nothing follow.
        frame = json.loads(text[: found.end()] + text[position:])
        variables = frame["head"]["vars"]
        if not isinstance(variables, list) or frame["results"]["bindings"] != []:
            raise ValueError("its head names no variables")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _incomplete(text, file_name, place.line(min(position, len(text))), len(rows)) from error
    return tuple(str(name) for name in variables), rows


def _incomplete(text: str, file_name: str, line: int, rows: int) -> InputError:
    if "TimeoutException" in text or "SPARQL-QUERY:" in text:
        return InputError(
            f"{file_name} breaks off in line {line} after {rows:,} rows: the query service ran out of time.",
            "Nothing was loaded. Ask for smaller parts (a shorter span of days) and load their results.",
        )
    return InputError(
        f"{file_name} breaks off in line {line} after {rows:,} rows: these are no complete SPARQL results.",
        "Nothing was loaded. Ask the query again and save the whole reply.",
    )


def _binding(line: int, value: object, text: str) -> Row | BadRow:
    if not isinstance(value, dict):
        return BadRow(line, "this is not a binding in braces", text)
    cells: dict[str, str] = {}
    for name, term in value.items():
        if not isinstance(term, dict) or not isinstance(term.get("value"), str):
            return BadRow(line, f"the variable “{name}” has no value", readable(text))
        cell = _term(str(term.get("type", "literal")), term["value"].strip())
        if cell:
            cells[name] = cell
    problem = unusable(cells)
    return BadRow(line, problem, readable(text)) if problem else Row(line, cells)


def _term(kind: str, value: str) -> str:
    if kind == "bnode" or _GENID in value:
        return UNKNOWN_VALUE
    entity = _ENTITY.match(value) if kind == "uri" else None
    return entity.group(1) if entity else value
