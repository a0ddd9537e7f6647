"""What a project's file is built of: what the migrations make, and plain parts that people have added."""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from pathlib import Path

from btc_gui.errors import ProjectError
from btc_gui.store.migrations import STEPS, step
from btc_gui.store.outside_file import Part, fingerprint, parts, parts_of, refuse_strange_parts

#: What sqlite-utils notes migrations in, whichever version made it: plain columns, nothing that runs.
_NOTED = re.compile(r"create(table|(unique)?index\w+on)_sqlite_migrations\([a-z_,]+\)")
_IF_OWN = (
    "If they are your own: plain tables, indexes on them and views may stay, but no trigger, check, computed column or "
    "reference to a table of btc_gui, nothing on its tables, and no name that it uses. Take such parts out (DROP …), "
    "or keep them in a file of their own."
)
#: The fingerprint of the newest schema: a project that has it needs no closer look. A test keeps it true.
FINGERPRINT = Path(__file__).parent / "migrations" / "fingerprint.txt"


def refuse_strange_schema(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise `ProjectError` when the project, of that version, has a part that neither we make nor people may add."""
    found = _found(connection)
    if version == len(STEPS) and fingerprint(found) == _newest():
        return
    known = known_parts(version)
    refuse_strange_parts(path, found - _added(connection, found, known), known, ProjectError, _IF_OWN)


def added_parts(connection: sqlite3.Connection, version: int = len(STEPS)) -> list[Part]:
    """The tables, indexes and views that people have added to a project of that version, which we leave alone."""
    found = _found(connection)
    if version == len(STEPS) and fingerprint(found) == _newest():
        return []
    return sorted(_added(connection, found, known_parts(version)))


def _found(connection: sqlite3.Connection) -> frozenset[Part]:
    return frozenset(part for part in parts(connection) if not _NOTED.fullmatch(part[3]))


def _added(connection: sqlite3.Connection, found: frozenset[Part], known: frozenset[Part]) -> frozenset[Part]:
    # Most projects have none.
    from btc_gui.store.own_parts import own_parts

    # Names that a newer version gives are taken as well: an older project will be brought up to date.
    return own_parts(connection, found - known, known | known_parts(len(STEPS)))


@cache
def known_parts(version: int) -> frozenset[Part]:
    """What the first `version` steps make. Takes a tenth of a second."""
    return parts_of(step(name).SCRIPT for name in STEPS[: max(version, 0)])


@cache
def _newest() -> str:
    return FINGERPRINT.read_text(encoding="ascii").strip()
