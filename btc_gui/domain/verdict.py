"""The judge's verdict on an answer: correct (consistent with the change), incorrect, or unscored with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from btc_gui.domain.trajectory import AnswerId

VerdictId = NewType("VerdictId", int)


class Label(StrEnum):
    """What a judge or a person says of an answer: the benchmark's 1 and 0."""

    CORRECT = "correct"
    INCORRECT = "incorrect"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict. `label` is None when the reply could not be read; then `unscored` says why."""

    id: VerdictId
    answer_id: AnswerId
    judge: str
    label: Label | None
    names_entity: bool | None
    rationale: str
    unscored: str
    prompt_hash: str
    request_hash: str
    at: str
