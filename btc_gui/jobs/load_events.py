"""Load events from a file, and show beforehand how it would be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from btc_gui.domain.category import Category
from btc_gui.domain.column_mapping import LoadSubject
from btc_gui.domain.event import EventFacts
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_rows import Cells, Rejected, read_event, read_term, refuse_end_by_death
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

_DEATHS = "demise"


def _today() -> date:
    return datetime.now(UTC).date()


def _office_terms(
    table: Table, mapping: Mapping[str, str], categories: Mapping[str, Category], today: date, progress: Progress
) -> OfficeTerms:
    """All times in office of a file: whether somebody holds a position again stands in another row."""
    terms = OfficeTerms(today)
    needed = any("not_held_again" in category.rules for category in categories.values())
    if not needed or not {"position", "position_qid"}.intersection(mapping) or "started" not in mapping:
        return terms
    for number, row in enumerate(table.rows()):
        if number % 200 == 0:
            progress.report(table.done, table.file.size, f"{table.name}: times in office")
        if isinstance(row, Row) and (term := read_term(Cells(row.values, mapping))):
            terms.add(term)
    return terms


@dataclass(frozen=True, slots=True)
class _EventReader:
    """Reads rows by the categories' rules, also those that need the file's other rows or the project's events."""

    mapping: Mapping[str, str]
    categories: Mapping[str, Category]
    default_category: str
    known: EventIndex
    terms: OfficeTerms
    today: date

    def read(self, row: Row) -> EventFacts:
        """The facts of a row. Raises `Rejected`."""
        facts = read_event(Cells(row.values, self.mapping), self.categories, self.default_category, self.today)
        rules = self.categories[facts.category].rules
        day = facts.date.as_day()
        if rules.get("ended_by_death") == "drop" and day is not None:
            for other in self.known.about(facts):
                if other.category == _DEATHS:
                    refuse_end_by_death(day, other.date)
        if isinstance(span := rules.get("not_held_again"), dict):
            again = self.terms.held_again(facts, int(span["from_days"]), int(span["to_days"]))
            if again is not None:
                raise Rejected(
                    f"held again: the same position from {again.day} {again:%B %Y}, after the end on {facts.date.text}"
                )
        return facts


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
        today = _today()
        terms = _office_terms(table, settled[0], categories, today, Progress())
        known = EventIndex(EventStore(database).all_facts())
        reader = _EventReader(settled[0], categories, default_category, known, terms, today)

        def read(row: Row) -> dict[str, str]:
            return facts_as_texts(reader.read(row))

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
        today = _today()
        terms = _office_terms(table, settled, categories, today, progress)
        load_id = LoadStore(database).start(LoadSubject.EVENTS, table.name, table.file.sha256, settled, progress)
        # Read after the load has begun: from here on no other window loads events.
        known = EventIndex(store.all_facts())
        reader = _EventReader(settled, categories, default_category, known, terms, today)

        def read(row: Row) -> EventFacts | None:
            facts = reader.read(row)
            if known.knows(facts):
                return None
            known.add(facts)
            return facts

        def write(connection: Batch, batch: Sequence[EventFacts], load: LoadId) -> None:
            store.add_many(connection, batch, author, load)

        return RowLoader(database, LoadSubject.EVENTS, table, settled, read, write).load(load_id, progress)
