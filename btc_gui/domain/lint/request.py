"""The rules about how is asked: `not_a_request`, `not_present`, `one_answer`, `singles_out`."""

from __future__ import annotations

import re
from itertools import pairwise

from btc_gui.domain.event import EventFacts
from btc_gui.domain.folding import without_accents
from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.event_words import phrase_findings
from btc_gui.domain.lint.tokens import Text, Token
from btc_gui.domain.lint.words import CommonWords

_INTERROGATIVES = frozenset(["who", "whom", "whose", "which", "what"])
_RELATIVES = frozenset(["who", "that", "which", "whose"])
_NOT_ABOUT_PEOPLE = re.compile(
    r"^\W*(?:how (?:many|much|long|often|old|far|do|does|did|is|are|can|should)|why|when|where|"
    r"what (?:is|are|was|were) the (?:difference|meaning|origin|history|price|cost|best way))\b",
    re.IGNORECASE,
)
_FAR = 9


def is_request(text: Text, common: CommonWords) -> bool:
    """Whether something is asked for that people or places can answer."""
    request, asks = common.phrases["request"], common.phrases["asks"]
    for start, stop in text.sentences:
        sentence = text.plain[start:stop]
        if "?" in sentence:
            is_about_people = any(phrases.search(sentence) for phrases in (*request, *asks))
            if is_about_people and not _NOT_ABOUT_PEOPLE.match(sentence):
                return True
        elif any(phrases.search(sentence) for phrases in asks):
            return True
    # “Names, please.” “Who could come, I wonder.”
    return any(_asks_softly(text.plain[start:stop]) for start, stop in text.sentences)


_SOFTLY = re.compile(
    r"\b(?:names|ideas|suggestions|recommendations|tips|advice|proposals)\b.{0,30}(?:please|welcome|do)\b|"
    r"\bwonder(?:ing)? (?:who|which|whom)\b|^\W*(?:name|list|suggest|recommend|propose)\b",
    re.IGNORECASE,
)


def _asks_softly(sentence: str) -> bool:
    return _SOFTLY.search(sentence) is not None


def find_not_a_request(text: Text, common: CommonWords) -> list[Finding]:
    """A text that asks nobody to be recommended."""
    if is_request(text, common):
        return []
    return [Finding("not_a_request", Severity.ERROR, 0, 0, "", "It asks for nobody and nothing to be recommended.")]


def find_past(text: Text, common: CommonWords) -> list[Finding]:
    """Questions about who did something: their first verb after “who” or “which …” is in the past."""
    found = []
    for question in _questions(text, common):
        verb = _first_verb(question, common)
        if verb is None:
            continue
        place, is_past = verb
        if is_past:
            start, stop = text.span(question[0].start, question[place].stop)
            why = "It asks about the past: who did something, not who could do it."
            found.append(Finding("not_present", Severity.WARNING, start, stop, text.original[start:stop], why))
    return found


def _questions(text: Text, common: CommonWords) -> list[list[Token]]:
    """The words of each question from its “who” or “which” on; that of “others who …” asks nothing."""
    found = []
    for start, stop in text.sentences:
        if "?" not in text.plain[start:stop]:
            continue
        words = [token for token in text.tokens if start <= token.start < stop]
        for place, token in enumerate(words):
            if token.lower in _INTERROGATIVES and (place == 0 or _opens(text, words[place - 1], token, common)):
                found.append(words[place:])
                break
    return found


def _opens(text: Text, before: Token, token: Token, common: CommonWords) -> bool:
    gap = text.gap(before, token)
    return bool(gap.strip(" ")) or before.lower in common.openers


def _first_verb(words: list[Token], common: CommonWords) -> tuple[int, bool] | None:
    """Where the question's own verb is, and whether it is past. Verbs of “who worked there” within it don't count."""
    skip = 0
    for place, token in enumerate(words[1:], 1):
        lower = token.lower
        if lower in _RELATIVES and place > 1:
            skip = 1
            continue
        is_past, is_present = lower in common.past, lower in common.present
        if not is_past and not is_present:
            continue
        if skip:
            skip = 0
            continue
        if is_present and lower in ("would", "could", "might", "should"):
            return place, [each.lower for each in words[place + 1 : place + 3]] == ["have", "been"]
        return place, is_past
    return None


def find_one_answer(text: Text, common: CommonWords) -> list[Finding]:
    """A wish for one answer: said so, or “which director should we …”."""
    found = phrase_findings("one_answer", text, common.phrases["one_answer"])
    if found or any(phrases.search(text.plain) for phrases in common.phrases["several"]):
        return found
    for question in _questions(text, common):
        head = _singular_head(text, question, common)
        if head is not None:
            start, stop = text.span(question[0].start, question[head].stop)
            why = "It asks for one: “which” with a singular leaves no room for a list."
            found.append(Finding("one_answer", Severity.WARNING, start, stop, text.original[start:stop], why))
    return found


def _singular_head(text: Text, words: list[Token], common: CommonWords) -> int | None:
    """The noun of “which … noun should”, when it is a singular: nothing but the noun's own words stand before."""
    if words[0].lower not in ("which", "what"):
        return None
    for place, token in enumerate(words[1:_FAR], 1):
        if token.lower in common.modals or (place > 1 and token.lower in _RELATIVES):
            group = words[1:place]
            if not group or any(each.lower in common.function_words for each in group) or _is_plural(group[-1], common):
                return None
            if any("," in text.gap(one, other) for one, other in pairwise(words[: place + 1])):
                return None
            return place - 1
    return None


def _is_plural(token: Token, common: CommonWords) -> bool:
    lower = token.lower
    return lower in common.no_singular or lower.endswith("men") or (lower.endswith("s") and not lower.endswith("ss"))


class PositionFinder:
    """Finds x's position in texts: “the Mayor of Paris”, “Paris's mayor” mean one person only."""

    def __init__(self, facts: EventFacts) -> None:
        self._patterns: list[re.Pattern[str]] = []
        position = without_accents(facts.position).strip()
        if not position:
            return
        self._patterns.append(_words(position))
        head, _, rest = position.partition(" of ")
        if not rest:
            head, _, rest = position.partition(" to ")
        places = [word for word in re.findall(r"[\w'-]+", rest) if word[0].isupper()] if rest else []
        if head and places:
            # The place without “County”, “Region”; the office by its last word or in full.
            noun = re.escape(head.split()[-1])
            place = re.escape(places[0])
            self._patterns.append(
                re.compile(rf"(?<!\w){noun} (?:of|for) (?:the )?(?:[\w-]+ ){{0,2}}?{place}(?!\w)", re.IGNORECASE)
            )
            self._patterns.append(re.compile(rf"(?<!\w){place}(?:'s)? (?:[\w-]+ )?{noun}(?!\w)", re.IGNORECASE))

    def find(self, text: Text) -> list[Finding]:
        """Where the text names the position."""
        for pattern in self._patterns:
            match = pattern.search(text.plain)
            if match is not None:
                start, stop = text.span(*match.span())
                why = "It names x's position, which only one person holds."
                return [Finding("singles_out", Severity.ERROR, start, stop, text.original[start:stop], why)]
        return []


def _words(phrase: str) -> re.Pattern[str]:
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, phrase.split())) + r"(?!\w)", re.IGNORECASE)


def find_singled_out(text: Text, common: CommonWords) -> list[Finding]:
    """Superlatives and descriptions that fit one person only."""
    return phrase_findings("singles_out", text, common.phrases["singles_out"])
