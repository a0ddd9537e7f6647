"""Close a study, seal what was labelled, and only then open the key."""

from __future__ import annotations

from dataclasses import asdict

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.study import Account, Study, StudyId, StudyState, StudyStep, log_problems, state_after
from btc_gui.errors import StudyError
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


def close_study(database: Database, study_id: StudyId, actor: str, *, abandon_reason: str = "") -> list[Account]:
    """End labelling and seal the labels by their hash; the key stays closed.

    Raises `StudyError` when items have no label, unless `abandon_reason` says why they never will; they are then
    counted as missing in every report.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    state_after(study.state, StudyStep.CLOSE)
    found = PacketStore(database).accounts(study)
    missing = {account.annotator: account.missing for account in found if account.missing}
    if missing and not abandon_reason.strip():
        who = ", ".join(f"{name}: {count}" for name, count in missing.items())
        raise StudyError(
            f"Items without a label: {who}.",
            "Take the packets back first, or close with the reason why they are missing.",
        )
    store.take_step(
        study_id,
        StudyStep.CLOSE,
        actor,
        {"accounts": [asdict(account) for account in found], "abandon_reason": abandon_reason.strip()},
    )
    return found


def unblind_study(database: Database, study_id: StudyId, actor: str) -> None:
    """Open the key of a closed study.

    Raises `StudyError` when the study is not closed, when its log or manifest was changed, or when the labels are
    not those that were sealed.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    state_after(study.state, StudyStep.UNBLIND)
    problems = study_problems(database, study)
    if problems:
        raise StudyError(f"The study can't be unblinded: {problems[0]}.", "Go back to a copy of the project.")
    sealed = {account.annotator: account.labels_sha256 for account in PacketStore(database).accounts(study)}
    store.take_step(study_id, StudyStep.UNBLIND, actor, {"labels_sha256": sealed})


def study_problems(database: Database, study: Study) -> list[str]:
    """What is not as the log tells it: the chain, the manifest's hash, the labels since they were sealed."""
    log = StudyStore(database).log(study.id)
    problems = log_problems(log, study.state, study.manifest_sha256)
    if study.manifest_sha256 and hash_of(study.manifest) != study.manifest_sha256:
        problems.append("the manifest was changed after the study was locked")
    if study.state is StudyState.CLOSED or study.state.is_unblinded:
        closed = [entry for entry in log if entry.step == StudyStep.CLOSE]
        sealed = {a["annotator"]: a["labels_sha256"] for entry in closed for a in entry.detail.get("accounts", [])}
        now = {account.annotator: account.labels_sha256 for account in PacketStore(database).accounts(study)}
        if sealed != now:
            problems.append("the labels are not those that were sealed when the study was closed")
    return problems
