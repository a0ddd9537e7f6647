"""Builders of answers with trajectories for tests of verdicts, failure modes and cases."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.probe import Probe
from btc_gui.domain.run import Purpose, RunId, RunRecipe
from btc_gui.domain.trajectory import AnswerId, Ending, SearchResult, Step, StepKind, Trajectory
from btc_gui.domain.verdict import Label
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore
from btc_gui.store.verdicts import NewVerdict, VerdictStore

_numbers = itertools.count(1)


def make_configuration(
    model: str = "Model A", effort: Effort = Effort.HIGH, harness: Harness = Harness.SHARED
) -> Configuration:
    """A configuration of a made-up model."""
    return Configuration(model=model, harness=harness, effort=effort, search="replay", as_of="2026-07-01")


def make_result(
    excerpt: str = "A report about car shows.", title: str = "Report", published: str = "2026-04-01"
) -> SearchResult:
    """One search result with one excerpt."""
    return SearchResult(title, "https://example.org/report", published, (excerpt,) if excerpt else ())


def make_query(text: str, *results: SearchResult) -> tuple[str, tuple[SearchResult, ...]]:
    """A query and what it brought."""
    return text, results


def make_trajectory(
    answer: str = "I suggest Ada Example.",
    queries: Sequence[tuple[str, tuple[SearchResult, ...]]] = (),
    ending: Ending = Ending.ANSWERED,
    *,
    reasoning: str = "Who could be asked?",
    uuid: str = "",
) -> Trajectory:
    """One attempt: a thought, the queries with their results, a thought after each, the answer."""
    steps = [Step(1, StepKind.REASONING, reasoning)]
    for text, results in queries:
        output = "\n".join(f"{r.title}\n{' '.join(r.excerpts)}" for r in results)
        steps.append(Step(len(steps) + 1, StepKind.QUERY, text, results=results, output=output, tool="web_search"))
        steps.append(Step(len(steps) + 1, StepKind.REASONING, "That helps."))
    if answer:
        steps.append(Step(len(steps) + 1, StepKind.ANSWER, answer))
    return Trajectory(
        uuid=uuid or f"sample-{next(_numbers)}",
        ending=ending,
        answer=answer,
        steps=tuple(steps),
        ending_reason="" if ending is Ending.ANSWERED else "a reason",
        finished_at="2026-07-02T10:00:00.000+00:00",
    )


def add_answers(
    database: Database,
    probe: Probe,
    trajectories: Sequence[Trajectory],
    configuration: Configuration | None = None,
    purpose: Purpose = Purpose.EVALUATE,
) -> tuple[RunId, list[AnswerId]]:
    """Answers to one probe by one configuration, one a repetition, in a run of their own."""
    runs = RunStore(database)
    run_id = runs.create(
        "Test run",
        RunRecipe(current_date="2026-07-01", purpose=purpose),
        [configuration or make_configuration()],
        [(probe.id, probe.revision_id)],
        len(trajectories),
        "tests",
    )
    store = AnswerStore(database)
    ids = []
    for item, trajectory in zip(runs.pending(run_id), trajectories, strict=True):
        answer_id = store.add(item.id, trajectory)
        assert answer_id is not None
        ids.append(answer_id)
    return run_id, ids


def add_answer(
    database: Database, probe: Probe, trajectory: Trajectory | None = None, configuration: Configuration | None = None
) -> AnswerId:
    """One answer to a probe."""
    return add_answers(database, probe, [trajectory or make_trajectory()], configuration)[1][0]


def add_verdict(database: Database, answer_id: AnswerId, label: Label | None = Label.INCORRECT) -> None:
    """A verdict without a call; None adds an unscored one."""
    unscored = "" if label else "the reply is no JSON"
    VerdictStore(database).add(NewVerdict(answer_id, "test judge", None, label, names_entity=True, unscored=unscored))
