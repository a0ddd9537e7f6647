"""The shared harness: one system prompt and one search tool for all models."""

from __future__ import annotations

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.hashing import sha256
from btc_gui.domain.run import cutoff_day
from btc_gui.errors import SettingsError


def system_prompt_template() -> str:
    """The shared system prompt with its places {current_date} and {cutoff}. Raises `SettingsError`."""
    path = paths.resources() / "prompts" / "shared_system.md"
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The shared system prompt {path} can't be read: {error}.") from error


def system_prompt_hash() -> str:
    """SHA-256 of the template: what configurations are told apart by."""
    return sha256(system_prompt_template())


def system_prompt(current_date: str, cutoff: str) -> str:
    """What every agent of the shared harness is told. Both are full days as ISO dates."""
    return system_prompt_template().format(current_date=current_date, cutoff=cutoff)


def shared_configuration(model: str, effort: Effort, *, cutoff: str = "", search: str = "replay") -> Configuration:
    """A configuration of the shared harness.

    `cutoff` is what the provider reports (a month, a day or nothing); the configuration holds the day that
    the agent is told, and the hash of the prompt's template. Raises ValueError for a cutoff that is no date.
    """
    return Configuration(
        model=model,
        harness=Harness.SHARED,
        effort=effort,
        search=search,
        prompt_hash=system_prompt_hash(),
        settings={"cutoff": cutoff_day(cutoff)},
    )
