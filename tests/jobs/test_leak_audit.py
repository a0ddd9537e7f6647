"""The audit of blinding is proved: each hidden field is planted in each channel in turn, and each one is caught."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from btc_gui import paths
from btc_gui.domain.leak_audit import Hidden, LeakSearch, Piece, runs_deviation
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import StudyId
from btc_gui.jobs.audit_study import AuditReport, LeakAudit, audit_study, written_by_the_app
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from tests.bench.packets import add_failure
from tests.study_builders import JUDGE, MODELS, RATIONALE, add_judged, add_locked_study, issue, make_design


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StudyId, Path]:
    """A project with a study of two annotators, and the packet of one. Made once: nothing in it is changed."""
    folder = tmp_path_factory.mktemp("audit")
    with Database.create(folder / "project.btc") as database:
        add_judged(database, says="of somebody. As Claude, I say so.")
        design = make_design(5, 5, annotators=("PK", "Dagmar"), seed="seed-of-the-draw", order_seed="seed-of-the-order")
        study_id = add_locked_study(database, design)
        packet = issue(database, study_id, folder / "out")
    return folder / "project.btc", study_id, packet


@pytest.fixture
def database(made: tuple[Path, StudyId, Path]) -> Database:
    return Database.open(made[0])


@pytest.fixture
def study_id(made: tuple[Path, StudyId, Path]) -> StudyId:
    return made[1]


@pytest.fixture
def packet(made: tuple[Path, StudyId, Path], tmp_path: Path) -> Path:
    path = tmp_path / "given" / "packet-00c0ffee.btcp"
    path.parent.mkdir()
    shutil.copyfile(made[2], path)
    # A day after the answers, as in life; the suite's own moments are within minutes.
    _date(path)
    return path


def _date(packet: Path) -> None:
    os.utime(packet, (time.time() + 86_400,) * 2)


def _hidden(database: Database, study_id: StudyId, field: str) -> str:
    """The value of a hidden field, read from the project by SQL of its own."""
    statements = {
        "judge label": "SELECT machine_label FROM study_item WHERE machine_label = 'incorrect'",
        "stratum": "SELECT stratum FROM study_item WHERE stratum = 'rejected'",
        "cell": "SELECT cell FROM study_item",
        "model": "SELECT model FROM configuration",
        "harness": "SELECT harness FROM configuration",
        "effort": "SELECT effort FROM configuration",
        "configuration hash": "SELECT identity FROM configuration",
        "answer uuid": "SELECT uuid FROM answer JOIN study_item ON answer_id = answer.id",
        "answer id": "SELECT 'answer_id=' || answer_id FROM study_item",
        "run id": "SELECT 'run ' || run_id FROM run_item",
        "rationale": "SELECT rationale FROM verdict",
        "judge": "SELECT judge FROM verdict",
        "run": "SELECT name FROM run",
        "study": "SELECT name FROM study",
        "manifest": "SELECT manifest_sha256 FROM study",
        "masked passage": "SELECT original FROM masked",
        "time of a verdict": "SELECT at FROM verdict JOIN study_item USING (answer_id)",
    }
    if field == "configuration":
        return f"{MODELS[0]} · low · shared"
    if field == "answer key":
        return StudyStore(database).items(study_id)[0].key
    if field in ("annotator", "seed"):
        return {"annotator": "Dagmar", "seed": "seed-of-the-draw"}[field]
    return str(database.read().execute(statements[field]).fetchone()[0])


FIELDS = (
    "judge label",
    "stratum",
    "cell",
    "model",
    "harness",
    "effort",
    "configuration",
    "configuration hash",
    "answer uuid",
    "answer id",
    "answer key",
    "run id",
    "rationale",
    "judge",
    "run",
    "study",
    "manifest",
    "masked passage",
    "time of a verdict",
    "annotator",
    "seed",
)


def _in_a_new_table(packet: Path, value: str) -> Path:
    return _sql(packet, "CREATE TABLE cache (content TEXT)", ("INSERT INTO cache VALUES (?)", value))


def _in_a_free_page(packet: Path, value: str) -> Path:
    """Written and deleted again without overwriting: the bytes stay in a page that no table has."""
    return _sql(
        packet,
        "PRAGMA secure_delete = OFF",
        "CREATE TABLE gone (content TEXT)",
        ("INSERT INTO gone VALUES (? || zeroblob(5000))", f" {value} "),
        "DROP TABLE gone",
    )


def _after_the_last_page(packet: Path, value: str) -> Path:
    with packet.open("ab") as file:
        file.write(b"\0" * 512 + value.encode() + b"\0" * (4096 - 512 - len(value.encode())))
    return packet


def _in_utf_16(packet: Path, value: str) -> Path:
    with packet.open("ab") as file:
        file.write(value.encode("utf-16-le").ljust(4096, b"\0"))
    return packet


def _in_a_skip(packet: Path, value: str) -> Path:
    """A cell of the screen's own state."""
    return _sql(packet, ("INSERT INTO skip (item, at) SELECT item, ? FROM item LIMIT 1", value))


