"""What the tables count is what the cases list."""

from __future__ import annotations

from dataclasses import replace

from btc_gui.domain.accuracy_table import Pooling, accuracy_rows, composition_rows
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import Ending
from btc_gui.domain.verdict import Label
from btc_gui.store.cases import CaseQuery, CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.results import ResultStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_answers, add_verdict, make_configuration, make_trajectory


def test_counts_agree_with_the_cases(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    right, wrong, unread = (add_answer(database, probe) for _ in range(3))
    add_answer(database, probe, make_trajectory("", ending=Ending.NO_ANSWER))
    add_verdict(database, right, Label.CORRECT)
    add_verdict(database, wrong, Label.CORRECT)
    add_verdict(database, wrong, Label.INCORRECT)
    add_verdict(database, unread, None)
    ClassificationStore(database).add(NewClassification(wrong, "c", None, FailureMode.EXPLICIT))
    tallies = ResultStore(database).tallies()
    cell = accuracy_rows(tallies)[0].indirect
    assert (cell.correct, cell.incorrect, cell.unscored, cell.no_answer) == (1, 1, 1, 1)
    assert composition_rows(tallies)[0].modes[FailureMode.EXPLICIT] == 1
    assert sum(tally.count for tally in tallies) == len(CaseStore(database).ids(CaseQuery()))


def test_runs_that_filter_probes_are_no_results(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    add_answers(database, probe, [make_trajectory()], purpose=Purpose.FILTER)
    assert ResultStore(database).tallies() == []


def test_what_the_tables_put_together_is_said(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    store = ResultStore(database)
    add_answers(database, probe, [make_trajectory(), make_trajectory()])
    assert store.pooling() == Pooling()
    assert store.pooling().warnings == ()
    add_answers(database, probe, [make_trajectory() for _ in range(3)])
    assert store.pooling().repeated == 3
    before = replace(make_configuration(), as_of="2026-05-08")
    add_answers(database, probe, [make_trajectory()], before)
    assert store.pooling() == Pooling((before.title,), 3)
    assert [words.partition(" ")[0] for words in store.pooling().warnings] == [before.model.partition(" ")[0], "3"]
