"""What one usually compares a case with: other efforts, harnesses and models, its direct answer, its repetitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from btc_gui.domain.case import CaseRow
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId
from btc_gui.sessions.comparing import MOST_LANES

#: The names of all presets, in the order in which they are offered.
PRESETS: Final = ("efforts", "direct", "harnesses", "models", "repetitions")


@dataclass(frozen=True, slots=True)
class LanePreset:
    """Cases that are put beside one with a click. `left_out` counts those for which there is no lane."""

    name: str
    text: str
    ids: tuple[AnswerId, ...]
    left_out: int = 0


def lane_presets(case: CaseRow, others: Sequence[CaseRow]) -> list[LanePreset]:
    """The comparisons that there are for a case, each with the cases that stand beside it.

    Of several answers of one configuration the one of the same repetition and run is taken.
    """
    own = _who(case)
    same = [other for other in others if other.probe_id == case.probe_id and other.kind is case.kind]
    opposite = [other for other in others if other.kind is not case.kind and _who(other) == own]

    def differing(place: int) -> list[CaseRow]:
        """The answers whose configuration differs in just this part."""
        return [
            other
            for other in same
            if all((a != b) == (number == place) for number, (a, b) in enumerate(zip(_who(other), own, strict=True)))
        ]

    is_direct = case.kind is ProbeKind.DIRECT
    again = [other for other in same if _who(other) == own]
    found = [
        _preset("efforts", "All efforts", case, differing(2), lambda other: other.configuration.effort),
        _preset("direct", "Indirect answers" if is_direct else "Direct answer", case, opposite, lambda o: o.probe_id),
        _preset("harnesses", "Harnesses", case, differing(1), lambda other: other.configuration.harness),
        _preset("models", "Models", case, differing(0), lambda other: other.configuration.model),
        _preset("repetitions", "Repetitions", case, again, lambda other: other.answer_id),
    ]
    return [preset for preset in found if preset.ids]


def _who(case: CaseRow) -> tuple[str, str, str]:
    configuration = case.configuration
    return configuration.model, configuration.harness, configuration.effort


def _preset(
    name: str, text: str, case: CaseRow, candidates: Iterable[CaseRow], part: Callable[[CaseRow], object]
) -> LanePreset:
    nearest: dict[object, CaseRow] = {}
    for other in sorted(candidates, key=lambda o: (o.repetition != case.repetition, o.run_id != case.run_id)):
        nearest.setdefault(part(other), other)
    ids = tuple(other.answer_id for other in nearest.values())
    return LanePreset(name, text, ids[: MOST_LANES - 1], max(len(ids) - MOST_LANES + 1, 0))
