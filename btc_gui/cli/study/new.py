"""Designing a study."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import click

from btc_gui.cli.common import categories, echo_json, json_option, open_project, project_option
from btc_gui.cli.study.design import line_json
from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import STUDY_KINDS, study_kind
from btc_gui.domain.studies.kind import STRATUM_FACTS, Stratum
from btc_gui.domain.study import FrameFilter, LeftOut, StudyDesign, UnsureRule
from btc_gui.errors import InputError
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.settings import load_settings
from btc_gui.store.studies import StudyStore


@dataclass(frozen=True, slots=True)
class _Asked:
    """The options as given."""

    name: str
    project: Path
    kind: str
    mode: str
    size: int
    preset: str
    strata: tuple[str, ...]
    facts: tuple[str, ...]
    chosen: tuple[str, ...]
    probes: tuple[str, ...]
    harnesses: tuple[str, ...]
    models: tuple[str, ...]
    efforts: tuple[str, ...]
    runs: tuple[int, ...]
    machine: str
    allocation: str
    floor: int
    cap: int
    exact: bool
    leave_out: Path | None
    earlier: tuple[str, ...]
    seed: str
    annotators: tuple[str, ...]
    overlap: float
    repeats: int | None
    practice: int | None
    practice_mark: float
    confidence: bool
    unsure: str
    assumed: tuple[str, ...]
    relations: tuple[str, ...]
    break_minutes: int
    as_json: bool


_COUNT = click.IntRange(0)
_SHARE = click.FloatRange(0, 1)
_FILE = click.Path(path_type=Path)


@click.command("new")
@click.argument("name")
@project_option
@click.option("--kind", type=click.Choice(list(STUDY_KINDS)), default="judge_verdict", show_default=True)
@click.option("--mode", type=click.Choice([mode.value for mode in Mode]), default="blind", show_default=True)
@click.option(
    "--size", type=click.IntRange(1), default=200, show_default=True, help="Answers in all, in the usual strata."
)
@click.option("--preset", default="", help="The paper's design: indirect or direct (judge), modes (failure modes).")
@click.option(
    "--stratum",
    "strata",
    multiple=True,
    metavar="NAME=SIZE:FACT=VALUE,…",
    help=f"A stratum of your own instead of the usual ones. Facts: {', '.join(STRATUM_FACTS)}.",
)
@click.option(
    "--by",
    "facts",
    multiple=True,
    type=click.Choice(STRATUM_FACTS),
    help="A stratum for each value of this fact; with several for each combination (repeatable).",
)
@click.option("--category", "chosen", multiple=True, help="Only answers about this category (repeatable).")
@click.option("--probe", "probes", multiple=True, type=click.Choice([kind.value for kind in ProbeKind]))
@click.option("--harness", "harnesses", multiple=True, help="Only answers by this harness (repeatable).")
@click.option("--model", "models", multiple=True, help="Only answers by this model (repeatable).")
@click.option("--effort", "efforts", multiple=True, help="Only answers at this effort (repeatable).")
@click.option("--run", "runs", multiple=True, type=int, help="Only answers of this run (repeatable).")
@click.option("--machine", default="", help="The judge or classifier to validate (needed when there are several).")
@click.option(
    "--allocation", type=click.Choice([rule.value for rule in AllocationRule]), default="equal_by_configuration"
)
@click.option("--floor", type=_COUNT, default=0, help="The least that each configuration gives to a stratum.")
@click.option("--cap", type=_COUNT, default=0, help="The most that each configuration gives to a stratum.")
@click.option("--exact", is_flag=True, help="Refuse to lock when a stratum has fewer answers than it should give.")
@click.option(
    "--leave-out", type=_FILE, default=None, help="A CSV file of answers to leave out: key (or probe), reason."
)
@click.option("--leave-out-study", "earlier", multiple=True, help="Leave out the items of this study (repeatable).")
@click.option("--seed", default="", help="The seed of the draw (default: a random one, recorded in the study).")
@click.option("--annotator", "annotators", multiple=True, help="Who labels (repeatable; the first one is primary).")
@click.option("--overlap", type=_SHARE, default=1.0, help="The share of each stratum that further annotators label.")
@click.option("--repeats", type=_COUNT, help="Items that come back unmarked; with --preset a tenth, 20 or more.")
@click.option("--practice", type=_COUNT, help="Practice items that come first; with --preset 10.")
@click.option("--practice-mark", type=_SHARE, default=0.8, show_default=True, help="The share that must be right.")
@click.option("--confidence", is_flag=True, help="Ask for a confidence with each label.")
@click.option("--unsure", type=click.Choice([rule.value for rule in UnsureRule]), default="excluded", show_default=True)
@click.option("--assume", "assumed", multiple=True, metavar="STRATUM=ERRORS", help="For the planned intervals only.")
@click.option("--relation", "relations", multiple=True, help="A relation to the change that makes a passage evidence.")
@click.option(
    "--break", "break_minutes", type=_COUNT, default=45, show_default=True, help="Minutes to a suggested break."
)
@json_option
def new_command(**options: object) -> None:
    """Begin a study as a draft.

    With --preset it is a design of the paper: it decides the kind, the mode, the probes and the strata, and brings
    the usual repeats and practice items.
    """
    asked = _Asked(**cast("dict[str, Any]", options))
    with open_project(asked.project) as database:
        session = ValidatingSession(database, categories())
        design = _design(session, StudyStore(database), asked)
        study_id = session.new(asked.name, design, load_settings().reviewer)
        line = session.study(study_id)
    if asked.as_json:
        echo_json(line_json(line))
    else:
        click.echo(
            f"Study {study_id} “{asked.name}” is a draft. "
            f"Next: btc-gui study preview {study_id} -p {shlex.quote(str(asked.project))}"
        )


def _design(session: ValidatingSession, studies: StudyStore, asked: _Asked) -> StudyDesign:
    kind = _kind_of_preset(asked.preset) if asked.preset else asked.kind
    seed = asked.seed or secrets.token_hex(8)
    own = tuple(_stratum(text) for text in asked.strata)
    design = StudyDesign(
        kind=kind,
        strata=own or study_kind(kind).strata(asked.size),
        annotators=asked.annotators or (load_settings().reviewer,),
        seed=seed,
        order_seed=f"{seed}:order",
        mode=Mode(asked.mode),
        frame=FrameFilter(
            asked.chosen,
            asked.probes,
            asked.harnesses,
            asked.runs,
            asked.machine,
            asked.models,
            asked.efforts,
        ),
        rule=AllocationRule(asked.allocation),
        floor=asked.floor,
        cap=asked.cap,
        accept_shortfall=not asked.exact,
        overlap=asked.overlap,
        practice_mark=asked.practice_mark,
        ask_confidence=asked.confidence,
        unsure_rule=UnsureRule(asked.unsure),
        assumed_errors=dict(_amount(text) for text in asked.assumed),
        left_out=_left_out(session, studies, asked.leave_out, asked.earlier),
        break_minutes=asked.break_minutes,
    )
    if asked.relations:
        design = replace(design, relations=asked.relations)
    if asked.preset:
        design = session.preset(design, asked.preset)
        design = session.with_usual_extras(design)
    elif asked.facts and not own:
        design = replace(design, strata=session.strata_by(design, asked.facts, asked.size))
    repeats = design.repeats if asked.repeats is None else asked.repeats
    practice = design.practice if asked.practice is None else asked.practice
    return replace(design, repeats=repeats, practice=practice)


def _kind_of_preset(preset: str) -> str:
    kinds = {entry.name: kind.name for kind in STUDY_KINDS.values() for entry in kind.presets}
    if preset not in kinds:
        raise InputError(f"There is no preset “{preset}”.", f"Presets: {', '.join(kinds)}.")
    return kinds[preset]


def _left_out(
    session: ValidatingSession, studies: StudyStore, file: Path | None, earlier: Sequence[str]
) -> tuple[LeftOut, ...]:
    found = list(session.read_left_out(file)) if file else []
    for reference in earlier:
        found += session.left_out_of(studies.find(reference).id)
    return tuple(found)


def _stratum(text: str) -> Stratum:
    name, _, rest = text.partition("=")
    size, _, facts = rest.partition(":")
    pairs = [fact.split("=", 1) for fact in facts.split(",") if fact]
    if not name or not size.isdecimal() or not all(len(pair) == 2 for pair in pairs):
        raise InputError(f"“{text}” is no stratum.", "Write NAME=SIZE:FACT=VALUE,FACT=VALUE.")
    return Stratum(name, int(size), dict(pairs))


@click.command("extend")
@click.argument("study")
@click.argument("name")
@project_option
@click.option(
    "--size", "sizes", multiple=True, required=True, metavar="STRATUM=SIZE", help="The new size (repeatable)."
)
@json_option
def extend_command(study: str, name: str, project: Path, sizes: tuple[str, ...], as_json: bool) -> None:
    """Begin a study with a larger sample along the same order: it holds all items of the locked study STUDY."""
    with open_project(project) as database:
        session = ValidatingSession(database, categories())
        design = session.extension(StudyStore(database).find(study).id, dict(_amount(text) for text in sizes))
        study_id = session.new(name, design, load_settings().reviewer)
        line = session.study(study_id)
    if as_json:
        echo_json(line_json(line))
    else:
        click.echo(f"Study {study_id} “{name}” is a draft that extends “{design.extends}”.")


def _amount(text: str) -> tuple[str, int]:
    name, _, amount = text.rpartition("=")
    if not name or not amount.isdecimal():
        raise InputError(f"“{text}” is no amount.", "Write STRATUM=NUMBER.")
    return name, int(amount)
