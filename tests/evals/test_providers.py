"""Real clients of every family of providers against a server that speaks their protocols, through the whole worker.

One worker serves all cases: loading the engine is what takes time.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from btc_gui.domain.evaluated_model import EvaluatedModel
from btc_gui.domain.models_file import builtin_models_path, load_models
from btc_gui.domain.trajectory import Ending, StepKind, Trajectory, Usage
from btc_gui.evals.messages import Done, EvaluationRequest, Exited, Fatal, Finished, Retried, SampleRequest
from btc_gui.evals.supervisor import Worker
from tests.fakes.http_replies import Nobody
from tests.fakes.model_server import ANSWER, QUERY, QUOTE, RETRY_AFTER, TITLE, URL, ModelServer
from tests.recordings import result, write_recordings
from tests.shared_worker import SharedServices

#: One model of each family: OpenAI's responses, Anthropic's streamed messages, Gemini, chat completions.
FAMILIES = ("GPT-5.4", "Claude-Opus-4.7", "Gemini-3.1-Pro", "Qwen3.7-Max")
#: What every family is put through in one request; “” is an answer without any fault.
FAULTS = ("", "too long", "refuse", "loop", "limited once", "always limited", "cut off", "not json", "broken server")
GLM_SEARCH = {"type": "web_search", "web_search": {"enable": True, "search_result": True}}


@dataclass(frozen=True)
class Outcome:
    """What came of a request: trajectories by fault, retries, how it was over, and what was sent for “hello”."""

    by_fault: dict[str, Trajectory]
    retries: tuple[Retried, ...]
    over: Done | Fatal
    sent: dict[str, Any]


@dataclass
class Bench:
    """The worker and the server that it asks."""

    worker: Worker
    server: ModelServer
    folder: Path
    replay: Path
    models: dict[str, EvaluatedModel]

    def ask(
        self, model: EvaluatedModel, harness: str, faults: tuple[str, ...] = ("",), retries: int = 2, at_once: int = 20
    ) -> Outcome:
        """One request with a sample for each fault."""
        self.server.clear()
        request = EvaluationRequest(
            name="test",
            provider=model.provider,
            model=model.name,
            effort="low",
            harness=harness,
            search="replay" if harness == "shared" else "",
            system_prompt="Today is a day." if harness == "shared" else "",
            log_folder=str(self.folder / "logs"),
            samples=tuple(SampleRequest(n, f"p{n}", f"hello {fault}".strip()) for n, fault in enumerate(faults)),
            replay_folder=str(self.replay),
            agent=model.as_json(),
            at_once=at_once,
            message_limit=8,
            retries=retries,
            retry_seconds=0.05,
        )
        self.worker.run(request)
        found: dict[str, Trajectory] = {}
        retried: list[Retried] = []
        deadline = time.monotonic() + 150
        while time.monotonic() < deadline:
            event = self.worker.next_event(1)
            if isinstance(event, Finished):
                found[faults[event.sample]] = event.trajectory
            elif isinstance(event, Retried):
                retried.append(event)
            elif isinstance(event, Done | Fatal):
                return Outcome(found, tuple(retried), event, self._sent())
            elif isinstance(event, Exited):
                break
        raise AssertionError(f"the request did not end; the worker said: {self.worker.last_words()}")

    def _sent(self) -> dict[str, Any]:
        for path, body in self.server.requests:
            if "hello" in json.dumps(body) and "count_tokens" not in path:
                return body
        return {}


@pytest.fixture
def bench(services: SharedServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The session's worker and the server that it asks."""
    replay = write_recordings(tmp_path / "replay", [], {QUERY: [result()]})
    for name, value in services.models.environment().items():
        monkeypatch.setenv(name, value)
    # Addresses of the file are real ones: only the environment may say where to ask.
    models = {model.name: replace(model, base_url="") for model in load_models(builtin_models_path())}
    return Bench(services.worker, services.models, tmp_path, replay, models)


def _queries(trajectory: Trajectory) -> list[str]:
    return [step.text for step in trajectory.queries]


