"""An evaluation request as a task for Inspect AI."""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, GenerateConfig, Model, get_model
from inspect_ai.solver import Solver, generate, use_tools

from btc_gui.domain.configuration import Harness
from btc_gui.errors import RunError
from btc_gui.evals.messages import EvaluationRequest, SampleRequest
from btc_gui.evals.scripted_agent import PROBE
from btc_gui.evals.search_tool import ReplayBackend, SearchBackend, web_search

#: How often one call to a model is made again after a transient failure. Samples are never run again by
#: themselves: a second roll of the dice would bias the results.
_MAX_RETRIES = 5
_CALL_SECONDS = 600


def inspect_model(request: EvaluationRequest) -> Model:
    """The one place where a model's name becomes a model of the engine. Raises `RunError`."""
    if request.provider == "scripted":
        return get_model(
            f"scripted/{request.model}",
            memoize=False,
            replay_folder=request.replay_folder,
            latency=request.latency,
        )
    raise RunError(f"The provider “{request.provider}” of {request.model} is unknown.")


def search_backend(request: EvaluationRequest) -> SearchBackend:
    """What stands behind web_search in this request. Raises `RunError`."""
    if request.search == "replay":
        return ReplayBackend(Path(request.replay_folder))
    raise RunError(f"The search backend “{request.search}” is unknown.")


def evaluation_task(request: EvaluationRequest) -> Task:
    """The task of a request. Raises `RunError` for a provider, backend or harness that is not known."""
    return Task(
        name=request.name,
        model=inspect_model(request),
        dataset=MemoryDataset([_sample(request, each) for each in request.samples], name="probes"),
        solver=_solver(request),
        config=GenerateConfig(
            reasoning_effort=request.effort,  # type: ignore[arg-type]  # Effort's values are among the engine's.
            reasoning_summary="auto",
            max_connections=request.at_once,
            max_retries=_MAX_RETRIES,
            timeout=_CALL_SECONDS,
            # The excerpts are what they are: the engine must not cut them in the middle.
            max_tool_output=0,
        ),
        message_limit=request.message_limit or None,
        time_limit=request.seconds_limit or None,
    )


def _solver(request: EvaluationRequest) -> list[Solver]:
    if request.harness == Harness.SHARED:
        return [use_tools(web_search(search_backend(request))), generate()]
    if request.harness == Harness.NONE:
        return [generate()]
    raise RunError(f"The {request.harness} harness of {request.model} can't be run yet.")


def _sample(request: EvaluationRequest, sample: SampleRequest) -> Sample:
    messages: list[ChatMessage] = []
    if request.system_prompt:
        messages.append(ChatMessageSystem(content=request.system_prompt))
    messages.append(ChatMessageUser(content=sample.text, metadata={PROBE: sample.probe}))
    return Sample(
        id=str(sample.id),
        input=messages,
        metadata={PROBE: sample.probe, "repetition": sample.repetition},
    )
