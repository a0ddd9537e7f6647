"""Commands about studies, from the design to the report; and labelling a packet from a file."""

from __future__ import annotations

import secrets
from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import (
    DONE,
    DONE_IN_PART,
    categories,
    echo_json,
    json_option,
    open_project,
    project_option,
    text_progress,
)
from btc_gui.domain.agreement_report import text_lines
from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import STUDY_KINDS, study_kind
from btc_gui.domain.studies.kind import STRATUM_FACTS, Stratum
from btc_gui.domain.study import Account, FrameFilter, StudyDesign
from btc_gui.domain.study_report import StudyReport
from btc_gui.errors import BtcError, InputError
from btc_gui.exports.study import report_json, write_study
from btc_gui.jobs.issue_packet import issue_packet
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.study_report import study_report
from btc_gui.jobs.unblind_study import close_study, study_problems, unblind_study
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.recorded_labels import LabellingReport, give_labels, read_labels
from btc_gui.sessions.validating import FramePreview, StudyLine, ValidatingSession
from btc_gui.settings import load_settings
from btc_gui.store.database import Database
from btc_gui.store.projects import ProjectStore
from btc_gui.store.studies import StudyStore


@click.group("study")
def study_command() -> None:
    """Validate the judge or the classifier against people: new, preview, lock, packet, return, close, unblind, report.

    A study is named by its number or its name. Labelling itself opens a packet: btc-gui packet FILE.
    """


def _actor() -> str:
    return load_settings().reviewer


@study_command.command("new")
@click.argument("name")
@project_option
@click.option("--kind", type=click.Choice(list(STUDY_KINDS)), default="judge_verdict", show_default=True)
@click.option("--mode", type=click.Choice([mode.value for mode in Mode]), default="blind", show_default=True)
@click.option(
    "--size", type=click.IntRange(1), default=200, show_default=True, help="Answers in all, in the usual strata."
)
@click.option("--preset", default="", help="Strata under a name instead: “paper” for 85, 15 and 100.")
@click.option(
    "--stratum",
    "strata",
    multiple=True,
    metavar="NAME=SIZE:FACT=VALUE,…",
    help=f"A stratum of your own instead of the usual ones. Facts: {', '.join(STRATUM_FACTS)}.",
)
@click.option("--category", "chosen", multiple=True, help="Only answers about this category (repeatable).")
@click.option("--probe", "probes", multiple=True, type=click.Choice([kind.value for kind in ProbeKind]))
@click.option("--harness", "harnesses", multiple=True, help="Only answers by this harness (repeatable).")
@click.option("--run", "runs", multiple=True, type=int, help="Only answers of this run (repeatable).")
@click.option("--machine", default="", help="The judge or classifier to validate (needed when there are several).")
@click.option(
    "--allocation", type=click.Choice([rule.value for rule in AllocationRule]), default="equal_by_configuration"
)
@click.option(
    "--floor", type=click.IntRange(0), default=0, help="The least that each configuration gives to a stratum."
)
@click.option("--exact", is_flag=True, help="Refuse to lock when a stratum has fewer answers than it should give.")
@click.option("--seed", default="", help="The seed of the draw (default: a random one, recorded in the study).")
@click.option("--annotator", "annotators", multiple=True, help="Who labels (repeatable; the first one is primary).")
@json_option
def new_command(
    name: str,
    project: Path,
    kind: str,
    mode: str,
    size: int,
    preset: str,
    strata: tuple[str, ...],
    chosen: tuple[str, ...],
    probes: tuple[str, ...],
    harnesses: tuple[str, ...],
    runs: tuple[int, ...],
    machine: str,
    allocation: str,
    floor: int,
    exact: bool,
    seed: str,
    annotators: tuple[str, ...],
    as_json: bool,
) -> None:
    """Begin a study as a draft."""
    seed = seed or secrets.token_hex(8)
    design = StudyDesign(
        kind=kind,
        strata=_strata(kind, size, preset, strata),
        annotators=annotators or (_actor(),),
        seed=seed,
        order_seed=f"{seed}:order",
        mode=Mode(mode),
        frame=FrameFilter(chosen, probes, harnesses, runs, machine),
        rule=AllocationRule(allocation),
        floor=floor,
        accept_shortfall=not exact,
    )
    with open_project(project) as database:
        session = ValidatingSession(database, categories())
        study_id = session.new(name, design, _actor())
        line = session.study(study_id)
    if as_json:
        echo_json(_line_json(line))
    else:
        click.echo(f"Study {study_id} “{name}” is a draft. Next: btc-gui study preview {study_id} -p {project}")


def _strata(kind: str, size: int, preset: str, own: tuple[str, ...]) -> tuple[Stratum, ...]:
    if own:
        return tuple(_stratum(text) for text in own)
    offered = {entry.name: entry.strata for entry in study_kind(kind).presets}
    if preset and preset not in offered:
        raise InputError(f"{kind} has no preset “{preset}”.", f"Presets: {', '.join(offered) or 'none'}.")
    return offered[preset] if preset else study_kind(kind).strata(size)


