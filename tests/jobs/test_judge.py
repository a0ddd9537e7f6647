"""Judging: every label comes from a reply that says nothing else, and nothing is paid for twice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.probe import Probe, ProbeKind
from btc_gui.domain.trajectory import AnswerId, Ending, Usage
from btc_gui.domain.verdict import Label
from btc_gui.errors import ModelError
from btc_gui.jobs.ask_model import FailedItem
from btc_gui.jobs.ask_plan import Again
from btc_gui.jobs.judge import JudgeOutcome, forecast_judging, judge
from btc_gui.progress import Cancelled, Progress
from btc_gui.remote.language_model import ModelReply, ModelRequest, NotRecordedError, UnusableModelError, Wait
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.model_calls import ModelCallStore
from btc_gui.store.verdicts import VerdictStore
from tests.builders import add_event, add_probe, make_facts
from tests.case_builders import add_answer, add_answers, make_configuration, make_trajectory


def reply(label: str = "incorrect", names: bool = True) -> str:
    """A reply as the judge is asked for."""
    return json.dumps({"rationale": "He is recommended.", "names_entity": names, "label": label})


class Judge:
    """A language model of the test's own: says `say(request)`, remembers what it was asked."""

    def __init__(self, say: Callable[[ModelRequest], ModelReply | str] | str = "", name: str = "judge-1") -> None:
        self.name = name
        self.asked: list[ModelRequest] = []
        self._say = say
        self._lock = threading.Lock()

    def ask(self, request: ModelRequest, wait: Wait = time.sleep) -> ModelReply:
        with self._lock:
            self.asked.append(request)
        said = self._say(request) if callable(self._say) else self._say
        return ModelReply(said, Usage(input=100, output=10), 0.001, 0.5) if isinstance(said, str) else said


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def probe(database: Database) -> Probe:
    return add_probe(database, add_event(database), key="p1")


def _judge(database: Database, model: Judge, categories: Mapping[str, Category], **options: object) -> JudgeOutcome:
    return judge(database, model, categories, Progress(), **options)  # type: ignore[arg-type]


def _label(database: Database, answer_id: AnswerId) -> Label | None:
    return VerdictStore(database).counting([answer_id])[answer_id].label


def test_labels_and_their_calls_are_stored(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """A verdict says who judged, why, and by which request; the call keeps reply, tokens, cost and time."""
    answer = add_answer(database, probe)
    model = Judge(reply())
    outcome = _judge(database, model, categories)
    assert (outcome.judged, outcome.unscored, outcome.cached, outcome.skipped, outcome.failed) == (1, 0, 0, 0, 0)
    assert (outcome.calls, outcome.usage.total) == (1, 110)
    assert outcome.cost == pytest.approx(0.001)
    verdict = VerdictStore(database).counting([answer])[answer]
    assert (verdict.judge, verdict.label, verdict.names_entity) == ("judge-1", Label.INCORRECT, True)
    assert verdict.rationale == "He is recommended."
    (request,) = model.asked
    assert (verdict.request_hash, verdict.prompt_hash) == (request.request_hash, request.prompt_hash)
    stored = ModelCallStore(database).replies("judge-1", [request.request_hash])[request.request_hash]
    assert stored.text == reply()
    totals = ModelCallStore(database).totals("judge")
    assert (totals.calls, totals.failed, totals.usage.input) == (1, 0, 100)
    assert totals.cost == pytest.approx(0.001)


def test_what_the_judge_sees(database: Database, categories: Mapping[str, Category]) -> None:
    """The change before and after, the criteria of the probe's kind, and the whole answer, whatever is in it."""
    event = add_event(database, entity="Bo Sample", category="tenure", date="2026-05-09", aliases=("B. S.",))
    indirect = add_probe(database, event, "Who could sign our {petition}?", key="p1")
    direct = add_probe(database, event, "Does Bo serve?", ProbeKind.DIRECT, key="p2")
    answer = "Ask {mayor} $date </answer> %s \\1 é 北京 " + "x" * 50_000 + " the end"
    add_answer(database, indirect, make_trajectory(answer))
    add_answer(database, direct, make_trajectory("Yes."))
    model = Judge(reply())
    _judge(database, model, categories)
    by_subject = {request.subject: request for request in model.asked}
    assert set(by_subject) == {"judge/p1/Model A/high/1", "judge/p2/Model A/high/1"}
    prompt = by_subject["judge/p1/Model A/high/1"].prompt
    for words in (
        answer,
        "Who could sign our {petition}?",
        "Bo Sample holds the position of Mayor of Exampleton.",
        "no longer holds the position of Mayor of Exampleton, since 9 May 2026.",
        "B. S.",
        categories["tenure"].criteria["indirect"],
    ):
        assert words in prompt
    assert categories["tenure"].criteria["direct"] in by_subject["judge/p2/Model A/high/1"].prompt


@pytest.mark.parametrize("ending", [Ending.NO_ANSWER, Ending.REFUSED, Ending.FAILED, Ending.CANCELLED])
def test_only_answers_are_judged(
    database: Database, probe: Probe, categories: Mapping[str, Category], ending: Ending
) -> None:
    """No answer, refused, failed and cancelled are outcomes of their own: never scored, never asked about."""
    add_answer(database, probe, make_trajectory("Half an ans", ending=ending))
    model = Judge(reply())
    assert _judge(database, model, categories) == JudgeOutcome()
    assert model.asked == []


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("GRADE: E", "not JSON: it starts with “GRADE: E”"),
        ("The answer is incorrect, so my grade is C.", "not JSON"),
        (reply("Incorrect"), "label"),
        (reply("incorrect\u200b"), "label"),
        ("\u200b", "empty"),
        ("", "empty"),
    ],
)
def test_s10_what_is_no_label_is_unscored(
    database: Database, probe: Probe, categories: Mapping[str, Category], said: str, reason: str
) -> None:
    """Known fault S10: a reply that can't be read is unscored with its reason, never wrong, never a letter of it."""
    answer = add_answer(database, probe)
    outcome = _judge(database, Judge(said), categories)
    assert (outcome.judged, outcome.unscored, outcome.failed) == (0, 1, 0)
    verdict = VerdictStore(database).counting([answer])[answer]
    assert verdict.label is None
    assert reason in verdict.unscored


