"""What people attach to cases: notes and tags, on the whole or on one step, and collections of cases in an order."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NewType

from btc_gui.domain.outside_text import UNPRINTABLE
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError

NoteId = NewType("NoteId", int)
CollectionId = NewType("CollectionId", int)

#: Longer ones are no tags, and no notes.
LONGEST_TAG, LONGEST_NOTE = 60, 20_000


@dataclass(frozen=True, slots=True)
class CaseNote:
    """What somebody noted on a case, or on one step of it. `replaces` is the note that this one is an edit of."""

    id: NoteId
    answer_id: AnswerId
    step_number: int | None
    note: str
    author: str
    at: str
    withdrawn_at: str = ""
    withdrawn_by: str = ""
    replaces: NoteId | None = None


@dataclass(frozen=True, slots=True)
class CaseTag:
    """A tag that stands on a case, or on one step of it."""

    answer_id: AnswerId
    step_number: int | None
    tag: str
    author: str
    at: str


@dataclass(frozen=True, slots=True)
class CaseCollection:
    """Cases that somebody put together. `author` and `at` are who made it and when, `cases` how many were put into
    it: an attempt that was asked anew since is one of them, and is not listed."""

    id: CollectionId
    name: str
    description: str
    author: str
    at: str
    cases: int


@dataclass(frozen=True, slots=True)
class CaseRemarks:
    """Everything that people attached to one case: standing notes and tags, and the collections it is in."""

    answer_id: AnswerId
    notes: tuple[CaseNote, ...] = ()
    tags: tuple[CaseTag, ...] = ()
    collections: tuple[CaseCollection, ...] = ()


def tag_of(text: str) -> str:
    """A tag as it is stored: one line, single spaces, without the `#` that some put before it.

    Raises `InputError` for an empty one, one with a comma (they part tags), and one of more than 60 characters.
    """
    words = UNPRINTABLE.sub(" ", text).replace("\u2028", " ").replace("\u2029", " ")
    tag = " ".join(unicodedata.normalize("NFC", words).split()).removeprefix("#").strip()
    if not tag:
        raise InputError("A tag needs a word.")
    if "," in tag:
        raise InputError(f"“{tag[:LONGEST_TAG]}” has a comma.", "Commas part tags: give them one by one.")
    if len(tag) > LONGEST_TAG:
        raise InputError(f"“{tag[:LONGEST_TAG]}…” is too long for a tag.", "Write it as a note.")
    return tag


def tags_of(text: str) -> list[str]:
    """The tags of a text in which commas part them, each once. Raises `InputError` as `tag_of` does."""
    return list(dict.fromkeys(tag_of(part) for part in text.split(",") if part.strip()))


def tag_key(tag: str) -> str:
    """Tags with one key are one tag: capitals and ways to write a letter don't matter."""
    return unicodedata.normalize("NFKC", tag).casefold()


def place_reference(answer_id: AnswerId, step_number: int | None = None) -> str:
    """`btc:17`, or `btc:17#5` for its step 5."""
    return f"btc:{answer_id}" if step_number is None else f"btc:{answer_id}#{step_number}"