def _stratum(text: str) -> Stratum:
    name, _, rest = text.partition("=")
    size, _, facts = rest.partition(":")
    pairs = [fact.split("=", 1) for fact in facts.split(",") if fact]
    if not name or not size.isdecimal() or not all(len(pair) == 2 for pair in pairs):
        raise InputError(f"“{text}” is no stratum.", "Write NAME=SIZE:FACT=VALUE,FACT=VALUE.")
    return Stratum(name, int(size), dict(pairs))


@study_command.command("list")
@project_option
@json_option
def list_command(project: Path, as_json: bool) -> None:
    """List the studies, the newest first."""
    with open_project(project) as database:
        lines = ValidatingSession(database, categories()).studies()
    if as_json:
        echo_json([_line_json(line) for line in lines])
        return
    for line in lines:
        kind = study_kind(line.study.design.kind).title
        click.echo(f"{line.study.id}  {line.study.name}  ({kind}, {line.study.design.mode}, {line.study.state})")
        click.echo(f"   {line.back} of {line.expected} labels back")
    if not lines:
        click.echo("No studies yet. Begin one with “btc-gui study new NAME”.")


def _line_json(line: StudyLine) -> dict[str, object]:
    return {
        "id": line.study.id,
        "name": line.study.name,
        "state": line.study.state.value,
        "design": line.study.design.as_json(),
        "manifest_sha256": line.study.manifest_sha256,
        "items": line.items,
        "packets": [asdict(packet) for packet in line.packets],
        "next": [step.value for step in line.steps],
    }


@study_command.command("preview")
@click.argument("study")
@project_option
@json_option
def preview_command(study: str, project: Path, as_json: bool) -> None:
    """Show what a draft would draw, and what is left out for which reason."""
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        preview = ValidatingSession(database, categories()).preview(found.design)
    if as_json:
        echo_json(_preview_json(preview))
        return
    click.echo(f"{preview.frame.considered:,} answers considered, {len(preview.frame.items):,} in the frame")
    for reason, count in preview.frame.excluded.items():
        click.echo(f"  excluded: {count:,} {reason}")
    for stratum in preview.strata:
        click.echo(f"  {stratum.name}: {stratum.drawn:,} of {stratum.available:,} (wanted {stratum.wanted:,})")
    if preview.problem:
        click.echo(f"Can't be locked: {preview.problem}")


def _preview_json(preview: FramePreview) -> dict[str, object]:
    return {
        "considered": preview.frame.considered,
        "in_frame": len(preview.frame.items),
        "excluded": preview.frame.excluded,
        "by_label": preview.frame.labels,
        "strata": [asdict(stratum) for stratum in preview.strata],
        "problem": preview.problem,
    }


@study_command.command("lock")
@click.argument("study")
@project_option
@json_option
def lock_command(study: str, project: Path, as_json: bool) -> None:
    """Draw the sample and freeze it; prints the manifest's SHA-256 for a preregistration."""
    with open_project(project) as database:
        study_id = StudyStore(database).find(study).id
        locked = lock_study(database, study_id, categories(), _actor(), text_progress("Locking"))
    if as_json:
        echo_json(
            {"items": len(locked.items), "shortfall": locked.shortfall, "manifest_sha256": locked.manifest_sha256}
        )
        return
    click.echo(f"Locked {len(locked.items)} items. SHA-256 of the manifest: {locked.manifest_sha256}")
    for stratum, count in locked.shortfall.items():
        click.echo(f"  {stratum}: {count} fewer than wanted, the frame has no more")


@study_command.command("packet")
@click.argument("study")
@project_option
@click.option("--annotator", default="", help="For whom (default: the primary annotator).")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path(), help="The folder for the packet (default: here)."
)
@click.option("--again", is_flag=True, help="Write the same packet once more: the first one got lost.")
@json_option
def packet_command(study: str, project: Path, annotator: str, out: Path, again: bool, as_json: bool) -> None:
    """Write the packet of one annotator."""
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        who = annotator or found.design.annotators[0]
        progress = text_progress("Writing")
        path = issue_packet(database, found.id, who, out, categories(), _actor(), progress, again=again)
    if as_json:
        echo_json({"annotator": who, "packet": str(path)})
    else:
        click.echo(f"{path} is the packet of {who}. Label it with “btc-gui packet {path}”.")


@study_command.command("return")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@project_option
@json_option
@click.pass_context
def return_command(context: click.Context, files: tuple[Path, ...], project: Path, as_json: bool) -> None:
    """Take labelled packets back. Twice is the same as once."""
    reports: list[dict[str, object]] = []
    lines: list[str] = []
    is_complete = True
    with open_project(project) as database:
        for file in files:
            try:
                report = return_packet(database, file, _actor(), text_progress(file.name))
            except BtcError as error:
                if len(files) == 1:
                    raise
                is_complete = False
                reports.append({"file": str(file), "refused": str(error)})
                lines.append(f"{file.name}: refused. {error}")
                continue
            is_complete = is_complete and not report.missing
            reports.append({"file": str(file), **report.as_json()})
            lines.append(f"{file.name}: {report.text}")
    if as_json:
        echo_json({"packets": reports})
    else:
        click.echo("\n".join(lines))
    context.exit(DONE if is_complete else DONE_IN_PART)


