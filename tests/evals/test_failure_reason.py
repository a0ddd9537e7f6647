"""Reasons of failures are true sentences, whatever client they come from, and hold no key."""

from __future__ import annotations

import pytest

from btc_gui.evals.failure_reason import is_unusable, reason_of


@pytest.mark.parametrize(
    ("message", "traceback", "reason"),
    [
        (
            "Error code: 401 - {'type': 'error', 'error': {'message': 'It\\'s \"wrong\".'}}",
            "",
            'the provider refuses the key (401: It\'s "wrong".)',
        ),
        (
            "The model does not exist.",
            "google.genai.errors.ClientError: 404 NOT_FOUND. {'error': {'code': 404, 'message': 'No such model.'}}",
            "the provider does not know the model (404: No such model.)",
        ),
        (
            "RetryError(<Future at 0x7f state=finished raised RateLimitError>)",
            "openai.RateLimitError: Error code: 429 - Slow down.\n\ntenacity.RetryError: RetryError[<Future>]",
            "given up after several tries: the provider allows no more requests now (429: Slow down.)",
        ),
        (
            "RetryError(<Future at 0x7f state=finished raised Odd>)",
            "",
            "given up after several tries: Odd",
        ),
        ("Error code: 400 - {'message': 'Bad tool.'}", "", "the provider refuses the request (400: Bad tool.)"),
        ("APIConnectionError('Connection error.')", "", "the connection to the provider failed (Connection error.)"),
        ("JSONDecodeError('line 1')", "", "the provider's reply can't be read (line 1)"),
        (
            "AssertionError()",
            'File "/x/anthropic/lib/streaming.py", line 2',
            "the provider's reply can't be read (AssertionError)",
        ),
        # Nothing is read into what is not known.
        ("AssertionError()", 'File "/x/my_task.py", line 2', "AssertionError()"),
        ("ValueError('401 people came')", "", "ValueError('401 people came')"),
        ("500 samples were wrong", "", "500 samples were wrong"),
    ],
)
def test_reasons_are_told_in_words(message: str, traceback: str, reason: str) -> None:
    assert reason_of(message, traceback) == reason


def test_a_key_that_a_provider_repeats_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", "sk-very-secret-indeed")
    reason = reason_of("Error code: 401 - Incorrect API key provided: sk-very-secret-indeed.")
    assert reason == "the provider refuses the key (401: Incorrect API key provided: (key).)"
    assert is_unusable(reason)
    assert not is_unusable("given up after several tries: the provider has a fault (500)")
