"""Masking of what in a model's own words tells which model wrote them, before an annotator reads them.

A fixed list, applied to every item alike, wherever the answer is by: a maker's or a model's name where the text
speaks of itself, the date of a knowledge cutoff, the citation marks and tool tags of one vendor's interface. Names
elsewhere stay (Claude may be a painter, and Gemini a month's sign). What is masked is kept with the key, so that it
can be counted and put back; a packet does not hold it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.packet import Field, FieldForm

#: The version of the list; a study's log names it.
MASKING_LIST = "1"

#: What stands for a masked passage.
MASK = "[masked]"

#: The fields of form `text` that are a model's own words. Of the searches, the queries are.
OWN_WORDS = ("answer",)

_MODEL = (
    r"(?:Chat\s?GPT|GPT|Claude|Gemini|Gemma|Bard|Grok|DeepSeek|Qwen|QwQ|Llama|Mi[sx]tral|Magistral|Kimi|GLM|Copilot|"
    r"Perplexity|Sonar|Command\s?[RA]|Nova|Phi|MiniMax|Ernie|Hunyuan|Doubao|Yi|Jamba|Nemotron|Olmo|o[1-9](?=[-\s,.]))"
    # A version belongs to the name: “Claude Sonnet 4.5”, “GPT-4o mini”, “gemini-2.5-pro”.
    r"(?:[-\s](?:\d+(?:\.\d+)*[a-z]?|v\d+(?:\.\d+)*|R\d|Opus|Sonnet|Haiku|Pro|Flash|Ultra|Mini|Nano|Turbo|Large|Small|"
    r"Medium|Maverick|Scout|Plus|Max|Chat|Instruct|Thinking|Preview|Lite|Deep\s?Research))*"
)
_MAKER = (
    r"(?:OpenAI|Open\s?AI|Anthropic|Google(?:\s+DeepMind|\s+AI)?|DeepMind|xAI|Meta(?:\s+AI)?|Microsoft|Mistral(?:\s+AI)?|"
    r"DeepSeek(?:\s+AI)?|Alibaba(?:\s+Cloud)?|Moonshot(?:\s+AI)?|Zhipu(?:\s+AI)?|Z\.ai|Cohere|Amazon|Baidu|Tencent|"
    r"ByteDance|Perplexity(?:\s+AI)?|NVIDIA|MiniMax|AI21(?:\s+Labs)?|01\.AI|the\s+Qwen\s+team)"
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATE = (
    rf"(?:(?:early|mid|late)[-\s]+)?(?:(?:\d{{1,2}}\s+)?{_MONTH}\.?(?:\s+\d{{1,2}},)?,?\s+(?:of\s+)?)?(?:19|20)\d\d"
    r"(?:-\d\d(?:-\d\d)?)?"
)
_MADE = r"(?:developed|created|made|trained|built|designed|produced|released|provided|offered|powered)"

#: Each entry masks its group `own`. In the order in which they are tried; a passage is masked once.
_PATTERNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        # “I’m Claude, …”, “I am an AI called Gemini”, “my name is …”, “this is Grok”.
        rf"\bI\s*(?:['’`]m|\s+am)\s+(?:(?:an?|the)\s+(?:[\w-]+\s+){{0,5}}(?:called|named|known\s+as)\s+)?"
        rf"(?P<own>{_MODEL})\b",
        rf"\bmy\s+name\s+is\s+(?P<own>{_MODEL})\b",
        rf"^\W*(?:hi|hello|hey)[,!.]?\s+(?:this\s+is\s+)?(?P<own>{_MODEL})\s+here\b",
        # “As Claude, I …”, “speaking as ChatGPT”. “As Claude Monet painted” has another name behind it.
        rf"\bas\s+(?P<own>{_MODEL})(?=\s*[,;:(—–-]|\s+I\b)",
        # “I was developed by Anthropic”, “a language model trained by OpenAI”, “an assistant made by Google”.
        rf"\b(?:I|me|I['’`]m|my\s+developers?|AI|assistant|language\s+model|chatbot|LLM)\b[^.\n]{{0,60}}?\b{_MADE}\s+by\s+"
        rf"(?P<own>{_MAKER})\b",
        rf"\b(?P<own>{_MAKER}(?:['’`]s)?)\s+(?:AI\s+)?(?:has\s+)?(?:trained|developed|created|built|designed|made)\s+me\b",
        rf"\b(?:I|I['’`]m|I\s+am)\b[^.\n]{{0,40}}?\b(?:model|assistant|AI|chatbot)\s+(?:from|of|by)\s+(?P<own>{_MAKER})\b",
        # A heading or a signature: “**ChatGPT:**”, “— Claude”.
        rf"^[\s*_#>]*(?P<own>{_MODEL})(?:['’`]s\s+(?:answer|response|reply))?[\s*_]*:",
        rf"^\s*[—–-]{{1,2}}\s*(?P<own>{_MODEL})[\s*_.]*$",
        # “my knowledge cutoff is April 2024”, “as of my last update in early 2025”: the date, not the reservation.
        rf"\b(?:knowledge|training)(?:\s+data)?(?:[-\s]*(?:cut[-\s]?off|ends?|ended|stops?|extends?|goes|last\s+updated?))"
        rf"[^.\n]{{0,40}}?(?P<own>{_DATE})",
        rf"\b(?:my|the)\s+(?:last|latest|most\s+recent)\s+(?:knowledge\s+|training\s+|data\s+)*(?:update|cut[-\s]?off|training)"
        rf"[^.\n]{{0,30}}?(?P<own>{_DATE})",
        rf"\b(?:trained|updated)\s+(?:on\s+data\s+)?(?:up\s+)?(?:to|until|through)\s+(?P<own>{_DATE})",
        # Citation marks: “【12†source】”, “turn0search1” with its private-use brackets, “:contentReference[oaicite:0]”.
        r"(?P<own>【[^】\n]{0,80}】)",
        r"(?P<own>\ue200[^\ue201\n]{0,200}\ue201|[\ue200-\ue20f]+)",
        r"(?P<own>\b(?:cite)?(?:turn\d+(?:search|news|view|fetch|image|forecast|product|file)\d+)+\b)",
        r"(?P<own>:?contentReference\[oaicite:\d+\](?:\{index=\d+\})?)",
        r"(?P<own>[?&]utm_source=(?:chatgpt\.com|openai|perplexity|copilot\.com|gemini))",
        r"(?P<own><grok:render[^>]*>(?:.*?</grok:render>)?)",
        r"(?P<own></?(?:antml:)?(?:thinking|think|function_calls?|function_results?|invoke|parameter|cite|tool_calls?|"
        r"tool_use|tool_response|tool_code|search_results?|antArtifact|antThinking|answer_operator)(?:\s[^>\n]*)?>)",
        r"(?P<own><\|[\w▁｜|]+?\|>)",
        r"(?P<own><｜[^｜\n]{1,40}｜>)",
        r"(?P<own>\[/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\])",
    )
)


@dataclass(frozen=True, slots=True)
class MaskedPassage:
    """A passage that was masked: in which field, as the how-manieth of it (from 0), and what stood there."""

    field: str
    place: int
    original: str


def mask(text: str) -> tuple[str, list[str]]:
    """The text with `MASK` for each passage that tells its model, and the passages in their order."""
    spans: list[tuple[int, int]] = []
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            start, end = found.span("own")
            place = bisect_left(spans, (start, end))
            is_free = (not place or spans[place - 1][1] <= start) and (place == len(spans) or end <= spans[place][0])
            if start < end and is_free:
                spans.insert(place, (start, end))
    masked: list[str] = []
    originals: list[str] = []
    at = 0
    for start, end in spans:
        masked += [text[at:start], MASK]
        originals.append(text[start:end])
        at = end
    return "".join((*masked, text[at:])), originals


def mask_values(values: Mapping[str, str], fields: Iterable[Field]) -> tuple[dict[str, str], list[MaskedPassage]]:
    """An item's texts with the model's own words masked, and what was. What a search gave stays as it was received."""
    shown = dict(values)
    passages: list[MaskedPassage] = []
    for field in fields:
        if field.form is FieldForm.SEARCHES:
            searches = json.loads(values.get(field.name) or "[]")
            originals = []
            for search in searches:
                search["query"], found = mask(search["query"])
                originals += found
            shown[field.name] = canonical_json(searches) if originals else values[field.name]
        elif field.name in OWN_WORDS and field.form is FieldForm.TEXT:
            shown[field.name], originals = mask(values[field.name])
        else:
            continue
        passages += [MaskedPassage(field.name, place, original) for place, original in enumerate(originals)]
    return shown, passages
