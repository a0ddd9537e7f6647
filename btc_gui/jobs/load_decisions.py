"""Take a curator's decisions on probes from a file, as the keyboard would have made them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.load_report import LoadReport, NothingLoaded, Rejection
from btc_gui.domain.probe import Probe, ProbeText
from btc_gui.domain.review import REJECT_REASONS, Action, Decision, check_decision, standing
from btc_gui.domain.table_row import LIST_MARK, BadRow, Row
from btc_gui.errors import BtcError
from btc_gui.jobs.read_table import Table, open_table
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore

_TAKEN = (Action.ACCEPT, Action.REJECT, Action.EDIT, Action.DEFER, Action.FLAG, Action.UNFLAG, Action.NOTE)
#: What each decision is replaced by, a later one of the same probe. A note is replaced by none.
_STATUS, _FLAG = (Action.ACCEPT, Action.REJECT, Action.DEFER, Action.EDIT), (Action.FLAG, Action.UNFLAG)
_REPLACED_BY = {
    **dict.fromkeys((Action.ACCEPT, Action.REJECT, Action.DEFER), _STATUS),
    Action.EDIT: (Action.EDIT,),
    **dict.fromkeys(_FLAG, _FLAG),
    Action.NOTE: (),
}


def load_decisions(database: Database, path: Path, reviewer: str, progress: Progress) -> LoadReport:
    """Append the decisions of a CSV or JSONL file, in its order, each as one durable row of the review log.

    Columns: `probe` (its id) and `action` (accept, reject, edit, defer, flag, unflag, note); `reasons` of a rejection
    (codes; a list, or joined by “|”), `note` (needed by the reason “other”), and for an edit `text`, `requester`,
    `situation`, `consequence`.
    A decision that stands already, in the same words and by the same reviewer, is known: as long as nobody decided
    otherwise since, and the probe has the wording and its event the facts that it was made for. (One that a later row
    of the file replaces need only stand.) Raises `InputError` for a file that can't be read and `NothingLoaded` when
    not one row can be taken; `Cancelled` keeps what was taken so far.
    """
    by_key = {key: probe_id for key, (probe_id, _) in ProbeStore(database).keys().items()}
    read, new, known, rejected = 0, 0, 0, list[Rejection]()
    with open_table(path, progress) as table:
        last = _last_rows(table)
        for row in table.rows():
            read += 1
            if isinstance(row, BadRow):
                rejected.append(Rejection(row.line, row.reason, row.content))
                continue
            key = row.values.get("probe", "").strip()
            try:
                if key not in by_key:
                    raise ValueError(f"unknown probe: there is none with the id “{key[:60]}” (column “probe”)")
                is_replaced = any(last.get((key, later), 0) > read for later in _REPLACED_BY[_action(row.values)])
                is_new = _take(database, ProbeStore(database).get(by_key[key]), row, reviewer, is_replaced)
            except (ValueError, BtcError) as error:
                rejected.append(Rejection(row.line, str(error), key))
                continue
            new, known = new + is_new, known + (not is_new)
            progress.report(table.done, table.file.size, f"{new:,} decisions taken")
    report = LoadReport(path.name, read, new, known, tuple(rejected))
    if rejected and not new and not known:
        raise NothingLoaded(report)
    return report


def _last_rows(table: Table) -> dict[tuple[str, str], int]:
    """Which row has the last of each action on each probe, counted from 1: an array may be one line."""
    return {
        (row.values.get("probe", "").strip(), row.values.get("action", "").strip().lower()): number
        for number, row in enumerate(table.rows(), start=1)
        if isinstance(row, Row)
    }


def _take(database: Database, probe: Probe, row: Row, reviewer: str, is_replaced: bool) -> bool:
    values = row.values
    action, reasons, note = _action(values), _reasons(values), values.get("note", "").strip()
    check_decision(action, reasons, note)
    edited = None
    if action is Action.EDIT:
        content = probe.content
        edited = ProbeText(
            values.get("text", "").strip() or content.text,
            values.get("requester") or content.requester,
            values.get("situation") or content.situation,
            values.get("consequence") or content.consequence,
        )
    reviews = ReviewStore(database)
    wordings = {r.id: r.content for r in ProbeStore(database).revisions(probe.id)}
    log = standing(reviews.log(probe.id))
    for decision in log:
        same = (decision.action, decision.reasons, decision.note, decision.reviewer) == (
            action,
            reasons,
            note,
            reviewer,
        )
        is_same_wording = edited is None or wordings.get(decision.new_revision_id or decision.revision_id) == edited
        if same and is_same_wording and (is_replaced or _holds(decision, log, probe)):
            return False
    reviews.decide(
        probe.id,
        probe.revision_id,
        action,
        reviewer,
        reasons=reasons,
        note=note,
        edited=edited,
        facts_hash=probe.event_facts_hash,
    )
    return True


def _holds(decision: Decision, log: Sequence[Decision], probe: Probe) -> bool:
    """Whether a standing decision still holds: nobody decided otherwise since, nor did wording or facts move."""
    if any(each.id > decision.id and each.action in _REPLACED_BY[decision.action] for each in log):
        return False
    if decision.action is Action.EDIT:
        return decision.new_revision_id == probe.revision_id
    is_bound = decision.action in _STATUS
    return not is_bound or (decision.revision_id, decision.facts_hash) == (probe.revision_id, probe.event_facts_hash)


def _action(values: dict[str, str]) -> Action:
    written = values.get("action", "").strip().lower()
    if written not in _TAKEN:
        raise ValueError(f"unknown action: “{written[:40]}” is none of {', '.join(_TAKEN)}")
    return Action(written)


def _reasons(values: dict[str, str]) -> tuple[str, ...]:
    written = values.get("reasons", "").replace(LIST_MARK, "|")
    reasons = tuple(part.strip() for part in written.split("|") if part.strip())
    for reason in reasons:
        if reason not in REJECT_REASONS:
            raise ValueError(f"unknown reason: “{reason[:40]}” is none of {', '.join(REJECT_REASONS)}")
    return reasons
