"""What a check says of retention and samples: the invariant of the filter, and samples that the project left behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from btc_gui.domain.probe import RevisionId
from btc_gui.domain.retention import Standing
from btc_gui.store.database import Database
from btc_gui.store.retention import RetentionStore
from btc_gui.store.runs import RunStore
from btc_gui.store.samples import SampleStore


@dataclass(frozen=True, slots=True)
class NoSearchAccuracy:
    """How many no-search answers of a model to some probes have a label, and how many of those are correct.

    `where` says which probes: those it retains now, or those of a sample.
    """

    model: str
    where: str
    probes: int
    scored: int
    correct: int

    @property
    def text(self) -> str:
        """The accuracy in a sentence, with its figures."""
        accuracy = f"{self.correct / self.scored:.1%}" if self.scored else "not known"
        return (
            f"{self.model}: no-search accuracy {accuracy} on {self.where} "
            f"({self.correct:,} of {self.scored:,} answers to {self.probes:,} probes)"
        )


def no_search_accuracies(database: Database) -> list[NoSearchAccuracy]:
    """The accuracy without search of every model on the probes that it retains, and on those of each sample.

    By construction it is 0. It is not when answers were judged again, or by another judge, since a sample was drawn,
    or when a model was asked more often than the filter asks and did not recommend the entity every time.
    """
    retention, samples = RetentionStore(database), SampleStore(database)
    found = []
    for model in retention.models():
        retained = [
            each.revision_id for each in retention.of_model(model).values() if each.standing is Standing.RETAINED
        ]
        if retained:
            scored, correct = retention.no_search_labels(model, retained)
            found.append(NoSearchAccuracy(model, "the probes that it retains", len(retained), scored, correct))
    for sample in samples.all():
        drawn: dict[str, list[RevisionId]] = defaultdict(list)
        for item in samples.items(sample.id):
            drawn[item.model].append(item.revision_id)
        for model, revisions in drawn.items():
            scored, correct = retention.no_search_labels(model, revisions)
            found.append(NoSearchAccuracy(model, f"the sample “{sample.name}”", len(revisions), scored, correct))
    return found


def sample_notes(database: Database) -> Iterator[str]:
    """What has come between each sample and the project, and evaluations of samples that are not there."""
    store = SampleStore(database)
    samples = store.all()
    for sample in samples:
        faults = store.faults(sample.id)
        parts = [
            f"{count:,} {words}"
            for count, words in (
                (faults.reworded, "probes with another wording now"),
                (faults.changed_facts, "probes of events whose facts have changed"),
                (faults.unaccepted, "probes that are not accepted any more"),
                (faults.gone, "probes of a load that did not finish"),
                (faults.unpaired, "probes without a direct one"),
            )
            if count
        ]
        if parts:
            advice = ": draw another one" if faults.is_stale else ": pair them and draw another one"
            yield f"Sample “{sample.name}” has {', '.join(parts)}{advice}."
    names = {sample.name for sample in samples}
    runs = RunStore(database)
    for run in runs.fetch(runs.ids()).values():
        if run.recipe.sample and run.recipe.sample not in names:
            yield f"Run {run.id} “{run.name}” is of a sample “{run.recipe.sample}” that is not in the project."
