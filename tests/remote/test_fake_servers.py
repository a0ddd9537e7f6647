"""The servers that are started by hand say which faults they know."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from tests.fakes import mediawiki, wdqs
from tests.fakes.gemini import FakeGemini
from tests.fakes.http_replies import Received
from tests.fakes.service_faults import FAULTS


@pytest.mark.parametrize("main", [wdqs.main, mediawiki.main])
def test_help_lists_the_faults(
    main: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them; another is refused with the list."""
    monkeypatch.setattr(sys, "argv", ["fake", "--help"])
    with pytest.raises(SystemExit):
        main()
    told = capsys.readouterr().out
    # argparse breaks long names at their hyphens.
    assert all(name in told.replace("-\n", "-") for name in FAULTS)
    monkeypatch.setattr(sys, "argv", ["fake", "--fault", "nonsense"])
    with pytest.raises(SystemExit):
        main()
    assert "nonsense" in capsys.readouterr().err


def test_a_slow_gemini_answers_what_it_was_asked() -> None:
    """One probe where one is to be rewritten, five where five are, only later."""
    with FakeGemini({"Ada Example": ["slow"]}) as server:
        for count, delay in ((1, 1.5), (5, 0.0)):
            prompt = f"Person: Ada Example\n\nWrite {count} of them."
            reply = server.reply_to(Received("", {}, {"contents": [{"parts": [{"text": prompt}]}]}))
            assert isinstance(reply.body, dict)
            text = reply.body["candidates"][0]["content"]["parts"][0]["text"]
            assert (len(json.loads(text)["probes"]), reply.delay) == (count, delay)
