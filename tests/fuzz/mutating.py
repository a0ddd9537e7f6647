"""Real files, damaged: bytes turned, cut, doubled and moved, and values replaced by those that break programs.

`BTC_FUZZ=long` tries a hundred times as many files, other ones each time; `BTC_FUZZ=5` five times as many.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

_TIMES: Final = {"": 1, "long": 100}.get(os.environ.get("BTC_FUZZ", "")) or int(os.environ["BTC_FUZZ"])
IS_LONG: Final = _TIMES > 1
#: Processor time that one file may take: hundreds of times what it does take.
LONGEST_SECONDS: Final = 20.0

_NUMBERS = (
    *("1e999", "-1e999", "NaN", "Infinity", "-Infinity", "inf", "nan", "1e308", "-0.0", "-1", "0", "1.5", "0x10"),
    *("1_000", "1,000", "²", "١٢", "9223372036854775808", "-9223372036854775809", "1e400", "+5", " 7 ", "01"),
    *("1" + "0" * 400, "9" * 5_000),
)
_WORDS = (
    *("", " ", "\\ud800", "\\udfff\\ud800", "\\u0000", "\\n", "\\r\\n", "\\t", "\\u2028", "\\ufeff", "\\u202e"),
    *("../../etc/passwd", "/etc/passwd", "C:\\\\Windows\\\\x", "\\\\\\\\server\\\\share", "CON", "nul.txt", "x."),
    *("<b>x</b><img src=x>", "=1+1", "%s%n", "{0}", "\\\\input{x}", "' OR 1=1 --", "x" * 300, "x" * 70_000, "é́́" * 50),
    *("2026-02-30", "2026-13-01", "0000-00-00", "99999-01-01", "-0044-03-15", "2026-05-09T25:00:00Z", "+2026-05-00"),
    *("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "2026-05-09T10:00:00+99:99", "2026-W19-6", "20260509"),
    *("Q0", "Q", "Q99999999999999999999", "q1", "http://www.wikidata.org/entity/Q1", "mailto:x", "0", "1", "true"),
)
_PARTS = (
    *("null", "true", "false", "[]", "{}", "[[]]", '[null, 1, "x", {}]', '{"a": 1, "a": 2}', '{"": ""}', "[" * 5_000),
    *("[" * 300 + "]" * 300, '{"a":' * 300 + "1" + "}" * 300, "[" * 5_000 + "]" * 5_000, '{"a":' * 5_000, '"', "{"),
)
#: What may stand in the place of a value, in JSON, TOML and CSV alike.
VALUES: Final = (*_NUMBERS, *(f'"{word}"' for word in _WORDS), *_WORDS, *_PARTS)
#: What may get between bytes.
BYTES: Final = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", b"\xfe\xff", b"\x1a", b"\x1b[2J", b"\x7f", b"\x85"),
    *(b"\r", b"\n", b"\r\n", b"\n\n", b"\xe2\x80\xa8", b"\x0b", b"\x0c", b"\x1c", b'"', b'""', b"'", b",", b";", b"\t"),
    *(b"{", b"}", b"[", b"]", b":", b"\\", b"#", b"=", b"-", b"|", b" "),
)
_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.){0,400}"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b|(?<=,)[^,"\n\r]*(?=,)')

Mutate = Callable[[bytes], bytes]


def _at(text: bytes, place: int) -> int:
    return place % (len(text) + 1)


def _turn(text: bytes, place: int, value: int) -> bytes:
    start = _at(text, place)
    return text[:start] + bytes([value]) + text[start + 1 :]


def _insert(text: bytes, place: int, piece: bytes) -> bytes:
    start = _at(text, place)
    return text[:start] + piece + text[start:]


def _cut(text: bytes, place: int, length: int) -> bytes:
    start = _at(text, place)
    return text[:start] + text[start + length :]


def _double(text: bytes, place: int, length: int) -> bytes:
    start = _at(text, place)
    return text[: start + length] + text[start:]


def _move(text: bytes, place: int, other: int, length: int) -> bytes:
    start = _at(text, place)
    piece, rest = text[start : start + length], text[:start] + text[start + length :]
    return _insert(rest, other, piece)


def _replace(text: bytes, number: int, value: str) -> bytes:
    """Another value in the place of one, wherever values of JSON, TOML or CSV seem to stand."""
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return _insert(text, number, value.encode())
    token = tokens[number % len(tokens)]
    return text[: token.start()] + value.encode() + text[token.end() :]


_PLACE = st.integers(0, 2**24)
_LENGTH = st.one_of(st.integers(1, 8), st.integers(1, 4_000), st.just(2**24))
_MUTATIONS: tuple[st.SearchStrategy[tuple[Any, ...]], ...] = (
    st.tuples(st.just(_replace), _PLACE, st.sampled_from(VALUES)),
    st.tuples(st.just(_replace), _PLACE, st.text(max_size=8)),
    st.tuples(st.just(_insert), _PLACE, st.sampled_from(BYTES)),
    st.tuples(st.just(_insert), _PLACE, st.binary(min_size=1, max_size=6)),
    st.tuples(st.just(_turn), _PLACE, st.integers(0, 255)),
    st.tuples(st.just(_cut), _PLACE, _LENGTH),
    st.tuples(st.just(_double), _PLACE, _LENGTH),
    st.tuples(st.just(_move), _PLACE, _PLACE, st.integers(1, 400)),
)
#: Without those that tear: what comes out is still well-formed, more often than not.
_VALUES_ONLY = _MUTATIONS[:2]


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes], *, most: int = 4, values_only: bool = False) -> bytes:
    """One of the files, damaged up to `most` times; `values_only` leaves its form alone as far as may be."""
    text = draw(st.sampled_from(seeds))
    for mutation in draw(st.lists(st.one_of(_VALUES_ONLY if values_only else _MUTATIONS), min_size=1, max_size=most)):
        apply, *arguments = mutation
        # Lone surrogates can't be encoded: they come as escapes in JSON and as bytes that are no UTF-8.
        safe = [each.encode("utf-8", "replace").decode() if isinstance(each, str) else each for each in arguments]
        text = apply(text, *safe)
    return text


def fuzz(examples: int) -> settings:
    """So many files in the suite, always the same ones; a hundred times as many others in the long run."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    checks += [HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much]
    if IS_LONG:
        return settings(
            max_examples=examples * _TIMES,
            deadline=None,
            derandomize=False,
            database=None,
            suppress_health_check=checks,
        )
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=checks)


@contextmanager
def no_hang(seconds: float = LONGEST_SECONDS) -> Iterator[None]:
    """Fail when the block takes more processor time than that, wherever in Python it is then."""

    def stop(*_: object) -> None:
        raise AssertionError(f"it took more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def is_sentence(text: str) -> bool:
    """Whether a message is for a person: it says something, on lines that can be shown, and is no traceback."""
    return bool(text.strip()) and "Traceback" not in text and len(text) < 20_000
