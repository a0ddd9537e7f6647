"""Rules about what is stated: of whom, at which rank, by how many."""

from __future__ import annotations

from btc_gui.domain.rules.claim import Claim, Rule, World

_HUMAN = "Q5"


def human(_: object) -> Rule:
    """A person: no animal, band or invented figure. Asked where the source tells what the item is."""

    def refuses(claim: Claim, _: World) -> str:
        classes = claim.item.classes if claim.item else ()
        return f"not a person: an instance of {', '.join(classes)}" if classes and _HUMAN not in classes else ""

    return Rule("human", "It is about a person", refuses)


def has_article(_: object) -> Rule:
    """The entity has an article in the English Wikipedia (the paper's rule). Files need not tell."""

    def refuses(claim: Claim, _: World) -> str:
        return "no article: the English Wikipedia has none" if claim.item and not claim.item.title else ""

    return Rule("has_article", "There is an English article", refuses)


def not_deprecated(_: object) -> Rule:
    """The statement isn't kept only to say that it is wrong."""

    def refuses(claim: Claim, _: World) -> str:
        from btc_gui.domain.statements import Rank

        is_deprecated = claim.statement is not None and claim.statement.rank is Rank.DEPRECATED
        return "deprecated: the source keeps this statement as wrong" if is_deprecated else ""

    return Rule("not_deprecated", "The statement is not deprecated", refuses)


def best_rank(_: object) -> Rule:
    """No other statement of the property is preferred.

    For properties with one true value. A former term in office is rightly of normal rank beside a preferred one.
    """

    def refuses(claim: Claim, _: World) -> str:
        from btc_gui.domain.statements import Rank

        if claim.statement is None or claim.statement.rank is not Rank.NORMAL:
            return ""
        preferred = [rival for rival in claim.rivals if rival.rank is Rank.PREFERRED]
        dates = [stated.text for rival in preferred for stated in rival.dates]
        return f"not the best rank: another statement is preferred ({', '.join(dates)})" if preferred else ""

    return Rule("best_rank", "No other statement is preferred", refuses)


def latest_state(_: object) -> Rule:
    """No statement says that the item has been in another state since. For properties that tell states in turn."""

    def refuses(claim: Claim, _: World) -> str:
        from btc_gui.domain.statements import Rank

        later = [
            stated.date
            for rival in claim.rivals
            if claim.statement is not None
            and rival.rank is not Rank.DEPRECATED
            and rival.value != claim.statement.value
            for stated in rival.starts
            if stated.date is not None and stated.date.first_day > claim.facts.date.last_day
        ]
        return f"over already: in another state since {min(later).text}" if later else ""

    return Rule("latest_state", "No other state has followed", refuses)
