"""Invented people for the fakes: deaths and ended terms over some days, with the traps that real data has.

Everything is made from numbers, so that the same call gives the same world.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from tests.fakes.mediawiki import FakePage, FakeRevision, WikiWorld
from tests.fakes.wdqs import Table

Cell = dict[str, str]
Row = dict[str, Cell]

DEMISES = ("person", "st", "date", "prec", "rank", "title", "links", "len", "lmul", "den")
ALL_DEATHS = ("person", "st", "rank", "date", "prec")
TENURES = (
    "person", "st", "position", "rank", "end", "endprec", "start", "startprec", "title", "links", "len", "lmul", "den",
)  # fmt: skip
ALL_TERMS = (
    "person", "st", "position", "family", "rank", "start", "startprec", "end", "endprec", "term", "acting", "circ",
    "dod", "dodprec",
)  # fmt: skip
POSITIONS = ("position", "len", "lmul", "den", "title", "jur", "cls")
PARLIAMENTS = ("term", "begins", "beginsprec", "finishes", "finishesprec")
NAMES = ("item", "len", "lmul", "alias", "den")
REDIRECTS = ("old", "new")

_FIRST = ("Ada", "Bo", "Cleo", "Dag", "Eda", "Finn", "Gro", "Hal", "Ines", "Jon", "Kaya", "Levi", "Mona", "Nils")
_LAST = ("Ambrus", "Brekke", "Corvin", "Dahlem", "Estevo", "Farkas", "Grøn", "Holt", "Ivers", "Janek", "Kjær", "Lund")
_OFFICES = ("Mayor of Exampleton", "Minister of Bridges", "Governor of Northmark", "Bishop of Westby")


def item(qid: str) -> Cell:
    """The address of an item."""
    return {"type": "uri", "value": f"http://www.wikidata.org/entity/{qid}"}


def statement(key: str) -> Cell:
    """The address of a statement (`Q1$x`)."""
    return {"type": "uri", "value": f"http://www.wikidata.org/entity/statement/{key.replace('$', '-')}"}


def rank(name: str = "Normal") -> Cell:
    """A rank."""
    return {"type": "uri", "value": f"http://wikiba.se/ontology#{name}Rank"}


def day(text: str) -> Cell:
    """A date as the service writes it."""
    kind = "http://www.w3.org/2001/XMLSchema#dateTime"
    return {"type": "literal", "datatype": kind, "value": f"{text}T00:00:00Z"}


def number(value: int) -> Cell:
    """A whole number."""
    return {"type": "literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": str(value)}


def words(text: str) -> Cell:
    """A text in English."""
    return {"type": "literal", "xml:lang": "en", "value": text}


@dataclass
class Person:
    """One person: `end` is the day of death, or of the end of a term in `office` (its id)."""

    qid: str
    name: str
    end: str
    precision: int = 11
    office: str = ""
    start: str = "2020-01-01"
    description: str = "invented person"
    again: str = ""
    died: str = ""
    rank: str = "Normal"

    @property
    def key(self) -> str:
        """The id of the statement."""
        return f"{self.qid}$10000000-0000-4000-8000-{int(self.qid[1:]):012d}"


@dataclass
class World:
    """The people, changed by tests before the tables are made."""

    dead: list[Person] = field(default_factory=list)
    left: list[Person] = field(default_factory=list)
    merged: dict[str, str] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """What the query service knows of them."""
        people = [*self.dead, *self.left]
        return [
            Table(DEMISES, [_found(each) | {"date": day(each.end)} for each in self.dead], "date"),
            Table(ALL_DEATHS, [_death(each) for each in self.dead]),
            Table(TENURES, [_found(each) | _term(each) for each in self.left], "end"),
            Table(ALL_TERMS, [row for each in self.left for row in _terms(each)]),
            Table(POSITIONS, [_position(place) for place in range(len(_OFFICES))]),
            Table(PARLIAMENTS, []),
            Table(NAMES, [row for each in people for row in _names(each)]),
            Table(REDIRECTS, [{"old": item(old), "new": item(new)} for old, new in self.merged.items()]),
        ]

    def wiki(self) -> WikiWorld:
        """Their articles (three revisions each: before, during, after) and items."""
        made = WikiWorld(merged=dict(self.merged))
        for place, each in enumerate([*self.dead, *self.left]):
            made.pages[each.name] = FakePage(each.name, 1_000 + place, each.qid, list(_revisions(each, place)))
            made.items[each.qid] = {
                "id": each.qid,
                "labels": {"en": {"language": "en", "value": each.name}},
                "descriptions": {"en": {"language": "en", "value": each.description}},
                "sitelinks": {"enwiki": {"site": "enwiki", "title": each.name}},
            }
        for place, office in enumerate(_OFFICES):
            qid = f"Q{900_000 + place}"
            made.pages[office] = FakePage(
                office,
                900_000 + place,
                qid,
                [FakeRevision(9_000_000 + place, "2025-06-01T00:00:00Z", f"<p>The {office} leads the office.</p>")],
            )
            made.items[qid] = _office_item(qid, office)
        return made


def _office_item(qid: str, office: str) -> dict[str, Any]:
    return {
        "id": qid,
        "labels": {"en": {"language": "en", "value": office}},
        "descriptions": {"en": {"language": "en", "value": "invented office"}},
        "sitelinks": {"enwiki": {"site": "enwiki", "title": office}},
    }


def make_world(
    demises: int, tenures: int, first_day: date = date(2026, 2, 1), days: int = 150, first_id: int = 1_000
) -> World:
    """So many deaths and ended terms, spread evenly over the days; every hundredth known to the month only."""
    dead, left = [], []
    for place in range(demises):
        when = first_day + timedelta(days=place * days // max(demises, 1))
        precision = 10 if place % 100 == 99 else 11
        end = when.replace(day=1) if precision == 10 else when
        dead.append(Person(f"Q{first_id + place}", _name(place), end.isoformat(), precision))
    for place in range(tenures):
        when = first_day + timedelta(days=place * days // max(tenures, 1))
        number_ = 500_000 + first_id + place
        left.append(
            Person(
                f"Q{number_}", _name(100_000 + place), when.isoformat(), office=f"Q{900_000 + place % len(_OFFICES)}"
            )
        )
    return World(dead, left)


def _name(place: int) -> str:
    name = f"{_FIRST[place % len(_FIRST)]} {_LAST[place // len(_FIRST) % len(_LAST)]}"
    turn = place // (len(_FIRST) * len(_LAST))
    return f"{name} {turn}" if turn else name


def _found(person: Person) -> Row:
    return {
        "person": item(person.qid),
        "st": statement(person.key),
        "rank": rank(person.rank),
        "prec": number(person.precision),
        "title": words(person.name),
        "links": number(12),
        "len": words(person.name),
        "den": words(person.description),
    }


def _death(person: Person) -> Row:
    return {
        "person": item(person.qid),
        "st": statement(person.key),
        "rank": rank(person.rank),
        "date": day(person.end),
        "prec": number(person.precision),
    }


def _term(person: Person) -> Row:
    return {
        "position": item(person.office),
        "end": day(person.end),
        "endprec": number(person.precision),
        "start": day(person.start),
        "startprec": number(11),
    }


def _terms(person: Person) -> Iterator[Row]:
    row = {"person": item(person.qid), "st": statement(person.key), "rank": rank(person.rank)} | _term(person)
    if person.died:
        row |= {"dod": day(person.died), "dodprec": number(11)}
    yield row
    if person.again:
        key = person.key.replace("$1", "$2")
        again: Row = {"start": day(person.again), "startprec": number(11)}
        rest = {name: cell for name, cell in row.items() if name not in ("end", "endprec")}
        yield rest | again | {"st": statement(key)}


def _position(place: int) -> Row:
    office = _OFFICES[place]
    return {
        "position": item(f"Q{900_000 + place}"),
        "len": words(office),
        "den": words("invented office"),
        "title": words(office),
    }


def _names(person: Person) -> Iterator[Row]:
    yield {"item": item(person.qid), "len": words(person.name)}
    yield {"item": item(person.qid), "alias": words(f"{person.name.split()[0]} the Invented")}
    yield {"item": item(person.qid), "den": words(person.description)}


def _revisions(person: Person, place: int) -> Iterator[FakeRevision]:
    after = date.fromisoformat(person.end) + timedelta(days=1)
    role = "a speaker" if not person.office else "in office since 2020"
    life = f"<p><b>{person.name}</b> is {role}<sup class='reference'>[1]</sup>.</p><h2>Life</h2><p>Born 1950.</p>"
    yield FakeRevision(10_000_000 + place * 10, "2025-03-01T12:00:00Z", f"<div>{life}</div>")
    yield FakeRevision(10_000_001 + place * 10, "2026-01-15T12:00:00Z", f"<div>{life}<p>Invited to May.</p></div>")
    ended = f"{after.day} {after:%B %Y}"
    yield FakeRevision(
        10_000_002 + place * 10,
        f"{after.isoformat()}T12:00:00Z",
        f"<div><p>{person.name} (1950–2026)</p><p>It ended on {ended}.</p></div>",
    )
