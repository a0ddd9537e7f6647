"""JSON and TOML from outside. Whatever is in them, what can't be read is a `ValueError` with a reason for a person."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from typing import Any, NoReturn

#: What a JSON text may hold: anything. Who reads it has to look.
Json = Any
_LONGEST_SHOWN = 80
#: A value may be a comma and a digit in a text, and takes up to a hundred bytes once it is read.
_MOST_VALUES = 8_000_000
#: An escape that may be half of a surrogate pair.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def json_from(text: str, *, is_trusted: bool = False, allows_nan: bool = False, allows_halves: bool = False) -> Json:
    """The value of a JSON text. That keys are unambiguous is left to a sender who `is_trusted`: it takes a while.

    Where it `allows_nan`, what is no finite number (NaN, 1e999) is None: programs write it for a missing value. It
    `allows_halves` of surrogate pairs in a recording: models and pages do say them, and who stores them cleans them.

    Raises `ValueError` (`json.JSONDecodeError` where it is no JSON) also for an object with a key given twice, and for
    what no file or database of ours could hold: what is nested too deeply, half of a surrogate pair, numbers that are
    none (NaN) or have no end (1e999), and for so many values that they would fill the memory.
    """
    if has_too_many_values(text):
        raise ValueError(f"it holds more than {_MOST_VALUES // 1_000_000} million values")
    pairs = None if is_trusted else with_keys_once
    of_constant, of_float = (_none, _finite_or_none) if allows_nan else (_no_number, _finite)
    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=of_constant, parse_float=of_float)
        if not allows_halves and _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise _plain(error) from error
    return value


def has_too_many_values(text: str) -> bool:
    """Whether a JSON text would take most of a gigabyte and more once it is read, such as lists of lists of nothing."""
    return len(text) > _MOST_VALUES and sum(text.count(mark) for mark in ",[{") > _MOST_VALUES


def toml_from(text: str) -> dict[str, Json]:
    """The table of a TOML text.

    Raises `ValueError` (`tomllib.TOMLDecodeError` where it is no TOML) also for what is nested too deeply, and for a
    number with thousands of digits.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _plain(error) from error


def shown(value: Json) -> str:
    """A wrong value as it stands in a message: all of a large one would fill the screen."""
    try:
        text = repr(value)
    except ValueError:
        return "a number with thousands of digits"
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def with_keys_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """The object of some keys and values. Raises `ValueError` naming a key that is given twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise ValueError(f"the key “{times.most_common(1)[0][0][:40]}” is there twice")
    return values


def _no_number(written: str) -> NoReturn:
    raise ValueError(f"{written} is no number in JSON")


def _none(_written: str) -> None:
    return None


def _finite(written: str) -> float:
    number = _finite_or_none(written)
    if number is None:
        raise ValueError(f"the number {written[:40]} is too large")
    return number


def _finite_or_none(written: str) -> float | None:
    number = float(written)
    return number if math.isfinite(number) else None


def _plain(error: ValueError | RecursionError) -> ValueError:
    """The same error in words that name no part of Python."""
    if isinstance(error, RecursionError):
        return ValueError("it is nested too deeply")
    if isinstance(error, UnicodeEncodeError):
        return ValueError("it holds half of a surrogate pair (\\ud800 to \\udfff), which is no character")
    if "integer string conversion" in str(error):
        return ValueError("a number in it has thousands of digits")
    return error
