"""The schema's history, one module a step. Append only: a migration that has been released is never changed.

A step's text says why it was needed. A new step is a new module, named last in `STEPS`; `db/schema.sql` shows the sum.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from btc_gui.store.migrations import (
    m001_project,
    m002_events,
    m003_probes,
    m004_runs,
    m005_verdicts,
    m006_studies,
    m007_case_notes,
    m008_case_text,
    m009_samples,
    m010_logs_of_others,
    m011_dropped_results,
    m012_run_log,
    m013_generations,
)

if TYPE_CHECKING:
    from sqlite_utils import Database as SqliteUtilsDatabase
    from sqlite_utils import Migrations

STEPS: tuple[ModuleType, ...] = (
    m001_project,
    m002_events,
    m003_probes,
    m004_runs,
    m005_verdicts,
    m006_studies,
    m007_case_notes,
    m008_case_text,
    m009_samples,
    m010_logs_of_others,
    m011_dropped_results,
    m012_run_log,
    m013_generations,
)


def migrations() -> Migrations:
    """All steps, for sqlite-utils to apply. Imported here only: sqlite-utils pulls in pandas."""
    from sqlite_utils import Migrations

    history = Migrations("btc_gui")
    for step in STEPS:
        history(name=step.__name__.rpartition(".")[2])(_applying(step.SCRIPT))
    return history


def _applying(script: str) -> Callable[[SqliteUtilsDatabase], None]:
    """Run the statements of `script` one by one: `executescript` would commit the migration's transaction."""

    def apply(db: SqliteUtilsDatabase) -> None:
        statement = ""
        for line in script.splitlines():
            statement += line + "\n"
            if sqlite3.complete_statement(statement):
                db.execute(statement)
                statement = ""

    return apply
