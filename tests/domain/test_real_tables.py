"""Real tables of tenures and deaths: what the rules make of every row, against what the files say themselves."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.column_mapping import LoadSubject, guess_mapping
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event import EventFacts
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_reading import EventReader, terms_of
from btc_gui.domain.event_rows import Rejected
from btc_gui.domain.office_terms import Holder, Office, OfficeTerms, Term, state_of_term
from btc_gui.domain.rules import Claim, Window, World, compose, refusal

CATEGORIES = load_categories(paths.resources() / "categories")
TODAY = date(2026, 11, 30)


def rows_of(shared_data: Path, name: str) -> list[dict[str, str]]:
    """The rows of a real table."""
    with (shared_data / "wikidata" / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def outcomes(rows: list[dict[str, str]], today: date = TODAY) -> list[str]:
    """The kind of reason against each row, `kept` where there is none."""
    mapping = guess_mapping(LoadSubject.EVENTS, list(rows[0]), rows[:50])
    reader = EventReader(mapping, CATEGORIES, "", EventIndex(), terms_of(rows, mapping, today))
    found = []
    for row in rows:
        try:
            reader.read(row)
            found.append("kept")
        except Rejected as rejected:
            found.append(str(rejected).partition(":")[0])
    return found


def test_tenures_of_wikidata(shared_data: Path) -> None:
    """5,090 real terms: 31 with a known day ended by death (30 on the day, one five days after), 67 are held again.

    Twenty contradict another row with the same person, position and start.

    The file itself calls 31 “died in office”: one of those is known to the year only. Its 144 “same position again”
    count any later term; 71 of them are later than 120 days and over too, so that the person holds the office no more.
    """
    rows = rows_of(shared_data, "events_tenures_wikidata_to_2022.csv")
    found = outcomes(rows)
    assert Counter(found) == {
        "kept": 2921,
        "conflict": 20,
        "date known only to the year": 1163,
        "still in office": 775,
        "date known only to the month": 106,
        "held again": 67,
        "ended by death": 31,
        "the same end in a longer term": 6,
        "still held": 1,
    }
    by_death = [row for row, reason in zip(rows, found, strict=True) if reason == "ended by death"]
    gaps = Counter((date.fromisoformat(row["end"]) - date.fromisoformat(row["date_of_death"])).days for row in by_death)
    assert gaps == {0: 30, 5: 1}
    assert [row["qid"] for row in by_death if row["end"] != row["date_of_death"]] == ["Q18394899"]
    told = Counter((row["outcome"].partition(" from")[0], reason) for row, reason in zip(rows, found, strict=True))
    assert told["same position again", "held again"] == 67
    assert told["same position again", "conflict"] == 1
    assert told["same position again", "kept"] == 71
    assert told["died in office", "date known only to the year"] == 1
    (still,) = [row for row, reason in zip(rows, found, strict=True) if reason == "still held"]
    assert (still["name"], still["start"]) == ("David Lidington", "2010-05-12")


def test_tenures_of_congress(shared_data: Path) -> None:
    """6,240 real terms: each of the 4,988 re-elected is recognised, and nobody who left for good is dropped."""
    rows = rows_of(shared_data, "events_tenures_us_congress.csv")
    found = outcomes(rows)
    told = Counter((row["outcome"].partition(" (")[0], reason) for row, reason in zip(rows, found, strict=True))
    assert told == {
        ("re-elected", "held again"): 4988,
        ("IN OFFICE; scheduled end in the future", "unknown category"): 537,
        ("left at the scheduled end", "kept"): 499,
        ("left mid-term", "kept"): 12,
        ("left mid-term, true end unknown here", "kept"): 85,
        ("left mid-term, true end unknown here", "the date is still to come"): 5,
        ("moved House→Senate", "kept"): 75,
        ("moved Senate→House", "held again"): 1,
        ("returned later", "kept"): 22,
        ("returned later", "held again"): 16,
    }
    # Whom the file sets aside as “in office” is refused by the rules as well: their ends were still to come.
    seated = [{**row, "category": "tenure"} for row in rows if row["category"] == "trap"]
    assert Counter(outcomes(seated, date(2026, 6, 15))) == {"the date is still to come": 537}


def test_curated_tables(shared_data: Path) -> None:
    """The 2026 tables: month and year dates are refused, traps are none of the categories, the rest is taken."""
    assert Counter(outcomes(rows_of(shared_data, "events_demises.csv"))) == {
        "kept": 73,
        "date known only to the month": 2,
        "date known only to the year": 1,
    }
    assert Counter(outcomes(rows_of(shared_data, "events_tenures.csv"))) == {
        "kept": 83,
        "unknown category": 12,
        "date known only to the month": 4,
    }
    assert Counter(outcomes(rows_of(shared_data, "events_demises_2020_2021.csv"))) == {"kept": 1500}
    assert Counter(outcomes(rows_of(shared_data, "events_traps.csv"))) == {"unknown category": 8}


def test_traps_under_a_category(shared_data: Path) -> None:
    """What rules can see of the traps they see, also when a file calls them demises: an absurd year, a bare month.

    False reports, invented people and page moves look like any other row: nothing but a person or a second source
    can tell.
    """
    rows = [{**row, "category": "demise"} for row in rows_of(shared_data, "events_traps.csv")]
    found = dict(zip((row["name"] for row in rows), outcomes(rows), strict=True))
    assert found["Catherine O'Hara"] == "impossible date"
    assert found["Frosted"] == "date known only to the month"
    assert found["Antonín Kinský"] == "the date is missing"
    assert [name for name, reason in found.items() if reason == "kept"] == [
        "Mojtaba Khamenei",
        "Ali Larijani",
        "Dame Evelyn Reed",
        "Eleanor Vance",
        "Doug LaMalfa",
    ]


def judged(
    spells: Iterable[tuple[str, str, str, str]], today: date, window: Window
) -> Mapping[tuple[str, str], tuple[str, list[str]]]:
    """What the tenures' rules say of terms (person, position, start, end) that end in the window, with marks."""
    rules = compose(CATEGORIES["tenure"].rules)
    terms = OfficeTerms(today)
    known = []
    for number, (person, position, start, end) in enumerate(spells):
        began = parse_event_date(start) if start else None
        ended = parse_event_date(end) if end else None
        state = state_of_term(began, ended, today)
        known.append(Term(Holder(entity=person), Office(position), began, ended, state, f"{number}"))
        terms.add(known[-1])
    world = World(today, terms, window)
    found = {}
    for term in known:
        if term.end is None or not window.start <= term.end.first_day <= window.end:
            continue
        facts = EventFacts("tenure", term.holder.entity, term.end, position=term.office.name, started=term.start)
        claim = Claim(facts, term=term)
        marks = [mark for rule in rules if (mark := rule.marks(claim, world))]
        found[facts.entity, facts.position] = (refusal(rules, claim, world)[0], marks)
    return found


