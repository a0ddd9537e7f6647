"""Close a study, seal what was labelled, and only then open the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.packet import PacketId, labels_digest
from btc_gui.domain.study import Account, LogEntry, Study, StudyId, StudyState, StudyStep, log_problems, state_after
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
    missing = [account for account in found if account.missing]
    if missing and not abandon_reason.strip():
        first = study.design.mode.layers[0]
        who = ", ".join(
            f"{each.annotator}: {each.missing}" + (f" ({each.layer})" if each.layer is not first else "")
            for each in missing
        )
        raise StudyError(
            f"Items without a label: {who}.",
            "Take the packets back first, or close with the reason why they are missing.",
        )
    store.take_step(
        study_id,
        StudyStep.CLOSE,
        actor,
        {
            "accounts": [asdict(account) for account in found],
            "abandon_reason": abandon_reason.strip(),
            "sealed": _seals(database, study),
        },
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
    # Once more, with what the adjudicators sent back after the study was closed.
    store.take_step(study_id, StudyStep.UNBLIND, actor, {"sealed": _seals(database, study)})


def _seals(database: Database, study: Study) -> dict[str, dict[str, object]]:
    """For every packet how many rows came back, and their hash."""
    packets = PacketStore(database)
    seals: dict[str, dict[str, object]] = {}
    for packet in packets.of_study(study.id):
        labels = packets.labels(packet.id)
        seals[packet.id] = {"rows": len(labels), "sha256": labels_digest(labels)}
    return seals


def study_problems(database: Database, study: Study) -> list[str]:
    """What is not as the log tells it: the chain, the manifest's hash, the labels since they were sealed."""
    log = StudyStore(database).log(study.id)
    problems = log_problems(log, study.state, study.manifest_sha256)
    if study.manifest_sha256 and hash_of(study.manifest) != study.manifest_sha256:
        problems.append("the manifest was changed after the study was locked")
    if study.state is StudyState.CLOSED or study.state.is_unblinded:
        problems += _broken_seals(database, log)
    return problems


def _broken_seals(database: Database, log: Sequence[LogEntry]) -> list[str]:
    """Which labels are not those that were sealed. Rows that came later are no break: no figure uses them."""
    packets = PacketStore(database)
    sealed: dict[str, tuple[int | None, str]] = {}
    for entry in log:
        if entry.step == StudyStep.CLOSE:
            # Studies that were closed by earlier versions sealed the labels of every annotator.
            accounts = entry.detail.get("accounts", [])
            sealed |= {a["packet"]: (None, a["labels_sha256"]) for a in accounts if a["packet"]}
        if entry.step in (StudyStep.CLOSE, StudyStep.UNBLIND):
            sealed |= {name: (seal["rows"], seal["sha256"]) for name, seal in entry.detail.get("sealed", {}).items()}
    broken = [
        packet_id
        for packet_id, (rows, sha256) in sealed.items()
        if labels_digest(packets.labels(PacketId(packet_id))[:rows]) != sha256
    ]
    return ["the labels are not those that were sealed when the study was closed"] if broken else []
