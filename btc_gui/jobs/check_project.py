"""Check a project: that the file is whole and that what it says fits together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from btc_gui.domain.category import installed_categories
from btc_gui.domain.lint import Severity
from btc_gui.domain.outside_text import on_one_line
from btc_gui.domain.packet import labels_digest
from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.study import LATE, LogEntry, Study, StudyState, StudyStep
from btc_gui.jobs.check_samples import no_search_accuracies, sample_notes
from btc_gui.jobs.same_family import kin
from btc_gui.jobs.stale_replies import StaleReplies, stale_classifications, stale_verdicts
from btc_gui.jobs.unblind_study import study_problems
from btc_gui.progress import Progress
from btc_gui.store.classifications import ClassificationStore
from btc_gui.store.database import Database
from btc_gui.store.judges import JudgeStore
from btc_gui.store.lint import UNCHECKED
from btc_gui.store.model_calls import ModelCallStore
from btc_gui.store.own_categories import used_categories
from btc_gui.store.packets import PacketStore
from btc_gui.store.probes import ProbeQuery, ProbeStore
from btc_gui.store.project_file import lacks_last_changes
from btc_gui.store.runs import RunStore
from btc_gui.store.stored_hashes import damaged
from btc_gui.store.studies import StudyStore

ERROR, NOTE, FIGURE = "error", "note", "figure"
#: How many probes are named one by one.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong (`error`), wants attention (`note`) or is as it should be (`figure`).

    `check` names the check that found it.
    """

    severity: str
    text: str
    check: str = ""


def check_project(database: Database, progress: Progress) -> list[Finding]:
    """All findings about a project; without errors and notes it is sound. Reads the whole file.

    Raises `Cancelled`, and `SettingsError` when a category or a models file is wrong.
    """
    findings: list[Finding] = []
    for number, (name, check) in enumerate(CHECKS.items()):
        progress.report(number, len(CHECKS), name)
        findings += [Finding(found.severity, found.text, name) for found in check(database)]
        if name == "integrity" and any(found.severity == ERROR for found in findings):
            # What rows say is worth nothing when the rows can't be trusted.
            findings.append(Finding(NOTE, "Nothing else was checked: the file is damaged. Go back to a copy.", name))
            break
    progress.report(len(CHECKS), len(CHECKS))
    return findings


def _integrity(database: Database) -> Iterator[Finding]:
    if database.lacks_last_changes:
        yield Finding(NOTE, str(lacks_last_changes(database.path)))
    if added := database.added_parts():
        named = ", ".join(f"{kind} “{on_one_line(name, 40)}”" for kind, name in added if kind != "index")
        yield Finding(FIGURE, f"Added by people, kept and not looked into: {named}.")
    problems = database.integrity_problems()
    for text in problems:
        yield Finding(ERROR, text)
    for text in () if problems else damaged(database):
        yield Finding(ERROR, text)


def _categories(database: Database) -> Iterator[Finding]:
    for each in used_categories(database):
        if each.problem:
            yield Finding(NOTE, each.problem)


def _approvals(database: Database) -> Iterator[Finding]:
    stale = ProbeStore(database).ids(ProbeQuery(only_stale=True))
    if stale:
        yield Finding(
            NOTE, f"{len(stale)} accepted probes were approved for facts that have changed: review them again."
        )


def _lint(database: Database) -> Iterator[Finding]:
    store, accepted = ProbeStore(database), (ReviewStatus.ACCEPTED,)
    broken = store.ids(ProbeQuery(statuses=accepted, lint=(Severity.ERROR,)))
    if broken:
        keys = ", ".join(each.key for each in store.fetch(broken[:_NAMED]).values())
        more = f" and {len(broken) - _NAMED:,} more" if len(broken) > _NAMED else ""
        yield Finding(
            NOTE, f"{len(broken):,} accepted probes have an error of the linter that nobody let pass: {keys}{more}."
        )
    unchecked = store.ids(ProbeQuery(statuses=accepted, lint=(UNCHECKED,)))
    if unchecked:
        yield Finding(
            NOTE,
            f"{len(unchecked):,} accepted probes were not linted as they are now: run “btc-gui lint”, or “Check what "
            "is unchecked” on Probes.",
        )


def _runs(database: Database) -> Iterator[Finding]:
    store = RunStore(database)
    for run in store.fetch(store.ids()).values():
        pending = store.count_pending(run.id)
        if pending:
            yield Finding(
                NOTE,
                f"Run {run.id} “{run.name}” has {pending:,} samples without an answer: "
                f"btc-gui evaluate --resume {run.id}",
            )


def _calls(database: Database) -> Iterator[Finding]:
    store = ModelCallStore(database)
    for role in ("generator", "judge", "classifier"):
        count, newest = store.count_failures(role)
        if count:
            yield Finding(NOTE, f"{count:,} requests to a {role} failed and were not answered since; last: {newest}")


