"""All tables of results from one pass over the answers: the window draws them, the export writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from btc_gui.domain.accuracy_table import AccuracyRow, RepeatRow, accuracy_rows, repeat_rows
from btc_gui.domain.behaviour_table import (
    BehaviourRow,
    CategoryContrast,
    ContrastRow,
    behaviour_rows,
    category_contrasts,
    effort_contrasts,
    harness_contrasts,
)
from btc_gui.domain.common_probes import CommonProbes, common_probes
from btc_gui.domain.composition_table import CompositionRow, composition_rows
from btc_gui.domain.configuration import Configuration, ConfigurationId
from btc_gui.domain.configuration_titles import configuration_titles
from btc_gui.domain.gap_table import GapSummary, gap_summaries
from btc_gui.domain.query_table import QueryRow, query_rows
from btc_gui.domain.result_blinding import NOTHING_OPEN, Blinding, pooled_groups, told_groups
from btc_gui.domain.result_rows import ConfigurationGroup, CountedAnswers, ResultAnswer, counted_answers, grouped


@dataclass(frozen=True, slots=True)
class Results:
    """The tables, each over the one answer that counts for each configuration and probe.

    Accuracy, failure modes and repetitions are there; the others are made from `groups` when they are asked for.
    `whole` are all configurations, `groups` those without an answer in a study whose key is closed, `shown` also those
    of which accuracies and modes may be told, `pooled` those whose answers may be counted together (`result_blinding`).
    """

    whole: tuple[ConfigurationGroup, ...]
    groups: tuple[ConfigurationGroup, ...]
    shown: tuple[ConfigurationGroup, ...]
    pooled: tuple[ConfigurationGroup, ...]

    accuracy: tuple[AccuracyRow, ...]
    composition: tuple[CompositionRow, ...]
    repeats: tuple[RepeatRow, ...]
    further_answers: tuple[ResultAnswer, ...]

    @property
    def configurations(self) -> list[Configuration]:
        """The configurations that answered."""
        return list({group.head.configuration_id: group.head.configuration for group in self.whole}.values())

    @property
    def open_categories(self) -> frozenset[str]:
        """The categories with an answer in a study whose key is closed."""
        free = {_key(group) for group in self.groups}
        return frozenset(group.head.category for group in self.whole if _key(group) not in free)

    @property
    def withheld_words(self) -> str:
        """What is not told of which configurations, for whoever reads a table; empty without a study that is open."""
        silent, partly = len(self.whole) - len(self.shown), len(self.shown) - len(self.groups)
        if not silent and not partly:
            return ""
        rows = f"{silent + partly:,} of {len(self.whole):,} rows have answers in a study that isn't unblinded:"
        words = ["only their accuracies and failure modes are shown"] if partly else []
        if silent:
            words.append(f"{f'{silent:,} of them' if partly else 'they'} are withheld")
        return f"{rows} {', '.join(words)}, so that no figure tells a label."

    def queries(self) -> list[QueryRow]:
        """Indirect accuracy by number of queries."""
        return query_rows(self.groups)

    def behaviour(self) -> list[BehaviourRow]:
        """How much each configuration searches, and its accuracy when it does."""
        return behaviour_rows(self.groups)

    def by_effort(self) -> list[ContrastRow]:
        """High less low effort."""
        return effort_contrasts(self.groups)

    def by_harness(self) -> list[ContrastRow]:
        """Shared less native harness."""
        return harness_contrasts(self.groups)

    def by_category(self) -> list[CategoryContrast]:
        """The gap in one category less that in another."""
        return category_contrasts(self.groups)

    def gaps(self) -> list[GapSummary]:
        """The gap over all configurations of a category and harness."""
        return gap_summaries(self.groups)

    def common(self, models: Collection[str] = ()) -> list[CommonProbes]:
        """Several models on the probes of all of them; of `models`, or of all."""
        return common_probes(self.groups, models)

    @property
    def repeats_note(self) -> str:
        """How repetitions were handled, for whoever reads a table; empty without any."""
        if not self.further_answers:
            return ""
        return (
            f"{len(self.further_answers):,} further answers repeat a probe of the same configuration. One answer a "
            "probe counts: one that did not fail, to the newest wording, of the first run and repetition. The cases "
            "list all of them."
        )


def results_of(
    answers: Iterable[ResultAnswer],
    configurations: Mapping[ConfigurationId, Configuration],
    blinding: Blinding = NOTHING_OPEN,
) -> Results:
    """Every table from the final answers and the project's configurations, without what would tell an open label."""
    counted: CountedAnswers = counted_answers(answers)
    used = {answer.configuration for answer in counted.answers}
    # Titles tell apart what was answered; a configuration without an answer makes no title longer.
    titles = configuration_titles({number: each for number, each in configurations.items() if number in used})
    groups = grouped(counted.answers, configurations, titles)
    told = told_groups(groups, blinding)
    silent = {_key(group) for group in told.withheld}
    shown = tuple(group for group in groups if _key(group) not in silent)
    return Results(
        tuple(groups),
        told.free,
        shown,
        pooled_groups(groups, told, blinding),
        tuple(accuracy_rows(shown, unpaired={_key(group) for group in told.covered})),
        tuple(composition_rows(shown)),
        tuple(repeat_rows(told.free, counted.repeats)),
        counted.repeats,
    )


def _key(group: ConfigurationGroup) -> tuple[str, ConfigurationId]:
    return group.head.category, group.head.configuration_id
