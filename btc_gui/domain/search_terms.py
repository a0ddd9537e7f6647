"""What people write into the search of cases: words, "phrases", OR, -not, field:, prefix*, NEAR, brackets.

All words must occur in the same case, wherever in it; `field:` says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from btc_gui.domain.search_words import Unit, units
from btc_gui.errors import InputError

#: Where words can be looked for, and what each name means.
FIELDS: Final = {
    "answer": "the final answer",
    "query": "search queries, and what other tools were asked",
    "result": "what searches and tools gave back: titles and the text that was delivered",
    "reasoning": "the agent's reasoning and messages on the way",
    "probe": "the probe's wording, or what a sample of a log was asked",
    "entity": "the name of the person, office or place that changed",
}
_DISTANCE, _FARTHEST = 10, 100
_LEAST_PREFIX = 2
_HOW = "Write words, “a phrase”, word*, OR, -not, or a field such as answer: or query: before a word."
_QUOTES = '"“”„«»'
_TOKEN = re.compile(
    rf"\s*(?:(?P<bracket>[()])|(?P<minus>-(?=[^\s)]))|(?P<quote>[{_QUOTES}])"
    rf"|(?P<field>[A-Za-z]+):|(?P<word>[^\s(){_QUOTES}]+))"
)


@dataclass(frozen=True, slots=True)
class Words:
    """Words that stand one behind the other; with `begins` the last one may go on."""

    text: str
    field: str = ""
    begins: bool = False

    @property
    def units(self) -> list[Unit]:
        """The words as they are compared."""
        return units(self.text)


@dataclass(frozen=True, slots=True)
class Near:
    """Two of them with at most so many words between."""

    left: Words
    right: Words
    distance: int = _DISTANCE


@dataclass(frozen=True, slots=True)
class Both:
    """All of these."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of these, or several."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Without:
    """All cases but these."""

    part: Term


Term = Words | Near | Both | Either | Without


def wanted_words(term: Term) -> Iterator[Words]:
    """The words that are to occur (not those that must not), in the order in which they were written."""
    if isinstance(term, Words):
        yield term
    elif isinstance(term, Near):
        yield from (term.left, term.right)
    elif isinstance(term, Both | Either):
        for part in term.parts:
            yield from wanted_words(part)


def parse(text: str) -> Term:
    """The meaning of a search. Raises `InputError` in words for one that can't be understood."""
    reader = _Reader(list(_tokens(text)))
    term = reader.read_all()
    if term is None:
        raise InputError(f"“{text.strip()[:40]}” has no letter or digit to search for.", _HOW)
    return term


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            return
        place = found.end()
        kind = found.lastgroup or ""
        if kind == "quote":
            close = next((i for i in range(place, len(text)) if text[i] in _QUOTES), None)
            if close is None:
                raise InputError(f"The phrase “{text[place : place + 40]}” has no closing quote.", _HOW)
            yield _Token("phrase", text[place:close])
            place = close + 1
        elif kind == "field":
            name = found["field"].lower()
            if name in FIELDS:
                yield _Token("field", name)
                continue
            like = get_close_matches(name, FIELDS, 1, 0.75)
            if like:
                raise InputError(
                    f"There is no field “{name}:”.", f"Did you mean {like[0]}:? Fields: {', '.join(FIELDS)}."
                )
            # Such as an address: the rest of the word belongs to it.
            rest = re.compile(rf"[^\s(){_QUOTES}]*").match(text, place)
            assert rest is not None
            yield _Token("word", found["field"] + ":" + rest.group())
            place = rest.end()
        else:
            yield _Token(kind, found[kind])


class _Reader:
    """Reads tokens into a term: brackets bind closest, then not, then (implied) and, then OR."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def _next(self) -> _Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _is(self, kind: str, text: str) -> bool:
        token = self._next()
        return token is not None and token.kind == kind and token.text == text

    def read_all(self) -> Term | None:
        term = self._either("")
        if self._next() is not None:
            raise InputError("There is a closing bracket without an opening one.", _HOW)
        return term

    def _either(self, field: str) -> Term | None:
        parts, is_open = [self._both(field)], False
        while self._is("word", "OR"):
            if parts[-1] is None:
                raise InputError("OR needs something to search for on both sides.", _HOW)
            self._place += 1
            parts.append(self._both(field))
            is_open = True
        if is_open and parts[-1] is None:
            raise InputError("OR needs something to search for on both sides.", _HOW)
        found = tuple(part for part in parts if part is not None)
        return Either(found) if len(found) > 1 else found[0] if found else None

    def _both(self, field: str) -> Term | None:
        parts: list[Term] = []
        while (token := self._next()) is not None:
            if self._is("word", "OR") or self._is("bracket", ")"):
                break
            if self._is("word", "AND"):
                self._place += 1
                continue
            near = re.fullmatch(r"NEAR(?:/(\d{1,4}))?", token.text) if token.kind == "word" else None
            if near is not None:
                parts.append(self._near(parts.pop() if parts else None, near, field))
                continue
            part = self._one(field)
            if part is not None:
                parts.append(part)
        return Both(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None

    def _near(self, left: Term | None, near: re.Match[str], field: str) -> Term:
        self._place += 1
        right = self._one(field) if self._next() is not None else None
        distance = int(near.group(1) or _DISTANCE)
        if not (isinstance(left, Words) and isinstance(right, Words)):
            raise InputError("NEAR needs a word or a phrase on both sides.", "Such as: left NEAR/5 “prime minister”.")
        if left.field != right.field:
            raise InputError("NEAR needs both sides in the same field.", "Such as: query:(resigned NEAR/5 minister).")
        if distance > _FARTHEST:
            raise InputError(f"NEAR/{distance} is too far.", f"At most NEAR/{_FARTHEST}.")
        return Near(left, right, distance)

    def _one(self, field: str) -> Term | None:
        token = self._next()
        assert token is not None
        self._place += 1
        if token.kind == "minus" or (token.kind == "word" and token.text == "NOT"):
            if self._next() is None or self._is("bracket", ")"):
                raise InputError("There is nothing after the “not”.", _HOW)
            part = self._one(field)
            return Without(part) if part is not None else None
        if token.kind == "field":
            if self._next() is None or self._is("bracket", ")"):
                raise InputError(f"There is nothing to search for after “{token.text}:”.", _HOW)
            return self._one(token.text)
        if token.kind == "bracket":
            return self._bracket(token, field)
        return _words(token, field)

    def _bracket(self, token: _Token, field: str) -> Term | None:
        if token.text == ")":
            raise InputError("There is a closing bracket without an opening one.", _HOW)
        self._depth += 1
        if self._depth > 50:
            raise InputError("There are too many brackets within brackets.", _HOW)
        term = self._either(field)
        if not self._is("bracket", ")"):
            raise InputError("A bracket is not closed.", _HOW)
        self._place += 1
        self._depth -= 1
        return term


def _words(token: _Token, field: str) -> Words | None:
    begins = token.kind == "word" and token.text.endswith("*")
    found = units(token.text)
    if not found:
        return None
    last = found[-1]
    if begins and not last.is_run and len(last.text) < _LEAST_PREFIX:
        raise InputError(f"“{token.text[:40]}” begins too many words.", "Write two letters or more before the star.")
    return Words(token.text.rstrip("*") if begins else token.text, field, begins)
