"""From a row of a file to the facts of an event, or to the reason why it is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from urllib.parse import unquote

from btc_gui.domain.category import Category
from btc_gui.domain.collection_plan import DateOfChange
from btc_gui.domain.column_mapping import is_qid
from btc_gui.domain.dates import EventDate, Precision, date_refusal, may_be_a_month, parse_event_date
from btc_gui.domain.event import EventFacts
from btc_gui.domain.office_terms import Holder, Office, Term, state_of_term
from btc_gui.domain.statements import UNKNOWN_DATE, DateState, StatedDate, title_as_name
from btc_gui.domain.table_row import UNKNOWN_VALUE

_PRECISIONS = {"day": Precision.DAY, "month": Precision.MONTH, "year": Precision.YEAR}
_ARTICLE_ADDRESS = re.compile(r"^https?://en\.(?:m\.)?wikipedia\.org/wiki/([^?#]+)")


class Rejected(ValueError):  # noqa: N818 (an outcome of a row, not an error of the program)
    """A row that is not taken, with the reason as its text."""


class Cells:
    """The cells of a row by fact. Missing and unknown values are empty, except to those who ask."""

    def __init__(self, values: Mapping[str, str], mapping: Mapping[str, str]) -> None:
        self.mapping = mapping
        self._cells = {fact: cell for fact, column in mapping.items() if (cell := values.get(column))}

    def raw(self, fact: str) -> str:
        """The cell as the file has it."""
        return self._cells.get(fact, "")

    def text(self, fact: str) -> str:
        """The cell, empty where the source says that the value is not known."""
        cell = self._cells.get(fact, "")
        return "" if cell == UNKNOWN_VALUE or "/.well-known/genid/" in cell else cell

    def is_unknown(self, fact: str) -> bool:
        """Whether the source says that there is a value, but not which."""
        return bool(self.raw(fact)) and not self.text(fact)

    def qid(self, fact: str) -> str:
        """The id of Wikidata in the cell, `Q42`; empty when there is none. Raises `Rejected` for something else."""
        cell = self.text(fact)
        if not cell:
            return ""
        if not is_qid(cell):
            raise Rejected(f"{fact} is not an id of Wikidata: “{cell[:40]}”")
        return cell.rpartition("/")[2].upper()

    def article(self) -> str:
        """The title of the English article in the cell, also where the file has its address."""
        cell = self.text("article")
        address = _ARTICLE_ADDRESS.match(cell)
        if address:
            return unquote(address.group(1)).replace("_", " ")
        return "" if cell.startswith(("http://", "https://")) else cell


def find_category(written: str, categories: Mapping[str, Category]) -> Category:
    """The category that a file calls `written`. Raises `Rejected` naming those that exist."""
    wanted = written.casefold()
    for category in categories.values():
        if wanted in (category.name, category.title.casefold(), *(word.casefold() for word in category.written_as)):
            return category
    raise Rejected(f"unknown category: “{written[:40]}” (there are {', '.join(sorted(categories))})")


def is_office(category: Category) -> bool:
    """Whether the category is about a time in an office."""
    return "position" in category.required


def lasts(category: Category) -> bool:
    """Whether the category is about something that begins and may end: a file may then tell its start and end."""
    return category.collection is not None and category.collection.change is DateOfChange.START


def read_event(cells: Cells, categories: Mapping[str, Category], default_category: str) -> EventFacts:
    """The facts in a row, before the category's rules are asked. Raises `Rejected` with the reason."""
    written = cells.text("category") or default_category
    if not written:
        raise Rejected("the category is missing")
    category = find_category(written, categories)
    happened = _date_of_change(cells, category)
    does_last = lasts(category)
    facts = EventFacts(
        category=category.name,
        entity=_entity(cells),
        date=happened,
        qid=cells.qid("qid"),
        description=cells.text("description"),
        article=cells.article(),
        position=_position(cells),
        position_qid=_position_qid(cells),
        started=None if does_last else _other_date(cells, "started"),
        ends=_other_date(cells, "ends") or (_other_date(cells, "ended") if does_last else None),
        country=cells.text("country"),
        aliases=_entries(cells.text("aliases")),
        source=cells.text("source"),
        note=cells.text("note"),
    )
    for fact in category.required:
        if not getattr(facts, fact, ""):
            raise Rejected(f"{fact} is missing: a {category.title.casefold()} can't do without")
    return facts


