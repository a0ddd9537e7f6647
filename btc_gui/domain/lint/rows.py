"""From a row of a file to a probe with its event, for linting without a project."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from btc_gui.domain.category import Category
from btc_gui.domain.column_mapping import LoadSubject, guess_mapping
from btc_gui.domain.dates import EventDate, date_refusal, parse_event_date
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected, find_category
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.domain.probe_rows import find_event

#: Stands for the date of an event of which only the name is known: no date is after it.
_NEVER = EventDate(9999, 12, 31)
_KINDS = {"": ProbeKind.INDIRECT, "indirect": ProbeKind.INDIRECT, "direct": ProbeKind.DIRECT}
_OWN = frozenset(["key", "text", "kind", "requester", "situation", "consequence", "ordinal"])
_OUTER = re.compile(r"^(?:event|update|facts)[._ ]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RowMapping:
    """Which column holds which fact of the probe, and which one of its event."""

    probe: Mapping[str, str]
    event: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A probe of a file. `key` is the file's own id of it, if it has one."""

    key: str
    facts: EventFacts
    kind: ProbeKind
    ordinal: int
    content: ProbeText


def map_columns(columns: Sequence[str], sample: Sequence[Mapping[str, str]]) -> RowMapping:
    """Which column is what, told by name: a probe's own, and its event's (plain, or as `event.entity`)."""
    probe = guess_mapping(LoadSubject.PROBES, columns, sample)
    own = {fact: column for fact, column in probe.items() if fact in _OWN}
    inner = {_OUTER.sub("", column): column for column in columns if column not in own.values()}
    renamed = [{_OUTER.sub("", column): cell for column, cell in row.items()} for row in sample]
    event = guess_mapping(LoadSubject.EVENTS, tuple(inner), renamed)
    named = {fact: column for fact, column in probe.items() if fact not in own}
    return RowMapping({**named, **own}, {fact: inner[column] for fact, column in event.items()})


def read_row(
    values: Mapping[str, str],
    mapping: RowMapping,
    categories: Mapping[str, Category],
    default_category: str,
    events: EventIndex | None,
) -> ReadRow:
    """The probe of a row and its event: one of `events`, or the one that the row itself describes.

    Raises `Rejected` with the reason: no text, an unknown kind or category, no entity, no such event.
    """
    cells = Cells(values, mapping.probe)
    text = cells.text("text")
    if not text:
        raise Rejected("the text of the request is missing")
    written = re.sub(r"[\s_-]*probe$", "", cells.text("kind").casefold())
    if written not in _KINDS:
        raise Rejected(f"unknown kind: “{written[:40]}” (there are direct and indirect)")
    facts = (
        find_event(cells, events, lambda _: [])[1]
        if events is not None
        else _facts(Cells(values, mapping.event), categories, default_category)
    )
    ordinal = cells.text("ordinal")
    content = ProbeText(text, cells.text("requester"), cells.text("situation"), cells.text("consequence"))
    return ReadRow(cells.text("key"), facts, _KINDS[written], int(ordinal) if ordinal.isdecimal() else 0, content)


def _facts(cells: Cells, categories: Mapping[str, Category], default_category: str) -> EventFacts:
    written = cells.text("category") or default_category
    if not written:
        raise Rejected("the category is missing")
    category = find_category(written, categories)
    entity = cells.text("entity") or re.sub(r"\s*\([^()]*\)$", "", cells.article())
    if not entity:
        raise Rejected("the row doesn't say whom the probe is about")
    date = cells.text("date") or cells.text("ended") or cells.text("died")
    try:
        happened = parse_event_date(date) if date else _NEVER
    except ValueError as error:
        raise Rejected(date_refusal(error)) from error
    aliases = (part.strip() for part in re.split(r"[|;]", cells.text("aliases")))
    return EventFacts(
        category=category.name,
        entity=entity,
        date=happened,
        qid=cells.text("qid"),
        article=cells.article(),
        position=cells.text("position"),
        country=cells.text("country"),
        aliases=tuple(dict.fromkeys(alias for alias in aliases if alias)),
    )


class EventNumbers:
    """Numbers for events that have none: rows about the same entity, position and date are about one event."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, facts: EventFacts) -> EventId:
        """The event's number, from 1."""
        return EventId(self._numbers.setdefault(facts.identities()[0], len(self._numbers) + 1))
