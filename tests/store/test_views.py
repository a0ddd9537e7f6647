"""The views that people may rely on who bring pandas: what they give, and what an open study keeps out of them."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from btc_gui.domain.case import ALL_CASES, CaseQuery
from btc_gui.domain.failure_mode import FailureMode, QueryClass
from btc_gui.domain.run import Purpose
from btc_gui.domain.verdict import Label
from btc_gui.store.answers import AnswerStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from tests.builders import add_event, add_probe
from tests.case_builders import add_answer, add_answers, add_verdict, make_query, make_result, make_trajectory
from tests.study_builders import add_judged, add_locked_study

_DOCS = Path(__file__).resolve().parents[2] / "docs" / "cases.md"


@pytest.fixture
def reader(database: Database) -> Iterator[sqlite3.Connection]:
    """The project as pandas would read it: read-only, with the one function of the docs."""
    connection = sqlite3.connect(f"file:{database.path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row

    def plain(encoding: str, content: bytes) -> str:
        return (zlib.decompress(content) if encoding == "zlib" else content).decode("utf-8", "replace")

    connection.create_function("plain", 2, plain, deterministic=True)
    yield connection
    connection.close()


def test_cases_steps_results_and_texts(database: Database, reader: sqlite3.Connection) -> None:
    """One row a case; steps and results by its reference; texts as they were, short or long."""
    event = add_event(database, entity="Ada Example", date="2026-05-09")
    long = "She told of it. " * 100
    trajectory = make_trajectory(long, [make_query("who plays", make_result("She died in May.", "News"))])
    case = add_answer(database, add_probe(database, event), trajectory)
    add_verdict(database, case)
    step = AnswerStore(database).trajectory(case).queries[0]
    assert step.id is not None
    ClassificationStore(database).add(
        NewClassification(case, "c", None, FailureMode.REASONING, "t", queries={step.id: QueryClass.EXPLICIT})
    )
    add_answers(database, add_probe(database, event), [make_trajectory("Yes.")], purpose=Purpose.FILTER)

    first, second = reader.execute("SELECT * FROM v_cases ORDER BY answer_id").fetchall()
    assert (first["reference"], first["entity"], first["date"]) == (f"btc:{case}", "Ada Example", "2026-05-09")
    assert (first["pool"], first["kind"], first["label"], first["mode"]) == (
        "evaluation",
        "indirect",
        "incorrect",
        "reasoning",
    )
    assert (second["pool"], second["label"], second["in_open_study"]) == ("filter", None, 0)
    text = reader.execute(
        "SELECT plain(encoding, content) FROM v_cases JOIN v_texts ON text_id = answer_text_id WHERE answer_id = ?",
        (case,),
    ).fetchone()[0]
    assert text == long
    kinds = reader.execute("SELECT kind FROM v_steps WHERE answer_id = ? ORDER BY number", (case,)).fetchall()
    assert [row["kind"] for row in kinds] == ["reasoning", "query", "reasoning", "answer"]
    result = reader.execute("SELECT * FROM v_results").fetchone()
    assert (result["reference"], result["rank"], result["title"]) == (f"btc:{case}#2", 1, "News")
    assert [tuple(row) for row in reader.execute("SELECT reference, class FROM v_query_classes")] == [
        (f"btc:{case}#2", "explicit")
    ]


def test_an_open_study_keeps_labels_out_of_the_views(database: Database, reader: sqlite3.Connection) -> None:
    """Of its cases there are no labels, modes and verdicts, and of its annotators no labels, until the key is open."""
    add_judged(database)
    study_id = add_locked_study(database)
    drawn = {row[0] for row in reader.execute("SELECT answer_id FROM study_item WHERE study_id = ?", (study_id,))}
    assert drawn
    told = {row["answer_id"]: row["label"] for row in reader.execute("SELECT * FROM v_cases")}
    blind = CaseStore(database, blind_for="nobody in particular")
    for answer_id, case in blind.fetch(blind.ids(ALL_CASES)).items():
        assert told[answer_id] == (case.label.value if case.label else None)
        assert case.is_blind == (answer_id in drawn)
    assert not drawn & {row["answer_id"] for row in reader.execute("SELECT answer_id FROM v_verdicts")}
    assert reader.execute("SELECT count(*) FROM v_labels").fetchone()[0] == 0
    with database.write() as connection:
        connection.execute("UPDATE study SET state = 'unblinded'")
    wrong = CaseStore(database).ids(CaseQuery(labels=(Label.INCORRECT,), order="stored"))
    rows = reader.execute("SELECT answer_id FROM v_cases WHERE label = 'incorrect' ORDER BY answer_id")
    assert [row["answer_id"] for row in rows] == wrong


def test_the_documented_views_are_those_there_are(reader: sqlite3.Connection) -> None:
    """Every view of the project stands in the docs with its columns, and no other."""
    documented = dict(re.findall(r"^\| `(v_\w+)` \| (.+?) \|$", _DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    names = [row["name"] for row in reader.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
    assert sorted(documented) == sorted(names)
    for name in names:
        columns = [row["name"] for row in reader.execute(f"PRAGMA table_info({name})")]
        assert re.findall(r"`(\w+)`", documented[name]) == columns, name


def test_the_documented_example_runs(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of the docs, as it stands there."""
    probe = add_probe(database, add_event(database))
    add_verdict(database, add_answer(database, probe, make_trajectory(queries=[make_query("who plays")])))
    example = re.search(r"```python\n(.*?)```", _DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    monkeypatch.chdir(database.path.parent)
    names: dict[str, Any] = {}
    exec(example[1].replace("project.btc", database.path.name), names)  # The docs' own words.
    assert list(names["cases"].label) == ["incorrect"]
    assert list(names["queries"]["query"]) == ["who plays"]
    names["db"].close()
