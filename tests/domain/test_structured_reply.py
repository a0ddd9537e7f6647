"""Structured replies: read when they are what was asked for, and nothing else."""

from __future__ import annotations

import json

import pytest

from btc_gui.domain.classifier_reply import ClassifierReply
from btc_gui.domain.judge_reply import JudgeReply
from btc_gui.domain.structured_reply import UnreadableReplyError, read_reply, strict_schema
from btc_gui.domain.verdict import Label


def reply(label: str = "incorrect") -> str:
    """A reply as the judge is asked for."""
    return json.dumps({"rationale": "He is recommended.", "names_entity": True, "label": label})


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("GRADE: E", "not JSON: it starts with “GRADE: E”"),
        ("The answer is incorrect, so my grade is C.", "not JSON"),
        ("correct", "not JSON"),
        ("", "empty"),
        ("\u200b\ufeff ", "empty"),
        (reply() + "\nGRADE: correct", "goes on after its JSON"),
        ("I think: " + reply(), "not JSON"),
        (reply()[:-20], "cut off"),
        (reply("E"), "label"),
        (reply("Incorrect"), "label"),
        (reply("incor\u200brect"), "label"),
        ('{"rationale": "x", "names_entity": true}', "label: Field required"),
        ('{"rationale": "x", "names_entity": "yes", "label": "correct"}', "names_entity"),
        ('{"rationale": "x", "names_entity": true, "label": null}', "label"),
        ('{"rationale": "x", "names_entity": true, "label": "correct", "label": "incorrect"}', "there twice"),
        ('["correct"]', "not the object"),
        ('{"rationale": "\\ud800", "names_entity": true, "label": "correct"}', "surrogate"),
    ],
)
def test_s10_a_letter_in_prose_is_no_label(said: str, reason: str) -> None:
    """Known fault S10: what can't be read has a reason, and nothing that it mentions is taken for a label."""
    with pytest.raises(UnreadableReplyError, match=reason):
        read_reply(said, JudgeReply)


@pytest.mark.parametrize(
    "said",
    [
        reply("correct"),
        "```json\n" + reply("correct") + "\n```",
        "```\n" + reply("correct") + "\n```",
        "\ufeff  " + reply("correct") + "\n\u200b",
    ],
)
def test_marks_around_a_whole_reply_do_not_hurt(said: str) -> None:
    """One fence around everything, a byte-order mark or zero-width marks at the ends: still that one object."""
    found = read_reply(said, JudgeReply)
    assert (found.label, found.names_entity, found.rationale) == (Label.CORRECT, True, "He is recommended.")


def test_broken_characters_and_deep_nesting() -> None:
    """Half a character and a bottomless reply are refused like any other."""
    with pytest.raises(UnreadableReplyError, match="broken characters"):
        read_reply('{"rationale": "\ud83d"}', JudgeReply)
    with pytest.raises(UnreadableReplyError):
        read_reply("[" * 100_000, JudgeReply)


def test_strict_schema_requires_every_key_and_allows_no_other() -> None:
    """Strict providers refuse a schema that leaves anything open, in nested objects too."""
    schema = strict_schema(ClassifierReply)
    assert schema["required"] == ["rationale", "evidence", "queries"]
    assert schema["additionalProperties"] is False
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    assert definitions["EvidenceClaim"]["required"] == ["result", "excerpt"]
    assert definitions["EvidenceClaim"]["additionalProperties"] is False
