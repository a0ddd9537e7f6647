"""Samples of Inspect AI as trajectories: those of our own runs and those of others, with one agent or several."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from inspect_ai.event import InfoEvent, ModelEvent, SpanBeginEvent, ToolEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageTool,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    ModelOutput,
)

from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory, Usage
from btc_gui.evals.failure_reason import reason_of
from btc_gui.evals.log_text import LONGEST_SAMPLE, kept
from btc_gui.evals.native_search import citations_of, native_steps, searched_tokens, with_revealed
from btc_gui.evals.search_tool import RESULTS_SOURCE, SEARCH_TOOL, call_span, results_of

_MOST_TOKENS = 10**15


@dataclass(frozen=True, slots=True)
class _Span:
    name: str
    type: str
    parent: str


def sample_key(uuid: str | None, log_id: str, sample: str | int, epoch: int) -> str:
    """What tells a sample from all others: the engine's uuid, which older logs don't have."""
    return uuid or f"{log_id}/{sample}/{epoch}"


def trajectory_of(sample: EvalSample, log_id: str = "") -> Trajectory:
    """One sample of the log `log_id`. Events are read where there are any, else the messages.

    Pictures and texts of absurd length are left in the log, with a note in their place. The cost is that of its
    searches, where the search service told it: what the model's tokens cost, the engine does not know. Raises
    `ValueError` for one that would fill the memory.
    """
    last = _last_output(sample)
    answer = _final_answer(sample, last)
    found = _from_events(sample) if _has_steps(sample) else _from_messages(sample)
    steps = _with_one_answer(list(_within_bounds(found)), answer)
    ending, reason = _ending(sample, last, answer)
    return Trajectory(
        uuid=sample_key(sample.uuid, log_id, sample.id, sample.epoch),
        ending=ending,
        answer=kept(answer),
        steps=tuple(
            replace(step, number=number, text=kept(step.text), output=kept(step.output), error=kept(step.error))
            for number, step in enumerate(steps, 1)
        ),
        ending_reason=reason,
        usage=_usage(sample),
        cost=_cost_of_searches(sample),
        seconds=_finite(sample.total_time),
        started_at=_iso(sample.started_at),
        finished_at=_iso(sample.completed_at),
    )


def _within_bounds(steps: Iterator[Step]) -> Iterator[Step]:
    """The steps. A log of a few kilobytes can name one text so often that its steps fill any memory."""
    whole = 0
    for step in steps:
        whole += len(step.text) + len(step.output) + len(step.error)
        whole += sum(len(text) for each in step.results for text in (each.title, each.url, *each.excerpts))
        _refuse_absurd(whole)
        yield step


def _refuse_absurd(characters: int) -> None:
    if characters > LONGEST_SAMPLE:
        raise ValueError(f"its texts are longer than {LONGEST_SAMPLE / 1e6:.0f} million characters")


# -- how it ended --------------------------------------------------------------------------------------------


def is_cancelled(sample: EvalSample) -> bool:
    """Whether the sample was stopped from outside."""
    return sample.error is not None and says_cancelled(sample.error.message)


def says_cancelled(error: str | None) -> bool:
    """Whether an error's message means that the sample was stopped from outside."""
    return (error or "").startswith(("CancelledError(", "Cancelled("))


def _ending(sample: EvalSample, last: ModelOutput | None, answer: str) -> tuple[Ending, str]:
    if is_cancelled(sample):
        return Ending.CANCELLED, "stopped while it was going"
    if sample.error is not None:
        return Ending.FAILED, reason_of(sample.error.message, sample.error.traceback)
    stop_reason = last.stop_reason if last is not None and last.choices else "unknown"
    if stop_reason == "content_filter" or (last is not None and last.choices and _is_refusal(last.choices[0].message)):
        return Ending.REFUSED, (last.completion if last else "") or "stopped by the provider's content filter"
    if last is not None and stop_reason == "model_length" and last.usage is None:
        # The engine makes a provider's refusal of a request that is too long look like an answer.
        return Ending.NO_ANSWER, f"the request was longer than the model takes: {last.completion}"
    if answer.strip():
        cut = stop_reason in ("max_tokens", "model_length")
        return Ending.ANSWERED, "cut off at the token limit" if cut else ""
    if sample.limit is not None:
        return Ending.NO_ANSWER, f"no final answer within the {sample.limit.type} limit of {sample.limit.limit:g}"
    return Ending.NO_ANSWER, "the final answer is empty"


def _is_refusal(message: ChatMessageAssistant) -> bool:
    """Whether the provider itself calls the message a refusal."""
    return isinstance(message.content, list) and any(
        isinstance(part, ContentText) and part.refusal for part in message.content
    )


