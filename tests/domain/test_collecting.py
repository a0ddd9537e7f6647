"""Deciding about rows of Wikidata: every trap has its step and reason, and no row vanishes."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.collecting import Window, decide
from btc_gui.domain.collection_plan import Binding
from btc_gui.domain.funnel import Collected, Decision
from btc_gui.errors import SettingsError
from tests.wikidata_rows import demise, position, row, tenure, term

CATEGORIES = load_categories(paths.resources() / "categories")
WINDOW = Window(date(2026, 2, 1), date(2026, 6, 30))
RUN = date(2026, 7, 10)


def collect(name: str, rows: dict[str, list[Binding]], **more: object) -> Collected:
    """Decide about rows of a category within the paper's window."""
    category: Category = CATEGORIES[name]
    return decide(category, rows, window=WINDOW, run_date=RUN, **more)  # type: ignore[arg-type]


def demises(*rows: Binding, all_deaths: list[Binding] | None = None, **more: object) -> Collected:
    """Decide about rows of the demises' first query."""
    return collect("demise", {"demises": list(rows), "all_deaths": all_deaths or []}, **more)


def tenures(
    *rows: Binding, terms: tuple[Binding, ...] = (), positions: tuple[Binding, ...] = (), **more: object
) -> Collected:
    """Decide about rows of the tenures' first query; Q900 is the Mayor of Exampleton."""
    told = {"tenures": list(rows), "all_terms": list(terms), "positions": [position(), *positions]}
    return collect("tenure", told, **more)


def only(collected: Collected) -> Decision:
    """The decision about the only row."""
    (decision,) = collected.decisions
    return decision


def test_demise_becomes_an_event() -> None:
    """A row becomes an event with everything that is known, and its source is the very statement."""
    names = [row(item="Q1", alias="P. One"), row(item="Q1", lmul="Person Uno"), row(item="Q1", den="painter")]
    collected = collect("demise", {"demises": [demise(1)], "names": names})
    (facts,) = collected.events
    assert (facts.entity, facts.date.iso, facts.qid, facts.article) == ("Person 1", "2026-05-09", "Q1", "Person 1")
    assert (facts.aliases, facts.description) == (("P. One", "Person Uno"), "painter")
    assert facts.source == "https://www.wikidata.org/wiki/Q1#Q1$a"
    assert [(step.name, step.dropped, step.left) for step in collected.funnel.steps][:2] == [
        ("read", 0, 1),
        ("once", 0, 1),
    ]


@pytest.mark.parametrize(
    ("binding", "step", "reason"),
    [
        (demise(1, "2026-05-01", "10"), "day_precision", "date known only to the month: May 2026"),
        (demise(1, "2026-01-01", "9"), "day_precision", "date known only to the year: 2026"),
        (demise(1, "?", ""), "complete", "the source says that the date is unknown"),
        (demise(1, "_", ""), "complete", "the source says that the date is unknown"),
        (demise(1, "+2026-02-31T00:00:00Z"), "complete", "impossible date: “+2026-02-31T00:00:00Z” is not a day"),
        (demise(1, "2026-05-01", ""), "complete", "date perhaps known only to the month"),
        (demise(1, "-0043-03-15T00:00:00Z"), "complete", "impossible date"),
        (demise(1, "0206-01-30"), "complete", "impossible date: the year 206 can't be right"),
        (demise(1, "2026-01-31"), "in_window", "outside the window: 31 January 2026"),
        (demise(1, "2026-07-01"), "in_window", "outside the window: 1 July 2026"),
        (demise(1, rank="deprecated"), "not_deprecated", "deprecated"),
        (demise(1, title=""), "has_article", "no article"),
        (demise(1, title="", len=""), "complete", "entity is missing: Q1 has no English name and no article"),
        (demise(1, person=""), "complete", "entity is missing: the row names no item"),
    ],
)
def test_rows_that_are_no_events(binding: Binding, step: str, reason: str) -> None:
    """Each kind of bad date, rank or entity is dropped at its own step, with a reason in words."""
    collected = demises(binding)
    decision = only(collected)
    assert (decision.kept, decision.step) == (False, step)
    assert decision.reason.startswith(reason)
    assert collected.events == ()
    assert {entry.name: entry.dropped for entry in collected.funnel.steps}[step] == 1


