"""Everything recorded for one answer: reasoning, queries, results, tool output, the answer, how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from btc_gui.domain.ending import Ending as Ending

AnswerId = NewType("AnswerId", int)
StepId = NewType("StepId", int)
ResultId = NewType("ResultId", int)


class StepKind(StrEnum):
    """What one step of a trajectory is."""

    REASONING = "reasoning"
    QUERY = "query"
    TOOL = "tool"
    MESSAGE = "message"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One search result as data: `published` is an ISO date or empty when the engine gave none."""

    title: str
    url: str
    published: str = ""
    excerpts: tuple[str, ...] = ()
    id: ResultId | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step. For a query, `text` is the query, `results` what came back as data, and `output` the text
    that the model received, and `dropped` how many better results the as-of day kept from it; `error` says why a
    tool call gave nothing. For an answer, `results` are the pages that it cites. `is_hidden` marks what the
    provider does not reveal."""

    number: int
    kind: StepKind
    text: str
    results: tuple[SearchResult, ...] = ()
    output: str = ""
    error: str = ""
    tool: str = ""
    agent: str = ""
    span: str = ""
    parent_span: str = ""
    at: str = ""
    seconds: float | None = None
    is_hidden: bool = False
    dropped: int = 0
    id: StepId | None = None

    @property
    def hidden_text(self) -> str:
        """What the provider does not reveal of this step, in words; empty when it reveals all."""
        if not self.is_hidden:
            return ""
        if self.kind is StepKind.REASONING:
            return _HIDDEN_THOUGHT if not self.text else "The provider reveals only a summary of this reasoning."
        if self.kind is StepKind.QUERY:
            if not self.text:
                return "The provider searched, but does not reveal its query."
            if not self.results:
                return "The provider does not reveal what this query found."
            return "" if any(page.excerpts for page in self.results) else _HIDDEN_PAGES
        if self.kind is StepKind.TOOL:
            return _HIDDEN_OUTPUT if self.text else "It was not revealed whether and what was searched."
        return "The provider does not reveal this step."


_HIDDEN_THOUGHT = "The provider does not reveal this reasoning."
_HIDDEN_PAGES = "The provider names these pages, but does not reveal what the model read of them."
_HIDDEN_OUTPUT = "The provider does not reveal what this gave the model."


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer or call, by kind."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        """All tokens, as the provider counts them: input, output and cache (reasoning is part of output)."""
        return self.input + self.output + self.cache_read + self.cache_write

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One attempt at an answer, whole.

    `uuid` is the engine's own id of the sample: the same one twice is the same attempt.
    """

    uuid: str
    ending: Ending
    answer: str
    steps: tuple[Step, ...]
    ending_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    seconds: float | None = None
    started_at: str = ""
    finished_at: str = ""

    @property
    def queries(self) -> tuple[Step, ...]:
        """The steps that are search queries, in order."""
        return tuple(step for step in self.steps if step.kind is StepKind.QUERY)
