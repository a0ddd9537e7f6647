"""How texts refer to a case, and to one step of it: `btc:17`, `btc:17#5`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from btc_gui.errors import InputError
from btc_gui.records import dataclass

if TYPE_CHECKING:
    from btc_gui.domain.trajectory import AnswerId

_REFERENCE = re.compile(r"^\s*btc:(\d{1,18})(?:#(\d{1,9}))?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CaseReference:
    """What `btc:17` or `btc:17#5` refers to: a case, and one step of it."""

    answer_id: AnswerId
    step: int | None = None

    def __str__(self) -> str:
        return f"btc:{self.answer_id}" + (f"#{self.step}" if self.step is not None else "")


def is_reference(text: str) -> bool:
    """Whether `text` is a reference such as `btc:17` or `btc:17#5`."""
    return _REFERENCE.match(text) is not None


def parse_reference(text: str) -> CaseReference:
    """What a reference such as `btc:17` or `btc:17#5` refers to. Raises `InputError` for what is none."""
    match = _REFERENCE.match(text)
    if match is None:
        raise InputError(f"“{text[:40]}” is not a case reference.", "Write it as btc:17, or btc:17#5 for a step.")
    return CaseReference(cast("AnswerId", int(match.group(1))), int(match.group(2)) if match.group(2) else None)


def answer_of_reference(text: str) -> AnswerId:
    """The answer that `btc:17` refers to. Raises `InputError` when `text` is no such reference."""
    return parse_reference(text).answer_id