def _last_output(sample: EvalSample) -> ModelOutput | None:
    """What the agent said last. The engine's own word for it comes first: a scorer may have been called later."""
    if sample.output.choices:
        return sample.output
    spans = _spans(sample)
    outputs = [
        event.output
        for event in sample.events
        if isinstance(event, ModelEvent) and event.output.choices and not _is_scoring(event, spans)
    ]
    return outputs[-1] if outputs else None


def _final_answer(sample: EvalSample, last: ModelOutput | None) -> str:
    if last is None:
        return ""
    message = last.choices[0].message
    if last.choices[0].stop_reason == "content_filter" or _is_refusal(message):
        return ""
    if last.choices[0].stop_reason == "model_length" and last.usage is None:
        return ""
    if message.tool_calls:
        # A “submit” tool hands the answer over; any other call means that there was none yet.
        is_submitted = any(call.function == "submit" for call in message.tool_calls)
        return sample.output.completion if is_submitted else ""
    parts = _parts(message)
    return parts[-1].text if parts and parts[-1].kind is StepKind.ANSWER else ""


def _with_one_answer(steps: list[Step], answer: str) -> list[Step]:
    """Only the final answer is the answer: what looked like one before was said on the way."""
    places = [place for place, step in enumerate(steps) if step.kind is StepKind.ANSWER]
    final = next((place for place in reversed(places) if answer and steps[place].text == answer), None)
    for place in places:
        if place != final:
            steps[place] = replace(steps[place], kind=StepKind.MESSAGE)
    if answer and final is None:
        # Handed over by a tool.
        steps.append(Step(0, StepKind.ANSWER, answer))
    return steps


# -- steps ---------------------------------------------------------------------------------------------------


def _has_steps(sample: EvalSample) -> bool:
    return any(isinstance(event, ModelEvent | ToolEvent) for event in sample.events)


def _from_events(sample: EvalSample) -> Iterator[Step]:
    spans = _spans(sample)
    recorded = _recorded_results(sample)
    for event in sample.events:
        if isinstance(event, ModelEvent) and event.output.choices and not _is_scoring(event, spans):
            found = with_revealed(_parts(event.output.choices[0].message), event.call)
            seconds = _finite(event.working_time)
        elif isinstance(event, ToolEvent):
            found = [_tool_step(event, recorded)]
            seconds = _finite(event.working_time)
        else:
            continue
        agents = _agents(event.span_id, spans)
        for number, step in enumerate(found):
            yield replace(
                step,
                agent=spans[agents[0]].name if agents else "",
                span=agents[0] if agents else "",
                parent_span=agents[1] if len(agents) > 1 else "",
                at=event.timestamp.isoformat(timespec="milliseconds"),
                # A turn's time is shown once, at its first step.
                seconds=seconds if number == 0 else None,
            )


def _from_messages(sample: EvalSample) -> Iterator[Step]:
    """Some logs have no events but for results: then only what was said is known."""
    recorded = _recorded_results(sample)
    calls = {
        call.id: call
        for message in sample.messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    }
    for message in sample.messages:
        if isinstance(message, ChatMessageAssistant):
            yield from _parts(message)
        elif isinstance(message, ChatMessageTool):
            call = calls.get(message.tool_call_id or "")
            arguments = call.arguments if call else {}
            record = recorded.get((call_span(message.tool_call_id or ""), str(arguments.get("query", ""))))
            yield _step_of_call(
                message.function or (call.function if call else ""),
                arguments,
                output=message.text,
                error=message.error.message if message.error else "",
                results=results_of(record or {"results": []}),
            )


def _parts(message: ChatMessageAssistant) -> list[Step]:
    """A message's parts in order; text after the last search is the answer, unless tools are called."""
    content = [ContentText(text=message.content)] if isinstance(message.content, str) else message.content
    steps: list[Step] = []
    for part in content:
        if isinstance(part, ContentReasoning):
            text = (part.summary or "") if part.redacted else (part.reasoning or part.summary or "")
            # After reasoning that can be read, a hidden part without text is no more than its signature.
            is_signature = bool(steps) and steps[-1].kind is StepKind.REASONING and not steps[-1].is_hidden
            if text or not is_signature:
                steps.append(Step(0, StepKind.REASONING, text, is_hidden=part.redacted))
        elif isinstance(part, ContentToolUse):
            steps += native_steps(part)
        elif isinstance(part, ContentText) and part.text:
            # Providers with citations cut one text into many parts.
            if steps and steps[-1].kind is StepKind.MESSAGE:
                _refuse_absurd(len(steps[-1].text) + len(part.text))
                steps[-1] = replace(steps[-1], text=steps[-1].text + part.text)
            else:
                steps.append(Step(0, StepKind.MESSAGE, part.text))
    if steps and steps[-1].kind is StepKind.MESSAGE:
        kind = StepKind.MESSAGE if message.tool_calls else StepKind.ANSWER
        steps[-1] = replace(steps[-1], kind=kind, results=citations_of(content))
    return steps


