"""Classifying failures: checked evidence, a class for every query, and modes by the benchmark's rule."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.configuration import Harness
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.probe import Probe, ProbeKind
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.jobs.ask_plan import Again
from btc_gui.jobs.classify import BY_CONSTRUCTION, ClassifyOutcome, classify, forecast_classifying
from btc_gui.progress import Progress
from btc_gui.remote.language_model import ModelRequest, NotRecordedError
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.case_builders import (
    add_answer,
    add_verdict,
    make_configuration,
    make_query,
    make_result,
    make_trajectory,
)
from tests.jobs.test_judge import Judge

OBITUARY = make_result("Ada Example died on 9 May.", "Obituary", "2026-05-12")
SEARCH = [make_query("good {speakers}", make_result("Old news.")), make_query("Ada Example", OBITUARY)]


def reply(*labels: str, evidence: tuple[int, str] | None = None) -> str:
    """A reply as the classifier is asked for."""
    return json.dumps(
        {
            "rationale": "It never asked.",
            "evidence": [{"result": evidence[0], "excerpt": evidence[1]}] if evidence else [],
            "queries": [{"query": number, "label": label} for number, label in enumerate(labels, 1)],
        }
    )


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def probe(database: Database) -> Probe:
    return add_probe(database, add_event(database), key="p1")


@pytest.fixture
def failure(database: Database, probe: Probe) -> AnswerId:
    answer = add_answer(database, probe, make_trajectory("Ask Ada Example.", SEARCH))
    add_verdict(database, answer)
    return answer


def _classify(
    database: Database, model: Judge, categories: Mapping[str, Category], **options: object
) -> ClassifyOutcome:
    return classify(database, model, categories, Progress(), **options)  # type: ignore[arg-type]


def test_modes_with_their_grounds_are_stored(
    database: Database, failure: AnswerId, categories: Mapping[str, Category]
) -> None:
    """The mode, the rule that fired, the class of each query, and the evidence at its place in the result."""
    model = Judge(reply("unrelated", "indirect", evidence=(2, "died on 9 May")))
    outcome = _classify(database, model, categories)
    assert (outcome.classified, outcome.unscored, outcome.failed, outcome.calls) == (1, 0, 0, 1)
    found = ClassificationStore(database).counting([failure])[failure]
    assert (found.mode, found.classifier, found.by_construction) == (FailureMode.REASONING, "judge-1", False)
    assert found.trace == "evidence of the change was in the context"
    assert found.rationale == "It never asked."
    assert found.request_hash == model.asked[0].request_hash
    first, second = AnswerStore(database).trajectory(failure).queries
    assert first.id is not None
    assert second.id is not None
    assert dict(found.queries) == {first.id: QueryClass.UNRELATED, second.id: QueryClass.INDIRECT}
    (evidence,) = found.evidence
    assert (evidence.result_id, evidence.excerpt) == (second.results[0].id, "died on 9 May")


def test_what_the_classifier_sees(database: Database, failure: AnswerId, categories: Mapping[str, Category]) -> None:
    """The change, the classes of the category, every query with its numbered results, and the answer."""
    model = Judge(reply("unrelated", "indirect"))
    _classify(database, model, categories)
    (request,) = model.asked
    assert request.subject == "classify/p1/Model A/high/1"
    for words in (
        "Ada Example died on 9 May 2026.",
        categories["demise"].query_classes,
        "## Query 1\n\n<query>good {speakers}</query>",
        "### Result 2\n\nTitle: Obituary",
        "Published: 2026-05-12\n\nAda Example died on 9 May.",
        "each of the 2 queries",
        "Ask Ada Example.",
    ):
        assert words in request.prompt


def test_no_query_no_call(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """A failure without queries is this mode by construction: nobody is asked, whatever the limit, and only once."""
    answer = add_answer(database, probe)
    add_verdict(database, answer)
    model = Judge(reply())
    outcome = _classify(database, model, categories, limit=1)
    assert (outcome.by_construction, outcome.classified, model.asked) == (1, 0, [])
    found = ClassificationStore(database).counting([answer])[answer]
    assert (found.mode, found.by_construction, found.classifier) == (FailureMode.NONE, True, BY_CONSTRUCTION)
    assert found.trace == "no query was made"
    again = _classify(database, model, categories)
    assert (again.by_construction, again.skipped) == (0, 1)


def test_only_failures_of_indirect_probes_in_the_shared_harness(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """Successes, unscored and unjudged answers, direct probes and native harnesses have no failure mode."""
    event = add_event(database, entity="Bo Sample")
    direct = add_answer(database, add_probe(database, event, "Is he alive?", ProbeKind.DIRECT))
    native = add_answer(database, probe, configuration=make_configuration(harness=Harness.NATIVE))
    success = add_answer(database, probe, configuration=make_configuration("Model B"))
    unscored = add_answer(database, probe, configuration=make_configuration("Model C"))
    add_answer(database, probe, configuration=make_configuration("Model D"))
    for answer in (direct, native):
        add_verdict(database, answer)
    add_verdict(database, success, Label.CORRECT)
    add_verdict(database, unscored, None)
    assert _classify(database, Judge(reply()), categories) == ClassifyOutcome()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("The mode is explicit.", "not JSON"),
        (reply("unrelated"), "no label for query 2"),
        (reply("unrelated", "explicit", "explicit"), "query 3, which does not exist"),
        (reply("unrelated", "sometimes"), "schema"),
    ],
)
def test_replies_that_can_not_be_used_are_unscored(
    database: Database, failure: AnswerId, categories: Mapping[str, Category], said: str, reason: str
) -> None:
    """Known fault S10 for modes: no mode is guessed, and the reason is shown."""
    assert _classify(database, Judge(said), categories).unscored == 1
    found = ClassificationStore(database).counting([failure])[failure]
    assert found.mode is None
    assert reason in found.unscored
    assert found.queries == {}


def test_invented_evidence_is_refused(
    database: Database, failure: AnswerId, categories: Mapping[str, Category]
) -> None:
    """Evidence that was never delivered does not make a reasoning error; the trace keeps the claim."""
    _classify(database, Judge(reply("unrelated", "explicit", evidence=(1, "died on 9 May"))), categories)
    found = ClassificationStore(database).counting([failure])[failure]
    assert (found.mode, found.evidence) == (FailureMode.EXPLICIT, ())
    assert "“died on 9 May” does not occur in result 1" in found.trace


def test_asking_again_and_failing(database: Database, failure: AnswerId, categories: Mapping[str, Category]) -> None:
    """Classified failures are skipped; asked again, the earlier finding stays as a row; misses stay open."""

    def miss(_: ModelRequest) -> str:
        raise NotRecordedError("Not recorded.")

    assert _classify(database, Judge(miss), categories).failed == 1
    assert ClassificationStore(database).counting([failure]) == {}
    assert forecast_classifying(database, "judge-1", categories).calls == 1
    _classify(database, Judge(reply("unrelated", "indirect")), categories)
    assert _classify(database, Judge(reply("unrelated", "explicit")), categories).skipped == 1
    assert forecast_classifying(database, "judge-1", categories).as_json()["skipped"] == 1
    _classify(database, Judge(reply("unrelated", "explicit")), categories, again=Again.ALL)
    store = ClassificationStore(database)
    assert [c.mode for c in store.history(failure)] == [FailureMode.INDIRECT, FailureMode.EXPLICIT]
    assert store.counting([failure])[failure].mode is FailureMode.EXPLICIT


def test_half_characters_in_results_do_no_harm(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """A page cut in the middle of an emoji was delivered so; evidence around it is found and stored."""
    search = [make_query("news", make_result("Ada \ud83d died in May."))]
    answer = add_answer(database, probe, make_trajectory("Ask her. \ud83d", search))
    add_verdict(database, answer)
    model = Judge(reply("indirect", evidence=(1, "died in May")))
    assert _classify(database, model, categories).classified == 1
    model.asked[0].prompt.encode("utf-8")
    (evidence,) = ClassificationStore(database).counting([answer])[answer].evidence
    assert evidence.excerpt == "died in May"
