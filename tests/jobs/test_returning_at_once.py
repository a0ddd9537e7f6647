"""Packets that come back in the same moment, into one project, from several processes."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from btc_gui.domain.study import StudyId
from btc_gui.errors import BtcError
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.unblind_study import study_problems
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore
from tests.study_builders import add_judged, add_locked_study, issue, make_design

_PATIENCE = 120.0


def _give_back(project: Path, packet: Path, start: Barrier, pipe: Connection) -> None:
    """In a process of its own: take one packet back, and say how many rows were new."""
    with Database.open(project) as database:
        start.wait(_PATIENCE)
        try:
            report = return_packet(database, packet, packet.name, Progress())
        except BtcError as error:
            pipe.send(str(error))
        else:
            pipe.send((report.annotator, report.new_rows, report.missing))


def give_back_at_once(project: Path, packets: list[Path]) -> list[object]:
    """What each process said, in the order of `packets`."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.scripted_annotator", __name__])
    start = context.Barrier(len(packets))
    pipes = [context.Pipe(duplex=False) for _ in packets]
    children = [
        context.Process(target=_give_back, args=(project, packet, start, theirs))
        for packet, (_, theirs) in zip(packets, pipes, strict=True)
    ]
    for child in children:
        child.start()
    said = []
    for mine, _ in pipes:
        assert mine.poll(_PATIENCE)
        said.append(mine.recv())
    for child in children:
        child.join()
    for mine, theirs in pipes:
        mine.close()
        theirs.close()
    return said


@pytest.fixture
def study_id(database: Database) -> StudyId:
    add_judged(database)
    return add_locked_study(database, make_design(annotators=("PK", "DG")))


def labelled(database: Database, study_id: StudyId, folder: Path, annotator: str) -> Path:
    packet = issue(database, study_id, folder, annotator)
    with LabellingSession(packet) as session:
        while session.current:
            session.label(session.current.item, "correct", note=f"by {annotator}")
    return packet


def test_two_annotators_and_one_of_them_twice_come_back_in_the_same_moment(
    database: Database, study_id: StudyId, tmp_path: Path
) -> None:
    """A14, A15, X4: every label is there once, a packet that comes twice is said to be known, the log's chain holds."""
    packets = [labelled(database, study_id, tmp_path, who) for who in ("PK", "DG")]
    said = give_back_at_once(database.path, [packets[0], packets[1], packets[1]])
    assert said[0] == ("PK", 8, 0)
    assert sorted([said[1], said[2]], key=str) == [("DG", 0, 0), ("DG", 8, 0)]
    study = StudyStore(database).get(study_id)
    assert study_problems(database, study) == []
    assert [(each.annotator, each.back, each.missing) for each in PacketStore(database).accounts(study)] == [
        ("PK", 8, 0),
        ("DG", 8, 0),
    ]
    issued = PacketStore(database).of_study(study_id)
    notes = {packet.annotator: {row.note for row in PacketStore(database).labels(packet.id)} for packet in issued}
    assert notes == {"PK": {"by PK"}, "DG": {"by DG"}}
    assert database.integrity_problems() == []
