"""The facets of cases beyond what an answer's own row says: people, the direct answer, tags, releases, samples."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from btc_gui.domain.case import CasePool, CaseQuery
from btc_gui.domain.configuration import Effort
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.run import Purpose, RunId
from btc_gui.domain.trajectory import AnswerId, Ending, Step, StepKind
from btc_gui.domain.verdict import Label
from btc_gui.progress import Cancelled, Progress
from btc_gui.store import bodies, case_snippets, case_text
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_tags import CaseTagStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import (
    add_answer,
    add_answers,
    add_verdict,
    make_configuration,
    make_query,
    make_result,
    make_trajectory,
)


def _study(database: Database, state: str, labels: dict[AnswerId, list[str]]) -> None:
    """A study of these cases, with a packet for each annotator: the labels that they gave each case."""
    with database.write() as connection:
        study = connection.execute(
            "INSERT INTO study (name, kind, mode, state, design, created_by, created_at) "
            "VALUES ('S', 'judge_verdict', 'blind', ?, '{}', 't', '2026') RETURNING id",
            (state,),
        ).fetchone()[0]
        for answer in labels:
            connection.execute(
                "INSERT INTO study_item (study_id, item, answer_id, stratum, cell, frame_count, drawn_count, "
                "machine_label) VALUES (?, ?, ?, 's', 'c', 1, 1, 'correct')",
                (study, f"i{answer}", answer),
            )
        for annotator in range(max(len(each) for each in labels.values())):
            packet = f"{study}-{annotator}"
            connection.execute(
                "INSERT INTO packet (id, study_id, annotator, layer, digest, items, issued_at) "
                "VALUES (?, ?, ?, 'blind', 'd', 1, '2026')",
                (packet, study, f"A{annotator}"),
            )
            for sequence, (answer, given) in enumerate(labels.items(), 1):
                connection.execute(
                    "INSERT INTO human_label (study_id, packet_id, item, sequence, annotator, label, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, '2026')",
                    (study, packet, f"i{answer}", sequence, f"A{annotator}", given[annotator]),
                )


def test_what_people_said_is_a_facet_once_the_key_is_open(database: Database) -> None:
    """Also that they differed; never of a study that is open, nor of a case that is in another one that is."""
    probe = add_probe(database, add_event(database))
    _, (one, two, three) = add_answers(database, probe, [make_trajectory(f"Answer {n}.") for n in range(3)])
    store, blind = CaseStore(database), CaseStore(database, blind_for="mara")
    _study(database, "unblinded", {one: ["correct", "correct"], two: ["correct", "incorrect"]})
    _study(database, "labelling", {two: ["unsure"], three: ["unsure"]})
    assert store.facets()["humans"] == {"annotators differ": 1, "correct": 2, "incorrect": 1}
    assert store.ids(CaseQuery(humans=("annotators differ", "incorrect"))) == [two]
    assert blind.facets()["humans"] == {"correct": 1, "in an open study": 1}
    assert blind.ids(CaseQuery(humans=("incorrect",))) == []


def test_who_thinks_again_once_findings_are_shown_differs_from_nobody(database: Database) -> None:
    case = add_answer(database, add_probe(database, add_event(database)))
    _study(database, "unblinded", {case: ["explicit", "reasoning"]})
    with database.write() as connection:
        connection.execute("UPDATE packet SET layer = 'revealed', annotator = 'A0' WHERE annotator = 'A1'")
    assert CaseStore(database).facets()["humans"] == {"explicit": 1, "reasoning": 1}


def test_the_direct_answer_of_the_same_configuration(database: Database) -> None:
    """By event and configuration, whatever the repetition; hidden where it is in an open study itself."""
    event, other = add_event(database), add_event(database, entity="Bo Sample")
    indirect, direct = add_probe(database, event), add_probe(database, event, "Alive?", ProbeKind.DIRECT)
    low = make_configuration(effort=Effort.LOW)
    case, without = add_answer(database, indirect), add_answer(database, indirect, configuration=low)
    alone = add_answer(database, add_probe(database, other))
    _, asked = add_answers(database, direct, [make_trajectory("Yes."), make_trajectory("No.")])
    store, blind = CaseStore(database), CaseStore(database, blind_for="mara")
    assert store.ids(CaseQuery(directs=("not judged",))) == [case]
    add_verdict(database, asked[0])
    assert store.ids(CaseQuery(directs=("wrong",))) == [case]
    add_verdict(database, asked[1], Label.CORRECT)
    assert store.facets()["directs"] == {"not asked": 2, "right and wrong": 1}
    assert set(store.ids(CaseQuery(directs=("not asked",)))) == {without, alone}
    _study(database, "locked", {asked[0]: []})
    assert blind.facets()["directs"] == {"in an open study": 1, "not asked": 2}
    assert store.facets()["directs"] == {"not asked": 2, "right and wrong": 1}


def test_tags_runs_releases_and_samples(database: Database) -> None:
    """Tags of steps count for their case, once; withdrawn ones don't; a sample has each model's own answers."""
    event = add_event(database)
    probe, direct = add_probe(database, event), add_probe(database, event, "Alive?", ProbeKind.DIRECT)
    run, (one, two) = add_answers(database, probe, [make_trajectory("One."), make_trajectory("Two.")])
    other = add_answer(database, probe, configuration=make_configuration("Model B"))
    asked = add_answer(database, direct)
    tags = CaseTagStore(database)
    tags.add([one], "odd", "t")
    tags.add([one], "odd", "t", 1)
    tags.add([two], "late", "t")
    with database.write() as connection:
        body = bodies.put(connection, "line")
        connection.execute(
            "INSERT INTO release (id, name, counts, sha256, datasheet_id, created_by, created_at) "
            "VALUES (1, 'v1', '{}', 's', ?, 't', '2026')",
            (body,),
        )
        pair = (probe.id, probe.revision_id, direct.id, direct.revision_id)
        connection.execute("INSERT INTO release_item VALUES (1, 1, ?, ?, ?, ?, ?)", (body, *pair))
        connection.execute(
            "INSERT INTO sample (id, name, algorithm, seed, size, per_event, common, cells, sha256, created_by, "
            "created_at) VALUES (1, 'pilot', 'a', '1', 1, 1, 0, '[]', 's', 't', '2026')"
        )
        connection.execute(
            "INSERT INTO sample_item (sample_id, model, category, place, event_id, probe_id, revision_id, text_hash, "
            "direct_id, direct_revision_id, facts_hash) VALUES (1, 'Model B', 'demise', 1, ?, ?, ?, 'h', ?, ?, 'f')",
            (event, *pair),
        )
    store = CaseStore(database)
    facets = store.facets()
    assert (facets["tags"], facets["releases"], facets["samples"]) == ({"late": 1, "odd": 1}, {"v1": 4}, {"pilot": 1})
    assert store.ids(CaseQuery(samples=("pilot",))) == [other]
    assert store.ids(CaseQuery(tags=("odd", "late"))) == [one, two]
    assert store.ids(CaseQuery(releases=("v1",), kinds=("direct",))) == [asked]
    tags.withdraw(two, "late", "t")
    assert store.facets()["tags"] == {"odd": 1}
    found = store.find(CaseQuery(runs=(str(run),)))
    assert (found.ids, found.names["runs"][str(run)]) == ([one, two], "Test run")
    assert store.find(CaseQuery(tags=("odd",)), among=[two, other]).ids == []
    assert found.values["kinds"] == 2


def test_every_change_of_what_facets_are_made_of_is_seen(database: Database) -> None:
    """By whoever made it: another judge counts, failed answers that are retried, a study that opens, a new answer."""
    probe = add_probe(database, add_event(database))
    run, (case, failed) = add_answers(
        database, probe, [make_trajectory("One."), make_trajectory("", ending=Ending.FAILED)]
    )
    store = CaseStore(database, blind_for="mara")
    VerdictStore(database).add(NewVerdict(case, "mild", None, Label.CORRECT))
    VerdictStore(database).add(NewVerdict(case, "strict", None, Label.INCORRECT))
    assert store.facets()["labels"] == {"incorrect": 1}
    JudgeStore(database).set_primary("mild")
    assert store.facets()["labels"] == {"correct": 1}
    RunStore(database).retry_failed(RunId(run))
    assert store.ids() == [case]
    _study(database, "locked", {case: []})
    assert store.facets()["labels"] == {"in an open study": 1}
    store.record_exposure(case, "mara")
    assert store.facets()["labels"] == {"correct": 1}
    seen: list[list[AnswerId]] = []
    thread = threading.Thread(target=lambda: seen.append(CaseStore(database).ids()))
    new = add_answer(database, probe)
    thread.start()
    thread.join()
    assert seen == [[case, new]]
    assert failed not in seen[0]


def test_a_filters_answers_are_a_pool_of_their_own(database: Database) -> None:
    """Not among the others; a reference finds them wherever it is asked."""
    probe = add_probe(database, add_event(database))
    case = add_answer(database, probe, make_trajectory("Ask Ada."))
    _, (filtered,) = add_answers(database, probe, [make_trajectory("Ask Ada.")], purpose=Purpose.FILTER)
    store = CaseStore(database)
    assert store.ids(CaseQuery(contains="ada")) == [case]
    assert store.ids(CaseQuery(contains="ada", pool=CasePool.FILTER)) == [filtered]
    assert store.ids(CaseQuery(contains=f"btc:{filtered}#1")) == [filtered]
    assert (store.get(filtered).pool, store.get(case).pool) == (CasePool.FILTER, CasePool.EVALUATION)
    assert store.relatives(case) == store.relatives(filtered) == []


def test_an_answer_that_was_asked_anew_is_still_to_be_made_searchable(database: Database) -> None:
    """The failed attempt before it is in the index, and no case: what is missing is no difference of counts."""
    probe = add_probe(database, add_event(database))
    run, _ = add_answers(database, probe, [make_trajectory("", ending=Ending.FAILED)], purpose=Purpose.FILTER)
    runs, store = RunStore(database), CaseStore(database)
    query = CaseQuery(contains="answer:ada", pool=CasePool.FILTER)
    runs.retry_failed(RunId(run))
    (item,) = runs.pending(RunId(run))
    added = AnswerStore(database).add_texts([(item.id, make_trajectory("Ask Ada."))])
    assert (store.find(query).ids, store.find(query).unsearched) == ([], 1)
    assert case_text.index_missing(database, CasePool.FILTER, Progress()) == 1
    assert (store.find(query).ids, store.find(query).unsearched) == ([added[item.id]], 0)


def test_odd_texts_are_stored_and_searched(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half characters, NUL, and more text than is indexed; a phrase is not found across two texts."""
    monkeypatch.setattr(case_text, "SEARCHABLE_CHARACTERS", 1_000)
    probe = add_probe(database, add_event(database), "Whom?")
    odd = add_answer(database, probe, make_trajectory('half \ud800 NUL\0here *star* "quoted" 🎹'))
    huge = "word " * 200 + "beyond"
    long = add_answer(database, probe, make_trajectory(huge, [make_query("first end")]))
    store = CaseStore(database)
    for words in ("half", "here", "star", '"nul here"', "quoted", "🎹"):
        assert store.ids(CaseQuery(contains=words)) == [odd], words
    assert store.ids(CaseQuery(contains="word")) == [long]
    assert store.ids(CaseQuery(contains="beyond")) == []
    assert store.ids(CaseQuery(contains='"end who could"')) == []
    found = store.snippets([odd, long], "word OR star")
    assert found[odd].text.isprintable()
    assert found[long].text.startswith("word word")


