"""Tables of events, probes, answers and decisions: whatever is in them, what is taken and what is not adds up."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.load_report import LoadReport, NothingLoaded
from btc_gui.errors import BtcError
from btc_gui.jobs.load_answers import load_answers, preview_answers
from btc_gui.jobs.load_decisions import load_decisions
from btc_gui.jobs.load_events import load_events, preview_events
from btc_gui.jobs.load_probes import load_probes, preview_probes
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from tests.fuzz.mutating import fuzz, is_sentence, mutated, no_hang
from tests.fuzz.undoing import undone

DEMO = paths.resources() / "demo"
CATEGORIES = load_categories(paths.resources() / "categories")
Load = Callable[[Database, Path], LoadReport]


def _lines(name: str, count: int) -> list[str]:
    return (DEMO / name).read_text(encoding="utf-8").splitlines()[:count]


def _csv(rows: list[dict[str, object]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(key for row in rows for key in row)))
    writer.writeheader()
    writer.writerows([{k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()} for row in rows])
    return out.getvalue().encode()


def _sparql(rows: list[dict[str, object]]) -> bytes:
    names = list(dict.fromkeys(key for row in rows for key in row))
    bindings = [{k: {"type": "literal", "value": str(v)} for k, v in row.items() if v} for row in rows]
    return json.dumps({"head": {"vars": names}, "results": {"bindings": bindings}}).encode()


def _forms(rows: list[dict[str, object]]) -> list[bytes]:
    """The rows in every form that can be loaded."""
    return [
        _csv(rows),
        _csv(rows).replace(b",", b"\t"),
        "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode(),
        json.dumps(rows, indent=1, ensure_ascii=False).encode(),
        json.dumps(rows).encode(),
        _sparql(rows),
    ]


EVENTS = [dict(row) for row in csv.DictReader(io.StringIO("\n".join(_lines("events.csv", 12))))]
PROBES = [json.loads(line) for line in _lines("probes.jsonl", 12)]
DECISIONS = [json.loads(line) for line in _lines("reviews.jsonl", 12)]
STEPS = [
    {"kind": "reasoning", "text": "I look.", "seconds": 1.5, "at": "2026-11-01T10:00:00Z"},
    {
        "kind": "query",
        "text": "Craig Morton",
        "results": [
            {"title": "News", "url": "https://example.org/a", "published": "2026-05-12", "excerpts": ["He died."]},
            "a passage",
        ],
    },
    {"tool": "calculator", "output": {"sum": 4}},
    {"answer": "Ask Craig Morton."},
]
ANSWERS: list[dict[str, object]] = [
    {"probe": "morton-i1", "model": "Larkspur-2", "answer": "Ask Craig Morton.", "steps": STEPS, "cost": 0.02},
    {"probe": "morton-i2", "model": "Larkspur-2", "answer": "Nobody.", "queries": ["a", "b"], "effort": "low"},
    {"probe": "morton-i3", "model": "Quill", "ending": "failed", "reason": "timeout", "repetition": 2, "seconds": 4},
    {"probe": "morton-i4", "model": "Quill", "answer": "X", "as_of": "2026-05-01", "usage": {"input_tokens": 12}},
    {
        "probe": "morton-i5",
        "model": "Quill",
        "answer": "Y",
        "harness": "shared",
        "steps": [],
        "started_at": "2026-11-01",
    },
]


def _events(database: Database, path: Path) -> LoadReport:
    preview_events(path, database, CATEGORIES)
    return load_events(database, path, CATEGORIES, Progress(), author="tests")


def _probes(database: Database, path: Path) -> LoadReport:
    preview_probes(path, database)
    return load_probes(database, path, Progress(), author="tests")


def _answers(database: Database, path: Path) -> LoadReport:
    preview_answers(path, database)
    return load_answers(database, path, Progress(), author="tests", run="mine")


def _decisions(database: Database, path: Path) -> LoadReport:
    return load_decisions(database, path, "tests", Progress())


#: What is loaded, its rows, the table that grows by one for each new row.
SUBJECTS: dict[str, tuple[Load, list[dict[str, object]], str]] = {
    "events": (_events, EVENTS, "event"),
    "probes": (_probes, PROBES, "probe"),
    "answers": (_answers, ANSWERS, "answer"),
    "decisions": (_decisions, DECISIONS, "decision"),
}
SEEDS = {subject: _forms(rows) for subject, (_, rows, _) in SUBJECTS.items()}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A project for each subject, in which its rows can be loaded."""
    folder = tmp_path_factory.mktemp("projects")
    found = {"events": folder / "events.btc"}
    Database.create(found["events"], "Fuzz").close()
    found["probes"] = Path(shutil.copy(found["events"], folder / "probes.btc"))
    events = folder / "events.csv"
    events.write_bytes(SEEDS["events"][0])
    with Database.open(found["probes"]) as database:
        load_events(database, events, CATEGORIES, Progress(), author="tests")
    found["answers"] = Path(shutil.copy(found["probes"], folder / "answers.btc"))
    probes = folder / "probes.jsonl"
    probes.write_bytes(SEEDS["probes"][2])
    with Database.open(found["answers"]) as database:
        load_probes(database, probes, Progress(), author="tests")
    found["decisions"] = found["answers"]
    return found