def test_scottish_ministers(shared_data: Path) -> None:
    """23 roles end around 20 May 2026: the First Minister is re-appointed, 12 people get a new role on the day."""
    text = (shared_data / "wikidata" / "wdqs_samples" / "json_sp_ministers_2026-08.json").read_text(encoding="utf-8")
    spells = []
    for role in json.loads(text):
        people = role["person_id"] if isinstance(role["person_id"], list) else [role["person_id"]]
        # A role whose person is not told is nobody's: two such roles are not one person's.
        person = people[0] if people and people[0] else role["id"]
        spells.append((person, role["role"], role.get("start_date") or "", role.get("end_date") or ""))
    found = judged(spells, date(2026, 8, 20), Window(date(2026, 5, 19), date(2026, 5, 21)))
    assert len(found) == 23
    assert [key[1] for key, (step, _) in found.items() if step] == ["First Minister"]
    assert sum(bool(marks) for _, marks in found.values()) == 12


def test_scottish_parliaments(shared_data: Path) -> None:
    """Each parliament is a position of its own, weeks apart: who sits in the next one has not left."""
    rows = rows_of(shared_data, "wdqs_samples/csv_scottish_parliament_terms.csv")
    spells = [(row["personID"], row["position"], row["start"], row["end"]) for row in rows]
    for last_day, sat_again, left in (("2011-03-22", 83, 46), ("2016-03-24", 79, 49), ("2021-05-05", 86, 43)):
        day = date.fromisoformat(last_day)
        found = judged(spells, date(2022, 1, 1), Window(day, day))
        steps = Counter(step for step, _ in found.values())
        assert steps == {"not_held_again": sat_again, "": left}, last_day
        # Counted another way: who holds a seat that begins within the next two months, or holds one today.
        soon = {who for who, _, start, _ in spells if start and 0 <= (date.fromisoformat(start) - day).days <= 60}
        sits = {who for who, _, _, end in spells if not end}
        gone = {who for who, _, _, end in spells if end == last_day}
        assert len(gone & (soon | sits)) == sat_again
