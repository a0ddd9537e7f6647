"""The case card: one failure on one page. What is on it and in which words, before it is Markdown, HTML or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from btc_gui.domain.mentions import Mention
from btc_gui.domain.outside_text import printable

#: A card shows so many characters of an answer, and of the direct answer.
ANSWER_CHARACTERS, DIRECT_CHARACTERS = 900, 320
#: It shows so many excerpts; the rest is counted.
EVIDENCE_SHOWN = 6


@dataclass(frozen=True, slots=True)
class CardQuery:
    """One query. `kind` is the class that the classifier gave it, empty without one; `newest` the newest date among
    its results in words."""

    number: int
    text: str
    kind: str
    results: int
    newest: str


@dataclass(frozen=True, slots=True)
class CardEvidence:
    """A passage that reveals the change, with the result that it is from. `query` is its query's number."""

    query: int
    excerpt: str
    title: str
    source: str
    published: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class DirectAnswer:
    """What the same configuration answered when asked directly. `verdict` is empty where it was not judged."""

    reference: str
    question: str
    answer: str
    verdict: str


@dataclass(frozen=True, slots=True)
class CaseCard:
    """All that a card shows of one case.

    `direct` is None where there is no direct answer; then `no_direct` says why (empty: the case is one itself).
    `ending` is empty for an answer that was given. `verdicts` are sentences, the machine's first. `hides_queries`: none
    is known, though there may have been some.
    """

    reference: str
    change: str
    before: str
    source: str
    kind: str
    probe: str
    configuration: str
    asked: str
    direct: DirectAnswer | None
    no_direct: str
    queries: tuple[CardQuery, ...]
    evidence: tuple[CardEvidence, ...]
    no_evidence: str
    answer: str
    ending: str
    mode: str
    mode_reason: str
    verdicts: tuple[str, ...]
    hides_queries: bool = False


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a part. `number` counts queries; a quote is somebody else's text; `note` and `link` stand behind."""

    text: str
    note: str = ""
    link: str = ""
    number: int = 0
    is_quote: bool = False


@dataclass(frozen=True, slots=True)
class CardPart:
    """A heading and its lines."""

    title: str
    lines: tuple[CardLine, ...]


@dataclass(frozen=True, slots=True)
class CardSheet:
    """What is written together: cards, a heading over them, what they have in common, and a note on the project."""

    cards: tuple[CaseCard, ...]
    title: str
    description: str = ""
    note: str = ""


def card_head(card: CaseCard) -> str:
    """Who answered, when: the line below a card's title."""
    parts = [card.configuration, f"told that it is {card.asked}" if card.asked else "", card.reference]
    return " · ".join(part for part in parts if part)


_NONE = "None: it answered without searching."
_NOT_TOLD = "Not known: it may have searched, and nothing was told of it."


def card_parts(card: CaseCard) -> tuple[CardPart, ...]:
    """The parts of a card in their order, as all formats show them."""
    change = [CardLine(f"Before: {card.before}")] if card.before else []
    change.append(CardLine(f"Since: {card.change}"))
    if card.source:
        change.append(CardLine("", note="Source", link=card.source))
    parts = [
        CardPart("Change", tuple(change)),
        CardPart(f"Probe ({card.kind})", (CardLine(card.probe, is_quote=True),)),
        *_direct(card),
        CardPart(
            "Queries", tuple(map(_query, card.queries)) or (CardLine(_NOT_TOLD if card.hides_queries else _NONE),)
        ),
        _evidence(card),
        CardPart("Answer", _answer(card)),
        CardPart("Verdict", tuple(CardLine(each) for each in card.verdicts) or (CardLine("Not judged."),)),
    ]
    if card.mode:
        parts.append(CardPart("Failure mode", (CardLine(card.mode, note=card.mode_reason),)))
    return tuple(parts)


def _direct(card: CaseCard) -> list[CardPart]:
    if card.direct is None:
        return [CardPart("Asked directly", (CardLine(card.no_direct),))] if card.no_direct else []
    told = ", ".join(part for part in (card.direct.verdict, card.direct.reference) if part)
    lines = [CardLine(card.direct.question, note="question", is_quote=True)] if card.direct.question else []
    lines.append(CardLine(card.direct.answer or "No answer.", note=told, is_quote=bool(card.direct.answer)))
    return [CardPart("Asked directly, the same configuration", tuple(lines))]


def _query(query: CardQuery) -> CardLine:
    found = f"{query.results} result{'' if query.results == 1 else 's'}" if query.results else "no results"
    newest = f"newest of {query.newest}" if query.newest else ("none with a date" if query.results else "")
    note = " · ".join(part for part in (query.kind, found, newest) if part)
    return CardLine(query.text or "(not revealed)", note=note, number=query.number)


def _evidence(card: CaseCard) -> CardPart:
    lines = []
    for each in card.evidence[:EVIDENCE_SHOWN]:
        where = " · ".join(
            part
            for part in (
                f"query {each.query}",
                each.title,
                each.published or "no date",
                "the first result that reveals the change" if each.is_first else "",
            )
            if part
        )
        lines.append(CardLine(each.excerpt, note=where, link=each.source, is_quote=True))
    if more := len(card.evidence) - EVIDENCE_SHOWN:
        lines += [CardLine(f"And {more} more excerpt{'' if more == 1 else 's'}.")] if more > 0 else []
    return CardPart("Evidence of the change that it received", tuple(lines) or (CardLine(card.no_evidence),))


def _answer(card: CaseCard) -> tuple[CardLine, ...]:
    lines = [CardLine(card.answer, is_quote=True)] if card.answer else []
    return (*lines, *([CardLine(card.ending)] if card.ending or not lines else []))


def excerpt(text: str, mentions: Sequence[Mention], length: int) -> str:
    """So many characters of a text: around the first mention where there is one further on, else its beginning.

    Cut at words; `…` stands where something is left out.
    """
    text = text.strip()
    if len(text) <= length:
        return text
    first = mentions[0].start if mentions else 0
    start = 0 if first < length * 2 // 3 else max(0, min(first - length // 3, len(text) - length))
    stop = min(start + length, len(text))
    if start:
        start = next((n + 1 for n in range(start, start + 40) if text[n : n + 1].isspace()), start)
    if stop < len(text):
        stop = next((n for n in range(stop, stop - 40, -1) if text[n : n + 1].isspace()), stop)
    return ("… " if start else "") + text[start:stop].strip() + (" …" if stop < len(text) else "")


def web_address(link: str) -> str:
    """The address if it is one of the web, else nothing: no other scheme becomes a link."""
    link = printable(link).strip()
    return link if re.match(r"https?://[^\s<>\"]+$", link, re.IGNORECASE) else ""
