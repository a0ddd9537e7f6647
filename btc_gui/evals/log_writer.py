"""Writing answers as a log that Inspect reads, through Inspect's own types. The way back is `logs.trajectory_of`."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent, ToolEvent
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalMetric,
    EvalPlan,
    EvalResults,
    EvalSample,
    EvalSampleLimit,
    EvalScore,
    EvalSpec,
    EvalStats,
)
from inspect_ai.log._condense import condense_sample
from inspect_ai.log._recorders.eval import EvalRecorder
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Citation,
    Content,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    StopReason,
    UrlCitation,
)
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score
from inspect_ai.tool import ToolCall, ToolCallError

from btc_gui.domain.configuration import Effort
from btc_gui.domain.origin import ORIGIN
from btc_gui.domain.trajectory import Ending, SearchResult, Step, StepKind, Trajectory
from btc_gui.domain.verdict import Label
from btc_gui.evals.log_messages import LogToWrite, SampleToWrite
from btc_gui.evals.search_tool import RESULTS_SOURCE, SEARCH_TOOL, call_span

_LIMIT = re.compile(r"no final answer within the (\w+) limit of ([\d.e+]+)$")
#: Of results whose time is not known.
_NO_TIME = datetime.fromtimestamp(0, UTC)
_CUT = "cut off at the token limit"
_VALUES = {Label.CORRECT.value: CORRECT, Label.INCORRECT.value: INCORRECT}


class LogWriter:
    """One log: each sample is written when it is added, and only what the log's head tells of it is kept.

    `write_eval_log` takes a log whole, which for a configuration of a large run is a gigabyte.
    """

    def __init__(self, log: LogToWrite) -> None:
        self._log = log
        effort: Any = log.effort if log.effort != Effort.UNKNOWN else None
        self._head = EvalSpec(
            eval_id=log.log_id,
            run_id=log.run_id,
            created=log.created,
            task=log.task,
            task_id=log.log_id,
            dataset=EvalDataset(name="probes"),
            model=log.model,
            model_generate_config=GenerateConfig(reasoning_effort=effort),
            config=EvalConfig(epochs=1),
            packages={"inspect_ai": version("inspect_ai"), "btc_gui": version("btc_gui")},
            metadata={ORIGIN: dict(log.about), **log.settings},
        )
        self._samples = self._epochs = 0
        self._ids: dict[str, None] = {}
        self._scored: dict[str, Counter[object]] = {}
        # The engine's recorder waits for nothing but a file, on a loop of its own.
        self._loop = asyncio.new_event_loop()
        self._recorder = EvalRecorder(str(Path(log.path).parent))
        try:
            self._loop.run_until_complete(self._recorder.log_init(self._head, log.path, clean=True))
            self._loop.run_until_complete(self._recorder.log_start(self._head, EvalPlan()))
        except BaseException:
            self.close()
            raise

    def add(self, sample: SampleToWrite) -> None:
        """One more sample."""
        made = _sample(sample, self._log.model)
        self._samples += 1
        self._epochs = max(self._epochs, made.epoch)
        self._ids[sample.id] = None
        for judge, score in (made.scores or {}).items():
            self._scored.setdefault(judge, Counter())[score.value] += 1
        write = self._recorder.log_sample(self._head, condense_sample(made), write_through=True)
        self._loop.run_until_complete(write)

    def finish(self) -> tuple[str, int]:
        """Write the log's head; gives its place and how many samples it holds."""
        self._head.dataset.samples, self._head.dataset.sample_ids = len(self._ids), list(self._ids)
        self._head.config.epochs = max(self._epochs, 1)
        finish = self._recorder.log_finish(
            self._head, "success", EvalStats(), self._results(), reductions=None, header_only=True
        )
        try:
            self._loop.run_until_complete(finish)
        finally:
            self.close()
        return self._log.path, self._samples

    def close(self) -> None:
        """Let go of a log: what was written of one that is not finished is removed. Safe to call twice."""
        if not self._loop.is_closed():
            try:
                self._loop.run_until_complete(self._recorder.log_discard(self._head))
            finally:
                self._loop.close()

    def _results(self) -> EvalResults:
        scores = []
        for judge, values in self._scored.items():
            counted = values[CORRECT] + values[INCORRECT]
            accuracy = values[CORRECT] / counted if counted else math.nan
            scores.append(
                EvalScore(
                    name=judge,
                    scorer=judge,
                    scored_samples=counted,
                    unscored_samples=values.total() - counted,
                    metrics={"accuracy": EvalMetric(name="accuracy", value=accuracy)},
                )
            )
        return EvalResults(total_samples=self._samples, completed_samples=self._samples, scores=scores)