# -- the shared harness, with everything that may go wrong ----------------------------------------------------


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_searches_with_our_tool_and_every_fault_is_one_ending_with_its_reason(
    bench: Bench, name: str
) -> None:
    outcome = bench.ask(bench.models[name], "shared", FAULTS)
    found = outcome.by_fault

    assert outcome.over == Done()
    answered = found[""]
    assert (answered.ending, answered.answer, _queries(answered)) == (Ending.ANSWERED, ANSWER, [QUERY])
    assert [page.title for page in answered.queries[0].results] == ["A festival"]
    assert any(step.kind is StepKind.REASONING and step.text for step in answered.steps)
    # Two calls of 60 fresh, 40 cached and 20 written tokens each: what is billed apart is counted apart.
    assert (answered.usage.input, answered.usage.cache_read, answered.usage.output) == (120, 80, 40)

    assert found["too long"].ending is Ending.NO_ANSWER
    assert found["too long"].ending_reason.startswith("the request was longer than the model takes: ")
    assert found["refuse"].ending is Ending.REFUSED
    assert (found["loop"].ending, found["loop"].ending_reason) == (
        Ending.NO_ANSWER,
        "no final answer within the message limit of 8",
    )
    assert (found["limited once"].ending, found["limited once"].answer) == (Ending.ANSWERED, ANSWER)
    failed = {fault: found[fault].ending_reason for fault in FAULTS[5:]}
    assert all(found[fault].ending is Ending.FAILED for fault in failed)
    gave_up = "given up after several tries: "
    assert failed["always limited"] == f"{gave_up}the provider allows no more requests now (429: Too many requests.)"
    assert failed["broken server"] == f"{gave_up}the provider has a fault (500: Something [/bold] broke.)"
    assert failed["cut off"].startswith(f"{gave_up}the connection to the provider failed")
    assert failed["not json"].startswith("the provider's reply can't be read")


@pytest.mark.parametrize("name", FAMILIES)
def test_a_reply_that_unpacks_without_an_end_fills_no_memory(bench: Bench, name: str) -> None:
    outcome = bench.ask(bench.models[name], "shared", ("endless", ""), retries=1)
    assert outcome.by_fault["endless"].ending is Ending.FAILED
    assert "The reply is larger than 32 MB once unpacked" in outcome.by_fault["endless"].ending_reason
    assert outcome.by_fault[""].ending is Ending.ANSWERED


@pytest.mark.parametrize("name", FAMILIES)
def test_retries_are_bounded_seen_and_as_patient_as_the_provider_asks(bench: Bench, name: str) -> None:
    outcome = bench.ask(bench.models[name], "shared", ("always limited",), retries=1)
    assert bench.server.tries["hello always limited"] == 2
    assert [retry.reason for retry in outcome.retries] == ["429"]
    assert outcome.retries[0].wait == pytest.approx(RETRY_AFTER)
    first, second = bench.server.times["hello always limited"]
    assert second - first >= RETRY_AFTER


@pytest.mark.parametrize("name", FAMILIES)
def test_the_engine_waits_between_tries_as_it_is_told(bench: Bench, name: str) -> None:
    """By our patience (from 0.05 s, doubling), not by the engine's own, which begins with seconds."""
    outcome = bench.ask(bench.models[name], "shared", ("broken server",), retries=2)
    assert bench.server.tries["hello broken server"] == 3
    first, second = (retry.wait for retry in outcome.retries)
    assert 0.05 <= first <= 0.075
    assert 0.1 <= second <= 0.15


def test_failures_are_logged_without_drawings(bench: Bench) -> None:
    """Drawing a traceback in colours takes seconds in which no other sample goes on: the engine must not."""
    from inspect_ai.log import read_eval_log

    bench.ask(bench.models["GPT-5.4"], "shared", ("not json",))
    [log] = (bench.folder / "logs").glob("*.eval")
    [sample] = read_eval_log(str(log)).samples or []
    assert sample.error is not None
    assert sample.error.traceback_ansi
    assert sample.error.traceback_ansi.startswith("JSONDecodeError: ")
    assert "\x1b[" not in sample.error.traceback_ansi


def test_the_engine_still_has_what_is_set_in_it() -> None:
    """What `evals/providers.py` and the worker reach for inside of Inspect AI, by name: a new version may lose it."""
    import inspect_ai
    from inspect_ai._util import rich
    from inspect_ai.model import GenerateConfig, ModelAPI

    version = inspect_ai.__version__
    assert callable(getattr(ModelAPI, "retry_wait", None)), f"Inspect AI {version} has no ModelAPI.retry_wait"
    assert callable(getattr(rich, "rich_traceback", None)), f"Inspect AI {version} has no rich_traceback"
    wanted = {"reasoning_effort", "reasoning_tokens", "reasoning_summary", "extra_body", "attempt_timeout"}
    assert wanted <= set(GenerateConfig.model_fields), f"Inspect AI {version} has other settings of a call"


def test_a_provider_that_is_down_is_a_failed_sample_with_its_reason(bench: Bench) -> None:
    model = replace(bench.models["Qwen3.7-Max"], provider="openai-api", model="nowhere/m", needs_key=False)
    with Nobody() as nobody:
        outcome = bench.ask(replace(model, base_url=f"{nobody.address}/v1"), "shared", retries=1)
    assert outcome.by_fault[""].ending is Ending.FAILED
    assert "the connection to the provider failed" in outcome.by_fault[""].ending_reason
    assert len(outcome.retries) == 1


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("wrong key", "the provider refuses the key (401: The key is not valid.)"),
        ("unknown model", "the provider does not know the model (404: The model does not exist.)"),
    ],
)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_refused_key_or_model_is_said_and_not_tried_again(bench: Bench, name: str, fault: str, reason: str) -> None:
    outcome = bench.ask(bench.models[name], "shared", (fault,))
    assert (outcome.by_fault[fault].ending, outcome.by_fault[fault].ending_reason) == (Ending.FAILED, reason)
    assert (outcome.retries, outcome.over) == ((), Done())


