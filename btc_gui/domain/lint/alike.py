"""The rules `duplicate` and `variety`: probes that say the same as others.

Nearly equal texts among many are found by prints: the least hashes of a text's triples of words. Texts of which half
the triples are the same share a print nearly always (1 − 0.5¹² of the time), so only those few are compared in full.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar
from zlib import crc32

from btc_gui.domain.folding import without_accents
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.probe import ProbeText

Key = TypeVar("Key", bound=Hashable)
_WORD = re.compile(r"[^\W_]+")
_PRINTS = 12
#: A print that so many probes share is a turn of phrase and tells nothing.
COMMON_PRINT = 60
_SAME_FIELD = 85
_CERTAIN = 97


def plain_wording(text: str) -> str:
    """The words of a text without case, accents and marks: what is compared."""
    return " ".join(_WORD.findall(without_accents(text).casefold()))


def prints(plain: str) -> tuple[int, ...]:
    """The least hashes of a plain wording's word triples."""
    words = plain.split(" ")
    if len(words) < 3:
        return (crc32(plain.encode()),) if plain else ()
    triples = {crc32(f"{a} {b} {c}".encode()) for a, b, c in zip(words, words[1:], words[2:], strict=False)}
    return tuple(sorted(triples)[:_PRINTS])


def likeness(one: str, other: str, at_least: int) -> float:
    """How alike two plain wordings are, in percent; 0 below `at_least`."""
    # Loaded with the first comparison: the first page of the window compares nothing, and it is fifty modules.
    from rapidfuzz import fuzz

    return fuzz.ratio(one, other, score_cutoff=at_least)


def candidates(by_print: Mapping[int, Sequence[Key]], mine: Iterable[int]) -> set[Key]:
    """Who shares a telling print."""
    found: set[Key] = set()
    for each in mine:
        sharing = by_print.get(each, ())
        if len(sharing) <= COMMON_PRINT:
            found.update(sharing)
    return found


def index_prints(all_prints: Mapping[Key, Iterable[int]]) -> dict[int, list[Key]]:
    """By print, who has it."""
    found: dict[int, list[Key]] = defaultdict(list)
    for key, mine in all_prints.items():
        for each in mine:
            found[each].append(key)
    return found


def duplicate_finding(percent: float, other: str, *, is_sibling: bool) -> Finding:
    """A probe that says the same as an earlier one, which is called `other`."""
    severity = Severity.ERROR if percent >= _CERTAIN else Severity.WARNING
    whose = "of the same event" if is_sibling else "of another event"
    why = f"Its wording is {percent:.0f} % that of {other}, a probe {whose}."
    return Finding("duplicate", severity, 0, 0, "", why)


def find_monotony(content: ProbeText, earlier: Sequence[tuple[str, ProbeText]], shared: Sequence[str]) -> list[Finding]:
    """Whether a probe varies too little from the earlier ones (name and content) of its event.

    Two of requester, situation and consequence must be new against each of them. `shared` are the fields that all
    of the event's probes have in common. What nobody wrote down can't be compared.
    """
    for name, other in earlier:
        same = [field for field in _FIELDS if _is_same(getattr(content, field), getattr(other, field))]
        if len(same) >= 2:
            why = f"It has the {_list(same)} of {name}: an event's probes should differ in them."
            return [Finding("variety", Severity.WARNING, 0, 0, "", why)]
    if shared and earlier:
        why = f"All of the event's probes have the same {_list(shared)}."
        return [Finding("variety", Severity.WARNING, 0, 0, "", why)]
    return []


def shared_fields(contents: Sequence[ProbeText]) -> list[str]:
    """Which of requester, situation and consequence all of three or more probes have in common."""
    if len(contents) < 3:
        return []
    first, *others = contents
    return [
        field for field in _FIELDS if all(_is_same(getattr(first, field), getattr(other, field)) for other in others)
    ]


_FIELDS = ("requester", "situation", "consequence")


def _is_same(one: str, other: str) -> bool:
    if not one or not other:
        return False
    from rapidfuzz import fuzz

    return one == other or fuzz.token_sort_ratio(one.casefold(), other.casefold()) >= _SAME_FIELD


def _list(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))
