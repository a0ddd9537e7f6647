"""The command that draws and lists samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any

import click

from btc_gui.cli.common import echo_json, json_option, open_project, project_option
from btc_gui.domain.probe_sample import SAMPLE_SIZE, ProbeSample, SampleCell, SampleDesign
from btc_gui.jobs.sample_probes import draw_sample, sample_probes
from btc_gui.settings import load_settings
from btc_gui.store.retention import RetentionStore
from btc_gui.store.samples import SampleStore


def design_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--size`, `--seed`, `--per-event` and `--common`; the command gets one argument `design`."""

    @wraps(command)
    def with_design(
        *arguments: object, size: int, seed: str, per_event: int, is_common: bool, **others: object
    ) -> object:
        return command(*arguments, design=SampleDesign(seed, size, per_event, is_common), **others)

    options: list[Callable[..., Any]] = [
        click.option(
            "--size", type=click.IntRange(min=1), default=SAMPLE_SIZE, show_default=True, help="For each category."
        ),
        click.option("--seed", default="1", show_default=True, help="What decides the draw: any text."),
        click.option(
            "--per-event",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="At most so many of one event.",
        ),
        click.option("--common", "is_common", is_flag=True, help="Draw from what all the models retain."),
    ]
    for option in reversed(options):
        with_design = option(with_design)
    return with_design


@click.command("sample")
@project_option
@click.option("--name", default="", help="What the sample is called; without a name the samples are listed.")
@click.option("--model", "models", multiple=True, help="A filtered model, more than once for several (default: all).")
@design_options
@click.option("--extends", default="", metavar="SAMPLE", help="Contain this sample.")
@click.option("--dry-run", is_flag=True, help="Only say what would be drawn.")
@json_option
def sample_command(
    project: Path,
    name: str,
    models: tuple[str, ...],
    design: SampleDesign,
    extends: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Draw and freeze a sample: for each model and category retained probes, one for each event."""
    with open_project(project) as database:
        if not name and not dry_run:
            samples = SampleStore(database).all()
            if as_json:
                echo_json({"samples": [_sample_as_json(each) for each in samples]})
            for sample in () if as_json else samples:
                click.echo(
                    f"{sample.name}  (seed {sample.design.seed}, {sample.created_at[:10]}, {sample.sha256[:12]})"
                )
                _print_cells(sample.cells)
            return
        chosen = models or tuple(RetentionStore(database).models())
        if dry_run:
            drawn = draw_sample(database, chosen, design, extends=extends)
            if as_json:
                echo_json({"cells": [_cell_as_json(cell) for cell in drawn.cells], "unpaired": drawn.unpaired})
            else:
                _print_cells(drawn.cells)
                click.echo(f"{drawn.unpaired:,} without a direct probe. Nothing was frozen.")
            return
        sample = sample_probes(database, name, chosen, design, load_settings().reviewer, extends=extends)
        items = SampleStore(database).items(sample.id)
    if as_json:
        echo_json(_sample_as_json(sample))
    else:
        click.echo(f"“{sample.name}” is frozen: {len(items):,} probes, {sample.sha256[:12]}.")
        _print_cells(sample.cells)


def _print_cells(cells: Sequence[SampleCell]) -> None:
    for cell in cells:
        short = f", {cell.shortfall:,} short of {cell.wanted:,}" if cell.shortfall else ""
        lost = f", {cell.lost:,} of the extended sample lost" if cell.lost else ""
        click.echo(f"    {cell.model}, {cell.category}: {cell.drawn:,} probes of {cell.events:,} events{short}{lost}")


def _cell_as_json(cell: SampleCell) -> dict[str, object]:
    return {**asdict(cell), "shortfall": cell.shortfall}


def _sample_as_json(sample: ProbeSample) -> dict[str, object]:
    return {
        "name": sample.name,
        "seed": sample.design.seed,
        "size": sample.design.size,
        "per_event": sample.design.per_event,
        "common": sample.design.is_common,
        "sha256": sample.sha256,
        "cells": [_cell_as_json(cell) for cell in sample.cells],
    }
