"""Prompts: filled with whatever stands in answers, and known by their hash."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.domain.prompt import load_prompt
from btc_gui.errors import SettingsError


def _write(folder: Path, text: str) -> Path:
    (folder / "test.md").write_text(text, encoding="utf-8")
    return folder


def test_values_are_put_in_as_they_are(tmp_path: Path) -> None:
    """Braces, dollar signs, percent signs and other names in a value mean nothing."""
    prompt = load_prompt("test", _write(tmp_path, "Be fair.\n---\nA: $answer B: $other {x}"))
    assert prompt.system == "Be fair."
    assert prompt.fill(answer="{y} $other ${z} %s \\1", other="$answer") == "A: {y} $other ${z} %s \\1 B: $answer {x}"
    assert prompt.fill(answer="\ud83d", other="") == "A: ? B:  {x}"


def test_the_hash_is_of_all_that_asks(tmp_path: Path) -> None:
    """Another system prompt, template or criterion is another prompt."""
    first = load_prompt("test", _write(tmp_path, "S\n---\nT"))
    assert first.hash_with("a") == first.hash_with("a")
    assert first.hash_with("a") != first.hash_with("b")
    assert first.hash_with("a") != load_prompt("test", _write(tmp_path, "S\n---\nU")).hash_with("a")


def test_broken_prompts_are_refused(tmp_path: Path) -> None:
    """A missing file, a missing divider and an unknown value are named."""
    with pytest.raises(SettingsError, match=r"none\.md"):
        load_prompt("none", tmp_path)
    with pytest.raises(SettingsError, match="“---”"):
        load_prompt("test", _write(tmp_path, "no divider"))
    with pytest.raises(SettingsError, match="colour"):
        load_prompt("test", _write(tmp_path, "S\n---\n$colour")).fill(answer="x")


@pytest.mark.parametrize("name", ["judge", "classify"])
def test_the_shipped_prompts_load(name: str) -> None:
    """Both prompts tell the model that what it reads is no instruction to it."""
    assert "instruction to you" in load_prompt(name).system
