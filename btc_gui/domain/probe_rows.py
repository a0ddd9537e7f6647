"""From a row of a file to a probe of a known event, or to the reason why it is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from btc_gui.domain.column_mapping import is_qid
from btc_gui.domain.dates import date_refusal, parse_event_date
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.probe import ProbeKind, ProbeText

_KINDS = {"direct": ProbeKind.DIRECT, "indirect": ProbeKind.INDIRECT}
_NAMED_AT_MOST = 4
Found = tuple[EventId, EventFacts]


@dataclass(frozen=True, slots=True)
class ReadProbe:
    """A probe as a row gives it.

    `ordinal` is 0 where the file has none; `is_own_key` says that the key is the file's.
    """

    key: str
    is_own_key: bool
    event_id: EventId
    facts: EventFacts
    kind: ProbeKind
    ordinal: int
    content: ProbeText


def read_probe(
    cells: Cells, events: EventIndex, default_kind: str, suggest: Callable[[str], Sequence[str]]
) -> ReadProbe:
    """The probe in a row. Raises `Rejected` with the reason: no text, no kind, no such event, several such events.

    `suggest` gives names like the one that was not found.
    """
    text = cells.text("text")
    if not text:
        raise Rejected("the text of the request is missing")
    kind = _kind(cells.text("kind") or default_kind)
    event_id, facts = find_event(cells, events, suggest)
    own_key = cells.text("key")
    return ReadProbe(
        key=own_key or key_of(facts, kind, text),
        is_own_key=bool(own_key),
        event_id=event_id,
        facts=facts,
        kind=kind,
        ordinal=_ordinal(cells.text("ordinal")),
        content=ProbeText(text, cells.text("requester"), cells.text("situation"), cells.text("consequence")),
    )


def key_of(facts: EventFacts, kind: ProbeKind, text: str) -> str:
    """The key of a probe without an id of its own: the same event, kind and text give the same key everywhere."""
    return hash_of({"event": facts.identities()[0], "kind": kind, "text": text})[:20]


def _kind(written: str) -> ProbeKind:
    if not written:
        raise Rejected("the kind is missing: say direct or indirect")
    plain = written.casefold()
    kind = _KINDS.get(plain) or _KINDS.get(re.sub(r"[\s_-]*probe$", "", plain))
    if kind is None:
        raise Rejected(f"unknown kind: “{written[:40]}” (there are direct and indirect)")
    return kind


def _ordinal(text: str) -> int:
    if not text:
        return 0
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) == 0:
        raise Rejected(f"the ordinal is no number from 1: “{text[:40]}”")
    return int(text)


def find_event(cells: Cells, events: EventIndex, suggest: Callable[[str], Sequence[str]]) -> Found:
    """The event that a row names. Raises `Rejected` when there is none, or when several could be meant."""
    references = _references(cells)
    if not references:
        raise Rejected("the row names no event: give a QID, an article's title, a name or the event's number")
    for kind, text in references:
        found = _look_up(events, kind, text, has_qid=any(k == "qid" for k, _ in references))
        if not found:
            continue
        narrowed = _narrow(cells, found)
        if len(narrowed) == 1:
            return narrowed[0]
        if not narrowed:
            raise Rejected(
                f"no such event: “{text[:60]}” is known, but not with this category, position or date; "
                f"there is {_list(found)}"
            )
        raise Rejected(
            f"several events: “{text[:60]}” may be {_list(narrowed)}; add the event's number, QID, position or date"
        )
    text = references[0][1]
    alike = {name: None for _, reference in references if not is_qid(reference) for name in suggest(reference)}
    hint = f"; did you mean {' or '.join(list(alike)[:2])}?" if alike else ", load its event first"
    raise Rejected(f"no such event: “{text[:60]}” is not in this project{hint}")


def _references(cells: Cells) -> list[tuple[str, str]]:
    """What the row says about the event, the most exact first."""
    references = []
    event = cells.text("event")
    if is_qid(event):
        references.append(("qid", cells.qid("event")))
    elif re.fullmatch(r"[0-9]{1,9}", event):
        references.append(("id", event))
    qid = cells.qid("qid")
    if qid:
        references.append(("qid", qid))
    if event and not references:
        references += [("article", event), ("entity", event), ("alias", event)]
    if article := cells.article():
        references.append(("article", article))
    if name := cells.text("entity"):
        references += [("article", name), ("entity", name), ("alias", name)]
    return references


def _look_up(events: EventIndex, kind: str, text: str, *, has_qid: bool) -> list[Found]:
    if kind == "id":
        facts = events.facts(EventId(int(text)))
        return [] if facts is None else [(EventId(int(text)), facts)]
    found = dict(events.named(kind, text))
    if kind != "qid" and has_qid:
        # The row's QID was not found: only an event without one can be meant by the name.
        found = {event_id: facts for event_id, facts in found.items() if not facts.qid}
    return list(found.items())


def _narrow(cells: Cells, found: list[Found]) -> list[Found]:
    """Those of the events found that the row's category, position and date fit; one alone must fit the date."""
    date = _iso(cells.text("date"))
    if len(found) == 1:
        return found if not date or date == found[0][1].date.iso else []
    category, position = cells.text("category").casefold(), cells.text("position").casefold()
    return [
        (event_id, facts)
        for event_id, facts in found
        if category in ("", facts.category)
        and position in ("", facts.position.casefold())
        and date in ("", facts.date.iso)
    ]


def _iso(text: str) -> str:
    try:
        return parse_event_date(text).iso if text else ""
    except ValueError as error:
        raise Rejected(date_refusal(error)) from error


def _list(found: Sequence[Found]) -> str:
    named = [
        f"{facts.entity}{f' ({facts.position})' if facts.position else ''}, {facts.date.text} (event {event_id})"
        for event_id, facts in found[:_NAMED_AT_MOST]
    ]
    more = f" or {len(found) - _NAMED_AT_MOST} more" if len(found) > _NAMED_AT_MOST else ""
    return " or ".join(named) + more
