"""The rules by name: what each is about. Their words are in resources/lint and in the categories' folders."""

from __future__ import annotations

from btc_gui.records import dataclass

#: Raised whenever the same words would give other findings: what was found before is stale then.
RULES_VERSION = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its name (stored, printed and waived by), words for a person, and what it asks for."""

    name: str
    title: str
    asks: str


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("name", "Names the entity", "No name, alias, initials or distinctive part of a name of x."),
        Rule("event_word", "Mentions the change", "No word that tells of the event or that it has happened."),
        Rule("date", "Dates the change", "No date from the event on that ties the request to a time after it."),
        Rule("not_a_request", "Not a request", "It asks for people or places to be recommended."),
        Rule("not_present", "Not in the present", "It asks who could do something, not who did."),
        Rule("singles_out", "Singles one out", "Several candidates fit: neither x's position nor a superlative."),
        Rule("one_answer", "Asks for one answer", "It leaves room for a short list."),
        Rule("requirement", "Lacks what the category needs", "Only who is unaffected by the change fits."),
        Rule("duplicate", "Nearly a duplicate", "No other probe says the same in nearly the same words."),
        Rule("variety", "Doesn't vary", "An event's probes differ in requester, situation and consequence."),
        Rule("too_short", "Too short", "There is enough to answer by."),
        Rule("too_long", "Too long", "It can be read at once."),
        Rule("not_english", "Not in English", "It is written in English."),
        Rule("no_name", "Direct probe without the name", "A direct probe names x."),
    )
}
