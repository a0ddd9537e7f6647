"""How a text becomes words that a search can find: the one rule for what is indexed, asked and marked.

Case and accents don't matter. Scripts that are written without spaces (Chinese, Japanese, Thai…) have no words to
split at: of them each pair of neighbouring characters is a word, so that any part of a text is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from btc_gui.domain.folding import search_key

#: Stands between two texts of one field, so that no phrase is found across them. A private character: in no text.
BREAK = "\ue000"
# Chinese, Japanese (voicing marks are folded away), Thai, Lao, Burmese, Khmer, and signs drawn as pictures.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\u2600-\u27bf\U0001f300-\U0001faff\U00020000-\U0003ffff"
)
# Vowel signs of Indian scripts are no letters to Python, though words are made of them.
_MARKED = "\u0900-\u0963\u0966-\u0dff\u0f00-\u0fff"
_LETTER = rf"(?![{_UNSPACED}])(?:[^\W_]|[{_MARKED}])"
_UNIT = re.compile(rf"(?P<run>[{_UNSPACED}]+)|(?:{_LETTER})+")

#: A word of so many characters may come again: what it is in the index is remembered.
_SHORT = 24


@dataclass(frozen=True, slots=True)
class Unit:
    """One word as it is compared, or one run of a script without spaces."""

    text: str
    is_run: bool


def units(text: str) -> list[Unit]:
    """The words and runs of a text, in order."""
    return [Unit(found.group(), found.group("run") is not None) for found in _UNIT.finditer(search_key(text))]


def indexed(texts: Iterable[str]) -> str:
    """The words of one field as an index takes them, with a break between texts."""
    return f" {BREAK} ".join(_indexed(text) for text in texts if text)


def _indexed(text: str) -> str:
    if text.isascii():
        # The index itself splits plain text at whatever is no letter or digit.
        return text.lower().replace("\0", " ")
    # No word goes over white space, and most words are plain in most texts.
    words = text.replace("\0", " ").split()
    return " ".join(
        word.lower() if word.isascii() else _short_word(word) if len(word) <= _SHORT else _word(word) for word in words
    )


@lru_cache(maxsize=20_000)
def _short_word(text: str) -> str:
    return _word(text)


def _word(text: str) -> str:
    parts = []
    for unit in units(text):
        if unit.is_run:
            parts += [unit.text[i : i + 2] for i in range(len(unit.text))]
        else:
            parts.append(unit.text)
    return " ".join(parts).encode("utf-8", "replace").decode("utf-8")


def asked(parts: list[Unit]) -> tuple[list[str], bool]:
    """The words to ask an index for so that they stand one behind the other, and whether the last one only begins so.

    A run is asked for by its pairs; its last character stands alone in the index only where the run ends there.
    """
    words: list[str] = []
    begins = False
    for number, unit in enumerate(parts):
        is_last = number == len(parts) - 1
        if not unit.is_run:
            words.append(unit.text)
        elif is_last and len(unit.text) == 1:
            words.append(unit.text)
            begins = True
        else:
            stop = len(unit.text) - 1 if is_last else len(unit.text)
            words += [unit.text[i : i + 2] for i in range(stop)]
    return words, begins


def pattern(parts: list[Unit], *, begins: bool = False) -> str:
    """A regular expression for the same words in a folded text (see `fold_accents`), to mark them."""
    if not parts:
        return r"(?!)"
    made = "" if parts[0].is_run else rf"(?<!{_LETTER})"
    for number, unit in enumerate(parts):
        if number:
            made += r"[\W_]*" if unit.is_run or parts[number - 1].is_run else r"[\W_]+"
        made += re.escape(unit.text)
    return made if parts[-1].is_run or begins else rf"{made}(?!{_LETTER})"
