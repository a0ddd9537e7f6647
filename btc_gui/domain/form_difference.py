"""Which parts of a failure-mode label are other than the known ones: what practice tells beside right and wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from btc_gui.domain.mode_form import EvidenceAnswer, EvidenceSpan, ModeForm
from btc_gui.errors import InputError

_QUOTED = 80


def parts_apart(given: str, known: str, relations: Collection[str]) -> tuple[str, ...]:
    """The parts that differ, a sentence each, from two forms as text; nothing where one of them has no parts.

    `relations` are those that make a passage evidence. Of known passages one that counts is enough; a marked passage
    that touches it is the same one.
    """
    try:
        mine, right = ModeForm.from_text(given), ModeForm.from_text(known)
    except InputError:
        # Somebody's own practice items may hold what is no form: then there are no parts to compare.
        return ()
    if not given or not known:
        return ()
    return (*_queries(mine, right), *_evidence(mine, right, relations))


def _queries(mine: ModeForm, right: ModeForm) -> Iterator[str]:
    for number, (one, other) in enumerate(zip(mine.labels, right.labels, strict=False), start=1):
        if other is not None and one is not other:
            said = f"you said {one.value}" if one is not None else "you gave it no class"
            yield f"Query {number} is {other.value}; {said}."


def _evidence(mine: ModeForm, right: ModeForm, relations: Collection[str]) -> Iterator[str]:
    counting = [span for span in right.spans if span.relation in relations]
    marked = [span for span in mine.spans if span.relation in relations]
    if counting and not any(_touch(span, marked) for span in counting):
        yield f"Evidence: {_told(counting[0])}; it is not among your passages."
    elif not counting and marked:
        yield f"{_told(marked[0])} is no evidence of the change."
    elif not counting and mine.evidence is EvidenceAnswer.UNSURE:
        yield "There is no evidence; you were unsure."
    for span in right.spans:
        for own in mine.spans:
            if own.relation is not span.relation and _touch(span, [own]):
                yield f"{_told(span)} {span.relation.value} the change; you said it {own.relation.value} it."


def _touch(span: EvidenceSpan, others: Sequence[EvidenceSpan]) -> bool:
    return any(span.search == o.search and span.start < o.stop and o.start < span.stop for o in others)


def _told(span: EvidenceSpan) -> str:
    words = " ".join(span.quote.split())
    return f"“{words[:_QUOTED]}{'…' if len(words) > _QUOTED else ''}” (query {span.search})"
