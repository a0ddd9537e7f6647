"""Nobody who labels could have seen what the judge said: the packet's bytes, tables, name and order are searched."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from btc_gui.domain.classification import Evidence
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import Layer, Mode
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.trajectory import StepKind
from btc_gui.domain.verdict import Label
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.answers import AnswerStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, add_verdict, make_configuration, make_query, make_result, make_trajectory
from tests.study_builders import (
    JUDGE,
    MODELS,
    RATIONALE,
    add_judged,
    add_locked_study,
    issue,
    make_categories,
    make_design,
)

ALLOWED_TABLES = {
    "manifest": {"content", "digest"},
    "page": {"name", "content"},
    "item": {"position", "item", "page", "digest"},
    "shown": {"position", "field", "content"},
    "label": {"sequence", "item", "label", "reason", "note", "undoes", "active_seconds", "at", "confidence", "answers"},
    "skip": {"sequence", "item", "at"},
    "practice": {"position", "item", "page", "content"},
    "practice_label": {"sequence", "item", "label", "answers", "active_seconds", "at"},
    "draft": {"item", "content"},
}


def _cells(path: Path) -> list[tuple[str, str, str]]:
    """Every text of every table: (table, column, text)."""
    connection = sqlite3.connect(path)
    found = []
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        rows = connection.execute(f"SELECT * FROM {table}")
        columns = [column[0] for column in rows.description]
        found += [(table, column, str(value)) for row in rows for column, value in zip(columns, row, strict=True)]
    connection.close()
    return found


def _hidden(database: Database) -> list[str]:
    """All that must be nowhere in a packet: names, ids, times and reasons of the project."""
    read = database.read()
    hidden = [*MODELS, JUDGE, RATIONALE, "Test study", "Test run", "replay", "rejected", "accepted"]
    queries = (
        "SELECT identity FROM configuration",
        "SELECT uuid FROM answer",
        "SELECT stored_at FROM answer",
        "SELECT finished_at FROM answer",
        "SELECT key FROM probe",
        "SELECT manifest_sha256 FROM study",
        "SELECT at FROM verdict",
    )
    for query in queries:
        hidden += [str(row[0]) for row in read.execute(query) if row[0]]
    return hidden


@pytest.fixture
def packet(database: Database, tmp_path: Path) -> Path:
    add_judged(database)
    return issue(database, add_locked_study(database), tmp_path / "out")


def test_no_byte_of_a_packet_names_what_is_hidden(database: Database, packet: Path) -> None:
    """B1, B3: models, judge, rationale, configuration, sample and study ids, times, strata: nowhere in the file."""
    content = packet.read_bytes()
    for text in _hidden(database):
        for form in (text, text.casefold(), text.upper()):
            assert form.encode() not in content, text
            assert form.encode("utf-16-le") not in content, text


def test_labels_occur_only_where_the_form_needs_them(packet: Path) -> None:
    """The words correct and incorrect stand in the choices that everybody sees, and in no other byte of the file."""
    content = packet.read_bytes()
    manifest = next(text for table, column, text in _cells(packet) if (table, column) == ("manifest", "content"))
    for word in (b"correct", b"incorrect", b"Correct", b"Incorrect", b"unscored"):
        assert content.count(word) == manifest.encode().count(word), word


def test_tables_and_columns_are_those_of_the_allow_list(packet: Path) -> None:
    """B3: no table or column for verdicts; the label log is empty; items have only the fields of the manifest."""
    connection = sqlite3.connect(packet)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    columns = {table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")} for table in tables}
    assert columns == ALLOWED_TABLES
    assert not connection.execute("SELECT * FROM label").fetchall()
    fields = {row[0] for row in connection.execute("SELECT DISTINCT field FROM shown")}
    assert fields == {"entity", "before", "after", "probe", "answer"}
    assert connection.execute("PRAGMA freelist_count").fetchone()[0] == 0
    connection.close()


def test_a_packet_has_a_neutral_name_and_opaque_ids(database: Database, packet: Path) -> None:
    """B7: the file's name and the items' ids say nothing; ids come from nothing in the project."""
    assert re.fullmatch(r"packet-[0-9a-f]{8}\.btcp", packet.name)
    study = StudyStore(database).all()[0]
    items = StudyStore(database).items(study.id)
    assert all(re.fullmatch(r"[0-9a-f]{16}", item.item) for item in items)
    derivable = {hash_of(value)[:16] for item in items for value in (item.key, item.answer_id, str(item.answer_id))}
    assert not derivable & {item.item for item in items}


def test_the_order_is_the_packets_own(database: Database, tmp_path: Path) -> None:
    """Order by the seed and the annotator: neither by creation nor by label, and another one for the second person."""
    add_judged(database)
    study_id = add_locked_study(database, make_design(10, 6, annotators=("PK", "DG")))
    orders = []
    for annotator in ("PK", "DG"):
        with PacketFile.open(issue(database, study_id, tmp_path / "out", annotator), to_label=False) as file:
            orders.append([entry.item for entry in file.outline().entries])
    items = StudyStore(database).items(study_id)
    created = [item.item for item in sorted(items, key=lambda item: item.answer_id)]
    by_label = [item.machine_label for item in sorted(items, key=lambda item: orders[0].index(item.item))]
    assert orders[0] != orders[1] != created != orders[0]
    assert by_label not in (sorted(by_label), sorted(by_label, reverse=True))
    assert sorted(orders[0]) == sorted(orders[1])


def test_a_labelled_packet_hides_as_much(database: Database, packet: Path) -> None:
    """Labelling, undoing and drafts leave nothing else in the file, and no file beside it."""
    with LabellingSession(packet) as session:
        while session.current:
            session.keep_draft(ItemState(note="a draft that goes away"))
            session.label(session.current.item, "correct")
        session.undo()
    content = packet.read_bytes()
    assert b"a draft that goes away" not in content
    for text in _hidden(database):
        assert text.encode() not in content, text
    assert list(packet.parent.iterdir()) == [packet]


def test_the_form_of_an_open_item_is_empty(packet: Path) -> None:
    """B4: nothing is filled in, for an item the judge accepted or rejected alike."""
    with LabellingSession(packet) as session:
        for _ in range(session.total):
            assert session.given is None
            assert session.draft == ItemState()
            session.forward()


def _failure_packet(database: Database, folder: Path, mode: Mode) -> Path:
    probe = add_probe(database, add_event(database))
    queries = [
        make_query(
            "is Ada Example alive", make_result("Ada Example died in May, says the Herald.", published="2026-05-12")
        ),
        make_query("car shows", make_result("Shows in autumn.")),
    ]
    trajectory = make_trajectory("Invite Ada Example.", queries)
    (answer_id,) = add_answers(database, probe, [trajectory], make_configuration(MODELS[0]))[1]
    add_verdict(database, answer_id, Label.INCORRECT)
    steps = [step for step in AnswerStore(database).trajectory(answer_id).steps if step.kind is StepKind.QUERY]
    ids = [step.id for step in steps if step.id is not None]
    result = steps[0].results[0].id
    assert result is not None
    ClassificationStore(database).add(
        NewClassification(
            answer_id,
            "Sorter-5",
            None,
            FailureMode.REASONING,
            rationale="Sorter says so.",
            queries={ids[0]: QueryClass.EXPLICIT, ids[1]: QueryClass.UNRELATED},
            evidence=[Evidence(result, "died in May", 0, 11)],
        )
    )
    design = make_design(
        kind="failure_mode", mode=mode, strata=(Stratum("all", 1, {"category": "demise"}),), accept_shortfall=True
    )
    return issue(database, add_locked_study(database, design), folder)


def test_a_blind_failure_packet_shows_searches_and_nothing_of_the_classifier(
    database: Database, tmp_path: Path
) -> None:
    packet = _failure_packet(database, tmp_path / "out", Mode.BLIND)
    with LabellingSession(packet) as session:
        assert session.current is not None
        assert [(search.query, search.finding) for search in session.current.searches()] == [
            ("is Ada Example alive", ""),
            ("car shows", ""),
        ]
        assert "died in May, says the Herald" in session.current.searches()[0].received
        assert session.current.excerpts() == ()
        assert session.manifest.layer is Layer.BLIND
    content = packet.read_bytes()
    for text in ("Sorter", MODELS[0], "Sorter says so", 'finding":"explicit'):
        assert text.encode() not in content


def test_an_assisted_failure_packet_says_so_and_shows_evidence_but_not_the_mode(
    database: Database, tmp_path: Path
) -> None:
    packet = _failure_packet(database, tmp_path / "out", Mode.ASSISTED)
    with LabellingSession(packet) as session:
        assert session.current is not None
        assert session.manifest.layer is Layer.ASSISTED
        assert "assisted" in session.manifest.layer.text
        assert [search.finding for search in session.current.searches()] == ["explicit", "unrelated"]
        (excerpt,) = session.current.excerpts()
        assert (excerpt.text, excerpt.published) == ("died in May", "2026-05-12")
    values = [text for table, column, text in _cells(packet) if (table, column) == ("shown", "content")]
    assert not any("reasoning" in text for text in values)
    assert b"Sorter" not in packet.read_bytes()


def test_the_criteria_are_those_of_the_locked_study(database: Database, tmp_path: Path) -> None:
    add_judged(database)
    study_id = add_locked_study(database)
    with PacketFile.open(issue(database, study_id, tmp_path / "out"), to_label=False) as file:
        pages = file.outline().pages
    category = make_categories()["demise"]
    assert pages == {"demise/indirect": f"{category.criteria['indirect']}\n\n{category.codebook}"}
