"""How many rows a second the rules decide about, beside a bare loop over the same rows.

    python -m tests.bench.collecting [FOLDER]

FOLDER holds events_tenures_wikidata_to_2022.csv and events_tenures_us_congress.csv (11,330 real terms). They are
decided about twice: as rows of a file, and as answers of the query service (first query and second query).
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.collecting import Window, decide
from btc_gui.domain.collection_plan import Binding
from btc_gui.domain.column_mapping import LoadSubject, guess_mapping
from btc_gui.domain.event_index import EventIndex
from btc_gui.domain.event_reading import EventReader, terms_of
from btc_gui.domain.event_rows import Rejected
from tests.wikidata_rows import position, tenure, term

_FILES = ("events_tenures_wikidata_to_2022.csv", "events_tenures_us_congress.csv")
_TODAY = date(2026, 7, 10)
_TIMES = 3


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def bare(tables: list[list[dict[str, str]]]) -> int:
    """The floor: look at every cell of every row once."""
    return sum(len(cell) for rows in tables for row in rows for cell in row.values())


def as_file(tables: list[list[dict[str, str]]]) -> Counter[str]:
    """Decide about the rows as loading does: all times in office first, then each row."""
    categories = load_categories(paths.resources() / "categories")
    found: Counter[str] = Counter()
    for rows in tables:
        mapping = guess_mapping(LoadSubject.EVENTS, list(rows[0]), rows[:50])
        reader = EventReader(mapping, categories, "", EventIndex(), terms_of(rows, mapping, _TODAY))
        for row in rows:
            try:
                reader.read(row)
                found["kept"] += 1
            except Rejected as rejected:
                found[str(rejected).partition(":")[0]] += 1
    return found


def answers(tables: list[list[dict[str, str]]]) -> dict[str, list[Binding]]:
    """The same terms as the query service would give them."""
    first: list[Binding] = []
    every: list[Binding] = []
    offices: dict[str, int] = {}
    people: dict[str, int] = {}
    for number, row in enumerate(row for rows in tables for row in rows):
        who = people.setdefault(row["qid"] or row["name"], len(people) + 1)
        office = f"Q{1_000_000 + offices.setdefault(row['position'], len(offices))}"
        start, end = _day(row["start"]), _day(row["end"])
        every.append(term(who, f"{number}", start, end, office))
        if row["date_precision"] == "11":
            first.append(tenure(who, end, start, st=f"Q{who}${number}", position=office))
    named = [position(1_000_000 + number, label) for label, number in offices.items()]
    return {"tenures": first, "all_terms": every, "positions": named}


def _day(text: str) -> str:
    return f"{text}-01-01"[:10] if text else ""


def seconds(work: Callable[[], object]) -> float:
    """The least processor time of a few runs: other work on the machine doesn't count."""
    taken = []
    for _ in range(_TIMES):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    default = Path(__file__).resolve().parents[3] / "shared" / "data" / "wikidata"
    parser.add_argument("folder", type=Path, nargs="?", default=default)
    folder = parser.parse_args().folder
    tables = [rows_of(folder / name) for name in _FILES]
    count = sum(map(len, tables))
    floor = seconds(lambda: bare(tables))
    loaded = seconds(lambda: as_file(tables))
    told = answers(tables)
    tenures = load_categories(paths.resources() / "categories")["tenure"]
    window = Window(date(1900, 1, 1), _TODAY)
    asked = len(told["tenures"])
    collected = seconds(lambda: decide(tenures, told, window=window, run_date=_TODAY))
    print(f"bare loop over {count:,} rows: {floor:.3f} s ({count / floor:,.0f} a second)")
    print(f"as a file:      {loaded:.2f} s ({count / loaded:,.0f} decisions a second, {loaded / floor:.0f} bare loops)")
    print(f"as answers:     {collected:.2f} s ({asked / collected:,.0f} decisions a second about {asked:,} rows)")
    print(dict(as_file(tables).most_common()))
    funnel = decide(tenures, told, window=window, run_date=_TODAY).funnel
    print({step.name: step.dropped for step in funnel.steps if step.dropped}, "kept", funnel.kept)


if __name__ == "__main__":
    main()
