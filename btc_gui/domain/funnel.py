"""What became of every row of a collection: which events it gave, what was dropped at which step, and why."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.event import EventFacts

#: Before the reason that was overruled, in the marks of a row that was put back.
IN_SPITE_OF = "put back in spite of: "

#: The step that puts rows back.
BY_HAND = "put_back"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row that might be an event.

    `key` is the same in every run: the id of the statement (`Q42$…`), with `#2`, `#3` … for further rows of the
    same statement. `facts` is the event that it would be; None where it can't be one even by hand (no date, no
    name). `date` is the date as shown, or what the source has in its place.
    """

    key: str
    qid: str
    name: str
    date: str
    position: str = ""
    facts: EventFacts | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one candidate.

    A dropped one has the `step` that dropped it and the `reason` in words; one with facts can be put back. A kept
    one may have `marks`: what a curator should look at (an acting office, a new role on the same day). `step` is
    `put_back` and `reason` the curator's note where somebody put it back.
    """

    candidate: Candidate
    kept: bool
    step: str = ""
    reason: str = ""
    marks: tuple[str, ...] = ()

    @property
    def can_be_put_back(self) -> bool:
        """Whether a curator may take this one in spite of the reason."""
        return not self.kept and self.candidate.facts is not None


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One step: how many candidates it dropped and how many were left after it. `text` says what it asks for.

    Putting back drops fewer than none.
    """

    name: str
    text: str
    dropped: int
    left: int

    @property
    def change(self) -> str:
        """What it did to the number: `−12`, `+1`, or nothing."""
        return f"−{self.dropped:,}" if self.dropped > 0 else f"+{-self.dropped:,}" if self.dropped else ""


@dataclass(frozen=True, slots=True)
class Funnel:
    """All steps in order, also those that dropped nothing. The first is `read`: `left` is the number of rows.

    `put_back` counts the dropped rows that a curator has put back since; `put_back_before` those that had been put back
    before the collection was made, and were not dropped any more.
    """

    steps: tuple[FunnelStep, ...]
    put_back: int = 0
    put_back_before: int = 0

    @property
    def read(self) -> int:
        """How many rows there were."""
        return self.steps[0].left if self.steps else 0

    @property
    def dropped(self) -> int:
        """How many rows gave no event."""
        return sum(step.dropped for step in self.steps)

    @property
    def kept(self) -> int:
        """How many rows gave an event."""
        return self.steps[-1].left if self.steps else 0

    @property
    def events(self) -> int:
        """How many rows are events now: those that were kept, and those put back since."""
        return self.kept + self.put_back

    @property
    def told(self) -> tuple[FunnelStep, ...]:
        """The steps as people are told them: where rows were put back by hand, that is the last one."""
        if not self.put_back and not self.put_back_before:
            return self.steps
        text = "Put back by hand"
        if self.put_back_before:
            text += f" ({self.put_back_before:,} more were put back before, and not dropped again)"
        return (*self.steps, FunnelStep(BY_HAND, text, -self.put_back, self.events))

    def as_json(self) -> list[dict[str, object]]:
        """The steps as commands print them and datasheets keep them."""
        return [
            {"step": step.name, "text": step.text, "dropped": step.dropped, "left": step.left} for step in self.told
        ]


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection came to: `events` of the kept candidates, a decision for every row, and the counts.

    Events and decisions are in the order of date, name and key, whatever order the rows came in.
    """

    events: tuple[EventFacts, ...]
    decisions: tuple[Decision, ...]
    funnel: Funnel
