"""`btc-gui lint`: of a file without a project, of a project, waivers, and honest exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from btc_gui.domain.probe import ProbeId, ProbeText
from btc_gui.domain.release import ReleasedProbe, ReleasePair, pairs_file
from btc_gui.store.database import Database
from btc_gui.store.lint import LintStore
from tests.builders import add_event, add_probe, make_facts
from tests.cli.test_load import write
from tests.cli.test_project import run

CLEAN = "Our opera house plans a gala next spring. Which three or four singers could we invite?"
LEAK = "Our opera house wants a voice like Price's for its gala. Which singers could we invite?"


@pytest.fixture
def project(tmp_path: Path) -> str:
    """A project of two probes, the first of which names its entity."""
    path = tmp_path / "p.btc"
    with Database.create(path) as database:
        event = add_event(database, entity="Leona Price")
        add_probe(database, event, LEAK, key="leak")
        add_probe(database, event, "I make a radio series. Whom could I call for a talk in November?", key="fine")
    return str(path)


def test_a_file_needs_no_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(
        tmp_path / "probes.csv",
        "id,text,entity,aliases,category,date,kind",
        f'a,"{CLEAN}",Leona Price,,demise,2026-05-09,indirect',
        f'b,"{LEAK}",Leona Price,,demise,2026-05-09,indirect',
        f'c,"{CLEAN}",Bo Brown,,trap,2026-05-09,indirect',
        'd,"Is Leona Price, soprano, still alive?",Leona Price,,demise,2026-05-09,direct',
    )
    assert run("lint", file, "--json") == 1
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert (found["file"], found["read"], found["counts"]) == (file, 4, {"name": 1})
    assert [each["line"] for each in found["rejected"]] == [4]
    assert "unknown category: “trap”" in found["rejected"][0]["reason"]
    [probe] = found["probes"]
    assert (probe["line"], probe["probe"], probe["entity"]) == (3, "b", "Leona Price")
    [finding] = probe["findings"]
    assert (finding["rule"], finding["severity"], finding["excerpt"]) == ("name", "error", "Price")
    assert LEAK[finding["start"] : finding["end"]] == "Price"
    assert finding["why"]
    assert run("lint", file) == 1
    assert "line 3: b:" in capsys.readouterr().out


def test_a_clean_file_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"text": CLEAN, "event": {"entity": "Leona Price", "category": "demise", "date": "2026-05-09"}}
    file = write(tmp_path / "probes.jsonl", json.dumps(row))
    assert run("lint", file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["probes"] == []


def test_events_may_be_in_a_file_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = write(
        tmp_path / "events.csv", "entity,category,date,aliases", "Leona Price,demise,2026-05-09,Leo P.|The Voice"
    )
    file = write(tmp_path / "probes.csv", "text,entity", f'"{LEAK}",Leona Price', f'"{CLEAN}",Nobody Known')
    assert run("lint", file, "--events", events, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [each["entity"] for each in found["probes"]] == ["Leona Price"]
    assert "no such event" in found["rejected"][0]["reason"]


def test_a_release_is_linted_as_it_was_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both probes of each pair, a direct one once; a line that was tampered with is told by its number."""
    facts = make_facts("Leona Price")
    direct = ReleasedProbe("d1", ProbeText("Is Leona Price still alive?"), "paired")
    pairs = [
        ReleasePair(facts, "She lives.", "She died.", ReleasedProbe(key, ProbeText(text), "generated"), direct)
        for key, text in (("a", LEAK), ("b", CLEAN))
    ]
    (tmp_path / "pairs.jsonl").write_text(
        pairs_file(pairs) + pairs[0].as_line().replace("gala", "ball") + "\n", "utf-8"
    )
    for path in (tmp_path / "pairs.jsonl", tmp_path):
        assert run("lint", str(path), "--json") == 1
        found = json.loads(capsys.readouterr().out)
        assert (found["read"], found["counts"]) == (4, {"name": 1})
        assert [(each["line"], each["probe"]) for each in found["probes"]] == [(1, "a")]
        assert [each["line"] for each in found["rejected"]] == [3]
        assert "its hash is another" in found["rejected"][0]["reason"]


def test_rows_without_a_category_take_the_one_that_is_given(tmp_path: Path) -> None:
    file = write(tmp_path / "probes.csv", "text,entity", f'"{CLEAN}",Leona Price')
    assert run("lint", file) == 2
    assert run("lint", file, "--category", "demise") == 0
    assert run("lint", file, "--category", "trap") == 2


@pytest.mark.parametrize("lines", [("name,date", "Ada,2026"), ("text,entity,category", ",Ada,demise"), ("",)])
def test_a_file_that_holds_no_probes_is_refused(
    tmp_path: Path, lines: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("lint", write(tmp_path / "f.csv", *lines)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_wrong_use_is_refused(tmp_path: Path, project: str) -> None:
    file = write(tmp_path / "probes.csv", "text,entity,category", f'"{CLEAN}",Leona Price,demise')
    assert run("lint") == 2
    assert run("lint", file, "-p", project) == 2
    assert run("lint", file, "--waive", "leak", "--rule", "name", "--reason", "x") == 2
    assert run("lint", str(tmp_path / "none.csv")) == 2


def test_a_project_lists_what_was_found(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("lint", "-p", project, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["read"], found["counts"]) == (2, {"name": 1})
    assert [(each["probe"], [f["rule"] for f in each["findings"]]) for each in found["probes"]] == [("leak", ["name"])]
    assert run("lint", "-p", project, "--rule", "too_long") == 0
    assert run("lint", "-p", project) == 1
    assert "“Price” It names x" in capsys.readouterr().out


def test_a_rule_is_waived_and_taken_back(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    waive = ("lint", "-p", project, "--waive", "leak", "--rule", "name")
    assert run(*waive) == 2
    assert run(*waive, "--reason", "the price is meant") == 0
    assert run(*waive, "--reason", "again") == 2
    capsys.readouterr()
    assert run("lint", "-p", project, "--json") == 0
    [finding] = json.loads(capsys.readouterr().out)["probes"][0]["findings"]
    assert finding["waiver"]["reason"] == "the price is meant"
    assert run("lint", "-p", project, "--withdraw", "leak", "--rule", "name") == 0
    assert run("lint", "-p", project) == 1
    assert run("lint", "-p", project, "--withdraw", "leak", "--rule", "name") == 2
    assert run("lint", "-p", project, "--waive", "nobody", "--rule", "name", "--reason", "x") == 2


def test_probes_that_are_loaded_are_checked_by_that(project: str, tmp_path: Path) -> None:
    file = write(tmp_path / "more.csv", "id,text,entity,kind", f'new,"{LEAK} Please.",Leona Price,indirect')
    assert run("load", "probes", file, "-p", project) == 0
    with Database.open(Path(project)) as database:
        store = LintStore(database)
        assert store.unchecked() == []
        assert "name" in {f.rule for f in store.findings([ProbeId(3)])[ProbeId(3)]}
