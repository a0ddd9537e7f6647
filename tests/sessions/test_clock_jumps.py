"""A clock that jumps (summer time, a flight, a flat battery) moves no label, and adds no time to one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from btc_gui.domain.packet import summarise
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, study_problems, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.active_time import IDLE_AFTER
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store import packet_file, packets, studies
from btc_gui.store.database import Database
from btc_gui.store.packet_file import PacketFile
from btc_gui.store.studies import StudyStore
from tests.study_builders import add_judged, add_locked_study, issue, item_id, write_packet

#: Back a year, forward seventy, the same moment twice, and before there was such a clock.
_JUMPS = (
    "2026-03-29T00:59:59Z",
    "2025-01-01T00:00:00Z",
    "2099-12-31T23:59:59Z",
    "2026-03-29T00:59:59Z",
    "1970-01-01T00:00:00Z",
)


def jumping() -> Iterator[str]:
    while True:
        yield from _JUMPS


@pytest.fixture
def jumping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall clock of everything that notes when something was labelled, returned or decided."""
    moments = jumping()
    for module in (packet_file, packets, studies):
        monkeypatch.setattr(module, "now_utc", lambda: next(moments))


def test_order_undo_and_the_first_label_follow_the_row_and_not_the_clock(jumping_clock: None, tmp_path: Path) -> None:
    packet = write_packet(tmp_path / "p.btcp", 4)
    with LabellingSession(packet) as session:
        for number in (1, 2, 3):
            session.label(item_id(number), "correct")
        session.back()
        session.label(item_id(3), "incorrect")
    with LabellingSession(packet) as session:
        assert session.undo() == item_id(3)
        assert session.undo() == item_id(3)
        session.label(item_id(3), "incorrect")
        session.label(item_id(4), "correct")
        assert session.is_finished
    with PacketFile.open(packet, to_label=False) as file:
        rows = file.labels()
    assert [row.sequence for row in rows] == list(range(1, 9))
    assert len({row.at for row in rows}) == 4
    analysed = summarise(rows).analysed
    assert [analysed[item_id(n)].label for n in (1, 2, 3, 4)] == ["correct", "correct", "incorrect", "correct"]


def test_a_study_whose_clock_jumps_comes_to_its_report(jumping_clock: None, database: Database, tmp_path: Path) -> None:
    """The log's chain rests on hashes: a line dated before the one above it is no break."""
    add_judged(database)
    study_id = add_locked_study(database)
    packet = issue(database, study_id, tmp_path)
    with LabellingSession(packet) as session:
        while session.current:
            session.label(session.current.item, "correct")
            session.back()
            assert session.current is not None
            session.label(session.current.item, "incorrect")
    return_packet(database, packet, "tests", Progress())
    assert return_packet(database, packet, "tests", Progress()).new_rows == 0
    close_study(database, study_id, "tests")
    unblind_study(database, study_id, "tests")
    assert study_problems(database, StudyStore(database).get(study_id)) == []
    report = study_report(database, study_id, Progress())
    # The first label of each item counts, also where the later one carries the earlier time.
    assert report.annotators[0].agreement.matrix.column_totals == (8, 0)


def test_a_jump_of_the_machines_own_clock_is_no_work(tmp_path: Path) -> None:
    """A lid that was closed overnight counts as idle; a clock that went back counts nothing."""
    packet = write_packet(tmp_path / "p.btcp", 3)
    now = 1_000.0
    with LabellingSession(packet, clock=lambda: now) as session:
        now += 12 * 3_600
        session.label(item_id(1), "correct")
        now -= 50_000
        session.label(item_id(2), "correct")
        now += 7
        session.label(item_id(3), "correct")
    with PacketFile.open(packet, to_label=False) as file:
        assert [row.active_seconds for row in file.labels()] == [IDLE_AFTER, 0.0, 7.0]