def _in_the_name(packet: Path, value: str) -> Path:
    safe = "".join(letter if letter not in "/\\\0" else "-" for letter in value)[:120]
    return packet.rename(packet.with_name(f"packet-{safe}.btcp"))


def _beside(packet: Path, value: str) -> Path:
    packet.with_name(f".{packet.name}.partial").write_text(f"kept: {value}", encoding="utf-8")
    return packet


def _beside_as_a_name(packet: Path, value: str) -> Path:
    safe = value.replace("/", "-")[:120]
    packet.with_name(f"{packet.stem} {safe}.tmp").touch()
    return packet


def _sql(packet: Path, *statements: str | tuple[str, str]) -> Path:
    connection = sqlite3.connect(packet)
    for statement in statements:
        connection.execute(*((statement,) if isinstance(statement, str) else (statement[0], (statement[1],))))
        connection.commit()
    connection.close()
    return packet


IN_PACKETS: dict[str, Callable[[Path, str], Path]] = {
    "a table": _in_a_new_table,
    "a free page": _in_a_free_page,
    "after the last page": _after_the_last_page,
    "UTF-16": _in_utf_16,
    "a cell": _in_a_skip,
    "the file name": _in_the_name,
    "a file beside it": _beside,
    "a name beside it": _beside_as_a_name,
}


def _audit(database: Database, study_id: StudyId, packet: Path) -> AuditReport:
    audit = LeakAudit(database, study_id)
    audit.packet(packet)
    return audit.report


def _names(report: AuditReport, what: str, value: str) -> bool:
    """Whether a leak is of that field, or its word is part of the value (a model's name within a configuration's)."""
    folded = value.casefold()
    return any(leak.what == what or (len(leak.text) > 3 and leak.text.casefold() in folded) for leak in report.leaks)


def test_a_packet_as_it_is_issued_has_no_leak(database: Database, study_id: StudyId, packet: Path) -> None:
    """The window, which is started for it, says nothing either."""
    report = audit_study(database, study_id, [packet], Progress())
    assert report.leaks == ()
    of_the_window = {"window titles", "window texts", "tool tips", "accessible names", "object names", "action data"}
    assert set(report.channels) - of_the_window - {"properties", "clipboard", "file attributes"} == {
        "packet tables",
        "packet cells",
        "shown text",
        "packet pages",
        "file name",
        "file times",
        "order",
        "item ids",
        "files beside the packet",
        "process arguments",
        "environment",
    }
    assert of_the_window <= set(report.channels) | {"action data"}
    assert report.words > 60


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("place", IN_PACKETS)
def test_each_hidden_field_planted_in_each_part_of_a_packet_is_caught(
    database: Database, study_id: StudyId, packet: Path, place: str, field: str
) -> None:
    value = _hidden(database, study_id, field)
    if "/" in value and "name" in place:
        pytest.skip("a file's name can't hold it")
    planted = IN_PACKETS[place](packet, value)
    report = _audit(database, study_id, planted)
    assert _names(report, field, value), list(report.leaks)


