"""Keys of services are nowhere in what is written: project, tables, the logs of engine, worker and app."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.supervisor import Worker
from btc_gui.exports.results import write_results
from btc_gui.jobs.read_results import read_results
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.jobs.run_recipe import export_recipe
from btc_gui.progress import Progress
from btc_gui.settings import Settings, save_settings
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models
from tests.builders import add_event, add_probe
from tests.fakes.model_server import QUERY
from tests.recordings import behaviour, result, write_recordings
from tests.run_builders import make_recipe
from tests.shared_worker import SharedServices

_ZSTD = 93


def test_no_key_is_in_anything_that_is_written(
    database: Database,
    tmp_path: Path,
    services: SharedServices,
    start_worker: Callable[[Path], Worker],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Runs whose answers come, and whose provider refuses the key and repeats it; the engine's logs are kept."""
    for name, value in services.keys.items():
        monkeypatch.setenv(name, value)
    save_settings(Settings(keeps_logs=True))
    model = next(each for each in available_models(database) if each.name == "GPT-5.4")
    event = add_event(database)
    replay = write_recordings(tmp_path / "replay", [behaviour("p0")], {QUERY: [result()]})
    command = Path(f"/proc/{services.worker.pid}/cmdline")
    arguments = command.read_bytes() if command.exists() else b""
    runs = []
    for key, text in (("p0", "Who speaks?"), ("p1", "Who speaks? key repeated")):
        probe = add_probe(database, event, text=text, key=key)
        configurations = [configuration_of(model, Harness.SHARED, Effort.LOW)]
        items = [(probe.id, probe.revision_id)]
        runs.append(plan_run(database, key, configurations, items, 1, "tests", make_recipe()))
    for run_id in runs:
        run_evaluation(database, run_id, replay, Progress(), start_worker=start_worker)
    store = AnswerStore(database)
    (refused,) = store.fetch(store.ids(runs[1])).values()
    assert "the provider refuses the key (401: Incorrect API key provided: " in refused.ending_reason
    out = tmp_path / "out"
    write_results(read_results(database, Progress()), out)
    (out / "recipe.toml").write_text(export_recipe(database, runs[0]), encoding="utf-8")

    keys = {name: value.encode() for name, value in services.keys.items() if name.endswith("_KEY")}
    assert len(keys) > 5
    searched = [("arguments of the worker", arguments), *_written(database, [tmp_path, services.worker.folder])]
    assert sum(name.endswith(".eval") or ".eval:" in name for name, _ in searched) > 4
    assert {f"{place}: {name}" for place, data in searched for name, key in keys.items() if key in data} == set()


def _written(database: Database, folders: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Everything in files: as it is, and what is packed in it."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                yield str(path), path.read_bytes()
                if zipfile.is_zipfile(path):
                    yield from _packed(path)
    for number, content in database.read().execute("SELECT id, content FROM body WHERE encoding = 'zlib'"):
        yield f"body {number}", zlib.decompress(content)


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
