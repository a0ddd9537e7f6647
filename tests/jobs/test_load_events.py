"""Loading events: what counts, what is known, what is rejected and why, and that nothing half-done stays."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.load_report import LoadReport, NothingLoaded
from btc_gui.errors import InputError, ProjectError
from btc_gui.jobs.load_events import load_events, preview_events
from btc_gui.progress import Cancelled, Progress, Report
from btc_gui.store.database import Database
from btc_gui.store.events import EventQuery, EventStore
from btc_gui.store.loads import LoadStore
from btc_gui.store.projects import ProjectStore
from tests.builders import add_event
from tests.conftest import TODAY

HEADER = "qid,name,category,date,date_precision,position,start,end,enwiki_title"


@pytest.fixture(scope="session")
def categories() -> dict[str, Category]:
    """The categories that come with the app."""
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to load."""
    return tmp_path / "events.csv"


def load(
    database: Database, path: Path, categories: dict[str, Category], *lines: str, category: str = ""
) -> LoadReport:
    """Load a CSV file of these lines (or the file as it is)."""
    if lines:
        path.write_text("\n".join(lines), encoding="utf-8")
    return load_events(database, path, categories, Progress(), author="tests", default_category=category)


def reasons(report: LoadReport) -> dict[int, str]:
    """The reasons by line."""
    return {rejection.line: rejection.reason for rejection in report.rejected}


