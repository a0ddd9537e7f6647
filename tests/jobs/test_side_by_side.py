"""Several configurations of a run at once, with the real engine: limits, money, what is tried again, what can't be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import EffortSetting, EvaluatedModel
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import RunError
from btc_gui.evals.harness import shared_configuration
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import set_project_models
from btc_gui.store.run_log import RunLogStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.fakes.model_server import QUERY, ModelServer, model_server
from tests.recordings import behaviour, result, write_recordings
from tests.run_builders import make_recipe
from tests.shared_worker import LentWorker

Start = Callable[[Path], Worker]
LARKSPUR = shared_configuration("Larkspur-2", Effort.LOW)
JUNIPER = shared_configuration("Juniper-Air", Effort.LOW)


def _plan(database: Database, texts: list[str], configurations: list[Configuration], **recipe: object) -> RunId:
    event = add_event(database)
    probes = [add_probe(database, event, text=text, key=f"p{number}") for number, text in enumerate(texts, 1)]
    items = [(probe.id, probe.revision_id) for probe in probes]
    return plan_run(database, "Autumn", configurations, items, 1, "tests", make_recipe(**recipe))


def _texts(count: int) -> list[str]:
    return [f"Which speakers for evening {number}?" for number in range(1, count + 1)]


def _recordings(folder: Path, count: int) -> Path:
    models = ("Larkspur-2", "Juniper-Air")
    return write_recordings(
        folder, [behaviour(f"p{number}", model=model) for model in models for number in range(1, count + 1)]
    )


def _log(database: Database, run_id: RunId) -> list[str]:
    """The lines of a run's log, the oldest first."""
    return [line.text for line in reversed(RunLogStore(database).lines(run_id))]


def test_configurations_share_their_services_limit_and_go_side_by_side(
    database: Database, tmp_path: Path, lent_worker: LentWorker, start_worker: Start
) -> None:
    run_id = _plan(database, _texts(6), [LARKSPUR, JUNIPER], at_once=2, latency=0.15)
    of = {int(item.id): item.configuration_id for item in RunStore(database).pending(run_id)}
    in_flight: list[int] = []
    begun: list[int] = []

    def note(_: int) -> None:
        in_flight.append(len(lent_worker.started) - len(in_flight))
        if any(each.pending == 0 for each in RunStore(database).progress(run_id)):
            begun.append(len({of[sample] for sample in lent_worker.started}))

    outcome = run_evaluation(
        database, run_id, _recordings(tmp_path / "replay", 6), Progress(), on_answer=note, start_worker=start_worker
    )
    assert outcome.by_ending == {Ending.ANSWERED: 12}
    assert len(lent_worker.started) == len(set(lent_worker.started)) == 12
    # Both have begun before one of them is done, and the one service never had more than two samples.
    assert begun[0] == 2
    assert max(in_flight) <= 2
    assert _log(database, run_id)[-1] == "ended with 0 left, 12 answered"


def test_a_configuration_that_cannot_be_asked_is_given_up_alone(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    # Recordings have no search of their own.
    native = Configuration("Juniper-Air", Harness.NATIVE, Effort.LOW)
    run_id = _plan(database, _texts(3), [native, LARKSPUR])
    with pytest.raises(RunError, match=r"Juniper-Air .* has no search of its own") as raised:
        run_evaluation(database, run_id, _recordings(tmp_path / "replay", 3), Progress(), start_worker=start_worker)
    assert raised.value.message.startswith("Not everything could be asked: Juniper-Air")
    assert [(each.done, each.pending) for each in RunStore(database).progress(run_id)] == [(0, 3), (3, 0)]
    (line,) = [line for line in RunLogStore(database).lines(run_id) if line.text.startswith("given up")]
    assert line.configuration == "Juniper-Air · low · native"


def test_nothing_new_is_started_once_the_costs_reach_the_limit(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    set_project_models(
        database,
        '[models."Larkspur-2"]\nprovider = "scripted"\nmodel = "Larkspur-2"\n'
        "price = { input = 1000.0, output = 1000.0 }\n",
    )
    run_id = _plan(database, _texts(10), [LARKSPUR], at_once=1, latency=0.1, max_cost=0.5)
    folder = _recordings(tmp_path / "replay", 10)
    outcome = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    [progress] = RunStore(database).progress(run_id)
    assert progress.cost is not None
    assert progress.cost >= 0.5
    assert 0 < outcome.left < 10
    assert set(outcome.by_ending) == {Ending.ANSWERED}
    assert outcome.reason == f"The limit of $0.50 is reached: ${progress.cost:,.2f} were spent."
    assert any(line.startswith("The limit of $0.50") for line in _log(database, run_id))

    # What was spent is remembered: no other session goes over the limit either.
    with pytest.raises(RunError, match=r"limit of \$0\.50 is reached"):
        run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    RunStore(database).set_max_cost(run_id, None)
    again = run_evaluation(database, run_id, folder, Progress(), start_worker=start_worker)
    assert (again.stored, again.left, again.reason) == (outcome.left, 0, "")


def _real(database: Database, server: ModelServer) -> Configuration:
    """A configuration of a model that is asked for real, at a server of this test.

    The worker of these tests was started before: only what a request carries can tell it the address.
    """
    address = f"{server.address}/qwen/v1"
    set_project_models(
        database,
        f'[models."Test-1"]\nprovider = "openai-api"\nmodel = "fake/test-1"\nneeds_key = false\n'
        f'base_url = "{address}"\n',
    )
    low = {Effort.LOW: EffortSetting("low")}
    model = EvaluatedModel("Test-1", "openai-api", "fake/test-1", efforts=low, base_url=address, needs_key=False)
    return replace(shared_configuration("Test-1", Effort.LOW), settings=model.settings(Harness.SHARED, Effort.LOW))


def test_a_service_that_refuses_everybody_is_given_up_and_the_others_go_on(
    database: Database, tmp_path: Path, start_worker: Start
) -> None:
    with model_server() as server:
        real = _real(database, server)
        texts = [f"hello wrong key {number}" for number in range(8)]
        run_id = _plan(database, texts, [real, LARKSPUR], at_once=2, latency=0.3)
        with pytest.raises(RunError, match="Not everything could be asked: Test-1"):
            run_evaluation(database, run_id, _recordings(tmp_path / "replay", 8), Progress(), start_worker=start_worker)
    asked, scripted = RunStore(database).progress(run_id)
    # Three refusals are enough; those that were in flight with the third are told too.
    assert 3 <= asked.by_ending[Ending.FAILED] <= 4
    assert asked.pending == 8 - asked.by_ending[Ending.FAILED]
    assert scripted.by_ending == {Ending.ANSWERED: 8}


def test_calls_made_again_are_counted_and_told(database: Database, tmp_path: Path, start_worker: Start) -> None:
    replay = write_recordings(tmp_path / "replay", [behaviour("p1")], {QUERY: [result()], "speakers autumn": []})
    with model_server() as server:
        real = _real(database, server)
        run_id = _plan(database, ["hello limited once"], [LARKSPUR, real])
        outcome = run_evaluation(database, run_id, replay, Progress(), start_worker=start_worker)
    assert outcome.by_ending == {Ending.ANSWERED: 2}
    scripted, asked = RunStore(database).progress(run_id)
    assert (scripted.retries, asked.retries) == ({}, {"429": 1})
    assert "429: asked again once" in _log(database, run_id)
