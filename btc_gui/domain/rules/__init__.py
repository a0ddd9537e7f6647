"""Named rules of which categories compose what is an event: asked in the order in which a category names them.

A rule is one function here; a category is a list of their names with parameters. Loading a file and collecting from
Wikidata ask the same rules, so that an event is one whichever way it came. Every window reads the categories and few
come to ask a rule: what claims are made of is loaded with the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from btc_gui.domain.rules.claim import Claim, Rule, Window, World
from btc_gui.domain.rules.date_rules import day_precision, in_order, in_window, not_in_future, not_over, one_date
from btc_gui.domain.rules.office_rules import acting, ended_by_death, longest_of_day, new_role, not_held_again
from btc_gui.domain.rules.statement_rules import best_rank, has_article, human, latest_state, not_deprecated

RULES: Mapping[str, Callable[[object], Rule]] = {
    make.__name__: make
    for make in (
        human,
        has_article,
        not_deprecated,
        best_rank,
        day_precision,
        in_window,
        not_in_future,
        in_order,
        one_date,
        not_over,
        latest_state,
        ended_by_death,
        not_held_again,
        longest_of_day,
        acting,
        new_role,
    )
}


def compose(rules: Mapping[str, object], overrides: Mapping[str, object] | None = None) -> tuple[Rule, ...]:
    """The rules that a category names, in its order; False switches one off. `overrides` changes parameters.

    Raises ValueError for a name or parameter that doesn't exist.
    """
    overrides = overrides or {}
    composed = []
    for name in dict.fromkeys([*rules, *overrides]):
        if name not in RULES:
            raise ValueError(f"there is no rule “{name}” (there are {', '.join(RULES)})")
        value = overrides.get(name, rules.get(name))
        if value is not False:
            composed.append(RULES[name](value))
    return tuple(composed)


def refusal(rules: tuple[Rule, ...], claim: Claim, world: World, overruled: str = "") -> tuple[str, str]:
    """The first rule that speaks against a claim, and its reason; two empty texts when none does.

    The reason that a curator has `overruled` speaks against it no more.
    """
    for rule in rules:
        reason = rule.refuses(claim, world)
        if reason and reason != overruled:
            return rule.name, reason
    return "", ""


__all__ = ["RULES", "Claim", "Rule", "Window", "World", "compose", "refusal"]
