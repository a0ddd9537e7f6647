"""Close a study, seal what was labelled, and only then open the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from btc_gui.domain.hashing import hash_of
from btc_gui.domain.packet import PacketId, labels_digest
from btc_gui.domain.study import (
    EXPOSED,
    LATE,
    Account,
    LogEntry,
    Study,
    StudyId,
    StudyStep,
    log_problems,
    state_after,
)
from btc_gui.domain.study_draw import key_digest
from btc_gui.errors import StudyError
from btc_gui.store.database import Database
from btc_gui.store.packets import PacketStore
from btc_gui.store.studies import StudyStore


def close_study(database: Database, study_id: StudyId, actor: str, *, abandon_reason: str = "") -> list[Account]:
    """End labelling and seal the labels by their hash; the key stays closed.

    Raises `StudyError` when items have no label, unless `abandon_reason` says why they never will; they are then
    counted as missing in every report; and when log, manifest, key or labels were changed behind its back.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    state_after(study.state, StudyStep.CLOSE)
    _check(database, study, "closed")
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

    Raises `StudyError` when the study is not closed, when its log, manifest or key was changed, or when the labels
    are not those that were sealed.
    """
    store = StudyStore(database)
    study = store.get(study_id)
    state_after(study.state, StudyStep.UNBLIND)
    _check(database, study, "unblinded")
    # Once more, with what the adjudicators sent back after the study was closed.
    store.take_step(study_id, StudyStep.UNBLIND, actor, {"sealed": _seals(database, study)})


def _check(database: Database, study: Study, done: str) -> None:
    problems = study_problems(database, study)
    if problems:
        raise StudyError(f"The study can't be {done}: {problems[0]}.", "Go back to a copy of the project.")


def _seals(database: Database, study: Study) -> dict[str, dict[str, object]]:
    """For every packet how many rows came back, and their hash."""
    packets = PacketStore(database)
    seals: dict[str, dict[str, object]] = {}
    for packet in packets.of_study(study.id):
        labels = packets.labels(packet.id)
        seals[packet.id] = {"rows": len(labels), "sha256": labels_digest(labels)}
    return seals


def study_problems(database: Database, study: Study) -> list[str]:
    """What is not as the log tells it: the chain, the manifest's hash, the key, the labels since they came back and
    since they were sealed, who opened a case."""
    store = StudyStore(database)
    log = store.log(study.id)
    problems = log_problems(log, study.state, study.manifest_sha256)
    if study.manifest_sha256 and hash_of(study.manifest) != study.manifest_sha256:
        problems.append("the manifest was changed after the study was locked")
    elif study.manifest.get("key_sha256", "") not in ("", key_digest(store.items(study.id))):
        problems.append("the key was changed after the study was locked")
    problems += _broken_seals(database, log) or _changed_labels(database, log)
    told = {(entry.actor, entry.detail.get("answer")) for entry in log if entry.step == EXPOSED}
    if told - {(each.person, each.answer_id) for each in store.exposures(study.id)}:
        problems.append("a case that somebody opened, by the log, is not among the exposures any more")
    return problems


def _changed_labels(database: Database, log: Sequence[LogEntry]) -> list[str]:
    """Whether labels, late ones too, are others than those that came back the last time."""
    packets = PacketStore(database)
    came = {
        entry.detail["packet"]: entry.detail["labels_sha256"]
        for entry in log
        if entry.step in (StudyStep.RETURN, LATE) and "labels_sha256" in entry.detail
    }
    changed = [name for name, sha256 in came.items() if labels_digest(packets.labels(PacketId(name))) != sha256]
    return ["the labels are not those that came back"] if changed else []


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