def _judges(database: Database) -> Iterator[Finding]:
    store = JudgeStore(database)
    judges = store.counts()
    counting = [each for each in judges if each.counting]
    if len(counting) > 1:
        who = ", ".join(f"{each.judge}: {each.counting:,}" for each in counting)
        yield Finding(
            NOTE, f"Verdicts of several judges count in results ({who}): choose one with “btc-gui judges --primary”."
        )
    categories = installed_categories()
    for each in judges:
        yield from _stale("verdicts", "judge", stale_verdicts(database, each.judge, categories))


def _classifiers(database: Database) -> Iterator[Finding]:
    categories = installed_categories()
    for classifier in ClassificationStore(database).classifiers():
        yield from _stale("classifications", "classify", stale_classifications(database, classifier, categories))


def _stale(what: str, verb: str, stale: StaleReplies) -> Iterator[Finding]:
    if stale.total:
        yield Finding(
            NOTE,
            f"{stale.total:,} {what} of {stale.model} are stale ({stale.criteria:,} by other criteria, "
            f"{stale.facts:,} for other facts than now): {verb} again.",
        )


def _filter(database: Database) -> Iterator[Finding]:
    """The invariant of the filter: without search, a model gets none of its retained probes right."""
    for each in no_search_accuracies(database):
        text = f"{each.text}: it must be 0." if each.correct else f"{each.text}."
        yield Finding(ERROR if each.correct else FIGURE, text)


def _samples(database: Database) -> Iterator[Finding]:
    for text in sample_notes(database):
        yield Finding(NOTE, text)


def _families(database: Database) -> Iterator[Finding]:
    for each in kin(database):
        yield Finding(NOTE, f"{each.text[0].upper()}{each.text[1:]}")


def _study_logs(database: Database) -> Iterator[Finding]:
    for study in StudyStore(database).all():
        for problem in study_problems(database, study):
            yield Finding(ERROR, f"Study “{study.name}”: {problem}.")


def _blinding(database: Database) -> Iterator[Finding]:
    """That the packets are those which the log tells of, and the labels those that came back in them."""
    store = StudyStore(database)
    for study in store.all():
        log = store.log(study.id)
        steps = (StudyStep.ISSUE, StudyStep.ADJUDICATE)
        issued = {e.detail["packet"]: e for e in log if e.step in steps and not e.detail.get("again")}
        packets = PacketStore(database)
        found = {packet.id: packet for packet in packets.of_study(study.id)}
        for packet_id, packet in found.items():
            who = f"Study “{study.name}”: the packet of {packet.annotator}"
            entry = issued.get(packet_id)
            if entry is None:
                yield Finding(ERROR, f"{who} was never issued, by the log.")
            elif entry.detail.get("digest") != packet.digest:
                yield Finding(ERROR, f"{who} is not the one that was issued, by its seal.")
            returned = _last_return(log, packet_id)
            labels = packets.labels(packet_id)
            if returned is not None and returned.detail.get("labels_sha256") != labels_digest(labels):
                yield Finding(ERROR, f"{who}: its labels are not those that came back in it.")
            elif returned is None and labels:
                yield Finding(ERROR, f"{who} has labels although it never came back, by the log.")
            elif not packet.returned_at and study.state in (StudyState.PRACTICE, StudyState.LABELLING):
                yield Finding(NOTE, f"{who}, issued {packet.issued_at[:10]}, has not come back.")
        for missing in sorted(set(issued) - set(found)):
            who = issued[missing].detail.get("annotator", "somebody")
            yield Finding(ERROR, f"Study “{study.name}”: the packet of {who} was issued and is gone from the project.")
        yield from _seen_by_annotators(store, study)


def _last_return(log: list[LogEntry], packet_id: str) -> LogEntry | None:
    steps = (StudyStep.RETURN, LATE)
    back = [entry for entry in log if entry.step in steps and entry.detail.get("packet") == packet_id]
    return back[-1] if back else None


def _seen_by_annotators(store: StudyStore, study: Study) -> Iterator[Finding]:
    for annotator in study.design.annotators:
        seen = sum(1 for each in store.exposures(study.id) if each.person.casefold() == annotator.casefold())
        if seen:
            yield Finding(
                NOTE,
                f"Study “{study.name}”: {annotator} opened {seen:,} of its cases in the app while it was open, "
                "so those labels are not blind.",
            )


#: All checks by name, in the order in which they are made.
CHECKS: dict[str, Callable[[Database], Iterator[Finding]]] = {
    "integrity": _integrity,
    "categories": _categories,
    "approvals": _approvals,
    "lint": _lint,
    "runs": _runs,
    "model calls": _calls,
    "judges": _judges,
    "classifiers": _classifiers,
    "families": _families,
    "filter": _filter,
    "samples": _samples,
    "study logs": _study_logs,
    "blinding": _blinding,
}
