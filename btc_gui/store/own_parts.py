"""Tables, indexes and views that a researcher has added to a project: they stay, as long as nothing in them runs.

pandas' `to_sql` and sqlite-utils write plain tables, and people write views over ours. We never read those. But a
CHECK or an expression in an index would run when the whole file is checked, a reference to one of our tables can
forbid us to delete a row, a trigger runs whenever we write: a part that has one of these is no plain one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from btc_gui.store.outside_file import Part

#: SQLite's words, texts and signs (https://sqlite.org/lang_expr.html); comments and spaces are passed over.
_TOKEN = re.compile(
    r"""(?P<space> \s+ | --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<quoted> "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\] )
    | (?P<text> '(?:[^']|'')*' )
    | (?P<word> [^\W\d][\w$]* )
    | (?P<sign> . )""",
    re.VERBOSE | re.DOTALL,
)
#: What computes in a table; both are words that no name can be without quotes.
_COMPUTES = frozenset({"check", "as"})
#: Functions that are asked like tables: whoever asks for one finds a table or view of its name instead.
_FUNCTION = re.compile(r"json_each|json_tree|pragma_.*", re.DOTALL)
#: The orders of texts that every connection knows; a file with another one can't be checked.
_COLLATIONS = frozenset({"binary", "nocase", "rtrim"})


def own_parts(connection: sqlite3.Connection, strange: Iterable[Part], known: Iterable[Part]) -> frozenset[Part]:
    """Those of the `strange` parts that may stay as a person's own. `known` are ours, whose names they may not have."""
    ours = {part[1].casefold() for part in known}
    named = {(part[0], part[1]): part for part in strange if not _is_taken(part[1].casefold(), ours)}
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    wordy = [(str(kind), str(name), str(table), _words(str(sql))) for kind, name, table, sql in rows]
    wordy = [each for each in wordy if each[:2] in named]
    tables = {table for kind, name, table, words in wordy if kind == "table" and _is_plain_table(name, words, ours)}
    return frozenset(
        named[kind, name]
        for kind, name, table, words in wordy
        if (kind == "table" and name in tables)
        or (kind == "index" and table in tables and _is_plain_index(name, table, words))
        or (kind == "view" and words[:2] == ["create", "view"] and _is(words[2:3], name))
    )


def _is_taken(name: str, ours: set[str]) -> bool:
    return name in ours or _FUNCTION.fullmatch(name) is not None


def _words(statement: str) -> list[str]:
    """The statement's words in lower case; what is quoted begins with its quotation mark, `"` or `'`."""
    found: list[str] = []
    for match in _TOKEN.finditer(statement):
        kind, text = match.lastgroup, match.group()
        if kind == "quoted":
            found.append('"' + text[1:-1].replace(text[-1] * 2, text[-1]).casefold())
        elif kind != "space":
            found.append(text.casefold())
    return found


def _is(words: list[str], name: str) -> bool:
    """Whether this is the one name, quoted or not."""
    return words in ([name.casefold()], ['"' + name.casefold()])


def _is_plain_table(name: str, words: list[str], ours: set[str]) -> bool:
    if words[:2] != ["create", "table"] or not _is(words[2:3], name) or words[3:4] != ["("]:
        return False
    return not _COMPUTES & set(words) and not _after("references", words) & ours and _is_known_order(words)


def _after(word: str, words: list[str]) -> set[str]:
    """What is named after a word, wherever it stands."""
    return {name.strip("\"'") for before, name in pairwise(words) if before == word}


def _is_known_order(words: list[str]) -> bool:
    return _after("collate", words) <= _COLLATIONS


def _is_plain_index(name: str, table: str, words: list[str]) -> bool:
    """Whether its columns are names, in whatever order and collation."""
    words = [words[0], *words[2:]] if words[1:2] == ["unique"] else words
    named = words[:2] == ["create", "index"] and _is(words[2:3], name) and words[3:4] == ["on"]
    if not named or not _is(words[4:5], table) or words[5:6] != ["("] or words[-1] != ")":
        return False
    columns: list[list[str]] = [[]]
    for word in words[6:-1]:
        if word == ",":
            columns.append([])
        else:
            columns[-1].append(word)
    return all(_is_column(column) for column in columns) and _is_known_order(words)


def _is_column(words: list[str]) -> bool:
    if words[-1:] in (["asc"], ["desc"]):
        words = words[:-1]
    if words[1:2] == ["collate"] and len(words) == 3:
        words = words[:1]
    return len(words) == 1 and re.match(r'"|[^\W\d]', words[0]) is not None


@contextmanager
def views_set_aside(connection: sqlite3.Connection, names: Iterable[str]) -> Iterator[None]:
    """Take these views out while tables change under them, and put them back as they were.

    SQLite reads every view when a table is renamed, and stops at one that speaks of what is gone.
    """
    kept = {}
    for name in sorted(names):
        find = "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?"
        kept[name] = connection.execute(find, (name,)).fetchone()[0]
        quoted = name.replace('"', '""')
        connection.execute(f'DROP VIEW "{quoted}"')
    yield
    for statement in kept.values():
        connection.execute(statement)