def _sample(sample: SampleToWrite, model: str) -> EvalSample:
    found = sample.trajectory
    asked: list[ChatMessage] = [ChatMessageSystem(content=sample.system_prompt)] if sample.system_prompt else []
    asked.append(ChatMessageUser(content=sample.request))
    told = _Telling(found, asked, model)
    messages, events = told.messages, told.events
    usage = ModelUsage(
        input_tokens=found.usage.input,
        output_tokens=found.usage.output,
        total_tokens=found.usage.total,
        reasoning_tokens=found.usage.reasoning,
        input_tokens_cache_read=found.usage.cache_read,
        input_tokens_cache_write=found.usage.cache_write,
    )
    return EvalSample(
        id=sample.id,
        epoch=sample.epoch,
        uuid=found.uuid,
        input=asked,
        target="",
        messages=messages,
        output=told.output,
        events=events,
        scores={judge: _score(label, reason) for judge, (label, reason) in sample.verdicts.items()} or None,
        metadata=dict(sample.about),
        model_usage={model: usage},
        started_at=found.started_at or None,
        completed_at=found.finished_at or None,
        total_time=found.seconds,
        error=_error(found),
        limit=_limit(found.ending_reason),
    )


def _limit(reason: str) -> EvalSampleLimit | None:
    found = _LIMIT.match(reason)
    if found is None:
        return None
    kind: Any = found.group(1)
    return EvalSampleLimit(type=kind, limit=float(found.group(2)))


def _score(label: str, reason: str) -> Score:
    return Score(value=_VALUES.get(label, NOANSWER), explanation=reason)


def _error(found: Trajectory) -> EvalError | None:
    if found.ending is Ending.CANCELLED:
        return EvalError(message="CancelledError()", traceback="", traceback_ansi="")
    if found.ending is Ending.FAILED:
        return EvalError(message=found.ending_reason, traceback="", traceback_ansi="")
    return None


class _Telling:
    """A trajectory told as the engine would: messages, events, and the last output."""

    def __init__(self, found: Trajectory, asked: Sequence[ChatMessage], model: str) -> None:
        self.messages: list[ChatMessage] = list(asked)
        self.events: list[Event] = []
        self.output = ModelOutput(model=model)
        self._found = found
        self._model = model
        # Logs without events had no times.
        self._has_times = any(step.at for step in found.steps)
        self._open_spans: list[str] = []
        steps = list(found.steps)
        submitted = self._has_times and len(steps) > 1 and steps[-1].kind is StepKind.ANSWER and not steps[-1].at
        if submitted:
            # Handed over by a tool: the answer is not a turn of its own.
            steps.pop()
        turns = list(_turns(steps))
        for number, (said, called) in enumerate(turns):
            self._turn(number, said, called, is_last=number == len(turns) - 1)
        if submitted:
            self.output.completion = found.answer
        self.events += [SpanEndEvent(id=span, span_id=span) for span in reversed(self._open_spans)]
        if found.ending is Ending.REFUSED and not self.output.choices:
            message = ChatMessageAssistant(content=found.ending_reason, source="generate")
            self._say(message, "content_filter", None)

    def _turn(self, number: int, said: Sequence[Step], called: Sequence[Step], *, is_last: bool) -> None:
        calls = [
            ToolCall(id=f"call-{number}-{place}", function=_function(step), arguments=_arguments(step))
            for place, step in enumerate(called)
        ]
        if said:
            ends_open = said[-1].kind is StepKind.MESSAGE and not calls and self._found.ending is not Ending.REFUSED
            if ends_open and is_last and not self._found.answer:
                # Without a call the text would be read as the answer, which it was not.
                calls = [ToolCall(id=f"call-{number}", function="not recorded", arguments={})]
            content = [_content(step, place) for place, step in enumerate(said)]
            message = ChatMessageAssistant(
                content=content, tool_calls=calls or None, source="generate", model=self._model
            )
            self._say(message, self._stop_reason(bool(calls), is_last), said[0])
        elif calls:
            self.messages.append(ChatMessageAssistant(content="", tool_calls=calls, source="generate"))
        for step, call in zip(called, calls, strict=False):
            self._called(step, call)

    def _stop_reason(self, has_calls: bool, is_last: bool) -> StopReason:
        if is_last and self._found.ending is Ending.REFUSED:
            return "content_filter"
        if is_last and self._found.ending_reason == _CUT:
            return "max_tokens"
        return "tool_calls" if has_calls else "stop"

    def _say(self, message: ChatMessageAssistant, stop_reason: StopReason, step: Step | None) -> None:
        choice = ChatCompletionChoice(message=message, stop_reason=stop_reason)
        output = ModelOutput(model=self._model, choices=[choice])
        if self._has_times and step is not None:
            self.events.append(
                ModelEvent(
                    model=self._model,
                    input=[],
                    tools=[],
                    tool_choice="auto",
                    config=GenerateConfig(),
                    output=output,
                    span_id=self._span(step),
                    timestamp=datetime.fromisoformat(step.at),
                    working_time=step.seconds,
                )
            )
        self.messages.append(message)
        self.output = output

    def _called(self, step: Step, call: ToolCall) -> None:
        error = ToolCallError(type="unknown", message=step.error) if step.error else None
        self.messages.append(
            ChatMessageTool(content=step.output, tool_call_id=call.id, function=call.function, error=error)
        )
        # A span of its own keeps the results apart when a query is asked twice.
        span = call_span(call.id)
        if not self._has_times:
            self._record_results(step, span, _NO_TIME)
            return
        around = self._span(step)
        at = datetime.fromisoformat(step.at)
        self.events.append(
            SpanBeginEvent(id=span, name=call.function, type="tool", parent_id=around, span_id=span, timestamp=at)
        )
        self._record_results(step, span, at)
        self.events.append(
            ToolEvent(
                id=call.id,
                function=call.function,
                arguments=call.arguments,
                result=step.output,
                error=error,
                span_id=span,
                timestamp=at,
                working_time=step.seconds,
            )
        )
        self.events.append(SpanEndEvent(id=span, span_id=span, timestamp=at))

    def _record_results(self, step: Step, span: str, at: datetime) -> None:
        if step.results:
            data: Any = {"query": step.text, "results": [_record(each) for each in step.results]}
            self.events.append(InfoEvent(source=RESULTS_SOURCE, data=data, span_id=span, timestamp=at))

    def _span(self, step: Step) -> str | None:
        """The agent's span that a step stands in; told when it first occurs."""
        if not step.span:
            return None
        if step.span not in self._open_spans:
            self._open_spans.append(step.span)
            at = datetime.fromisoformat(step.at)
            parent = step.parent_span or None
            self.events.append(
                SpanBeginEvent(
                    id=step.span, name=step.agent, type="agent", parent_id=parent, span_id=step.span, timestamp=at
                )
            )
        return step.span


