"""Replies that must follow a schema: the schema as it is sent, and reading a reply without guessing."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from functools import cache
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from btc_gui.outside_data import json_from

Shape = TypeVar("Shape", bound=BaseModel)

# Some servers wrap the whole reply in one fence although they were given a schema. Nothing else is unwrapped:
# a label that stands somewhere in prose is not what the model was asked for.
_FENCE = re.compile(r"^```(?:json)?[ \t]*\n(.*)\n```$", re.DOTALL | re.IGNORECASE)
_EDGES = " \t\r\n\ufeff\u200b\u2060"


class UnreadableReplyError(Exception):
    """A reply that can't be read; the text says why, for a person."""


def strict_schema(schema: type[BaseModel]) -> dict[str, object]:
    """The JSON schema of `schema` with every key required and none added: what strict providers ask for."""
    return deepcopy(_made_strict(schema))


@cache
def _made_strict(schema: type[BaseModel]) -> dict[str, object]:
    # Making a schema takes milliseconds, and every request is hashed with its own.
    return _closed(schema.model_json_schema())


def _closed(node: dict[str, object]) -> dict[str, object]:
    closed = {key: _closed(value) if isinstance(value, dict) else value for key, value in node.items()}
    properties = node.get("properties")
    if isinstance(properties, dict):
        closed["additionalProperties"] = False
        closed["required"] = list(properties)
    return closed


def read_reply(text: str, schema: type[Shape]) -> Shape:
    """Read a reply that is one JSON object of `schema` and nothing else.

    Raises `UnreadableReplyError` for an empty or cut reply, prose, keys given twice, missing or unknown values.
    """
    body = text.strip(_EDGES)
    if not body:
        raise UnreadableReplyError("The reply is empty.")
    fenced = _FENCE.match(body)
    body = fenced.group(1).strip(_EDGES) if fenced else body
    if body != body.encode("utf-8", "ignore").decode("utf-8"):
        raise UnreadableReplyError("The reply holds broken characters.")
    try:
        value = json_from(body)
    except json.JSONDecodeError as error:
        raise UnreadableReplyError(_why_no_json(body, error)) from error
    except ValueError as error:
        raise UnreadableReplyError(f"The reply can't be used: {error}.") from error
    if not isinstance(value, dict):
        raise UnreadableReplyError("The reply is JSON, but not the object that was asked for.")
    try:
        return schema.model_validate_json(body, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "reply"
        raise UnreadableReplyError(f"The reply does not follow the schema: {place}: {first['msg']}.") from error


def _why_no_json(body: str, error: json.JSONDecodeError) -> str:
    start = " ".join(body[:60].split())
    if not body.startswith("{"):
        return f"The reply is not JSON: it starts with “{start}”."
    if error.pos >= len(body) - 1 or "Unterminated" in error.msg:
        return "The reply is cut off: its JSON does not end."
    if error.msg == "Extra data":
        return "The reply goes on after its JSON."
    return f"The reply is not valid JSON ({error.msg} at character {error.pos + 1})."
