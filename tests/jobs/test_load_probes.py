"""Loading probes: each finds its one event or says why not, and nothing is loaded twice or overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.domain.event import EventId
from btc_gui.domain.load_report import LoadReport, NothingLoaded
from btc_gui.domain.probe import ProbeKind, ProbeText
from btc_gui.domain.review import Action
from btc_gui.errors import InputError
from btc_gui.jobs.load_probes import load_probes, preview_probes
from btc_gui.progress import Cancelled, Progress, Report
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.loads import LoadStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe, make_facts


def load(database: Database, path: Path, *rows: dict[str, object], kind: str = "") -> LoadReport:
    """Load a file of JSON lines with these rows (or the file as it is)."""
    if rows:
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return load_probes(database, path, Progress(), author="tests", default_kind=kind)


def row(text: object = "Whom shall we ask?", kind: object = "indirect", **more: object) -> dict[str, object]:
    """A row of a file of probes."""
    return {"text": text, "kind": kind, **more}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to load."""
    return tmp_path / "probes.jsonl"


@pytest.fixture
def ada(database: Database) -> EventId:
    """An event with a QID, an article and an alias."""
    return add_event(
        database, entity="Ada Example", qid="Q101", article="Ada Example (painter)", aliases=("A. Example",)
    )


@pytest.mark.parametrize(
    "reference",
    [
        {"qid": "Q101"},
        {"qid": "q101"},
        {"qid": "http://www.wikidata.org/entity/Q101"},
        {"enwiki_title": "Ada Example (painter)"},
        {"article": "https://en.wikipedia.org/wiki/Ada_Example_(painter)"},
        {"name": "Ada Example"},
        {"entity": "ada example"},
        {"person": "A. Example"},
        {"event": "Q101"},
        {"event": "Ada Example (painter)"},
        {"event": 1},
        {"event": {"qid": "Q101"}},
    ],
)
def test_event_is_found(database: Database, file: Path, ada: EventId, reference: dict[str, object]) -> None:
    """By QID, article, name, alias or number, in whatever form files have them."""
    report = load(
        database, file, row(requester="a curator", situation="a show", consequence="must attend", **reference)
    )
    assert (report.read, report.new, report.rejected) == (1, 1, ())
    (probe,) = ProbeStore(database).siblings(ada)
    assert (probe.text, probe.kind, probe.ordinal, probe.origin) == (
        "Whom shall we ask?",
        ProbeKind.INDIRECT,
        1,
        "loaded",
    )
    assert (probe.content.requester, probe.content.situation, probe.content.consequence) == (
        "a curator",
        "a show",
        "must attend",
    )
    assert probe.facts_hash == EventStore(database).get(ada).facts.facts_hash


def test_csv_with_foreign_names(database: Database, tmp_path: Path, ada: EventId) -> None:
    """The columns of a CSV are found by their usual names; quoted line breaks stay in the text."""
    path = tmp_path / "probes.csv"
    path.write_text('id,probe_type,prompt,qid\nk1,Indirect,"Whom,\nthen?",Q101\nk2,direct probe,Is she alive?,Q101\n')
    assert load(database, path).new == 2
    found = ProbeStore(database).siblings(ada)
    assert {(probe.key, probe.kind, probe.text) for probe in found} == {
        ("k1", ProbeKind.INDIRECT, "Whom,\nthen?"),
        ("k2", ProbeKind.DIRECT, "Is she alive?"),
    }


def test_rows_without_their_event(database: Database, file: Path, ada: EventId) -> None:
    """What is missing or unclear is said, with the events that could be meant."""
    one = add_event(
        database, entity="Mike", category="tenure", date="2015-01-03", position="Member", article="Mike (Ohio)"
    )
    two = add_event(
        database, entity="Mike", category="tenure", date="2017-01-03", position="Member", article="Mike (Iowa)"
    )
    report = load(
        database,
        file,
        row(qid="Q101"),
        row(name="Ada Exampel"),
        row(name="Nobody at all"),
        row(qid="Q999", name="Ada Example"),
        row(name="Mike"),
        row(name="Mike", date="2017-01-03"),
        row(name="Mike", date="2016-01-03"),
        row(),
        row(text="", qid="Q101"),
        row(kind="oblique", qid="Q101"),
        row(qid="Ada", text="x"),
        row(qid="Q101", ordinal="first", text="y"),
        row(event=999),
    )
    assert (report.read, report.new) == (13, 2)
    found = {rejection.line: rejection.reason for rejection in report.rejected}
    assert found[2] == "no such event: “Ada Exampel” is not in this project; did you mean Ada Example?"
    assert found[3] == "no such event: “Nobody at all” is not in this project, load its event first"
    assert found[4].startswith("no such event: “Q999”")
    assert found[5] == (
        f"several events: “Mike” may be Mike (Member), 3 January 2015 (event {one}) or Mike (Member), "
        f"3 January 2017 (event {two}); add the event's number, QID, position or date"
    )
    assert found[7].startswith("no such event: “Mike” is known, but not with this category, position or date")
    assert found[8].startswith("the row names no event")
    assert found[9] == "the text of the request is missing"
    assert found[10].startswith("unknown kind: “oblique”")
    assert found[11].startswith("qid is not an id of Wikidata")
    assert found[12].startswith("the ordinal is no number")
    assert found[13].startswith("no such event: “999”")
    assert [probe.key for probe in ProbeStore(database).siblings(two)] != []


