"""What loading events and loading probes have in common: mapping, short batches, the report, clearing up."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from btc_gui.domain.column_mapping import DEFAULT_OF, LoadSubject, adjust_mapping, guess_mapping, problems_of_mapping
from btc_gui.domain.event_rows import Rejected
from btc_gui.domain.load_preview import Preview, SampleRow
from btc_gui.domain.load_report import LoadReport, NothingLoaded, Rejection
from btc_gui.domain.table_row import BadRow, Row
from btc_gui.errors import InputError
from btc_gui.jobs.read_table import Table
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.loads import Batch, LoadId, LoadStore

Item = TypeVar("Item")
#: A batch holds the write lock for about so long, commit and all: a decision that somebody makes meanwhile is not kept
#: waiting. In processor time: by the clock batches would shrink, and a load take longer still, on a machine that is
#: busy anyway.
_LOCK_SECONDS = 0.020
_SMALLEST, _LARGEST = 50, 1_000
#: A load shows that it is alive at least so often.
_SIGN_OF_LIFE_SECONDS = 2.0
_ROWS_BETWEEN_REPORTS = 100
_CONTENT = 300
_SHOWN = 20


def settle_mapping(
    database: Database, subject: LoadSubject, table: Table, changes: Mapping[str, str] | None
) -> tuple[dict[str, str], str]:
    """How the table's columns are read, and whether that is `given`, `remembered` or `guessed`.

    Raises `InputError` for changes that name no fact or no column.
    """
    remembered = LoadStore(database).remembered_mapping(subject, table.columns)
    mapping = _guess(subject, table) if remembered is None else remembered
    origin = "guessed" if remembered is None else "remembered"
    if changes:
        mapping, origin = adjust_mapping(subject, mapping, changes, table.columns), "given"
    return mapping, origin


def _guess(subject: LoadSubject, table: Table) -> dict[str, str]:
    return guess_mapping(subject, table.columns, [row.values for row in table.sample() if isinstance(row, Row)])


def _to_remember(subject: LoadSubject, table: Table, mapping: dict[str, str]) -> dict[str, str]:
    # A default for all rows is for one file only: the next one with such columns is read by its own column.
    guessed = _guess(subject, table)
    return {**{fact: guessed[fact] for fact in DEFAULT_OF.values() if fact in guessed}, **mapping}


def look(
    table: Table,
    subject: LoadSubject,
    mapping: tuple[dict[str, str], str],
    defaults: Mapping[str, str],
    read: Callable[[Row], dict[str, str]],
) -> Preview:
    """The first rows of a table as they would be read. `read` gives a row's facts or raises `Rejected`."""
    problems = problems_of_mapping(subject, mapping[0], table.columns, defaults)
    sample = []
    for row in table.sample(_SHOWN):
        facts: dict[str, str] = {}
        reason = ""
        cells: dict[str, str] = {}
        if isinstance(row, BadRow):
            reason = row.reason
        else:
            cells = row.values
            try:
                facts = {} if problems else read(row)
            except Rejected as error:
                reason = str(error)
        sample.append(SampleRow(row.line, cells, facts, reason))
    return Preview(
        file=str(table.file.path),
        format=table.format,
        columns=table.columns,
        mapping=mapping[0],
        origin=mapping[1],
        sample=tuple(sample),
        problems=tuple(problems),
    )


def refuse_unclear_mapping(
    subject: LoadSubject, table: Table, mapping: Mapping[str, str], defaults: Mapping[str, str]
) -> None:
    """Raise `InputError` when the mapping is not enough to read rows by."""
    problems = problems_of_mapping(subject, mapping, table.columns, defaults)
    if problems and not table.columns:
        bad = next((row for row in table.sample(1) if isinstance(row, BadRow)), None)
        found = f" Line {bad.line}: {bad.reason}." if bad else ""
        raise InputError(f"{table.name} holds no rows that can be read.{found}", "Nothing was loaded.")
    if problems:
        raise InputError(
            f"{table.name}: {'; '.join(problems)}. Its columns: {', '.join(table.columns)[:300]}.",
            f"Say which column is what with --map fact=column, or give --{DEFAULT_OF[subject]} for all rows.",
        )


