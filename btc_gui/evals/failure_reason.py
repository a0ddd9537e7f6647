"""Why a sample failed, in words: the engine gives an exception's text, or no more than its name."""

from __future__ import annotations

import ast
import re

from btc_gui.evals.replay import NotRecordedError, RecordedError
from btc_gui.evals.search.backend import NO_SEARCH, SearchRefusedError
from btc_gui.known_secrets import without_secrets
from btc_gui.remote.reply_limit import ReplyTooLargeError

_OURS = (NotRecordedError.__name__, RecordedError.__name__, SearchRefusedError.__name__)
_LONGEST = 2_000
#: What clients raise when the body of a reply can't be read.
_UNREADABLE = (
    "JSONDecodeError",
    "APIResponseValidationError",
    "UnknownApiResponseError",
    "OpenAIResponseError",
    "AssertionError",
    "ValidationError",
)
#: What clients raise when the connection fails, before the reply or in the middle of it.
_CONNECTION = (
    "APIConnectionError",
    "APITimeoutError",
    "ConnectError",
    "ConnectTimeout",
    "ReadTimeout",
    "ReadError",
    "RemoteProtocolError",
    "ClientPayloadError",
    "ClientConnectorError",
    "ServerDisconnectedError",
    "ClientOSError",
    "TimeoutError",
    "AttemptTimeoutError",
)
_CLIENTS = re.compile(r"[/\\](anthropic|openai|google[/\\]genai|httpx2?|aiohttp|_providers)[/\\.]")
#: `Error code: 401 - …` of OpenAI's and Anthropic's clients, `401 UNAUTHENTICATED. …` of Google's.
_STATUS = re.compile(r"(?:Error code: (\d{3}) - |^(\d{3}) [A-Z_]+\.? )(.*)", re.DOTALL)
_UNUSABLE = ("the provider refuses the key", "the provider does not know the model", NO_SEARCH)


def reason_of(message: str, traceback: str = "") -> str:
    """The reason in words. `message` is the engine's, `traceback` tells what it was that was given up.

    Reasons are kept in projects: a provider that repeats the key is not quoted with it.
    """
    # Before anything is cut: half a key is none that would be found.
    return without_secrets(_reason(without_secrets(message), without_secrets(traceback)))


def _reason(message: str, traceback: str) -> str:
    if ReplyTooLargeError.__name__ in message + traceback:
        # Clients wrap it in what they raise when a connection fails.
        return _last_words(ReplyTooLargeError.__name__, traceback) or ReplyTooLargeError().message
    name, text = _exception(message)
    if name in _OURS:
        return text
    if name == "RetryError":
        # The engine gave up: what it gave up on is in the traceback.
        raised = re.search(r"raised (\w+)", message)
        name = raised.group(1) if raised else ""
        text = _last_words(name, traceback)
        return f"given up after several tries: {_in_words(name, text, traceback) or text or name}"[:_LONGEST]
    return (_in_words(name, text, traceback) or message)[:_LONGEST]


def is_unusable(reason: str) -> bool:
    """Whether no other sample with this model and search can succeed either: a wrong key, an unknown model."""
    return reason.startswith(_UNUSABLE)


def _in_words(name: str, text: str, traceback: str) -> str:
    """What a client's exception means; empty for all others."""
    # What the client raised has the status; the engine's text may have lost it.
    status = _STATUS.search(text) or _STATUS.search(_last_words("", traceback))
    if status:
        return _of_status(int(status.group(1) or status.group(2)), _told(status.group(3)))
    if name in _CONNECTION:
        return f"the connection to the provider failed ({text or name})"
    if name in _UNREADABLE and (name != "AssertionError" or _CLIENTS.search(traceback)):
        return f"the provider's reply can't be read ({text or name})"
    return ""


def _of_status(status: int, told: str) -> str:
    told = f"{status}: {told}" if told else str(status)
    if status in (401, 403):
        return f"the provider refuses the key ({told})"
    if status == 404:
        return f"the provider does not know the model ({told})"
    if status == 429:
        return f"the provider allows no more requests now ({told})"
    if status >= 500:
        return f"the provider has a fault ({told})"
    return f"the provider refuses the request ({told})"


def _told(text: str) -> str:
    """The provider's own sentence out of an error body, which clients print as a Python or JSON value."""
    found = re.search(r"""['"]message['"]:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", text)
    if found is None:
        return " ".join(text.split())
    try:
        return " ".join(str(ast.literal_eval(found.group(1))).split())
    except (SyntaxError, ValueError):
        return " ".join(found.group(1).strip("'\"").split())


def _exception(message: str) -> tuple[str, str]:
    """`Name('text')` in its two parts; what is not written so has no name."""
    found = re.match(r"([A-Za-z_]\w*(?:Error|Exception|Timeout))\((.*)\)$", message, re.DOTALL)
    if found is None:
        return "", message
    try:
        return found.group(1), str(ast.literal_eval(found.group(2))) if found.group(2) else ""
    except (SyntaxError, ValueError):
        return found.group(1), found.group(2)


def _last_words(name: str, traceback: str) -> str:
    """What the exception `name` (any, when empty) said when it was raised, from a printed traceback."""
    wanted = re.escape(name) if name else r"\w+(?:Error|Exception)"
    pattern = rf"^[\s│|]*(?:[\w.]+\.)?({wanted}): (.+)$"
    found = re.findall(pattern, traceback, re.MULTILINE)
    return str(found[-1][1]).strip() if found else ""