@pytest.mark.parametrize("field", FIELDS)
def test_each_hidden_field_planted_outside_of_packets_is_caught(
    database: Database, study_id: StudyId, tmp_path: Path, field: str
) -> None:
    """Logs, settings with recent files, temporary files, exports before unblinding, arguments, environment."""
    value = _hidden(database, study_id, field)
    for channel, name, text in (
        ("log files", "btc_gui.log", f"2026-07-01 INFO btc_gui: {value}\n"),
        ("recent files", "settings.toml", f'recent = ["/home/a/{value}"]'),
        ("temporary files", "btc-1.tmp", value),
        ("exports", "labels.csv", f"item,judge\n1,{value}\n"),
    ):
        folder = tmp_path / channel
        folder.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
        audit = LeakAudit(database, study_id)
        audit.files(channel, [folder], "PK")
        assert _names(audit.report, field, value), channel
        assert {leak.channel for leak in audit.report.leaks} == {channel}
    audit = LeakAudit(database, study_id)
    audit.search([Piece("process arguments", "", f"--{value}"), Piece("environment", "BTC_STATE", value)], "PK")
    assert {leak.channel for leak in audit.report.leaks} == {"process arguments", "environment"}


def test_logs_of_the_app_are_searched_and_raw_logs_of_evaluations_are_not() -> None:
    """What every run writes on a researcher's machine would make each audit cry wolf."""
    state = paths.state()
    (state / "evaluation" / "logs").mkdir(parents=True)
    (state / "evaluation" / "logs" / "run-2.eval").write_text("Zyxomodel-Prime", encoding="utf-8")
    (state / "btc_gui.log").write_text("opened a case", encoding="utf-8")
    assert written_by_the_app()["log files"] == [state / "btc_gui.log"]


@pytest.mark.parametrize("field", ["model", "configuration", "answer uuid", "answer key", "rationale", "judge"])
@pytest.mark.parametrize("place", ["label.note", "label.reason", "label.answers", "draft.content"])
def test_what_tells_is_caught_where_the_annotator_writes(
    database: Database, study_id: StudyId, packet: Path, field: str, place: str
) -> None:
    """A label is the annotator's, and so are common words; a model's name or a judge's sentence is neither."""
    value = _hidden(database, study_id, field)
    table, column = place.split(".")
    if table == "draft":
        _sql(packet, ("INSERT INTO draft (item, content) SELECT item, ? FROM item LIMIT 1", value))
    else:
        _sql(
            packet,
            "INSERT INTO label (sequence, item, label, reason, note, active_seconds, at, answers) "
            "SELECT 1, item, 'correct', '', '', 1, '2026-07-01T00:00:00+00:00', '' FROM item LIMIT 1",
            (f"UPDATE label SET {column} = ?", value),
        )
    _date(packet)
    report = _audit(database, study_id, packet)
    assert {leak.where for leak in report.leaks if leak.channel == "labels and notes"} == {place}
    assert _names(report, field, value)


def test_a_labelled_packet_has_no_leak(database: Database, study_id: StudyId, packet: Path) -> None:
    """What the annotator wrote is theirs; the pages are counted against it."""
    with LabellingSession(packet) as session:
        while session.current is not None and not session.is_finished:
            session.label(session.current.item, "correct", note="The judge would say correct.")
    # The verdicts of this test may be younger than a second.
    _date(packet)
    assert _audit(database, study_id, packet).leaks == ()


