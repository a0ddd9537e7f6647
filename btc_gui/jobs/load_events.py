"""Load events from a file, and show beforehand how it would be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.event import EventFacts
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_reading import EventReader, tells_of_terms, terms_of
from btc_gui.domain.load_preview import Preview
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.office_terms import OfficeTerms
from btc_gui.domain.table_row import Row
from btc_gui.jobs.load_rows import RowLoader, look, refuse_unclear_mapping, settle_mapping
from btc_gui.jobs.read_table import Table, open_table
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.loads import Batch, LoadId, LoadStore
from btc_gui.store.own_categories import keep_categories


def _today() -> date:
    return datetime.now(UTC).date()


def _office_terms(
    table: Table, mapping: Mapping[str, str], categories: Mapping[str, Category], progress: Progress
) -> OfficeTerms:
    """All times in office of a file: whether somebody holds a position again stands in another row."""
    if not tells_of_terms(mapping, categories):
        return OfficeTerms(_today())

    def rows() -> Iterator[Mapping[str, str]]:
        for number, row in enumerate(table.rows()):
            if number % 200 == 0:
                progress.report(table.done, table.file.size, f"{table.name}: times in office")
            if isinstance(row, Row):
                yield row.values

    return terms_of(rows(), mapping, _today())


def preview_events(
    path: Path,
    database: Database,
    categories: Mapping[str, Category],
    *,
    mapping: Mapping[str, str] | None = None,
    default_category: str = "",
) -> Preview:
    """How a file of events would be read; `mapping` changes what was guessed or remembered.

    Raises `InputError` for a file that can't be read at all.
    """
    with open_table(path) as table:
        settled = settle_mapping(database, LoadSubject.EVENTS, table, mapping)
        terms = _office_terms(table, settled[0], categories, Progress())
        known = EventIndex(EventStore(database).all_facts())
        reader = EventReader(settled[0], categories, default_category, known, terms)

        def read(row: Row) -> dict[str, str]:
            return facts_as_texts(reader.read(row.values))

        return look(table, LoadSubject.EVENTS, settled, {"category": default_category}, read)


def facts_as_texts(facts: EventFacts) -> dict[str, str]:
    """The facts that an event has, by name, as shown."""
    texts: dict[str, str] = {}
    for name in EventFacts.__dataclass_fields__:
        value = getattr(facts, name)
        text = value if isinstance(value, str) else ", ".join(value) if isinstance(value, tuple) else ""
        if not isinstance(value, str | tuple) and value is not None:
            text = value.text
        if text:
            texts[name] = text
    return texts


def load_events(
    database: Database,
    path: Path,
    categories: Mapping[str, Category],
    progress: Progress,
    *,
    mapping: Mapping[str, str] | None = None,
    author: str,
    default_category: str = "",
) -> LoadReport:
    """Load the events of a file. Events that are known (same entity, position and date) change nothing.

    `mapping` (fact to column) changes what is guessed or was remembered for such columns; `default_category` is
    for rows that name none. Raises `InputError` (`NothingLoaded` when every row is rejected), `ProjectError`
    and `Cancelled`; then nothing was loaded.
    """
    store = EventStore(database)
    with open_table(path, progress) as table:
        settled, _ = settle_mapping(database, LoadSubject.EVENTS, table, mapping)
        refuse_unclear_mapping(LoadSubject.EVENTS, table, settled, {"category": default_category})
        terms = _office_terms(table, settled, categories, progress)
        load_id = LoadStore(database).start(LoadSubject.EVENTS, table.name, table.file.sha256, settled, progress)
        # Read after the load has begun: from here on no other window loads events.
        known = EventIndex(store.all_facts())
        reader = EventReader(settled, categories, default_category, known, terms)

        def read(row: Row) -> EventFacts | None:
            facts = reader.read(row.values)
            if known.knows(facts):
                return None
            known.add(facts)
            return facts

        def write(connection: Batch, batch: Sequence[EventFacts], load: LoadId) -> None:
            store.add_many(connection, batch, author, load)

        report = RowLoader(database, LoadSubject.EVENTS, table, settled, read, write).load(load_id, progress)
    keep_categories(database)
    return report
