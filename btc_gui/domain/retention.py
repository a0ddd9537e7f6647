"""Retention: which probes a model falls for without search, and so may be evaluated on.

A probe is put to a model three times without any tool, at low effort, and with no system prompt: that of the shared
harness would tell it to search, and that its knowledge may be out of date, while the filter asks what the model
says by itself. The judge labels each answer by the criteria for indirect probes of its category: the same judge and
the same criteria as in the evaluation. An answer recommends the entity when its label is `incorrect`, which means
that it treats the entity as available (or as the holder of the position). So a retained probe, all three answers of
which do, has a no-search accuracy of 0 by construction. An answer labelled `incorrect` although the judge says that
it doesn't name the entity contradicts itself, and counts for nothing until it is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from btc_gui.domain.configuration import ConfigurationId
from btc_gui.domain.event import EventId
from btc_gui.domain.probe import ProbeId, RevisionId
from btc_gui.records import dataclass

#: How many no-search answers each probe gets from each model; all of them must recommend the entity.
FILTER_ANSWERS = 3


class FilterAnswer(StrEnum):
    """What became of one no-search answer."""

    RECOMMENDS = "recommends"
    LEAVES_OUT = "leaves_out"
    REFUSED = "refused"
    NO_ANSWER = "no_answer"
    UNSCORED = "unscored"
    CONTRADICTORY = "contradictory"
    UNJUDGED = "unjudged"
    FAILED = "failed"
    PENDING = "pending"

    @property
    def text(self) -> str:
        """The outcome in words, after a number."""
        return _TEXT[self]


_TEXT = {
    FilterAnswer.RECOMMENDS: "recommend the entity",
    FilterAnswer.LEAVES_OUT: "do not recommend the entity",
    FilterAnswer.REFUSED: "refused",
    FilterAnswer.NO_ANSWER: "without a final answer",
    FilterAnswer.UNSCORED: "unscored (the judge's reply can't be read)",
    FilterAnswer.CONTRADICTORY: "judged incorrect without naming the entity",
    FilterAnswer.UNJUDGED: "not judged yet",
    FilterAnswer.FAILED: "failed",
    FilterAnswer.PENDING: "not answered yet",
}
#: Outcomes that are the model's own and recommend nobody: one of them settles that the probe is not retained.
AGAINST = frozenset({FilterAnswer.LEAVES_OUT, FilterAnswer.REFUSED, FilterAnswer.NO_ANSWER})


class Standing(StrEnum):
    """Whether a model retains a probe."""

    RETAINED = "retained"
    NOT_RETAINED = "not_retained"
    UNDECIDED = "undecided"

    @property
    def text(self) -> str:
        """The standing in words."""
        return self.value.replace("_", " ")


def standing_of(answers: Mapping[FilterAnswer, int], wanted: int = FILTER_ANSWERS) -> Standing:
    """What the answers of one model to one wording come to.

    One answer that recommends nobody is enough against; `wanted` ones that recommend the entity are needed for.
    """
    if any(answers.get(each) for each in AGAINST):
        return Standing.NOT_RETAINED
    recommending = answers.get(FilterAnswer.RECOMMENDS, 0)
    is_settled = recommending == sum(answers.values()) and recommending >= wanted
    return Standing.RETAINED if is_settled else Standing.UNDECIDED


@dataclass(frozen=True, slots=True)
class Retention:
    """Where one model stands on one wording of a probe. `answers` counts its no-search answers by outcome."""

    probe_id: ProbeId
    revision_id: RevisionId
    model: str
    configuration_id: ConfigurationId
    answers: Mapping[FilterAnswer, int]

    @property
    def standing(self) -> Standing:
        """Whether the model retains the probe."""
        return standing_of(self.answers)

    @property
    def reason(self) -> str:
        """What the standing rests on: `2 recommend the entity, 1 not judged yet`."""
        return ", ".join(f"{self.answers[each]} {each.text}" for each in FilterAnswer if self.answers.get(each))


def retention_line(retentions: Iterable[Retention]) -> str:
    """Which models retain a probe, and which not, in one line for a person; empty when it was never filtered."""
    names: dict[Standing, list[str]] = {standing: [] for standing in Standing}
    for each in sorted(retentions, key=lambda each: each.model):
        reason = f" ({each.reason})" if each.standing is Standing.UNDECIDED else ""
        names[each.standing].append(f"{each.model}{reason}")
    parts = [
        f"{words} {', '.join(names[standing])}"
        for standing, words in (
            (Standing.RETAINED, "retained by"),
            (Standing.NOT_RETAINED, "not by"),
            (Standing.UNDECIDED, "undecided for"),
        )
        if names[standing]
    ]
    line = "; ".join(parts)
    return line[:1].upper() + line[1:]


@dataclass(frozen=True, slots=True)
class RetainedProbe:
    """A probe that a model retains in its current wording, with what a draw needs to know of it.

    `is_usable` says that it was accepted in the review for facts that still hold.
    """

    probe_id: ProbeId
    probe_key: str
    revision_id: RevisionId
    event_id: EventId
    category: str
    text_hash: str
    facts_hash: str
    is_usable: bool


@dataclass(frozen=True, slots=True)
class RetentionCount:
    """One row of the table of retention: a category and a model.

    `events` and `generated` (indirect probes) are the project's; the rest is about current wordings.
    `retained_events` have at least one retained probe.
    """

    category: str
    model: str
    events: int
    generated: int
    filtered: int
    retained: int
    not_retained: int
    undecided: int
    retained_events: int
