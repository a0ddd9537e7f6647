"""Check a project: that the file is whole and that what it says fits together."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeQuery, ProbeStore


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong (`error`) or wants attention (`note`)."""

    severity: str
    text: str


def check_project(database: Database, progress: Progress) -> list[Finding]:
    """All findings about a project; an empty list means that it is sound. Reads the whole file."""
    progress.report(0, 2, "integrity")
    findings = [Finding("error", text) for text in database.integrity_problems()]
    progress.report(1, 2, "approvals")
    stale = ProbeStore(database).ids(ProbeQuery(only_stale=True))
    if stale:
        findings.append(
            Finding(
                "note", f"{len(stale)} accepted probes were approved for facts that have changed: review them again."
            )
        )
    progress.report(2, 2)
    return findings
