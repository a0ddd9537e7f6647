"""A loopback Gemini that writes probes: what its REST API says, faults included.

By hand, for the app to be pointed at (`--base-url http://127.0.0.1:8890`, any key):
`python -m tests.fakes.gemini --port 8890 [--fault limited --every 3]`.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.fakes.http_replies import HttpReplies, Prepared, Received

_USAGE = {
    "promptTokenCount": 1000,
    "candidatesTokenCount": 300,
    "thoughtsTokenCount": 100,
    "totalTokenCount": 1400,
}
_WHO = ("a festival", "a school", "a publisher", "a radio station", "a town library", "a union", "a museum")
_WHAT = ("an opening talk", "a jury", "a long interview", "a summer course", "a round table", "a signing", "a tour")
_WHERE = ("Aldmoor", "Brackwater", "Cairnley", "Dunsby", "Elmhurst", "Fellgate", "Garrow", "Hexley", "Inverness")
_WHEN = ("next spring", "this autumn", "in a month", "on a Sunday", "after the holidays", "before the fair")
_HOW = (
    "in the old mill",
    "under the arcades",
    "on the ferry",
    "in the gym",
    "in our cellar",
    "by the canal",
    "outdoors",
)
_ASKS = (
    "Who could do {what} for {who} {when}? We meet {how} in {where}.",
    "I'm planning {what} {how}, {when}, on behalf of {who} from {where}. Any three names?",
    "{where} is where {who} wants {what} {when}; the place is set, {how}. Whom do we ask?",
    "Help me fill a list: {what}, {how}, {when}. It is {who} of {where} that pays.",
    "For {who} near {where} I need people who would come {how} and take on {what} {when}.",
)


def gemini_reply(text: str, finish: str = "STOP") -> Prepared:
    """A reply with this text."""
    candidate = {"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": finish, "index": 0}
    return Prepared({"candidates": [candidate], "usageMetadata": _USAGE})


def gemini_error(status: int, name: str, message: str, *details: dict[str, Any], **headers: str) -> Prepared:
    """An error as Google writes it."""
    body = {"error": {"code": status, "message": message, "status": name, "details": list(details)}}
    return Prepared(body, status, {key.replace("_", "-"): value for key, value in headers.items()})


def written(count: int = 5, start: int = 0, **changes: object) -> list[dict[str, Any]]:
    """Probes that keep the rules. `changes` replace what each says."""
    return [{**_probe(start + number), **changes} for number in range(count)]


def _probe(number: int) -> dict[str, Any]:
    """Each number another wording, for some thousands of them."""
    who, what, when, how = (part[(number * step) % len(part)] for part, step in _TURNS)
    where = f"{_WHERE[number % 9]} {_WHERE[number // 9 % 9]} {number}"
    return {
        "requester": f"{who} in {where}",
        "situation": f"{what} {when}",
        "consequence": f"cannot do {what} {how}",
        "text": _ASKS[number % 5].format(who=who, what=what, when=when, how=how, where=where),
        "other_candidates": ["Cy Other", "Di Another"],
    }


_TURNS: tuple[tuple[tuple[str, ...], int], ...] = ((_WHO, 1), (_WHAT, 3), (_WHEN, 5), (_HOW, 4))


def probes_reply(probes: Sequence[dict[str, Any]] | None = None) -> Prepared:
    """A reply with probes (five good ones)."""
    return gemini_reply(json.dumps({"probes": list(written() if probes is None else probes)}))


_QUOTA = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "50"}],
}
_RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.02s"}
_USED_UP = "You exceeded your current quota, please check your plan and billing details."

#: A slow reply says what a quick one would, this many seconds later.
_SLOW, _DELAY = "slow", 1.5
#: What else may go wrong, by name.
FAULTS: dict[str, Callable[[], Prepared]] = {
    "limited": lambda: gemini_error(429, "RESOURCE_EXHAUSTED", "Slow down.", Retry_After="0.02"),
    "limited_info": lambda: gemini_error(429, "RESOURCE_EXHAUSTED", "Slow down.", _RETRY),
    "quota": lambda: gemini_error(429, "RESOURCE_EXHAUSTED", _USED_UP, _QUOTA, _RETRY),
    "overloaded": lambda: gemini_error(503, "UNAVAILABLE", "The model is overloaded.", Retry_After="0.02"),
    "wrong_key": lambda: gemini_error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    "cut_body": lambda: Prepared(probes_reply().body, cut=40),
    "bad_body": lambda: Prepared('{"candidates": [{"con'),
    "bad_json": lambda: gemini_reply('{"probes": [{"requester": "a'),
    "prose": lambda: gemini_reply("Here are five requests: 1. Who could speak?"),
    "blocked": lambda: Prepared({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": _USAGE}),
    "max_tokens": lambda: gemini_reply('{"probes": [', "MAX_TOKENS"),
    "safety": lambda: gemini_reply("", "SAFETY"),
    "empty": lambda: Prepared({"candidates": [], "usageMetadata": _USAGE}),
    "four": lambda: probes_reply(written(4)),
}


class FakeGemini(HttpReplies):
    """Answers each request by what it is about: planned faults first, then probes that keep the rules.

    `plan` maps a person's name to the faults (names of `FAULTS`, `slow`, or replies) of the requests about that person.
    """

    def __init__(self, plan: dict[str, list[str | Prepared]] | None = None, port: int = 0) -> None:
        super().__init__(port=port)
        self.plan = plan or {}
        self.fault, self.every = "", 0

    def reply_to(self, request: Received) -> Prepared:
        with self._lock:
            self.received.append(request)
            number = len(self.received)
            prompt = str(request.body["contents"][0]["parts"][0]["text"])
            entity = re.search(r"^(?:Person|Place|Entity): (.*)$", prompt, re.MULTILINE)
            planned = self.plan.get(entity.group(1) if entity else "", [])
            fault = planned.pop(0) if planned else ""
        if not fault and self.every and number % self.every == 0:
            fault = self.fault
        if fault and fault != _SLOW:
            return fault if isinstance(fault, Prepared) else FAULTS[fault]()
        return replace(self._written(prompt, number), delay=_DELAY if fault else 0.0)

    @staticmethod
    def _written(prompt: str, number: int) -> Prepared:
        """What a prompt asks for: a question from a template, or so many probes."""
        template = re.search(r"^Filled by a program, it reads: (.*)$", prompt, re.MULTILINE)
        if template is not None:
            return gemini_reply(json.dumps({"question": template.group(1)}))
        count = re.search(r"^Write (\d+) of them", prompt, re.MULTILINE)
        return probes_reply(written(int(count.group(1)) if count else 5, start=10 * number))

    @property
    def prompts(self) -> list[str]:
        """The prompts that came, in order."""
        return [str(each.body["contents"][0]["parts"][0]["text"]) for each in self.received]


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A loopback Gemini that writes probes.")
    parser.add_argument("--port", type=int, default=8890)
    parser.add_argument("--fault", choices=sorted([*FAULTS, _SLOW]), default="")
    parser.add_argument("--every", type=int, default=0, help="which request has the fault: every n-th")
    asked = parser.parse_args()
    with FakeGemini(port=asked.port) as server:
        server.fault, server.every = asked.fault, asked.every or (1 if asked.fault else 0)
        print(f"{server.address}  (Ctrl+C ends it)", flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            print(f"{len(server.received)} requests")


if __name__ == "__main__":
    main()
