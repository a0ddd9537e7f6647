"""The words that rules go by: general ones of resources/lint, and a category's own (lint.toml in its folder)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.lint import Severity
from btc_gui.errors import SettingsError
from btc_gui.outside_data import toml_from

_SAMPLE = 60


@dataclass(frozen=True, slots=True)
class Phrases:
    """Some patterns with one meaning. A hit counts unless it lies within a hit of `unless`."""

    hits: re.Pattern[str]
    unless: re.Pattern[str] | None
    severity: Severity
    why: str

    def search(self, text: str) -> list[tuple[int, int]]:
        """Where the patterns hit, in order."""
        found = [match.span() for match in self.hits.finditer(text)]
        if not found or self.unless is None:
            return found
        excused = [match.span() for match in self.unless.finditer(text)]
        return [
            (start, stop) for start, stop in found if not any(begin < stop and start < end for begin, end in excused)
        ]


@dataclass(frozen=True, slots=True)
class CategoryWords:
    """A category's words. `words` tell of its event; `needs` must occur, else a request lacks what it needs.

    A category without a lint.toml has neither, and only the general rules apply to its probes.
    """

    is_person: bool = True
    words: tuple[Phrases, ...] = ()
    needs: Phrases | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class CommonWords:
    """What the rules know of English, whatever the category."""

    ordinary: frozenset[str]
    capitalised: frozenset[str]
    given: frozenset[str]
    titles: frozenset[str]
    abbreviations: frozenset[str]
    particles: frozenset[str]
    suffixes: frozenset[str]
    prefixes: frozenset[str]
    kin: frozenset[str]
    comparing: frozenset[str]
    standing: frozenset[str]
    place_words: frozenset[str]
    function_words: frozenset[str]
    past: frozenset[str]
    present: frozenset[str]
    modals: frozenset[str]
    openers: frozenset[str]
    no_singular: frozenset[str]
    phrases: Mapping[str, tuple[Phrases, ...]]
    limits: Mapping[str, int]
    source: str = field(default="", repr=False)


def load_category_words(folder: Path) -> CategoryWords:
    """A category's words from its lint.toml; none for a category that is not there or has no such file.

    Raises `SettingsError` naming the file and what is wrong in it.
    """
    if not (folder / "category.toml").is_file():
        return CategoryWords()
    _, category = _read_toml(folder / "category.toml")
    is_person = bool(category.get("rules", {}).get("human"))
    path = folder / "lint.toml"
    if not path.is_file():
        return CategoryWords(is_person)
    text, table = _read_toml(path)
    return CategoryWords(
        is_person=is_person,
        words=_phrases_of(path, table, "words", Severity.ERROR),
        needs=_phrases(path, "needs", table["needs"], Severity.WARNING) if "needs" in table else None,
        source=text,
    )


_FILES = {
    "ordinary": "ordinary_words.txt",
    "capitalised": "capitalised_words.txt",
    "given": "given_names.txt",
    "titles": "titles.txt",
    "abbreviations": "abbreviations.txt",
}
_LISTS = (
    *("particles", "suffixes", "prefixes", "kin", "comparing", "standing", "place_words"),
    *("function_words", "past", "present", "modals", "openers", "no_singular"),
)
_PHRASES = ("request", "asks", "one_answer", "several", "singles_out")


def load_common_words(folder: Path) -> CommonWords:
    """The general words of a folder. Raises `SettingsError`."""
    path = folder / "phrases.toml"
    text, table = _read_toml(path)
    words = {name: _read_words(folder / file) for name, file in _FILES.items()}
    written = table.get("words", {})
    for name in _LISTS:
        if not isinstance(written.get(name), str):
            raise SettingsError(f"{path}: [words] lacks the text “{name}”.")
        words[name] = frozenset(written[name].split())
    return CommonWords(
        **words,
        phrases={kind: _phrases_of(path, table, kind, Severity.WARNING) for kind in _PHRASES},
        limits={key: int(value) for key, value in table["limits"].items()},
        source=hash_of([text, *(sorted(words[name]) for name in _FILES)]),
    )


def _read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        return text, toml_from(text)
    except (OSError, ValueError) as error:
        raise SettingsError(f"The words of the linter {path} can't be read: {error}.") from error


def _read_words(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The words of the linter {path} can't be read: {error}.") from error
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _phrases_of(path: Path, table: Mapping[str, object], key: str, severity: Severity) -> tuple[Phrases, ...]:
    entries = table.get(key, [])
    if not isinstance(entries, list):
        raise SettingsError(f"{path}: “{key}” must be a list of tables, [[{key}]].")
    return tuple(_phrases(path, key, entry, severity) for entry in entries)


def _phrases(path: Path, key: str, entry: object, severity: Severity) -> Phrases:
    if not isinstance(entry, dict) or not isinstance(entry.get("patterns"), list):
        raise SettingsError(f"{path}: “{key}” lacks its list “patterns”.")
    try:
        level = Severity(str(entry.get("severity", severity)))
    except ValueError:
        known = ", ".join(Severity)
        raise SettingsError(f"{path}: “{key}” has an unknown severity “{entry['severity']}” ({known}).") from None
    unless = entry.get("unless", [])
    return Phrases(
        hits=_compile(path, key, entry["patterns"]),
        unless=_compile(path, key, unless) if unless else None,
        severity=level,
        why=" ".join(str(entry.get("why", "")).split()),
    )


def _compile(path: Path, key: str, patterns: list[object]) -> re.Pattern[str]:
    # A space stands for any white space. Whole words, unless a pattern says otherwise itself.
    joined = _by_first_letter([str(pattern).replace(" ", r"\s+") for pattern in patterns])
    try:
        return re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)
    except re.error as error:
        wrong = next((str(pattern) for pattern in patterns if not _is_pattern(str(pattern))), joined)
        raise SettingsError(f"{path}: a pattern of “{key}” is wrong ({error}): {wrong[:_SAMPLE]}") from error


def _by_first_letter(patterns: list[str]) -> str:
    """The patterns as one. Those that begin with the same letter share it: at most places none is then tried."""
    shared: dict[str, list[str]] = {}
    others: list[str] = []
    for pattern in patterns:
        if pattern[:1].isalpha() and pattern[1:2] not in ("?", "*", "+", "{") and "|" not in _outside_groups(pattern):
            shared.setdefault(pattern[0].lower(), []).append(pattern[1:])
        else:
            others.append(pattern)
    return "|".join([*(f"{letter}(?:{'|'.join(rest)})" for letter, rest in sorted(shared.items())), *others])


def _outside_groups(pattern: str) -> str:
    depth, kept = 0, []
    for character in pattern:
        depth += (character == "(") - (character == ")")
        kept += [character] if depth == 0 else []
    return "".join(kept)


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True
