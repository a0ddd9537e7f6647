"""Commands about the review: share probes out, tell who agrees, decide on many, take back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

import click

from btc_gui.cli.common import DONE_IN_PART, cancelled_by_ctrl_c, echo_json, json_option, open_project, project_option
from btc_gui.cli.common import text_progress as progress_of
from btc_gui.cli.probes import chosen_probes, filter_options
from btc_gui.domain.estimate import Estimate
from btc_gui.domain.number_words import counted
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.review import REJECT_REASONS, Action
from btc_gui.domain.review_agreement import CLASSES, PairAgreement
from btc_gui.domain.review_assignment import plan_assignment
from btc_gui.errors import InputError
from btc_gui.sessions.bulk_reviewing import BULK_ACTIONS, BulkPlan, apply_bulk, bring_back, plan_bulk, take_back
from btc_gui.sessions.curators import agreement_of_curators
from btc_gui.sessions.review_queue import Queue, QueueKind
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from btc_gui.store.probes import ProbeStore
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore


def _reviewer() -> str:
    return load_settings().reviewer


_reviewer_option = click.option("--reviewer", default=_reviewer, help="Who decides (default: as in the settings).")
_dry_run_option = click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")


@click.group("review")
def review_command() -> None:
    """Review probes: assign them to curators, their agreement, decisions on many, undo and redo."""


# -- assignments ---------------------------------------------------------------------------------------------------


@review_command.command("assign")
@project_option
@click.option("--curator", "curators", multiple=True, help="A curator's name; once for each.")
@click.option("--each", default=200, show_default=True, help="How many probes each gets.")
@click.option("--overlap", default=0.2, show_default=True, help="Which share of them is the same for all, 0 to 1.")
@click.option("--name", default="", help="What the assignment is called.")
@click.option("--withdraw", default="", help="Take the assignment of this name back instead.")
@click.option("--reviewer", default=_reviewer, help="Who assigns (default: as in the settings).")
@_dry_run_option
@filter_options
@json_option
def assign_command(
    project: Path,
    curators: tuple[str, ...],
    each: int,
    overlap: float,
    name: str,
    withdraw: str,
    reviewer: str,
    dry_run: bool,
    queue: Queue,
    as_json: bool,
) -> None:
    """Share probes out among curators; without --curator, list the assignments."""
    with open_project(project) as database:
        store = AssignmentStore(database)
        if withdraw:
            store.withdraw(store.find(withdraw).id)
        elif curators:
            ids = store.unassigned(chosen_probes(database, queue))
            plan = plan_assignment(ids, curators, each, overlap)
            counts = {curator: len(probes) for curator, probes in plan.by_reviewer.items()}
            if not dry_run:
                store.add(name or f"Assignment {len(store.rounds()) + 1}", plan, reviewer)
            if as_json:
                echo_json({"probes": plan.probes, "shared": len(plan.shared), "curators": counts, "dry_run": dry_run})
            else:
                people = ", ".join(f"{curator} {count:,}" for curator, count in counts.items())
                would = "Would assign" if dry_run else "Assigned"
                click.echo(f"{would} {plan.probes:,} probes ({people}); {len(plan.shared):,} are shared.")
            return
        rounds = store.rounds()
    if as_json:
        echo_json({"assignments": [{"name": r.name, "shared": r.shared, "curators": dict(r.counts)} for r in rounds]})
        return
    for round_ in rounds:
        people = ", ".join(f"{curator} {count:,}" for curator, count in round_.counts.items())
        click.echo(f"{round_.name}: {people}; {round_.shared:,} shared")
    click.echo(f"{len(rounds):,} assignments", err=True)


# -- agreement -----------------------------------------------------------------------------------------------------


@review_command.command("agreement")
@project_option
@json_option
def agreement_of_command(project: Path, as_json: bool) -> None:
    """The agreement of every two curators on the probes that they share, and where they disagree."""
    with open_project(project) as database:
        pairs = agreement_of_curators(database)
        wanted = [each.probe_id for pair in pairs for each in pair.differ]
        probes = ProbeStore(database).fetch(wanted)
        open_ids = {probe.id for probe in probes.values() if probe.is_disputed}
    if as_json:
        echo_json({"pairs": [_pair_json(pair, {i: p.key for i, p in probes.items()}, open_ids) for pair in pairs]})
        return
    for pair in pairs:
        first, second = pair.reviewers
        click.echo(f"{first} and {second}: {pair.n:,} judged by both, {pair.waiting:,} not yet")
        if not pair.n:
            continue
        click.echo(f"  agreement {pair.observed.text}   kappa {pair.kappa.text}")
        click.echo(f"  {first} (rows), {second} (columns): {', '.join(CLASSES)}")
        for action, counts in zip(CLASSES, pair.table, strict=True):
            click.echo(f"  {action:<8}" + "".join(f"{count:>7,}" for count in counts))
        for each in pair.differ:
            said = ", ".join(f"{name} {decision.action}" for name, decision in sorted(each.verdicts.items()))
            state = "to be resolved" if each.probe_id in open_ids else "resolved"
            click.echo(f"  {probes[each.probe_id].key:<20} {said} ({state})")
    if not pairs:
        click.echo("No probe is assigned to two curators.", err=True)


def _pair_json(pair: PairAgreement, keys: Mapping[ProbeId, str], open_ids: Collection[ProbeId]) -> dict[str, object]:
    return {
        "curators": list(pair.reviewers),
        "n": pair.n,
        "waiting": pair.waiting,
        "classes": list(CLASSES),
        "table": [list(row) for row in pair.table],
        "agreement": _estimate_json(pair.observed),
        "kappa": _estimate_json(pair.kappa),
        "disagreements": [
            {
                "probe": keys[each.probe_id],
                "verdicts": {name: decision.action for name, decision in sorted(each.verdicts.items())},
                "resolved": each.probe_id not in open_ids,
            }
            for each in pair.differ
        ],
    }


def _estimate_json(estimate: Estimate) -> dict[str, object]:
    return {
        "value": estimate.value,
        "interval": list(estimate.interval) if estimate.interval else None,
        "method": estimate.method,
        "reason": estimate.reason,
    }


# -- many at once --------------------------------------------------------------------------------------------------


@review_command.command("bulk")
@project_option
@click.argument("action", type=click.Choice([str(action) for action in BULK_ACTIONS]))
@click.option("--reason", "reasons", multiple=True, type=click.Choice(list(REJECT_REASONS)), help="Of a rejection.")
@click.option("--note", default="", help="A note that each decision gets.")
@_reviewer_option
@_dry_run_option
@partial(filter_options, default=QueueKind.UNREVIEWED)
@json_option
def bulk_command(
    project: Path,
    action: str,
    reasons: tuple[str, ...],
    note: str,
    reviewer: str,
    dry_run: bool,
    queue: Queue,
    as_json: bool,
) -> None:
    """Decide on all unreviewed probes that the filters leave. “btc-gui review undo” takes all of it back.

    Earlier decisions are overruled only where --queue says so, as in --queue rejected or --queue all.
    """
    with open_project(project) as database:
        plan = plan_bulk(database, chosen_probes(database, queue), Action(action), reasons, note)
        if as_json and dry_run:
            _print_plan(plan)
        elif not as_json:
            _say_plan(plan, "would change" if dry_run else "change")
        if not plan.chosen and queue.kind is QueueKind.UNREVIEWED:
            click.echo("None is unreviewed; --queue names others, to decide on them anew.", err=True)
        if dry_run:
            return
        progress = progress_of(action)
        with cancelled_by_ctrl_c(progress):
            outcome = apply_bulk(database, plan, reviewer, "command line", progress)
    if as_json:
        echo_json({"changed": outcome.done, "skipped": dict(outcome.skipped), **_standing_json(plan)})
    else:
        click.echo(f"{counted(outcome.done, 'probe')} changed")
    if outcome.skipped or plan.refused:
        raise SystemExit(DONE_IN_PART)


def _standing_json(plan: BulkPlan) -> dict[str, object]:
    before = {str(status): count for status, count in plan.before.items()}
    return {"before": before, "with_lint_errors": plan.with_errors}


def _print_plan(plan: BulkPlan) -> None:
    echo_json(
        {
            "chosen": plan.chosen,
            "would_change": len(plan.changes),
            **_standing_json(plan),
            "already": plan.already,
            "refused": dict(plan.refused),
            "examples": [{"entity": e.entity, "status": e.before, "text": e.text} for e in plan.examples],
        }
    )


def _say_plan(plan: BulkPlan, verb: str) -> None:
    before = ", ".join(f"{count:,} {status}" for status, count in sorted(plan.before.items()))
    click.echo(f"{len(plan.changes):,} of {plan.chosen:,} probes {verb}: {before or 'none'}", err=True)
    if plan.with_errors:
        have = "has" if plan.with_errors == 1 else "have"
        click.echo(
            f"{plan.with_errors:,} of them {have} errors of the linter (“btc-gui probes --lint error” lists such)",
            err=True,
        )
    click.echo(f"{plan.already:,} stand so already", err=True)
    for reason, count in plan.refused.items():
        click.echo(f"{count:,} left out: {reason}", err=True)
    for example in plan.examples:
        click.echo(f"  {example.entity} ({example.before}): {' '.join(example.text.split())[:90]}", err=True)


@review_command.command("undo")
@project_option
@_reviewer_option
@json_option
def undo_command(project: Path, reviewer: str, as_json: bool) -> None:
    """Take back a curator's newest standing decision, or bulk action."""
    with open_project(project) as database:
        _turn(database, reviewer, "undo", as_json=as_json)


