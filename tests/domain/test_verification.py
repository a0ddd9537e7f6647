"""Asking again about events: what moved, and what did not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.collecting import Window, decide
from btc_gui.domain.collection_plan import Binding
from btc_gui.domain.event import EventFacts
from btc_gui.domain.verification import Moved, Movement, what_moved
from tests.builders import make_facts
from tests.wikidata_rows import demise, position, row, tenure, term

CATEGORIES = load_categories(paths.resources() / "categories")
RUN = date(2026, 7, 10)
WINDOW = Window(date(2026, 2, 1), date(2026, 6, 30))


def dead() -> EventFacts:
    """A collected demise."""
    return decide(CATEGORIES["demise"], {"demises": [demise(1)]}, window=WINDOW, run_date=RUN).events[0]


def gone() -> EventFacts:
    """A collected tenure."""
    rows = {"tenures": [tenure(1)], "positions": [position()]}
    return decide(CATEGORIES["tenure"], rows, window=WINDOW, run_date=RUN).events[0]


def death(
    date: str = "2026-05-09", prec: str = "11", st: str = "Q1$a", rank: str = "normal", qid: str = "Q1"
) -> Binding:
    """What is stated about a death now."""
    return row(person=qid, st=st, rank=rank, date=date, prec=prec)


def moved(facts: EventFacts, **rows: list[Binding]) -> Moved:
    """What moved about one event."""
    (found,) = what_moved(CATEGORIES[facts.category], [facts], rows, run_date=RUN)
    return found


def test_nothing_moved() -> None:
    """The same statement says the same; names are not asked for again."""
    assert moved(dead(), all_deaths=[death()]).movement is Movement.UNCHANGED
    assert moved(gone(), all_terms=[term(1, "a", "2022-01-10", "2026-05-09")]).movement is Movement.UNCHANGED


@pytest.mark.parametrize(
    ("rows", "movement", "reason"),
    [
        ([death("2026-05-08")], Movement.DATE_CORRECTED, "9 May 2026 is 8 May 2026 now."),
        ([death("2026-05-01", "10")], Movement.REFUSED, "Date known only to the month: May 2026."),
        ([death("?", "")], Movement.GONE, "The statement has no such date any more: the source says"),
        ([death(rank="deprecated")], Movement.GONE, "The source keeps the statement as wrong"),
        ([], Movement.GONE, "The source no longer states this about Q1."),
        ([death("2026-05-11", st="Q1$z")], Movement.DATE_CORRECTED, "9 May 2026 is 11 May 2026 now."),
        ([death(), death("2026-05-12", st="Q1$z")], Movement.REFUSED, "Conflict: 12 May 2026 and 9 May 2026."),
        (
            [death(), death("2026-05-12", st="Q1$z", rank="preferred")],
            Movement.DATE_CORRECTED,
            "9 May 2026 is 12 May 2026 now.",
        ),
        (
            [death(rank="deprecated"), death("2026-05-12", st="Q1$z")],
            Movement.DATE_CORRECTED,
            "9 May 2026 is 12 May 2026 now.",
        ),
        ([death(), death("2026-05-09", st="Q1$z", rank="preferred")], Movement.UNCHANGED, "As it was."),
        (
            [
                death(),
                death("2026-05-12", st="Q1$z", rank="preferred"),
                death("2026-05-13", st="Q1$y", rank="preferred"),
            ],
            Movement.REFUSED,
            "Not the best rank: another statement is preferred",
        ),
    ],
)
def test_demise(rows: list[Binding], movement: Movement, reason: str) -> None:
    """Dates that were corrected, made less exact, withdrawn, contradicted or outranked."""
    found = moved(dead(), all_deaths=rows)
    assert found.movement is movement
    assert found.reason.startswith(reason)


def test_corrected_facts_keep_what_a_curator_wrote() -> None:
    """Only dates and ids come from the source; names, notes and aliases stay as they are."""
    written = replace(dead(), entity="Ada the Painter", note="seen in print")
    now = moved(written, all_deaths=[death("2026-05-08")]).now
    assert now is not None
    assert (now.entity, now.note, now.date.iso) == ("Ada the Painter", "seen in print", "2026-05-08")


def test_merged_item() -> None:
    """An item that was merged is found under its new id, with a statement that may have moved as well."""
    redirect = row(old="Q1", new="Q5")
    found = moved(dead(), all_deaths=[death(qid="Q5", st="Q5$x")], redirects=[redirect])
    assert (found.movement, found.reason) == (Movement.MERGED, "Q1 was merged into Q5.")
    assert found.now is not None
    assert found.now.qid == "Q5"
    both = moved(dead(), all_deaths=[death("2026-05-08", qid="Q5")], redirects=[redirect])
    assert both.movement is Movement.DATE_CORRECTED


def test_tenure() -> None:
    """Back in office, ended by a death that was reported later, or without an end again."""
    own = term(1, "a", "2022-01-10", "2026-05-09")
    back = moved(gone(), all_terms=[own, term(1, "b", "2026-06-20")])
    assert back.movement is Movement.HELD_AGAIN
    assert back.reason.startswith("Held again: the same position from 20 June 2026")
    died = term(1, "a", "2022-01-10", "2026-05-09", dod="2026-05-09", dodprec="11")
    assert moved(gone(), all_terms=[died]).reason.startswith("Ended by death")
    assert moved(gone(), all_terms=[term(1, "a", "2022-01-10")]).movement is Movement.GONE
    other = moved(gone(), all_terms=[term(1, "z", "2022-01-10", "2026-05-12")])
    assert (other.movement, other.reason) == (Movement.DATE_CORRECTED, "9 May 2026 is 12 May 2026 now.")
    assert moved(gone(), all_terms=[term(1, "z", "2024-01-10", "2026-02-12")]).movement is Movement.GONE


def test_place_that_opens_again() -> None:
    """An end that comes nearer is told; one that has come ends the change."""
    place = {"place": "Q1", "state": "Q55653430", "rank": "normal", "start": "2026-03-02", "startprec": "11"}
    found = row(**place, st="Q1$a", end="2027-10-31", endprec="11", title="Museum", len="Museum")
    facts = decide(CATEGORIES["closure"], {"closures": [found]}, window=WINDOW, run_date=RUN).events[0]
    sooner = moved(facts, all_states=[row(**place, st="Q1$a", end="2027-05-01", endprec="11")])
    assert (sooner.movement, sooner.reason) == (Movement.DATE_CORRECTED, "It lasts until 1 May 2027 now.")
    over = moved(facts, all_states=[row(**place, st="Q1$a", end="2026-07-01", endprec="11")])
    assert (over.movement, over.reason) == (Movement.REFUSED, "Over already: until 1 July 2026.")


def test_who_can_be_asked_about() -> None:
    """Events without a QID and of other categories are left out; loaded ones are found without a statement's id."""
    loaded = make_facts("Ada", "demise", "2026-05-09", qid="Q1")
    found = what_moved(
        CATEGORIES["demise"],
        [loaded, make_facts("Ben", "demise", "2026-05-09"), gone()],
        {"all_deaths": [death("2026-05-08"), death(st="Q1$b")]},
        run_date=RUN,
    )
    assert [(one.facts.entity, one.movement) for one in found] == [("Ada", Movement.REFUSED)]
