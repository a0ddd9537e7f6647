"""What all tables of results are made from: one row for each final answer, and which of the answers count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.event import EventId
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.natural_order import natural_key
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label


@dataclass(slots=True)
class ResultAnswer:
    """One final answer with the verdict and the failure mode that count.

    `is_judged` tells an unscored verdict (`label` None) from no verdict at all. `revision` and `run` are numbers that
    grow with time; `queries` is how many queries were recorded, None where they are not known.
    """

    id: AnswerId
    category: str
    event: EventId
    probe: str
    kind: ProbeKind
    configuration: ConfigurationId
    ending: Ending
    label: Label | None = None
    is_judged: bool = False
    mode: FailureMode | None = None
    queries: int | None = 0
    revision: int = 0
    run: int = 0
    repetition: int = 1

    @property
    def outcome(self) -> str:
        """What became of it: correct, incorrect, unscored, unjudged, no_answer, refused or failed."""
        if self.ending is not _ANSWERED:
            return _OUTCOMES[self.ending]
        if self.label is None:
            return "unscored" if self.is_judged else "unjudged"
        return "correct" if self.label is _CORRECT else "incorrect"

    @property
    def is_correct(self) -> bool:
        """Whether the label is “correct”."""
        return self.label is _CORRECT and self.ending is _ANSWERED

    @property
    def is_scored(self) -> bool:
        """Whether it is an answer with a label."""
        return self.label is not None and self.ending is _ANSWERED


# Looked up once: asking an enumeration for a member costs more than all else that is done with an answer.
_ANSWERED, _CORRECT = Ending.ANSWERED, Label.CORRECT
_OUTCOMES = {
    Ending.NO_ANSWER: "no_answer",
    Ending.REFUSED: "refused",
    Ending.FAILED: "failed",
    Ending.CANCELLED: "failed",
}
_FAILED = frozenset({Ending.FAILED, Ending.CANCELLED})


@dataclass(frozen=True, slots=True)
class CountedAnswers:
    """One answer for each configuration and probe, and the further ones, which no table but their own counts."""

    answers: tuple[ResultAnswer, ...] = ()
    repeats: tuple[ResultAnswer, ...] = ()


def counted_answers(answers: Iterable[ResultAnswer]) -> CountedAnswers:
    """Choose the answer that counts for each configuration and probe, never by its label.

    One that did not fail goes before a failed one (a failure is no attempt), then the newest wording of the probe,
    then the first run, the first repetition.
    """
    chosen: dict[tuple[ConfigurationId, str], ResultAnswer] = {}
    repeats = []
    for answer in answers:
        key = answer.configuration, answer.probe
        rival = chosen.get(key)
        if rival is None:
            chosen[key] = answer
        elif _rank(answer) < _rank(rival):
            chosen[key] = answer
            repeats.append(rival)
        else:
            repeats.append(answer)
    return CountedAnswers(tuple(chosen.values()), tuple(sorted(repeats, key=lambda answer: answer.id)))


def _rank(answer: ResultAnswer) -> tuple[bool, int, int, int, int]:
    return answer.ending in _FAILED, -answer.revision, answer.run, answer.repetition, answer.id


@dataclass(frozen=True, slots=True)
class ConfigurationRow:
    """What every table by configuration has in common: the category, the configuration and its title."""

    category: str
    configuration_id: ConfigurationId
    configuration: Configuration
    title: str


@dataclass(frozen=True)
class ConfigurationGroup:
    """The counted answers of one configuration in one category. What tables ask for again and again is kept."""

    head: ConfigurationRow
    answers: tuple[ResultAnswer, ...]

    @cached_property
    def _kinds(self) -> dict[ProbeKind, list[ResultAnswer]]:
        return {kind: [answer for answer in self.answers if answer.kind is kind] for kind in ProbeKind}

    @cached_property
    def _events(self) -> dict[ProbeKind, dict[EventId, bool]]:
        return {kind: by_event(answers) for kind, answers in self._kinds.items()}

    def of_kind(self, kind: ProbeKind) -> Sequence[ResultAnswer]:
        """Those to one kind of probe."""
        return self._kinds[kind]

    def scored(self, kind: ProbeKind) -> list[ResultAnswer]:
        """Those to one kind of probe that have a label."""
        return [answer for answer in self._kinds[kind] if answer.is_scored]

    def events(self, kind: ProbeKind) -> Mapping[EventId, bool]:
        """Whether the scored answer about each event is right; see `by_event`."""
        return self._events[kind]


def by_event(answers: Iterable[ResultAnswer]) -> dict[EventId, bool]:
    """Whether the scored answer about each event is right; of several probes of an event, the first by its key."""
    return {event: answer.is_correct for event, answer in first_of_event(answers).items()}


def first_of_event(answers: Iterable[ResultAnswer]) -> dict[EventId, ResultAnswer]:
    """The scored answer about each event; of several probes of an event, that to the first by its key."""
    found: dict[EventId, ResultAnswer] = {}
    for answer in answers:
        if answer.is_scored:
            rival = found.get(answer.event)
            if rival is None or (answer.probe, answer.id) < (rival.probe, rival.id):
                found[answer.event] = answer
    return found


def grouped(
    answers: Iterable[ResultAnswer],
    configurations: Mapping[ConfigurationId, Configuration],
    titles: Mapping[ConfigurationId, str],
) -> list[ConfigurationGroup]:
    """The answers by category and configuration: by category, model, harness and effort (low first), then title."""
    found: dict[tuple[str, ConfigurationId], list[ResultAnswer]] = {}
    for answer in answers:
        found.setdefault((answer.category, answer.configuration), []).append(answer)
    groups = [
        ConfigurationGroup(
            ConfigurationRow(category, number, configurations[number], titles[number]),
            tuple(sorted(each, key=lambda answer: answer.id)),
        )
        for (category, number), each in found.items()
    ]
    return sorted(groups, key=lambda group: _order(group.head))


def _order(head: ConfigurationRow) -> tuple[object, ...]:
    configuration = head.configuration
    is_low = configuration.effort == "low"
    return (
        head.category,
        natural_key(configuration.model),
        configuration.harness,
        0 if is_low else 1,
        configuration.effort,
        natural_key(head.title),
        head.configuration_id,
    )