@study_command.command("close")
@click.argument("study")
@project_option
@click.option("--abandon", default="", metavar="REASON", help="Why items without a label will never get one.")
@json_option
def close_command(study: str, project: Path, abandon: str, as_json: bool) -> None:
    """End labelling and seal the labels by their hash."""
    with open_project(project) as database:
        study_id = StudyStore(database).find(study).id
        accounts = close_study(database, study_id, _actor(), abandon_reason=abandon)
    if as_json:
        echo_json({"accounts": [asdict(account) for account in accounts]})
        return
    click.echo("\n".join(_account_line(account) for account in accounts))


def _account_line(account: Account) -> str:
    return f"{account.annotator}: {account.sent} sent, {account.back} back, {account.missing} missing"


@study_command.command("unblind")
@click.argument("study")
@project_option
def unblind_command(study: str, project: Path) -> None:
    """Open the key of a closed study."""
    with open_project(project) as database:
        found = StudyStore(database).find(study)
        unblind_study(database, found.id, _actor())
    click.echo(f"“{found.name}” is unblinded. See “btc-gui study report {found.id}”.")


@study_command.command("log")
@click.argument("study")
@project_option
@json_option
@click.pass_context
def log_command(context: click.Context, study: str, project: Path, as_json: bool) -> None:
    """Print the study's log and check its hash chain, its manifest and the sealed labels."""
    with open_project(project) as database:
        store = StudyStore(database)
        found = store.find(study)
        log = store.log(found.id)
        problems = study_problems(database, found)
    if as_json:
        echo_json({"log": [asdict(entry) for entry in log], "problems": problems})
    else:
        for entry in log:
            click.echo(f"{entry.number}  {entry.at}  {entry.actor}  {entry.step}  {entry.hash[:12]}")
        click.echo("\n".join(f"Problem: {problem}" for problem in problems) or "The chain holds.")
    context.exit(DONE_IN_PART if problems else DONE)


@study_command.command("report")
@click.argument("study")
@project_option
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Also write matrices, labels and report here."
)
@json_option
def report_command(study: str, project: Path, out: Path | None, as_json: bool) -> None:
    """Report an unblinded study: matrices and every statistic with its interval."""
    with open_project(project) as database:
        report = study_report(database, StudyStore(database).find(study).id, text_progress("Reading"))
        note = _note(database)
    files = write_study(report, out, note) if out is not None else []
    if as_json:
        echo_json({**report_json(report), "note": note, "files": [str(file) for file in files]})
        return
    click.echo("\n".join(report_lines(report)))
    for line in ([note] if note else []) + [f"Wrote {file}" for file in files]:
        click.echo(line)


def _note(database: Database) -> str:
    return "Illustrative data." if ProjectStore(database).is_illustrative else ""


def report_lines(report: StudyReport) -> list[str]:
    """The report for a terminal."""
    lines = [
        f"{report.study.name}: {report.kind} ({report.mode.text})",
        f"{report.machine_role} {report.machine}; {report.drawn} answers drawn, {report.events} events; "
        f"manifest {report.study.manifest_sha256}",
        "share of the frame: " + ", ".join(f"{label} {share:.3f}" for label, share in report.frame_shares.items()),
    ]
    lines += [f"excluded from the frame: {count} {reason}" for reason, count in report.excluded.items()]
    for annotator in report.annotators:
        lines += ["", f"— {annotator.annotator} —", *text_lines(annotator.agreement)]
        if annotator.withdrawn or annotator.changed:
            lines.append(
                f"{annotator.withdrawn} labels withdrawn, {annotator.changed} changed later (first one counts)"
            )
    if report.exposures:
        lines.append(f"Exposure: {len(report.exposures)} cases were opened while the study was open.")
    return lines + [f"Problem: {problem}" for problem in report.problems]


@click.command("label")
@click.argument("packet", type=click.Path(path_type=Path))
@click.option(
    "--from", "source", required=True, type=click.Path(path_type=Path), help='JSON lines: {"item", "label", …}.'
)
@click.option("--annotator", default="", help="Refuse the packet unless it is this annotator's.")
@json_option
@click.pass_context
def label_command(context: click.Context, packet: Path, source: Path, annotator: str, as_json: bool) -> None:
    """Label a packet from a file, without a window. Rows: item, label, and optionally reason and note."""
    rows, unread = read_labels(source)
    with LabellingSession(packet) as session:
        if annotator and session.manifest.annotator != annotator:
            raise InputError(
                f"{packet.name} is the packet of {session.manifest.annotator}, not of {annotator}.",
                "Use your own packet.",
            )
        report = give_labels(session, rows)
    rejected = sorted((*unread, *report.rejected), key=lambda row: row.line)
    report = LabellingReport(report.given, report.known, report.done, report.total, tuple(rejected))
    if as_json:
        echo_json(report.as_json())
    else:
        click.echo(f"{report.given} given, {report.known} known; {report.done} of {report.total} items have a label")
        for row in rejected:
            click.echo(f"  line {row.line}: {row.reason}")
    context.exit(DONE_IN_PART if rejected else DONE)
