"""`btc-gui demo`: the whole job on the built-in material, without a window."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from btc_gui import paths
from btc_gui.cli.common import echo_json, json_option, text_progress
from btc_gui.cli.demo_exports import NOTE, DemoTables, write_exports
from btc_gui.cli.demo_project import DemoRun, description, fill_demo_project
from btc_gui.domain.accuracy_table import AccuracyCell
from btc_gui.domain.category import load_categories
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.number_words import decimal
from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.retention import RetentionCount
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import InputError
from btc_gui.exports.files import write_whole
from btc_gui.progress import Progress
from btc_gui.store.database import Database

#: A folder with this file was made by the demo and may be replaced by it.
MARKER = "made-by-btc-gui-demo.txt"
#: Draws a project's pages into a folder; given by the app, since the command line knows no Qt.
TakePictures = Callable[[Path, Path], list[Path]]
_MARKER_TEXT = (
    "This folder was made by `btc-gui demo` and is replaced as a whole when that is run again.\n"
    "Illustrative: the people and dates are real; all model behaviour, results and labels are invented.\n"
)


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What the demo did and where it left it. `seconds` is the time that it took."""

    project: Path
    run: DemoRun
    tables: DemoTables
    seconds: float

    @property
    def folder(self) -> Path:
        """Where everything is."""
        return self.project.parent

    def as_json(self) -> dict[str, object]:
        """The report for a machine."""
        run = self.run
        return {
            "note": NOTE,
            "project": str(self.project),
            "seconds": round(self.seconds, 1),
            "files": [str(file) for file in self.tables.files],
            "loads": [load.as_json() for load in run.loads],
            "reviewed": {str(status): count for status, count in run.reviewed.items()},
            "answers": {str(ending): count for ending, count in run.evaluated.by_ending.items()},
            "judged": run.judged.as_json(),
            "classified": run.classified.as_json(),
            "accuracy": [
                {
                    "category": row.category,
                    "configuration": row.title,
                    "direct": row.direct.accuracy,
                    "indirect": row.indirect.accuracy,
                    "drop": row.drop,
                }
                for row in self.tables.accuracy
            ],
            "studies": [
                {
                    "name": study.study.name,
                    "agreement": study.primary.agreement.as_json(),
                }
                for study in self.tables.studies
            ],
        }

    @property
    def text(self) -> str:
        """The report for a person, as Markdown that reads well in a terminal too."""
        return "\n".join(_report(self)) + "\n"


def build_demo(out: Path, progress: Progress) -> DemoReport:
    """Do the whole job in a new project `out/demo.btc`, and write tables, matrices and a report beside it.

    A folder that an earlier demo made is replaced; one that holds anything else is refused (`InputError`).
    Raises `Cancelled`; what was written by then stays, marked, and is replaced next time.
    """
    began = time.monotonic()
    out = out.resolve()
    _prepare(out)
    about = description()
    categories = load_categories(paths.resources() / "categories")
    with Database.create(out / "demo.btc", str(about["title"])) as database:
        run = fill_demo_project(database, out / "packets", progress)
        tables = write_exports(database, run, about["comparison"], categories, out, progress)
        project = database.path
    report = DemoReport(project, run, tables, time.monotonic() - began)
    write_whole(out / "report.md", report.text.encode())
    return report


