"""Why indirect answers failed: the composition of failure modes, plain and with indirect and no search together."""

from __future__ import annotations

from btc_gui.domain.composition_table import CompositionRow
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.figures.behind import Names, by_category, groups_by_key, scored
from btc_gui.domain.figures.figure import Bar, BarFigure, Piece, Series, ids_of, label_of
from btc_gui.domain.figures.series import INDIRECT_OR_NONE, mode_series
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup, ResultAnswer
from btc_gui.domain.results import Results

_WORDS = (
    "Indirect answers judged incorrect in the shared harness, by failure mode. The number at a bar: all its failures."
)
_TOGETHER = frozenset({FailureMode.INDIRECT, FailureMode.NONE})


def mode_figures(results: Results, names: Names) -> list[BarFigure]:
    """The failure modes of each configuration, by category."""
    return _figures(results, names, "failure_modes", "Failure modes", merged=False)


def merged_mode_figures(results: Results, names: Names) -> list[BarFigure]:
    """The same with indirect and no or unrelated search as one, which people tell apart least surely."""
    title = "Failure modes, indirect and no search together"
    return _figures(results, names, "failure_modes_merged", title, merged=True)


def _figures(results: Results, names: Names, kind: str, title: str, *, merged: bool) -> list[BarFigure]:
    groups = groups_by_key(results)
    return [
        BarFigure(
            f"{kind}_{category}",
            kind,
            f"{title}, {names.get(category, category)}",
            _WORDS,
            tuple(_bar(row, groups[category, row.head.configuration_id], merged=merged) for row in rows),
            "failures",
        )
        for category, rows in by_category(results.composition)
    ]


def _bar(row: CompositionRow, group: ConfigurationGroup, *, merged: bool) -> Bar:
    behind: dict[Series, list[ResultAnswer]] = {}
    for answer in scored(group.of_kind(ProbeKind.INDIRECT)):
        if not answer.is_correct:
            together = merged and answer.mode in _TOGETHER
            behind.setdefault(INDIRECT_OR_NONE if together else mode_series(answer.mode), []).append(answer)
    # From the bottom up as the modes' rules are tried; the two taken together stand where the first would.
    order = [mode_series(mode) for mode in (*FailureMode, None)]
    order.insert(2, INDIRECT_OR_NONE)
    pieces = tuple(Piece(series, len(behind[series]), ids_of(behind[series])) for series in order if series in behind)
    model, label = label_of(row.head)
    return Bar(model, label.removesuffix(" · shared"), row.title, pieces)
