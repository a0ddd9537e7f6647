"""btc-gui export figures: every figure of results for print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.common import (
    cancelled_by_ctrl_c,
    categories,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.cli.counted_answers import person_on_record, show_open_option, with_trials_option
from btc_gui.domain.figures.behind import names_within
from btc_gui.domain.figures.catalogue import KINDS, figures_of
from btc_gui.domain.figures.figure import Figure, QueryFigure
from btc_gui.domain.figures.query_figures import figures_of_model
from btc_gui.errors import InputError
from btc_gui.exports.drawing import PICTURES
from btc_gui.exports.figures import WIDTHS, write_figures
from btc_gui.jobs.read_results import read_results
from btc_gui.progress import Progress
from btc_gui.store.database import Database

pictures_option = click.option(
    "--format", "formats", multiple=True, type=click.Choice(PICTURES), help="Only this kind of picture (default: all)."
)


@click.command("figures")
@project_option
@click.option("--out", type=click.Path(path_type=Path), default=None, help="The folder (default: exports).")
@click.option("--only", multiple=True, type=click.Choice([kind.name for kind in KINDS]), help="Only this figure.")
@click.option("--model", "models", multiple=True, help="Also this model's accuracy by number of queries, alone.")
@click.option("--width", type=click.Choice(list(WIDTHS)), default=None, help="3.35 or 7 inches (default: as needed).")
@pictures_option
@click.option("--no-titles", is_flag=True, help="Leave titles out of the pictures: a paper has them in captions.")
@with_trials_option
@show_open_option
@json_option
def export_figures_command(
    project: Path,
    out: Path | None,
    only: tuple[str, ...],
    models: tuple[str, ...],
    width: str | None,
    formats: tuple[str, ...],
    no_titles: bool,
    with_trials: bool,
    show_open: bool,
    as_json: bool,
) -> None:
    """Write every figure of results as SVG, PDF and PNG, with captions for LaTeX and a manifest of hashes.

    The same project gives the same bytes. Figures are as wide as a column of a paper or its page.
    """
    folder = out or paths.exports() / project.stem
    progress = text_progress("export figures")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        files = write_all_figures(
            database,
            folder,
            progress,
            only,
            models,
            formats=formats,
            width=width or "",
            with_titles=not no_titles,
            with_trials=with_trials,
            person=person_on_record(database, show_open),
        )
    if as_json:
        echo_json({"files": [str(file) for file in files]})
    else:
        for file in files:
            click.echo(file)


def write_all_figures(
    database: Database,
    folder: Path,
    progress: Progress,
    only: Sequence[str] = (),
    models: Sequence[str] = (),
    *,
    formats: Sequence[str] = (),
    width: str = "",
    with_titles: bool = True,
    with_trials: bool = False,
    person: str | None = None,
) -> list[Path]:
    """Write the project's figures, all or `only` some kinds, and those of single `models`; `person` is who looks.

    Raises `InputError` when a model has no answers with known queries, or the folder can't be written.
    """
    record = read_results(database, progress, with_trials=with_trials, person=person)
    figures = figures_of(record, names_within({name: each.plural for name, each in categories().items()}), only)
    for model in models:
        figures += _of_model(figures, model)
    if not figures:
        click.echo("note: there is nothing to draw yet.", err=True)
    return write_figures(
        figures,
        folder,
        record.note,
        kinds=formats or PICTURES,
        width=width,
        with_titles=with_titles,
        progress=progress,
    )


def _of_model(figures: Sequence[Figure], model: str) -> list[QueryFigure]:
    drawn = [figure for figure in figures if isinstance(figure, QueryFigure)]
    known = dict.fromkeys(panel.model for figure in drawn for panel in figure.panels)
    if model not in known:
        raise InputError(
            f"There is no figure of “{model}” by number of queries.",
            f"Those with answers are: {', '.join(known)}." if known else "No model of the project has such answers.",
        )
    # A figure of one panel is alone already.
    return [alone for figure in drawn if len(figure.panels) > 1 for alone in figures_of_model(figure, model)]
