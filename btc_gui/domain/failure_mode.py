"""Why an indirect answer failed: four exclusive classes, derived by the first rule that applies."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from btc_gui.records import dataclass


class FailureMode(StrEnum):
    """The classes, in the order in which their rules are tried."""

    REASONING = "reasoning"
    EXPLICIT = "explicit"
    INDIRECT = "indirect"
    NONE = "none"

    @property
    def text(self) -> str:
        """The name used in matrices and figures."""
        return _MODE_TEXT[self]


_MODE_TEXT = {
    FailureMode.REASONING: "Reasoning",
    FailureMode.EXPLICIT: "Explicit",
    FailureMode.INDIRECT: "Indirect",
    FailureMode.NONE: "No/unrelated",
}


class QueryClass(StrEnum):
    """What a query could reveal about the change."""

    EXPLICIT = "explicit"
    INDIRECT = "indirect"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class DerivedMode:
    """The mode, or None when an unsure or missing answer could change the first rule that fires; and why."""

    mode: FailureMode | None
    trace: str


def derive_mode(evidence_in_context: bool | None, queries: Sequence[QueryClass | None]) -> DerivedMode:
    """Apply the ordered rule of the benchmark's taxonomy; None stands for unsure or missing.

    Evidence in the context is a reasoning error; else any explicit query, else any indirect one, else none.
    """
    if evidence_in_context is True:
        return DerivedMode(FailureMode.REASONING, "evidence of the change was in the context")
    if evidence_in_context is None:
        return DerivedMode(None, "whether evidence was in the context is not decided")
    if QueryClass.EXPLICIT in queries:
        number = list(queries).index(QueryClass.EXPLICIT) + 1
        return DerivedMode(FailureMode.EXPLICIT, f"query {number} asks directly whether the fact still holds")
    if None in queries:
        return DerivedMode(None, f"query {list(queries).index(None) + 1} is not decided")
    if QueryClass.INDIRECT in queries:
        number = list(queries).index(QueryClass.INDIRECT) + 1
        return DerivedMode(FailureMode.INDIRECT, f"query {number} could have revealed the change on the way")
    if not queries:
        return DerivedMode(FailureMode.NONE, "no query was made")
    return DerivedMode(FailureMode.NONE, "no query could have revealed the change")
