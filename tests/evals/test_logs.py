"""Samples of Inspect AI, ours and those of others, as trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from btc_gui.domain.trajectory import Ending, SearchResult, StepKind, Trajectory, Usage

if TYPE_CHECKING:
    from inspect_ai.event import Event, InfoEvent, ModelEvent, ToolEvent
    from inspect_ai.log import EvalSample
    from inspect_ai.model import Content, ModelOutput, StopReason
    from inspect_ai.tool import ToolCall


def trajectory_of(sample: EvalSample) -> Trajectory:
    from btc_gui.evals import logs

    return logs.trajectory_of(sample)


def _record(
    number: int, query: str, found: tuple[SearchResult, ...], dropped: int = 0, cost: float | None = None
) -> InfoEvent:
    """What our search tool writes down in the span of its call."""
    from inspect_ai.event import InfoEvent

    from btc_gui.evals.search_tool import RESULTS_SOURCE, record_of

    return InfoEvent(source=RESULTS_SOURCE, data=record_of(query, found, dropped, cost), span_id=f"tool-{number}")


def _output(
    content: str | list[Content], calls: list[ToolCall] | None = None, stop: StopReason = "stop"
) -> ModelOutput:
    from inspect_ai.model import ChatMessageAssistant, ModelOutput

    return ModelOutput.from_message(ChatMessageAssistant(content=content, tool_calls=calls), stop_reason=stop)


def _call(function: str = "web_search", **arguments: str) -> ToolCall:
    from inspect_ai.tool import ToolCall

    return ToolCall(id=f"call-{function}", function=function, arguments=arguments)


def _said(output: ModelOutput, span: str = "", role: str | None = None) -> ModelEvent:
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import GenerateConfig

    return ModelEvent(
        model="m",
        role=role,
        input=[],
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(),
        output=output,
        span_id=span or None,
    )


def _used(call: ToolCall, result: str, span: str = "") -> ToolEvent:
    from inspect_ai.event import ToolEvent

    return ToolEvent(id=call.id, function=call.function, arguments=call.arguments, result=result, span_id=span or None)


def _sample(events: list[Event], output: ModelOutput | None = None, **more: object) -> EvalSample:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ModelOutput

    values: dict[str, Any] = {"id": "1", "epoch": 1, "input": "Who?", "target": "", "uuid": "u1", **more}
    return EvalSample(**values, events=events, output=output or ModelOutput())


def _kinds(trajectory: Trajectory) -> list[tuple[StepKind, str]]:
    return [(step.kind, step.text) for step in trajectory.steps]


def test_the_same_query_twice_has_the_results_of_its_own_time() -> None:

    first, second = (
        (SearchResult("Before", "https://example.org/1"),),
        (SearchResult("After", "https://example.org/2"),),
    )
    call = _call(query="who")
    events: list[Event] = [
        _record(1, "who", first),
        _used(call, "text 1", "tool-1"),
        _record(2, "who", second),
        _used(call, "text 2", "tool-2"),
    ]
    queries = trajectory_of(_sample(events)).queries
    assert [(query.results, query.output) for query in queries] == [(first, "text 1"), (second, "text 2")]


def test_a_search_has_its_own_results_what_was_dropped_and_the_sum_of_the_costs() -> None:
    from inspect_ai.tool import ToolCallError

    found = (SearchResult("Before", "https://example.org/1"),)
    call = _call(query="who")
    failed = _used(call, "", "tool-3").model_copy(update={"error": ToolCallError("unknown", "Exa is busy")})
    events: list[Event] = [
        _record(1, "who", found, 0, 0.5),
        _used(call, "text 1", "tool-1"),
        _record(2, "who", (), 4, 0.25),
        _used(call, "No results.", "tool-2"),
        failed,
    ]
    trajectory = trajectory_of(_sample(events))
    assert [(query.results, query.dropped, query.error) for query in trajectory.queries] == [
        (found, 0, ""),
        ((), 4, ""),
        ((), 0, "Exa is busy"),
    ]
    assert trajectory.cost == 0.75
    assert trajectory_of(_sample([])).cost is None


def test_steps_of_several_agents_say_whose_they_are() -> None:
    from inspect_ai.event import SpanBeginEvent

    ask, search = _call("searcher", task="find"), _call(query="who")
    final = _output("Ask Ada.")
    events: list[Event] = [
        SpanBeginEvent(id="s1", name="supervisor", type="agent"),
        _said(_output("Let me see.", [ask], "tool_calls"), "s1"),
        SpanBeginEvent(id="t1", parent_id="s1", name="searcher", type="tool"),
        SpanBeginEvent(id="s2", parent_id="t1", name="searcher", type="agent"),
        _said(_output("", [search], "tool_calls"), "s2"),
        SpanBeginEvent(id="t2", parent_id="s2", name="web_search", type="tool"),
        _used(search, "nothing", "t2"),
        _said(_output("I found Ada."), "s2"),
        _used(ask, "I found Ada.", "t1"),
        _said(final, "s1"),
    ]
    trajectory = trajectory_of(_sample(events, final))
    assert [(s.agent, s.span, s.parent_span, s.kind) for s in trajectory.steps] == [
        ("supervisor", "s1", "", StepKind.MESSAGE),
        ("searcher", "s2", "s1", StepKind.QUERY),
        ("searcher", "s2", "s1", StepKind.MESSAGE),
        ("supervisor", "s1", "", StepKind.TOOL),
        ("supervisor", "s1", "", StepKind.ANSWER),
    ]
    assert trajectory.answer == "Ask Ada."
    assert [step.number for step in trajectory.steps] == [1, 2, 3, 4, 5]


def test_what_a_scorer_says_is_not_part_of_the_trajectory() -> None:
    from inspect_ai.event import SpanBeginEvent

    final = _output("Ask Ada.")
    events: list[Event] = [
        _said(final),
        SpanBeginEvent(id="x", name="scorers"),
        _said(_output("GRADE: C"), "x"),
        _said(_output("GRADE: I"), role="grader"),
    ]
    trajectory = trajectory_of(_sample(events, final))
    assert _kinds(trajectory) == [(StepKind.ANSWER, "Ask Ada.")]


def test_an_answer_may_be_handed_over_by_a_tool() -> None:
    from inspect_ai.model import ModelOutput

    submit = _call("submit", answer="Ask Ada.")
    said = _output("Done.", [submit], "tool_calls")
    output = ModelOutput.from_message(said.message.model_copy(update={"content": "Ask Ada."}))
    trajectory = trajectory_of(_sample([_said(said), _used(submit, "Ask Ada.")], output))
    assert (trajectory.ending, trajectory.answer) == (Ending.ANSWERED, "Ask Ada.")
    assert [kind for kind, _ in _kinds(trajectory)] == [StepKind.MESSAGE, StepKind.TOOL, StepKind.ANSWER]


def test_text_before_a_tool_call_is_not_an_answer() -> None:
    from inspect_ai.log import EvalSampleLimit

    said = _output("Let me search.", [_call(query="who")], "tool_calls")
    trajectory = trajectory_of(_sample([_said(said)], said, limit=EvalSampleLimit(type="message", limit=60)))
    assert (trajectory.ending, trajectory.answer) == (Ending.NO_ANSWER, "")
    assert trajectory.ending_reason == "no final answer within the message limit of 60"
    assert _kinds(trajectory) == [(StepKind.MESSAGE, "Let me search.")]


def test_reasoning_that_the_provider_hides_is_marked() -> None:
    from inspect_ai.model import ContentReasoning, ContentText

    content: list[Content] = [
        ContentReasoning(reasoning="gAAAA…", redacted=True, summary="Thinks of Ada."),
        ContentReasoning(reasoning="gAAAA…", redacted=True),
        ContentReasoning(reasoning="Plain."),
        ContentText(text="Ask "),
        ContentText(text="Ada."),
    ]
    output = _output(content)
    trajectory = trajectory_of(_sample([_said(output)], output))
    assert [(step.text, step.is_hidden) for step in trajectory.steps] == [
        ("Thinks of Ada.", True),
        ("", True),
        ("Plain.", False),
        ("Ask Ada.", False),
    ]
    assert trajectory.answer == "Ask Ada."


def test_a_log_without_events_is_read_from_its_messages() -> None:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser

    call = _call(query="who")
    sample = _sample(
        [],
        _output("Ask Ada."),
        messages=[
            ChatMessageUser(content="Who?"),
            ChatMessageAssistant(content="Let me see.", tool_calls=[call]),
            ChatMessageTool(content="nothing", tool_call_id=call.id, function="web_search"),
            ChatMessageAssistant(content="Ask Ada."),
        ],
    )
    trajectory = trajectory_of(sample)
    assert _kinds(trajectory) == [
        (StepKind.MESSAGE, "Let me see."),
        (StepKind.QUERY, "who"),
        (StepKind.ANSWER, "Ask Ada."),
    ]
    assert trajectory.steps[1].output == "nothing"


@pytest.mark.parametrize(
    ("message", "ending", "reason"),
    [
        ("CancelledError()", Ending.CANCELLED, "stopped while it was going"),
        ("NotRecordedError('no “x” it\\'s')", Ending.FAILED, "no “x” it's"),
        ("NotRecordedError(broken", Ending.FAILED, "NotRecordedError(broken"),
        ("RateLimitError('429')", Ending.FAILED, "RateLimitError('429')"),
    ],
)
def test_an_error_is_an_ending_with_its_reason(message: str, ending: Ending, reason: str) -> None:
    from inspect_ai.log import EvalError

    error = EvalError(message=message, traceback="", traceback_ansi="")
    trajectory = trajectory_of(_sample([], error=error))
    assert (trajectory.ending, trajectory.ending_reason, trajectory.answer) == (ending, reason, "")


def test_a_refusal_and_a_cut_answer_are_told_by_the_stop_reason() -> None:
    refused = _output("I can't.", stop="content_filter")
    assert trajectory_of(_sample([_said(refused)], refused)).ending is Ending.REFUSED
    cut = _output("Ask Ada and", stop="max_tokens")
    trajectory = trajectory_of(_sample([_said(cut)], cut))
    assert (trajectory.ending, trajectory.ending_reason) == (Ending.ANSWERED, "cut off at the token limit")


def test_usage_is_summed_over_all_models_of_the_sample() -> None:
    from inspect_ai.model import ModelUsage

    usage = {
        "a": ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15, reasoning_tokens=2),
        "b": ModelUsage(input_tokens=1, output_tokens=1, total_tokens=9, input_tokens_cache_read=7),
    }
    assert trajectory_of(_sample([], model_usage=usage)).usage == Usage(11, 6, 2, 7, 0)


@pytest.mark.parametrize(
    ("name", "endings", "queries", "results"),
    [
        ("docent_intercode_10epochs.eval", {Ending.ANSWERED: 14, Ending.NO_ANSWER: 1}, 0, 0),
        ("metr_oxdna_opus41_6epochs.eval", {Ending.ANSWERED: 6}, 0, 0),
        ("gen_shared_cancelled_multilingual.eval", {Ending.ANSWERED: 12, Ending.CANCELLED: 4}, 24, 0),
        ("gen_native_anthropic_replay.eval", {Ending.ANSWERED: 1}, 1, 10),
        ("gen_native_openai_replay.eval", {Ending.ANSWERED: 1}, 1, 0),
        ("rinspect_R_writer.json", {Ending.ANSWERED: 75}, 0, 0),
        ("ia_2epochs_v0.3.42.eval", {Ending.ANSWERED: 4}, 0, 0),
    ],
)
def test_real_logs_of_others_are_read(
    shared_data: Path, name: str, endings: dict[Ending, int], queries: int, results: int
) -> None:
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(shared_data / "inspect_logs" / name), resolve_attachments=True)
    trajectories = [trajectory_of(sample) for sample in log.samples or []]
    found = [each.ending for each in trajectories]
    assert {ending: found.count(ending) for ending in set(found)} == endings
    assert sum(len(each.queries) for each in trajectories) == queries
    assert sum(len(query.results) for each in trajectories for query in each.queries) == results
    for each in trajectories:
        answers = [step.text for step in each.steps if step.kind is StepKind.ANSWER]
        assert answers == ([each.answer] if each.answer else [])


def test_one_text_that_is_named_again_and_again_is_refused_before_it_fills_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a log it stands once; what names it takes a few bytes each."""
    from inspect_ai.model import ContentText

    monkeypatch.setattr("btc_gui.evals.logs.LONGEST_SAMPLE", 2_000_000)
    text = "x" * 100_000
    with pytest.raises(ValueError, match="longer than 2 million characters"):
        trajectory_of(_sample([_used(_call(query="old news"), text)] * 20))
    with pytest.raises(ValueError, match="longer than 2 million characters"):
        trajectory_of(_sample([], _output([ContentText(text=text)] * 21)))
    found = trajectory_of(_sample([_used(_call(query="old news"), text)] * 19))
    assert [len(step.output) for step in found.steps] == [100_000] * 19


def test_a_log_of_which_nothing_can_be_recovered_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, write_eval_log

    from btc_gui.evals.log_messages import LogOpened
    from btc_gui.evals.log_reader import open_log

    spec = EvalSpec(
        created="2026-05-01T10:00:00+00:00",
        task="sums",
        dataset=EvalDataset(name="sums", samples=1, sample_ids=[1]),
        model="mockllm/adder",
        config=EvalConfig(epochs=1),
    )
    log = tmp_path / "log.eval"
    write_eval_log(EvalLog(status="started", eval=spec, samples=[_sample([])]), str(log))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    opened = open_log(str(log))
    assert isinstance(opened, LogOpened)
    assert (opened.path, list(Path.cwd().iterdir())) == (str(log), [])
