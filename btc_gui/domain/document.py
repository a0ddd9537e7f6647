"""Documents of a local search: their passages, and words as an index sees them, in any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

#: The length that passages are cut to, in characters: what an agent reads of a document at once.
PASSAGE = 600
#: More different words of a query than these are not looked for.
_MOST_TERMS = 64

# Scripts that are written without spaces, and Hangul, whose words take endings: every character is a token there.
_UNSPACED = "฀-๿຀-໿က-႟ក-៿぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿가-힯\U00020000-\U0003134f"
_PICTURES = "☀-➿\U0001f000-\U0001faff"
_SINGLE = re.compile(f"([{_UNSPACED}{_PICTURES}])")
_RUN = re.compile(f"[{_UNSPACED}]+|[{_PICTURES}]|[^{_UNSPACED}{_PICTURES}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n")
_PARAGRAPH_END = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Document:
    """One document. `published` is an ISO date (a day, month or year) or empty when nothing says it."""

    title: str
    url: str
    published: str
    text: str


def passages(text: str) -> Iterator[str]:
    """The text in passages of at most `PASSAGE` characters, cut between paragraphs or sentences where possible."""
    held = ""
    for paragraph in _PARAGRAPH_END.split(text):
        if held and len(held) + len(paragraph) + 2 > PASSAGE:
            yield held
            held = ""
        if len(paragraph) <= PASSAGE:
            held = f"{held}\n\n{paragraph.strip()}" if held else paragraph.strip()
        else:
            *whole, held = _cut(paragraph)
            yield from whole
    if held:
        yield held


def _cut(paragraph: str) -> list[str]:
    """A long paragraph in pieces; never empty."""
    pieces = [""]
    for sentence in _SENTENCE_END.split(paragraph):
        sentence = sentence.strip()
        if len(pieces[-1]) + len(sentence) + 1 <= PASSAGE:
            pieces[-1] = f"{pieces[-1]} {sentence}".strip()
            continue
        pieces += [sentence[start : start + PASSAGE] for start in range(0, len(sentence), PASSAGE)]
    return [piece for piece in pieces if piece] or [""]


def searchable(text: str) -> str:
    """The text as it is indexed: without case, accents and vowel points, a space around characters that are words.

    Marks that make another letter of a letter (as in Devanagari) stay.
    """
    return _SINGLE.sub(r" \1 ", _plain(text))


def terms(query: str) -> list[str]:
    """What to look for, each once: words, pairs of neighbouring characters where words have no spaces, pictures.

    They hold letters, digits, marks and pictures, and pairs one space: nothing that a query language knows.
    """
    found: dict[str, None] = {}
    kept = "".join(each if _is_in_words(each) else " " for each in _plain(query))
    for word in kept.split():
        for run in _RUN.findall(word):
            if len(run) > 1 and _IS_UNSPACED.match(run):
                found.update((f"{run[at]} {run[at + 1]}", None) for at in range(len(run) - 1))
            else:
                found[run] = None
    return list(found)[:_MOST_TERMS]


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text)
    plain = "".join(each for each in letters if not _is_accent(unicodedata.combining(each)))
    return unicodedata.normalize("NFC", plain).casefold()


def _is_accent(combining: int) -> bool:
    # The combining classes of Hebrew and Arabic points, and of marks above and below in Latin, Greek and Cyrillic.
    return 10 <= combining <= 35 or 200 <= combining <= 240


def _is_in_words(character: str) -> bool:
    """The kinds of characters that the index keeps (its tokenizer is told the same ones)."""
    kind = unicodedata.category(character)
    return kind[0] in "LN" or kind in ("Mn", "Mc", "Co", "So")
