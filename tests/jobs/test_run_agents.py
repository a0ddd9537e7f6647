"""Runs of real models, from the plan to the stored answers, against a server that speaks their protocols."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from btc_gui.domain.configuration import Configuration, Effort, Harness
from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.run import RunId
from btc_gui.domain.trajectory import Ending
from btc_gui.errors import RunError
from btc_gui.evals.harness import configuration_of
from btc_gui.evals.supervisor import Worker
from btc_gui.jobs.run_evaluation import plan_run, run_evaluation
from btc_gui.progress import Progress
from btc_gui.store.answers import AnswerStore
from btc_gui.store.database import Database
from btc_gui.store.evaluated_models import available_models, set_project_models
from btc_gui.store.prompts import SHARED_SYSTEM, PromptStore
from btc_gui.store.runs import RunStore
from tests.builders import add_event, add_probe
from tests.fakes.model_server import ANSWER, QUERY, ModelServer
from tests.recordings import behaviour, result, write_recordings
from tests.run_builders import make_recipe
from tests.shared_worker import SharedServices


@pytest.fixture
def server(services: SharedServices, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    """The server, with nothing asked yet; this process has its keys too."""
    for name, value in services.models.environment().items():
        monkeypatch.setenv(name, value)
    return services.models


@pytest.fixture
def start(start_worker: Callable[[Path], Worker]) -> Callable[[Path], Worker]:
    """What a job calls to start a worker: one whose environment sends its clients to the server."""
    return start_worker


def _model(database: Database, name: str) -> EvaluatedModel:
    return next(model for model in available_models(database) if model.name == name)


def _plan(database: Database, configurations: list[Configuration], texts: tuple[str, ...] = ("Who speaks?",)) -> RunId:
    event = add_event(database)
    probes = [add_probe(database, event, text=text, key=f"p{number}") for number, text in enumerate(texts)]
    items = [(probe.id, probe.revision_id) for probe in probes]
    return plan_run(database, "Real", configurations, items, 1, "tests", make_recipe())


def test_models_in_both_harnesses_are_answered_paid_for_and_told_the_prompt_of_the_plan(
    database: Database, tmp_path: Path, server: ModelServer, start: Callable[[Path], Worker]
) -> None:
    gpt, mimo = _model(database, "GPT-5.4"), _model(database, "MiMo-V2.5-Pro")
    PromptStore(database).set(SHARED_SYSTEM, "It is {current_date}; you know the world until {cutoff}.")
    template = PromptStore(database).text(SHARED_SYSTEM)
    run_id = _plan(
        database,
        [
            configuration_of(gpt, Harness.SHARED, Effort.LOW, template=template),
            configuration_of(gpt, Harness.NATIVE, Effort.HIGH),
            configuration_of(mimo, Harness.SHARED, Effort.LOW, template=template),
        ],
    )
    # What the project uses later is no matter of this run.
    PromptStore(database).reset(SHARED_SYSTEM)
    folder = write_recordings(tmp_path / "replay", [behaviour("p0")], {QUERY: [result()]})

    outcome = run_evaluation(database, run_id, folder, Progress(), start_worker=start)

    assert (outcome.by_ending, outcome.left) == ({Ending.ANSWERED: 3}, 0)
    store = AnswerStore(database)
    rows = list(store.fetch(store.ids(run_id)).values())
    assert {row.answer for row in rows} == {ANSWER}
    costs = {(row.configuration.model, str(row.configuration.harness)): row.cost for row in rows}
    # 120 tokens in, 80 from the cache, 40 out; alone half of that, and one search.
    assert costs["GPT-5.4", "shared"] == pytest.approx((120 * 2.5 + 80 * 0.25 + 40 * 15) / 1_000_000)
    assert costs["GPT-5.4", "native"] == pytest.approx((60 * 2.5 + 40 * 0.25 + 20 * 15) / 1_000_000 + 0.01)
    assert costs["MiMo-V2.5-Pro", "shared"] is None
    progress = {each.configuration.title: each.cost for each in RunStore(database).progress(run_id)}
    assert progress["GPT-5.4 · low · shared"] == costs["GPT-5.4", "shared"]

    told = [json.dumps(body) for _, body in server.requests]
    assert sum("It is 2026-07-15; you know the world until 2025-08-31." in text for text in told) == 2
    assert sum("It is 2026-07-15; you know the world until 2024-12-31." in text for text in told) == 2
    assert len(told) == 5


def test_a_missing_key_is_named_before_a_worker_is_started(database: Database, tmp_path: Path) -> None:
    run_id = _plan(database, [configuration_of(_model(database, "GLM-5.1"), Harness.NATIVE, Effort.LOW)])

    def never(folder: Path) -> Worker:
        raise AssertionError("nobody is to be asked")

    with pytest.raises(RunError, match=r"no key for GLM-5\.1: set ZAI_API_KEY in the environment"):
        run_evaluation(database, run_id, None, Progress(), start_worker=never)


def test_a_refused_key_stops_the_run_with_a_sentence_and_keeps_the_attempts(
    database: Database, server: ModelServer, start: Callable[[Path], Worker]
) -> None:
    model = _model(database, "GPT-5.4")
    texts = tuple(f"Who speaks? wrong key {number}" for number in range(30))
    run_id = _plan(database, [configuration_of(model, Harness.NONE, Effort.LOW)], texts)
    with pytest.raises(RunError, match=r"the provider refuses the key \(401: The key is not valid\.\)"):
        run_evaluation(database, run_id, None, Progress(), start_worker=start)
    (progress,) = RunStore(database).progress(run_id)
    assert 3 <= progress.by_ending[Ending.FAILED] < 30
    assert progress.pending == 30 - progress.by_ending[Ending.FAILED]


def test_a_project_may_have_models_of_its_own(database: Database) -> None:
    set_project_models(database, '[models."GPT-5.4"]\nprice = { input = 1, output = 1 }\n')
    price = _model(database, "GPT-5.4").price
    assert price is not None
    assert (price.input, price.source) == (1.0, "")
    set_project_models(database, "")
    price = _model(database, "GPT-5.4").price
    assert price is not None
    assert price.source == "ours"
