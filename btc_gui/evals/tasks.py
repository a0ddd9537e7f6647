"""An evaluation request as a task for Inspect AI."""

from __future__ import annotations

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Solver, generate, use_tools

from btc_gui.domain.configuration import Harness
from btc_gui.domain.hashing import sha256
from btc_gui.domain.origin import ORIGIN, REVISION
from btc_gui.domain.search_settings import SearchSettings
from btc_gui.errors import RunError
from btc_gui.evals.messages import EvaluationRequest, SampleRequest
from btc_gui.evals.providers import generate_config, inspect_model, native_tools
from btc_gui.evals.scripted_agent import PROBE, REPETITION
from btc_gui.evals.search.opening import open_backend
from btc_gui.evals.search_tool import web_search


def evaluation_task(request: EvaluationRequest) -> Task:
    """The task of a request. Raises `RunError` for a provider, backend or harness that is not known."""
    return Task(
        name=request.name,
        model=inspect_model(request),
        dataset=MemoryDataset([_sample(request, each) for each in request.samples], name="probes"),
        solver=_solver(request),
        config=generate_config(request),
        # What lets the log be read into any copy of the project.
        metadata={ORIGIN: dict(request.about)} if request.about else None,
        message_limit=request.message_limit or None,
        time_limit=request.seconds_limit or None,
    )


def _solver(request: EvaluationRequest) -> list[Solver]:
    if request.harness == Harness.SHARED:
        settings = SearchSettings.read(request.search, request.as_of, request.search_settings)
        return [
            use_tools(
                web_search(open_backend(settings, request.replay_folder, request.recording, request.name), settings)
            ),
            generate(),
        ]
    if request.harness == Harness.NONE:
        return [generate()]
    if request.harness == Harness.NATIVE:
        return [use_tools(native_tools(request)), generate()]
    raise RunError(f"The {request.harness} harness of {request.model} can't be run.")


def _sample(request: EvaluationRequest, sample: SampleRequest) -> Sample:
    messages: list[ChatMessage] = []
    if request.system_prompt:
        messages.append(ChatMessageSystem(content=request.system_prompt))
    asked = {PROBE: sample.probe, REPETITION: sample.repetition}
    messages.append(ChatMessageUser(content=sample.text, metadata=asked))
    return Sample(
        id=str(sample.id),
        input=messages,
        metadata={**asked, REVISION: sha256(sample.text)},
    )
