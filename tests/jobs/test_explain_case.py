"""What a case says of its verdicts: all of them, which one counts and why, and which are out of date."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.jobs.classify import classify
from btc_gui.jobs.explain_case import Opinion, OpinionKind, opinions_on
from btc_gui.jobs.judge import judge
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.judges import JudgeStore
from btc_gui.store.prompts import PromptStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore
from tests.builders import add_event, add_probe, make_facts
from tests.case_builders import add_answer, make_query, make_result, make_trajectory
from tests.jobs.test_classify import reply as classifier_reply
from tests.jobs.test_judge import Judge, reply


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def answer_id(database: Database) -> AnswerId:
    search = [make_query("good speakers", make_result("Old news."))]
    return add_answer(database, add_probe(database, add_event(database)), make_trajectory("Ask Ada.", search))


def _seen(opinions: tuple[Opinion, ...], kind: OpinionKind = OpinionKind.VERDICT) -> list[tuple[str, str, bool, str]]:
    return [(each.who, each.text, each.counts, each.stale) for each in opinions if each.kind is kind]


def test_an_answer_without_verdicts_has_none(
    database: Database, categories: Mapping[str, Category], answer_id: AnswerId
) -> None:
    assert opinions_on(database, answer_id, categories) == ()


def test_every_verdict_is_told_with_why_it_counts(
    database: Database, categories: Mapping[str, Category], answer_id: AnswerId
) -> None:
    judge(database, Judge(reply(), name="strict"), categories, Progress())
    store = VerdictStore(database)
    store.add(NewVerdict(answer_id, "mild", None, Label.CORRECT))
    store.add(NewVerdict(answer_id, "mild", None, None, unscored="it is no JSON"))
    found = opinions_on(database, answer_id, categories)
    assert _seen(found) == [
        ("mild", "unscored: it is no JSON", True, ""),
        ("mild", "correct", False, ""),
        ("strict", "incorrect", False, ""),
    ]
    assert [each.reason for each in found] == [
        "counts: the newest",
        "replaced by a later one of the same judge",
        "does not count: another judge's is newer",
    ]
    assert (found[2].rationale, found[2].mark) == ("He is recommended.", "incorrect")
    assert found[2].prompt_hash == JudgeStore(database).prompt_versions("judge")[0].hash
    JudgeStore(database).set_primary("strict")
    found = opinions_on(database, answer_id, categories)
    assert [each.counts for each in found] == [False, False, True]
    assert found[0].reason == "does not count: strict is the primary judge"
    assert found[2].reason == "counts: the primary judge's"


def test_verdicts_and_classifications_for_something_else_are_stale(
    database: Database, categories: Mapping[str, Category], answer_id: AnswerId
) -> None:
    judge(database, Judge(reply()), categories, Progress())
    classify(database, Judge(classifier_reply("unrelated"), name="sorter"), categories, Progress())
    kinds = OpinionKind
    found = opinions_on(database, answer_id, categories)
    assert _seen(found, kinds.CLASSIFICATION) == [("sorter", "No/unrelated", True, "")]
    event_id = EventStore(database).ids()[0]
    EventStore(database).revise(event_id, make_facts(date="2026-05-10"), author="tests")
    found = opinions_on(database, answer_id, categories)
    assert {each.stale for each in found} == {"given for other facts than now"}
    own = PromptStore(database).text("judge").replace("You label answers", "You mark answers")
    PromptStore(database).set("judge", own)
    judge(database, Judge(reply("correct")), categories, Progress())
    found = opinions_on(database, answer_id, categories)
    assert _seen(found) == [
        ("judge-1", "correct", True, ""),
        ("judge-1", "incorrect", False, "given by other criteria than now"),
    ]
    # What is no failure any more has no mode, whatever was found in it before.
    (sorted_,) = [each for each in found if each.kind is kinds.CLASSIFICATION]
    assert not sorted_.counts
    assert sorted_.reason.startswith("does not count: the answer is no failure by the verdict that counts")