def test_name_serves_where_the_event_has_no_qid(database: Database, file: Path) -> None:
    """Events loaded without ids are found by name although the row also has an id."""
    event = add_event(database, entity="Craig Example")
    assert load(database, file, row(qid="Q5", name="Craig Example")).new == 1
    assert len(ProbeStore(database).siblings(event)) == 1


def test_twice_changes_nothing(database: Database, file: Path, ada: EventId) -> None:
    """The same rows again are known, with keys and without, also after the event was corrected."""
    rows = [row(text=f"Whom, {n}?", qid="Q101") for n in range(5)] + [row(id="own", text="Who else?", qid="Q101")]
    first = load(database, file, *rows, rows[0])
    assert (first.read, first.new, first.known) == (7, 6, 1)
    assert [probe.ordinal for probe in ProbeStore(database).siblings(ada)] == [1, 2, 3, 4, 5, 6]
    EventStore(database).revise(ada, make_facts("Ada Example", date="2026-05-10", qid="Q101"), "tests")
    second = load(database, file)
    assert (second.new, second.known, second.rejected) == (0, 7, ())


def test_key_that_is_taken(database: Database, file: Path, ada: EventId) -> None:
    """A key never changes its meaning: another text, event or kind under it is refused with what to do."""
    other = add_event(database, entity="Bea Example", qid="Q102")
    report = load(
        database,
        file,
        row(id="k", text="One?", qid="Q101"),
        row(id="k", text="Two?", qid="Q101"),
        row(id="k", text="One?", qid="Q102"),
        row(id="k", text="One?", kind="direct", qid="Q101"),
    )
    assert report.new == 1
    found = [rejection.reason for rejection in report.rejected]
    assert found[0].startswith("the key “k” is taken by another wording: give this one another key")
    assert [reason.startswith("the key “k” is taken by a probe of another event or kind") for reason in found[1:]] == [
        True,
        True,
    ]
    assert ProbeStore(database).siblings(other) == []


def test_edited_wording_is_known(database: Database, file: Path, ada: EventId) -> None:
    """A file with the wording that a reviewer wrote (an export, loaded again) is the same probe."""
    probe = add_probe(database, ada, key="k", text="Old?")
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.EDIT, "ann", edited=ProbeText("New?"))
    for text in ("Old?", "New?"):
        report = load(database, file, row(id="k", text=text, qid="Q101"))
        assert (report.new, report.known, report.rejected) == (0, 1, ())
    assert ProbeStore(database).get(probe.id).text == "New?"


def test_kind_for_all_rows(database: Database, file: Path, ada: EventId) -> None:
    """A file without the kind is refused with what to say, and loads once it is said."""
    plain: dict[str, object] = {"text": "Whom?", "qid": "Q101"}
    with pytest.raises(InputError, match="no column holds the kind"):
        load(database, file, plain)
    assert load(database, file, kind="indirect").new == 1


def test_all_bad_is_an_error(database: Database, file: Path, ada: EventId) -> None:
    """Probes none of which finds its event are refused as a file, and nothing stays."""
    with pytest.raises(NothingLoaded):
        load(database, file, row(qid="Q7"), row(qid="Q8"))
    assert LoadStore(database).loads() == []


def test_preview(database: Database, file: Path, ada: EventId) -> None:
    """The first rows are shown as they would be read, the bad ones with their reasons."""
    file.write_text(json.dumps(row(id="a", qid="Q101", extra="x")) + "\n" + json.dumps(row(qid="Q9")) + "\n{\n")
    preview = preview_probes(file, database)
    assert preview.mapping == {"key": "id", "text": "text", "kind": "kind", "qid": "qid"}
    good, missing, broken = preview.sample
    assert (good.line, good.facts["event"], good.reason) == (1, "Ada Example, 9 May 2026", "")
    assert missing.reason.startswith("no such event")
    assert broken.reason.startswith("this is not JSON")
    assert ProbeStore(database).ids() == []


def test_cancel_leaves_nothing(database: Database, file: Path, ada: EventId) -> None:
    """After a cancel in the middle the same file loads whole."""
    rows = [row(text=f"Whom, {n}?", qid="Q101", id=f"k{n}") for n in range(600)]
    file.write_text("\n".join(json.dumps(entry) for entry in rows))
    progress = Progress()

    def stop(report: Report) -> None:
        if report.done > 24_000:
            progress.cancel()

    progress._reported = stop
    with pytest.raises(Cancelled):
        load_probes(database, file, progress, author="tests")
    assert database.read().execute("SELECT count(*) FROM probe").fetchone()[0] == 0
    assert load(database, file).new == 600


def test_many_probes_load(database: Database, file: Path) -> None:
    """Many times more probes than are written at once are new once and known afterwards."""
    with database.write() as connection:
        EventStore(database).add_many(
            connection, [make_facts(f"Person {n}", qid=f"Q{n}") for n in range(1, 101)], "t", None
        )
    with file.open("w", encoding="utf-8") as handle:
        for number in range(1000):
            handle.write(
                json.dumps(row(id=f"p{number}", text=f"Whom, {number}? " * 12, qid=f"Q{number % 100 + 1}")) + "\n"
            )
    assert load(database, file).new == 1000
    assert load(database, file).known == 1000
