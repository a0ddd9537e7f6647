"""The examples of the documents work as they stand there: files under their names, commands in their order."""

from __future__ import annotations

import doctest
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from btc_gui import paths
from btc_gui.cli import main
from btc_gui.domain.category import load_category
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.studies import StudyKind
from btc_gui.domain.studies.kind import Exclusion, FrameRow
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label
from btc_gui.settings import load_settings
from tests.docs.markdown import ROOT, blocks, words_of


def _write_and_run(document: str, folder: Path) -> dict[str, str]:
    """Write every named block of a document into `folder`, run every command; gives what each command said."""
    said: dict[str, str] = {}
    for block in blocks(_text(document)):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            continue
        for line in block.text.splitlines():
            if line.startswith("btc-gui ") and not block.language:
                result = CliRunner().invoke(main, words_of(line), catch_exceptions=False)
                assert result.exit_code == 0, f"{line}\n{result.output}"
                said[line] = result.output
    return said


def test_every_example_of_a_format_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = _write_and_run("formats.md", tmp_path)
    assert not [line for line, text in said.items() if line.startswith("btc-gui load") and "0 rejected" not in text]
    assert "2 judged" in said["btc-gui judge --replay judge.jsonl -p spring.btc"]
    assert "In memoriam" in next(text for line, text in said.items() if "documents search" in line)
    assert "My-Model" in next(text for line, text in said.items() if line.startswith("btc-gui models"))
    assert load_settings(tmp_path / "settings.toml").keys == {"review.accept": "Y"}


def test_the_example_of_a_category_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the page in the settings folder: its events load by its other name, and the project keeps it."""
    monkeypatch.chdir(tmp_path)
    for block in blocks(_text("extending.md")):
        if block.file:
            path = (paths.own_categories() if "/" in block.file else tmp_path) / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    category = load_category(paths.own_categories() / "cessation")
    assert "another airline still flies" in category.query_classes
    for command in (["new", "air.btc"], ["load", "events", "airlines.csv", "-p", "air.btc"]):
        result = CliRunner().invoke(main, command, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    assert "1 new" in result.output
    shutil.rmtree(paths.own_categories())
    (restore,) = [line for line in _text("extending.md").splitlines() if "--restore" in line]
    assert CliRunner().invoke(main, words_of(restore), catch_exceptions=False).exit_code == 0
    assert load_category(paths.own_categories() / "cessation") == category


def test_the_example_of_a_kind_of_study_is_one() -> None:
    code = next(block.text for block in blocks(_text("extending.md")) if block.language == "python")
    names: dict[str, Any] = {}
    exec(compile(code, "extending.md", "exec"), names)
    kind: StudyKind = names["NamesEntity"]()
    row = FrameRow(
        *(AnswerId(1), "k", "e", "demise", ProbeKind.INDIRECT, "M", "shared", "low", "M low", Ending.ANSWERED),
        judged=True,
        label=Label.CORRECT,
    )
    assert kind.place(replace(row, names_entity=True)) == "yes"
    assert kind.place(replace(row, names_entity=False)) == "no"
    assert kind.place(row) is Exclusion.UNSCORED
    assert kind.place(replace(row, judged=False)) is Exclusion.UNJUDGED
    assert sum(stratum.size for stratum in kind.strata(7)) == 7
    assert set(kind.classes) < {choice.value for choice in kind.choices}


def test_the_examples_of_the_statistics_are_right() -> None:
    """Each block goes on where the one before it ended, as one reads them."""
    source = "\n".join(block.text for block in blocks(_text("statistics.md")) if block.language == "python")
    examples = doctest.DocTestParser().get_doctest(source, {}, "statistics.md", None, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert result.attempted > 15
    assert result.failed == 0, "".join(said)


def _text(document: str) -> str:
    return (ROOT / "docs" / document).read_text(encoding="utf-8")