def test_names_fall_back() -> None:
    """English, else the name for all languages, else the article's title without what tells namesakes apart."""
    collected = demises(
        demise(1, len="Ada", lmul="Ada M."), demise(2, len="", lmul="Bea M."), demise(3, len="", title="Cy (painter)")
    )
    assert [facts.entity for facts in collected.events] == ["Ada", "Bea M.", "Cy"]


def test_conflicting_deaths() -> None:
    """Best rank decides; two dates of one rank are a conflict, also known and unknown, unless one only says less."""
    better = demises(
        demise(1), all_deaths=[row(person="Q1", st="Q1$b", rank="preferred", date="2026-05-10", prec="11")]
    )
    assert only(better).step == "best_rank"
    unknown = demises(demise(1), all_deaths=[row(person="Q1", st="Q1$b", rank="preferred", date="?")])
    assert only(unknown).reason == "not the best rank: another statement is preferred (unknown value)"
    two = demises(demise(1), demise(1, "2026-05-10", st="Q1$b"))
    assert [(one.step, one.reason) for one in two.decisions] == [
        ("one_date", "conflict: 10 May 2026 and 9 May 2026")
    ] * 2
    beside = demises(demise(1), all_deaths=[row(person="Q1", st="Q1$b", rank="normal", date="?")])
    assert only(beside).reason == "conflict: 9 May 2026 and unknown value"
    coarser = demises(demise(1), all_deaths=[row(person="Q1", st="Q1$b", rank="normal", date="2026-05-01", prec="10")])
    assert only(coarser).kept
    wrong = demises(
        demise(1), all_deaths=[row(person="Q1", st="Q1$b", rank="deprecated", date="2026-05-08", prec="11")]
    )
    assert only(wrong).kept


def test_the_same_again() -> None:
    """A row that comes twice, and a second statement of the same day, are one event; both are counted."""
    collected = demises(demise(1), demise(1), demise(1, st="Q1$b"))
    assert len(collected.events) == 1
    steps = [decision.step for decision in collected.decisions if not decision.kept]
    assert sorted(steps) == ["once", "one_event"]
    assert {decision.candidate.key for decision in collected.decisions} == {"Q1$a", "Q1$a#2", "Q1$b"}


def test_merged_item() -> None:
    """A row under an old id belongs to the item into which it was merged."""
    moved = row(old="Q1", new="Q2")
    collected = collect("demise", {"demises": [demise(1), demise(2, st="Q1$a")], "redirects": [moved]})
    assert [facts.qid for facts in collected.events] == ["Q2"]


def test_put_back() -> None:
    """A curator's note takes a dropped row in spite of the rules, and stays beside the reason."""
    binding = demise(1, "2026-05-01", "10")
    dropped = only(demises(binding))
    assert dropped.can_be_put_back
    collected = demises(binding, put_back={"Q1$a": "obituary of 9 May seen"})
    decision = only(collected)
    assert (decision.kept, decision.step, decision.reason) == (True, "put_back", "obituary of 9 May seen")
    assert decision.marks[0].startswith("put back in spite of: date known only to the month")
    assert collected.events[0].note == "obituary of 9 May seen"
    assert collected.funnel.kept == 1
    assert not only(demises(demise(1, "?", ""))).can_be_put_back


def test_tenure_becomes_an_event() -> None:
    """Position and start are facts; without the position's name it is no event."""
    (facts,) = tenures(tenure(1)).events
    assert (facts.position, facts.position_qid, facts.date.iso) == ("Mayor of Exampleton", "Q900", "2026-05-09")
    assert facts.started is not None
    assert facts.started.iso == "2022-01-10"
    nameless = only(tenures(tenure(1, position="Q901")))
    assert nameless.reason == "position is missing: a tenure can't do without"


@pytest.mark.parametrize(
    ("died", "precision", "reason"),
    [
        ("2026-05-09", "11", "ended by death: the person died on 9 May 2026"),
        ("2026-05-10", "11", "ended by death: the person died on 10 May 2026"),
        ("2026-05-11", "11", ""),
        ("2026-05-04", "11", "ended by death"),
        ("2026-05-01", "10", "perhaps ended by death: the person died in May 2026"),
        ("2026-06-01", "10", ""),
        ("?", "", "perhaps ended by death: the person is dead"),
    ],
)
def test_ended_by_death(died: str, precision: str, reason: str) -> None:
    """An end on the day of death, the day before or after it belongs to the demise; the doubt counts."""
    decision = only(tenures(tenure(1), terms=(term(1, "a", "2022-01-10", "2026-05-09", dod=died, dodprec=precision),)))
    assert decision.kept is not bool(reason)
    assert decision.reason.startswith(reason)


