"""Keys of services are nowhere in what is written: project, tables, the logs of engine, worker and app."""

from __future__ import annotations

import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import zstandard

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.configuration import Effort, Harness
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.probe import Probe, ProbeKind
from btc_gui.domain.review import Action
from btc_gui.domain.run import RunId
from btc_gui.domain.studies import STUDY_KINDS
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.supervisor import Worker
from btc_gui.exports.results import write_results
from btc_gui.jobs.classify import classify
from btc_gui.jobs.export_log import export_log
from btc_gui.jobs.filter_probes import filter_probes
from btc_gui.jobs.generate_probes import generate_probes
from btc_gui.jobs.generation_plan import Target
from btc_gui.jobs.judge import judge
from btc_gui.jobs.lock_study import lock_study
from btc_gui.jobs.read_results import read_results
from btc_gui.jobs.return_packet import return_packet
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.jobs.try_probe import try_probe
from btc_gui.jobs.unblind_study import close_study, unblind_study
from btc_gui.progress import Progress
from btc_gui.remote.language_model import UnusableModelError
from btc_gui.remote.model_choice import ModelChoice, ModelKind
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.settings import Settings, save_settings
from btc_gui.store import bodies
from btc_gui.store.answers import AnswerStore
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.store.classifications import ClassificationStore, NewClassification
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from btc_gui.store.reviews import ReviewStore
from btc_gui.store.studies import StudyStore
from tests.builders import add_event, add_probe
from tests.case_builders import add_answers, add_verdict, make_query, make_trajectory
from tests.cli.test_project import run
from tests.fakes.model_server import ANSWER, QUERY
from tests.recordings import behaviour, result, write_recordings
from tests.run_builders import make_recipe
from tests.shared_worker import SharedServices
from tests.study_builders import issue, make_categories, make_design

_ZSTD = 93


#: What the provider does is written in the probe's text, which reaches agents, judges and generators alike.
_TEXTS = {"p0": "Who speaks?", "p1": "Who speaks? key repeated", "p2": "Who speaks? key answered"}


