"""Titles that tell configurations apart: `Model · low · shared`, and what else differs where that is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from btc_gui.domain.configuration import Configuration, ConfigurationId


def configuration_titles(configurations: Mapping[ConfigurationId, Configuration]) -> dict[ConfigurationId, str]:
    """A title for each configuration, different for different ones.

    Those that share model, effort and harness name what they differ in: the as-of day, the search, the prompt, single
    settings. Where even that leaves two alike, the number of the configuration in the project tells them apart.
    """
    alike: dict[str, list[ConfigurationId]] = {}
    for number, configuration in configurations.items():
        alike.setdefault(configuration.title, []).append(number)
    titles: dict[ConfigurationId, str] = {}
    for title, numbers in alike.items():
        facts = {number: _facts(configurations[number]) for number in numbers}
        names = sorted({name for each in facts.values() for name in each})
        differing = [name for name in names if len({each.get(name, "") for each in facts.values()}) > 1]
        for number in numbers:
            parts = [f"{name} {facts[number].get(name) or '–'}" for name in differing]
            titles[number] = " · ".join([title, *parts])
    uses = Counter(titles.values())
    return {number: title if uses[title] == 1 else f"{title} · no. {number}" for number, title in titles.items()}


def _facts(configuration: Configuration) -> dict[str, str]:
    """All beside the plain title that makes a configuration what it is; long values by their beginning."""
    facts = {
        "as of": configuration.as_of,
        "search": configuration.search,
        "prompt": configuration.prompt_hash[:8],
        **configuration.settings,
    }
    return {name: value if len(value) <= 40 else f"{value[:39]}…" for name, value in facts.items()}
