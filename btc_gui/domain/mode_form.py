"""The parts of a failure-mode label: a class for every query, evidence with its passages, and how the mode follows.

The mode is derived, never typed: by the benchmark's ordered rule from the parts, or by an override with a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from btc_gui.domain.failure_mode import DerivedMode, FailureMode, QueryClass, derive_mode
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.received import read_results, result_at
from btc_gui.domain.timeline import published_date
from btc_gui.errors import InputError
from btc_gui.outside_data import json_from


class QueryLabel(StrEnum):
    """What an annotator says of a query: one of the classes, or unsure."""

    EXPLICIT = "explicit"
    INDIRECT = "indirect"
    UNRELATED = "unrelated"
    UNSURE = "unsure"

    @property
    def query_class(self) -> QueryClass | None:
        """The class, None for unsure."""
        return None if self is QueryLabel.UNSURE else QueryClass(self.value)


class EvidenceAnswer(StrEnum):
    """Whether the text that the model received contains evidence of the change."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


class Relation(StrEnum):
    """How a passage bears on the change. Which relations make it evidence is part of a study's design."""

    STATES = "states"
    ENTAILS = "entails"
    SUGGESTS = "suggests"


class DateOrigin(StrEnum):
    """Where the date of a passage was read: in the head of its result, in its text, or nowhere."""

    METADATA = "metadata"
    TEXT = "text"
    UNKNOWN = "unknown"


class OverrideCode(StrEnum):
    """Why an annotator gives another mode than the derived one."""

    BORDER = "border"
    EVIDENCE = "evidence"
    UNDECIDED = "undecided"
    RULE = "rule"
    OTHER = "other"

    @property
    def text(self) -> str:
        """The reason in words."""
        return _OVERRIDE_TEXT[self]


_OVERRIDE_TEXT = {
    OverrideCode.BORDER: "a query stands between two classes",
    OverrideCode.EVIDENCE: "the evidence could not have told the model",
    OverrideCode.UNDECIDED: "the undecided part would not change the mode",
    OverrideCode.RULE: "the rule does not fit this case",
    OverrideCode.OTHER: "another reason",
}


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """One query's class; None: not yet. `first` is the class from before the results were opened, if it was another."""

    label: QueryLabel | None = None
    first: QueryLabel | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """A passage of what the model received for one query that reveals the change.

    `search` counts the queries from 1; `start` and `stop` are character offsets in the text received for it and
    `quote` is the text between them; `result` is the number of the result there, 0 where the text does not tell
    results apart. `published` is an ISO date, empty when `dated_by` is unknown.
    """

    search: int
    start: int
    stop: int
    quote: str
    result: int = 0
    published: str = ""
    dated_by: DateOrigin = DateOrigin.UNKNOWN
    relation: Relation = Relation.STATES