def _count(database: Database, table: str) -> int:
    return int(database.read().execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def check_load(database: Database, load: Load, table: str, path: Path) -> LoadReport | None:
    """Load a file, and look that the report is true: of what was read, of the project, and of a second time."""
    before = _count(database, table)
    refusal: BtcError | None = None
    with no_hang():
        try:
            report = load(database, path)
        except BtcError as error:
            refusal = error
    if refusal is not None:
        assert is_sentence(refusal.message)
        assert _count(database, table) == before
        if isinstance(refusal, NothingLoaded):
            _check_report(refusal.report)
            assert refusal.report.new == refusal.report.known == 0
        return None
    _check_report(report)
    assert _count(database, table) == before + report.new
    assert database.read().execute("SELECT count(*) FROM load WHERE completed_at IS NULL").fetchone()[0] == 0
    again = load(database, path)
    assert (again.new, again.known, again.read) == (0, report.new + report.known, report.read)
    assert _count(database, table) == before + report.new
    return report


def _check_report(report: LoadReport) -> None:
    assert report.read == report.new + report.known + len(report.rejected)
    for rejection in report.rejected:
        assert rejection.line >= 1
        assert is_sentence(rejection.reason)
        assert "\n" not in rejection.reason
        assert len(rejection.reason) < 2_000
        json.dumps(report.as_json(), ensure_ascii=False).encode("utf-8")


@pytest.fixture
def project(request: pytest.FixtureRequest, projects: dict[str, Path], tmp_path: Path) -> Iterator[Database]:
    """A project of its own for the subject of the test."""
    path = Path(shutil.copy(projects[request.node.callspec.params["subject"]], tmp_path / "fuzzed.btc"))
    with Database.open(path) as database:
        yield database
        assert database.integrity_problems() == []


@pytest.mark.parametrize("subject", SUBJECTS)
def test_damaged_file(subject: str, project: Database, tmp_path: Path) -> None:
    """Whatever happened to a file: its rows are taken or rejected, and the report says which; or it is refused."""
    load, _, table = SUBJECTS[subject]
    path = tmp_path / "rows.dat"

    @fuzz(12)
    @given(text=st.one_of(mutated(SEEDS[subject], values_only=True), mutated(SEEDS[subject])))
    def check(text: bytes) -> None:
        path.write_bytes(text)
        with undone(project):
            check_load(project, load, table, path)

    check()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_bad_line_costs_only_itself(subject: str, project: Database, tmp_path: Path) -> None:
    """All rows of JSON lines but the damaged one are taken."""
    load, rows, table = SUBJECTS[subject]
    if subject == "decisions":
        # Of several decisions on one probe a later one may replace the damaged one.
        rows = list({row["probe"]: row for row in rows}.values())
    lines = [json.dumps(row, ensure_ascii=False).encode() for row in rows]
    path = tmp_path / "rows.dat"

    @fuzz(6)
    @given(place=st.integers(1, len(lines) - 1), line=mutated(lines, most=2))
    def check(place: int, line: bytes) -> None:
        # A byte that is no UTF-8, and no other character beyond ASCII: that may well be another encoding.
        bad = line.decode("utf-8", "replace").encode().replace(b"\n", b" ").replace(b"\r", b" ")
        path.write_bytes(b"\n".join([*lines[:place], bad, *lines[place + 1 :]]))
        with undone(project):
            report = check_load(project, load, table, path)
        assert report is not None
        others = [each for each in report.rejected if each.line != place + 1]
        # The damaged line may be another one twice over, and take what that one would have had.
        assert [each for each in others if "taken" not in each.reason] == []
        assert report.read in (len(lines), len(lines) - (not bad.strip()))

    check()
