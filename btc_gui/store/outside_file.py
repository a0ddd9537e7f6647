"""A SQLite file from somebody else: opened without trusting it, and only when it is built as ours are.

A trigger, a view or a computed column would run when we read or write, and show or do what its author wants (see
https://sqlite.org/security.html, “Untrusted SQLite Database Files”). Every statement of the schema has to be one of
ours or, in a project, of a part that runs only when somebody asks for it by name (`own_parts`). That is stricter than
`PRAGMA trusted_schema = OFF`, which SQLite up to 3.40 can't combine with `json_valid` in a CHECK, and which lets
harmless functions do harm (a view that shows other labels, a gigabyte of `zeroblob`).
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from btc_gui.domain.outside_text import on_one_line
from btc_gui.errors import BtcError

#: A part of a schema: its type, name and table, and its statement without quotes and spaces, which tools change.
Part = tuple[str, str, str, str]

#: https://sqlite.org/fileformat.html, “The Rollback Journal”.
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
#: What SQLite adds by itself when somebody lets it count.
_OF_SQLITE = frozenset(
    [
        ("table", "sqlite_sequence", "sqlite_sequence", "createtablesqlite_sequence(name,seq)"),
        ("table", "sqlite_stat1", "sqlite_stat1", "createtablesqlite_stat1(tbl,idx,stat)"),
        ("table", "sqlite_stat4", "sqlite_stat4", "createtablesqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
    ]
)


def distrust(connection: sqlite3.Connection) -> None:
    """Look twice at every page, open no second file by this connection, leave the cache that the file names."""
    connection.execute("PRAGMA cell_size_check = ON")
    # It may be as large as the file.
    connection.execute("PRAGMA cache_size = -2000")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)


def parts(connection: sqlite3.Connection) -> frozenset[Part]:
    """What the file is built of. Indexes that SQLite makes for keys have no statement and are left out."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    found = frozenset((str(row[0]), str(row[1]), str(row[2]), _plain(str(row[3]))) for row in rows)
    return found - _OF_SQLITE


def parts_of(scripts: Iterable[str]) -> frozenset[Part]:
    """What a new file is built of after these statements."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in scripts:
            connection.executescript(script)
        return parts(connection)


def fingerprint(found: frozenset[Part]) -> str:
    """SHA-256 of a whole schema."""
    return hashlib.sha256("\n".join("|".join(part) for part in sorted(found)).encode()).hexdigest()


def _plain(statement: str) -> str:
    return "".join(statement.replace('"', "").split()).lower()


# -- what is refused ---------------------------------------------------------------------------------------------


def refuse_strange_company(path: Path, error: type[BtcError]) -> None:
    """Raise `error` when a journal beside the file would make SQLite write to or delete other files.

    A journal of a transaction over several files names another journal, which SQLite opens and deletes. We make none
    like it; nor do we make links.
    """
    for ending in ("-journal", "-wal", "-shm"):
        beside = path.with_name(f"{path.name}{ending}")
        if beside.is_symlink() or (ending == "-journal" and _names_another_file(beside)):
            raise error(
                f"{on_one_line(beside.name)} beside the file names another file, which opening it could change.",
                "Nothing was opened. btc_gui makes no such files: if this came from somebody else, ask for it again.",
            )


def _names_another_file(journal: Path) -> bool:
    try:
        with journal.open("rb") as file:
            file.seek(-len(_JOURNAL_MAGIC), os.SEEK_END)
            return file.read() == _JOURNAL_MAGIC
    except OSError:
        # None there, or one that is shorter.
        return False


def is_plain_table(part: Part) -> bool:
    """Whether it is a table that holds rows and nothing else: reading it runs nothing."""
    kind, _, _, statement = part
    return kind == "table" and statement.startswith("createtable")


def refuse_strange_parts(
    path: Path,
    found: frozenset[Part],
    known: frozenset[Part],
    error: type[BtcError],
    if_own: str = "If they are your own, take them out (DROP …) and keep them in a file of their own.",
) -> None:
    """Raise `error` when the file has a table, index, trigger or view that is not one of ours."""
    strange = sorted(found - known)
    if not strange:
        return
    named = ", ".join(f"{kind} “{on_one_line(name, 40)}”" for kind, name, _, _ in strange[:3])
    more = f" and {len(strange) - 3} more" if len(strange) > 3 else ""
    raise error(
        f"{on_one_line(path.name)} has parts that btc_gui did not make: {named}{more}.",
        "Nothing was changed. Such parts can run when the file is read: don't use it if you don't know who made them. "
        + if_own,
    )
