"""What the Validation page may rely on: a preview that changes nothing, and the state of every study."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.domain.study import StudyStep
from btc_gui.errors import InputError, StudyError
from btc_gui.jobs.lock_study import lock_study
from btc_gui.progress import Progress
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.database import Database
from tests.study_builders import JUDGE, add_judged, issue, make_categories


def test_the_preview_is_what_locking_draws(database: Database) -> None:
    add_judged(database)
    session = ValidatingSession(database, make_categories())
    assert [kind.name for kind in session.kinds] == ["judge_verdict", "failure_mode"]
    assert session.machines("judge_verdict") == [JUDGE]
    design = session.with_sizes(session.propose("judge_verdict", ["PK"], "s1"), {"accepted": 4})
    preview = session.preview(design)
    assert preview.problem == ""
    assert [(s.name, s.wanted, s.available, s.drawn) for s in preview.strata] == [
        ("accepted", 4, 10, 4),
        ("rejected", 100, 6, 6),
    ]
    assert session.studies() == []
    study_id = session.new("Judge", design, "tests")
    locked = lock_study(database, study_id, session.categories, "tests", Progress())
    assert len(locked.items) == preview.drawn == 10


def test_a_frame_without_labels_says_what_to_do_first(database: Database) -> None:
    session = ValidatingSession(database, make_categories())
    with pytest.raises(StudyError, match="No judge has labelled anything yet"):
        session.preview(session.propose("judge_verdict", ["PK"], "s1"))
    with pytest.raises(InputError, match="no kind of study"):
        session.propose("taste", ["PK"], "s1")


def test_a_study_says_what_can_be_done_next(database: Database, tmp_path: Path) -> None:
    add_judged(database)
    session = ValidatingSession(database, make_categories())
    study_id = session.new("Judge", session.propose("judge_verdict", ["PK"], "s1", 6), "tests")
    assert session.study(study_id).steps == (StudyStep.LOCK,)
    with pytest.raises(InputError, match="called “Judge” already"):
        session.new("Judge", session.propose("judge_verdict", ["PK"], "s1", 6), "tests")
    lock_study(database, study_id, session.categories, "tests", Progress())
    issue(database, study_id, tmp_path)
    line = session.study(study_id)
    assert (line.items, line.expected, line.back) == (6, 6, 0)
    assert StudyStep.CLOSE in line.steps
    (account,) = session.accounts(study_id)
    assert (account.annotator, account.sent, account.back, account.missing) == ("PK", 6, 0, 6)
    assert [entry.step for entry in session.log(study_id)] == ["create", "lock", "issue a packet"]
