"""The harnesses: what makes a configuration, and the one system prompt of the shared harness."""

from __future__ import annotations

from btc_gui import paths
from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import SCRIPTED, EvaluatedModel
from btc_gui.domain.hashing import sha256
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.errors import InputError, SettingsError


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


def system_prompt(current_date: str, cutoff: str, template: str = "") -> str:
    """What every agent of the shared harness is told: the app's text, or a project's own. Both dates are full days.

    Only the two places are filled in: other braces stay what they are.
    """
    text = template or system_prompt_template()
    return text.replace("{current_date}", current_date).replace("{cutoff}", cutoff)


def configuration_of(
    model: EvaluatedModel,
    harness: Harness,
    effort: Effort,
    *,
    template: str = "",
    search: SearchSettings | None = None,
) -> Configuration:
    """A model in a harness at an effort, with all that makes it comparable.

    In the shared harness, `template` is the system prompt (empty: the app's own) and `search` what stands behind
    web_search (None: replay). The native harness and answers without search have the provider's own defaults:
    no system prompt, no search of ours. Raises `InputError` for a model without native search.
    """
    settings = model.settings(harness, effort)
    if harness is not Harness.SHARED:
        if harness is Harness.NATIVE and model.native is None:
            raise InputError(f"{model.name} has no native search.", "Choose the shared harness for it.")
        return Configuration(model.name, harness, effort, settings=settings)
    search = search or SearchSettings()
    return Configuration(
        model=model.name,
        harness=harness,
        effort=effort,
        search=search.kind,
        prompt_hash=sha256(template or system_prompt_template()),
        as_of=search.as_of,
        settings={**settings, **search.as_settings()},
    )


def shared_configuration(
    model: str, effort: Effort, *, cutoff: str = "", search: SearchSettings | None = None
) -> Configuration:
    """A recorded agent in the shared harness with the app's own prompt.

    `cutoff` is what the provider reports (a month, a day or nothing); the configuration holds the day that
    the agent is told, and the hash of the prompt's template. Raises ValueError for a cutoff that is no date.
    """
    agent = EvaluatedModel(model, SCRIPTED, model, cutoff=cutoff)
    return configuration_of(agent, Harness.SHARED, effort, search=search)
