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
from btc_gui.domain.figures.judge_figures import corrected_figures, corrected_mode_figures, validation_figures
from btc_gui.domain.figures.mode_figures import merged_mode_figures, mode_figures
from btc_gui.domain.figures.query_figures import query_figures
from btc_gui.domain.results import Results
from btc_gui.domain.results_record import ResultsRecord


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A figure as one chooses it: its name in commands, and in words. `make` gives one for each category."""

    name: str
    text: str
    make: Callable[[ResultsRecord, Names], Sequence[Figure]]


def _of_results(
    make: Callable[[Results, Names], Sequence[Figure]],
) -> Callable[[ResultsRecord, Names], Sequence[Figure]]:
    return lambda record, names: make(record.results, names)


KINDS: tuple[FigureKind, ...] = (
    FigureKind("accuracy", "Direct and indirect accuracy", _of_results(accuracy_figures)),
    FigureKind("corrected_accuracy", "Accuracy as judged and corrected", corrected_figures),
    FigureKind("queries", "Accuracy by number of queries", _of_results(query_figures)),
    FigureKind("failure_modes", "Failure modes", _of_results(mode_figures)),
    FigureKind(
        "failure_modes_merged", "Failure modes, indirect and no search together", _of_results(merged_mode_figures)
    ),
    FigureKind("corrected_modes", "Failure modes as classified and corrected", corrected_mode_figures),
    FigureKind("behaviour", "Search behaviour", _of_results(behaviour_figures)),
    FigureKind("effort_change", "High less low effort", _of_results(effort_figures)),
    FigureKind("harness_change", "Shared less native harness", _of_results(harness_figures)),
    FigureKind("category_gaps", "Gap of one category less another's", _of_results(category_figures)),
    FigureKind("gaps", "Gap over configurations", _of_results(gap_figures)),
    FigureKind("common_probes", "Models on the same probes", _of_results(common_figures)),
    FigureKind("repetitions", "Repetitions", _of_results(repeat_figures)),
    FigureKind("validation", "Agreement with people", validation_figures),
)


def figures_of(record: ResultsRecord, names: Names, kinds: Iterable[str] = ()) -> list[Figure]:
    """Every figure that has something to draw; with `kinds` only these."""
    wanted = frozenset(kinds)
    return [figure for kind in KINDS if not wanted or kind.name in wanted for figure in kind.make(record, names)]
