"""A trajectory as far as it is read at once: all steps and results, but of very long texts only the beginning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from btc_gui.domain.trajectory import Trajectory


class TextPart(StrEnum):
    """Which text of a trajectory: a step's own, what its tool gave, or the excerpts of a search result."""

    TEXT = "text"
    OUTPUT = "output"
    EXCERPTS = "excerpts"


@dataclass(frozen=True, slots=True)
class TextPlace:
    """One text of a stored trajectory; `id` is the step's, for excerpts the result's."""

    part: TextPart
    id: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A trajectory whose texts may be cut; `cut` has those that are, with the number of characters of the whole."""

    trajectory: Trajectory
    cut: Mapping[TextPlace, int] = field(default_factory=dict)
