"""The demo project: the whole job on the built-in material, from loading to unblinded studies."""

from __future__ import annotations

import json
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from btc_gui import paths
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.configuration import Effort
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ProbeText, ReviewStatus
from btc_gui.domain.review import Action
from btc_gui.domain.run import RunRecipe
from btc_gui.domain.study import StudyId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, ProjectError, SettingsError
from btc_gui.evals.harness import shared_configuration
from btc_gui.jobs.choose_probes import choose_probes
from btc_gui.jobs.classify import ClassifyOutcome, classify
from btc_gui.jobs.issue_packet import issue_packet, opaque_ids
from btc_gui.jobs.judge import JudgeOutcome, judge
from btc_gui.jobs.load_events import load_events
from btc_gui.jobs.load_probes import load_probes
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.run_evaluation import RunOutcome, plan_run, run_evaluation
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.cases import CaseQuery, CaseStore
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.reviews import ReviewStore

Row = dict[str, Any]


def material() -> Path:
    """The folder of the demo's files."""
    return paths.resources() / "demo"


def description() -> Row:
    """What `demo.toml` says. Raises `SettingsError` when it can't be read."""
    path = material() / "demo.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The demo's description {path} can't be read: {error}.") from error


@dataclass(frozen=True, slots=True)
class DemoRun:
    """What building the project did. `studies` are the unblinded ones, by name."""

    loads: tuple[LoadReport, ...]
    reviewed: Mapping[ReviewStatus, int]
    evaluated: RunOutcome
    judged: JudgeOutcome
    classified: ClassifyOutcome
    studies: Mapping[str, StudyId]


def build_demo_project(path: Path, progress: Progress) -> None:
    """Make the demo project at `path`, whole or not at all; its packets are labelled and thrown away.

    Raises `ProjectError` when `path` exists, and all that `fill_demo_project` raises.
    """
    if path.exists():
        raise ProjectError(f"{path} exists already.", "Open it, or choose another name.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".demo-", dir=path.parent) as folder:
        unfinished = Path(folder) / path.name
        with Database.create(unfinished, str(description()["title"])) as database:
            fill_demo_project(database, Path(folder) / "packets", progress)
        unfinished.replace(path)


def fill_demo_project(database: Database, packets: Path, progress: Progress) -> DemoRun:
    """Do the whole job in a new project: load, review, evaluate, judge, classify, label, unblind.

    Raises `Cancelled`; `BtcError` when a step is refused.
    """
    about = description()
    categories = load_categories(paths.resources() / "categories")
    project = ProjectStore(database)
    project.set_value("illustrative", "yes")
    project.set_value("note", str(about["note"]))
    loads = _load(database, categories, str(about["curator"]), progress)
    _review(database, str(about["curator"]), progress)
    evaluated = _evaluate(database, about, progress)
    judged = judge(database, _replies(about["judge"]), categories, progress)
    classified = classify(database, _replies(about["classifier"]), categories, progress)
    _note_cases(database, str(about["curator"]))
    return DemoRun(
        loads=loads,
        reviewed=ProbeStore(database).count_by_status(),
        evaluated=evaluated,
        judged=judged,
        classified=classified,
        studies=_validate(database, about, categories, packets, progress),
    )


def _rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (material() / name).read_text(encoding="utf-8").splitlines()]


def _replies(entry: Row) -> ScriptedLanguageModel:
    return ScriptedLanguageModel(entry["name"], material() / entry["replies"])


def _load(
    database: Database, categories: Mapping[str, Category], curator: str, progress: Progress
) -> tuple[LoadReport, ...]:
    events = [
        load_events(database, material() / name, categories, progress, author=curator)
        for name in ("events.csv", "events_rejected_examples.csv")
    ]
    return (*events, load_probes(database, material() / "probes.jsonl", progress, author=curator))