def _turns(steps: Sequence[Step]) -> Iterator[tuple[list[Step], list[Step]]]:
    """What was said in one turn, and the tools that were called in it."""
    said: list[Step] = []
    called: list[Step] = []
    for step in steps:
        if step.kind in (StepKind.QUERY, StepKind.TOOL) and not step.is_hidden:
            called.append(step)
            continue
        if called or (said and _is_next_turn(said[-1], step)):
            yield said, called
            said, called = [], []
        said.append(step)
    if said or called:
        yield said, called


def _is_next_turn(before: Step, step: Step) -> bool:
    is_text = {StepKind.MESSAGE, StepKind.ANSWER}
    two_texts = before.kind in is_text and step.kind in is_text
    return two_texts or (before.at, before.span) != (step.at, step.span) or step.seconds is not None


def _content(step: Step, place: int) -> Content:
    if step.kind is StepKind.REASONING:
        if step.is_hidden:
            return ContentReasoning(reasoning="", summary=step.text or None, redacted=True)
        return ContentReasoning(reasoning=step.text)
    if step.kind in (StepKind.MESSAGE, StepKind.ANSWER):
        return ContentText(text=step.text, citations=_citations(step) or None)
    return _native(step, place)


def _citations(step: Step) -> list[Citation]:
    return [
        UrlCitation(url=result.url, title=result.title, cited_text=passage)
        for result in step.results
        for passage in result.excerpts or (None,)
    ]


def _native(step: Step, place: int) -> ContentToolUse:
    """A use of a provider's own tool, as its pages and queries are read back."""
    is_query = step.kind is StepKind.QUERY
    pages = [{"url": each.url, "title": each.title, "page_age": each.published} for each in step.results]
    arguments: dict[str, str] = {"query": step.text} if is_query else {"type": "open_page", "url": step.text}
    is_told = is_query or step.text.startswith(("http://", "https://"))
    return ContentToolUse(
        tool_type="web_search" if is_query else "mcp_call",
        id=f"use-{step.number}-{place}",
        name=step.tool,
        arguments=json.dumps(arguments, ensure_ascii=False) if is_told else step.text,
        result=json.dumps(pages, ensure_ascii=False) if pages else step.output,
        error=step.error or None,
    )


def _function(step: Step) -> str:
    return SEARCH_TOOL if step.kind is StepKind.QUERY else step.tool


def _arguments(step: Step) -> dict[str, Any]:
    if step.kind is StepKind.QUERY:
        return {"query": step.text}
    try:
        value = json.loads(step.text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"text": step.text}


def _record(result: SearchResult) -> dict[str, Any]:
    return {
        "title": result.title,
        "url": result.url,
        "published": result.published,
        "excerpts": list(result.excerpts),
    }
