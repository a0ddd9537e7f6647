"""An item's form while somebody works on it: what is chosen and typed, given or not yet.

The labelling window keeps it beside each item within a second of the last key, so that nothing typed is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import GivenLabel
from btc_gui.outside_data import json_from


@dataclass(frozen=True, slots=True)
class ItemState:
    """What a form holds. `choice` is the label that is given, or whose reason is being typed; empty: none yet.

    `confidence` is 1 (low) to 3 (high), None when it was not given. `answers` are the parts of the kind's form as
    canonical JSON, as in `GivenLabel`, but perhaps unfinished.
    """

    choice: str = ""
    reason: str = ""
    note: str = ""
    confidence: int | None = None
    answers: str = ""

    @property
    def text(self) -> str:
        """The state as it is kept on the disk; empty when there is nothing to keep."""
        filled = {name: value for name, value in asdict(self).items() if value not in ("", None)}
        return canonical_json(filled) if filled else ""

    @classmethod
    def from_text(cls, text: str) -> ItemState:
        """Read what `text` gave. Anything else is a note, as packets of version 1 kept it."""
        try:
            kept = json_from(text)
        except ValueError:
            kept = None
        if not isinstance(kept, Mapping):
            return cls(note=text)
        confidence = kept.get("confidence")
        return cls(
            **{name: str(kept.get(name) or "") for name in ("choice", "reason", "note", "answers")},
            confidence=confidence if type(confidence) is int and 1 <= confidence <= 3 else None,
        )

    @classmethod
    def of(cls, label: GivenLabel | None) -> ItemState:
        """The form as it was when that label was given; empty without one."""
        if label is None:
            return cls()
        return cls(label.label, label.reason, label.note, label.confidence, label.answers)
