"""Accuracy by number of queries, for each model at its efforts."""

from __future__ import annotations

from btc_gui.domain.configuration import Harness
from btc_gui.domain.figures.behind import Names, by_category, groups_by_key, scored
from btc_gui.domain.figures.figure import QueryFigure, QueryLine, QueryPanel, QueryPoint, ids_of
from btc_gui.domain.figures.series import effort_series
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.query_table import SMALLEST_DRAWN, QueryRow
from btc_gui.domain.result_rows import ConfigurationGroup, ResultAnswer
from btc_gui.domain.results import Results

#: Where the numbers of queries are known: a provider need not reveal those of its own search.
_COUNTED = frozenset({Harness.SHARED, Harness.OTHER})


def query_figures(results: Results, names: Names) -> list[QueryFigure]:
    """Indirect accuracy by number of queries in the shared harness, by category: a panel for each model."""
    groups = groups_by_key(results)
    figures = []
    for category, rows in by_category(results.queries()):
        panels: dict[tuple[str, str], list[QueryLine]] = {}
        for row in rows:
            if row.head.configuration.harness in _COUNTED:
                line = _line(row, groups[category, row.head.configuration_id])
                panels.setdefault(_panel(row), []).append(line)
        if panels:
            figures.append(
                QueryFigure(
                    f"queries_{category}",
                    "queries",
                    f"Indirect accuracy by number of queries, {names.get(category, category)}",
                    "Over scored indirect answers in the shared harness, with Wilson's 95 % intervals; dashed: all "
                    f"queries together. Groups of {SMALLEST_DRAWN} probes or more have a point; bars: each group's "
                    "share of the probes. Descriptive: the model chose the number after seeing the question.",
                    tuple(QueryPanel(*names, tuple(lines)) for names, lines in panels.items()),
                )
            )
    return figures


def figures_of_model(figure: QueryFigure, model: str) -> list[QueryFigure]:
    """Each panel of one model as a figure alone."""
    return [
        QueryFigure(
            f"{figure.name}_{panel.title}", figure.kind, f"{figure.title}: {panel.title}", figure.words, (panel,)
        )
        for panel in figure.panels
        if panel.model == model
    ]


def _panel(row: QueryRow) -> tuple[str, str]:
    """The model, and the panel's title: the model and what else than the effort tells its configurations apart."""
    configuration = row.head.configuration
    title = row.head.title
    more = title.removeprefix(configuration.title) if title.startswith(configuration.title) else ""
    harness = "" if configuration.harness is Harness.SHARED else f" · {configuration.harness}"
    return configuration.model, f"{configuration.model}{harness}{more}"


def _line(row: QueryRow, group: ConfigurationGroup) -> QueryLine:
    behind: dict[int, list[ResultAnswer]] = {}
    for answer in scored(group.of_kind(ProbeKind.INDIRECT)):
        if answer.queries is not None:
            behind.setdefault(answer.queries, []).append(answer)
    points = tuple(
        QueryPoint(
            *(each.queries, each.accuracy, each.accuracy.interval, each.share, each.is_drawn),
            ids_of(behind[each.queries]),
        )
        for each in row.groups
    )
    return QueryLine(effort_series(row.head.configuration.effort), row.head.title, points, row.overall)
