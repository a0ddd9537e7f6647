"""Cases from logs of others: found, read, and compared with other answers to the same sample."""

from __future__ import annotations

import pytest

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.run import Purpose, RunRecipe
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.errors import InputError
from btc_gui.sessions.comparing import ComparingSession, TargetKind
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.imports import ImportStore
from btc_gui.store.verdicts import VerdictStore
from tests.builders import add_event, add_probe
from tests.run_builders import add_answer, add_run, make_trajectory


def _logged(
    database: Database,
    log: str,
    sample: str,
    answer: str = "Five.",
    *,
    epoch: int = 1,
    model: str = "gpt",
    ending: Ending = Ending.ANSWERED,
) -> AnswerId:
    imports = ImportStore(database)
    recipe = RunRecipe(current_date="2025-03-05", purpose=Purpose.IMPORT)
    run_id = imports.run_of_log(log, f"sums ({model})", recipe, "tests")
    configuration = Configuration(model, Harness.OTHER, Effort.UNKNOWN, settings={"task": "sums"})
    configuration_id = imports.configuration(configuration)
    item_id = imports.item_of_sample(run_id, configuration_id, sample, epoch, f"What is sum {sample}?")
    added = AnswerStore(database).add(item_id, make_trajectory(answer, ending=ending), cancelled_counts=True)
    assert added is not None
    return added


def test_samples_of_logs_are_found_beside_the_own_answers(database: Database) -> None:
    own = add_answer(database, add_run(database, [add_probe(database, add_event(database))]))
    first, second = _logged(database, "A", "7"), _logged(database, "A", "7", "Six.", epoch=2)
    store = CaseStore(database)
    assert set(store.ids()) == {own, first, second}
    assert store.facets()["sources"] == {"log": 2, "probe": 1}
    assert store.ids(CaseQuery(sources=("log",), order="entity")) == [first, second]
    assert store.ids(CaseQuery(contains="sum 7")) == [first, second]
    assert store.ids(CaseQuery(contains="sums · 7")) == [first, second]
    assert store.ids(CaseQuery(contains="Six.")) == [second]
    case = store.get(second)
    assert (case.entity, case.probe_text, case.repetition) == ("sums · 7", "What is sum 7?", 2)
    assert (case.event_id, case.probe_id, case.date, case.kind, case.kind_text) == (None,) * 4 + ("sample of a log",)
    assert (case.label_text, case.mode_text) == ("", "")
    assert case.configuration.title == "gpt · effort unknown · other"
    # Nothing is judged that is no answer to a probe.
    assert VerdictStore(database).judgeable() == [own]


def test_a_sample_of_a_log_is_read_and_compared_with_the_same_sample(database: Database) -> None:
    own = add_answer(database, add_run(database, [add_probe(database, add_event(database))]))
    first, second = _logged(database, "A", "7"), _logged(database, "A", "7", epoch=2)
    other_model, other_sample = _logged(database, "B", "7", model="opus"), _logged(database, "A", "8")
    session = ComparingSession(database, {}, "tests")
    session.open(first)
    assert (session.event, session.change) == (None, "sums · 7")
    assert [case.answer_id for case in session.others] == [second, other_model]
    assert len(session.rows) == 3
    assert session.targets(TargetKind.MENTION) == []
    assert len(session.targets(TargetKind.QUERY)) == 1
    assert session.timeline().event is None
    session.compare_with(other_model)
    assert len(session.sides) == 2
    for wrong in (own, other_sample):
        with pytest.raises(InputError, match="not about sums · 7"):
            session.compare_with(wrong)
    session.open(own)
    assert session.event is not None
    assert session.others == []


def test_a_cancelled_sample_of_a_log_is_a_case(database: Database) -> None:
    """Nobody makes it again: what there is of it can be read."""
    imports = ImportStore(database)
    recipe = RunRecipe(current_date="2025-03-05", purpose=Purpose.IMPORT)
    run_id = imports.run_of_log("A", "sums", recipe, "tests")
    configuration_id = imports.configuration(Configuration("gpt", Harness.OTHER, Effort.UNKNOWN))
    item_id = imports.item_of_sample(run_id, configuration_id, "7", 1, "What?")
    cut = make_trajectory("", ending=Ending.CANCELLED, steps=())
    answer_id = AnswerStore(database).add(item_id, cut, cancelled_counts=True)
    assert CaseStore(database).ids() == [answer_id]
    assert CaseStore(database).ids(CaseQuery(endings=("cancelled",))) == [answer_id]
