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
    """A figure as one chooses it: its name in commands, in words, and what it takes to have something to draw.

    `make` gives one for each category.
    """

    name: str
    text: str
    needs: str
    make: Callable[[ResultsRecord, Names], Sequence[Figure]]


def _of_results(
    make: Callable[[Results, Names], Sequence[Figure]],
) -> Callable[[ResultsRecord, Names], Sequence[Figure]]:
    return lambda record, names: make(record.results, names)


KINDS: tuple[FigureKind, ...] = (
    FigureKind("accuracy", "Direct and indirect accuracy", "It takes judged answers.", _of_results(accuracy_figures)),
    FigureKind(
        "corrected_accuracy",
        "Accuracy as judged and corrected",
        "It takes a finished study of the judge: design one under Validation.",
        corrected_figures,
    ),
    FigureKind(
        "queries",
        "Accuracy by number of queries",
        "It takes judged answers to indirect probes in the shared harness.",
        _of_results(query_figures),
    ),
    FigureKind(
        "failure_modes",
        "Failure modes",
        "It takes indirect answers of the shared harness that are judged incorrect; then classify the failures.",
        _of_results(mode_figures),
    ),
    FigureKind(
        "failure_modes_merged",
        "Failure modes, indirect and no search together",
        "It takes indirect answers of the shared harness that are judged incorrect; then classify the failures.",
        _of_results(merged_mode_figures),
    ),
    FigureKind(
        "corrected_modes",
        "Failure modes as classified and corrected",
        "It takes a finished study of the classifier: design one under Validation.",
        corrected_mode_figures,
    ),
    FigureKind(
        "behaviour", "Search behaviour", "It takes judged answers to indirect probes.", _of_results(behaviour_figures)
    ),
    FigureKind(
        "effort_change",
        "High less low effort",
        "It takes a model that answered the same events at low and at high effort.",
        _of_results(effort_figures),
    ),
    FigureKind(
        "harness_change",
        "Shared less native harness",
        "It takes a model that answered the same events in both harnesses.",
        _of_results(harness_figures),
    ),
    FigureKind(
        "category_gaps",
        "Gap of one category less another's",
        "It takes a configuration with direct and indirect answers in two categories.",
        _of_results(category_figures),
    ),
    FigureKind(
        "gaps",
        "Gap over configurations",
        "It takes configurations with direct and indirect answers about the same events.",
        _of_results(gap_figures),
    ),
    FigureKind(
        "common_probes",
        "Models on the same probes",
        "It takes two models in the shared harness.",
        _of_results(common_figures),
    ),
    FigureKind(
        "repetitions",
        "Repetitions",
        "It takes a probe that one configuration answered twice, both judged.",
        _of_results(repeat_figures),
    ),
    FigureKind(
        "validation",
        "Agreement with people",
        "It takes a finished study: design one under Validation.",
        validation_figures,
    ),
)


def figures_of(record: ResultsRecord, names: Names, kinds: Iterable[str] = ()) -> list[Figure]:
    """Every figure that has something to draw; with `kinds` only these."""
    wanted = frozenset(kinds)
    return [figure for kind in KINDS if not wanted or kind.name in wanted for figure in kind.make(record, names)]
