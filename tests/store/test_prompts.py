"""A project's own prompts: used from then on, checked before, and kept for those who used them."""

from __future__ import annotations

import pytest

from btc_gui.domain.hashing import sha256
from btc_gui.errors import InputError, SettingsError
from btc_gui.evals.harness import system_prompt
from btc_gui.store.database import Database
from btc_gui.store.prompts import NAMES, SHARED_SYSTEM, PromptStore, builtin_text


def test_a_project_has_the_apps_prompts_until_it_has_its_own(database: Database) -> None:
    store = PromptStore(database)
    assert all(store.text(name) == builtin_text(name) and not store.is_own(name) for name in NAMES)
    digest = store.set(SHARED_SYSTEM, "  It is {current_date}. Answer in JSON: {}.\n")
    text = store.text(SHARED_SYSTEM)
    assert (text, sha256(text)) == ("It is {current_date}. Answer in JSON: {}.", digest)
    assert system_prompt("2026-07-15", "2025-08-31", text) == "It is 2026-07-15. Answer in JSON: {}."
    store.reset(SHARED_SYSTEM)
    assert store.text(SHARED_SYSTEM) == builtin_text(SHARED_SYSTEM)
    # A run that was planned with it can still be carried out.
    assert store.by_hash(digest) == text


def test_a_judges_prompt_must_have_its_two_parts_and_ask_for_what_there_is(database: Database) -> None:
    store = PromptStore(database)
    before = store.prompt("judge")
    store.set("judge", "You judge.\n---\nThe answer: $answer")
    assert store.prompt("judge").system == "You judge."
    for text, words in [
        ("", "can't be empty"),
        ("You judge. $answer", "no line “---”"),
        ("You judge.\n---\nThe answer.", "does not show the answer"),
        ("You judge.\n---\n$answer of $colour", r"\$colour"),
    ]:
        with pytest.raises(SettingsError, match=words):
            store.set("judge", text)
    assert store.prompt("judge").template == "The answer: $answer"
    assert before != store.prompt("judge")
    with pytest.raises(InputError, match="no prompt “poem”"):
        store.set("poem", "x")
