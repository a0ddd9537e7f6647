"""A project as a file: what is refused before it is opened, whole copies, and errors of files in words."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from btc_gui.errors import ProjectError
from btc_gui.store.open_files import beginning, in_use
from btc_gui.store.outside_file import refuse_strange_company

#: Marks a SQLite file as a project of this app ("BTCg").
APPLICATION_ID = 0x42544367
#: A copy leaves so much of the disk free.
_SPARE_BYTES = 10_000_000
_COPY_FIRST = "Copy it to a folder where you can write (btc-gui copy FILE TARGET), and open the copy."


# -- errors in words ---------------------------------------------------------------------------------------------


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's and the file system's errors about `path` into a `ProjectError` with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise plain_error(path, error) from error
    except UnicodeDecodeError as error:
        # SQLite names what is wrong in a damaged schema, and the name is damaged as well.
        raise plain_error(path, sqlite3.DatabaseError("malformed")) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise ProjectError(f"There is no space left for {path.name}.", "Free some space and try again.") from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ProjectError(
                f"{path} can't be written: its folder or file is read-only.", "Choose another place."
            ) from error
        raise ProjectError(f"{path} can't be used: {error.strerror or error}.") from error


def in_words(path: Path, error: BaseException) -> BaseException:
    """An error that SQLite met in a SELECT (a lock, a damaged page, a table gone) as a `ProjectError`; others as is."""
    # Exactly these two come from the file's state; their subclasses (a broken constraint, wrong use) are ours.
    if type(error) in (sqlite3.DatabaseError, sqlite3.OperationalError):
        assert isinstance(error, sqlite3.Error)
        return plain_error(path, error)
    return error


def plain_error(path: Path, error: sqlite3.Error) -> ProjectError:
    """An error that SQLite met in `path`, with a remedy."""
    text = str(error).lower()
    if "locked" in text or "busy" in text:
        return ProjectError(
            f"{path.name} is locked by another program.",
            "Nothing was changed. Close the other program, or wait until it has finished, and try again.",
        )
    if "interrupted" in text:
        return ProjectError(f"{path.name} was closed meanwhile.", "Open it again.")
    if "full" in text:
        return ProjectError(f"There is no space left for {path.name}.", "Free some space and try again.")
    if getattr(error, "sqlite_errorname", "") == "SQLITE_READONLY_DBMOVED":
        return moved_error(path)
    if "readonly" in text or "read-only" in text:
        return ProjectError(f"{path} is read-only.", "Copy it to a folder where you can write, and open the copy.")
    if "not a database" in text:
        return no_project(path)
    if "malformed" in text or "corrupt" in text or "could not decode" in text:
        return ProjectError(
            f"{path.name} is damaged ({error}).",
            "Nothing was changed. Go back to a copy, or recover what can be read with “sqlite3 FILE .recover”.",
        )
    if "unable to open" in text:
        return ProjectError(f"{path} can't be opened.", "Check that the file and its folder exist and can be written.")
    if "disk i/o" in text:
        return ProjectError(
            f"The disk of {path.name} reports an error.",
            "What was saved before is kept. See that the disk is there and has room, and try again.",
        )
    return ProjectError(f"{path.name} can't be used: {error}.")


def moved_error(path: Path) -> ProjectError:
    """The file was moved, deleted or replaced while it was open: what is written now would be found by nobody."""
    return ProjectError(
        f"{path.name} is no longer at its place: it was moved, deleted or replaced while it was open.",
        f"Nothing more is written to it. Put it back as {path}, with the files beside it, or copy the project from "
        "here.",
    )


def lost_log_error(path: Path) -> ProjectError:
    """The log that a change was written to was taken away at that moment."""
    return ProjectError(
        f"Another program took the log of {path.name} away while it was written to: the last change may be missing.",
        "Look whether it is there, and do it once more if it is not.",
    )


def lacks_last_changes(path: Path) -> ProjectError:
    """What is to be known of a file without its write-ahead log (see `lacks_wal`)."""
    return ProjectError(
        f"{path.name} may lack what was saved last: the “…-wal” that belongs beside it is not there.",
        "If it is a copy that was made while the project was open, compare it with the original: “btc-gui copy” makes "
        "whole ones. If another program, such as a database browser, had the project open last, nothing is missing.",
    )


def absolute(path: Path) -> Path:
    """Where `path` leads. Raises `ProjectError` for a name that is not UTF-8 and for a link to itself."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise ProjectError(f"The name {str(path)!a} is not UTF-8.", "Choose another name.") from error
    with plain_errors(path):
        try:
            return path.resolve()
        except RuntimeError as error:
            raise ProjectError(f"{path} is a link that leads back to itself.", "Choose a file.") from error


