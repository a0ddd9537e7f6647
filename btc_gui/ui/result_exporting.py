"""Writes results and reports from the window by their commands, in a process of its own.

Drawing keeps an interpreter busy for seconds, and matplotlib is not made for threads.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from btc_gui.domain.study import StudyId
from btc_gui.errors import InputError
from btc_gui.known_secrets import environment_without_secrets
from btc_gui.progress import Progress
from btc_gui.ui.processes import own_command


def export_results(
    what: str, project: Path, folder: Path, progress: Progress, *, with_trials: bool = False
) -> list[Path]:
    """What “btc-gui export WHAT” writes (figures, or all), also `--with-trials`; gives the files.

    Raises `InputError` when it can't, `Cancelled` too.
    """
    progress.report(0, 0, f"Writing {'figures' if what == 'figures' else 'tables, figures and matrices'}")
    trials = ["--with-trials"] if with_trials else []
    return _written(progress, "export", what, "-p", str(project), "--out", str(folder), "--json", *trials)


def export_report(study: StudyId, project: Path, folder: Path, progress: Progress) -> list[Path]:
    """What “btc-gui study report STUDY --out FOLDER” writes, with its line in the study's log; gives the files.

    Raises `InputError` when it can't, `Cancelled` too.
    """
    progress.report(0, 0, "Writing the report")
    return _written(progress, "study", "report", str(study), "-p", str(project), "--out", str(folder), "--json")


def _written(progress: Progress, *words: str) -> list[Path]:
    with subprocess.Popen(
        own_command(*words),
        stdin=subprocess.DEVNULL,
        env=environment_without_secrets(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        progress.on_cancel(process.terminate)
        told, problems = process.communicate()
    progress.check()
    if process.returncode:
        last = problems.strip().splitlines()[-1:] or ["no reason was given"]
        raise InputError("The results could not be written.", last[0].removeprefix("btc-gui: "))
    return [Path(file) for file in json.loads(told)["files"]]
