"""What the tables count is what the cases list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.results import Results, results_of
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import Ending
from btc_gui.domain.verdict import Label
from btc_gui.jobs.lock_study import lock_study
from btc_gui.progress import Progress
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.results import ResultStore
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_answers, add_verdict, make_configuration, make_trajectory
from tests.study_builders import add_judged, add_locked_study, make_categories, make_design, unblinded_study


def test_counts_agree_with_the_cases(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    right, wrong, unread = (add_answer(database, probe) for _ in range(3))
    add_answer(database, probe, make_trajectory("", ending=Ending.NO_ANSWER))
    add_verdict(database, right, Label.CORRECT)
    add_verdict(database, wrong, Label.CORRECT)
    add_verdict(database, wrong, Label.INCORRECT)
    add_verdict(database, unread, None)
    ClassificationStore(database).add(NewClassification(wrong, "c", None, FailureMode.EXPLICIT))
    answers = ResultStore(database).answers()
    assert [answer.outcome for answer in answers] == ["correct", "incorrect", "unscored", "no_answer"]
    assert answers[1].mode is FailureMode.EXPLICIT
    assert [answer.id for answer in answers] == sorted(CaseStore(database).ids(CaseQuery()))
    assert answers[0].probe == probe.key


def test_runs_that_filter_probes_are_no_results(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    add_answers(database, probe, [make_trajectory()], purpose=Purpose.FILTER)
    assert ResultStore(database).answers() == []


def _results(database: Database) -> Results:
    return results_of(ResultStore(database).answers(), RunStore(database).configurations())


def test_a_repeated_run_adds_no_answers_to_the_tables(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    _, (first, _) = add_answers(database, probe, [make_trajectory(), make_trajectory()])
    add_answers(database, probe, [make_trajectory() for _ in range(3)])
    add_verdict(database, first, Label.CORRECT)
    results = _results(database)
    assert [row.indirect.scored for row in results.accuracy] == [1]
    assert len(results.further_answers) == 4
    assert results.repeats_note.startswith("4 further answers")


def test_configurations_that_differ_in_anything_have_rows_of_their_own(database: Database) -> None:
    probe = add_probe(database, add_event(database))
    before = replace(make_configuration(), as_of="2026-05-08")
    for configuration in (make_configuration(), before):
        add_answer(database, probe, configuration=configuration)
    rows = _results(database).accuracy
    assert [row.title.partition("as of ")[2] for row in rows] == ["2026-05-08", "2026-07-01"]
    numbers = [row.configuration_id for row in rows]
    found = [CaseStore(database).ids(CaseQuery(configuration_id=number)) for number in numbers]
    assert [len(ids) for ids in found] == [1, 1]
    assert found[0] != found[1]


def test_what_a_study_keeps_back_is_shown_to_those_on_record_for_it(database: Database) -> None:
    add_judged(database)
    study_id = add_locked_study(database)
    studies = StudyStore(database)
    items = {item.answer_id for item in studies.items(study_id)}
    assert ResultStore(database, person="Ana").blinding().answers == items
    assert studies.expose_all("Ana") == len(items)
    assert not ResultStore(database, person="Ana").blinding().answers
    assert ResultStore(database, person="Ben").blinding().answers == items
    assert ResultStore(database).blinding().answers == items
    # Somebody unnamed is somebody: what they have seen is still kept from files, which anybody reads.
    StudyStore(database).expose_all("")
    assert not ResultStore(database, person="").blinding().answers
    assert ResultStore(database).blinding().answers == items
    # On record once, in the log that can't be shortened unseen.
    assert studies.expose_all("Ana") == 0
    seen = {(each.person, each.answer_id) for each in studies.exposures(study_id)}
    assert seen == {(person, item) for person in ("Ana", "") for item in items}
    assert [entry.step for entry in studies.log(study_id)].count("open a case") == 2 * len(items)


def test_who_reads_a_report_is_on_record_for_answers_that_an_open_study_has_too(
    database: Database, tmp_path: Path
) -> None:
    add_judged(database)
    first = unblinded_study(database, tmp_path)
    studies = StudyStore(database)
    assert studies.expose_all("Ana", of=first) == 0
    open_study = studies.create("Another study", make_design(seed="another"), "tests")
    lock_study(database, open_study, make_categories(), "tests", Progress())
    shared = {item.answer_id for item in studies.items(first)} & {item.answer_id for item in studies.items(open_study)}
    assert studies.expose_all("Ana", of=first) == len(shared) > 0
    assert {seen.answer_id for seen in studies.exposures(open_study)} == shared
    assert not studies.exposures(first)
