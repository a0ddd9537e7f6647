"""The schema's history, one module a step. Append only: a migration that has been released is never changed.

A step's text says why it was needed. A new step is a new module, named last in `STEPS`; `db/schema.sql` shows the sum.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlite_utils import Database as SqliteUtilsDatabase
    from sqlite_utils import Migrations

STEPS: Final = (
    "m001_project",
    "m002_events",
    "m003_probes",
    "m004_runs",
    "m005_verdicts",
    "m006_studies",
    "m007_case_notes",
    "m008_case_text",
    "m009_samples",
    "m010_logs_of_others",
    "m011_dropped_results",
    "m012_run_log",
    "m013_generations",
    "m014_vetting",
    "m015_lint",
    "m016_collections",
    "m017_lean_runs",
    "m018_releases",
    "m019_opinions",
    "m020_lint_counter",
    "m021_study_layers",
    "m022_generation_claims",
    "m023_dismissed_generations",
    "m024_one_word_for_a_rule",
    "m025_case_tags",
    "m026_case_words",
    "m027_views",
    "m028_note_views",
    "m029_decision_indices",
)


def step(name: str) -> ModuleType:
    """A step by its name. Loaded when it is asked for: an up-to-date project needs none."""
    return import_module(f"{__name__}.{name}")


def migrations() -> Migrations:
    """All steps, for sqlite-utils to apply. Imported here only: sqlite-utils pulls in pandas."""
    from sqlite_utils import Migrations

    history = Migrations("btc_gui")
    for name in STEPS:
        history(name=name)(_applying(step(name)))
    return history


def _applying(module: ModuleType) -> Callable[[SqliteUtilsDatabase], None]:
    """Run a step's statements one by one (`executescript` would commit the migration's transaction), then its `fill`.

    A step has a function `fill` when rows that exist need what SQL alone can't work out.
    """
    fill: Callable[[SqliteUtilsDatabase], None] | None = getattr(module, "fill", None)

    def apply(db: SqliteUtilsDatabase) -> None:
        statement = ""
        for line in module.SCRIPT.splitlines():
            statement += line + "\n"
            if sqlite3.complete_statement(statement):
                db.execute(statement)
                statement = ""
        if fill is not None:
            fill(db)

    return apply