@dataclass(frozen=True, slots=True)
class ModeForm:
    """The form of one item, perhaps unfinished. `has_opened` tells whether the received texts were shown."""

    queries: tuple[QueryAnswer, ...] = ()
    evidence: EvidenceAnswer | None = None
    spans: tuple[EvidenceSpan, ...] = ()
    has_opened: bool = False
    override: OverrideCode | None = None
    override_text: str = ""

    @property
    def labels(self) -> tuple[QueryLabel | None, ...]:
        """The classes given to the queries, in order."""
        return tuple(query.label for query in self.queries)

    @property
    def text(self) -> str:
        """The form as canonical JSON, as `GivenLabel.answers` has it; what is empty is left out."""
        table: dict[str, Any] = {
            "queries": [
                {name: value for name, value in _query_entries(query).items() if value} for query in self.queries
            ]
        }
        if self.evidence is not None:
            table["evidence"] = self.evidence.value
        if self.spans:
            table["spans"] = [_span_entries(span) for span in self.spans]
        if self.has_opened:
            table["opened"] = True
        if self.override is not None or self.override_text:
            code = self.override.value if self.override is not None else ""
            table["override"] = {"code": code, "text": self.override_text}
        return canonical_json(table)

    @classmethod
    def from_text(cls, text: str) -> ModeForm:
        """Read what `text` gave; empty text is an empty form. Raises `InputError` for anything else."""
        if not text:
            return cls()
        try:
            table = json_from(text)
            unknown = set(table) - {"queries", "evidence", "spans", "opened", "override"}
            if unknown:
                raise ValueError(f"it has no part “{sorted(unknown)[0]}”")
            override = table.get("override") or {}
            return cls(
                queries=tuple(_query(entry) for entry in table.get("queries", [])),
                evidence=EvidenceAnswer(table["evidence"]) if table.get("evidence") else None,
                spans=tuple(_span(entry) for entry in table.get("spans", [])),
                has_opened=table.get("opened", False) is True,
                override=OverrideCode(override["code"]) if override.get("code") else None,
                override_text=str(override.get("text", "")),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"The parts of this failure-mode label can't be read ({str(error)[:200]}).") from error

    # -- filling in ------------------------------------------------------------------------------------------

    def for_queries(self, count: int) -> ModeForm:
        """The form with one answer for each of so many queries. Where there is none, nothing can be evidence."""
        queries = (*self.queries, *(QueryAnswer() for _ in range(count)))[:count]
        return replace(self, queries=queries, evidence=self.evidence if count else EvidenceAnswer.NO)

    def labelled(self, number: int, label: QueryLabel) -> ModeForm:
        """The form with a class for query `number` (from 1). With results open the first class is kept beside it."""
        answer = self.queries[number - 1]
        first = answer.first
        if self.has_opened:
            first = answer.first or answer.label
        return self._with_query(number, replace(answer, label=label, first=None if first is label else first))

    def noted(self, number: int, note: str) -> ModeForm:
        """The form with a note on query `number`."""
        return self._with_query(number, replace(self.queries[number - 1], note=note))

    def _with_query(self, number: int, answer: QueryAnswer) -> ModeForm:
        queries = list(self.queries)
        queries[number - 1] = answer
        return replace(self, queries=tuple(queries))

    def answered(self, evidence: EvidenceAnswer) -> ModeForm:
        """The form with an answer about evidence; passages stay only with yes."""
        return replace(self, evidence=evidence, spans=self.spans if evidence is EvidenceAnswer.YES else ())

    def with_passage(self, span: EvidenceSpan, instead_of: EvidenceSpan | None = None) -> ModeForm:
        """The form with one more passage, or another one in the place of an old one; in the order of the texts."""
        others = [each for each in self.spans if each not in (span, instead_of) and _place(each) != _place(span)]
        spans = tuple(sorted([*others, span], key=_place))
        return replace(self, spans=spans, evidence=EvidenceAnswer.YES)

    def without_passage(self, span: EvidenceSpan) -> ModeForm:
        """The form without this passage. Without any left, whether there is evidence is open again."""
        spans = tuple(each for each in self.spans if each != span)
        return replace(self, spans=spans, evidence=self.evidence if spans else None)

    def overridden(self, code: OverrideCode | None, words: str = "") -> ModeForm:
        """The form with a reason for another mode than the derived one, or (None) without."""
        return replace(self, override=code, override_text=words if code is not None else "")

    # -- what follows ----------------------------------------------------------------------------------------

    def derived(self, relations: Collection[str]) -> DerivedMode:
        """The mode that follows, and why; only passages with one of these relations are evidence."""
        counting = [span for span in self.spans if span.relation in relations]
        seen = None if self.evidence in (None, EvidenceAnswer.UNSURE) else bool(counting)
        found = derive_mode(seen, [label.query_class if label else None for label in self.labels])
        if found.mode is FailureMode.REASONING:
            span = counting[0]
            place = f"query {span.search}" + (f", result {span.result}" if span.result else "")
            return DerivedMode(found.mode, f"what the model received for {place} {span.relation} the change")
        if self.evidence is EvidenceAnswer.YES:
            no_evidence = "the marked passages only suggest the change" if self.spans else "no passage is marked"
            return DerivedMode(found.mode, f"{no_evidence}; {found.trace}")
        return found

    @property
    def missing(self) -> tuple[str, ...]:
        """What has to be filled in before a mode can be given, in words; nothing when the form is complete."""
        parts = []
        unlabelled = [number for number, label in enumerate(self.labels, 1) if label is None]
        if unlabelled:
            parts.append(f"a class for query {unlabelled[0]}" if len(unlabelled) == 1 else "a class for every query")
        if self.evidence is None:
            parts.append("whether there is evidence")
        elif self.evidence is EvidenceAnswer.YES and not self.spans:
            parts.append("a passage that is the evidence")
        return tuple(parts)

    @property
    def words(self) -> str:
        """The form in words, a line a part, for whoever labels next."""
        lines = []
        if self.queries:
            named = [f"{number} {label.value if label else '–'}" for number, label in enumerate(self.labels, 1)]
            lines.append(f"Queries: {', '.join(named)}")
        if self.evidence is not None:
            lines.append(f"Evidence: {self.evidence.value}")
        lines += [f"“{_short(span.quote)}” (query {span.search}, {span.relation.value})" for span in self.spans]
        if self.override is not None:
            lines.append(f"Not what follows: {self.override.text}. {self.override_text}")
        return "\n".join(lines)

    def check_passages(self, received: Sequence[str]) -> None:
        """Raise `InputError` unless every passage is in what the model received (a text a query) and well described."""
        if len(self.queries) > len(received):
            raise InputError(f"The model sent {_queries(len(received))}; the label has {len(self.queries)}.")
        if self.spans and self.evidence is not EvidenceAnswer.YES:
            raise InputError("Passages are marked, but the answer is not that there is evidence.")
        if len({_place(span) for span in self.spans}) != len(self.spans):
            raise InputError("A passage is marked twice.")
        for number, span in enumerate(self.spans, start=1):
            wrong = _what_is_wrong(span, received)
            if wrong:
                raise InputError(f"Passage {number}: {wrong}.")

    def check_mode(self, mode: FailureMode, queries: int, relations: Collection[str]) -> None:
        """Raise `InputError` unless the form is complete and the mode follows, or is overridden with a reason."""
        if len(self.queries) != queries:
            raise InputError(f"The model sent {_queries(queries)}; the label has {len(self.queries)}.")
        if self.missing:
            raise InputError(f"The label needs {' and '.join(self.missing)}.")
        derived = self.derived(relations).mode
        if mode is derived and (self.override is not None or self.override_text):
            raise InputError("The derived mode was given; there is nothing to override.")
        if mode is not derived and (self.override is None or not self.override_text.strip()):
            follows = f"“{derived.text}” follows from the answers" if derived else "no mode follows from the answers"
            raise InputError(
                f"{follows[0].upper()}{follows[1:]}, and “{mode.text}” was given without a reason.",
                f"Give a code ({', '.join(OverrideCode)}) and a few words.",
            )


