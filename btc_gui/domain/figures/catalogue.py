"""All figures there are, in the order in which they are offered and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from btc_gui.domain.figures.accuracy_figures import accuracy_figures, common_figures, gap_figures, repeat_figures
from btc_gui.domain.figures.behaviour_figures import (
    behaviour_figures,
    category_figures,
    effort_figures,
    harness_figures,
)
from btc_gui.domain.figures.behind import Names
from btc_gui.domain.figures.figure import Figure
from btc_gui.domain.figures.judge_figures import judge_figures
from btc_gui.domain.figures.mode_figures import merged_mode_figures, mode_figures
from btc_gui.domain.figures.query_figures import query_figures
from btc_gui.domain.results import Results
from btc_gui.domain.study_report import StudyReport


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A figure as one chooses it: its name in commands, and in words. `make` gives one for each category."""

    name: str
    text: str
    make: Callable[[Results, Names], Sequence[Figure]]


KINDS: tuple[FigureKind, ...] = (
    FigureKind("accuracy", "Direct and indirect accuracy", accuracy_figures),
    FigureKind("queries", "Accuracy by number of queries", query_figures),
    FigureKind("failure_modes", "Failure modes", mode_figures),
    FigureKind("failure_modes_merged", "Failure modes, indirect and no search together", merged_mode_figures),
    FigureKind("behaviour", "Search behaviour", behaviour_figures),
    FigureKind("effort_change", "High less low effort", effort_figures),
    FigureKind("harness_change", "Shared less native harness", harness_figures),
    FigureKind("category_gaps", "Gap of one category less another's", category_figures),
    FigureKind("gaps", "Gap over configurations", gap_figures),
    FigureKind("common_probes", "Models on the same probes", common_figures),
    FigureKind("repetitions", "Repetitions", repeat_figures),
)
#: Those that are made from studies.
STUDY_KINDS = (
    ("validation", "Agreement with people"),
    ("corrected_accuracy", "Accuracy as judged and corrected"),
)


def figures_of(
    results: Results, names: Names, reports: Iterable[StudyReport] = (), kinds: Iterable[str] = ()
) -> list[Figure]:
    """Every figure that has something to draw; with `kinds` only these."""
    wanted = frozenset(kinds)
    found: list[Figure] = []
    for kind in KINDS:
        if not wanted or kind.name in wanted:
            found += kind.make(results, names)
    found += [figure for figure in judge_figures(reports) if not wanted or figure.kind in wanted]
    return found
