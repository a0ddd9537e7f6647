"""`btc-gui load`: reports for people and for machines, and honest exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.reviews import ReviewStore
from tests.builders import add_event, add_probe
from tests.cli.test_project import run


@pytest.fixture
def project(tmp_path: Path) -> str:
    """A new project's path."""
    path = tmp_path / "p.btc"
    Database.create(path).close()
    return str(path)


def write(path: Path, *lines: str) -> str:
    """Write a file of these lines."""
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_codes_and_json(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0: all taken; 1: some rejected; 2: a file refused, the others loaded. Only JSON is on standard output."""
    good = write(tmp_path / "good.csv", "name,category,date", "Ada,demise,2026-05-09")
    part = write(tmp_path / "part.csv", "name,category,date", "Ada,demise,2026-05-09", "Bea,trap,2026-05-09")
    bad = write(tmp_path / "bad.csv", "name,category,date", "Bea,trap,2026-05-09")
    (tmp_path / "latin.csv").write_bytes("name\nZoë\n".encode("latin-1"))
    latin = str(tmp_path / "latin.csv")
    trap = "unknown category: “trap” (there are closure, demise, tenure)"
    assert run("load", "events", good, "-p", project, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "files": [{"file": good, "read": 1, "new": 1, "known": 0, "rejected": []}]
    }
    assert run("load", "events", part, "-p", project, "--json") == 1
    assert json.loads(capsys.readouterr().out)["files"] == [
        {"file": part, "read": 2, "new": 0, "known": 1, "rejected": [{"line": 3, "reason": trap}]}
    ]
    assert run("load", "events", bad, latin, good, "-p", project, "--json") == 2
    captured = capsys.readouterr()
    reports = json.loads(captured.out)["files"]
    assert [(report["read"], report["known"]) for report in reports] == [(1, 0), (0, 0), (1, 1)]
    assert reports[0]["rejected"] == [{"line": 2, "reason": trap}]
    assert "it looks like Latin-1" in reports[1]["rejected"][0]["reason"]
    assert "bad.csv: its only row can't be taken. Line 2: unknown category" in captured.err
    assert "Traceback" not in captured.err


def test_text_report(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For a person: counts, then each rejected row with its line and reason."""
    path = write(tmp_path / "e.csv", "name,category,date", "Ada,demise,2026-05-09", "Bea,demise,2026-05")
    assert run("load", "events", path, "-p", project) == 1
    out = capsys.readouterr().out
    assert "2 read, 1 new, 0 known, 1 rejected" in out
    assert "line 3: date known only to the month: May 2026" in out


def test_mapping(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mapping is shown without loading, changed by options, and refused in words when it names nothing."""
    path = write(tmp_path / "e.csv", "who,day,x", "Ada,2026-05-09,1")
    assert run("load", "events", path, "-p", project, "--show-mapping") == 0
    out = capsys.readouterr().out
    assert "missing: no column holds the entity’s name" in out
    assert "not read: who, x" in out
    assert run("load", "events", path, "-p", project) == 2
    assert "--map fact=column, or give --category" in capsys.readouterr().err
    assert run("load", "events", path, "-p", project, "--map", "entity", "--category", "demise") == 2
    assert run("load", "events", path, "-p", project, "--map", "entity=nobody", "--category", "demise") == 2
    assert run("load", "events", path, "-p", project, "--category", "wedding") == 2
    assert "Categories: closure, demise, tenure" in capsys.readouterr().err
    words = ("load", "events", path, "-p", project, "--map", "entity=who", "--category", "demise")
    assert run(*words, "--show-mapping", "--json") == 0
    (shown,) = json.loads(capsys.readouterr().out)["files"]
    assert (shown["mapping"], shown["origin"], shown["problems"]) == ({"date": "day", "entity": "who"}, "given", [])
    assert run(*words) == 0
    with Database.open(Path(project)) as database:
        assert len(EventStore(database).ids()) == 1


def test_probes(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Probes load after their events, and say so when they come first."""
    events = write(tmp_path / "e.csv", "qid,name,category,date", "Q1,Ada,demise,2026-05-09")
    probes = write(tmp_path / "p.jsonl", '{"qid": "Q1", "text": "Whom?", "kind": "indirect"}')
    assert run("load", "probes", probes, "-p", project) == 2
    assert "load its event first" in capsys.readouterr().err
    assert run("load", "events", events, "-p", project) == 0
    assert run("load", "probes", probes, "-p", project, "--json") == 0
    assert run("load", "probes", probes, "-p", project) == 0
    assert "1 known" in capsys.readouterr().out


def test_no_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A project that isn't there is a sentence."""
    path = write(tmp_path / "e.csv", "name,category,date", "Ada,demise,2026-05-09")
    assert run("load", "events", path, "-p", str(tmp_path / "none.btc")) == 2
    assert "There is no file" in capsys.readouterr().err


def test_decisions_are_of_the_reviewer_that_is_named(
    project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Database.open(Path(project)) as database:
        probe = add_probe(database, add_event(database), key="p1")
    path = write(tmp_path / "d.csv", "probe,action", "p1,accept")
    assert run("load", "decisions", path, "-p", project, "--reviewer", "bob") == 0
    with Database.open(Path(project)) as database:
        assert [each.reviewer for each in ReviewStore(database).log(probe.id)] == ["bob"]
    assert run("review", "undo", "-p", project, "--reviewer", "bob") == 0


def test_answers(project: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Answers of one's own agent: shown as they would be read, loaded once, into the run that is named."""
    with Database.open(Path(project)) as database:
        add_probe(database, add_event(database), "Whom shall we invite?", key="p1")
    path = write(tmp_path / "mine.csv", "probe,answer", "p1,Ask Ada.", "p2,Ask Bea.")
    assert run("load", "answers", path, "-p", project) == 2
    assert "give --model for all rows" in capsys.readouterr().err
    assert run("load", "answers", path, "-p", project, "--model", "Own-1", "--show-mapping") == 0
    assert "line 2: probe p1; model Own-1 · effort unknown · other" in capsys.readouterr().out
    for counts in ({"new": 1, "known": 0}, {"new": 0, "known": 1}):
        assert run("load", "answers", path, "-p", project, "--model", "Own-1", "--run", "First try", "--json") == 1
        (report,) = json.loads(capsys.readouterr().out)["files"]
        assert report == {
            "file": path,
            "read": 2,
            **counts,
            "rejected": [{"line": 3, "reason": "no such probe: none of this project is called, numbered or asks “p2”"}],
        }
    assert run("runs", "-p", project, "--json") == 0
    (listed,) = json.loads(capsys.readouterr().out)["runs"]
    assert listed["name"] == "First try"
