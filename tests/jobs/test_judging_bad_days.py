"""Judging and classifying on bad days: limits, providers that fail in the middle, searches beyond measure.

Each ends as a row or a sentence; nothing that was paid for is lost, and nothing is asked or counted twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.evaluated_model import TokenPrice
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.probe import Probe
from btc_gui.domain.trajectory import AnswerId, SearchResult, Usage
from btc_gui.domain.verdict import Label
from btc_gui.errors import ModelError, ProjectError
from btc_gui.jobs.ask_model import Asked, Work, ask_all
from btc_gui.jobs.ask_plan import Again
from btc_gui.jobs.classify import classify, forecast_classifying
from btc_gui.jobs.judge import JudgeOutcome, forecast_judging, judge
from btc_gui.jobs.spending import Spending
from btc_gui.progress import Progress
from btc_gui.remote.language_model import ModelReply, ModelRequest
from btc_gui.remote.openai_compatible import OpenAICompatibleModel
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.model_calls import CallId, ModelCallStore
from btc_gui.store.verdicts import VerdictStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_answers, add_verdict, make_query, make_result, make_trajectory
from tests.fakes.http_replies import HttpReplies, Prepared
from tests.jobs.test_judge import Judge, reply

# A dollar for a thousand tokens, so that sums can be done in the head.
PRICE = TokenPrice(1_000.0, 1_000.0)
NO_WAIT = {"retry-after": "0"}


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def probe(database: Database) -> Probe:
    return add_probe(database, add_event(database), key="p1")


def _answers(database: Database, probe: Probe, count: int) -> list[AnswerId]:
    return add_answers(database, probe, [make_trajectory(f"Answer {n}.") for n in range(count)])[1]


# -- the spending limit ----------------------------------------------------------------------------------------


def test_a_spending_limit_is_never_overrun(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """It stops before the request that would cost too much, keeps what was paid, and goes on later where it stopped."""
    _answers(database, probe, 12)

    def say(request: ModelRequest) -> ModelReply:
        usage = Usage(input=request.characters // 4, output=50)
        return ModelReply(reply(), usage, PRICE.cost(usage))

    model = Judge(say)
    each = PRICE.cost(Usage(input=forecast_judging(database, "judge-1", categories, limit=1).input_tokens, output=50))
    limit = each * 6
    outcome = judge(database, model, categories, Progress(), spending=Spending(limit, PRICE), at_once=4)
    assert outcome.cost is not None
    assert outcome.cost <= limit
    assert 3 <= outcome.judged <= 6
    assert (outcome.left, outcome.failed) == (12 - outcome.judged, 0)
    assert outcome.as_json()["left_by_spending_limit"] == outcome.left
    assert len(model.asked) == outcome.judged == ModelCallStore(database).totals("judge").calls
    rest = judge(database, model, categories, Progress())
    assert (rest.judged, rest.skipped, rest.left) == (12 - outcome.judged, outcome.judged, 0)
    assert len(model.asked) == 12


@pytest.mark.parametrize("again", [Again.NOTHING, Again.ALL])
@pytest.mark.parametrize("limit", [None, 10])
def test_what_failed_before_the_limit_is_not_also_left(
    database: Database, probe: Probe, categories: Mapping[str, Category], again: Again, limit: int | None
) -> None:
    """Every answer is counted once: judged, failed, or left."""
    _answers(database, probe, 12)
    calls: list[str] = []

    def say(request: ModelRequest) -> ModelReply:
        calls.append(request.subject)
        if len(calls) == 1:
            raise ModelError("The service is not there.")
        usage = Usage(input=request.characters // 4, output=50)
        return ModelReply(reply(), usage, PRICE.cost(usage))

    each = PRICE.cost(Usage(input=forecast_judging(database, "judge-1", categories, limit=1).input_tokens, output=50))
    outcome = judge(
        database,
        Judge(say),
        categories,
        Progress(),
        spending=Spending(each * 6, PRICE),
        at_once=1,
        again=again,
        limit=limit,
    )
    assert outcome.failed == 1
    assert outcome.left > 0
    assert outcome.judged + outcome.failed + outcome.left == (limit or 12)


def test_a_limit_below_one_request_asks_nobody(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """And stored replies, which cost nothing, are used all the same."""
    first, second = _answers(database, probe, 2)
    judge(database, Judge(reply()), categories, Progress(), limit=1)
    model = Judge(reply(), name="judge-2")
    outcome = judge(database, model, categories, Progress(), spending=Spending(0.01, PRICE))
    assert (outcome.judged, outcome.left, model.asked) == (0, 2, [])
    assert set(VerdictStore(database).counting([first, second])) == {first}


def test_what_it_will_cost(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """The forecast counts tokens in and out: a guess at first, then what replies in this project had."""
    _answers(database, probe, 3)
    told = forecast_judging(database, "judge-1", categories, price=PRICE)
    assert not told.is_measured
    assert told.cost == pytest.approx((told.input_tokens + told.output_tokens) / 1_000)
    assert forecast_judging(database, "judge-1", categories).cost is None
    judge(database, Judge(reply()), categories, Progress(), limit=1)
    told = forecast_judging(database, "judge-1", categories, price=PRICE)
    assert (told.is_measured, told.reply_tokens, told.calls, told.output_tokens) == (True, 10.0, 2, 20)


# -- long searches ---------------------------------------------------------------------------------------------


def _long_search(results: int, words: int) -> list[tuple[str, tuple[SearchResult, ...]]]:
    text = " ".join(["recommendation"] * words)
    return [make_query("Ada Example", *[make_result(f"{text} {n}.", f"Result {n}") for n in range(results)])]


def test_a_hundred_results_of_two_thousand_words_fit(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """The classifier gets all of it, and evidence in the very last words is found."""
    answer = add_answer(database, probe, make_trajectory("Ask Ada Example.", _long_search(100, 2_000)))
    add_verdict(database, answer)
    found = {
        "rationale": "It was there.",
        "evidence": [{"result": 100, "excerpt": "recommendation 99."}],
        "queries": [{"query": 1, "label": "indirect"}],
    }
    model = Judge(json.dumps(found))
    outcome = classify(database, model, categories, Progress())
    assert (outcome.classified, outcome.unscored) == (1, 0)
    assert model.asked[0].prompt.count("recommendation ") == 200_000
    classification = ClassificationStore(database).counting([answer])[answer]
    assert classification.mode is FailureMode.REASONING
    assert classification.evidence[0].excerpt == "recommendation 99."


def test_beyond_the_limit_nothing_is_cut(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """A search that is too long is left unscored with both numbers, once, and asked about when the limit is raised."""
    answer = add_answer(database, probe, make_trajectory("Ask Ada Example.", _long_search(10, 500)))
    add_verdict(database, answer)
    found = {"rationale": "No.", "evidence": [], "queries": [{"query": 1, "label": "indirect"}]}
    model = Judge(json.dumps(found))
    outcome = classify(database, model, categories, Progress(), longest=5_000)
    assert (outcome.classified, outcome.unscored, outcome.calls, model.asked) == (0, 1, 0, [])
    unscored = ClassificationStore(database).counting([answer])[answer].unscored
    assert "at most 5,000 are sent. Nothing was cut out of it" in unscored
    assert forecast_classifying(database, "judge-1", categories, longest=5_000).skipped == 1
    assert classify(database, model, categories, Progress(), longest=5_000).skipped == 1
    assert len(ClassificationStore(database).history(answer)) == 1
    assert classify(database, model, categories, Progress(), longest=5_000, again=Again.UNSCORED).skipped == 1
    assert classify(database, model, categories, Progress()).classified == 1


def test_a_long_answer_is_not_judged_in_part(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """The same holds for the judge."""
    answer = add_answer(database, probe, make_trajectory("word " * 100_000))
    model = Judge(reply())
    outcome = judge(database, model, categories, Progress(), longest=50_000)
    assert (outcome.judged, outcome.unscored, model.asked) == (0, 1, [])
    assert "too long" in VerdictStore(database).counting([answer])[answer].unscored
    assert judge(database, model, categories, Progress(), longest=50_000).skipped == 1
    assert judge(database, model, categories, Progress()).judged == 1


# -- a provider over HTTP --------------------------------------------------------------------------------------


def _good(label: str = "incorrect") -> Prepared:
    message = {"role": "assistant", "content": reply(label)}
    usage = {"prompt_tokens": 1_000, "completion_tokens": 50, "total_tokens": 1_050}
    return Prepared({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage})


def _fault(status: int, message: str) -> Prepared:
    return Prepared({"error": {"message": message}}, status=status, headers=NO_WAIT)


@contextmanager
def _model(*replies: Prepared, timeout: float = 10.0) -> Iterator[tuple[OpenAICompatibleModel, HttpReplies]]:
    with HttpReplies(*replies) as server:
        address = f"{server.address}/v1"
        with closing(OpenAICompatibleModel("judge-1", "sk-secret-1", base_url=address, timeout=timeout)) as model:
            yield model, server


def _one_by_one(database: Database, model: OpenAICompatibleModel, categories: Mapping[str, Category]) -> JudgeOutcome:
    return judge(database, model, categories, Progress(), at_once=1)


def test_a_provider_that_goes_down_in_the_middle(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """What came before stays, the rest stays open, and the next start asks only for the rest."""
    answers = _answers(database, probe, 30)
    with (
        _model(*[_good()] * 5, _fault(503, "overloaded")) as (model, _),
        pytest.raises(ModelError, match=r"judge-1 failed 20 times in a row.*overloaded"),
    ):
        _one_by_one(database, model, categories)
    assert len(VerdictStore(database).counting(answers)) == 5
    assert len(ModelCallStore(database).failures("judge")) == 20
    with _model(_good("correct")) as (model, server):
        outcome = _one_by_one(database, model, categories)
        assert (outcome.judged, outcome.skipped, outcome.failed) == (25, 5, 0)
        assert len(server.received) == 25
    assert ModelCallStore(database).failures("judge") == []
    labels = [verdict.label for verdict in VerdictStore(database).counting(answers).values()]
    assert (labels.count(Label.INCORRECT), labels.count(Label.CORRECT)) == (5, 25)
    assert all(len(VerdictStore(database).history(answer)) == 1 for answer in answers)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (_fault(401, "Incorrect API key provided: sk-secret-1"), "refuses the key"),
        (_fault(404, "The model `judge-1` does not exist"), "does not know the model “judge-1”"),
    ],
)
def test_a_wrong_key_or_model_stops_at_once(
    database: Database, probe: Probe, categories: Mapping[str, Category], fault: Prepared, words: str
) -> None:
    """One request, one sentence; the key stands nowhere in the project."""
    _answers(database, probe, 10)
    with _model(fault) as (model, server):
        with pytest.raises(ModelError, match=words):
            judge(database, model, categories, Progress(), at_once=8)
        assert len(server.received) == 1
    (failure,) = ModelCallStore(database).failures("judge")
    assert words in failure.error
    database.close()
    assert b"sk-secret-1" not in b"".join(path.read_bytes() for path in database.path.parent.glob("project.btc*"))


class Impatient(Progress):
    """Progress of work that tries again without waiting."""

    def wait(self, seconds: float) -> None:
        """Only look whether to stop."""
        self.check()


def test_an_address_where_no_model_is_stops_before_the_second_answer(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """Nobody there, or somebody who talks of something else: one sentence, not a failed item for each answer."""
    _answers(database, probe, 10)
    with _model(_good()) as (_, gone):
        address = f"{gone.address}/v1"
    with (
        closing(OpenAICompatibleModel("judge-1", "", base_url=address)) as model,
        pytest.raises(ModelError, match=rf"The server at {address} can't be reached"),
    ):
        judge(database, model, categories, Impatient(), at_once=8)
    with (
        _model(Prepared({"welcome": "to the router"})) as (model, server),
        pytest.raises(ModelError, match="something else than a reply of a model"),
    ):
        judge(database, model, categories, Progress(), at_once=8)
    assert len(server.received) == 1
    # Both were about the same, first answer.
    assert ModelCallStore(database).totals("judge").failed == 2
    with _model(_good()) as (model, server):
        assert judge(database, model, categories, Progress()).judged == 10


def test_quota_refusal_and_cut_bodies(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """A passing 429 and a body cut in the middle are tried again; a refused request fails alone, with its reason."""
    _answers(database, probe, 3)
    cut = Prepared(_good().body, cut=40)
    with _model(_fault(429, "slow down"), cut, _good(), _fault(400, "context too long"), _good()) as (model, server):
        outcome = _one_by_one(database, model, categories)
        assert len(server.received) == 5
    assert (outcome.judged, outcome.failed, outcome.calls) == (2, 1, 3)
    assert "context too long" in outcome.failures[0].reason
    with _model(_good()) as (model, server):
        assert (_one_by_one(database, model, categories).judged, len(server.received)) == (1, 1)


def test_replies_under_way_are_kept_when_one_could_not_be_stored(database: Database) -> None:
    """They are paid for: a project that was locked for a moment must not cost them."""
    work = [
        Work(AnswerId(number), ModelRequest("judge", "System.", f"Answer {number}?", JudgeReply, f"judge/{number}"))
        for number in range(1, 6)
    ]
    kept: list[int] = []

    def keep(item: Work, call_id: CallId, text: str, cut: str) -> None:
        kept.append(item.answer_id)
        if len(kept) == 2:
            raise ProjectError("The project is locked.")

    with _model(_good()) as (model, server), pytest.raises(ProjectError, match="locked"):
        ask_all(database, model, work, Progress(), keep, Asked(), at_once=4)
    assert len(kept) == len(server.received) >= 5
    stored = database.read().execute("SELECT count(*) FROM model_call").fetchone()[0]
    assert stored == len(server.received) - 1
