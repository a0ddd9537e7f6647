"""The series of all figures: the same thing has the same shape and colour everywhere."""

from __future__ import annotations

from btc_gui.domain.composition_table import MERGED
from btc_gui.domain.configuration import Effort
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.figure import Series, Shape

DIRECT = Series("direct", "Direct", Shape.CIRCLE, "secondary", is_hollow=True)
INDIRECT = Series("indirect_probe", "Indirect", Shape.CIRCLE, "accent")
DROP = Series("drop", "Drop", Shape.DIAMOND, "accent")
CHANGE = Series("change", "Change of accuracy", Shape.DIAMOND, "accent")
GAP_LESS_GAP = Series("difference", "Difference of the gaps", Shape.DIAMOND, "accent")
ALL_PROBES = Series("all_probes", "All its probes", Shape.CIRCLE, "secondary", is_hollow=True)
COMMON = Series("common", "Common probes", Shape.CIRCLE, "accent")
MEDIAN = Series("median", "Median", Shape.DIAMOND, "accent")
MEAN = Series("mean", "Mean", Shape.CIRCLE, "secondary", is_hollow=True)
QUARTILE = Series("quartile", "Quartiles", Shape.TICK, "secondary")
EXTREME = Series("extreme", "Least and greatest", Shape.CROSS, "secondary")
SHARE = Series("share", "Share", Shape.CIRCLE, "accent")
QUERIES = Series("queries", "Median", Shape.DIAMOND, "accent")
ALL_TOGETHER = Series("overall", "All together", Shape.DASH, "secondary")
AS_JUDGED = Series("judged", "As judged", Shape.CIRCLE, "secondary", is_hollow=True)
CORRECTED = Series("corrected", "Corrected by people's labels", Shape.DIAMOND, "accent")

_LOW = Series("low", "Low effort", Shape.DOWN, "secondary", is_hollow=True)
_HIGH = Series("high", "High effort", Shape.TRIANGLE, "accent")
_OTHER = (Shape.SQUARE, Shape.DIAMOND, Shape.CIRCLE)
_MODES = {
    FailureMode.REASONING: Series("reasoning", "Reasoning error", Shape.DIAMOND, "reasoning"),
    FailureMode.EXPLICIT: Series("explicit", "Explicit search", Shape.CIRCLE, "explicit"),
    FailureMode.INDIRECT: Series("indirect", "Indirect search", Shape.TRIANGLE, "indirect"),
    FailureMode.NONE: Series("none", "No or unrelated search", Shape.SQUARE, "none"),
}
#: Indirect and no or unrelated search taken together.
INDIRECT_OR_NONE = Series(MERGED, "Indirect, unrelated or no search", Shape.TRIANGLE, "indirect")
UNCLASSIFIED = Series("unclassified", "Not classified", Shape.CROSS, "disabled")


def mode_series(mode: FailureMode | None) -> Series:
    """The series of a failure mode, or of failures without one."""
    return UNCLASSIFIED if mode is None else _MODES[mode]


def effort_series(effort: Effort) -> Series:
    """The series of an effort: low and high have their own, others (of logs) one by their order."""
    if effort is Effort.LOW:
        return _LOW
    if effort is Effort.HIGH:
        return _HIGH
    place = list(Effort).index(effort)
    colours = ("explicit", "reasoning", "indirect", "none")
    name = effort.text[:1].upper() + effort.text[1:]
    words = name if effort is Effort.UNKNOWN else f"{name} effort"
    return Series(str(effort), words, _OTHER[place % 3], colours[place % 4], is_hollow=place % 2 == 0)
