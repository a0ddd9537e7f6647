"""Builders of runs and answers for tests: sensible values, any of which can be overridden."""

from __future__ import annotations

import uuid
from dataclasses import replace

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.probe import Probe
from btc_gui.domain.run import RunId, RunRecipe
from btc_gui.domain.trajectory import AnswerId, Ending, SearchResult, Step, StepKind, Trajectory, Usage
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.runs import RunStore


def make_configuration(model: str = "Larkspur-2", effort: Effort = Effort.LOW, **more: object) -> Configuration:
    """A configuration of the shared harness."""
    return Configuration(**{"model": model, "harness": Harness.SHARED, "effort": effort, "search": "replay", **more})  # type: ignore[arg-type]


def make_recipe(**overrides: object) -> RunRecipe:
    """A recipe for scripted agents that answer at once."""
    return replace(RunRecipe(current_date="2026-07-15", latency=0.0), **overrides)  # type: ignore[arg-type]


def hurry(database: Database) -> None:
    """Let the scripted agents of all runs answer at once from now on, after they were slow."""
    with database.write() as connection:
        connection.execute("UPDATE run SET recipe = json_set(recipe, '$.latency', 0.0)")


def make_trajectory(answer: str = "Ask Ada Example.", **overrides: object) -> Trajectory:
    """An answered attempt with one thought, one query with two results, and a fresh uuid."""
    results = (
        SearchResult("A festival", "https://example.org/festival", "2026-03-01", ("She spoke in March.",)),
        SearchResult("An obituary", "https://example.org/obituary", "", ("She died in May.", "A second passage.")),
    )
    trajectory = Trajectory(
        uuid=uuid.uuid4().hex,
        ending=Ending.ANSWERED,
        answer=answer,
        steps=(
            Step(1, StepKind.REASONING, "Who spoke lately?"),
            Step(2, StepKind.QUERY, "festival speakers", results, output="A festival …", tool="web_search"),
            Step(3, StepKind.ANSWER, answer),
        ),
        usage=Usage(input=900, output=120, reasoning=40),
        seconds=1.5,
        started_at="2026-07-15T10:00:00.000+00:00",
        finished_at="2026-07-15T10:00:01.500+00:00",
    )
    return replace(trajectory, **overrides)  # type: ignore[arg-type]


def add_run(
    database: Database,
    probes: list[Probe],
    configurations: list[Configuration] | None = None,
    repetitions: int = 1,
    **recipe: object,
) -> RunId:
    """Plan a run over the probes' current revisions."""
    items = [(probe.id, probe.revision_id) for probe in probes]
    return RunStore(database).create(
        "Test run", make_recipe(**recipe), configurations or [make_configuration()], items, repetitions, "tests"
    )


def add_answer(database: Database, run_id: RunId, trajectory: Trajectory | None = None) -> AnswerId:
    """Answer the first pending item of a run."""
    item = RunStore(database).pending(run_id)[0]
    answer_id = AnswerStore(database).add(item.id, trajectory or make_trajectory())
    assert answer_id is not None
    return answer_id
