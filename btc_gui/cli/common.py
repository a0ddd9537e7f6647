"""What all commands share: options, opening a project, progress in a terminal, machine-readable output."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click

from btc_gui.cli.terminal import ERASE_LINE
from btc_gui.domain.category import Category, installed_categories
from btc_gui.domain.run import RunId
from btc_gui.errors import InputError
from btc_gui.progress import Progress, Report
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore

#: Exit codes: done; done, but some rows or samples were rejected or failed; wrong use or refused.
DONE, DONE_IN_PART, REFUSED = 0, 1, 2

Command = TypeVar("Command", bound=Callable[..., Any])


def project_option(command: Command) -> Command:
    """`-p PROJECT`: the project file to work on."""
    decorate = click.option(
        "-p",
        "--project",
        "project",
        type=click.Path(path_type=Path),
        required=True,
        envvar="BTC_PROJECT",
        help="The project file (or set BTC_PROJECT).",
    )
    return decorate(command)


def json_option(command: Command) -> Command:
    """`--json`: a machine-readable report on standard output, and nothing else there."""
    decorate = click.option("--json", "as_json", is_flag=True, help="Print a machine-readable report and nothing else.")
    return decorate(command)


@contextmanager
def open_project(path: Path) -> Iterator[Database]:
    """The project at `path`, closed afterwards. Raises `ProjectError`."""
    with Database.open(path) as database:
        yield database


def categories() -> dict[str, Category]:
    """All categories, by name."""
    return installed_categories()


def echo_json(value: object) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def text_progress(label: str) -> Progress:
    """Progress for a terminal: one line on standard error, at most four times a second; silent when piped."""
    if not sys.stderr.isatty():
        return Progress()
    last = 0.0

    def reported(report: Report) -> None:
        nonlocal last
        now = time.monotonic()
        is_last = report.total > 0 and report.done >= report.total
        if now - last < 0.25 and not is_last:
            return
        last = now
        count = f"{report.done:,} of {report.total:,}" if report.total else f"{report.done:,}"
        click.echo(f"{ERASE_LINE}{label}: {count}  {report.text[:80]}", nl=is_last, err=True)

    return Progress(reported)


def duration_text(seconds: float) -> str:
    """`40 s`, `12 min`, `2.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"


def find_run(database: Database, wanted: str) -> RunId:
    """The run of this number or name. Raises `InputError` with the runs there are when there is none."""
    store = RunStore(database)
    runs = store.fetch(store.ids())
    for run_id in store.ids():
        if wanted in (str(run_id), runs[run_id].name):
            return run_id
    known = ", ".join(f"{run.id} ({run.name})" for run in runs.values()) or "none"
    raise InputError(f"There is no run “{wanted}” in this project.", f"Its runs: {known}.")


@contextmanager
def cancelled_by_ctrl_c(progress: Progress) -> Iterator[None]:
    """Within this block the first Ctrl+C asks the work to stop in order; the second one is the usual interrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupted(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        progress.cancel()
        click.echo("\nFinishing what is under way (Ctrl+C again stops at once) …", err=True)

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
