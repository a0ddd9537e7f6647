"""How names are written elsewhere: transliterations, umlauts written out, small slips of the pen."""

from __future__ import annotations

import re
from functools import lru_cache

# Enough of two alphabets to know a name when somebody writes it in its own script.
_PAIRS = """
а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y
ь= э=e ю=yu я=ya і=i ї=yi є=ye ґ=g ў=u
α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o
"""
_LETTERS = {pair[0]: pair[2:] for pair in _PAIRS.split()}
#: Ways to write one sound; applied in this order to both names.
_SOUNDS = (
    (r"tsch|tch|tsh|cz", "ch"),
    (r"shch|sch", "sh"),
    (r"ts|tz", "z"),
    (r"kh", "h"),
    (r"gh", "g"),
    (r"ph", "f"),
    (r"th", "t"),
    (r"zh", "z"),
    (r"ck|q", "k"),
    (r"w", "v"),
    (r"([bcdfgklmnprstvz])\1", r"\1"),
    (r"^(?:y|j|i)e", "e"),
    (r"[ao]u|oo", "u"),
    (r"ue", "u"),
    (r"oe", "o"),
    (r"ae", "a"),
    (r"[yj]", "i"),
    (r"ee|ii|ie", "i"),
    (r"e[iy]", "ai"),
    (r"(?<=[aeo])ff?$", "v"),
    (r"h$", ""),
)
_SOUND_PATTERNS = tuple((re.compile(pattern), written) for pattern, written in _SOUNDS)
_LONG_ENOUGH_FOR_SLIPS = 7
#: Letters that may begin the same sound.
_FIRST = {letter: group[0] for group in ("ckqhg", "vwfp", "eyji", "zstd", "uo") for letter in group}


def in_latin(word: str) -> str:
    """A lower-case word of Greek or Cyrillic letters in Latin ones; others as they are."""
    if word.isascii():
        return word
    return "".join(_LETTERS.get(letter, letter) for letter in word)


@lru_cache(maxsize=50_000)
def sound(word: str) -> str:
    """What the ways to write a name have in common. `word` is lower case without accents."""
    word = in_latin(word)
    for pattern, written in _SOUND_PATTERNS:
        word = pattern.sub(written, word)
    return word


def is_slip(word: str, name: str) -> bool:
    """Whether a long name was miswritten by one letter (left out, doubled, taken for another, swapped)."""
    if min(len(word), len(name)) < _LONG_ENOUGH_FOR_SLIPS or word[0] != name[0]:
        return False
    # Loaded with the first look: the window's first page checks nothing, and it is fifty modules.
    from rapidfuzz.distance import OSA

    return OSA.distance(word, name, score_cutoff=1) <= 1


def first_sound(word: str) -> str:
    """What words that may sound alike begin with alike: a quick look before a long one. `word` is not empty."""
    letter = word[0]
    letter = letter if letter.isascii() else in_latin(letter)[:1] or letter
    return _FIRST.get(letter, letter)