def no_project(path: Path) -> ProjectError:
    """The refusal of a file that is no project: what it may be instead, and where that is opened."""
    kind, remedy = path.suffix.lower(), "Choose a project file (.btc)."
    if kind == ".btcp":
        remedy = (
            "It looks like a packet: “btc-gui packet FILE” opens it, or “Open a packet for labelling…” on Validation."
        )
    elif kind in (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".eval"):
        remedy = "Make or open a project (.btc) and import this file there: File menu, or “btc-gui load”."
    return ProjectError(f"{path.name} is not a btc_gui project.", remedy)


# -- before it is opened -----------------------------------------------------------------------------------------


def refuse_what_is_no_project(path: Path) -> None:
    """Raise `ProjectError` for what is missing, a folder, or no SQLite file, and for one with a journal of another."""
    if not path.exists():
        raise ProjectError(
            f"There is no file {path}.", "If it was moved or renamed, open it where it is now. Else make a new project."
        )
    if path.is_dir():
        raise ProjectError(f"{path} is a folder, not a project file.", "Choose a project file (.btc).")
    if beginning(path, 16) != b"SQLite format 3\x00":
        raise no_project(path)
    _refuse_foreign_wal(path)


def _refuse_foreign_wal(path: Path) -> None:
    """A write-ahead log beside a file that was closed in order is another file's: a copy was put in its place.

    SQLite would write the pages of that other file over those of this one, and say nothing. The file itself says in
    its header whether it has a log. Looked at a few times: a window that just opens or closes it changes both.
    """
    log = path.with_name(f"{path.name}-wal")
    for again in range(4):
        if _has_wal(path) or not log.exists() or not log.stat().st_size:
            return
        time.sleep(0.02 * again)
    raise ProjectError(
        f"{log.name} beside {path.name} belongs to another state of this project: opening the two together would mix "
        "them.",
        f"Nothing was changed. If you put {path.name} there from a copy, move {log.name} away (keep it until you have "
        "looked), and open the project again.",
    )


def lacks_wal(path: Path) -> bool:
    """Whether the file says that a write-ahead log belongs to it, and there is none.

    So it is with a copy that was made by hand while the project was open, which lacks what was saved last. So it is,
    too, with a whole project that another program closed last: btc_gui turns the log off, others just empty it.
    """
    return _has_wal(path) and not path.with_name(f"{path.name}-wal").exists()


def _has_wal(path: Path) -> bool:
    """Whether the header asks for a write-ahead log: https://sqlite.org/fileformat.html, bytes 18 and 19."""
    return beginning(path, 20)[18:] == b"\x02\x02"


def refuse_what_is_read_only(path: Path) -> None:
    """Raise `ProjectError` when the file or its folder can't be written."""
    writable = os.access(path, os.W_OK) and path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if not writable or not os.access(path.parent, os.W_OK):
        raise ProjectError(f"{path} is read-only.", _COPY_FIRST)


# -- whole copies ------------------------------------------------------------------------------------------------


def copy_project(path: Path, target: Path) -> Path:
    """Copy a project without opening it for writing: also one that is read-only, or of an older version.

    Never overwrites. Raises `ProjectError` as `Database.open` and `Database.copy` do.
    """
    path = absolute(path)
    with plain_errors(path), in_use(path):
        refuse_strange_company(path, ProjectError)
        refuse_what_is_no_project(path)
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as connection:
            connection.execute("PRAGMA busy_timeout = 5000")
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise no_project(path)
            return copy_to(connection, target)


def copy_to(connection: sqlite3.Connection, target: Path, *, spare: int = 0) -> Path:
    """Write all of a project to `target`, whole or not at all, and never over something; `spare` bytes are left too.

    Raises `ProjectError` when `target` exists, has no room or can't be written.
    """
    target = absolute(target)
    with plain_errors(target):
        if target.exists():
            raise ProjectError(f"{target} exists already.", "Choose another name.")
        target.parent.mkdir(parents=True, exist_ok=True)
        # Asked of the connection: the file may be gone from its place by now.
        pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        _refuse_too_little_space(target.parent, pages * size + spare)
        partial = target.with_name(f".{target.name}.partial")
        leftovers = (partial, partial.with_name(f"{partial.name}-journal"))
        for each in leftovers:
            each.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(partial, isolation_level=None)) as copy:
                connection.backup(copy)
                # One plain file, also when the original has a write-ahead log.
                copy.execute("PRAGMA journal_mode = DELETE")
            os.replace(partial, target)
        finally:
            for each in leftovers:
                each.unlink(missing_ok=True)
    return target


def _refuse_too_little_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE_BYTES:
        raise ProjectError(
            f"There is not enough space in {folder}: {needed / 1e6:.0f} MB needed, {free / 1e6:.0f} MB free.",
            "Free some space or choose another place.",
        )
