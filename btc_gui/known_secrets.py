"""Keys of services, found by what the environment holds: they must never be in a file, a message or a log."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl, quote, urlsplit

#: Words in the names of environment variables whose values are secrets.
_SECRET_WORDS: Final = {"KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "CREDENTIALS"}
#: Shorter values are no keys, and would be found in any text. Servers of one's own are given words such as `ollama`.
_SHORTEST: Final = 8
#: In what others wrote only what can't be a word of theirs is a key.
_SHORTEST_IN_CONTENT: Final = 16
#: What such a variable's name ends in that says where a secret is, and so is none.
_PLACES: Final = {"URL", "URI", "PATH", "FILE", "DIR", "HOST"}
#: `lm-studio`, `no-key-required`, a sentence: what is given for keys where none is needed, and may stand in any text.
_WORDS: Final = re.compile(r"[a-z]+([-_.][a-z]+)*|.*\s.*", re.DOTALL)
#: `https://login:password@host`, also where the password itself has an @.
_LOGIN: Final = re.compile(r"(?<=://)[^\s/?#'\"<>]*@")
_PARAMETER: Final = re.compile(
    r"([?&](?:api[-_]?key|[\w-]*-key|key|[\w-]*token|[\w-]*secret|password|sig|signature)=)[^&#\s'\"<>]+", re.IGNORECASE
)


def secrets_in(text: str, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The names of the environment's variables that hold a secret which stands in a text."""
    found = _no_words(_secrets(environment, _SHORTEST))
    return sorted(name for name, value in found if any(each in text for each in _spellings(value)))


def without_secrets(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """A message without keys: those of the environment in any spelling, logins and keys in addresses."""
    text = _replaced(text, _secrets(environment, _SHORTEST))
    return _PARAMETER.sub(r"\1(key)", _LOGIN.sub("", text))


def content_without_secrets(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """What a service sent, without the keys that it was sent: some repeat what they get. All else stays as it is."""
    return _replaced(text, _no_words(_secrets(environment, _SHORTEST_IN_CONTENT)))


def environment_without_secrets(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a process that asks no service, such as one that opens a stranger's packet."""
    return {name: value for name, value in environment.items() if not _names_a_secret(name)}


def address_problem(address: str) -> str:
    """What is wrong with an address that carries a login or a key; nothing otherwise. Addresses are kept and shown."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if "@" in parts.netloc:
        return "The address holds a login."
    if _PARAMETER.search(address) or secrets_in(" ".join(value for _, value in parse_qsl(parts.query))):
        return "The address holds a key."
    return ""


#: What to do about it.
KEYS_BELONG: Final = "Keys belong in the environment (OPENAI_API_KEY, EXAMPLE_API_KEY…): addresses are kept and shown."


def _secrets(environment: Mapping[str, str], shortest: int) -> Iterator[tuple[str, str]]:
    for name, value in environment.items():
        # Files bring line ends along, which no service repeats.
        if _names_a_secret(name) and len(value.strip()) >= shortest:
            yield name, value.strip()


def _no_words(secrets: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in secrets if not _WORDS.fullmatch(value))


def _names_a_secret(name: str) -> bool:
    words = name.upper().split("_")
    return bool(_SECRET_WORDS & set(words)) and words[-1] not in _PLACES


def _spellings(value: str) -> set[str]:
    """A key as it may stand in a text: itself, in a string of JSON or Python, in an address."""
    return {
        value,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        repr(value)[1:-1],
        quote(value, safe=""),
    }


def _replaced(text: str, secrets: Iterable[tuple[str, str]]) -> str:
    values = {each for _, value in secrets for each in _spellings(value)}
    # A key may be the beginning of another one.
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, "(key)")
    return text
