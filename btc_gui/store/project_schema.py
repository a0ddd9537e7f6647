"""What a project's file is built of: exactly what the migrations make."""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from pathlib import Path

from btc_gui.errors import ProjectError
from btc_gui.store.migrations import STEPS
from btc_gui.store.outside_file import Part, fingerprint, parts, parts_of, refuse_strange_parts

#: What sqlite-utils notes migrations in, whichever version made it: plain columns, nothing that runs.
_NOTED = re.compile(r"create(table|(unique)?index\w+on)_sqlite_migrations\([a-z_,]+\)")
#: The fingerprint of the newest schema: a project that has it needs no closer look. A test keeps it true.
FINGERPRINT = Path(__file__).parent / "migrations" / "fingerprint.txt"


def refuse_strange_schema(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise `ProjectError` when the project, of that version, has a part that the migrations don't make."""
    found = frozenset(part for part in parts(connection) if not _NOTED.fullmatch(part[3]))
    if version == len(STEPS) and fingerprint(found) == _newest():
        return
    refuse_strange_parts(path, found, known_parts(version), ProjectError)


@cache
def known_parts(version: int) -> frozenset[Part]:
    """What the first `version` steps make. Takes a tenth of a second."""
    return parts_of(step.SCRIPT for step in STEPS[: max(version, 0)])


@cache
def _newest() -> str:
    return FINGERPRINT.read_text(encoding="ascii").strip()
