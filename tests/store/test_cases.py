"""Cases: every answer that counts once, found by what people filter and search for."""

from __future__ import annotations

import pytest

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.case_reference import answer_of_reference
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import Purpose
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.errors import InputError, ProjectError
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import (
    add_answer,
    add_answers,
    add_verdict,
    make_configuration,
    make_query,
    make_trajectory,
)
from tests.sessions.test_logged_cases import _logged
from tests.study_builders import add_judged, add_locked_study


def _classify(database: Database, answer_id: AnswerId, mode: FailureMode | None) -> None:
    unscored = "" if mode else "query 1 has no label"
    ClassificationStore(database).add(
        NewClassification(answer_id, "test classifier", None, mode, trace="because", unscored=unscored)
    )


def _three_cases(database: Database) -> tuple[AnswerId, AnswerId, AnswerId]:
    """An indirect demise failure with two queries, a direct demise success, a tenure without an answer."""
    demise = add_event(database, entity="Ada Example", date="2026-05-09")
    tenure = add_event(database, entity="Bo Sample", category="tenure", date="2026-03-01")
    queries = [make_query("best speakers 2026"), make_query("iPad art 北京市长")]
    first = add_answer(database, add_probe(database, demise), make_trajectory("Ask Ada Example.", queries))
    second = add_answer(
        database,
        add_probe(database, demise, "Is Ada Example still alive?", ProbeKind.DIRECT),
        make_trajectory("She died in May.", [make_query("Ada Example")]),
        make_configuration("Model B", Effort.LOW, Harness.NATIVE),
    )
    third = add_answer(database, add_probe(database, tenure), make_trajectory("", ending=Ending.NO_ANSWER))
    add_verdict(database, first)
    add_verdict(database, second, Label.CORRECT)
    _classify(database, first, FailureMode.NONE)
    return first, second, third


def test_a_case_says_all_that_a_list_shows(database: Database) -> None:
    """Entity, change, probe, configuration, ending, label, mode and notes come in one row."""
    first, _, third = _three_cases(database)
    CaseNoteStore(database).add(first, "Odd.", "tests")
    case = CaseStore(database).get(first)
    assert (case.entity, case.category, case.date and case.date.text) == ("Ada Example", "demise", "9 May 2026")
    assert (case.configuration.title, case.queries, case.ending) == ("Model A · high · shared", 2, Ending.ANSWERED)
    assert (case.label, case.mode, case.names_entity) == (Label.INCORRECT, FailureMode.NONE, True)
    assert (case.notes, case.human_labels, case.reference) == (1, 0, f"btc:{first}")
    unanswered = CaseStore(database).get(third)
    assert (unanswered.label, unanswered.label_text, unanswered.mode_text) == (None, "", "")