def _tool_step(event: ToolEvent, recorded: dict[tuple[str, str], dict[str, Any]]) -> Step:
    query = str(event.arguments.get("query", ""))
    record = recorded.get((event.span_id or "", query)) or recorded.get(("", query))
    if record is None or event.error is not None:
        record = {"results": []}
    step = _step_of_call(
        event.function,
        event.arguments,
        output=_text(event.result),
        error=event.error.message if event.error else "",
        results=results_of(record),
    )
    return replace(step, dropped=_count(record.get("dropped")))


def _step_of_call(
    function: str,
    arguments: dict[str, Any],
    *,
    output: str,
    error: str,
    results: tuple[SearchResult, ...] = (),
) -> Step:
    if function == SEARCH_TOOL and isinstance(arguments.get("query"), str):
        return Step(0, StepKind.QUERY, arguments["query"], results, output, error, tool=function)
    return Step(0, StepKind.TOOL, _json(arguments), output=output, error=error, tool=function)


def _recorded_results(sample: EvalSample) -> dict[tuple[str, str], dict[str, Any]]:
    """Our tool's records by the tool call's span and query, and for older logs by the query alone."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for span, record in _search_records(sample):
        query = str(record["query"])
        found[span, query] = record
        found.setdefault(("", query), record)
    return found


def _search_records(sample: EvalSample) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in sample.events:
        if isinstance(event, InfoEvent) and event.source == RESULTS_SOURCE and isinstance(event.data, dict):
            yield event.span_id or "", event.data


def _cost_of_searches(sample: EvalSample) -> float | None:
    costs = [float(record["cost"]) for _, record in _search_records(sample) if record.get("cost") is not None]
    return _finite(sum(costs)) if costs else None


# -- spans ---------------------------------------------------------------------------------------------------


def _spans(sample: EvalSample) -> dict[str, _Span]:
    return {
        event.id: _Span(event.name, event.type or "", event.parent_id or "")
        for event in sample.events
        if isinstance(event, SpanBeginEvent)
    }


def _agents(span_id: str | None, spans: dict[str, _Span]) -> list[str]:
    """The agents' spans around a span, the innermost first."""
    return [each for each in _around(span_id, spans) if spans[each].type == "agent"]


def _is_scoring(event: ModelEvent, spans: dict[str, _Span]) -> bool:
    """Whether a model was called to score the sample: not part of the agent's trajectory."""
    return event.role == "grader" or any(
        spans[each].type in ("scorer", "scorers") or spans[each].name == "scorers"
        for each in _around(event.span_id, spans)
    )


def _around(span_id: str | None, spans: dict[str, _Span]) -> Iterator[str]:
    seen: set[str] = set()
    while span_id and span_id in spans and span_id not in seen:
        seen.add(span_id)
        yield span_id
        span_id = spans[span_id].parent


# -- small things --------------------------------------------------------------------------------------------


def _usage(sample: EvalSample) -> Usage:
    total = Usage()
    for usage in sample.model_usage.values():
        total += Usage(
            input=_count(usage.input_tokens),
            output=_count(usage.output_tokens),
            reasoning=_count(usage.reasoning_tokens),
            cache_read=_count(usage.input_tokens_cache_read),
            cache_write=_count(usage.input_tokens_cache_write),
        )
    return total + Usage(input=sum(_count(searched_tokens(event.call)) for event in _model_events(sample)))


def _model_events(sample: EvalSample) -> Iterator[ModelEvent]:
    return (event for event in sample.events if isinstance(event, ModelEvent))


def _count(tokens: int | None) -> int:
    """A number of tokens that can be added up and stored: logs may hold any."""
    return max(0, min(tokens or 0, _MOST_TOKENS))


def _finite(seconds: float | None) -> float | None:
    return seconds if seconds is not None and math.isfinite(seconds) else None


def _text(result: object) -> str:
    """A tool's result as text: pictures and data are named, not shown."""
    if isinstance(result, str):
        return result
    if isinstance(result, list):
        return "\n".join(_text(part) for part in result)
    return str(getattr(result, "text", None) or f"[{getattr(result, 'type', result)}]")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _loads(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _iso(value: str | datetime | None) -> str:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    return value.isoformat(timespec="milliseconds") if value else ""
