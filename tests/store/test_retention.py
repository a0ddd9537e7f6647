"""Counts of retention: the same as probe by probe, whichever judge and configuration counts, and always the present."""

from __future__ import annotations

import random

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.probe import ProbeText
from btc_gui.domain.retention import Standing
from btc_gui.domain.review import Action
from btc_gui.domain.run import Purpose, RunRecipe
from btc_gui.domain.trajectory import Ending, Trajectory
from btc_gui.domain.verdict import Label
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.retention import RetentionStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe

_ENDINGS = (*[Ending.ANSWERED] * 12, Ending.REFUSED, Ending.NO_ANSWER, Ending.FAILED)


def _fill(database: Database) -> None:
    chance = random.Random(5)
    probes = [
        add_probe(database, add_event(database, entity=f"Ada {number}"), f"Who suits evening {number}?")
        for number in range(60)
    ]
    settings = [Configuration(model, Harness.NONE, Effort.LOW, settings={"t": t}) for model in "AB" for t in "01"]
    items = [(probe.id, probe.revision_id) for probe in probes]
    runs = RunStore(database)
    # A second run asks some of the same again.
    for asked in (items, items[:20]):
        run = runs.create("Filter", RunRecipe("2026-07-15", Purpose.FILTER), settings, asked, 3, "tests")
        pending = [item for item in runs.pending(run) if chance.random() < 0.97]
        batch = [(item.id, Trajectory(f"{run}-{item.id}", chance.choice(_ENDINGS), "Ask Ada.", ())) for item in pending]
        added = AnswerStore(database).add_texts(batch)
        for number, trajectory in batch:
            for judge in ("one", "two"):
                if trajectory.ending is Ending.ANSWERED and chance.random() < 0.97:
                    recommends = chance.random() < 0.9
                    label = Label.INCORRECT if recommends else Label.CORRECT
                    names = recommends and chance.random() < 0.97
                    VerdictStore(database).add(NewVerdict(added[number], judge, None, label, names, "Because."))


def _told(database: Database) -> dict[str, tuple[int, ...]]:
    return {
        each.model: (each.filtered, each.retained, each.not_retained, each.undecided)
        for each in RetentionStore(database).counts()
    }


def _probe_by_probe(database: Database) -> dict[str, tuple[int, ...]]:
    found = {}
    for model in "AB":
        standings = [each.standing for each in RetentionStore(database).of_model(model).values()]
        each = (Standing.RETAINED, Standing.NOT_RETAINED, Standing.UNDECIDED)
        counts = tuple(standings.count(standing) for standing in each)
        found[model] = (len(standings), *counts)
    return found


def _ids_are_those_of_the_probes(database: Database) -> None:
    store = RetentionStore(database)
    a, b = ({probe.probe_id for probe in store.retained([model])} for model in "AB")
    assert store.retained_ids(["A"]) == a
    assert store.retained_ids(["A", "B"]) == a & b != store.retained_ids(["A", "B"], by_any=True) == a | b


def test_counts_are_those_of_the_probes_after_every_change(database: Database) -> None:
    with database.write(durable=False):
        _fill(database)
    first = _told(database)
    assert first == _probe_by_probe(database)
    _ids_are_those_of_the_probes(database)
    assert all(number for model in first.values() for number in model)
    JudgeStore(database).set_primary("one")
    second = _told(database)
    assert second == _probe_by_probe(database) != first
    older = Configuration("A", Harness.NONE, Effort.LOW, settings={"t": "0"})
    RetentionStore(database).prefer({"A": older.identity})
    third = _told(database)
    assert third == _probe_by_probe(database)
    _ids_are_those_of_the_probes(database)
    assert third["A"] != second["A"]
    assert third["B"] == second["B"]
    edited = next(iter(RetentionStore(database).retained_ids(["A"])))
    probe, reviews = ProbeStore(database).get(edited), ReviewStore(database)
    edit = reviews.decide(edited, probe.revision_id, Action.EDIT, "ann", edited=ProbeText("Who else suits it?"))
    assert edited not in RetentionStore(database).retained_ids(["A"])
    assert _told(database)["A"] == _probe_by_probe(database)["A"] != third["A"]
    reviews.undo(edit, "ann")
    assert edited in RetentionStore(database).retained_ids(["A"])
    assert _told(database) == third