def test_unknown_case(database: Database) -> None:
    """A reference to nothing is refused in words."""
    with pytest.raises(ProjectError, match="btc:99"):
        CaseStore(database).get(AnswerId(99))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (CaseQuery(), "201"),
        (CaseQuery(descending=True), "102"),
        (CaseQuery(categories=("demise",)), "01"),
        (CaseQuery(kinds=("direct",)), "1"),
        (CaseQuery(models=("Model A",), order="entity"), "02"),
        (CaseQuery(efforts=("low",)), "1"),
        (CaseQuery(harnesses=("shared",), labels=("incorrect",)), "0"),
        (CaseQuery(modes=("none",)), "0"),
        (CaseQuery(endings=("no_answer",)), "2"),
        (CaseQuery(queries=("0", "2+")), "20"),
        (CaseQuery(queries=("1",)), "1"),
        (CaseQuery(order="queries"), "210"),
        (CaseQuery(contains="ASK ada"), "0"),
        (CaseQuery(contains="ipad  Art"), "0"),
        (CaseQuery(contains="京市"), "0"),
        (CaseQuery(contains="北京市"), "0"),
        (CaseQuery(contains="sample"), "2"),
        (CaseQuery(contains="100%"), ""),
        (CaseQuery(contains="ada OR bo"), "201"),
        (CaseQuery(contains="ada -ipad"), "1"),
        (CaseQuery(contains="-ipad"), "21"),
        (CaseQuery(contains='"ada example"'), "01"),
        (CaseQuery(contains='"example ada"'), ""),
        (CaseQuery(contains="answer:ada"), "0"),
        (CaseQuery(contains="query:ada"), "1"),
        (CaseQuery(contains="reasoning:asked"), "201"),
        (CaseQuery(contains="entity:ada query:speak*"), "0"),
        (CaseQuery(contains="best NEAR/1 2026"), "0"),
        (CaseQuery(contains="best NEAR/1 art"), ""),
        (CaseQuery(contains="长"), "0"),
        (CaseQuery(contains="北"), "0"),
        (CaseQuery(contains="speakers died"), ""),
        (CaseQuery(contains="speakers ask"), "0"),
    ],
)
def test_filters_and_orders(database: Database, query: CaseQuery, expected: str) -> None:
    """Each filter keeps what it names; words are found in answers, queries, probes and names."""
    cases = _three_cases(database)
    assert CaseStore(database).ids(query) == [cases[int(i)] for i in expected]


def test_search_knows_no_case_and_no_accents(database: Database) -> None:
    """Who types “orban” finds Orbán, whichever way the accent is written; a star stands for the rest of a word."""
    probe = add_probe(database, add_event(database))
    composed = add_answer(database, probe, make_trajectory("Ask Viktor Orb\u00e1n"))
    decomposed = add_answer(database, probe, make_trajectory("Ask Viktor Orba\u0301n first"))
    store = CaseStore(database)
    for words in ("orban", "Orbán", "ORBÁN", "vik* orb*", '"viktor orban"'):
        assert store.ids(CaseQuery(contains=words)) == [composed, decomposed]
    assert store.ids(CaseQuery(contains="orban first")) == [decomposed]


def test_search_needs_the_words_together(database: Database) -> None:
    """A word is a whole word: what only begins so is not meant."""
    probe = add_probe(database, add_event(database))
    add_answer(database, probe, make_trajectory("abcd then bcde"))
    assert CaseStore(database).ids(CaseQuery(contains="abcde")) == []


def test_same_answer_twice_is_found_twice(database: Database) -> None:
    """Texts are stored once; the cases that share one are all found."""
    probe = add_probe(database, add_event(database))
    _, ids = add_answers(database, probe, [make_trajectory("The very same.")] * 1)
    other = add_answer(database, probe, make_trajectory("The very same."), make_configuration("Model B"))
    assert CaseStore(database).ids(CaseQuery(contains="very same")) == [*ids, other]


def test_reference_finds_its_case(database: Database) -> None:
    """A pasted btc:17 opens that case; other texts are no references."""
    first, *_ = _three_cases(database)
    assert CaseStore(database).ids(CaseQuery(contains=f" BTC:{first} ")) == [first]
    assert answer_of_reference("btc:17") == 17
    with pytest.raises(InputError, match="btc:17"):
        answer_of_reference("17")


def test_facets_count_under_the_other_filters(database: Database) -> None:
    """A chosen value does not hide its siblings; the other facets follow it."""
    _three_cases(database)
    store = CaseStore(database)
    everything = store.facets()
    assert everything["categories"] == {"demise": 2, "tenure": 1}
    assert everything["labels"] == {"correct": 1, "incorrect": 1}
    assert everything["modes"] == {"none": 1}
    assert everything["queries"] == {"0": 1, "1": 1, "2+": 1}
    chosen = store.facets(CaseQuery(categories=("demise",), labels=("incorrect",)))
    assert chosen["categories"] == {"demise": 1}
    assert chosen["labels"] == {"correct": 1, "incorrect": 1}
    assert chosen["models"] == {"Model A": 1}


