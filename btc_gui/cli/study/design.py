"""Designing a study: new, list, preview, lock."""

from __future__ import annotations

import secrets
from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import categories, echo_json, json_option, open_project, project_option, text_progress
from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import STUDY_KINDS, study_kind
from btc_gui.domain.studies.kind import STRATUM_FACTS, Stratum
from btc_gui.domain.study import FrameFilter, StudyDesign
from btc_gui.errors import InputError
from btc_gui.jobs.lock_study import lock_study
from btc_gui.sessions.validating import FramePreview, StudyLine, ValidatingSession
from btc_gui.settings import load_settings
from btc_gui.store.studies import StudyStore


@click.command("new")
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
        annotators=annotators or (load_settings().reviewer,),
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
        study_id = session.new(name, design, load_settings().reviewer)
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


@click.command("list")
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


@click.command("preview")
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


@click.command("lock")
@click.argument("study")
@project_option
@json_option
def lock_command(study: str, project: Path, as_json: bool) -> None:
    """Draw the sample and freeze it; prints the manifest's SHA-256 for a preregistration."""
    with open_project(project) as database:
        study_id = StudyStore(database).find(study).id
        locked = lock_study(database, study_id, categories(), load_settings().reviewer, text_progress("Locking"))
    if as_json:
        echo_json(
            {"items": len(locked.items), "shortfall": locked.shortfall, "manifest_sha256": locked.manifest_sha256}
        )
        return
    click.echo(f"Locked {len(locked.items)} items. SHA-256 of the manifest: {locked.manifest_sha256}")
    for stratum, count in locked.shortfall.items():
        click.echo(f"  {stratum}: {count} fewer than wanted, the frame has no more")