def test_facts_of_a_row(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Every column that means something to us ends up in the event."""
    columns = (
        "qid,name,description,category,date,date_precision,position,position_qid,start,enwiki_title,country,source,"
        "aliases,note"
    )
    row = (
        "http://www.wikidata.org/entity/Q57641,Viktor Orbán,politician,Tenure,2026-05-09,11,Prime Minister,Q101,"
        "2010-05-29,https://en.wikipedia.org/wiki/Viktor_Orb%C3%A1n,Hungary,a source,V. Orbán|Orbán Viktor,a note"
    )
    assert load(database, file, categories, columns, row).new == 1
    (event_id,) = EventStore(database).ids()
    event = EventStore(database).get(event_id)
    facts = event.facts
    assert (facts.entity, facts.qid, facts.article) == ("Viktor Orbán", "Q57641", "Viktor Orbán")
    assert (facts.category, facts.date.iso, facts.position, facts.position_qid) == (
        "tenure",
        "2026-05-09",
        "Prime Minister",
        "Q101",
    )
    assert facts.started is not None
    assert (facts.started.iso, facts.aliases) == ("2010-05-29", ("V. Orbán", "Orbán Viktor"))
    assert (facts.country, facts.source, facts.note, facts.description) == (
        "Hungary",
        "a source",
        "a note",
        "politician",
    )


def test_rows_that_are_no_change(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Each rule of the domain that a row can break on its own is named with the row's line."""
    tomorrow = (TODAY + timedelta(days=2)).isoformat()
    report = load(
        database,
        file,
        categories,
        HEADER,
        ",Good,demise,2026-05-09,11,,,,",
        ",Month,demise,2026-05-01,10,,,,",
        ",Year,demise,2026,,,,,",
        ",Zero,demise,2026-05-00,,,,,",
        ",Century,demise,1950-01-01,7,,,,",
        ",Absurd,demise,0206-01-30,11,,,,",
        ",Impossible,demise,2026-02-30,11,,,,",
        ",Words,demise,last May,11,,,,",
        ",Nothing,demise,,,,,,",
        f",Tomorrow,demise,{tomorrow},11,,,,",
        ",Trap,trap,2026-05-09,11,,,,",
        ",,demise,2026-05-09,11,,,,",
        ",Uncategorised,,2026-05-09,11,,,,",
        ",Still,tenure,,,Mayor,2020-01-01,,",
        ",Still too,tenure,2026-05-09,11,Mayor,2020-01-01,,",
        ",No office,tenure,2026-05-09,11,,2020-01-01,2026-05-09,",
        ",Backwards,tenure,2026-05-09,11,Mayor,2026-06-01,2026-05-09,",
        ",Two ends,tenure,2026-05-09,11,Mayor,2020-01-01,2026-05-10,",
        "X12,Odd id,demise,2026-05-09,11,,,,",
        ",Odd precision,demise,2026-05-09,daily,,,,",
        ",Good too,tenure,2026-05-09,11,Mayor,2020-01-01,2026-05-09,",
    )
    assert (report.read, report.new, report.known) == (21, 2, 0)
    found = reasons(report)
    assert sorted(found) == list(range(3, 22))
    starts = {
        3: "date known only to the month: May 2026",
        4: "date known only to the year: 2026",
        5: "date known only to the month: May 2026",
        6: "impossible date: precision 7 is coarser than a year",
        7: "impossible date: the year 206 can't be right",
        8: "impossible date",
        9: "impossible date: “last May” is not a date",
        10: "the date is missing",
        11: "the date is still to come",
        12: "unknown category: “trap” (there are closure, demise, tenure",
        13: "entity is missing",
        14: "the category is missing",
        15: "still in office",
        16: "still in office",
        17: "position is missing",
        18: "it ends before it starts",
        19: "two dates: it ended on 10 May 2026, but the date is 9 May 2026",
        20: "qid is not an id of Wikidata",
        21: "unknown precision of the date",
    }
    assert {line: found[line].startswith(start) for line, start in starts.items()} == dict.fromkeys(starts, True)


def test_name_that_is_only_an_id(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Where a label is missing the service gives the id instead: the article's title serves, or the row is refused."""
    report = load(
        database,
        file,
        categories,
        "qid,name,category,date,enwiki_title",
        "Q1,Q1,demise,2026-05-09,Ada Example (painter)",
        "Q2,Q2,demise,2026-05-09,",
        "Q3,Cy,demise,2026-05-09,",
    )
    assert reasons(report) == {3: "entity is missing: the row has no name, only the id Q2"}
    events = EventStore(database).fetch(EventStore(database).ids())
    assert {event.facts.entity for event in events.values()} == {"Ada Example", "Cy"}


def test_twice_changes_nothing(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """The same file again, and the same row twice in a file, are known; so is the event by any one of its names."""
    lines = [
        HEADER,
        "Q1,Ada,demise,2026-05-09,11,,,,Ada Example",
        ",Ada,demise,2026-05-09,11,,,,",
        ",Bea,demise,2026-05-10,11,,,,",
    ]
    first = load(database, file, categories, *lines)
    assert (first.read, first.new, first.known, first.rejected) == (3, 2, 1, ())
    before = database.read().execute("SELECT count(*) FROM event_revision").fetchone()[0]
    second = load(database, file, categories)
    assert (second.new, second.known) == (0, 3)
    third = load(database, file, categories, HEADER, ",ada example's,demise,2026-05-09,11,,,,ada example")
    assert (third.new, third.known) == (0, 1)
    assert database.read().execute("SELECT count(*) FROM event_revision").fetchone()[0] == before


def test_namesakes_are_two(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """A QID or title that differs outweighs an equal name; another position or day is another event."""
    report = load(
        database,
        file,
        categories,
        HEADER,
        "Q1,Mike Example,tenure,2015-01-03,11,Member,2013-01-03,2015-01-03,Mike Example (Ohio)",
        ",Mike Example,tenure,2015-01-03,11,Member,2013-01-03,2015-01-03,Mike Example (Iowa)",
        "Q2,Mike Example,tenure,2015-01-03,11,Member,2013-01-03,2015-01-03,Mike Example (Ohio)",
        "Q1,Mike Example,tenure,2015-01-03,11,Chair,2013-01-03,2015-01-03,",
        "Q1,Mike Example,tenure,2005-01-03,11,Member,2003-01-03,2005-01-03,",
        "Q1,Mike Example,demise,2015-01-05,11,,,,",
    )
    assert (report.new, report.known, report.rejected) == (6, 0, ())


def test_held_again(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Who takes the same position again, within the span or until today, has not left it; the other row says so."""
    report = load(
        database,
        file,
        categories,
        HEADER,
        "Q1,Ada,tenure,2023-01-03,11,Member,2021-01-03,2023-01-03,",
        "Q1,Ada,tenure,2025-01-03,11,Member,2023-01-03,2025-01-03,",
        "Q2,Bea,tenure,2016-03-24,11,Member of the 4th Example Parliament,2011-05-05,2016-03-24,",
        "Q2,Bea,tenure,2021-05-04,11,Member of the 5th Example Parliament,2016-05-05,2021-05-04,",
        "Q3,Cy,tenure,2010-01-03,11,Member,2009-01-03,2010-01-03,",
        "Q3,Cy,trap,,,Member,2020-01-03,,",
        "Q4,Di,tenure,2010-01-03,11,Member,2009-01-03,2010-01-03,",
        "Q4,Di,tenure,2014-01-03,11,Member,2012-01-03,2014-01-03,",
        "Q5,Eve,tenure,2010-01-03,11,Member,2009-01-03,2010-01-03,",
        "Q5,Eve,tenure,2012-01-03,11,Senator,2010-01-03,2012-01-03,",
    )
    found = {line: reason for line, reason in reasons(report).items() if reason.startswith("held again")}
    assert found == {
        2: "held again: the same position from 3 January 2023, after the end on 3 January 2023",
        4: "held again: the same position from 5 May 2016, after the end on 24 March 2016",
        6: "held again: the same position from 3 January 2020, after the end on 3 January 2010",
    }
    assert report.new == 6


def test_rows_that_contradict_each_other(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Two ends of one term are a conflict for a person to settle; one that only says less is none."""
    report = load(
        database,
        file,
        categories,
        HEADER,
        "Q1,Ada,tenure,2026-02-07,11,Bishop,2021-06-29,2026-02-07,",
        "Q1,Ada,tenure,2026-03-25,11,Bishop,2021-06-29,2026-03-25,",
        "Q2,Bea,tenure,2026-03-25,11,Bishop,2021-06-29,2026-03-25,",
        "Q2,Bea,tenure,2026-03,10,Bishop,2021-06-29,2026-03,",
    )
    found = reasons(report)
    assert found[2] == found[3] == "conflict: 25 March 2026 and 7 February 2026"
    assert found[5] == "date known only to the month: March 2026"
    assert report.new == 1


def test_ended_by_death(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """A tenure that ended with the person's death belongs to the demise, known from the file or from the project."""
    add_event(database, entity="Ada", date="2026-05-09")
    report = load(
        database,
        file,
        categories,
        "name,category,date,position,date_of_death",
        "Ada,tenure,2026-05-08,Mayor,",
        "Bea,tenure,2026-05-09,Mayor,2026-05-09",
        "Cy,tenure,2026-05-09,Mayor,2026-05-11",
    )
    assert {line: reason[:14] for line, reason in reasons(report).items()} == {2: "ended by death", 3: "ended by death"}


def test_changes_that_last(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """A file of closures may tell start and end; one that is over, or over before it begins, is none."""
    report = load(
        database,
        file,
        categories,
        "name,category,start,end",
        "Museum A,closure,2026-03-02,2099-10-31",
        "Museum B,temporary closure,2026-04-07,",
        "Museum C,closure,2026-03-02,2026-03-20",
        "Museum D,closure,2026-03-02,2026-02-20",
    )
    assert {line: reason.partition(":")[0] for line, reason in reasons(report).items()} == {
        4: "over already",
        5: "the change is over before it happens",
    }
    events = EventStore(database).fetch(EventStore(database).ids())
    told = {event.facts.entity: (event.facts.date.iso, event.facts.ends) for event in events.values()}
    assert told["Museum B"] == ("2026-04-07", None)
    assert told["Museum A"][1] is not None


def test_sparql_results(database: Database, tmp_path: Path, categories: dict[str, Category]) -> None:
    """Results of a query load directly: ids, precision, unknown values and what the service makes of “May 2026”."""

    def literal(text: str) -> dict[str, str]:
        return {"type": "literal", "value": text}

    def row(number: int, date: dict[str, str], **more: dict[str, str]) -> dict[str, dict[str, str]]:
        person = {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{number}"}
        return {"person": person, "date": date, "title": literal(f"Person {number}"), **more}

    genid = {"type": "uri", "value": "http://www.wikidata.org/.well-known/genid/01"}
    bindings = [
        row(1, literal("2026-05-09T00:00:00Z"), prec=literal("11")),
        row(2, literal("2026-05-01T00:00:00Z"), prec=literal("10")),
        row(3, genid),
        row(4, {"type": "bnode", "value": "t1"}),
        row(5, literal("+2026-02-31T00:00:00Z"), prec=literal("11")),
        row(6, literal("2026-05-01T00:00:00Z")),
        row(7, literal("2026-05-01T00:00:00Z"), prec=literal("11")),
    ]
    path = tmp_path / "query.json"
    path.write_text(
        json.dumps({"head": {"vars": ["person", "date", "prec", "title"]}, "results": {"bindings": bindings}})
    )
    with pytest.raises(InputError, match="no column holds the category"):
        load(database, path, categories)
    report = load(database, path, categories, category="demise")
    assert (report.read, report.new) == (7, 2)
    assert [rejection.reason.partition(":")[0] for rejection in report.rejected] == [
        "date known only to the month",
        "the date is unknown in the source",
        "the date is unknown in the source",
        "impossible date",
        "date perhaps known only to the month",
    ]


def test_all_bad_is_an_error(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """A file of which no row can be taken is refused with the first reason; nothing stays, all reasons are given."""
    with pytest.raises(NothingLoaded, match=r"none of its 2 rows can be taken\. Line 2: ") as refused:
        load(database, file, categories, HEADER, ",A,trap,2026-05-09,11,,,,", "x,y")
    assert [rejection.line for rejection in refused.value.report.rejected] == [2, 3]
    with pytest.raises(InputError, match="holds no rows"):
        load(database, file, categories, HEADER)
    with pytest.raises(InputError):
        load(database, file, categories, '{"a"', "{b", "{")
    assert LoadStore(database).loads() == []
    assert database.read().execute("SELECT count(*) FROM load").fetchone()[0] == 0


def test_report_and_rejections_are_kept(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """The report has exactly the agreed form, and the rejected rows can be looked up later."""
    report = load(database, file, categories, HEADER, ",A,demise,2026-05-09,11,,,,", ",B,trap,2026-05-09,11,,,,", "bad")
    assert report.as_json() == {
        "file": str(file),
        "read": 3,
        "new": 1,
        "known": 0,
        "rejected": [
            {"line": 3, "reason": "unknown category: “trap” (there are closure, demise, tenure)"},
            {"line": 4, "reason": "the row has 1 field where the header names 9"},
        ],
    }
    (kept,) = LoadStore(database).loads()
    assert (kept.file, kept.read, kept.new, kept.known, kept.rejected) == ("events.csv", 3, 1, 0, 2)
    stored = LoadStore(database).rejections(kept.id)
    assert [(rejection.line, rejection.content) for rejection in stored] == [(3, "B, trap, 2026-05-09, 11"), (4, "bad")]


def test_mapping_is_guessed_changed_and_remembered(
    database: Database, file: Path, categories: dict[str, Category]
) -> None:
    """Foreign names are mapped by hand once; the next file with the same columns, in any order, needs no help."""
    file.write_text("who,instant,sort\nAda,2026-05-09,death\n")
    preview = preview_events(file, database, categories)
    assert preview.mapping == {}
    assert len(preview.problems) == 3
    given = {"entity": "who", "date": "instant", "category": "sort"}
    preview = preview_events(file, database, categories, mapping=given)
    assert (preview.origin, preview.problems) == ("given", ())
    assert preview.sample[0].facts == {"category": "demise", "entity": "Ada", "date": "9 May 2026"}
    report = load_events(database, file, categories, Progress(), mapping=given, author="tests")
    assert report.new == 1
    file.write_text("sort,who,instant\ndeath,Bea,2026-05-10\n")
    assert preview_events(file, database, categories).origin == "remembered"
    assert load(database, file, categories).new == 1
    with pytest.raises(InputError, match=r"There is no column “nobody”\. Columns: sort, who, instant\."):
        preview_events(file, database, categories, mapping={"entity": "nobody"})
    with pytest.raises(InputError, match="is not a fact of events"):
        preview_events(file, database, categories, mapping={"colour": "who"})


def test_default_for_one_file_is_not_remembered(
    database: Database, file: Path, categories: dict[str, Category]
) -> None:
    """Setting the category column aside once must not make the next file fail, or be taken for something else."""
    lines = [HEADER, ",A,trap,2026-05-09,11,,,,", ",B,demise,2026-05-10,11,,,,"]
    file.write_text("\n".join(lines))
    forced = load_events(
        database, file, categories, Progress(), mapping={"category": ""}, author="t", default_category="demise"
    )
    assert forced.new == 2
    assert reasons(load(database, file, categories))[2].startswith("unknown category")


def test_column_name_that_repeats_is_refused(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Which of two columns of one name is meant can't be guessed; where neither matters it does not."""
    with pytest.raises(InputError, match="several columns “name”"):
        load(database, file, categories, "name,name,date,category", "A,B,2026-05-09,demise")
    assert load(database, file, categories, "name,date,category,x,x", "A,2026-05-09,demise,,").new == 1


class CancelAfter(Progress):
    """Cancels itself at a report."""

    def __init__(self, reports: int) -> None:
        super().__init__(self._seen)
        self._left = reports

    def _seen(self, _: Report) -> None:
        self._left -= 1
        if self._left == 0:
            self.cancel()


def many(path: Path, count: int) -> None:
    """Write a file of `count` good events."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "category", "date"])
        writer.writerows([f"Person {number}", "demise", "2026-05-09"] for number in range(count))


def test_cancel_leaves_nothing(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """A cancel in the middle removes what was written at once, and the project is as before."""
    many(file, 2000)
    with pytest.raises(Cancelled):
        load_events(database, file, categories, CancelAfter(12), author="tests")
    for table in ("event", "event_revision", "event_identity", "load", "load_rejection"):
        assert database.read().execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0, table
    assert load(database, file, categories).new == 2000


def test_rows_count_only_together(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """Somebody who looks on sees no event of a load, and then all of them."""
    many(file, 1500)
    seen: set[int] = set()
    progress = Progress(lambda _: seen.add(ProjectStore(database).counts().events))
    load_events(database, file, categories, progress, author="tests")
    assert seen == {0, 1500}


def test_crash_leaves_nothing_that_counts(tmp_path: Path, categories: dict[str, Category]) -> None:
    """A process that dies half-way leaves rows that don't count; loading again works without waiting for long."""
    path, file = tmp_path / "a.btc", tmp_path / "events.csv"
    many(file, 5000)
    Database.create(path).close()
    code = f"""
import os
from pathlib import Path
from btc_gui.domain.category import load_categories
from btc_gui.jobs.load_events import load_events
from btc_gui.progress import Progress
from btc_gui.store.database import Database
def die(report):
    if report.done > 60_000:
        os._exit(9)
categories = load_categories(Path({str(paths.resources() / "categories")!r}))
load_events(Database.open(Path({str(path)!r})), Path({str(file)!r}), categories, Progress(die), author="x")
"""
    assert subprocess.run([sys.executable, "-c", code], env={**os.environ}, check=False).returncode == 9
    with Database.open(path) as database:
        assert EventStore(database).ids() == []
        assert database.read().execute("SELECT count(*) FROM event").fetchone()[0] > 0
        # As if the death were some time ago: no test should wait for it.
        with database.write() as connection:
            connection.execute(
                "UPDATE load SET started_at = ?, alive_at = ?",
                ((datetime.now(UTC) - timedelta(seconds=20)).isoformat(),) * 2,
            )
        assert load(database, file, categories).new == 5000
        assert database.read().execute("SELECT count(*) FROM load").fetchone()[0] == 1
        assert len(EventStore(database).ids()) == database.read().execute("SELECT count(*) FROM event").fetchone()[0]
        found = EventStore(database).find("Person 17")
        assert [EventStore(database).get(event_id).facts.entity for event_id in found] == ["Person 17"]


def test_load_that_was_cleared_stops(database: Database, file: Path, categories: dict[str, Category]) -> None:
    """A load that slept while another window cleared it must not go on as if nothing had been."""
    many(file, 3000)

    def clear(report: Report) -> None:
        if report.done > 20_000:
            with database.write() as connection:
                connection.execute("DELETE FROM load")

    with pytest.raises(ProjectError, match="another window cleared it"):
        load_events(database, file, categories, Progress(clear), author="tests")
    assert EventStore(database).ids() == []


def test_two_windows_load_the_same(tmp_path: Path, categories: dict[str, Category]) -> None:
    """Two windows that load one file at one time make each event once, and one of them says that all are known."""
    path, file = tmp_path / "a.btc", tmp_path / "events.csv"
    many(file, 800)
    Database.create(path).close()
    reports: list[LoadReport] = []

    def work() -> None:
        with Database.open(path) as database:
            reports.append(load(database, file, categories))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted((report.new, report.known) for report in reports) == [(0, 800), (800, 0)]
    with Database.open(path) as database:
        assert len(EventStore(database).ids(EventQuery())) == 800


def test_another_window_writes_meanwhile(tmp_path: Path, categories: dict[str, Category]) -> None:
    """Decisions made in another window during a load all go in, none waits for long, and the load succeeds."""
    path, file = tmp_path / "a.btc", tmp_path / "events.csv"
    many(file, 3000)
    database = Database.create(path)
    other = Database.open(path)
    # Whenever the load says how far it is, the file is free: who had to wait would fail at once.
    other.read().execute("PRAGMA busy_timeout = 0")
    decisions: list[int] = []

    def decide(report: Report) -> None:
        ProjectStore(other).set_value("decision", str(report.done))
        decisions.append(report.done)

    assert load_events(database, file, categories, Progress(decide), author="tests").new == 3000
    assert len(decisions) > 5
    assert ProjectStore(database).value("decision") == str(decisions[-1])
    other.close()
    database.close()


def test_file_that_is_held_for_long(
    tmp_path: Path, categories: dict[str, Category], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that holds the project for longer than SQLite waits costs time, not the load."""
    path, file = tmp_path / "a.btc", tmp_path / "events.csv"
    many(file, 300)
    with Database.create(path) as database:
        # So that the test need not wait for the real five seconds.
        database.read().execute("PRAGMA busy_timeout = 50")
        holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)

        def hold(report: Report) -> None:
            if report.done < report.total and not holder.in_transaction and not held:
                held.append(True)
                holder.execute("BEGIN IMMEDIATE")

        @contextmanager
        def write(self: Database, **options: bool) -> Iterator[sqlite3.Connection]:
            try:
                with original(self, **options) as connection:
                    yield connection
            except ProjectError:
                refused.append(True)
                if len(refused) == 3:
                    holder.execute("COMMIT")
                raise

        original, refused = Database.write, list[bool]()
        monkeypatch.setattr(Database, "write", write)

        held: list[bool] = []
        report = load_events(database, file, categories, Progress(hold), author="tests")
        assert (report.new, held, len(refused)) == (300, [True], 3)
        holder.close()


@pytest.mark.parametrize(
    ("name", "read", "new", "rejected"),
    [
        ("events_demises.csv", 76, 73, 3),
        ("events_tenures.csv", 99, 83, 16),
        ("events_demises_2020_2021.csv", 1500, 1500, 0),
    ],
)
def test_real_files(
    database: Database,
    shared_data: Path,
    categories: dict[str, Category],
    name: str,
    read: int,
    new: int,
    rejected: int,
) -> None:
    """Real files load as they are, and twice changes nothing."""
    path = shared_data / "wikidata" / name
    report = load(database, path, categories)
    assert (report.read, report.new, len(report.rejected)) == (read, new, rejected)
    again = load(database, path, categories)
    assert (again.new, again.known, again.rejected) == (0, new, report.rejected)


def test_re_election_in_the_real_file(database: Database, shared_data: Path, categories: dict[str, Category]) -> None:
    """The file's own column, which is not read, says who was re-elected: none is taken, nobody who left is lost."""
    path = shared_data / "wikidata" / "events_tenures_us_congress.csv"
    report = load(database, path, categories)
    assert (report.read, report.new, len(report.rejected)) == (6240, 693, 5547)
    rejected = {line: reason.partition(":")[0] for line, reason in reasons(report).items()}
    with path.open(encoding="utf-8", newline="") as file:
        outcomes = {line: row["outcome"].partition(" (")[0] for line, row in enumerate(csv.DictReader(file), start=2)}
    assert {rejected.get(line) for line, outcome in outcomes.items() if outcome == "re-elected"} == {"held again"}
    left = ("left at the scheduled end", "left mid-term", "moved House→Senate")
    assert {rejected.get(line) for line, outcome in outcomes.items() if outcome in left} == {None}


def test_traps(database: Database, shared_data: Path, categories: dict[str, Category]) -> None:
    """Rows of an unknown category are all refused; with a category given, those that are plainly wrong are."""
    path = shared_data / "wikidata" / "events_traps.csv"
    with pytest.raises(NothingLoaded) as refused:
        load(database, path, categories)
    assert len(refused.value.report.rejected) == 8
    forced = load_events(
        database, path, categories, Progress(), mapping={"category": ""}, author="tests", default_category="demise"
    )
    assert {line: reason.partition(":")[0] for line, reason in reasons(forced).items()} == {
        4: "impossible date",
        5: "date known only to the month",
        8: "the date is missing",
    }
