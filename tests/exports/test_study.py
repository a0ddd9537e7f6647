"""A study's files: the same study gives the same bytes, and says wherever it is seen how it was labelled."""

from __future__ import annotations

import json
from pathlib import Path

from btc_gui.exports.study import write_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from tests.study_builders import add_judged, add_locked_study, issue, make_design


def test_the_same_study_gives_the_same_bytes(database: Database, tmp_path: Path) -> None:
    add_judged(database)
    study_id = add_locked_study(database, make_design(annotators=("PK", "DG")))
    packet = issue(database, study_id, tmp_path)
    with LabellingSession(packet) as session:
        while session.current:
            session.label(session.current.item, "correct", note='said "yes",\nthen left')
    return_packet(database, packet, "tests", Progress())
    close_study(database, study_id, "tests", abandon_reason="DG never came.")
    unblind_study(database, study_id, "tests")
    written = []
    for name in ("one", "two"):
        report = study_report(database, study_id, Progress())
        files = write_study(report, tmp_path / name, "Illustrative.")
        written.append({file.name: file.read_bytes() for file in files})
    assert written[0] == written[1]
    assert {name for name in written[0] if name.startswith("matrix_")} == {
        f"matrix_Test_study_{who}.{kind}" for who in ("PK", "DG", "PK_and_DG") for kind in ("csv", "svg")
    }
    report_json = json.loads(written[0]["report_Test_study.json"])
    assert (report_json["mode"], report_json["annotators"][1]["missing"]) == ("blind", 8)
    assert report_json["frame_shares"] == {"correct": 0.625, "incorrect": 0.375}
    assert 'said ""yes"",\nthen left' in written[0]["labels_Test_study.csv"].decode()
