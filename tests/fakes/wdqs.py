"""A query service on the loopback: gives the rows of a small world to the queries of the categories.

`python -m tests.fakes.wdqs --port 8801` starts one by hand, with the invented people of `tests.fakes.world`. Point
the app at it with WDQS_BASE_URL=http://127.0.0.1:8801/sparql.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from tests.fakes.service_faults import FAULTS, FAULTS_HELP, Asked, FaultyServer, Given

Row = Mapping[str, Mapping[str, str]]
_SELECT = re.compile(r"^\s*SELECT\s+(?:DISTINCT\s+)?((?:\?\w+\s+)+)", re.MULTILINE)
_RANGE = re.compile(r'"(\d{4}-\d\d-\d\d)T00:00:00Z"')
_VALUES = re.compile(r"VALUES\s+\?(\w+)\s*\{([^}]*)\}")
_RESULTS = "application/sparql-results+json"


@dataclass
class Table:
    """The rows that a query asks for: recognised by its columns. `date` is the column that slices look at."""

    columns: tuple[str, ...]
    rows: Sequence[Row]
    date: str = ""


@dataclass
class QueryWorld:
    """All tables, and how the service behaves. `slow_days` time out unless asked without OPTIONALs; stretches longer
    than `longest_days`, batches larger than `largest_batch` and those with one of `slow_ids` time out too."""

    tables: list[Table]
    data_date: str = "2026-11-30T01:00:00Z"
    slow_days: frozenset[str] = frozenset()
    slow_ids: frozenset[str] = frozenset()
    longest_days: int = 10_000
    largest_batch: int = 10_000
    queries: list[str] = field(default_factory=list)

    def answer(self, asked: Asked) -> Given:
        """The reply to one request."""
        query = "\n".join(line for line in asked.form.get("query", "").splitlines() if not line.startswith("#"))
        self.queries.append(query)
        found = _SELECT.search(query)
        if found is None:
            return Given("MalformedQueryException: Lexical error at line 1", 400, "text/plain")
        columns = tuple(name.lstrip("?") for name in found.group(1).split())
        if columns == ("t",):
            stamp = {"type": "literal", "value": self.data_date}
            return _results(columns, [{"t": stamp}])
        table = self._table(columns)
        if table is None:
            return Given("MalformedQueryException: this world has no such columns", 400, "text/plain")
        rows = self._rows(table, query)
        if rows is None:
            return Given("java.util.concurrent.TimeoutException", 500, "text/plain")
        return _results(columns, [{name: row[name] for name in columns if name in row} for row in rows])

    def _table(self, columns: tuple[str, ...]) -> Table | None:
        exact = [table for table in self.tables if set(table.columns) == set(columns)]
        # A query without its OPTIONALs asks for some of the columns.
        part = [table for table in self.tables if set(columns) < set(table.columns) and table.date in columns]
        return next(iter([*exact, *part]), None)

    def _rows(self, table: Table, query: str) -> list[Row] | None:
        rows = list(table.rows)
        days = _RANGE.findall(query)
        if len(days) == 2 and table.date:
            first, last = days
            lasts = _days(first, last)
            if lasts > self.longest_days or (first in self.slow_days and "OPTIONAL" in query):
                return None
            rows = [row for row in rows if table.date in row and first <= row[table.date]["value"][:10] < last]
        values = _VALUES.search(query)
        if values:
            column = values.group(1)
            wanted = {name.removeprefix("wd:") for name in values.group(2).split()}
            if len(wanted) > self.largest_batch or wanted & self.slow_ids:
                return None
            rows = [row for row in rows if row.get(column, {}).get("value", "").rpartition("/")[2] in wanted]
        return rows


def _days(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


def _results(columns: Sequence[str], rows: Sequence[Row]) -> Given:
    body = {"head": {"vars": list(columns)}, "results": {"bindings": list(rows)}}
    return Given(json.dumps(body, ensure_ascii=False), 200, f"{_RESULTS};charset=utf-8")


def wdqs(world: QueryWorld, port: int = 0) -> FaultyServer:
    """The server over a world; its queries go to `address + /sparql`."""
    return FaultyServer(world.answer, port)


def main() -> None:
    """Serve the invented people by hand."""
    from tests.fakes.world import make_world

    parser = argparse.ArgumentParser(description=__doc__, epilog=FAULTS_HELP)
    parser.add_argument("--port", type=int, default=8801)
    parser.add_argument("--demises", type=int, default=60)
    parser.add_argument("--tenures", type=int, default=40)
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        choices=["ok", *FAULTS],
        metavar="FAULT",
        help="what the first requests meet, in order; may be given several times",
    )
    options = parser.parse_args()
    world = make_world(options.demises, options.tenures)
    server = wdqs(QueryWorld(world.tables()), options.port)
    server.give_faults(*options.fault)
    server.serve("Query service", f"  export WDQS_BASE_URL={server.address}/sparql")


if __name__ == "__main__":
    main()
