"""Where a text seems to tell of the change: a guess by words. Only what somebody located counts as evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from btc_gui.domain.folding import fold_accents
from btc_gui.domain.mentions import Mention
from btc_gui.domain.received import sentence_at

#: A guess is shown from the name to the word; further apart than this, the word alone.
_FURTHEST = 200


def guess_passages(text: str, mentions: Sequence[Mention], change_words: Sequence[str]) -> list[tuple[int, int]]:
    """Passages in which a sentence names the entity and has one of the words: their starts and stops, in order.

    Accents and case don't matter; the words match whole words, a final `*` any ending.
    """
    if not mentions or not change_words:
        return []
    found: list[tuple[int, int]] = []
    for mention in mentions:
        start, stop = sentence_at(text, mention.start)
        sentence = fold_accents(text[start:stop])
        for match in _pattern(tuple(change_words)).finditer(sentence.text):
            begin, end = (start + place for place in sentence.span(*match.span()))
            whole = min(begin, mention.start), max(end, mention.stop)
            found.append(whole if whole[1] - whole[0] <= _FURTHEST else (begin, end))
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(found):
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((begin, end))
    return joined


@lru_cache(maxsize=16)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    parts = [
        re.escape(word.rstrip("*")).replace(r"\ ", r"\s+") + (r"\w*" if word.endswith("*") else "") for word in words
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)
