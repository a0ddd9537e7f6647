"""Keys of services: the environment first, the keyring only when a person opted in. Never shown, never stored."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from typing import Final

from btc_gui.errors import SettingsError
from btc_gui.progress import Progress
from btc_gui.records import dataclass

#: Under this name a person stores keys: `keyring set btc_gui OPENAI_API_KEY`.
KEYRING_SERVICE: Final = "btc_gui"
_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Service:
    """A service and the environment variables that may hold its key; any one will do."""

    title: str
    variables: tuple[str, ...]
    used_for: str


SERVICES: Final = (
    Service("OpenAI and compatible", ("OPENAI_API_KEY",), "evaluated models, judge, classifier"),
    Service("Google Gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "evaluated models, judge, classifier"),
    Service("Anthropic", ("ANTHROPIC_API_KEY",), "evaluated models"),
    Service("DeepSeek", ("DEEPSEEK_API_KEY",), "evaluated models"),
    Service("Moonshot (Kimi)", ("MOONSHOT_API_KEY",), "evaluated models"),
    Service("Alibaba (Qwen)", ("QWEN_API_KEY",), "evaluated models"),
    Service("Xiaomi (MiMo)", ("MIMO_API_KEY",), "evaluated models"),
    Service("Z.ai (GLM)", ("ZAI_API_KEY",), "evaluated models"),
    Service("Exa", ("EXA_API_KEY",), "web search of the shared harness"),
)


def set_variables(environment: Mapping[str, str] = os.environ) -> frozenset[str]:
    """The names of the variables that are set. Their values stay where they are."""
    return frozenset(name for service in SERVICES for name in service.variables if environment.get(name))


def adopt_keyring(progress: Progress, seconds: float = _SECONDS) -> frozenset[str]:
    """Read the keys that the environment lacks from the keyring into this process's environment.

    Gives the names that were found. Some keyrings ask a person to unlock them or never answer: after `seconds`
    it is given up. Raises `SettingsError` when there is no keyring, none that encrypts, or no answer. Not for
    the GUI thread.
    """
    missing = [name for service in SERVICES for name in service.variables if not os.environ.get(name)]
    found: dict[str, str] = {}
    problems: list[str] = []

    def read() -> None:
        try:
            found.update(_read(missing))
        except SettingsError as error:
            problems.append(str(error))
        except Exception as error:
            # Backends raise what they like; whatever it is means that there are no keys from here.
            problems.append(f"The keyring can't be read ({type(error).__name__}).")

    reader = threading.Thread(target=read, name="keyring", daemon=True)
    reader.start()
    waited = 0.0
    while reader.is_alive() and waited < seconds:
        progress.check()
        reader.join(0.1)
        waited += 0.1
    if reader.is_alive():
        raise SettingsError("The keyring did not answer.", "Unlock it and try again, or set keys in the environment.")
    if problems:
        raise SettingsError(problems[0], "Set keys in the environment.")
    os.environ.update(found)
    return frozenset(found)


def _read(names: Iterable[str]) -> dict[str, str]:
    import keyring

    backend = keyring.get_keyring()
    kind = f"{type(backend).__module__}.{type(backend).__name__}"
    if ".fail." in kind or ".null." in kind:
        raise SettingsError("This machine has no keyring.")
    if "plaintext" in kind.casefold():
        raise SettingsError("The keyring of this machine does not encrypt, so it is not used.")
    stored = {name: keyring.get_password(KEYRING_SERVICE, name) for name in names}
    return {name: key for name, key in stored.items() if key}
