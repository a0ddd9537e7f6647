"""Packets and projects as files: torn, turned and with odd values in every column, they open or are refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui.errors import BtcError
from btc_gui.jobs.check_project import check_project
from btc_gui.jobs.explain_case import opinions_on
from btc_gui.jobs.read_results import read_results
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore
from tests.fuzz.mutating import VALUES, fuzz, is_sentence, no_hang
from tests.study_builders import add_judged, add_locked_study, issue, make_categories, write_practice_packet

Read = Callable[[Path], None]
#: What a cell may hold instead: SQLite's STRICT tables refuse other types, CHECKs other words.
_ODD = st.one_of(st.sampled_from(VALUES), st.integers(-(2**63), 2**63 - 1), st.floats(), st.binary(max_size=4))
_BYTES = st.lists(
    st.tuples(st.integers(0, 2**24), st.one_of(st.binary(min_size=1, max_size=4), st.just(b"\x00" * 512))),
    min_size=1,
    max_size=4,
)


def _label(path: Path) -> None:
    """What the labelling window does: all texts, a label, and taking it back."""
    with LabellingSession(path) as session:
        _ = session.manifest, dict(session.pages), session.draft, session.first
        practice = session.practice
        if practice is not None:
            _ = [entry.values for entry in practice.open_items]
        for item in list(session.open_items()):
            _ = item.searches(), item.excerpts()
            session.show(item.item)
            _ = session.draft, session.given


def _return(path: Path) -> None:
    """What taking a packet back does before it looks into the project."""
    with PacketFile.open(path, to_label=False) as file:
        outline = file.outline()
        json.dumps([each.as_json() for each in file.labels()], ensure_ascii=False).encode("utf-8")
        _ = file.practice_labels(), file.skips()
        for entry in outline.entries:
            file.item(entry)


def _project(path: Path) -> None:
    """What opening a project's pages reads."""
    with Database.open(path) as database:
        ProjectStore(database).counts()
        probes = ProbeStore(database)
        for probe_id, _ in probes.keys().values():
            _ = probes.get(probe_id), probes.revisions(probe_id), ReviewStore(database).log(probe_id)
        RunStore(database).fetch(RunStore(database).ids())
        cases = CaseStore(database)
        found = cases.ids()
        _ = cases.facets(), cases.fetch(found)
        for answer_id in found[:2]:
            opinions_on(database, answer_id, make_categories())
        for study in StudyStore(database).all():
            StudyStore(database).log(study.id)
        read_results(database, Progress())


def _check(path: Path) -> None:
    with Database.open(path) as database:
        for finding in check_project(database, Progress()):
            assert is_sentence(finding.text)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A packet and a project, each with something in most of its tables."""
    folder = tmp_path_factory.mktemp("databases")
    packet = write_practice_packet(folder / "whole.btcp")
    with Database.create(folder / "whole.btc", "Fuzz") as database:
        add_judged(database)
        issue(database, add_locked_study(database), folder)
    return {"packet": packet, "project": folder / "whole.btc"}


READERS: dict[str, tuple[str, Read]] = {
    "labelling": ("packet", _label),
    "returning": ("packet", _return),
    "pages": ("project", _project),
    "check": ("project", _check),
}


def _read(read: Read, path: Path) -> None:
    refusal: BtcError | None = None
    with no_hang():
        try:
            read(path)
        except BtcError as error:
            refusal = error
    assert refusal is None or is_sentence(str(refusal))


def _fresh(whole: Path, folder: Path) -> Path:
    for old in folder.glob("fuzzed*"):
        old.unlink()
    return Path(shutil.copy(whole, folder / f"fuzzed{whole.suffix}"))


@pytest.mark.parametrize("name", READERS)
def test_turned_bytes(name: str, files: dict[str, Path], tmp_path: Path) -> None:
    """Pages with other bytes in them, or cut off: what can't be read is refused as damaged."""
    which, read = READERS[name]

    @fuzz(6)
    @given(changes=_BYTES, cut=st.one_of(st.none(), st.integers(0, 2**24)))
    def check(changes: list[tuple[int, bytes]], cut: int | None) -> None:
        path = _fresh(files[which], tmp_path)
        content = bytearray(path.read_bytes())
        for place, piece in changes:
            start = place % len(content)
            content[start : start + len(piece)] = piece
        path.write_bytes(content if cut is None else content[: cut % len(content)])
        _read(read, path)

    check()


def _columns(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            row[0]
            for row in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT' ORDER BY name"
            )
        ]
        return [(table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("name", ["labelling", "returning", "check"])
def test_odd_values(name: str, files: dict[str, Path], tmp_path: Path) -> None:
    """A stranger wrote what SQLite let them write into our tables."""
    which, read = READERS[name]
    columns = _columns(files[which])

    @fuzz(6)
    @given(changes=st.lists(st.tuples(st.sampled_from(columns), _ODD), min_size=1, max_size=3))
    def check(changes: list[tuple[tuple[str, str], object]]) -> None:
        path = _fresh(files[which], tmp_path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for (table, column), value in changes:
                # What STRICT or a CHECK forbids stays as it was.
                with suppress(sqlite3.Error, UnicodeError):
                    connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        _read(read, path)

    check()
