"""Looking at studies, and locking them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from btc_gui.cli.common import categories, echo_json, json_option, open_project, project_option, text_progress
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.number_words import counted
from btc_gui.domain.studies import study_kind
from btc_gui.domain.study_plan import Plan
from btc_gui.errors import StudyError
from btc_gui.jobs.lock_study import lock_study
from btc_gui.sessions.validating import FramePreview, StudyLine, ValidatingSession
from btc_gui.settings import load_settings
from btc_gui.store.studies import StudyStore


@click.command("list")
@project_option
@json_option
def list_command(project: Path, as_json: bool) -> None:
    """List the studies, the newest first."""
    with open_project(project) as database:
        lines = ValidatingSession(database, categories()).studies()
    if as_json:
        echo_json([line_json(line) for line in lines])
        return
    for line in lines:
        kind = study_kind(line.study.design.kind).title
        click.echo(f"{line.study.id}  {line.study.name}  ({kind}, {line.study.design.mode}, {line.study.state})")
        click.echo(f"   {line.back:,} of {counted(line.expected, 'label')} back")
    if not lines:
        click.echo("No studies yet. Begin one with “btc-gui study new NAME”.")


def line_json(line: StudyLine) -> dict[str, object]:
    """A study for a script."""
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
    click.echo("\n".join(_preview_lines(preview)))


def _preview_lines(preview: FramePreview) -> list[str]:
    frame, lines = preview.frame, []
    lines.append(f"{frame.considered:,} answers considered, {len(frame.items):,} in the frame")
    lines += [f"  excluded: {count:,} {reason}" for reason, count in frame.excluded.items()]
    lines += [f"  left out by hand, but no answer here: {key}" for key in frame.unmatched]
    for stratum, planned in zip(preview.strata, preview.plan.strata, strict=True):
        lines.append(f"  {stratum.name}: {stratum.drawn:,} of {stratum.available:,} (wanted {stratum.wanted:,})")
        if planned.agreement.interval:
            errors = counted(planned.errors, "assumed error")
            need = ", ".join(f"{labels:,} for {target:.2f}" for target, labels in planned.needed.items())
            lines.append(f"    with {errors} {planned.agreement.text}; a lower limit takes {need}")
    lines += _plan_lines(preview.plan)
    return lines + ([f"Can't be locked: {preview.problem}"] if preview.problem else [])


def _plan_lines(plan: Plan) -> list[str]:
    lines = ["Planned (assumed errors, 95 % intervals):"] if plan.figures else []
    lines += [f"  {figure.name}, {figure.scope}: {figure.estimate.text}" for figure in plan.figures]
    if plan.repeats.interval:
        lines.append(f"  repeats, if all get the same label again: {plan.repeats.text}")
    return lines


def _preview_json(preview: FramePreview) -> dict[str, object]:
    return {
        "considered": preview.frame.considered,
        "in_frame": len(preview.frame.items),
        "excluded": preview.frame.excluded,
        "by_label": preview.frame.labels,
        "strata": [asdict(stratum) for stratum in preview.strata],
        "left_out_unmatched": list(preview.frame.unmatched),
        "plan": asdict(preview.plan),
        "problem": preview.problem,
    }


@click.command("lock")
@click.argument("study")
@project_option
@click.option(
    "--practice-file",
    type=click.Path(path_type=Path),
    default=None,
    help="Practice items of your own (JSON lines) instead of the categories'.",
)
@json_option
def lock_command(study: str, project: Path, practice_file: Path | None, as_json: bool) -> None:
    """Draw the sample and freeze it; prints the manifest's SHA-256 for a preregistration."""
    with open_project(project) as database:
        study_id = StudyStore(database).find(study).id
        progress = text_progress("Locking")
        author = load_settings().reviewer
        locked = lock_study(database, study_id, categories(), author, progress, practice_file=practice_file)
    drawn = sum(not item.repeats for item in locked.items)
    repeats = len(locked.items) - drawn
    practice = len(locked.manifest["practice"])
    if as_json:
        echo_json(
            {
                "items": drawn,
                "repeats": repeats,
                "practice": practice,
                "shortfall": locked.shortfall,
                "manifest_sha256": locked.manifest_sha256,
            }
        )
        return
    told = (counted(drawn, "item"), counted(repeats, "repeat"), counted(practice, "practice item"))
    click.echo(f"Locked {', '.join(told)}.")
    click.echo(f"SHA-256 of the manifest: {locked.manifest_sha256}")
    for stratum, count in locked.shortfall.items():
        click.echo(f"  {stratum}: {count:,} fewer than wanted, the frame has no more")


@click.command("discard")
@click.argument("study")
@project_option
def discard_command(study: str, project: Path) -> None:
    """Throw a draft away. A study that was locked stays."""
    with open_project(project) as database:
        store = StudyStore(database)
        found = store.find(study)
        store.discard(found.id)
    click.echo(f"The draft “{found.name}” is gone.")


@click.command("manifest")
@click.argument("study")
@project_option
def manifest_command(study: str, project: Path) -> None:
    """Print the locked manifest as it was hashed: “… | sha256sum” gives its SHA-256. It tells machine labels."""
    with open_project(project) as database:
        manifest = StudyStore(database).find(study).manifest
    if not manifest:
        raise StudyError("Only a locked study has a manifest.", "Lock it first.")
    click.echo(canonical_json(manifest).encode("utf-8", "surrogatepass"), nl=False)


@click.command("frame")
@click.argument("study")
@project_option
def frame_command(study: str, project: Path) -> None:
    """Print the locked frame: stratum, configuration and key of every answer, with tabs between.

    It tells machine labels: nothing for who labels the study.
    """
    with open_project(project) as database:
        store = StudyStore(database)
        listing = store.frame_listing(store.find(study).id)
    if not listing:
        raise StudyError("There is no frame: the study is not locked, or by an older version.", "Lock it first.")
    click.echo(listing.encode("utf-8", "surrogatepass"), nl=False)