def test_unjudged_unscored_unclassified_are_values(database: Database) -> None:
    """What has no label yet, or none that could be read, is shown as such and never as wrong."""
    probe = add_probe(database, add_event(database))
    _, (unjudged, unscored, failure, lost) = add_answers(
        database, probe, [make_trajectory(f"Answer {i}") for i in range(4)]
    )
    add_verdict(database, unscored, None)
    add_verdict(database, failure)
    add_verdict(database, lost)
    _classify(database, lost, None)
    store = CaseStore(database)
    assert store.facets()["labels"] == {"incorrect": 2, "unjudged": 1, "unscored": 1}
    assert store.facets()["modes"] == {"unclassified": 1, "unscored": 1}
    assert store.ids(CaseQuery(labels=("unjudged",))) == [unjudged]
    assert store.ids(CaseQuery(labels=("unscored",))) == [unscored]
    assert store.get(unscored).unscored == "the reply is no JSON"
    assert store.ids(CaseQuery(modes=("unclassified",))) == [failure]


def test_mode_goes_with_the_failure(database: Database) -> None:
    """An answer that is judged correct by now has no failure mode, whatever was found in it before."""
    answer = add_answer(database, add_probe(database, add_event(database)))
    add_verdict(database, answer)
    _classify(database, answer, FailureMode.EXPLICIT)
    add_verdict(database, answer, Label.CORRECT)
    case = CaseStore(database).get(answer)
    assert (case.label, case.mode) == (Label.CORRECT, None)


def test_q14_every_repetition_is_a_case(database: Database) -> None:
    """Known fault Q14: three epochs of one probe are three cases that can be told apart."""
    probe = add_probe(database, add_event(database))
    _, ids = add_answers(database, probe, [make_trajectory(f"Answer {i}") for i in range(3)])
    store = CaseStore(database)
    assert store.ids() == ids
    assert [store.get(i).repetition for i in ids] == [1, 2, 3]


def test_q15_a_retried_sample_is_listed_once(database: Database) -> None:
    """Known fault Q15: after a retry the item has two attempts as rows, and one case."""
    probe = add_probe(database, add_event(database))
    run_id, (failed,) = add_answers(database, probe, [make_trajectory("", ending=Ending.FAILED)])
    RunStore(database).retry_failed(run_id)
    (item,) = RunStore(database).pending(run_id)
    retried = AnswerStore(database).add(item.id, make_trajectory("Better."))
    store = CaseStore(database)
    assert store.ids() == [retried]
    assert failed not in store.fetch([failed])


def test_filter_runs_are_no_cases(database: Database) -> None:
    """Answers that only decided whether a probe is retained are not evaluated."""
    probe = add_probe(database, add_event(database))
    add_answers(database, probe, [make_trajectory()], purpose=Purpose.FILTER)
    assert CaseStore(database).ids() == []


def test_relatives_are_what_one_compares_with(database: Database) -> None:
    """First the same probe, then the event's other probes, the same configuration first; other events never."""
    event = add_event(database)
    probe, direct = add_probe(database, event), add_probe(database, event, "Alive?", ProbeKind.DIRECT)
    own = add_answer(database, probe)
    direct_other = add_answer(database, direct, configuration=make_configuration("Model B"))
    direct_own = add_answer(database, direct)
    same_probe = add_answer(database, probe, configuration=make_configuration("Model B"))
    add_answer(database, add_probe(database, add_event(database, entity="Bo Sample")))
    assert CaseStore(database).relatives(own) == [same_probe, direct_own, direct_other]