def test_held_again_by_family() -> None:
    """The same item, a numbered sister, or a sister under one position of a jurisdiction; a general class is none."""
    sisters = (
        position(901, "Member of the 5th Example Parliament"),
        position(902, "Member of the 6th Example Parliament"),
        position(903, "Councillor (north)", cls="Q910"),
        position(904, "Councillor (south)", cls="Q910"),
        position(910, "Councillor of Exampleton", jur="Q30"),
        position(905, "Minister of Trade", cls="Q83307"),
        position(906, "Minister of Health", cls="Q83307"),
        position(83307, "minister", jur="Q30"),
        position(907, "Envoy to A", cls="Q911"),
        position(908, "Envoy to B", cls="Q911"),
        position(911, "envoy"),
    )

    def decided(old: str, new: str) -> Decision:
        again = term(1, "b", "2026-05-20", position=new)
        return only(tenures(tenure(1, position=old), terms=(again,), positions=sisters))

    assert decided("Q900", "Q900").step == "not_held_again"
    assert decided("Q901", "Q902").step == "not_held_again"
    through = decided("Q903", "Q904")
    assert through.step == "not_held_again"
    assert through.reason.endswith("(as “Councillor (south)”)")
    assert decided("Q905", "Q906").kept
    assert decided("Q907", "Q908").kept


def test_undated_twin_is_not_current() -> None:
    """Copies without dates, and statements that only name a parliament, are unknown: marked, and never current."""
    twin = only(tenures(tenure(1), terms=(term(1, "b"),)))
    assert twin.kept
    assert twin.marks == ("another statement of the same position has no dates",)
    parliament = term(1, "b", term="Q950")
    assert only(tenures(tenure(1), terms=(parliament,))).kept
    begun = row(term="Q950", begins="2026-05-20", beginsprec="11")
    told = {"tenures": [tenure(1)], "all_terms": [parliament], "positions": [position()], "parliaments": [begun]}
    assert only(collect("tenure", told)).step == "not_held_again"


def test_unknown_end_is_an_end() -> None:
    """A term whose end is “unknown value” is over; one that says “deprecated” is not looked at."""
    over = row(person="Q1", st="Q1$b", position="Q900", rank="normal", start="2026-06-30", startprec="11", end="?")
    late = tenure(1, "2026-02-10")
    assert only(tenures(late, terms=(over,))).kept
    wrong = term(1, "b", "2026-05-20", rank="deprecated")
    assert only(tenures(tenure(1), terms=(wrong,))).kept


def test_terms_of_the_dead_are_over() -> None:
    """An office without an end doesn't outlive its holder."""
    later = term(1, "b", "2027-01-01", dod="2026-06-20", dodprec="11")
    own = term(1, "a", "2022-01-10", "2026-02-10", dod="2026-06-20", dodprec="11")
    assert only(tenures(tenure(1, "2026-02-10"), terms=(later, own))).kept


def test_acting_and_reshuffles_are_marked_or_dropped() -> None:
    """Acting offices and new roles on the day are kept with a mark, or dropped where a setting says so."""
    acting = (term(1, "a", "2022-01-10", "2026-05-09", acting="Q4676846"),)
    assert only(tenures(tenure(1), terms=acting)).marks == ("acting: the office was held for the time being",)
    named = only(tenures(tenure(1, position="Q901"), positions=(position(901, "Acting President of Exampleland"),)))
    assert named.marks == ("acting: the office was held for the time being",)
    strict = {"acting": {"do": "drop", "values": ["Q4676846"], "words": []}}
    assert only(tenures(tenure(1), terms=acting, overrides=strict)).step == "acting"
    moved = tenures(
        tenure(1), terms=(term(1, "b", "2026-05-09", position="Q901"),), positions=(position(901, "Envoy"),)
    )
    assert only(moved).marks == ("new role on the same day: Envoy",)
    assert moved.events[0].note == "new role on the same day: Envoy"
    with pytest.raises(SettingsError, match="there is no rule “nonsense”"):
        tenures(tenure(1), overrides={"nonsense": True})
    with pytest.raises(SettingsError, match="new_role must be “drop” or “mark”"):
        tenures(tenure(1), overrides={"new_role": "perhaps"})