def _review(database: Database, curator: str, progress: Progress) -> None:
    """Take the recorded decisions, each on the wording that stands at that moment."""
    probes, reviews = ProbeStore(database), ReviewStore(database)
    ids = {key: probe_id for key, (probe_id, _) in probes.keys().items()}
    rows = _rows("reviews.jsonl")
    for number, row in enumerate(rows, start=1):
        probe = probes.get(ids[row["probe"]])
        edited = None
        if "text" in row:
            content = probe.content
            edited = ProbeText(row["text"], content.requester, content.situation, content.consequence)
        reviews.decide(
            probe.id,
            probe.revision_id,
            Action(row["action"]),
            curator,
            reasons=tuple(row["reasons"]),
            note=row["note"],
            edited=edited,
        )
        progress.report(number, len(rows), f"Review: {probe.key}")


def _evaluate(database: Database, about: Row, progress: Progress) -> RunOutcome:
    configurations = [
        shared_configuration(model["name"], Effort(effort), cutoff=model["cutoff"])
        for model in about["models"]
        for effort in about["run"]["efforts"]
    ]
    run_id = plan_run(
        database,
        about["run"]["name"],
        configurations,
        choose_probes(database),
        1,
        str(about["curator"]),
        RunRecipe(current_date=about["current_date"], latency=0.0),
    )
    return run_evaluation(database, run_id, material(), progress)


def answer_of(database: Database, probe: str, model: str, effort: str) -> AnswerId:
    """The answer of a configuration to a probe, by the names that recordings use. Raises `ProjectError`."""
    probe_id, _ = ProbeStore(database).keys()[probe]
    found = CaseStore(database).ids(CaseQuery(probe_id=probe_id, models=(model,), efforts=(effort,)))
    if not found:
        raise ProjectError(f"There is no answer of {model} at {effort} effort to “{probe}”.")
    return found[0]


def _note_cases(database: Database, author: str) -> None:
    """Leave a note on the cases that are worth reading first."""
    for row in _rows("notes.jsonl"):
        CaseStore(database).add_note(
            answer_of(database, row["probe"], row["model"], row["effort"]), row["note"], author
        )


def _validate(
    database: Database, about: Row, categories: Mapping[str, Category], packets: Path, progress: Progress
) -> dict[str, StudyId]:
    """Carry out the described studies; one without recorded labels is left locked, for a person to label."""
    session = ValidatingSession(database, categories)
    actor = str(about["curator"])
    unblinded: dict[str, StudyId] = {}
    for entry in about["studies"]:
        annotator = str(entry.get("annotator", about["annotator"]))
        design = session.propose(entry["kind"], [annotator], entry["seed"], entry["size"], mode=Mode(entry["mode"]))
        study_id = session.new(entry["name"], design, actor)
        lock_study(database, study_id, categories, actor, progress)
        if "labels" not in entry:
            continue
        packet = issue_packet(database, study_id, annotator, packets, categories, actor, progress)
        _label(packet, _recorded_labels(database, study_id, entry["labels"]), progress)
        return_packet(database, packet, actor, progress)
        close_study(database, study_id, actor)
        unblind_study(database, study_id, actor)
        unblinded[entry["name"]] = study_id
    return unblinded


def _recorded_labels(database: Database, study_id: StudyId, name: str) -> dict[str, Row]:
    """The recorded labels by the item that stands for their answer in this study's packets."""
    labels = {(row["probe"], row["model"], row["effort"], 1): row for row in _rows(name)}
    items = opaque_ids(database, study_id)
    missing = Counter(str(key) for key in items if key not in labels)
    if missing:
        raise InputError(f"{name} has no label for {', '.join(missing)}.")
    return {str(item): labels[key] for key, item in items.items()}


def _label(packet: Path, labels: Mapping[str, Row], progress: Progress) -> None:
    """Label a packet as a person would: item by item, in its order, with nothing but the packet open."""
    with LabellingSession(packet) as session:
        while (shown := session.current) is not None:
            row = labels[shown.item]
            session.label(shown.item, row["label"], reason=row.get("reason", ""), note=row.get("note", ""))
            progress.report(session.done, session.total, "Labelling")