def test_exposure_is_recorded_while_a_study_is_open(database: Database) -> None:
    """Who opens a case of an open study is noted once; cases of no open study leave no trace."""
    answer = add_answer(database, add_probe(database, add_event(database)))
    store = CaseStore(database)
    assert store.record_exposure(answer, "ann") == 0
    with database.write() as connection:
        for number, state in ((1, "labelling"), (2, "unblinded")):
            connection.execute(
                "INSERT INTO study (id, name, kind, mode, state, design, created_by, created_at) "
                "VALUES (?, 'Study', 'judge_verdict', 'blind', ?, '{}', 'tests', '2026-07-01')",
                (number, state),
            )
            connection.execute(
                "INSERT INTO study_item (study_id, item, answer_id, stratum, cell, frame_count, drawn_count, "
                "machine_label) VALUES (?, 'x', ?, 's', 'c', 1, 1, 'correct')",
                (number, answer),
            )
    assert store.record_exposure(answer, "ann") == 1
    store.record_exposure(answer, "ann")
    rows = database.read().execute("SELECT study_id, answer_id, person FROM exposure").fetchall()
    assert [tuple(row) for row in rows] == [(1, answer, "ann")]


def test_search_finds_names_wordings_and_requests_whatever_their_case_and_accents(database: Database) -> None:
    """Beyond ASCII, too: “ORBÁN” in the entity's name, “ÖFFNET” in a probe, “ŁÓDŹ” in what a log's sample asked."""
    event = add_event(database, entity="Viktor Orbán")
    probe = add_probe(database, event, "Wer öffnet die Tür?")
    case = add_answer(database, probe, make_trajectory("Nobody."))
    logged = _logged(database, "A", "in Łódź")
    store = CaseStore(database)
    for words, found in (("ORBÁN", case), ("ORBAN", case), ("ÖFFNET", case), ("TUR", case), ("ŁÓDŹ", logged)):
        assert store.ids(CaseQuery(contains=words)) == [found], words
    for words in ("ORBÁN", "orban", "VIKTOR"):
        assert EventStore(database).ids(EventQuery(contains=words)) == [event], words


def test_words_of_two_characters_are_found_too(database: Database) -> None:
    """In answers as in names, in every script; a search that can't be understood is refused in words."""
    probe = add_probe(database, add_event(database, entity="Bo 李明"), "Whom to ask?")
    case = add_answer(database, probe, make_trajectory("Nobody, 李明."))
    other = add_answer(database, add_probe(database, add_event(database)), make_trajectory("Bo knows 北京."))
    store = CaseStore(database)
    assert store.ids(CaseQuery(contains="bo")) == [case, other]
    assert store.ids(CaseQuery(contains="李明")) == [case]
    assert store.ids(CaseQuery(contains="北京")) == [other]
    with pytest.raises(InputError, match="closing quote"):
        store.ids(CaseQuery(contains='"bo'))


def test_labels_of_an_open_study_are_kept_from_who_has_not_opened_the_case(database: Database) -> None:
    """Not in rows, facets, filters or orders; an exposure on record, or the end of the study, tells them."""
    add_judged(database)
    study_id = add_locked_study(database)
    drawn = [item.answer_id for item in StudyStore(database).items(study_id)]
    whole, blind = CaseStore(database), CaseStore(database, blind_for="mara")
    case = blind.get(drawn[0])
    assert (case.label, case.mode, case.names_entity, case.label_text) == (None, None, None, "in an open study")
    assert case.is_blind
    assert whole.get(drawn[0]).label is not None
    assert blind.facets()["labels"]["in an open study"] == len(drawn) == 8
    assert sum(blind.facets()["labels"].values()) == sum(whole.facets()["labels"].values()) == 16
    assert not set(blind.ids(CaseQuery(labels=("incorrect",)))) & set(drawn)
    assert not set(blind.ids(CaseQuery(labels=("correct",)))) & set(drawn)
    assert set(blind.ids(CaseQuery(labels=("in an open study",)))) == set(drawn)
    by_label = blind.ids(CaseQuery(order="label"))
    assert [each for each in by_label if each in drawn] == sorted(drawn)
    whole.record_exposure(drawn[0], "mara")
    assert blind.get(drawn[0]) == whole.get(drawn[0])
    assert blind.get(drawn[1]).is_blind
    assert CaseStore(database, blind_for="noor").get(drawn[0]).is_blind
