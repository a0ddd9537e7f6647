"""Keys are found in whatever spelling they stand, and nothing else is taken for one."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from btc_gui.known_secrets import address_problem, content_without_secrets, secrets_in, without_secrets

KEY = 'sk-Mark"er\\/+=0123456789'
ENVIRONMENT = {"EXAMPLE_API_KEY": f"{KEY}\r\n", "PATH": "/usr/local/bin", "OPENAI_API_KEY": "ollama"}


@pytest.mark.parametrize("spelled", [KEY, json.dumps(KEY), repr(KEY), repr(KEY.encode()), quote(KEY, safe="")])
def test_a_key_is_found_in_every_spelling(spelled: str) -> None:
    text = f"Illegal header value: Bearer {spelled}."
    assert secrets_in(text, ENVIRONMENT) == ["EXAMPLE_API_KEY"]
    for plain in (without_secrets(text, ENVIRONMENT), content_without_secrets(text, ENVIRONMENT)):
        assert plain.replace('"', "").replace("'", "").replace("b(", "(") == "Illegal header value: Bearer (key)."


def test_words_are_no_keys() -> None:
    """Servers of one's own are given words for keys; folders and names of keyboards are no secrets at all."""
    environment = {"KEYBOARD": "english-LAYOUT-here-1", "HOME": "/home/ada/and/so/on"}
    text = "The english-LAYOUT-here-1 in /home/ada/and/so/on"
    assert without_secrets(text, environment) == content_without_secrets(text, environment) == text
    assert secrets_in(text, environment) == []
    given = {
        "OPENAI_API_KEY": "lm-studio",
        "OTHER_API_KEY": "sk-no-key-required",
        "KEY_WORDS": "International Space Station 2",
        "TOKEN_URL": "https://www.wikidata.org/",
    }
    text = "lm-studio, sk-no-key-required: International Space Station 2, https://www.wikidata.org/wiki/Q25271"
    assert content_without_secrets(text, given) == text
    assert secrets_in(text, given) == []


def test_a_key_that_begins_another_leaves_no_end() -> None:
    environment = {"A_API_KEY": "0123456789abcdef", "B_API_KEY": "0123456789abcdef-longer"}
    assert content_without_secrets("with 0123456789abcdef-longer", environment) == "with (key)"


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("https://ada:p@ss@example.org:8000/v1 is gone", "https://example.org:8000/v1 is gone"),
        ("GET https://example.org/v1?key=abc&x=1 failed", "GET https://example.org/v1?key=(key)&x=1 failed"),
        ("'https://example.org/?q=1&access_token=abc'", "'https://example.org/?q=1&access_token=(key)'"),
        (
            "ada@example.org asks for https://example.org/a@b?x=1",
            "ada@example.org asks for https://example.org/a@b?x=1",
        ),
    ],
)
def test_messages_lose_what_addresses_carry(message: str, plain: str) -> None:
    assert without_secrets(message, {}) == plain


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("http://localhost:8000/v1", ""),
        ("https://example.org/openai?api-version=2026-01-01", ""),
        ("https://ada:secret@example.org/v1", "The address holds a login."),
        ("https://token@example.org/v1", "The address holds a login."),
        ("https://example.org/v1?api_key=abc", "The address holds a key."),
        ("https://example.org/v1?subscription-key=abc", "The address holds a key."),
        ("https://example.org/v1?who=key-of-mine-0123456789", "The address holds a key."),
    ],
)
def test_an_address_with_a_login_or_a_key_is_told(monkeypatch: pytest.MonkeyPatch, address: str, problem: str) -> None:
    monkeypatch.setenv("MY_OWN_API_KEY", "key-of-mine-0123456789")
    assert address_problem(address) == problem