def test_refusals_that_no_sample_can_escape_end_the_request(bench: Bench) -> None:
    many = tuple(f"wrong key {number}" for number in range(20))
    outcome = bench.ask(bench.models["GPT-5.4"], "shared", many, at_once=2)
    assert outcome.over == Fatal("the provider refuses the key (401: The key is not valid.).")
    # Every attempt that was made is a row; the others were never made.
    assert 3 <= len(outcome.by_fault) == len(bench.server.requests) <= 6


def test_a_missing_key_is_refused_before_anybody_is_asked(bench: Bench) -> None:
    model = replace(bench.models["GPT-5.4"], provider="openai-api", model="unheard/of", base_url=bench.server.address)
    outcome = bench.ask(model, "shared")
    assert isinstance(outcome.over, Fatal)
    assert "UNHEARD_API_KEY" in outcome.over.reason
    assert bench.server.requests == []


# -- the native harness: what is revealed is kept, what is hidden is marked ----------------------------------


def _native(bench: Bench, name: str) -> Trajectory:
    outcome = bench.ask(bench.models[name], "native")
    assert outcome.over == Done()
    trajectory = outcome.by_fault[""]
    assert (trajectory.ending, trajectory.answer) == (Ending.ANSWERED, ANSWER)
    # The provider's own instructions: none of ours.
    assert "Today is a day." not in json.dumps(outcome.sent)
    return trajectory


def test_openai_reveals_queries_opened_pages_and_citations_but_not_what_it_found(bench: Bench) -> None:
    trajectory = _native(bench, "GPT-5.4")
    assert bench.ask(bench.models["GPT-5.4"], "native").sent["tools"] == [{"type": "web_search"}]
    query, opened, answer = trajectory.steps[-3:]
    assert (query.kind, query.text, query.results, query.is_hidden) == (StepKind.QUERY, QUERY, (), True)
    assert (opened.kind, opened.text, opened.tool, opened.is_hidden) == (StepKind.TOOL, URL, "open_page", True)
    assert [(page.title, page.url) for page in answer.results] == [(TITLE, URL)]


def test_claude_searches_without_fetching_pages_unless_that_is_chosen(bench: Bench) -> None:
    model = bench.models["Claude-Opus-4.7"]
    trajectory = _native(bench, "Claude-Opus-4.7")
    query, answer = trajectory.steps[-2:]
    assert (query.kind, query.text, query.is_hidden) == (StepKind.QUERY, QUERY, True)
    assert [(page.title, page.url, page.published) for page in query.results] == [(TITLE, URL, "June 1, 2026")]
    assert [page.excerpts for page in answer.results] == [(QUOTE,)]
    assert "HIDDEN" not in json.dumps([step.output for step in trajectory.steps])

    tools = bench.ask(model, "native").sent["tools"]
    assert [tool["type"] for tool in tools] == ["web_search_20250305"]
    assert model.native is not None
    fetching = replace(model, native=replace(model.native, fetches_pages=True))
    names = [tool["name"] for tool in bench.ask(fetching, "native").sent["tools"]]
    assert sorted(names) == ["web_fetch", "web_search"]


def test_gemini_reveals_its_queries_only_in_the_raw_reply(bench: Bench) -> None:
    trajectory = _native(bench, "Gemini-3.1-Pro")
    assert _queries(trajectory) == [QUERY, "autumn speakers 2026"]
    # 60 fresh tokens, and 30 of results that the engine does not count.
    assert trajectory.usage.input == 90
    assert all(step.is_hidden and not step.results for step in trajectory.queries)
    assert trajectory.steps[-1].kind is StepKind.ANSWER
    assert [(page.title, page.url) for page in trajectory.steps[-1].results] == [(TITLE, URL)]


@pytest.mark.parametrize(
    ("name", "switch", "passages"),
    [
        ("Qwen3.7-Max", {"enable_search": True}, ()),
        (
            "GLM-5.1",
            {"tools": [{"type": "web_search", "web_search": {"enable": True, "search_result": True}}]},
            (QUOTE,),
        ),
        ("MiMo-V2.5-Pro", {"tools": [{"type": "web_search"}]}, (QUOTE,)),
    ],
)
def test_switches_of_compatible_servers_travel_in_the_request_and_their_pages_are_kept(
    bench: Bench, name: str, switch: dict[str, Any], passages: tuple[str, ...]
) -> None:
    trajectory = _native(bench, name)
    sent = bench.server.requests[0][1]
    assert {key: sent.get(key) for key in switch} == switch
    pages = [page for step in trajectory.steps for page in step.results]
    assert {(page.title, page.url) for page in pages} == {(TITLE, URL)}
    assert {passage for page in pages for passage in page.excerpts} == set(passages)
    # A search that is known of, by a query that is not told.
    assert [(step.text, step.is_hidden) for step in trajectory.queries] == [("", True)]