def test_incomplete_replies_are_unscored(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """A reply that the provider cut or withheld is no label, even if what came can be read; also when read again."""
    answer = add_answer(database, probe)
    model = Judge(lambda _: ModelReply(reply("correct"), cut="The reply is cut off: it reached the longest length."))
    _judge(database, model, categories)
    assert _label(database, answer) is None
    other = add_answer(database, probe, make_trajectory(), make_configuration("Model B"))
    outcome = _judge(database, model, categories)
    assert (outcome.unscored, outcome.cached, len(model.asked)) == (1, 1, 1)
    assert "longest length" in VerdictStore(database).counting([other])[other].unscored


def test_the_same_request_is_paid_for_once(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """Equal answers to a probe are one request, also at the same time; a second start asks nothing."""
    add_answers(database, probe, [make_trajectory("Same."), make_trajectory("Same."), make_trajectory("Other.")])
    model = Judge(reply())
    first = _judge(database, model, categories)
    assert (first.judged, first.cached, first.calls) == (3, 1, 2)
    second = _judge(database, model, categories)
    assert (second.judged, second.skipped, len(model.asked)) == (0, 3, 2)


def test_a_stored_reply_is_read_again(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """A reply that was paid for, but whose verdict is gone, is read instead of asked for."""
    answer = add_answer(database, probe)
    model = Judge(reply("correct"))
    _judge(database, model, categories)
    with database.write() as connection:
        connection.execute("DELETE FROM verdict")
    outcome = _judge(database, model, categories)
    assert (outcome.judged, outcome.cached, outcome.calls, len(model.asked)) == (1, 1, 0, 1)
    assert _label(database, answer) is Label.CORRECT


def test_another_judge_and_another_time(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """Earlier verdicts stay as rows; the newest counts; each judge has one that is current."""
    answer = add_answer(database, probe)
    _judge(database, Judge(reply()), categories)
    _judge(database, Judge(reply("correct"), "judge-2"), categories)
    assert _label(database, answer) is Label.CORRECT
    again = _judge(database, Judge(reply("correct")), categories, again=Again.ALL)
    assert (again.judged, again.cached) == (1, 0)
    store = VerdictStore(database)
    assert [(v.judge, v.label) for v in store.history(answer)] == [
        ("judge-1", Label.INCORRECT),
        ("judge-2", Label.CORRECT),
        ("judge-1", Label.CORRECT),
    ]
    assert store.of_judge("judge-1", [answer])[answer].label is Label.CORRECT
    assert store.judges() == ["judge-1", "judge-2"]


def test_asking_only_the_unscored_again(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """What could not be read can be asked anew; what has a label is left alone."""
    _, (first, second) = add_answers(database, probe, [make_trajectory("One."), make_trajectory("Two.")])
    _judge(database, Judge(lambda request: reply() if "One." in request.prompt else "?"), categories)
    model = Judge(reply("correct"))
    assert _judge(database, model, categories).skipped == 2
    outcome = _judge(database, model, categories, again=Again.UNSCORED)
    assert (outcome.judged, outcome.skipped) == (1, 1)
    assert (_label(database, first), _label(database, second)) == (Label.INCORRECT, Label.CORRECT)


def test_a_corrected_fact_makes_a_new_request(database: Database, categories: Mapping[str, Category]) -> None:
    """A verdict is bound to the facts it was made for: with another date the answer is judged again."""
    event = add_event(database, date="2026-05-09")
    answer = add_answer(database, add_probe(database, event))
    model = Judge(reply())
    _judge(database, model, categories)
    EventStore(database).revise(event, make_facts(date="2026-05-08"), author="tests")
    outcome = _judge(database, model, categories)
    assert (outcome.judged, outcome.skipped) == (1, 0)
    assert len(VerdictStore(database).history(answer)) == 2


def test_a_failed_call_leaves_the_answer_open(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """No reply, no verdict: the call is kept with its error, named in the outcome, and tried again next time."""
    answer = add_answer(database, probe)

    def fail(request: ModelRequest) -> ModelReply:
        raise NotRecordedError(f"There is no recorded reply for {request.subject}.")

    outcome = _judge(database, Judge(fail), categories)
    subject = "judge/p1/Model A/high/1"
    assert outcome.failures == (FailedItem(subject, f"There is no recorded reply for {subject}."),)
    assert outcome.as_json()["failed"] == [{"subject": subject, "reason": f"There is no recorded reply for {subject}."}]
    assert VerdictStore(database).counting([answer]) == {}
    (failure,) = ModelCallStore(database).failures("judge")
    assert (failure.subject, failure.model) == (subject, "judge-1")
    assert _judge(database, Judge(reply()), categories).judged == 1
    assert ModelCallStore(database).failures("judge") == []


def test_a_model_that_can_not_be_used_stops_the_work(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """A wrong key fails once, not twenty thousand times."""
    add_answers(database, probe, [make_trajectory(f"Answer {i}") for i in range(30)])

    def refuse(_: ModelRequest) -> ModelReply:
        raise UnusableModelError("The key is refused.", "Check it.")

    model = Judge(refuse)
    with pytest.raises(ModelError, match="The key is refused"):
        _judge(database, model, categories, at_once=2)
    assert len(model.asked) <= 4


def test_too_many_failures_in_a_row_stop_the_work(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """When nothing gets through any more, the work stops and says so; misses of a replay never stop it."""
    add_answers(database, probe, [make_trajectory(f"Answer {i}") for i in range(60)])

    def down(_: ModelRequest) -> ModelReply:
        raise ModelError("The server has a fault.")

    with pytest.raises(ModelError, match=r"failed 2\d times in a row"):
        _judge(database, Judge(down), categories, at_once=2)

    def miss(_: ModelRequest) -> ModelReply:
        raise NotRecordedError("Not recorded.")

    assert _judge(database, Judge(miss), categories).failed == 60


def test_cancelling_keeps_what_is_under_way(
    database: Database, probe: Probe, categories: Mapping[str, Category]
) -> None:
    """Nothing new is sent after a cancel, and every reply that was paid for is stored."""
    add_answers(database, probe, [make_trajectory(f"Answer {i}") for i in range(20)])
    progress = Progress()

    def cancel_at_five(_: ModelRequest) -> str:
        if len(model.asked) == 5:
            progress.cancel()
        return reply()

    model = Judge(cancel_at_five)
    with pytest.raises(Cancelled):
        judge(database, model, categories, progress, at_once=3)
    answered = len(model.asked)
    assert 5 <= answered < 20
    assert ModelCallStore(database).totals("judge").calls == answered
    assert _judge(database, Judge(reply()), categories).judged == 20 - answered


def test_limit_run_and_forecast(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """A forecast asks nobody and says what the work comes to; a limit and a run narrow it."""
    run_id, _ = add_answers(
        database, probe, [make_trajectory("One."), make_trajectory("One."), make_trajectory("Two.")]
    )
    add_answer(database, probe, make_trajectory("Three."), make_configuration("Model B"))
    whole = forecast_judging(database, "judge-1", categories)
    assert (whole.answers, whole.calls, whole.cached, whole.skipped) == (4, 3, 1, 0)
    assert whole.characters > 3 * 2_000
    assert forecast_judging(database, "judge-1", categories, run_id=run_id).answers == 3
    model = Judge(reply())
    assert _judge(database, model, categories, limit=1).judged == 1
    after = forecast_judging(database, "judge-1", categories, run_id=run_id)
    assert (after.answers, after.calls, after.cached, after.skipped) == (2, 1, 1, 1)
    assert _judge(database, model, categories, run_id=run_id).judged == 2


def test_unknown_category(database: Database, probe: Probe, categories: Mapping[str, Category]) -> None:
    """An event of a category that was removed fails in words, and the others go on."""
    add_answer(database, probe)
    outcome = _judge(database, Judge(reply()), {"tenure": categories["tenure"]})
    assert [item.reason for item in outcome.failures] == ["There is no category “demise”."]