def _queries(count: int) -> str:
    return f"{count} {'query' if count == 1 else 'queries'}"


def _place(span: EvidenceSpan) -> tuple[int, int, int]:
    return span.search, span.start, span.stop


def _query_entries(query: QueryAnswer) -> dict[str, str]:
    return {"label": query.label or "", "first": query.first or "", "note": query.note}


def _query(entry: object) -> QueryAnswer:
    # A file written by hand may name just the class.
    table: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {"label": entry}
    label, first = (QueryLabel(table[name]) if table.get(name) else None for name in ("label", "first"))
    return QueryAnswer(label, first, str(table.get("note", "")))


def _span_entries(span: EvidenceSpan) -> dict[str, Any]:
    table: dict[str, Any] = {
        "search": span.search,
        "start": span.start,
        "stop": span.stop,
        "quote": span.quote,
        "relation": span.relation.value,
        "dated_by": span.dated_by.value,
    }
    if span.result:
        table["result"] = span.result
    if span.published:
        table["published"] = span.published
    return table


def _span(entry: Mapping[str, Any]) -> EvidenceSpan:
    numbers = {name: entry.get(name, 0) for name in ("search", "start", "stop", "result")}
    if not all(type(number) is int for number in numbers.values()):
        raise ValueError("places are whole numbers")
    return EvidenceSpan(
        **numbers,
        quote=str(entry["quote"]),
        published=str(entry.get("published", "")),
        dated_by=DateOrigin(entry.get("dated_by", "unknown")),
        relation=Relation(entry["relation"]),
    )


def _what_is_wrong(span: EvidenceSpan, received: Sequence[str]) -> str:
    """Why this passage can't be one, in words; empty when it can."""
    if not 1 <= span.search <= len(received):
        return f"there is no query {span.search}"
    text = received[span.search - 1]
    if not 0 <= span.start < span.stop <= len(text) or text[span.start : span.stop] != span.quote:
        return f"“{_short(span.quote)}” is not at this place of what the model received"
    if not any(character.isalnum() for character in span.quote):
        return "it holds no word"
    results = read_results(text)
    first, last = result_at(results, span.start), result_at(results, span.stop - 1)
    if first != last:
        return "it reaches over two results"
    if span.result != (first.number if first else 0):
        return f"it does not stand in result {span.result}"
    return _what_is_wrong_with_date(span, first.published if first else "")


def _what_is_wrong_with_date(span: EvidenceSpan, in_head: str) -> str:
    if span.dated_by is DateOrigin.UNKNOWN:
        return f"it has the date {span.published}, from nowhere" if span.published else ""
    if span.dated_by is DateOrigin.METADATA:
        return "" if span.published and span.published == in_head else "its date is not the one of its result"
    return "" if published_date(span.published) else f"“{_short(span.published)}” is no date (write 2026-05-09)"


def _short(text: str) -> str:
    return " ".join(text[:120].split())[:60]


def make_span(search: int, received: str, start: int, stop: int, relation: Relation = Relation.STATES) -> EvidenceSpan:
    """A passage of a received text, white space at its ends left out, with the result and date that it stands under.

    Raises `InputError` when it is empty or reaches over two results.
    """
    quote = received[start:stop]
    start += len(quote) - len(quote.lstrip())
    stop = start + len(quote.strip())
    place = result_at(read_results(received), start)
    span = EvidenceSpan(
        search=search,
        start=start,
        stop=stop,
        quote=received[start:stop],
        result=place.number if place else 0,
        published=place.published if place else "",
        dated_by=DateOrigin.METADATA if place and place.published else DateOrigin.UNKNOWN,
        relation=relation,
    )
    wrong = _what_is_wrong(span, [received] * search)
    if wrong:
        raise InputError(f"This passage can't be marked: {wrong}.")
    return span