def test_a_mode_that_is_called_as_a_kind_of_probe_is_no_leak_where_the_page_is_named(
    tmp_path: Path,
) -> None:
    """Pages are named “demise/indirect”, and so is a failure mode; in another column the word still is one."""
    with Database.create(tmp_path / "modes.btc") as database:
        for number in range(4):
            add_failure(database, number, 0.002)
        strata = (Stratum("whole frame", 4, {"category": "demise"}),)
        study_id = add_locked_study(database, make_design(kind="failure_mode", strata=strata))
        packet = issue(database, study_id, tmp_path)
        _date(packet)
        # Neither is it on the buttons of the classes of queries and in the codebook, which the window shows.
        assert audit_study(database, study_id, [packet], Progress()).leaks == ()
        audit = LeakAudit(database, study_id)
        audit._cell("item", "page", "indirect", "PK")
        assert [(leak.what, leak.where) for leak in audit.report.leaks] == [("judge label", "item.page")]


def test_an_order_by_label_is_caught(database: Database, study_id: StudyId, packet: Path) -> None:
    """Runs of equal labels, and an order that is not the one by hash."""
    audit = LeakAudit(database, study_id)
    held = sorted(StudyStore(database).items(study_id), key=lambda item: item.machine_label)
    issued = PacketStore(database).of_study(study_id)[0]
    audit._order(packet, issued, [item.item for item in held])
    assert "the order is not the one by hash" in {leak.what for leak in audit.report.leaks}


def test_a_time_stamp_of_an_answer_is_caught(database: Database, study_id: StudyId, packet: Path) -> None:
    (moment,) = database.read().execute("SELECT CAST(strftime('%s', at) AS INTEGER) FROM verdict LIMIT 1").fetchone()
    os.utime(packet, (moment + 0.5, moment + 0.5))
    assert "file times" in {leak.channel for leak in _audit(database, study_id, packet).leaks}


def test_the_number_of_runs_of_a_known_order() -> None:
    """By hand, two classes of 10: 2 runs; mean 11, variance 90/19: (2 - 11) / sqrt(90 / 19) = -4.135."""
    assert runs_deviation(["a"] * 10 + ["b"] * 10) == pytest.approx(-4.1352, abs=1e-4)
    assert runs_deviation(["a", "b"] * 10) == pytest.approx(4.1352, abs=1e-4)
    assert runs_deviation(["a"] * 9) is None


def test_words_are_found_as_words_and_counted_against_what_is_shown() -> None:
    search = LeakSearch([Hidden("judge label", "correct")])
    assert not search.leaks([Piece("c", "", "incorrectly put")])
    assert search.leaks([Piece("c", "", "label_correct")])
    assert not search.leaks([Piece("c", "", b"xxcorrectxx", ["Correct"])])
    assert search.leaks([Piece("c", "", b"xxcorrectxxCORRECT", ["Correct"])])
    assert not search.leaks([Piece("c", "", "correct")], only_telling=True)


def test_a_file_read_part_by_part_gives_what_it_gives_as_a_whole() -> None:
    """Words across the border of two parts count once; a short one only where no letter follows in the next part."""
    words = ("low", "Zyxomodel-Prime", "né à Zürich")
    content = b"xlowly low; ZYXOMODEL-PRIMEzyxomodel-prime low" + "né à Zürich low".encode("utf-16-le")
    for size in (1, 2, 3, 7, 16, 1000):
        parts = [content[start : start + size] for start in range(0, len(content), size)]
        search = LeakSearch([Hidden("word", word) for word in words])
        assert [leak.text for leak in search.leaks_in_file("c", "f", parts)] == list(words), size
        # As UTF-8 it stands alone twice, as UTF-16 once more.
        assert [leak.text for leak in search.leaks_in_file("c", "f", parts, lambda: ["low low low"])] == list(words[1:])
        assert len(search.leaks_in_file("c", "f", parts, lambda: ["low", "low"])) == 3
        assert not LeakSearch([Hidden("word", words[1])]).leaks_in_file("c", "f", parts, lambda: [words[1]] * 2)


def test_the_fixture_hides_what_the_other_tests_plant(database: Database, study_id: StudyId) -> None:
    assert _hidden(database, study_id, "judge") == JUDGE
    assert _hidden(database, study_id, "rationale") == RATIONALE
