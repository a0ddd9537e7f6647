"""Where keys go in a case: to the next step, query, evidence… and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from btc_gui.sessions.comparing import Target, TargetKind, neighbour

_BEFORE_ALL = (-1, 0)


class CaseJumps(QObject):
    """Knows the places of the case that is shown, and at which of them its reader is."""

    #: The reader is to go to this `Target`.
    found = Signal(object)
    #: Why there is nowhere to go.
    said = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._targets: dict[TargetKind, tuple[Target, ...]] = {}
        self._lanes = 0
        #: The row and the lane that jumps go on from.
        self.place = _BEFORE_ALL

    @property
    def commands(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        """Names of the command table with their methods."""
        return (
            ("cases.next_step", self.next_step),
            ("cases.previous_step", self.previous_step),
            ("cases.next_query", self.next_query),
            ("cases.previous_query", self.previous_query),
            ("cases.next_evidence", self.next_evidence),
            ("cases.previous_evidence", self.previous_evidence),
            ("cases.next_guess", self.next_guess),
            ("cases.previous_guess", self.previous_guess),
            ("cases.next_mention", self.next_mention),
            ("cases.previous_mention", self.previous_mention),
            ("cases.next_divergence", self.next_divergence),
            ("cases.previous_divergence", self.previous_divergence),
            ("cases.answer", self.to_answer),
        )

    def show_targets(self, targets: Mapping[TargetKind, tuple[Target, ...]], lanes: int, *, from_start: bool) -> None:
        """Take the places of what so many lanes show; another case is read from its start."""
        self._targets, self._lanes = dict(targets), lanes
        if from_start:
            self.place = _BEFORE_ALL

    def clear(self) -> None:
        """Nothing is shown."""
        self.show_targets({}, 0, from_start=True)

    def add_mentions(self, targets: Sequence[Target]) -> None:
        """Take mentions that were found later, too."""
        known = self._targets.get(TargetKind.MENTION, ())
        every = sorted({*known, *targets}, key=lambda target: (target.row, target.lane))
        self._targets[TargetKind.MENTION] = tuple(every)

    def step(self, lane: int, number: int) -> Target | None:
        """The place of a step."""
        targets = self._targets.get(TargetKind.STEP, ())
        return next((t for t in targets if (t.lane, t.step_number) == (lane, number)), None)

    def enter(self, lane: int, number: int) -> None:
        """A step is where jumps go on from."""
        target = self.step(lane, number)
        if target is not None:
            self.place = (target.row, target.lane)

    def _jump(self, kind: TargetKind, forward: bool) -> None:
        targets = self._targets.get(kind, ())
        found = neighbour(targets, self.place, forward=forward)
        if found is not None:
            self.found.emit(found)
        elif targets:
            self.said.emit(f"No {'further' if forward else 'earlier'} {kind}")
        elif kind is TargetKind.DIVERGENCE and self._lanes < 2:
            self.said.emit("There is no difference to go to: compare with another answer first")
        else:
            self.said.emit(f"There is no {kind} in this case")

    def next_query(self) -> None:
        """Go to the next query."""
        self._jump(TargetKind.QUERY, True)

    def previous_query(self) -> None:
        """Go to the query before."""
        self._jump(TargetKind.QUERY, False)

    def next_evidence(self) -> None:
        """Go to the next result that reveals the change."""
        self._jump(TargetKind.EVIDENCE, True)

    def previous_evidence(self) -> None:
        """Go to the evidence before."""
        self._jump(TargetKind.EVIDENCE, False)

    def next_mention(self) -> None:
        """Go to the next step that names the entity."""
        self._jump(TargetKind.MENTION, True)

    def previous_mention(self) -> None:
        """Go to the mention before."""
        self._jump(TargetKind.MENTION, False)

    def next_divergence(self) -> None:
        """Go to where the trajectories part next."""
        self._jump(TargetKind.DIVERGENCE, True)

    def previous_divergence(self) -> None:
        """Go to where they parted before."""
        self._jump(TargetKind.DIVERGENCE, False)

    def next_step(self) -> None:
        """Go to the next step."""
        self._jump(TargetKind.STEP, True)

    def previous_step(self) -> None:
        """Go to the step before."""
        self._jump(TargetKind.STEP, False)

    def next_guess(self) -> None:
        """Go to the next result that seems to tell of the change, though nobody located evidence."""
        self._jump(TargetKind.GUESS, True)

    def previous_guess(self) -> None:
        """Go to the guess before."""
        self._jump(TargetKind.GUESS, False)

    def to_answer(self) -> None:
        """Go to the answer."""
        self.place = _BEFORE_ALL
        self._jump(TargetKind.ANSWER, True)