@review_command.command("redo")
@project_option
@_reviewer_option
@json_option
def redo_command(project: Path, reviewer: str, as_json: bool) -> None:
    """Bring back what a curator took back last, as long as nothing was decided since."""
    with open_project(project) as database:
        _turn(database, reviewer, "redo", as_json=as_json)


def _turn(database: Database, reviewer: str, word: str, *, as_json: bool) -> None:
    reviews = ReviewStore(database)
    step = reviews.undo_step(reviewer) if word == "undo" else reviews.redo_step(reviewer)
    if step is None:
        raise InputError(f"There is nothing to {word} for {reviewer}.", "Name another curator with --reviewer.")
    done = 1
    if step.bulk_id is not None:
        turn = take_back if word == "undo" else bring_back
        done = turn(database, step, reviewer, progress_of(word)).done
    elif word == "undo":
        reviews.undo(step.decision, reviewer)
    else:
        reviews.redo(step.decision, reviewer)
    probe = ProbeStore(database).get(step.about.probe_id)
    event = EventStore(database).get(probe.event_id)
    if as_json:
        echo_json({word: step.about.action, "probes": done, "probe": probe.key})
    else:
        which = f"{done:,} probes" if step.bulk_id is not None else f"{probe.key} ({event.title})"
        click.echo(f"{word}: {step.about.action} of {which}")
