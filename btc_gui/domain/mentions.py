"""Where a text mentions an entity: its full name, other names, and a person's surname."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from btc_gui.domain.event import EventFacts
from btc_gui.domain.folding import fold_accents, latin_key, plain_key

_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "v"})
#: Scripts written without spaces: a name in them has no word boundary around it.
_WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")


class NameKind(StrEnum):
    """Which of an entity's names was found. A surname alone may be somebody else's."""

    NAME = "name"
    ALIAS = "alias"
    SURNAME = "surname"


@dataclass(frozen=True, slots=True)
class Name:
    """A name to look for. `needs_capitals`: a single word, which may be a common word when written small."""

    text: str
    kind: NameKind
    needs_capitals: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found at `text[start:stop]` (a possessive's ending is left out)."""

    start: int
    stop: int
    kind: NameKind


def names_of(facts: EventFacts, *, is_person: bool = True) -> tuple[Name, ...]:
    """The names of an event's entity; a surname only for persons (“Museum” is not a museum's surname)."""
    full = _DISAMBIGUATION.sub("", facts.entity).strip()
    found = [_name(full, NameKind.NAME)]
    found += [_name(_DISAMBIGUATION.sub("", alias).strip(), NameKind.ALIAS) for alias in facts.aliases]
    words = [w for w in full.replace(",", " ").split() if w.strip(".").casefold() not in _SUFFIXES]
    if is_person and len(words) > 1 and len(words[-1].strip(".")) > 1:
        found.append(Name(words[-1], NameKind.SURNAME, needs_capitals=True))
    unique = {name.text.casefold(): name for name in reversed(found) if name.text}
    return tuple(sorted(unique.values(), key=lambda name: (-len(name.text), name.text)))


def _name(text: str, kind: NameKind) -> Name:
    return Name(text, kind, needs_capitals=len(text.split()) == 1)


def find_mentions(text: str, names: Sequence[Name]) -> list[Mention]:
    """All mentions in order, none overlapping, the longest name first.

    Accents, kinds of quotes and white space don't matter. Case does not for names of several words; a single
    word must start with a capital where the name does, so that “the price” is not Mr Price.
    """
    # Most texts name nobody: that is seen much faster than where a name stands.
    latin, plain = latin_key(text), ""
    possible: list[int] = []
    for word, places in _telling_words(tuple([name.text for name in names])):
        if not word.isascii():
            plain = plain or plain_key(text)
        if word in (latin if word.isascii() else plain):
            possible += places
    if not possible:
        return []
    folded = fold_accents(text)
    found: list[Mention] = []
    taken: list[tuple[int, int]] = []
    for name in [names[place] for place in sorted(possible)]:
        for start, stop in _spans(folded.text, name):
            if any(start < end and begin < stop for begin, end in taken):
                continue
            taken.append((start, stop))
            found.append(Mention(*folded.span(start, stop), name.kind))
    return sorted(found, key=lambda mention: mention.start)


@lru_cache(maxsize=256)
def _telling_words(names: tuple[str, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Words to look for, and the places of the names that can't be there without them: long ones that names share.

    Words are as `plain_key` writes them; Latin ones also as `latin_key` does.
    """
    words = [plain_key(name).split() or [""] for name in names]
    shared = Counter(word for own in words for word in set(own))
    telling: dict[str, list[int]] = {}
    for place, own in enumerate(words):
        telling.setdefault(max(own, key=lambda word: (shared[word] * len(word) ** 2, word)), []).append(place)
    return tuple((word, tuple(places)) for word, places in telling.items())


def _spans(text: str, name: Name) -> Iterable[tuple[int, int]]:
    plain, pattern = _pattern(name.text)
    if pattern is None:
        return
    for match in pattern.finditer(text):
        if name.needs_capitals and not _has_capitals(match.group(), plain):
            continue
        if name.kind is NameKind.SURNAME and _is_half_of_a_double_name(text, match.start(), match.end()):
            continue
        yield match.span()


@lru_cache(maxsize=1_024)
def _pattern(name: str) -> tuple[str, re.Pattern[str] | None]:
    """A name as it is folded, and what finds it in a folded text; None for one of spaces only."""
    plain = fold_accents(name).text
    pattern = r"\s+".join(re.escape(word) for word in plain.split())
    if not pattern:
        return plain, None
    before = "" if _is_spaceless(plain[0]) else r"(?<!\w)"
    after = "" if _is_spaceless(plain[-1]) else r"(?!\w)"
    return plain, re.compile(f"{before}{pattern}{after}", re.IGNORECASE)


def _has_capitals(found: str, name: str) -> bool:
    """Written as the name is (`McDonald`), or all in capitals as headlines are."""
    return found == name or (name[:1].isupper() and found.isupper()) or (found[:1] == name[:1] and found.istitle())


def _is_half_of_a_double_name(text: str, start: int, stop: int) -> bool:
    """Whether the word is part of `Burne-Jones`; `Jones-led` and `anti-Jones` are Jones."""
    if text[stop : stop + 1] == "-" and text[stop + 1 : stop + 2].isupper():
        return True
    before = re.search(r"(\w+)-$", text[:start][-40:])
    return before is not None and before.group(1)[0].isupper()


def _is_spaceless(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_WITHOUT_SPACES)