def test_the_place_of_a_word_is_found_in_every_text_of_a_case(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queries before thoughts before results, those of a step in order, with and without a delivered text; long texts,
    which are read one by one; a case without an answer."""
    monkeypatch.setattr(case_snippets, "_MOST_IN_ROUND", 30)
    probe = add_probe(database, add_event(database), "Whom?")
    bare = Step(2, StepKind.QUERY, "plain", results=(make_result("one", "Head"), make_result("two three", "Foot")))
    told = Step(3, StepKind.QUERY, "seven", results=(make_result("four", "Title"),), output="four " * 20 + "five")
    steps = (Step(1, StepKind.REASONING, "six"), bare, told, Step(4, StepKind.REASONING, "five seven"))
    made = replace(make_trajectory("", ending=Ending.NO_ANSWER), steps=steps)
    case = add_answer(database, probe, made)
    store = CaseStore(database)

    def place(word: str) -> tuple[str, int | None]:
        assert store.ids(CaseQuery(contains=word)) == [case]
        found = store.snippets([case], word)[case]
        assert [found.text[slice(*mark)].casefold() for mark in found.marks[:1]] == [word]
        return found.field, found.step

    words = ("head", "one", "foot", "three", "title", "four", "five", "six", "seven", "whom")
    assert {word: place(word) for word in words} == {
        "head": ("result", 2),
        "one": ("result", 2),
        "foot": ("result", 2),
        "three": ("result", 2),
        "title": ("result", 3),
        "four": ("result", 3),
        "five": ("reasoning", 4),
        "six": ("reasoning", 1),
        "seven": ("query", 3),
        "whom": ("probe", None),
    }


def test_the_index_rules_out_only_what_it_has(database: Database) -> None:
    """A case whose words stand in one place only, one that has them not at all, one that is not searchable yet: of many
    at once, each gets the line that it would get alone."""
    probe = add_probe(database, add_event(database, entity="Kalo Ito"), "Whom?")
    told = Step(1, StepKind.QUERY, "plain", results=(make_result("mitas", "Head"),), output="Head mitas kalo")
    texts = [
        make_trajectory("Ask Kalo."),
        replace(make_trajectory("Nobody."), steps=(told,)),
        make_trajectory("Nobody at all."),
    ]
    cases = [add_answer(database, probe, each) for each in texts]
    _, (filtered,) = add_answers(database, probe, [make_trajectory("As kalo says.")], purpose=Purpose.FILTER)
    store = CaseStore(database)
    # All of the evaluation are found: the entity is called so.
    assert sorted(store.ids(CaseQuery(contains="kalo"))) == sorted(cases)
    every = [*cases, filtered] * 12
    found = store.snippets(every, "kalo")
    assert {case: (line.field, line.step, line.text) for case, line in found.items()} == {
        cases[0]: ("answer", None, "Ask Kalo."),
        cases[1]: ("result", 1, "Head mitas kalo"),
        filtered: ("answer", None, "As kalo says."),
    }
    assert store.snippets(every, "result:ask OR query:kalo") == {}
    assert set(store.snippets(every, "-nobody -kalo")) == set()


def test_a_search_that_was_cancelled_stops(database: Database) -> None:
    add_answer(database, add_probe(database, add_event(database)))
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        CaseStore(database).find(CaseQuery(contains="ada"), progress)
    assert CaseStore(database).ids(CaseQuery(contains="ada"))
