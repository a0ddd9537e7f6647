"""Commands that load files into a project: load events, load probes, load decisions, load logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import click

from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    REFUSED,
    cancelled_by_ctrl_c,
    categories,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.column_mapping import LoadSubject, facts_of
from btc_gui.domain.load_preview import Preview
from btc_gui.domain.load_report import LoadReport, NothingLoaded, Rejection
from btc_gui.errors import InputError
from btc_gui.jobs.load_answers import load_answers, preview_answers
from btc_gui.jobs.load_decisions import load_decisions
from btc_gui.jobs.load_events import load_events, preview_events
from btc_gui.jobs.load_logs import LogOutcome, load_logs
from btc_gui.jobs.load_probes import load_probes, preview_probes
from btc_gui.jobs.load_release import load_release
from btc_gui.progress import Progress
from btc_gui.settings import load_settings

_LISTED = 20
_Look = Callable[[Path], Preview]
_Load = Callable[[Path, Progress], LoadReport]


@click.group("load")
def load_command() -> None:
    """Load events, probes, decisions and answers from CSV, JSON lines or JSON arrays; answers from logs as well.

    The columns of tables are guessed, and remembered for the next file with the same ones; --show-mapping shows what is
    taken for what, --map fact=column changes it. Exit codes: 0 all rows taken or known, 1 some rejected, 2 a
    file was refused.
    """


def _map_option(subject: LoadSubject) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--map",
        "changes",
        multiple=True,
        metavar="FACT=COLUMN",
        help=f"Take this fact from this column (FACT= from none). Facts: {', '.join(facts_of(subject))}.",
    )


_files = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
_show_mapping = click.option("--show-mapping", is_flag=True, help="Only show how the file would be read; load nothing.")


@load_command.command("events")
@_files
@project_option
@_map_option(LoadSubject.EVENTS)
@click.option("--category", default="", help="The category of rows that name none.")
@_show_mapping
@json_option
@click.pass_context
def load_events_command(
    context: click.Context,
    files: tuple[Path, ...],
    project: Path,
    changes: tuple[str, ...],
    category: str,
    show_mapping: bool,
    as_json: bool,
) -> None:
    """Load events. Rows about events that are known change nothing."""
    mapping = _changes(changes)
    known = categories()
    if category and category not in known:
        raise InputError(f"There is no category “{category}”.", f"Categories: {', '.join(sorted(known))}.")
    author = load_settings().reviewer
    with open_project(project) as database:
        look = partial(preview_events, database=database, categories=known, mapping=mapping, default_category=category)

        def load(path: Path, progress: Progress) -> LoadReport:
            return load_events(
                database, path, known, progress, mapping=mapping, author=author, default_category=category
            )

        context.exit(_show(files, look, as_json) if show_mapping else _load(files, load, as_json))


@load_command.command("probes")
@_files
@project_option
@_map_option(LoadSubject.PROBES)
@click.option(
    "--kind", type=click.Choice(["direct", "indirect"]), default=None, help="The kind of rows that name none."
)
@_show_mapping
@json_option
@click.pass_context
def load_probes_command(
    context: click.Context,
    files: tuple[Path, ...],
    project: Path,
    changes: tuple[str, ...],
    kind: str | None,
    show_mapping: bool,
    as_json: bool,
) -> None:
    """Load probes, each attached to the event that its row names by QID, article, name or number."""
    mapping = _changes(changes)
    author = load_settings().reviewer
    with open_project(project) as database:
        look = partial(preview_probes, database=database, mapping=mapping, default_kind=kind or "")

        def load(path: Path, progress: Progress) -> LoadReport:
            return load_probes(database, path, progress, mapping=mapping, author=author, default_kind=kind or "")

        context.exit(_show(files, look, as_json) if show_mapping else _load(files, load, as_json))


@load_command.command("answers")
@_files
@project_option
@_map_option(LoadSubject.ANSWERS)
@click.option("--model", default="", help="The model of rows that name none.")
@click.option("--run", default="", metavar="NAME", help="The run that the answers belong to (default: like the file).")
@_show_mapping
@json_option
@click.pass_context
def load_answers_command(
    context: click.Context,
    files: tuple[Path, ...],
    project: Path,
    changes: tuple[str, ...],
    model: str,
    run: str,
    show_mapping: bool,
    as_json: bool,
) -> None:
    """Load answers of your own agent, each attached to the probe that its row names by key, number or text.

    A row may hold the steps (reasoning, queries with their results) as a JSON list. They make a run of their own,
    which is judged, classified, read and counted like any other. Loading again changes nothing.
    """
    mapping = _changes(changes)
    author = load_settings().reviewer
    with open_project(project) as database:
        look = partial(preview_answers, database=database, mapping=mapping, default_model=model, run=run)

        def load(path: Path, progress: Progress) -> LoadReport:
            return load_answers(database, path, progress, mapping=mapping, author=author, default_model=model, run=run)

        context.exit(_show(files, look, as_json) if show_mapping else _load(files, load, as_json))


@load_command.command("decisions")
@_files
@project_option
@click.option("--reviewer", default="", help="Who decided (default: the reviewer of the settings).")
@json_option
@click.pass_context
def load_decisions_command(
    context: click.Context, files: tuple[Path, ...], project: Path, reviewer: str, as_json: bool
) -> None:
    """Load a curator's decisions on probes: review without a window. “btc-gui probes” lists the probes' ids.

    Columns: probe (its id) and action (accept, reject, edit, defer, flag, unflag, note); reasons of a rejection (codes,
    joined by “|”), note (needed by the reason “other”), and text for an edit. Each row becomes a decision of the
    reviewer that Undo can take back.
    """
    reviewer = reviewer.strip() or load_settings().reviewer
    with open_project(project) as database:

        def load(path: Path, progress: Progress) -> LoadReport:
            return load_decisions(database, path, reviewer, progress)

        context.exit(_load(files, load, as_json))


@load_command.command("release")
@click.argument("folder", type=click.Path(path_type=Path))
@project_option
@json_option
def load_release_command(folder: Path, project: Path, as_json: bool) -> None:
    """Restore a release (its FOLDER, or its file of pairs) in an empty project: events, probes and approvals."""
    progress = text_progress("load release")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        release = load_release(database, folder, progress, author=load_settings().reviewer)
    if as_json:
        echo_json({"name": release.name, "pairs": release.pairs, "by_category": dict(release.counts)})
    else:
        click.echo(f"“{release.name}” is restored: {release.pairs:,} pairs.")


@load_command.command("logs")
@click.argument("places", nargs=-1, required=True, metavar="FILE|FOLDER|ADDRESS…")
@project_option
@json_option
@click.pass_context
def load_logs_command(context: click.Context, places: tuple[str, ...], project: Path, as_json: bool) -> None:
    """Load Inspect logs (.eval, .json): every sample becomes an answer with all of its steps, once.

    Samples of our own runs attach to their probes; those of others appear in the cases too. Folders are read with
    those below them; an address is anything that fsspec knows, such as s3://bucket/logs. Ctrl+C stops in order;
    load again to go on. Exit codes: 0 all read or known, 1 some samples rejected or files refused, 2 nothing
    could be read.
    """
    progress = text_progress("load logs")
    with open_project(project) as database, cancelled_by_ctrl_c(progress):
        outcomes = load_logs(database, places, progress, author=load_settings().reviewer)
    if as_json:
        echo_json({"files": [outcome.as_json() for outcome in outcomes]})
    else:
        for outcome in outcomes:
            _print_log(outcome)
    refused = [outcome for outcome in outcomes if outcome.refused]
    if len(refused) == len(outcomes):
        context.exit(REFUSED)
    context.exit(DONE_IN_PART if refused or any(each.report.rejected for each in outcomes) else DONE)


def _print_log(outcome: LogOutcome) -> None:
    report = outcome.report
    if outcome.refused:
        click.echo(f"{report.file}: refused: {outcome.refused}.")
        return
    click.echo(f"{report.text} ({outcome.attached:,} attached to probes)")
    for rejection in report.rejected[:_LISTED]:
        click.echo(f"  {rejection.content}: {rejection.reason}")
    if len(report.rejected) > _LISTED:
        click.echo(f"  … {len(report.rejected) - _LISTED:,} more; --json lists all.")


def _changes(options: tuple[str, ...]) -> Mapping[str, str]:
    changes = {}
    for option in options:
        fact, sign, column = option.partition("=")
        if not sign:
            raise InputError(
                f"“--map {option}” names no column.", "Write --map fact=column, such as --map entity=name."
            )
        changes[fact.strip()] = column.strip()
    return changes


def _load(files: tuple[Path, ...], load: _Load, as_json: bool) -> int:
    """Load file by file: one that is refused does not keep the others out."""
    reports: list[LoadReport] = []
    code = DONE
    for path in files:
        try:
            report = load(path, text_progress(path.name))
        except NothingLoaded as error:
            report, code = error.report, REFUSED
            click.echo(str(error), err=True)
        except InputError as error:
            report, code = LoadReport(str(path), 0, 0, 0, (Rejection(0, str(error)),)), REFUSED
            click.echo(str(error), err=True)
            reports.append(report)
            continue
        reports.append(report)
        if not as_json:
            _print(report)
        if report.rejected and code == DONE:
            code = DONE_IN_PART
    if as_json:
        echo_json({"files": [report.as_json() for report in reports]})
    return code


def _print(report: LoadReport) -> None:
    click.echo(report.text)
    if len(report.rejected) > _LISTED:
        for reason, count in report.kinds_of_rejection():
            click.echo(f"  {count:>7,}  {reason}")
    for rejection in report.rejected[:_LISTED]:
        click.echo(f"  line {rejection.line}: {rejection.reason}")
    if len(report.rejected) > _LISTED:
        click.echo(f"  … {len(report.rejected) - _LISTED:,} more; --json lists all.")


def _show(files: tuple[Path, ...], look: _Look, as_json: bool) -> int:
    previews = [look(path) for path in files]
    if as_json:
        echo_json({"files": [preview.as_json() for preview in previews]})
        return DONE
    for preview in previews:
        click.echo(f"{preview.file}: {preview.format}, {len(preview.columns)} columns, mapping {preview.origin}")
        for fact, column in preview.mapping.items():
            click.echo(f"  {fact:<13} {column}")
        unused = [column for column in preview.columns if column not in preview.mapping.values()]
        if unused:
            click.echo(f"  not read: {', '.join(unused)}")
        for problem in preview.problems:
            click.echo(f"  missing: {problem}")
        for row in preview.sample[:5]:
            facts = "; ".join(f"{fact} {text[:40]}" for fact, text in row.facts.items())
            click.echo(f"  line {row.line}: {f'rejected: {row.reason}' if row.reason else facts}")
    return DONE