class RowLoader(Generic[Item]):
    """Takes the rows of one table into a project.

    `read` gives the item of a row, or None when it is known already, and raises `Rejected`; `store` writes items
    within a batch; `smallest` is the fewest of them that are worth one.
    """

    def __init__(
        self,
        database: Database,
        subject: LoadSubject,
        table: Table,
        mapping: dict[str, str],
        read: Callable[[Row], Item | None],
        store: Callable[[Batch, Sequence[Item], LoadId], None],
        *,
        smallest: int = _SMALLEST,
    ) -> None:
        self._loads = LoadStore(database)
        self._subject = subject
        self._table = table
        self._mapping = mapping
        self._read = read
        self._store = store
        self._items: list[Item] = []
        self._rejected: list[Rejection] = []
        self._kept_rejections = 0
        self._counts = {"read": 0, "new": 0, "known": 0}
        self._size = self._smallest = smallest
        self._sign_of_life = time.monotonic()

    def load(self, load_id: LoadId, progress: Progress) -> LoadReport:
        """Take all rows. Whatever ends it early (a cancel, an error), nothing stays behind.

        Raises `NothingLoaded` when not one row can be taken, `InputError`, `ProjectError` and `Cancelled`.
        """
        try:
            for row in self._table.rows():
                self._take(row)
                if self._is_time_to_write():
                    self._write(load_id)
                if self._counts["read"] % _ROWS_BETWEEN_REPORTS == 0:
                    progress.report(self._table.done, self._table.file.size, self._table.name)
            while self._items or self._kept_rejections < len(self._rejected):
                self._write(load_id)
            progress.check()
            report = self._report()
            self._loads.complete(load_id, report)
        except BaseException:
            self._loads.discard(load_id)
            raise
        kept = _to_remember(self._subject, self._table, self._mapping)
        self._loads.remember_mapping(self._subject, self._table.columns, kept)
        progress.tell(self._table.file.size, self._table.file.size, self._table.name)
        return report

    def _take(self, row: Row | BadRow) -> None:
        self._counts["read"] += 1
        if isinstance(row, BadRow):
            self._rejected.append(Rejection(row.line, row.reason, row.content[:_CONTENT]))
            return
        try:
            item = self._read(row)
        except Rejected as error:
            content = ", ".join(value for value in row.values.values() if value)
            self._rejected.append(Rejection(row.line, str(error), content[:_CONTENT]))
            return
        if item is None:
            self._counts["known"] += 1
        else:
            self._items.append(item)

    def _is_time_to_write(self) -> bool:
        waiting = len(self._items) + len(self._rejected) - self._kept_rejections
        return waiting >= self._size or time.monotonic() - self._sign_of_life > _SIGN_OF_LIFE_SECONDS

    def _write(self, load_id: LoadId) -> None:
        batch, self._items = self._items[: self._size], self._items[self._size :]
        rejections = self._rejected[self._kept_rejections : self._kept_rejections + self._size]
        with self._loads.batch(load_id) as connection:
            started = time.thread_time()
            if batch:
                self._store(connection, batch, load_id)
            self._loads.reject(connection, load_id, rejections)
        taken = time.thread_time() - started
        self._counts["new"] += len(batch)
        self._kept_rejections += len(rejections)
        self._sign_of_life = time.monotonic()
        self._size = max(self._smallest, min(_LARGEST, int(self._size * min(2.0, _LOCK_SECONDS / max(taken, 1e-4)))))

    def _report(self) -> LoadReport:
        name = str(self._table.file.path)
        if not self._counts["read"]:
            raise InputError(f"{self._table.name} holds no rows.", "Nothing was loaded. Choose a file that holds rows.")
        report = LoadReport(name, **self._counts, rejected=tuple(self._rejected))
        if len(self._rejected) == report.read:
            raise NothingLoaded(report)
        return report
