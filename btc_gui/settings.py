"""What a person chose, read from TOML. Keys of services are never in it."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, field, fields, replace
from pathlib import Path

from btc_gui import paths
from btc_gui.errors import SettingsError
from btc_gui.known_secrets import KEYS_BELONG, address_problem
from btc_gui.outside_data import shown, toml_from
from btc_gui.records import dataclass

THEMES = ("system", "light", "dark")
#: Where Wikidata can be queried: its own query service, or QLever.
QUERY_SERVICES = ("wdqs", "qlever")
#: The services whose address can be changed by the settings' table [services].
SERVICE_NAMES = (*QUERY_SERVICES, "wikidata", "wikipedia")


def _this_person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "reviewer"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the person at this machine.

    `reviewer` stands beside every decision, label and note. `operator_contact` goes into the User-Agent of
    requests to Wikimedia. `text_scale` multiplies the size of all text. `keys` holds changed shortcuts by
    command name. `recent` lists projects, newest first. `query_service` is where Wikidata is queried; `services`
    holds other addresses of services, for mirrors and tests; `model_servers` the addresses at which language models
    were asked last, by provider (`gemini`, `openai`). `keeps_logs` leaves the engine's own logs of evaluations in the
    state folder; otherwise they go once their answers are stored.
    """

    reviewer: str = field(default_factory=_this_person)
    operator_contact: str = ""
    theme: str = "system"
    text_scale: float = 1.0
    use_keyring: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)
    recent: tuple[str, ...] = ()
    query_service: str = "wdqs"
    services: Mapping[str, str] = field(default_factory=dict)
    keeps_logs: bool = False
    model_servers: Mapping[str, str] = field(default_factory=dict)

    def with_recent(self, project: Path) -> Settings:
        """The settings with `project` as the most recent one (ten are kept)."""
        known = [entry for entry in self.recent if entry != str(project)]
        return replace(self, recent=(str(project), *known)[:10])

    def without_recent(self, project: Path) -> Settings:
        """The settings without `project` among the recent ones."""
        return replace(self, recent=tuple(entry for entry in self.recent if entry != str(project)))


def settings_path() -> Path:
    """Where the settings are kept."""
    return paths.config() / "settings.toml"


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings; a missing file gives the defaults.

    Raises `SettingsError` naming the file and the key that is unknown or has a wrong value.
    """
    path = path or settings_path()
    if not path.exists():
        return Settings()
    try:
        table = toml_from(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The settings file {path} can't be read: {error}.", "Correct it, or remove it to start anew."
        ) from error
    known = {f.name for f in fields(Settings)}
    for key in table:
        if key not in known:
            raise SettingsError(f"{path}: the key “{key}” is unknown.", f"Known keys: {', '.join(sorted(known))}.")
    _check(table, path)
    if "recent" in table:
        table["recent"] = tuple(table["recent"])
    if "text_scale" in table:
        table["text_scale"] = float(table["text_scale"])
    return Settings(**table)


_KINDS: Mapping[str, tuple[type, str]] = {
    "reviewer": (str, "a text"),
    "operator_contact": (str, "a text"),
    "use_keyring": (bool, "true or false"),
    "keeps_logs": (bool, "true or false"),
}


def _check(table: Mapping[str, object], path: Path) -> None:
    def refuse(key: str, wanted: str) -> SettingsError:
        return _refusal(table, path, key, wanted)

    for key, (kind, wanted) in _KINDS.items():
        if key in table and not isinstance(table[key], kind):
            raise refuse(key, wanted)
    for key, allowed in (("theme", THEMES), ("query_service", QUERY_SERVICES)):
        if table.get(key, allowed[0]) not in allowed:
            raise refuse(key, f"one of {', '.join(allowed)}")
    scale = table.get("text_scale", 1.0)
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not 0.5 <= scale <= 3:
        raise refuse("text_scale", "a number from 0.5 to 3")
    keys = table.get("keys", {})
    if not isinstance(keys, dict) or not all(isinstance(value, str) for value in keys.values()):
        raise refuse("keys", "a table of texts")
    recent = table.get("recent", [])
    if not isinstance(recent, list) or not all(isinstance(value, str) for value in recent):
        raise refuse("recent", "a list of texts")
    _check_addresses(table, path)


def _check_addresses(table: Mapping[str, object], path: Path) -> None:
    services = table.get("services", {})
    if not isinstance(services, dict) or not all(_is_address(value) for value in services.values()):
        raise _refusal(table, path, "services", "a table of addresses that begin with https:// or http://")
    if unknown := sorted(set(services) - set(SERVICE_NAMES)):
        raise SettingsError(
            f"{path}: the service “{unknown[0]}” is unknown.", f"Known services: {', '.join(SERVICE_NAMES)}."
        )
    servers = table.get("model_servers", {})
    if not isinstance(servers, dict) or not all(isinstance(value, str) for value in servers.values()):
        raise _refusal(table, path, "model_servers", "a table of texts")
    for name, address in (*services.items(), *servers.items()):
        if problem := address_problem(address):
            raise SettingsError(f"{path}: “{name}” can't be used. {problem}", KEYS_BELONG)


def _refusal(table: Mapping[str, object], path: Path, key: str, wanted: str) -> SettingsError:
    return SettingsError(f"{path}: “{key}” must be {wanted}, not {shown(table[key])}.")


def _is_address(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("https://", "http://"))


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings whole: a crash leaves the old file or the new one."""
    path = path or settings_path()
    values = asdict(settings)
    tables = {name: values.pop(name) for name in ("keys", "services", "model_servers")}
    lines = [f"{name} = {_toml(value)}" for name, value in values.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in sorted(table.items()))]
    write_whole(path, "\n".join(lines) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Write a file of the settings folder: a crash leaves the old one or the new one. Raises `SettingsError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.partial")
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise SettingsError(f"The settings can't be saved to {path}: {error.strerror or error}.") from error


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(entry) for entry in value)}]"
    # A TOML basic string takes JSON's escapes; DEL is the one character that JSON leaves and TOML refuses.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