def test_a_server_that_says_nothing_of_its_search_is_shown_as_silent(bench: Bench) -> None:
    model = bench.models["Qwen3.7-Max"]
    assert model.native is not None
    silent = replace(model, native=replace(model.native, extra_body={"tools": [{"type": "web_search", "quiet": True}]}))
    bench.server.is_silent = True
    try:
        trajectory = bench.ask(silent, "native").by_fault[""]
    finally:
        bench.server.is_silent = False
    hidden = [step for step in trajectory.steps if step.is_hidden]
    assert [(step.kind, step.text, step.tool) for step in hidden] == [(StepKind.TOOL, "", "web_search")]


def test_a_model_without_native_search_is_refused(bench: Bench) -> None:
    outcome = bench.ask(bench.models["DeepSeek-V4-Pro-0423"], "native")
    assert outcome.over == Fatal("DeepSeek-V4-Pro-0423 has no native search. Say in models.toml how it is switched on.")


# -- effort --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GPT-5.4", {"reasoning": {"effort": "low", "summary": "auto"}}),
        ("Claude-Opus-4.7", {"output_config": {"effort": "low"}}),
        ("Qwen3.7-Max", {"enable_thinking": True, "thinking_budget": 1024}),
        ("DeepSeek-V4-Pro-0423", {"reasoning_effort": "low"}),
        ("GLM-5.1", {"thinking": {"type": "disabled"}}),
    ],
)
def test_effort_reaches_each_provider_in_its_own_terms(bench: Bench, name: str, expected: dict[str, Any]) -> None:
    sent = bench.ask(bench.models[name], "none").sent
    assert {key: sent.get(key) for key in expected} == expected
    assert not sent.get("tools")


def test_gemini_is_told_a_thinking_level(bench: Bench) -> None:
    sent = bench.ask(bench.models["Gemini-3.1-Pro"], "none").sent
    assert sent["generationConfig"]["thinkingConfig"]["thinking_level"] == "LOW"


def test_a_server_of_ones_own_needs_no_key(bench: Bench) -> None:
    own = EvaluatedModel(
        "My-vLLM", "openai-api", "mine/some-model", base_url=f"{bench.server.address}/v1", needs_key=False
    )
    outcome = bench.ask(own, "shared")
    assert outcome.by_fault[""].answer == ANSWER
    assert outcome.by_fault[""].usage == Usage(input=120, output=40, reasoning=20, cache_read=80)


@pytest.mark.parametrize(
    ("provider", "model", "tries"),
    [
        ("ollama", "qwen3:8b", 2),
        ("openrouter", "x/y", 2),
        # The engine makes this client late, and each try of it is three.
        ("vllm", "org/m", 6),
    ],
)
def test_other_servers_are_reached_by_their_address_and_tried_again_so_often(
    bench: Bench, provider: str, model: str, tries: int
) -> None:
    own = EvaluatedModel("Mine", provider, model, base_url=f"{bench.server.address}/v1")
    outcome = bench.ask(own, "shared", ("", "always limited"), retries=1)
    assert (outcome.by_fault[""].answer, _queries(outcome.by_fault[""])) == (ANSWER, [QUERY])
    assert bench.server.tries["hello always limited"] == tries
    assert len(outcome.retries) == 1


def test_a_provider_that_the_engine_does_not_know_is_refused_in_words(bench: Bench) -> None:
    outcome = bench.ask(EvaluatedModel("Bird", "carrier", "pigeon"), "shared")
    assert isinstance(outcome.over, Fatal)
    assert outcome.over.reason.startswith("Bird can't be asked: Model API carrier")


# -- hidden things in words ----------------------------------------------------------------------------------


def test_what_is_hidden_is_said_in_words_of_its_own(bench: Bench) -> None:
    said = {name: [step.hidden_text for step in _native(bench, name).steps if step.is_hidden] for name in FAMILIES}
    assert "The provider does not reveal what this query found." in said["GPT-5.4"]
    assert "The provider names these pages, but does not reveal what the model read of them." in said["Claude-Opus-4.7"]
    assert said["Gemini-3.1-Pro"] == ["The provider does not reveal what this query found."] * 2
    assert said["Qwen3.7-Max"] == ["The provider searched, but does not reveal its query."]
