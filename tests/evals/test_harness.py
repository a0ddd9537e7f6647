"""The shared system prompt says what the benchmark's says, and configurations are told apart by it."""

from __future__ import annotations

import pytest

from btc_gui.domain.configuration import Effort, Harness
from btc_gui.evals.harness import shared_configuration, system_prompt, system_prompt_hash


def test_the_shared_prompt_states_dates_relative_words_and_when_to_search() -> None:
    prompt = system_prompt("2026-07-15", "2025-08-31")
    assert "Today's date is 2026-07-15" in prompt
    assert "2025-08-31" in prompt
    for word in ("current", "now", "today", "recently", "this year", "latest"):
        assert f'"{word}"' in prompt
    assert "web_search" in prompt
    assert "{" not in prompt


@pytest.mark.parametrize(("reported", "told"), [("2025-01", "2025-01-31"), ("", "2026-01-31")])
def test_a_configuration_holds_the_cutoff_that_the_agent_is_told(reported: str, told: str) -> None:
    configuration = shared_configuration("Larkspur-2", Effort.HIGH, cutoff=reported)
    assert configuration.settings == {"cutoff": told}
    assert (configuration.harness, configuration.search) == (Harness.SHARED, "replay")
    assert configuration.prompt_hash == system_prompt_hash()
    assert configuration.title == "Larkspur-2 · high · shared"
