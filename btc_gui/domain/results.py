"""All tables of results from one pass over the answers: the window draws them, the export writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from btc_gui.domain.accuracy_table import AccuracyRow, RepeatRow, accuracy_rows, repeat_rows
from btc_gui.domain.composition_table import CompositionRow, composition_rows
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.configuration_titles import configuration_titles
from btc_gui.domain.result_rows import CountedAnswers, ResultAnswer, counted_answers, grouped


@dataclass(frozen=True, slots=True)
class Results:
    """The tables, each over the one answer that counts for each configuration and probe."""

    accuracy: tuple[AccuracyRow, ...]
    composition: tuple[CompositionRow, ...]
    repeats: tuple[RepeatRow, ...]
    further: int

    @property
    def repeats_note(self) -> str:
        """How repetitions were handled, for whoever reads a table; empty without any."""
        if not self.further:
            return ""
        return (
            f"{self.further:,} further answers repeat a probe of the same configuration. One answer a probe counts: "
            "one that did not fail, to the newest wording, of the first run and repetition. The cases list all of them."
        )


def results_of(answers: Iterable[ResultAnswer], configurations: Mapping[ConfigurationId, Configuration]) -> Results:
    """Every table from the final answers and the project's configurations."""
    counted: CountedAnswers = counted_answers(answers)
    used = {answer.configuration for answer in counted.answers}
    # Titles tell apart what was answered; a configuration without an answer makes no title longer.
    titles = configuration_titles({number: each for number, each in configurations.items() if number in used})
    groups = grouped(counted.answers, configurations, titles)
    return Results(
        tuple(accuracy_rows(groups)),
        tuple(composition_rows(groups)),
        tuple(repeat_rows(groups, counted.repeats)),
        len(counted.repeats),
    )