def _date_of_change(cells: Cells, category: Category) -> EventDate:
    fact = "date"
    if is_office(category):
        if "ended" in cells.mapping and not cells.raw("ended"):
            raise Rejected("still in office: the end of the tenure is empty")
        if not cells.raw("date"):
            fact = "ended"
    elif not cells.raw("date"):
        fact = "started" if lasts(category) else "died"
    if cells.is_unknown(fact):
        raise Rejected("the date is unknown in the source")
    text = cells.text(fact)
    if not text:
        raise Rejected("the date is missing")
    # The column of precision goes with the date, the end or the death.
    precision = None if fact == "started" else _precision(cells)
    if precision is None and may_be_a_month(text):
        raise Rejected(f"date perhaps known only to the month: {text[:40]}, and no column holds its precision")
    happened = _parse(text, precision)
    if is_office(category) and fact == "date" and cells.text("ended"):
        ended = _parse(cells.text("ended"), precision)
        if ended != happened:
            raise Rejected(f"two dates: it ended on {ended.text}, but the date is {happened.text}")
    return happened


def _precision(cells: Cells) -> int | None:
    text = cells.text("precision")
    if not text:
        return None
    if text.casefold() in _PRECISIONS:
        return _PRECISIONS[text.casefold()]
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise Rejected(f"unknown precision of the date: “{text[:40]}” (9 year, 10 month, 11 day)")
    return int(text)


# A file has few different days, and each stands in many rows.
_read_date = lru_cache(maxsize=10_000)(parse_event_date)


def _parse(text: str, precision: int | None = None) -> EventDate:
    try:
        return _read_date(text, precision)
    except ValueError as error:
        raise Rejected(date_refusal(error)) from error


def _other_date(cells: Cells, fact: str) -> EventDate | None:
    text = cells.text(fact)
    if not text:
        return None
    try:
        return _read_date(text)
    except ValueError as error:
        raise Rejected(date_refusal(error, f" in “{cells.mapping[fact]}”")) from error


def _entity(cells: Cells) -> str:
    name = cells.text("entity")
    if name and not is_qid(name):
        return name
    # A label that is missing in English comes as the id itself: the article's title without “(politician)” serves.
    title = title_as_name(cells.article())
    if not title:
        raise Rejected("entity is missing: the row has no name" + (f", only the id {name}" if name else ""))
    return title


def _position(cells: Cells) -> str:
    text = cells.text("position")
    return "" if is_qid(text) else text


def _position_qid(cells: Cells) -> str:
    if not cells.text("position_qid") and is_qid(cells.text("position")):
        return cells.qid("position")
    return cells.qid("position_qid")


def read_term(cells: Cells, today: date) -> Term | None:
    """The time in office that a row tells of, whatever else it is; None when it has no position or no start."""
    try:
        position, position_qid = _position(cells), _position_qid(cells)
        started = _other_date(cells, "started")
        if started is None or not (position or position_qid):
            return None
        written = cells.text("ended") or cells.text("date")
        ended = _parse(written, _precision(cells)) if written else None
        holder = Holder(cells.qid("qid"), cells.article(), _entity(cells))
    except Rejected:
        return None
    state = state_of_term(started, ended, today, is_over=cells.is_unknown("ended") or bool(cells.raw("died")))
    return Term(holder, Office(position, position_qid), started, ended, state)


def read_deaths(cells: Cells) -> tuple[StatedDate, ...]:
    """When the row says that the person died. Raises `Rejected` for a date that is none."""
    if cells.is_unknown("died"):
        return (UNKNOWN_DATE,)
    died = _other_date(cells, "died")
    return (StatedDate(DateState.KNOWN, died),) if died is not None else ()


def _entries(text: str) -> tuple[str, ...]:
    parts = (part.strip() for part in re.split(r"[|;]", text))
    return tuple(dict.fromkeys(part for part in parts if part))
