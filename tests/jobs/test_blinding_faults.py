"""Faults of other tools that show an annotator what others have said. The marks are those of the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.errors import StudyError
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.progress import Progress
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.database import Database
from tests.study_builders import add_judged, add_locked_study, issue, make_design

NOTE, REASON = "a note by the first of them", "too vague for the first of them"


@pytest.mark.parametrize("before", [True, False])
def test_the_first_annotators_labels_are_in_no_later_packet(database: Database, tmp_path: Path, before: bool) -> None:
    """B1, B5: neither as a label on screen nor anywhere in the file, whichever packet was written first."""
    add_judged(database)
    study_id = add_locked_study(database, make_design(annotators=("Perdita", "Quentin")))
    packets = {}
    if before:
        packets["Quentin"] = issue(database, study_id, tmp_path / "q", "Quentin")
    packets["Perdita"] = issue(database, study_id, tmp_path / "p", "Perdita")
    with LabellingSession(packets["Perdita"]) as session:
        while session.current:
            session.label(session.current.item, "unsure", reason=REASON, note=NOTE)
    return_packet(database, packets["Perdita"], "tests", Progress())
    # Nothing is compared while people label.
    with pytest.raises(StudyError, match="unblinded"):
        study_report(database, study_id, Progress())
    if not before:
        packets["Quentin"] = issue(database, study_id, tmp_path / "q", "Quentin")
    held = packets["Quentin"].read_bytes()
    assert b"Quentin" in held
    assert [text for text in (NOTE, REASON, "Perdita") if text.encode() in held] == []
    with LabellingSession(packets["Quentin"]) as session:
        assert session.done == 0
        assert not session.can_undo
        for _ in range(session.total):
            assert session.given is None
            assert session.draft.text == ""
            session.forward()