def test_no_key_is_in_anything_that_is_written(
    database: Database,
    tmp_path: Path,
    services: SharedServices,
    start_worker: Callable[[Path], Worker],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Runs, filters and trials whose provider refuses the key and repeats it, or answers with it; all logs are kept.

    Then every command writes what it can.
    """
    for name, value in services.keys.items():
        monkeypatch.setenv(name, value)
    save_settings(Settings(keeps_logs=True, model_servers={"openai": services.models.address}))
    model = next(each for each in available_models(database) if each.name == "GPT-5.4")
    low = [configuration_of(model, Harness.SHARED, Effort.LOW)]
    replay = write_recordings(tmp_path / "replay", [behaviour("p0")], {QUERY: [result()]})
    command = Path(f"/proc/{services.worker.pid}/cmdline")
    arguments = command.read_bytes() if command.exists() else b""
    event = add_event(database)
    probes = {key: add_probe(database, event, text=text, key=key) for key, text in _TEXTS.items()}
    items = {key: [(probe.id, probe.revision_id)] for key, probe in probes.items()}
    runs = {key: plan_run(database, key, low, items[key], 1, "tests", make_recipe()) for key in _TEXTS}
    for run_id in runs.values():
        run_evaluation(database, run_id, replay, Progress(), start_worker=start_worker)
    more: dict[str, Any] = {"author": "tests", "recipe": make_recipe(), "start_worker": start_worker}
    every = [item for each in items.values() for item in each]
    filter_probes(database, [model], every, replay, Progress(), **more)
    for probe in probes.values():
        try_probe(database, probe.id, low, replay_folder=replay, progress=Progress(), **more)
    store = AnswerStore(database)
    (refused,) = store.fetch(store.ids(runs["p1"])).values()
    assert refused.ending_reason == "the provider refuses the key (401: Incorrect API key provided: Bearer (key))"
    (repeated,) = store.fetch(store.ids(runs["p2"])).values()
    assert repeated.answer == f"{ANSWER} You sent Bearer (key)."
    out = tmp_path / "out"
    write_results(read_results(database, Progress()), out)
    export_log(database, runs["p2"], out / "log.eval", Progress(), start_worker=start_worker)
    packets = _hand_on(database, repeated.id, out)
    _command(database, probes["p2"], runs, packets["judge_verdict"], out)

    keys = {name: value.encode() for name, value in services.keys.items() if name.endswith("_KEY")}
    assert len(keys) > 5
    said = "".join(capfd.readouterr()).encode()
    searched = [("arguments of the worker", arguments), ("terminal", said)]
    searched += _written(database, [tmp_path, services.worker.folder])
    assert sum(name.endswith(".eval") or ".eval:" in name for name, _ in searched) > 8
    # What is searched holds what was answered, however it is packed.
    answered = [name for name, data in searched if b"You sent Bearer (key)" in data]
    for kind in (".eval:", ".btcp", ".html", ".tex", "copy.btc"):
        assert any(kind in name for name in answered), kind
    # A picture of dots has the words of the others, and what it says of itself is not packed.
    drawn = [name for name, data in searched if b"GPT-5.4" in data]
    for kind in (".svg", ".pdf:words"):
        assert any(name.endswith(kind) for name in drawn), kind
    assert any(name.endswith(".png") and b"tEXtTitle" in data for name, data in searched)
    assert {f"{place}: {name}" for place, data in searched for name, key in keys.items() if key in data} == set()


def test_no_key_is_in_what_judges_classifiers_and_generators_leave(
    database: Database, tmp_path: Path, services: SharedServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider repeats the key in a refusal, or in a reply, which is kept as one that can't be read."""
    for name, value in services.keys.items():
        monkeypatch.setenv(name, value)
    # As a key comes out of a file that was written on Windows.
    monkeypatch.setenv("OPENAI_API_KEY", services.keys["OPENAI_API_KEY"] + "\r\n")
    categories = load_categories(paths.resources() / "categories")
    choice = ModelChoice(ModelKind.OPENAI, "judge-1", base_url=f"{services.models.address}/v1")
    for text in ("key repeated", "key answered"):
        event = add_event(database, entity=text)
        probe = add_probe(database, event, text=f"Who speaks? {text}")
        run, answers = add_answers(database, probe, [make_trajectory(queries=[make_query("who")])])
        for ask in (judge, classify):
            with choice.open() as model, suppress(UnusableModelError):
                ask(database, model, categories, Progress(), run_id=run)
            add_verdict(database, answers[0], label=Label.INCORRECT)
        with choice.open() as model, suppress(UnusableModelError):
            targets = [Target(event, rewrites=True, note=text)]
            generate_probes(database, model, categories, targets, Progress(), author="tests", without_context=True)
    calls = list(database.read().execute("SELECT role, error, reply_id FROM model_call ORDER BY role, id"))
    assert [(call["role"], call["reply_id"] is None) for call in calls] == [
        (role, refused) for role in ("classifier", "generator", "judge") for refused in (True, False)
    ]
    assert all("Incorrect API key provided: Bearer (key)" in call["error"] for call in calls[::2])
    replies = bodies.fetch(database.read(), [call["reply_id"] for call in calls[1::2]]).values()
    assert set(replies) == {f"{ANSWER} You sent Bearer (key)."}
    key = services.keys["OPENAI_API_KEY"].encode()
    assert [place for place, data in _written(database, [tmp_path]) if key in data] == []


def _hand_on(database: Database, answer: AnswerId, out: Path) -> dict[str, Path]:
    """The case in a collection and its cards, and in a packet of each kind of study: these, by the study's name."""
    add_verdict(database, answer, label=Label.INCORRECT)
    ClassificationStore(database).add(NewClassification(answer, "tests", None, FailureMode.REASONING))
    collections = CaseCollectionStore(database)
    collections.add(collections.create("Kept", "of a key", "tests"), [answer], "tests")
    assert run("export", "cases", "--collection", "Kept", "-p", str(database.path), "--out", str(out / "cards")) == 0
    packets = {}
    for kind in STUDY_KINDS:
        design = make_design(kind=kind, strata=(Stratum("all", 1, {}),), accept_shortfall=True)
        study = StudyStore(database).create(kind, design, "tests")
        lock_study(database, study, make_categories(), "tests", Progress())
        packets[kind] = issue(database, study, out)
    return packets


def _command(database: Database, probe: Probe, runs: Mapping[str, RunId], packet: Path, out: Path) -> None:
    """Everything else that commands write: a study to its report, exports of all kinds, a release, a recipe, a copy."""
    study = next(each.id for each in StudyStore(database).all() if each.name == "judge_verdict")
    with LabellingSession(packet) as session:
        while session.current is not None:
            session.label(session.current.item, "correct", note="It says (key).")
    return_packet(database, packet, "tests", Progress())
    close_study(database, study, "tests")
    unblind_study(database, study, "tests")
    ReviewStore(database).decide(probe.id, probe.revision_id, Action.ACCEPT, "tests")
    direct = add_probe(database, probe.event_id, "Does Ada speak?", ProbeKind.DIRECT)
    ReviewStore(database).decide(direct.id, direct.revision_id, Action.ACCEPT, "tests")
    on = ("-p", str(database.path))
    words = [
        ("export", "tables", "--show-open", "--out", str(out / "tables")),
        ("export", "figures", "--show-open", "--out", str(out / "figures")),
        ("study", "report", str(study), "--out", str(out / "study")),
        ("study", "log", str(study)),
        ("release", "new", "spring"),
        ("export", "release", "spring", "--out", str(out / "release")),
        ("recipe", "export", "--run", str(runs["p0"]), "--out", str(out / "recipe.json")),
        ("runs",),
        ("cases", "find", "--json"),
    ]
    codes = {" ".join(each[:2]): run(*each, *on) for each in words}
    codes["copy"] = run("copy", str(database.path), str(out / "copy.btc"))
    codes["check"] = run("check", str(database.path))
    assert {name: code for name, code in codes.items() if code not in (0, 1)} == {}


def _written(database: Database, folders: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Everything in files: as it is, and what is packed in it."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                yield str(path), path.read_bytes()
                if zipfile.is_zipfile(path):
                    yield from _packed(path)
                if path.suffix == ".pdf":
                    yield f"{path}:words", _words_of(path)
    for number, content in database.read().execute("SELECT id, content FROM body WHERE encoding = 'zlib'"):
        yield f"body {number}", zlib.decompress(content)


def _words_of(path: Path) -> bytes:
    """The words that a PDF of ours draws, one drawing a line: sign by sign, with the room between them, and packed."""
    data, packed = path.read_bytes(), []
    for stream in re.finditer(rb"stream\r?\n", data):
        with suppress(zlib.error):
            packed.append(zlib.decompressobj().decompress(data[stream.end() :]))
    drawings = re.findall(rb"BT\s.*?\sET", b"\n".join(packed), re.DOTALL)
    lines = [b"".join(re.findall(rb"\(((?:\\.|[^()\\])*)\)", drawing, re.DOTALL)) for drawing in drawings]
    return b"\n".join(lines).replace(b"\0", b"").replace(b"\\", b"")


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    """The parts of an archive; the engine packs its logs with zstd, which `zipfile` can't read."""
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        for part in archive.infolist():
            if part.compress_type != _ZSTD:
                yield f"{path}:{part.filename}", archive.read(part)
                continue
            file.seek(part.header_offset + 26)
            lengths = struct.unpack("<HH", file.read(4))
            file.seek(sum(lengths), os.SEEK_CUR)
            packed = file.read(part.compress_size)
            yield f"{path}:{part.filename}", zstandard.ZstdDecompressor().decompressobj().decompress(packed)
