"""Pairing and sampling: what is retained gets a direct probe and may be drawn; what was drawn stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import Probe, ProbeKind, ProbeText
from btc_gui.domain.probe_sample import SampleDesign
from btc_gui.domain.review import Action
from btc_gui.domain.run import Purpose
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError, RunError
from btc_gui.jobs.check_samples import no_search_accuracies, sample_notes
from btc_gui.jobs.pair_probes import PairOutcome, pair_probes, usable_direct_probes
from btc_gui.jobs.sample_probes import draw_sample, items_of_sample, sample_probes
from btc_gui.progress import Progress, Report
from btc_gui.store.database import Database
from btc_gui.store.event_rejections import EventRejectionStore
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.samples import SampleStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe, make_facts
from tests.case_builders import add_answers, make_trajectory


def _no_search(model: str, settings: str = "") -> Configuration:
    return Configuration(model, Harness.NONE, Effort.LOW, settings={"model_name": settings})


def _filter(database: Database, probe: Probe, model: str = "A", *labels: Label, settings: str = "") -> None:
    """Three judged no-search answers; without labels all recommend the person."""
    trajectories = [make_trajectory() for _ in range(3)]
    found = add_answers(database, probe, trajectories, _no_search(model, settings), Purpose.FILTER)[1]
    for answer_id, label in zip(found, labels or [Label.INCORRECT] * 3, strict=True):
        VerdictStore(database).add(
            NewVerdict(answer_id, "judge", None, label, names_entity=label is Label.INCORRECT, rationale="So.")
        )


def _accepted(database: Database, event_id: EventId, key: str) -> Probe:
    probe = add_probe(database, event_id, f"Who suits {key}?", key=key)
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    return ProbeStore(database).get(probe.id)


def _retained_events(database: Database, count: int, probes: int = 2, model: str = "A") -> list[Probe]:
    found = []
    for number in range(count):
        event_id = add_event(database, entity=f"Person {number}", description="painter")
        for each in range(probes):
            found.append(_accepted(database, event_id, f"p{number}-{each}"))
            _filter(database, found[-1], model)
    return found


def _pair(database: Database) -> PairOutcome:
    return pair_probes(database, load_categories(paths.resources() / "categories"), "tests", Progress())


# -- pairing -------------------------------------------------------------------------------------------------


def test_each_event_with_a_retained_probe_gets_one_direct_probe(database: Database) -> None:
    event_id = add_event(database, entity="Ada Example", description="painter")
    _filter(database, _accepted(database, event_id, "p1"))
    plain = add_event(database, entity="Ben Example")
    _filter(database, _accepted(database, plain, "p2"))
    tenure = add_event(database, entity="Cleo Example", category="tenure", position="Mayor of Exampleton")
    _filter(database, _accepted(database, tenure, "p3"))
    unretained = add_event(database, entity="Dan Example")
    _filter(database, _accepted(database, unretained, "p4"), "A", Label.INCORRECT, Label.CORRECT, Label.INCORRECT)

    assert _pair(database) == PairOutcome(created=3, renewed=0, known=0, stale=0)

    store = ProbeStore(database)
    direct = store.fetch(store.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,)))).values()
    assert {(probe.event_id, probe.text, probe.origin) for probe in direct} == {
        (event_id, "Is Ada Example, painter, still alive?", "paired"),
        (plain, "Is Ben Example still alive?", "paired"),
        (tenure, "Does Cleo Example currently serve as Mayor of Exampleton?", "paired"),
    }
    # A second time, nothing is to be done.
    assert _pair(database) == PairOutcome(created=0, renewed=0, known=3, stale=0)
    assert len(store.ids(ProbeQuery(kinds=(ProbeKind.DIRECT,)))) == 3


def test_a_paired_probe_follows_the_facts_and_a_reviewed_one_waits_for_a_person(database: Database) -> None:
    events = []
    for name in ("Ada", "Ben"):
        events.append(add_event(database, entity=f"{name} Example", category="tenure", position="Mayor of Oldtown"))
        _filter(database, _accepted(database, events[-1], name))
    _pair(database)
    ben = usable_direct_probes(database)[events[1]]
    ReviewStore(database).decide(ben.id, ben.revision_id, Action.ACCEPT, "tests")
    for event_id, name in zip(events, ("Ada", "Ben"), strict=True):
        facts = make_facts(f"{name} Example", "tenure", position="Mayor of Newtown")
        EventStore(database).revise(event_id, facts, "tests")
        # The indirect probes are accepted again, for the new facts.
        for probe in ProbeStore(database).siblings(event_id):
            if probe.kind is ProbeKind.INDIRECT:
                ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    assert usable_direct_probes(database) == {}

    assert _pair(database) == PairOutcome(created=0, renewed=1, known=0, stale=1)

    usable = usable_direct_probes(database)
    assert list(usable) == [events[0]]
    assert usable[events[0]].text == "Does Ada Example currently serve as Mayor of Newtown?"
    assert usable[events[0]].revision == 2


def test_pairing_does_not_write_over_a_persons_edit(database: Database) -> None:
    """An edited probe is unreviewed like an untouched one; when the facts move, a person has to look."""
    events = []
    for name in ("Ada", "Ben"):
        events.append(add_event(database, entity=f"{name} Example", category="tenure", position="Mayor of Oldtown"))
        _filter(database, _accepted(database, events[-1], name))
    _pair(database)
    ada, ben = (usable_direct_probes(database)[event_id] for event_id in events)
    reviews, probes = ReviewStore(database), ProbeStore(database)
    reviews.decide(ada.id, ada.revision_id, Action.EDIT, "tests", edited=ProbeText("Is Ada Example the mayor?"))

    def move(position: str) -> None:
        for event_id, name in zip(events, ("Ada", "Ben"), strict=True):
            EventStore(database).revise(event_id, make_facts(f"{name} Example", "tenure", position=position), "tests")
            for probe in probes.siblings(event_id):
                if probe.kind is ProbeKind.INDIRECT:
                    reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")

    for position in ("Mayor of Newtown", "Mayor of Highville"):
        move(position)
        assert _pair(database) == PairOutcome(created=0, renewed=1, known=0, stale=1)
    assert probes.get(ada.id).text == "Is Ada Example the mayor?"
    assert probes.get(ben.id).text == "Does Ben Example currently serve as Mayor of Highville?"
    # The automatic wordings are nobody's decision: a curator's Undo goes past them.
    assert [(each.reviewer, each.action) for each in reviews.log(ben.id)] == [("pairing", "edit")] * 2
    step = reviews.undo_step("tests")
    assert step is not None
    assert step.about.probe_id != ben.id


def test_a_persons_edit_while_pairing_is_under_way_stands(database: Database) -> None:
    """The edit comes between looking what is needed and writing it."""
    probes = _retained_events(database, 2, probes=1)
    _pair(database)
    reviews, second = ReviewStore(database), usable_direct_probes(database)[probes[1].event_id]
    for number, probe in enumerate(probes):
        EventStore(database).revise(probe.event_id, make_facts(f"Person {number}", date="2026-05-10"), "tests")
        reviews.decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")

    def edit_second(report: Report) -> None:
        if report.done == 1:
            reviews.decide(second.id, second.revision_id, Action.EDIT, "tests", edited=ProbeText("Does Person 1 live?"))

    categories = load_categories(paths.resources() / "categories")
    pair_probes(database, categories, "tests", Progress(edit_second))
    assert ProbeStore(database).get(second.id).text == "Does Person 1 live?"


def test_a_rejected_direct_probe_is_not_made_again(database: Database) -> None:
    _retained_events(database, 1)
    _pair(database)
    direct = next(iter(usable_direct_probes(database).values()))
    ReviewStore(database).decide(direct.id, direct.revision_id, Action.REJECT, "tests", reasons=("wrong_facts",))
    assert _pair(database).refused == (("Person 0", "Its direct probe was rejected in the review."),)


def test_a_rejected_event_gets_no_direct_probe(database: Database) -> None:
    """Rejected before pairing, or while it is under way."""
    probes, rejections = _retained_events(database, 3, probes=1), EventRejectionStore(database)
    rejections.reject(probes[0].event_id, "A hoax.", "tests")

    def reject_last(report: Report) -> None:
        if report.done == 1:
            rejections.reject(probes[2].event_id, "A hoax.", "tests")

    categories = load_categories(paths.resources() / "categories")
    outcome = pair_probes(database, categories, "tests", Progress(reject_last))
    assert (outcome.created, outcome.refused) == (
        1,
        (("Person 0", "The event was rejected."), ("Person 2", "The event was rejected.")),
    )
    assert list(usable_direct_probes(database)) == [probes[1].event_id]


# -- sampling ------------------------------------------------------------------------------------------------


def test_a_sample_is_frozen_with_what_it_was_drawn_from(database: Database) -> None:
    probes = _retained_events(database, 4)
    _pair(database)
    sample = sample_probes(database, "main", ["A"], SampleDesign("s", 3), "tests")
    items = SampleStore(database).items(sample.id)
    assert len({item.event_id for item in items}) == len(items) == 3
    assert all(item.direct_id is not None for item in items)
    (cell,) = sample.cells
    assert (cell.wanted, cell.events, cell.drawn, cell.shortfall) == (3, 4, 3, 0)
    assert list(sample_notes(database)) == []
    # The same draw has the same fingerprint, another seed another one.
    again = sample_probes(database, "again", ["A"], SampleDesign("s", 3), "tests")
    other = sample_probes(database, "other", ["A"], SampleDesign("t", 3), "tests")
    assert again.sha256 == sample.sha256 != other.sha256
    with pytest.raises(InputError, match="already"):
        sample_probes(database, "main", ["A"], SampleDesign("s", 3), "tests")

    # An edit and a correction are told, and change nothing that was drawn.
    drawn = ProbeStore(database).get(items[0].probe_id)
    ReviewStore(database).decide(
        drawn.id, drawn.revision_id, Action.EDIT, "tests", edited=ProbeText("Quite another wording?")
    )
    assert SampleStore(database).items(sample.id) == items
    faults = SampleStore(database).faults(sample.id)
    assert (faults.reworded, faults.unaccepted, faults.is_stale) == (1, 1, True)
    assert "1 probes with another wording now" in next(iter(sample_notes(database)))
    assert drawn.id in [probe.id for probe in probes]


def test_extending_contains_the_sample_and_refuses_another_rule(database: Database) -> None:
    _retained_events(database, 5)
    small = sample_probes(database, "small", ["A"], SampleDesign("s", 2), "tests")
    large = sample_probes(database, "large", ["A"], SampleDesign("s", 9), "tests", extends="small")
    store = SampleStore(database)
    first = [item.probe_id for item in store.items(small.id)]
    assert [item.probe_id for item in store.items(large.id)][:2] == first
    assert (large.extends, large.cells[0].drawn, large.cells[0].shortfall) == (small.id, 5, 4)
    with pytest.raises(InputError, match="another rule"):
        draw_sample(database, ["A"], SampleDesign("t", 9), extends="small")
    with pytest.raises(InputError, match="2 probes"):
        draw_sample(database, ["A"], SampleDesign("s", 1), extends="small")


def test_a_common_sample_is_the_same_for_all_its_models(database: Database) -> None:
    probes = _retained_events(database, 4, probes=1)
    for probe in probes[:3]:
        _filter(database, probe, "B")
    _filter(database, probes[3], "B", Label.CORRECT, Label.CORRECT, Label.CORRECT)
    store = RetentionStore(database)
    assert {each.probe_key for each in store.retained(["A", "B"])} == {"p0-0", "p1-0", "p2-0"}
    drawn = draw_sample(database, ["A", "B"], SampleDesign("s", 9, is_common=True))
    by_model = {model: [i.probe_id for i in drawn.items if i.model == model] for model in ("A", "B")}
    assert by_model["A"] == by_model["B"]
    assert len(by_model["A"]) == 3
    assert [probe.id for probe in probes] == ProbeStore(database).ids(ProbeQuery(retained_by=("A",)))
    assert len(ProbeStore(database).ids(ProbeQuery(retained_by=("A", "B")))) == 3


def test_stale_and_unaccepted_probes_are_not_drawn(database: Database) -> None:
    probes = _retained_events(database, 3, probes=1)
    ReviewStore(database).decide(probes[0].id, probes[0].revision_id, Action.DEFER, "tests")
    EventStore(database).revise(probes[1].event_id, make_facts("Person 1", date="2026-06-01"), "tests")
    drawn = draw_sample(database, ["A"], SampleDesign("s", 9))
    assert [item.probe_id for item in drawn.items] == [probes[2].id]
    with pytest.raises(InputError, match="no filter of the model"):
        draw_sample(database, ["Z"], SampleDesign("s", 9))


def test_each_configuration_is_asked_its_own_model_s_probes(database: Database) -> None:
    probes = _retained_events(database, 2, probes=1)
    _filter(database, probes[0], "B")
    _pair(database)
    sample = sample_probes(database, "main", ["A", "B"], SampleDesign("s", 9), "tests")
    shared = [Configuration(model, Harness.SHARED, Effort.LOW) for model in ("A", "B")]
    plan = dict(zip(("A", "B"), items_of_sample(database, sample, shared), strict=True))
    assert [len(items) for _, items in plan.values()] == [4, 2]
    (_, only), _ = items_of_sample(database, sample, shared, [ProbeKind.INDIRECT], 1)
    assert len(only) == 1
    with pytest.raises(InputError, match="no probes for C"):
        items_of_sample(database, sample, [Configuration("C", Harness.SHARED, Effort.LOW)])


def test_an_empty_draw_is_not_frozen(database: Database) -> None:
    event_id = add_event(database)
    _filter(database, _accepted(database, event_id, "p1"), "A", Label.CORRECT, Label.CORRECT, Label.CORRECT)
    with pytest.raises(RunError, match="No probe can be drawn"):
        sample_probes(database, "main", ["A"], SampleDesign("s", 9), "tests")
    assert SampleStore(database).all() == []


# -- the invariant -------------------------------------------------------------------------------------------


def test_judging_again_breaks_the_invariant_of_a_sample_visibly(database: Database) -> None:
    (probe,) = _retained_events(database, 1, probes=1)
    sample_probes(database, "main", ["A"], SampleDesign("s", 1), "tests")
    assert [(each.correct, each.scored, each.where) for each in no_search_accuracies(database)] == [
        (0, 3, "the probes that it retains"),
        (0, 3, "the sample “main”"),
    ]
    row = database.read().execute("SELECT id FROM answer ORDER BY id LIMIT 1").fetchone()
    VerdictStore(database).add(NewVerdict(row["id"], "judge", None, Label.CORRECT, names_entity=False))
    (found,) = no_search_accuracies(database)
    assert (found.correct, found.scored, found.where) == (1, 3, "the sample “main”")
    assert "33.3%" in found.text
    assert RetentionStore(database).retained(["A"]) == []
    result = CliRunner().invoke(main, ["check", str(database.path), "--json"], catch_exceptions=False)
    assert result.exit_code == 1
    errors = [each["text"] for each in json.loads(result.stdout)["findings"] if each["severity"] == "error"]
    assert errors == [f"{found.text}: it must be 0."]
    assert probe.key == "p0-0"


def test_settings_that_are_changed_back_bring_their_filter_back(database: Database) -> None:
    """Retention, and the accuracy that must be 0, rest on the settings of now: not on those planned last."""
    probe = _accepted(database, add_event(database, entity="Ada Example"), "p1")
    store = RetentionStore(database)
    _filter(database, probe, settings="first")
    assert [each.probe_id for each in store.retained(["A"])] == [probe.id]
    _filter(database, probe, "A", Label.CORRECT, Label.CORRECT, Label.INCORRECT, settings="second")
    assert store.retained(["A"]) == []
    store.prefer({"A": _no_search("A", "first").identity})
    assert [each.probe_id for each in store.retained(["A"])] == [probe.id]
    assert store.no_search_labels("A", [probe.revision_id]) == (3, 0)
    assert [(each.scored, each.correct) for each in no_search_accuracies(database)] == [(3, 0)]
    store.prefer({"A": _no_search("A", "second").identity})
    assert store.retained(["A"]) == []
    assert store.no_search_labels("A", [probe.revision_id]) == (3, 2)


def test_commands_tell_retention_pair_and_draw(database: Database) -> None:
    _retained_events(database, 2)

    def run(*arguments: str) -> dict[str, Any]:
        result = CliRunner().invoke(
            main, [arguments[0], "-p", str(database.path), *arguments[1:], "--json"], catch_exceptions=False
        )
        assert result.exit_code == 0, result.output
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    table = database.path.with_name("retention.csv")
    (row,) = run("retention", "--csv", str(table))["retention"]
    assert (row["category"], row["model"], row["generated"], row["retained"]) == ("demise", "A", 4, 4)
    assert table.read_text(encoding="utf-8").startswith("category,model,events,generated,filtered,retained")
    assert len(run("retention", "--common", "A")["probes"]) == 4
    assert run("retention", "--undecided")["undecided"] == []
    assert run("pair")["created"] == 2
    assert run("sample", "--dry-run")["unpaired"] == 0
    (cell,) = run("sample", "--name", "main", "--size", "3", "--seed", "7")["cells"]
    assert (cell["drawn"], cell["shortfall"]) == (2, 1)
    assert [each["name"] for each in run("sample")["samples"]] == ["main"]
