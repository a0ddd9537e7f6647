"""What the app and the worker say to each other survives the pipe."""

from __future__ import annotations

import json

import pytest

from btc_gui.domain.trajectory import Ending, Step, StepKind
from btc_gui.evals.messages import (
    Done,
    EvaluationRequest,
    Event,
    Fatal,
    Finished,
    Queried,
    Ready,
    Retried,
    SampleRequest,
    Started,
    decode,
    encode,
)
from tests.run_builders import make_trajectory


@pytest.mark.parametrize(
    "event",
    [
        Ready(),
        Started(7),
        Queried(7, "誰が 🕊️ \ud83d\x00\n"),
        Queried(7, "誰が 🕊️ \u2028\x85\r\n"),
        Finished(7, make_trajectory("現任 \ud83d \x00", ending=Ending.NO_ANSWER, cost=0.5)),
        Finished(7, make_trajectory(steps=(Step(1, StepKind.TOOL, "x", is_hidden=True, seconds=0.1, agent="a"),))),
        Retried("Larkspur-2", "429", 3.5),
        Done(is_stopped=True),
        Fatal("no key"),
    ],
)
def test_an_event_arrives_as_it_was_sent(event: Event) -> None:
    line = encode(event)
    # Where a reader of lines in UTF-8 would end one.
    assert "\n" not in line
    assert "\r" not in line
    line.encode("utf-8")
    assert decode(line) == event


def test_a_request_arrives_as_it_was_sent() -> None:
    request = EvaluationRequest(
        "name", "scripted", "Larkspur-2", "low", "shared", "replay", "prompt", "/logs", (SampleRequest(1, "p1", "誰?"),)
    )
    assert EvaluationRequest.from_json(json.loads(json.dumps(request.as_json()))) == request


@pytest.mark.parametrize("line", ["", "hello", "[]", '{"event": "dance"}', '{"event": "finished", "sample": 1}'])
def test_what_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(line)
