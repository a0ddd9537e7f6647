"""Lint: what is wrong with a probe by rules that can say why. Pure; a module a family of rules."""

from __future__ import annotations

from enum import StrEnum

from btc_gui.records import dataclass


class Severity(StrEnum):
    """How bad a finding is: an error breaks the benchmark, a warning wants a look, a note is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Waiver:
    """Who let a rule pass on one probe, when and why. It holds for all wordings of the probe until withdrawn."""

    reason: str
    author: str
    at: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a probe.

    `rule` names one of `btc_gui.domain.lint.rules.RULES`. It is about `text[start:end]` of the probe, which
    `excerpt` repeats; `start == end == 0` means the probe as a whole. `why` is a sentence for a person.
    `waiver` is set when a person let the rule pass on this probe: such a finding is shown, but does not count.
    """

    rule: str
    severity: Severity
    start: int
    end: int
    excerpt: str
    why: str
    waiver: Waiver | None = None

    @property
    def is_waived(self) -> bool:
        """Whether a person let it pass."""
        return self.waiver is not None

    @property
    def is_about_part(self) -> bool:
        """Whether it points at a part of the text rather than at all of it."""
        return self.end > self.start
