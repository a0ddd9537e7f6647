"""Small files that people and the app itself keep: settings, categories, recordings, releases, labels to give."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.domain.lint.linter import load_linter
from btc_gui.errors import BtcError
from btc_gui.evals.no_search import RecordedNoSearch
from btc_gui.evals.replay import RecordedAgents, RecordedSearches
from btc_gui.evals.search.documents import index_documents
from btc_gui.jobs.lint_file import lint_file
from btc_gui.progress import Progress
from btc_gui.remote.scripted import ScriptedLanguageModel
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.recorded_labels import give_labels, read_labels
from btc_gui.settings import load_settings, save_settings
from tests.fuzz.mutating import fuzz, is_sentence, mutated, no_hang
from tests.study_builders import item_id, write_packet

RESOURCES = paths.resources()
DEMO = RESOURCES / "demo"


@dataclass(frozen=True)
class FileReader:
    """What reads a folder in which one file is damaged, and that file."""

    read: Callable[[Path], object]
    file: str
    seeds: tuple[bytes, ...]


def _head(name: str, count: int = 4) -> bytes:
    return b"\n".join((DEMO / name).read_bytes().splitlines()[:count])


def _settings(folder: Path) -> object:
    settings = load_settings(folder / "settings.toml")
    save_settings(settings, folder / "again.toml")
    assert load_settings(folder / "again.toml") == settings
    return settings


def _replay(folder: Path) -> object:
    model = ScriptedLanguageModel("judge", folder / "judge.jsonl")
    return [reply.encode("utf-8") for reply in model._replies.values()]


def _category(folder: Path) -> object:
    categories = load_categories(folder / "categories")
    load_linter(folder)
    return categories


def _lint(folder: Path) -> object:
    categories = load_categories(RESOURCES / "categories")
    found = lint_file(folder / "probes.jsonl", LINTER, categories, Progress())
    assert found.read == len(found.rejected) + len(found.probes)
    return found


def _documents(folder: Path) -> object:
    return index_documents(folder / "documents")


def _give(folder: Path) -> object:
    """Labels from a file for a packet; what is not given is rejected with its line."""
    rows, unread = read_labels(folder / "labels.jsonl")
    with LabellingSession(folder / "packet.btcp") as session:
        report = give_labels(session, rows)
        assert len(rows) + len(unread) == report.given + report.known + len(report.rejected) + len(unread)
        assert report.done <= report.total
    with LabellingSession(folder / "packet.btcp") as session:
        again = give_labels(session, rows)
        assert (again.given, again.done) == (0, report.done)
    json.dumps(report.as_json(), ensure_ascii=False).encode("utf-8")
    return report


LINTER = load_linter(RESOURCES)
_SETTINGS = (
    'reviewer = "PK"\noperator_contact = "a@example.org"\ntheme = "dark"\ntext_scale = 1.5\nuse_keyring = true\n'
    'recent = ["/a/b.btc", "c.btc"]\nquery_service = "qlever"\nkeeps_logs = false\n\n[keys]\naccept = "Ctrl+A"\n\n'
    '[services]\nwdqs = "https://example.org/sparql"\n\n[model_servers]\nopenai = "http://127.0.0.1:8000/v1"\n'
)
_LABELS = "\n".join(
    json.dumps({"item": item_id(n), "label": label, "reason": "r", "note": "n", "confidence": n})
    for n, label in ((1, "correct"), (2, "incorrect"), (3, "unsure"))
)
_DEMISE = RESOURCES / "categories" / "demise"

READERS: dict[str, FileReader] = {
    "settings": FileReader(_settings, "settings.toml", (_SETTINGS.encode(),)),
    "recorded replies": FileReader(_replay, "judge.jsonl", (_head("judge.jsonl"), _head("classifier.jsonl"))),
    "recorded agents": FileReader(RecordedAgents, "agents.jsonl", (_head("agents.jsonl", 2),)),
    "recorded searches": FileReader(RecordedSearches, "searches.jsonl", (_head("searches.jsonl", 3),)),
    "recorded answers": FileReader(RecordedNoSearch, "no_search.jsonl", (_head("no_search.jsonl", 2),)),
    "probes to lint": FileReader(_lint, "probes.jsonl", (_head("probes.jsonl"),)),
    "labels to give": FileReader(_give, "labels.jsonl", (_LABELS.encode(),)),
    "documents as lines": FileReader(
        _documents,
        "documents/a.jsonl",
        (b'{"title":"t","url":"https://example.org","published":"2026-05-09","text":"He died."}\n{"text":"b"}',),
    ),
    "document with a header": FileReader(
        _documents, "documents/2026-05-09 a.md", (b"---\ntitle: T\ndate: 2026-05-09\n---\n# Head\n\nHe died.\n",)
    ),
}
for _file in ("category.toml", "boundaries.toml", "lint.toml", "practice.jsonl"):
    READERS[f"category: {_file}"] = FileReader(
        _category, f"categories/demise/{_file}", ((_DEMISE / _file).read_bytes(),)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all files as they should be."""
    shutil.copytree(_DEMISE, tmp_path / "categories" / "demise")
    shutil.copytree(RESOURCES / "categories" / "queries", tmp_path / "categories" / "queries")
    shutil.copytree(RESOURCES / "lint", tmp_path / "lint")
    (tmp_path / "documents").mkdir()
    write_packet(tmp_path / "whole.btcp")
    return tmp_path


@pytest.mark.parametrize("name", READERS)
def test_damaged_file(name: str, folder: Path) -> None:
    """It is read, or refused in a sentence."""
    reader = READERS[name]
    path = folder / reader.file

    @fuzz(8)
    @given(text=st.one_of(mutated(reader.seeds, values_only=True), mutated(reader.seeds)))
    def check(text: bytes) -> None:
        path.write_bytes(text)
        shutil.copy(folder / "whole.btcp", folder / "packet.btcp")
        load_linter.cache_clear()
        refusal: BtcError | None = None
        with no_hang():
            try:
                reader.read(folder)
            except BtcError as error:
                refusal = error
        assert refusal is None or is_sentence(str(refusal))

    check()
