"""Made-up words from a seed: as unequal as in a language (Zipf), in sentences, and now and then in another script."""

from __future__ import annotations

import copy
import itertools
import random

_SYLLABLES = (
    "ka", "lo", "mi", "ren", "tas", "vor", "el", "qui", "san", "dur", "pe", "nal", "ost", "bri", "fen", "gul", "ar",
    "tem", "so", "ily", "mun", "cha", "ve", "dro",
)  # fmt: skip
_VOCABULARY, _CORPUS = 30_000, 1_000_000
#: Words of other scripts, with accents, and with signs beyond the basic plane.
_OTHER_SCRIPTS = (
    (
        "北京",
        "东京",
        "展览",
        "公告",
        "评论",
        "去世",
        "音乐会",
        "议会",
        "图书馆",
        "今年",
        "ニュース",
        "訃報",
        "전시회",
        "위원회",
    ),
    ("المتحف", "الرئيس", "السابق", "الوزير", "مهرجان", "القاهرة", "خبر", "اليوم", "الجديد"),
    ("Çağdaş", "müzesi", "Łódź", "żałoba", "été", "déjà", "Ångström", "naïve", "Θεσσαλονίκη", "Київ", "мер", "🎭", "🏛️"),
)


class Words:
    """Random words, names and prose from one seed. Prose is cut from one long text: that is quick."""

    def __init__(self, seed: int, corpus: int = 50_000) -> None:
        self.random = random.Random(seed)
        vocabulary: dict[str, None] = {}
        while len(vocabulary) < _VOCABULARY:
            rank = len(vocabulary)
            size = 1 if rank < 20 else self.random.choice((1, 2, 2, 3, 3, 4))
            vocabulary["".join(self.random.choices(_SYLLABLES, k=size))] = None
        self._vocabulary = list(vocabulary)
        weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(_VOCABULARY)))
        self._corpus = self.random.choices(self._vocabulary, cum_weights=weights, k=corpus)
        at = 0
        while at < corpus:
            self._corpus[at] = self._corpus[at].capitalize()
            at += self.random.randint(6, 22)
            if at <= corpus:
                self._corpus[at - 1] += "."

    @classmethod
    def many(cls, seed: int) -> Words:
        """With so much of a text that pieces of it are hardly ever alike."""
        return cls(seed, _CORPUS)

    def apart(self) -> Words:
        """The same words in the same text, drawn by a chance of its own."""
        other = copy.copy(self)
        other.random = random.Random()
        return other

    def sentence(self, words: int) -> str:
        """So many words and a full stop."""
        start = self.random.randrange(len(self._corpus) - words)
        text = " ".join(self._corpus[start : start + words]).rstrip(".")
        return f"{text[:1].upper()}{text[1:]}."

    def foreign(self, words: int) -> str:
        """So many words of a script that is not Latin, or hardly."""
        return " ".join(self.random.choices(self.random.choice(_OTHER_SCRIPTS), k=words))

    def name(self) -> str:
        """A given name and a surname. Rare words: a name is not found everywhere."""
        return " ".join(word.capitalize() for word in self.random.choices(self._vocabulary[2_000:], k=2))