def test_longest_of_the_day() -> None:
    """Two statements of one office that end on one day: the longer one stays, the other says why it went."""
    collected = tenures(tenure(1), tenure(1, start="2018-01-10", st="Q1$b"))
    assert [facts.started.iso for facts in collected.events if facts.started] == ["2018-01-10"]
    (dropped,) = [decision for decision in collected.decisions if not decision.kept]
    assert (dropped.step, dropped.reason) == ("longest_of_day", "the same end in a longer term: from 10 January 2018")


def test_conflicting_ends() -> None:
    """Two ends in one statement, or in two of one office and start, are a conflict for a person to settle."""
    inside = only(tenures(tenure(1), terms=(term(1, "a", "2022-01-10", "2026-04-01"),)))
    assert inside.reason == "conflict: 1 April 2026 and 9 May 2026"
    beside = only(tenures(tenure(1), terms=(term(1, "b", "2022-01-10", "2026-04-01"),)))
    assert beside.step == "one_date"


def test_scheduled_end() -> None:
    """An end after the day of the run is an announcement."""
    decision = only(
        decide(
            CATEGORIES["tenure"],
            {"tenures": [tenure(1, "2026-06-30")], "positions": [position()]},
            window=WINDOW,
            run_date=date(2026, 6, 29),
        )
    )
    assert decision.step == "not_in_future"


QIDS = st.integers(1, 4)
DATES = st.sampled_from(
    ["2026-05-09", "2026-05-10", "2026-05-01", "2026-01-01", "2026-09-01", "?", "_", "", "2012-02-31"]
)
PRECISIONS = st.sampled_from(["11", "11", "10", "9", ""])
RANKS = st.sampled_from(["normal", "normal", "preferred", "deprecated"])
STATEMENTS = st.sampled_from("abc")


@st.composite
def demise_rows(draw: st.DrawFn) -> Binding:
    """Any row of the demises' first query."""
    number = draw(QIDS)
    told = {"rank": draw(RANKS), "st": f"Q{number}${draw(STATEMENTS)}", "title": draw(st.sampled_from(["", "A", "B"]))}
    return demise(number, draw(DATES), draw(PRECISIONS), **told)


@st.composite
def tenure_rows(draw: st.DrawFn) -> Binding:
    """Any row of the tenures' first query."""
    number = draw(QIDS)
    told = {"st": f"Q{number}${draw(STATEMENTS)}", "rank": draw(RANKS), "endprec": draw(PRECISIONS)}
    return tenure(number, draw(DATES), draw(DATES), position=draw(st.sampled_from(["Q900", "Q901", ""])), **told)


def check_counts(collected: Collected, read: int) -> None:
    """Kept and dropped are all rows, and each step of the funnel follows from the one before."""
    steps = collected.funnel.steps
    assert collected.funnel.read == read == len(collected.decisions)
    assert collected.funnel.kept + collected.funnel.dropped == read
    assert collected.funnel.kept == len(collected.events) == sum(decision.kept for decision in collected.decisions)
    for before, after in pairwise(steps):
        assert after.left == before.left - after.dropped
    by_step = Counter(decision.step for decision in collected.decisions if not decision.kept)
    assert {step.name: step.dropped for step in steps if step.dropped} == dict(by_step)
    assert all(decision.reason for decision in collected.decisions if not decision.kept)
    keys = [decision.candidate.key for decision in collected.decisions]
    assert len(set(keys)) == len(keys)


@settings(max_examples=30)
@given(st.lists(demise_rows(), max_size=12), st.randoms(use_true_random=False))
def test_no_demise_row_vanishes(rows: list[Binding], shuffle: object) -> None:
    """Whatever rows come, all are accounted for, and their order makes no difference."""
    collected = demises(*rows, all_deaths=rows[::2])
    check_counts(collected, len(rows))
    mixed = list(rows)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    assert demises(*mixed, all_deaths=rows[::-2] if len(rows) % 2 else rows[::2]) == collected


@settings(max_examples=30)
@given(st.lists(tenure_rows(), max_size=12), st.randoms(use_true_random=False))
def test_no_tenure_row_vanishes(rows: list[Binding], shuffle: object) -> None:
    """The same for tenures, whose rules look at other rows too."""
    collected = tenures(*rows, terms=tuple(rows))
    check_counts(collected, len(rows))
    mixed = list(rows)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    assert tenures(*mixed, terms=tuple(rows[::-1])) == collected
