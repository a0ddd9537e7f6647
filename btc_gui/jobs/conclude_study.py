"""After unblinding: note that a report was exported, and note deviations from the plan."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.study import StudyId, StudyStep, state_after
from btc_gui.errors import StudyError
from btc_gui.store.database import Database
from btc_gui.store.studies import StudyStore

#: The log itself grows with every note; its chain of hashes vouches for it.
_UNHASHED = ("log_",)


def note_report(database: Database, study_id: StudyId, files: Sequence[Path], actor: str) -> bool:
    """Note in the study's log that its report was exported, with the SHA-256 of every file.

    The same files once more are not noted again; gives whether a line was added. Raises `StudyError` before the
    study is unblinded.
    """
    store = StudyStore(database)
    state_after(store.get(study_id).state, StudyStep.ANALYSE)
    hashes = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(files)
        if not file.name.startswith(_UNHASHED)
    }
    exported = [entry for entry in store.log(study_id) if entry.step == StudyStep.ANALYSE]
    if exported and exported[-1].detail.get("files") == hashes:
        return False
    report = next(
        (value for name, value in hashes.items() if name.startswith("report_") and name.endswith(".json")), ""
    )
    store.take_step(study_id, StudyStep.ANALYSE, actor, {"report_sha256": report, "files": hashes})
    return True


def amend_study(database: Database, study_id: StudyId, reason: str, actor: str) -> None:
    """Note a deviation from the plan; it stands in the log and in every later report.

    Raises `StudyError` without a reason, and before the study is unblinded.
    """
    if not reason.strip():
        raise StudyError("A deviation needs a reason.", "Say what was done otherwise than planned, and why.")
    StudyStore(database).take_step(study_id, StudyStep.AMEND, actor, {"reason": reason.strip()})