def _prepare(out: Path) -> None:
    """An empty folder with the marker in it. Raises `InputError` for one that is not the demo's to replace."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file.", "Name a folder with --out.")
    if out.is_dir() and any(out.iterdir()):
        if not (out / MARKER).is_file():
            raise InputError(
                f"{out} holds files that the demo did not make.", "Name another folder with --out, or empty it."
            )
        try:
            shutil.rmtree(out)
        except OSError as error:
            raise InputError(f"{out} can't be replaced: {error.strerror or error}.") from error
    write_whole(out / MARKER, _MARKER_TEXT.encode())


@click.command("demo")
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="The folder to write (default: exports/demo)."
)
@json_option
@click.pass_obj
def demo_command(take_pictures: TakePictures | None, out: Path | None, as_json: bool) -> None:
    """Do the whole job on the built-in material: load, review, evaluate, judge, classify, compare, validate.

    Takes about a minute and no network. The material is illustrative: its models do not exist.
    """
    report = build_demo(out or paths.exports() / "demo", text_progress("demo"))
    pictures = take_pictures(report.project, report.folder / "pictures") if take_pictures else []
    if as_json:
        echo_json({**report.as_json(), "pictures": [str(picture) for picture in pictures]})
        return
    click.echo(report.text)
    if pictures:
        click.echo(f"{len(pictures)} pictures of the app's pages are in {pictures[0].parent}.")
    click.echo(f"Took {report.seconds:.0f} s. Everything is in {report.folder}.")


# -- the report ----------------------------------------------------------------------------------------------


def _retention_line(count: RetentionCount) -> str:
    return (
        f"Filtered for {count.model}, {count.category}: {count.retained} of {count.filtered} probes retained, "
        f"{count.undecided} undecided"
    )


def _report(report: DemoReport) -> Iterator[str]:
    run, tables = report.run, report.tables
    yield from ("# BlindToChange demo", "", f"*{NOTE}*", "", "## What was done", "")
    yield from (f"* Loaded {_load_line(load.as_json())}" for load in run.loads)
    reviewed = ", ".join(f"{run.reviewed.get(status, 0)} {status}" for status in ReviewStatus)
    yield f"* Reviewed: {reviewed}"
    yield from (f"* {_retention_line(count)}" for count in run.retention)
    drawn = sum(cell.drawn for cell in run.sample.cells)
    yield f"* Sampled {drawn} retained probes (“{run.sample.name}”, seed {run.sample.design.seed})"
    endings = ", ".join(f"{run.evaluated.by_ending.get(ending, 0)} {ending.text}" for ending in Ending)
    yield f"* Evaluated: {run.evaluated.stored} trajectories ({endings})"
    yield f"* Judged {run.judged.judged}, {run.judged.unscored} replies could not be read"
    by_rule = run.classified.by_construction
    yield f"* Classified {run.classified.classified} failures, {by_rule} more had no query and needed no classifier"
    yield from ("", "## Accuracy", "", "Over scored answers, in per cent; n is their number.", "")
    header = ["category", "configuration", "direct (n)", "indirect (n)", "drop", "no answer", "refused", "failed"]
    yield from _table(
        [*header, "unscored"],
        [
            [
                row.category,
                row.title,
                _share(row.direct),
                _share(row.indirect),
                "" if row.drop is None else decimal(row.drop * 100, 1),
                *(
                    str(getattr(row.direct, name) + getattr(row.indirect, name))
                    for name in ("no_answer", "refused", "failed", "unscored")
                ),
            ]
            for row in tables.accuracy
        ],
    )
    yield from ("", "## Why indirect answers failed", "")
    yield from _table(
        ["category", "configuration", "failures", *(mode.text for mode in FailureMode)],
        [
            [row.category, row.title, str(row.total), *(str(row.modes[mode]) for mode in FailureMode)]
            for row in tables.composition
        ],
    )
    for study in tables.studies:
        matrix = study.primary.matrix
        yield from ("", f"## {study.study.name} ({study.mode.text})", "")
        yield from _table(
            [f"{matrix.rows_name} ↓ / {matrix.columns_name} →", *matrix.classes],
            [[name, *map(str, row)] for name, row in zip(matrix.classes, matrix.counts, strict=True)],
        )
        left_out = ", ".join(f"{count} {reason}" for reason, count in matrix.left_out.items())
        yield from ("", *([f"Left out: {left_out}.", ""] if left_out else []))
        for key in ("observed_agreement", "kappa"):
            statistic = study.primary.agreement.find(key)
            if statistic is not None:
                yield f"* {statistic.name}, {statistic.scope}: {statistic.text}"
    yield from ("", "## Files", "", f"* {report.project.name}: the project")
    yield from (f"* {file.relative_to(report.folder).as_posix()}" for file in tables.files)


def _load_line(load: dict[str, object]) -> str:
    rejected = load["rejected"]
    assert isinstance(rejected, list)
    name = Path(str(load["file"])).name
    line = f"{name}: {load['read']} read, {load['new']} new, {load['known']} known, {len(rejected)} rejected"
    reasons = "; ".join(f"line {entry['line']}: {entry['reason']}" for entry in rejected)
    return f"{line} ({reasons})" if reasons else line


def _share(cell: AccuracyCell) -> str:
    return "" if cell.accuracy is None else f"{decimal(cell.accuracy * 100, 1)} ({cell.scored:,})"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table with aligned columns."""
    widths = [max(len(row[place]) for row in (header, *rows)) for place in range(len(header))]
    yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(header, widths, strict=True)) + " |"
    yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
