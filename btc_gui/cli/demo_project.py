"""The demo project: the whole job on the built-in material, from loading to unblinded studies."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from btc_gui import paths
from btc_gui.cli.demo_forms import answers_for
from btc_gui.domain.case import CaseQuery
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.load_report import LoadReport
from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ReviewStatus
from btc_gui.domain.probe_sample import ProbeSample, SampleDesign
from btc_gui.domain.retention import RetentionCount
from btc_gui.domain.run import RunId, RunRecipe
from btc_gui.domain.study import FrameFilter, StudyId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import InputError, ProjectError, SettingsError
from btc_gui.evals.harness import configuration_of
from btc_gui.jobs.classify import ClassifyOutcome, classify
from btc_gui.jobs.filter_probes import filter_probes, probes_to_filter
from btc_gui.jobs.issue_packet import issue_packet, opaque_ids
from btc_gui.jobs.judge import JudgeOutcome, judge
from btc_gui.jobs.load_decisions import load_decisions
from btc_gui.jobs.load_events import load_events
from btc_gui.jobs.load_probes import load_probes
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.pair_probes import pair_probes
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.run_evaluation import RunOutcome, plan_each, run_evaluation
from btc_gui.jobs.sample_probes import items_of_sample, sample_probes
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.outside_data import toml_from
from btc_gui.progress import Progress, Report
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.store.case_notes import CaseNoteStore
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, set_project_models
from btc_gui.store.probes import ProbeStore
from btc_gui.store.projects import ProjectStore
from btc_gui.store.retention import RetentionStore

Row = dict[str, Any]


def material() -> Path:
    """The folder of the demo's files."""
    return paths.resources() / "demo"


def description() -> Row:
    """What `demo.toml` says. Raises `SettingsError` when it can't be read."""
    path = material() / "demo.toml"
    try:
        return toml_from(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The demo's description {path} can't be read: {error}.") from error


@dataclass(frozen=True, slots=True)
class DemoRun:
    """What building the project did. `studies` are the unblinded ones, by name."""

    loads: tuple[LoadReport, ...]
    reviewed: Mapping[ReviewStatus, int]
    retention: tuple[RetentionCount, ...]
    sample: ProbeSample
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
    """Do the whole job in a new project: load, review, filter, sample, evaluate, judge, classify, label, unblind.

    Raises `Cancelled`; `BtcError` when a step is refused.
    """
    about = description()
    categories = load_categories(paths.resources() / "categories")
    project = ProjectStore(database)
    project.set_value("illustrative", "yes")
    project.set_value("note", str(about["note"]))
    set_project_models(database, (material() / "models.toml").read_text(encoding="utf-8-sig"))
    part = _part(progress, 1, "events and probes")
    loads = _load(database, categories, str(about["curator"]), part)
    load_decisions(database, material() / "reviews.jsonl", str(about["curator"]), part)
    part = _part(progress, 2, "which probes are retained")
    _filter(database, about, categories, part)
    sample = _sample(database, about, categories, part)
    run_id, evaluated = _evaluate(database, about, sample, _part(progress, 3, "models answer"))
    part = _part(progress, 4, "answers are judged")
    judged = judge(database, _replies(about["judge"]), categories, part, run_id=run_id)
    classified = classify(database, _replies(about["classifier"]), categories, part)
    _note_cases(database, str(about["curator"]))
    return DemoRun(
        loads=loads,
        reviewed=ProbeStore(database).count_by_status(),
        retention=tuple(RetentionStore(database).counts()),
        sample=sample,
        evaluated=evaluated,
        judged=judged,
        classified=classified,
        studies=_validate(database, about, categories, packets, _part(progress, 5, "studies")),
    )


def _part(progress: Progress, number: int, words: str) -> Progress:
    """Each part counts from 0 anew: whoever waits must see how many parts there are."""

    def tell(report: Report) -> None:
        progress.tell(report.done, report.total, f"part {number} of 5, {words}: {report.text}")

    progress.check()
    part = Progress(tell)
    progress.on_cancel(part.cancel)
    return part


def _rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (material() / name).read_text(encoding="utf-8-sig").splitlines()]


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


def _recipe(about: Row) -> RunRecipe:
    return RunRecipe(current_date=about["current_date"], latency=0.0)


def _filter(database: Database, about: Row, categories: Mapping[str, Category], progress: Progress) -> None:
    """Three answers without search to each accepted indirect probe, and the judge's verdicts on them."""
    models = available_models(database)
    items = probes_to_filter(database)
    author = str(about["curator"])
    filter_probes(database, models, items, material(), progress, author=author, recipe=_recipe(about))
    for run_id in RetentionStore(database).runs():
        judge(database, _replies(about["judge"]), categories, progress, run_id=run_id)


def _sample(database: Database, about: Row, categories: Mapping[str, Category], progress: Progress) -> ProbeSample:
    """Twelve events are too few for one probe of each: the demo evaluates all that a model retains."""
    author, entry = str(about["curator"]), about["sample"]
    pair_probes(database, categories, author, progress)
    names = [model.name for model in available_models(database)]
    design = SampleDesign(entry["seed"], entry["size"], entry["per_event"])
    return sample_probes(database, entry["name"], names, design, author)


def _evaluate(database: Database, about: Row, sample: ProbeSample, progress: Progress) -> tuple[RunId, RunOutcome]:
    configurations = [
        configuration_of(model, Harness.SHARED, Effort(effort))
        for model in available_models(database)
        for effort in about["run"]["efforts"]
    ]
    run_id = plan_each(
        database,
        about["run"]["name"],
        items_of_sample(database, sample, configurations),
        1,
        str(about["curator"]),
        replace(_recipe(about), sample=sample.name),
    )
    return run_id, run_evaluation(database, run_id, material(), progress)


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
        CaseNoteStore(database).add(answer_of(database, row["probe"], row["model"], row["effort"]), row["note"], author)


def _validate(
    database: Database, about: Row, categories: Mapping[str, Category], packets: Path, progress: Progress
) -> dict[str, StudyId]:
    """Carry out the described studies; one without recorded labels is left locked, for a person to label."""
    session = ValidatingSession(database, categories)
    actor = str(about["curator"])
    unblinded: dict[str, StudyId] = {}
    for entry in about["studies"]:
        annotator = str(entry.get("annotator", about["annotator"]))
        wanted: dict[str, Any] = {name: tuple(values) for name, values in entry.get("frame", {}).items()}
        design = session.propose(
            entry["kind"],
            [annotator],
            entry["seed"],
            entry["size"],
            frame=replace(FrameFilter(), **wanted),
            mode=Mode(entry["mode"]),
        )
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
            answers = answers_for(shown, row["label"], session.manifest)
            reason, note = row.get("reason", ""), row.get("note", "")
            session.label(shown.item, row["label"], reason=reason, note=note, answers=answers)
            progress.report(session.done, session.total, "Labelling")
