"""The index of a folder of documents: one SQLite file with a full-text index of their passages.

The file is made whole under another name and moved into place: readers see the old one or the new one.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

from btc_gui.domain.document import Document, passages, searchable, terms
from btc_gui.domain.trajectory import SearchResult
from btc_gui.store.project_file import plain_errors

#: Raise it when the same files would be indexed in another way: older indexes are made anew.
VERSION = 1
#: How many passages of a document are shown for a query.
_EXCERPTS = 3
#: How many passages are looked at for each result that is wanted.
_DEPTH = 50
#: A word in more than a tenth of the passages is passed over, but not in fewer passages than these.
_FEW_PASSAGES = 1_000

_SCHEMA = """
    CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE document (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        url TEXT NOT NULL,
        published TEXT NOT NULL
    ) STRICT;
    CREATE TABLE passage (
        id INTEGER PRIMARY KEY,
        document_id INTEGER NOT NULL REFERENCES document (id),
        text TEXT NOT NULL
    ) STRICT;
    -- It holds no text of its own: what is indexed is not what is shown (see domain/document.py).
    CREATE VIRTUAL TABLE passage_text USING fts5(
        title, text, content='', tokenize="unicode61 remove_diacritics 0 categories 'L* N* Mn Mc Co So'"
    );
"""


def write_index(path: Path, documents: Iterable[Document], about: dict[str, str]) -> None:
    """Make an index at `path`, replacing the one there. Raises `ProjectError` when it can't be written."""
    partial = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
    with plain_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        try:
            with closing(sqlite3.connect(partial, isolation_level=None)) as connection:
                # A file that is not whole is thrown away: there is nothing to roll back.
                connection.execute("PRAGMA journal_mode = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                connection.executescript(_SCHEMA)
                connection.execute("BEGIN")
                _fill(connection, documents)
                connection.executemany(
                    "INSERT INTO about (key, value) VALUES (?, ?)",
                    [("version", str(VERSION)), *about.items(), *_counts(connection)],
                )
                connection.execute("COMMIT")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def read_about(path: Path) -> dict[str, str]:
    """What was written about an index; empty when there is none, or one that can't be used any more."""
    try:
        with closing(_connect(path)) as connection:
            about = dict(connection.execute("SELECT key, value FROM about").fetchall())
    except sqlite3.Error:
        return {}
    return about if about.get("version") == str(VERSION) else {}


class DocumentIndex:
    """An index, open for searching, from any thread. Use as a context manager, or call `close`.

    Raises `ProjectError` when it can't be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        with plain_errors(path):
            self._connection = _connect(path)
            self._connection.execute("CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, passage_text, row)")
            passages = self._connection.execute("SELECT count(*) FROM passage").fetchone()[0]
        self._common = max(_FEW_PASSAGES, passages // 10)

    def search(self, query: str, wanted: int) -> tuple[SearchResult, ...]:
        """The `wanted` best documents, each with its passages that fit best, the best one first.

        Any word of the query may match; BM25 ranks. A query without a word finds nothing.
        """
        found: dict[int, list[str]] = {}
        with self._lock, plain_errors(self._path):
            for document, text in self._best_passages(query, _DEPTH * wanted):
                if document in found:
                    if len(found[document]) < _EXCERPTS:
                        found[document].append(text)
                elif len(found) < wanted:
                    found[document] = [text]
            return tuple(self._result(document, texts) for document, texts in found.items())

    def _best_passages(self, query: str, limit: int) -> Iterator[tuple[int, str]]:
        match = " OR ".join(f'"{term}"' for term in self._telling(terms(query)))
        if not match:
            return iter(())
        return self._connection.execute(
            """
            SELECT passage.document_id, passage.text
            FROM (
                SELECT rowid, rank FROM passage_text
                WHERE passage_text MATCH ? AND rank MATCH 'bm25(2.0, 1.0)'
                ORDER BY rank LIMIT ?
            ) AS best
            JOIN passage ON passage.id = best.rowid
            ORDER BY best.rank, passage.id
            """,
            (match, limit),
        )

    def _telling(self, words: list[str]) -> list[str]:
        """Without the words that stand nearly everywhere, in whatever language: they cost time and rank nothing.

        Where there are no others, the two least common ones stay.
        """
        frequency = {word: 0 if " " in word else self._frequency(word) for word in words}
        telling = [word for word in words if " " in word or 0 < frequency[word] <= self._common]
        common = sorted((word for word in words if frequency[word] > self._common), key=lambda word: frequency[word])
        return telling or common[:2]

    def _frequency(self, word: str) -> int:
        """In how many passages a word is."""
        row = self._connection.execute("SELECT doc FROM word WHERE term = ?", (word,)).fetchone()
        return row[0] if row else 0

    def _result(self, document: int, excerpts: list[str]) -> SearchResult:
        row = self._connection.execute("SELECT title, url, published FROM document WHERE id = ?", (document,))
        title, url, published = row.fetchone()
        return SearchResult(title, url, published, tuple(excerpts))

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> DocumentIndex:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _fill(connection: sqlite3.Connection, documents: Iterable[Document]) -> None:
    passage = 0
    for number, document in enumerate(documents, 1):
        connection.execute(
            "INSERT INTO document (id, title, url, published) VALUES (?, ?, ?, ?)",
            (number, document.title, document.url, document.published),
        )
        title = searchable(document.title)
        for text in passages(document.text):
            passage += 1
            connection.execute("INSERT INTO passage (id, document_id, text) VALUES (?, ?, ?)", (passage, number, text))
            connection.execute(
                "INSERT INTO passage_text (rowid, title, text) VALUES (?, ?, ?)", (passage, title, searchable(text))
            )
    connection.execute("INSERT INTO passage_text (passage_text) VALUES ('optimize')")


def _counts(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return [
        (f"{table}s", str(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]))
        for table in ("document", "passage")
    ]
