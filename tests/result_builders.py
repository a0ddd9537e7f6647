"""Builders of answers and rows for tests of the tables of results."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from btc_gui.domain.configuration import Configuration, ConfigurationId, Effort, Harness
from btc_gui.domain.event import EventId
from btc_gui.domain.model_tables import ModelFacts
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.result_rows import ConfigurationGroup, ConfigurationRow, ResultAnswer, grouped
from btc_gui.domain.results import Results
from btc_gui.domain.results_record import ResultsRecord
from btc_gui.domain.trajectory import AnswerId, Ending
from btc_gui.domain.verdict import Label

_numbers = itertools.count(1)

RIGHT, WRONG = Label.CORRECT, Label.INCORRECT
DIRECT, INDIRECT = ProbeKind.DIRECT, ProbeKind.INDIRECT


def make_head(
    model: str = "Model A",
    effort: Effort = Effort.LOW,
    harness: Harness = Harness.SHARED,
    category: str = "demise",
    number: int = 1,
) -> ConfigurationRow:
    """The head of a row: a category and a made-up configuration with its plain title."""
    configuration = Configuration(model=model, harness=harness, effort=effort)
    return ConfigurationRow(category, ConfigurationId(number), configuration, configuration.title)


def make_answer(event: int, label: Label | None = RIGHT, kind: ProbeKind = INDIRECT, **more: object) -> ResultAnswer:
    """A judged answer of configuration 1 to the only probe of this kind about an event."""
    number = next(_numbers)
    answer = ResultAnswer(
        id=AnswerId(number),
        category="demise",
        event=EventId(event),
        probe=f"{more.get('category', 'demise')}-{event}-{kind}",
        kind=kind,
        configuration=ConfigurationId(1),
        ending=Ending.ANSWERED,
        label=label,
        is_judged=True,
    )
    for name, value in more.items():
        setattr(answer, name, value)
    return answer


def make_pairs(both: int, first_only: int, second_only: int, neither: int, **more: object) -> list[ResultAnswer]:
    """A direct and an indirect answer about each of as many events, by which is right."""
    outcomes = (
        [(RIGHT, RIGHT)] * both
        + [(RIGHT, WRONG)] * first_only
        + [(WRONG, RIGHT)] * second_only
        + [(WRONG, WRONG)] * neither
    )
    return [
        make_answer(event, label, kind, **more)
        for event, labels in enumerate(outcomes, 1)
        for label, kind in zip(labels, (DIRECT, INDIRECT), strict=True)
    ]


def make_groups(
    answers: Iterable[ResultAnswer], *configurations: Configuration, category: str = ""
) -> list[ConfigurationGroup]:
    """The groups of answers of configurations 1, 2, …; by default one of Model A at low effort."""
    known = {
        ConfigurationId(number): each for number, each in enumerate(configurations or [make_head().configuration], 1)
    }
    groups = grouped(answers, known, {number: each.title for number, each in known.items()})
    return [group for group in groups if category in ("", group.head.category)]


def make_record(results: Results, note: str = "") -> ResultsRecord:
    """The record of results of a project without studies."""
    return ResultsRecord(results, (), ModelFacts(), (), (), frozenset(), note)
