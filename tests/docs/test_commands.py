"""The reference of commands says what the commands themselves say."""

from __future__ import annotations

import os
from pathlib import Path

from tests.docs.command_reference import reference

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def test_the_reference_of_commands_is_true() -> None:
    """docs/commands.md is made from the program (BTC_WRITE_DOCS=1 writes it anew)."""
    text = reference()
    if os.environ.get("BTC_WRITE_DOCS"):
        REFERENCE.write_text(text, encoding="utf-8")
    assert REFERENCE.read_text(encoding="utf-8") == text
