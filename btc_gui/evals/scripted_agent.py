"""A model provider for Inspect AI that replays recorded behaviour: the whole engine runs, nothing is paid for."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from btc_gui.domain.trajectory import Ending
from btc_gui.evals.no_search import RecordedNoSearch
from btc_gui.evals.replay import NotRecordedError, RecordedAgents, RecordedBehaviour, RecordedError
from btc_gui.evals.search_tool import SEARCH_TOOL

#: Where the probe's key and the number of the repetition stand in the metadata of the user's message.
PROBE = "probe"
REPETITION = "repetition"
#: Roughly how many characters a token has: only for usage figures that look right.
_CHARACTERS_PER_TOKEN = 4


@modelapi(name="scripted")
class ScriptedAgent(ModelAPI):
    """Plays the turns recorded for (model, effort, probe) one by one.

    The turn is found by counting the assistant's messages so far, so a call that is made again gets the same
    turn again. Without any tool the answers recorded for that are given, if the folder has such recordings.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        *,
        replay_folder: str,
        latency: float = 0.05,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self._agents = RecordedAgents(Path(replay_folder))
        self._no_search = RecordedNoSearch(Path(replay_folder))
        self._latency = latency

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The next turn. Raises `NotRecordedError` and `RecordedError`, which end the sample."""
        await asyncio.sleep(self._latency)
        effort, asked = config.reasoning_effort or "", _asked(input)
        if not tools and self._no_search.is_recorded:
            text = self._no_search.answer(self.model_name, effort, asked[PROBE], int(asked.get(REPETITION, 1)))
            message = ChatMessageAssistant(content=_content("", text), source="generate")
            return ModelOutput(
                model=self.model_name, choices=[ChatCompletionChoice(message=message)], usage=_usage(input, message)
            )
        behaviour = self._agents.behaviour(self.model_name, effort, asked[PROBE])
        turn = sum(isinstance(message, ChatMessageAssistant) for message in input)
        choice = _searching(behaviour, turn) if turn < len(behaviour.turns) else _ending(behaviour)
        return ModelOutput(model=self.model_name, choices=[choice], usage=_usage(input, choice.message))


def _asked(messages: list[ChatMessage]) -> dict[str, Any]:
    for message in messages:
        if isinstance(message, ChatMessageUser) and message.metadata and PROBE in message.metadata:
            return message.metadata
    raise NotRecordedError("no recorded behaviour for a request without a probe")


def _searching(behaviour: RecordedBehaviour, turn: int) -> ChatCompletionChoice:
    recorded = behaviour.turns[turn]
    calls = [
        ToolCall(id=f"call-{turn + 1}-{number}", function=SEARCH_TOOL, arguments={"query": query})
        for number, query in enumerate(recorded.queries, 1)
    ]
    message = ChatMessageAssistant(content=_content(recorded.reasoning), tool_calls=calls, source="generate")
    return ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")


def _ending(behaviour: RecordedBehaviour) -> ChatCompletionChoice:
    if behaviour.ending is Ending.FAILED:
        raise RecordedError(behaviour.reason or "the recorded sample failed")
    text = behaviour.reason if behaviour.ending is Ending.REFUSED else behaviour.answer
    message = ChatMessageAssistant(content=_content(behaviour.reasoning, text), source="generate")
    return ChatCompletionChoice(
        message=message, stop_reason="content_filter" if behaviour.ending is Ending.REFUSED else "stop"
    )


def _content(reasoning: str, text: str = "") -> list[Content]:
    content: list[Content] = []
    if reasoning:
        content.append(ContentReasoning(reasoning=reasoning))
    if text:
        content.append(ContentText(text=text))
    return content


def _usage(input: list[ChatMessage], message: ChatMessageAssistant) -> ModelUsage:
    # Without usage the engine would count tokens itself, and download a vocabulary for it.
    read = sum(len(each.text) for each in input) // _CHARACTERS_PER_TOKEN
    parts = message.content if isinstance(message.content, list) else []
    thought = sum(len(each.reasoning) for each in parts if isinstance(each, ContentReasoning)) // _CHARACTERS_PER_TOKEN
    called = sum(len(str(call.arguments)) for call in message.tool_calls or []) // _CHARACTERS_PER_TOKEN
    written = thought + called + len(message.text) // _CHARACTERS_PER_TOKEN
    return ModelUsage(input_tokens=read, output_tokens=written, reasoning_tokens=thought, total_tokens=read + written)
