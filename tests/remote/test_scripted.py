"""Replaying recorded replies: a miss is a failure in words, never an empty reply."""

from __future__ import annotations

from pathlib import Path

import pytest

from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.errors import InputError, ModelError
from btc_gui.remote.language_model import ModelRequest
from btc_gui.remote.scripted import ScriptedLanguageModel


def _request(subject: str, prompt: str = "?") -> ModelRequest:
    return ModelRequest("judge", "", prompt, JudgeReply, subject)


def test_replies_by_subject(tmp_path: Path) -> None:
    """Objects come as JSON, texts as they are (so that broken replies can be recorded); BOM and blank lines pass."""
    path = tmp_path / "judge.jsonl"
    path.write_text(
        '\ufeff{"subject": "a", "reply": {"label": "correct", "rationale": "é"}}\n\n'
        '{"subject": "b", "reply": "GRADE: C"}',
        encoding="utf-8",
    )
    model = ScriptedLanguageModel("recorded judge", path)
    assert model.name == "recorded judge"
    assert model.ask(_request("a")).text == '{"label": "correct", "rationale": "é"}'
    assert model.ask(_request("b")).text == "GRADE: C"


def test_a_miss_fails(tmp_path: Path) -> None:
    """What was not recorded is named."""
    path = tmp_path / "judge.jsonl"
    path.write_text("", encoding="utf-8")
    with pytest.raises(ModelError, match=r"no recorded reply for judge/p1/m/low/1 in judge\.jsonl"):
        ScriptedLanguageModel("recorded judge", path).ask(_request("judge/p1/m/low/1"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"subject": "a", "reply": "x"}\n{nope', "line 2"),
        ('{"subject": "a"}', "line 1"),
        ('["a"]', "line 1"),
        ('{"subject": 3, "reply": "x"}', "not a text"),
        ('{"subject": "a", "reply": "x"}\n{"subject": "a", "reply": "y"}', "line 2: “a” has a reply already"),
    ],
)
def test_wrong_files_are_refused_with_the_line(tmp_path: Path, content: str, reason: str) -> None:
    """Nothing is guessed about a recording."""
    path = tmp_path / "judge.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        ScriptedLanguageModel("recorded judge", path)


def test_missing_and_foreign_files(tmp_path: Path) -> None:
    """A file that is not there or not UTF-8 is refused in words."""
    with pytest.raises(InputError, match="can't be read"):
        ScriptedLanguageModel("x", tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"subject": "\xe9"}')
    with pytest.raises(InputError, match="can't be read"):
        ScriptedLanguageModel("x", tmp_path / "latin.jsonl")


def test_request_hash_is_of_what_is_sent() -> None:
    """The subject is not sent: equal prompts are one request; any other text is another."""
    assert _request("a").request_hash == _request("b").request_hash
    assert _request("a").request_hash != _request("a", "??").request_hash
