"""The rule `name`: where a request names x, by any name that gives it away, however it is spelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from btc_gui.domain.event import EventFacts
from btc_gui.domain.folding import without_accents
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.spelling import first_sound, is_slip, sound
from btc_gui.domain.lint.tokens import Text, Token
from btc_gui.domain.lint.words import CommonWords

_WORD = re.compile(r"[^\W_]+")
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
_INITIALS = re.compile(r"(?<![\w.])(?:[A-Z]\. ?){2,}|(?<![\w.])[A-Z]{3,5}(?!\w)")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")
_DERIVED = ("esques", "esque", "ians", "ian", "eans", "ean", "ists", "ist", "ites", "ite", "isms", "ism")
_JOINTS = re.compile(r"[ .,'\"\-‐‑]{0,3}\Z")
_SHORT, _LONG_ENOUGH = 3, 5
_MOST_WORDS = 7
#: So much longer may a name be in another spelling (“Müller”, “Mueller”; “Zelensky”, “Zelenskyy”).
_MORE_LETTERS = 4


class _Kind(Enum):
    FULL = "full"
    LAST = "last"
    FIRST = "first"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class _Name:
    """A name to look for, its words joined and in small letters. `shown` is as people write it."""

    shown: str
    kind: _Kind
    is_ordinary: bool


class NameFinder:
    """Finds the names of one entity in texts."""

    def __init__(self, facts: EventFacts, common: CommonWords, *, is_person: bool = True) -> None:
        self._common = common
        self._particles = common.particles
        self._plain_words = common.ordinary | common.titles | common.particles
        self._exact: dict[str, _Name] = {}
        self._own: set[str] = set()
        self._small_starts: set[str] = set()
        self._initials: set[str] = set()
        self._first_letters: set[str] = set()
        self._spaceless: list[str] = []
        self._sounds: dict[str, _Name] = {}
        names = [_bare(facts.entity), _bare(facts.article), *(_bare(alias) for alias in facts.aliases)]
        for name in dict.fromkeys(name for name in names if name):
            if _SPACELESS.search(name):
                self._spaceless.append(name)
            elif is_person:
                self._add_person(name)
            else:
                self._add_place(name)
        for joined, known in self._exact.items():
            is_telling = known.kind in (_Kind.FULL, _Kind.LAST) and not known.is_ordinary
            if is_telling and len(joined) >= _LONG_ENOUGH and len(sound(joined)) >= _LONG_ENOUGH - 1:
                self._sounds.setdefault(sound(joined), known)
        self._slips = [
            joined for joined, name in self._exact.items() if name.kind is _Kind.LAST and not name.is_ordinary
        ]
        # What a first look needs, so that most words of a text are passed over at once.
        self._firsts = frozenset(first_sound(joined) for joined in self._exact)
        self._letters = max(map(len, self._exact), default=0) + _MORE_LETTERS

    # -- the names --------------------------------------------------------------------------------------------

    def _add(self, words: Iterable[str], kind: _Kind, shown: str) -> None:
        listed = [word.casefold() for word in words]
        if listed[0] in self._particles or kind is _Kind.FULL:
            # Several words are x in small letters too: “craig morton”.
            self._small_starts.add(listed[0])
        joined = "".join(listed)
        if len(joined) < 2:
            return
        is_ordinary = all(word in self._plain_words or len(word) == 1 for word in listed)
        self._exact.setdefault(joined, _Name(shown, kind, is_ordinary))

    def _add_person(self, name: str) -> None:
        plain = without_accents(name)
        chunks = [_WORD.findall(chunk) for chunk in re.split(r"[\s,]+", plain)]
        chunks = [chunk for chunk in chunks if chunk]
        while len(chunks) > 1 and chunks[0][0].casefold() in self._common.titles:
            del chunks[0]
        while len(chunks) > 1 and chunks[-1][-1].casefold() in self._common.suffixes:
            self._own.update(word.casefold() for word in chunks.pop())
        words = [word for chunk in chunks for word in chunk]
        # “Des” is a name at the beginning and “Das” at the end, both are particles in between.
        telling = [
            chunk
            for i, chunk in enumerate(chunks)
            if not (i and len(chunk) == 1 and chunk[0].casefold() in self._particles)
        ]
        self._own.update(word.casefold() for word in words)
        if len(words) == 1:
            self._add(words, _Kind.LAST, name)
            return
        self._add(words, _Kind.FULL, name)
        if len(telling) > 1:
            self._add_combinations(telling, chunks, name)
        self._add_parts(telling or chunks)

    def _add_combinations(self, telling: list[list[str]], chunks: list[list[str]], name: str) -> None:
        first, last = telling[0], telling[-1]
        letters = [chunk[0][0].casefold() for chunk in telling[:-1]]
        self._first_letters.update(letters)
        self._add([*first, *last], _Kind.FULL, name)
        self._add([*last, *first], _Kind.FULL, name)
        self._add([*last, *(word for chunk in chunks[:-1] for word in chunk)], _Kind.FULL, name)
        if len(first[0]) > 1:
            self._add([letters[0], *last], _Kind.FULL, name)
            self._add([*letters, *last], _Kind.FULL, name)
            self._add([*first, last[0][0]], _Kind.FULL, f"{' '.join(first)} {last[0][0]}.")
        # “van der Meer”, “Al Nuaimi”, “O'Brien”: one surname in several words.
        tail = chunks.index(last)
        while tail > 1 and chunks[tail - 1][0].casefold() in self._particles:
            tail -= 1
        surname = [word for chunk in chunks[tail:] for word in chunk]
        if len(surname) > 1:
            self._add(surname, _Kind.FULL, " ".join(surname))
            if surname[0].casefold() in self._particles and len(surname[-1]) > 2:
                self._add(surname[1:], _Kind.LAST, surname[-1])
        initials = "".join(word[0] for chunk in telling for word in chunk).upper()
        self._initials.update({initials, "".join(chunk[0][0] for chunk in telling).upper()})

    def _add_parts(self, telling: list[list[str]]) -> None:
        for place, chunk in enumerate(telling):
            is_last = place == len(telling) - 1
            for word in chunk:
                lower = word.casefold()
                is_particle = place > 0 and not is_last and lower in self._particles
                if len(word) < 2 or is_particle or (lower in self._common.titles and not is_last):
                    continue
                is_first = place == 0 or (not is_last and lower in self._common.given)
                self._add([word], _Kind.FIRST if is_first and len(telling) > 1 else _Kind.LAST, word)

    def _add_place(self, name: str) -> None:
        words = _WORD.findall(without_accents(name))
        self._own.update(word.casefold() for word in words)
        self._add(words, _Kind.FULL, name)
        common = self._common
        for word in words:
            lower = word.casefold()
            if (
                len(word) > _SHORT
                and lower not in common.place_words
                and lower not in common.capitalised | self._particles
            ):
                self._add([word], _Kind.PLACE, word)

    # -- finding ----------------------------------------------------------------------------------------------

    def find(self, text: Text) -> list[Finding]:
        """All places that name the entity, in order."""
        found: list[Finding] = []
        tokens = text.tokens
        place = 0
        while place < len(tokens):
            reach = 1
            token = tokens[place]
            may_begin = token.raw[0].isupper() or not text.has_capitals or token.lower in self._small_starts
            if may_begin and first_sound(token.lower) in self._firsts:
                hit = self._at(text, place)
                if hit is not None:
                    reach, finding = hit
                    found += [finding] if finding else []
            place += reach
        found += self._find_initials(text, found)
        found += self._find_spaceless(text)
        return sorted(found, key=lambda finding: finding.start)

    def names(self, text: Text) -> bool:
        """Whether the text names the entity for certain: by its full name, or by a distinctive part of it."""
        return any(finding.severity is Severity.ERROR for finding in self.find(text))

    def _at(self, text: Text, place: int) -> tuple[int, Finding | None] | None:
        """The longest name that begins with this word: how many words it takes, and what is wrong, if anything."""
        for reach, joined in reversed(list(_windows(text, place, self._letters))):
            name = self._exact.get(joined)
            if name is not None:
                return reach, self._judge(text, place, reach, name)
            if reach == 1 and (derived := self._derived(text, text.tokens[place])) is not None:
                return 1, derived
            if len(joined) >= _LONG_ENOUGH and (spelled := self._spelled(text, place, reach, joined)) is not None:
                return reach, spelled
        return None

    def _judge(self, text: Text, place: int, reach: int, name: _Name) -> Finding | None:
        tokens = text.tokens[place : place + reach]
        if name.kind is _Kind.FULL:
            if (
                name.is_ordinary
                and text.has_capitals
                and not all(t.is_capital or t.lower in self._particles for t in tokens)
            ):
                return None
            return _finding(text, tokens, Severity.ERROR, f"It names x: “{name.shown}”.")
        if not tokens[0].is_capital and (text.has_capitals or name.is_ordinary or len(name.shown) <= _SHORT):
            return None
        return self._judge_part(text, place, name)

    def _judge_part(self, text: Text, place: int, name: _Name) -> Finding | None:
        token = text.tokens[place]
        around = _Around(text, place, self._own, self._common, self._first_letters)
        if len(token.raw) <= _SHORT and token.raw.isupper() and not name.shown.isupper():
            return None
        if around.is_titled and not (name.kind is _Kind.FIRST and around.is_followed):
            return _finding(text, [token], Severity.ERROR, f"It names x: “{name.shown}” after a title.")
        if around.is_kin:
            return None
        if around.is_of_another or around.is_half:
            why = f"It names somebody who shares a name with x: “{name.shown}”."
            return _finding(text, [token], Severity.NOTE, why)
        if name.kind is _Kind.FIRST:
            return self._judge_first(text, token, around, name)
        if name.kind is _Kind.PLACE:
            return _finding(text, [token], Severity.WARNING, f"It has a distinctive part of x's name: “{name.shown}”.")
        return self._judge_last(text, token, around, name)

    def _judge_first(self, text: Text, token: Token, around: _Around, name: _Name) -> Finding | None:
        lower = token.lower
        if around.is_followed or lower in self._common.capitalised:
            return None
        if lower in self._common.ordinary and (token.begins and not around.is_possessive):
            return None
        return _finding(text, [token], Severity.WARNING, f"“{name.shown}” is a name of x.")

    def _judge_last(self, text: Text, token: Token, around: _Around, name: _Name) -> Finding | None:
        lower, common = token.lower, self._common
        if lower in common.capitalised:
            # A capital tells nothing of “May” and “Jackson”, but “like May” does.
            why = f"“{name.shown}” is a name of x: it may be x that is meant."
            return _finding(text, [token], Severity.WARNING, why) if around.is_compared else None
        if lower in common.given and around.is_followed:
            return None
        if lower in common.ordinary:
            if around.is_followed or (around.is_after_the and lower in common.titles):
                return None
            if token.begins:
                why = f"“{name.shown}” is a name of x and an English word: it may be x that is meant."
                return _finding(text, [token], Severity.WARNING, why) if around.is_possessive else None
        return _finding(text, [token], Severity.ERROR, f"It names x: “{name.shown}”.")

    def _derived(self, text: Text, token: Token) -> Finding | None:
        for ending in (*_DERIVED, "s"):
            name = self._exact.get(token.lower[: -len(ending)]) if token.lower.endswith(ending) else None
            if name is None or name.kind is not _Kind.LAST or name.is_ordinary or not token.is_capital:
                continue
            if len(token.lower) - len(ending) >= _LONG_ENOUGH:
                return _finding(text, [token], Severity.ERROR, f"It is made from x's name: “{name.shown}”.")
        return None

    def _spelled(self, text: Text, place: int, reach: int, joined: str) -> Finding | None:
        """A name in another spelling. Common words and common given names are never taken for one."""
        tokens, common = text.tokens[place : place + reach], self._common
        if reach == 1 and (joined in common.ordinary or joined in common.capitalised or joined in common.given):
            return None
        if not tokens[0].is_capital and (reach == 1 or tokens[0].lower not in self._particles):
            return None
        name = self._sounds.get(sound(joined)) if len(joined) <= self._letters else None
        if name is None and reach == 1 and not tokens[0].begins:
            slip = next((known for known in self._slips if is_slip(joined, known)), None)
            name = self._exact[slip] if slip else None
        if name is None:
            return None
        if name.kind is _Kind.LAST:
            around = _Around(text, place, self._own, common, self._first_letters)
            if (around.is_of_another and not around.is_titled) or around.is_half:
                return None
        severity = Severity.ERROR if name.kind is _Kind.FULL else Severity.WARNING
        return _finding(text, tokens, severity, f"It may be another spelling of x's name “{name.shown}”.")

    def _find_initials(self, text: Text, found: list[Finding]) -> Iterator[Finding]:
        for match in _INITIALS.finditer(text.plain):
            letters = match.group().replace(".", "").replace(" ", "")
            is_plain = "." not in match.group()
            if letters not in self._initials or (is_plain and letters.casefold() in self._common.abbreviations):
                continue
            start, stop = text.span(match.start(), match.end())
            if not any(finding.start < stop and start < finding.end for finding in found):
                excerpt = text.original[start:stop].strip()
                yield Finding(
                    "name", Severity.WARNING, start, start + len(excerpt), excerpt, "These are the initials of x."
                )

    def _find_spaceless(self, text: Text) -> Iterator[Finding]:
        for name in self._spaceless:
            start = text.original.find(name)
            if start >= 0:
                stop = start + len(name)
                yield Finding("name", Severity.ERROR, start, stop, name, f"It names x: “{name}”.")


class _Around:
    """What stands around a word that may be a name of x: is it x, or somebody who shares it?"""

    def __init__(self, text: Text, place: int, own: set[str], common: CommonWords, first_letters: set[str]) -> None:
        tokens = text.tokens
        token = tokens[place]
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        gap_before = text.gap(before, token) if before else ""
        gap_after = text.gap(token, after) if after else ""
        self.is_possessive = text.plain[token.stop : token.stop + 2] in ("'s", "s'")
        self.is_after_the = before is not None and before.lower == "the"
        self.is_followed = after is not None and gap_after == " " and after.is_capital and after.lower not in own
        self.is_titled = self.is_of_another = self.is_half = False
        if before is not None:
            if gap_before in (" ", ". ", "."):
                self._look_before(before, own, common, first_letters, gap_before)
            elif gap_before == "-":
                is_name = before.is_capital and len(before.raw) > 1 and before.lower not in common.prefixes
                self.is_half = is_name and before.lower not in own
        if after is not None and gap_after == "-" and after.is_capital and after.lower not in own:
            self.is_half = True
        near = {t.lower for t in tokens[max(0, place - 2) : place]}
        is_of = before is not None and before.lower == "of" and bool(near & common.standing)
        self.is_compared = not self.is_followed and (is_of or (before is not None and before.lower in common.comparing))
        self.is_kin = bool(near & common.kin)

    def _look_before(
        self, before: Token, own: set[str], common: CommonWords, first_letters: set[str], gap: str
    ) -> None:
        if not before.is_capital:
            return
        if before.lower in common.titles and before.lower not in own:
            self.is_titled = True
        elif len(before.raw) == 1:
            self.is_of_another = before.lower not in first_letters and before.raw not in ("I", "A")
        elif gap == " " and before.lower not in own:
            is_given = before.lower in common.given
            self.is_of_another = is_given if before.begins else is_given or before.lower not in common.capitalised


def _windows(text: Text, place: int, letters: int) -> Iterator[tuple[int, str]]:
    """The words from here on, one, two, three… joined, as long as no more than a space or a hyphen parts them.

    They end before they have more than so many letters, but for the first word.
    """
    tokens = text.tokens
    joined = ""
    for reach in range(1, min(_MOST_WORDS, len(tokens) - place) + 1):
        token = tokens[place + reach - 1]
        if reach > 1 and not _JOINTS.match(text.gap(tokens[place + reach - 2], token)):
            return
        joined += token.lower
        if reach > 1 and len(joined) > letters:
            return
        yield reach, joined


def _finding(text: Text, tokens: Sequence[Token], severity: Severity, why: str) -> Finding:
    start, stop = text.span(tokens[0].start, tokens[-1].stop)
    return Finding("name", severity, start, stop, text.original[start:stop], why)


def _bare(name: str) -> str:
    return _DISAMBIGUATION.sub("", name).strip()
