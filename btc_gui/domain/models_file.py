"""models.toml: reading and checking, with the file, line and key that is wrong; later files override earlier ones.

Besides the models that are evaluated it names those with a role in making the benchmark: [roles.generator] and so on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

from btc_gui import paths
from btc_gui.domain.configuration import EFFORTS, Effort
from btc_gui.domain.evaluated_model import EffortSetting, EvaluatedModel, NativeSearch, TokenPrice
from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.role_model import ROLES, RoleModel
from btc_gui.domain.run import cutoff_day
from btc_gui.domain.search_price import PAID_SEARCHES, SearchPrice
from btc_gui.errors import SettingsError
from btc_gui.known_secrets import KEYS_BELONG, address_problem
from btc_gui.outside_data import shown, toml_from

_NAME = "models.toml"
#: What the engine takes as a reasoning effort.
_EFFORT_WORDS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_REQUIRED = ("provider", "model")
#: More than any amount or number here.
_MOST = 10**15
#: Who speaks what: the providers that models with a role are asked by.
_ROLE_PROVIDERS = ("google", "openai", "openai-api")


class ModelsFileError(SettingsError):
    """What is wrong in a models file. `line` is where (from 1; 0 when it can't be said)."""

    def __init__(self, origin: str, line: int, problem: str, remedy: str = "") -> None:
        place = f"{origin}, line {line}" if line else origin
        super().__init__(f"{place}: {problem}", remedy)
        self.line = line


@dataclass(frozen=True, slots=True)
class ModelsText:
    """The text of a models file, and what to call it when something is wrong in it."""

    origin: str
    text: str


def builtin_models_path() -> Path:
    """The file that comes with the app."""
    return paths.resources() / _NAME


def own_models_path() -> Path:
    """The person's own file, in the settings folder; it need not exist."""
    return paths.config() / _NAME


def read_models_text(path: Path) -> ModelsText:
    """The text of a models file. Raises `SettingsError` when it can't be read."""
    try:
        return ModelsText(str(path), path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The models file {path} can't be read: {error}.") from error


def load_models(*files: Path) -> list[EvaluatedModel]:
    """The models of the files. Raises `SettingsError` naming the file, line and key that is wrong."""
    return models_in([read_models_text(path) for path in files])


def models_in(texts: list[ModelsText]) -> list[EvaluatedModel]:
    """The models of the texts, in the order in which they are first named.

    An entry of a later text replaces, key by key, what an earlier one says of the model with that name.
    Raises `ModelsFileError`.
    """
    merged: dict[str, dict[str, Any]] = {}
    last: dict[str, _Lines] = {}
    for text in texts:
        for name, values, lines in _entries(text):
            merged.setdefault(name, {}).update(values)
            last[name] = lines
    return [_model(name, values, last[name]) for name, values in merged.items()]


def roles_in(texts: list[ModelsText]) -> dict[str, RoleModel]:
    """The models with a role, by role; later texts go key by key before earlier ones. Raises `ModelsFileError`."""
    merged: dict[str, dict[str, Any]] = {}
    for text in texts:
        lines = _Lines(text.origin, text.text.splitlines(), "roles")
        roles = _table_of(text, lines).get("roles", {})
        if not isinstance(roles, dict):
            raise lines.error("", "roles", "“roles” must be tables.", "They are written as [roles.generator].")
        for role, entry in roles.items():
            if role not in ROLES:
                raise lines.error(role, "", f"the role “{role}” is unknown.", f"Roles are: {', '.join(ROLES)}.")
            if not isinstance(entry, dict):
                raise lines.error("roles", role, f"“{role}” must be a table.", f"Write it as [roles.{role}].")
            merged.setdefault(role, {}).update(_values(role, entry, lines, _ROLE_READERS))
    return {role: RoleModel(role, **values) for role, values in merged.items() if values.get("model")}


def searches_in(texts: list[ModelsText]) -> dict[str, SearchPrice]:
    """What searches cost, by service; later texts go key by key before earlier ones. Raises `ModelsFileError`."""
    merged: dict[str, dict[str, Any]] = {}
    for text in texts:
        lines = _Lines(text.origin, text.text.splitlines(), "searches")
        services = _table_of(text, lines).get("searches", {})
        if not isinstance(services, dict):
            raise lines.error("", "searches", "“searches” must be tables.", "They are written as [searches.exa].")
        for service, entry in services.items():
            if service not in PAID_SEARCHES:
                known = f"Services are: {', '.join(PAID_SEARCHES)}."
                raise lines.error(service, "", f"the search “{service}” is unknown.", known)
            if not isinstance(entry, dict):
                raise lines.error("searches", service, f"“{service}” must be a table.", "It has at least “search”.")
            merged.setdefault(service, {}).update(_values(service, entry, lines, _SEARCH_READERS))
    return {service: SearchPrice(**values) for service, values in merged.items() if "search" in values}


def _model(name: str, values: Mapping[str, Any], lines: _Lines) -> EvaluatedModel:
    for key in _REQUIRED:
        if not values.get(key):
            raise lines.error(name, "", f"the model “{name}” has no “{key}”.")
    if values["provider"] == "openai-api" and "/" not in values["model"]:
        raise lines.error(
            name, "model", "an openai-api model is written SERVICE/model.", "SERVICE names the key: SERVICE_API_KEY."
        )
    return EvaluatedModel(name=name, **{"efforts" if key == "effort" else key: each for key, each in values.items()})


def _entries(source: ModelsText) -> list[tuple[str, dict[str, Any], _Lines]]:
    lines = _Lines(source.origin, source.text.splitlines())
    table = _table_of(source, lines)
    models = table.get("models", {})
    if not isinstance(models, dict):
        raise lines.error("", "models", "“models” must be tables.", 'Models are written as [models."Name"].')
    found = []
    for name, entry in models.items():
        if not isinstance(entry, dict):
            raise lines.error("models", name, f"“{name}” must be a table.", f'Write it as [models."{name}"].')
        found.append((name, _values(name, entry, lines, _READERS), lines))
    return found


def _table_of(source: ModelsText, lines: _Lines) -> dict[str, Any]:
    try:
        table = toml_from(source.text)
    except ValueError as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        problem = re.sub(r"\s*\(at [^)]*\)", "", str(error))
        line = int(at.group(1)) if at else len(lines.lines)
        raise ModelsFileError(source.origin, line, f"this is not TOML: {problem}.") from error
    for key in table:
        if key not in ("models", "roles", "searches"):
            raise lines.error("", key, f"the key “{key}” is unknown.", 'Models are written as [models."Name"].')
    return table


def _values(
    name: str, entry: Mapping[str, Any], lines: _Lines, readers: Mapping[str, Callable[[Any], Any]]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in entry.items():
        read = readers.get(key)
        if read is None:
            raise lines.error(name, key, f"the key “{key}” is unknown.", f"Known keys: {', '.join(sorted(readers))}.")
        try:
            values[key] = read(value)
        except ValueError as error:
            raise lines.error(name, key, f"“{key}” {error}.") from error
    return values


# -- values: each reader raises ValueError with what the value must be ----------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be a text, not {shown(value)}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {shown(value)}")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise ValueError(f"must be a whole number from 0, not {shown(value)}")
    return value


def _amount(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST:
        raise ValueError(f"must be a number from 0, not {shown(value)}")
    return float(value)


def _cutoff(value: object) -> str:
    # TOML has dates of its own; a month must be a text.
    text = value.isoformat() if isinstance(value, date) else _text(value)
    try:
        cutoff_day(text)
    except ValueError as error:
        raise ValueError(f"must be a month or a day such as 2025-08 or 2025-08-31, not {text!r}") from error
    return text


def _address(value: object) -> str:
    text = _text(value)
    if text and not text.startswith(("http://", "https://")):
        raise ValueError(f"must be an address such as https://api.example.org/v1, not {text!r}")
    if problem := address_problem(text):
        raise ValueError(f"can't be used. {problem} {KEYS_BELONG}")
    return text


def _table(value: object, kind: type[Any], readers: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"must be a table, not {shown(value)}")
    known = [each.name for each in fields(kind)]
    found = {}
    for key, each in value.items():
        if key not in known:
            raise ValueError(f"has the unknown key “{key}”; known are {', '.join(known)}")
        try:
            found[key] = readers[key](each)
        except ValueError as error:
            raise ValueError(f"is wrong: “{key}” {error}") from error
    return found


def _body(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"must be a table, not {shown(value)}")
    try:
        canonical_json(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("holds what JSON can't say: a date, or a number that is none") from error
    return value


def _date(value: object) -> str:
    text = value.isoformat() if isinstance(value, date) else _text(value)
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise ValueError(f"must be a day such as 2026-05-31, not {text!r}") from error


def _effort_word(value: object) -> str:
    if value not in _EFFORT_WORDS:
        raise ValueError(f"must be one of {', '.join(_EFFORT_WORDS)}, not {shown(value)}; others go into extra_body")
    return str(value)


def _efforts(value: object) -> dict[Effort, EffortSetting]:
    if not isinstance(value, dict):
        raise ValueError(f"must be a table with low and high, not {shown(value)}")
    found = {}
    for key, each in value.items():
        if key not in EFFORTS:
            raise ValueError(f"has the unknown key “{key}”; known are {', '.join(EFFORTS)}")
        if isinstance(each, str):
            found[Effort(key)] = EffortSetting(reasoning_effort=_effort_word(each))
        else:
            readers = {"reasoning_effort": _effort_word, "reasoning_tokens": _count, "extra_body": _body}
            found[Effort(key)] = EffortSetting(**_table(each, EffortSetting, readers))
    return found


def _native(value: object) -> NativeSearch | None:
    if value is False:
        return None
    readers: dict[str, Callable[[Any], Any]] = {"options": _body, "extra_body": _body, "fetches_pages": _flag}
    return NativeSearch(**_table(value, NativeSearch, readers))


def _price(value: object) -> TokenPrice:
    readers: dict[str, Callable[[Any], Any]] = dict.fromkeys(
        ("input", "output", "cache_read", "cache_write", "search"), _amount
    )
    found = _table(value, TokenPrice, {**readers, "date": _date, "source": _text})
    for key in ("input", "output"):
        if key not in found:
            raise ValueError(f"has no “{key}”")
    return TokenPrice(**found)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "provider": _text,
    "model": _text,
    "family": _text,
    "cutoff": _cutoff,
    "cutoff_source": _text,
    "effort": _efforts,
    "native": _native,
    "price": _price,
    "base_url": _address,
    "needs_key": _flag,
    "at_once": _count,
}


_SEARCH_READERS: Mapping[str, Callable[[Any], Any]] = {
    "search": _amount,
    "result": _amount,
    "included": _count,
    "date": _date,
    "source": _text,
}


def _role_provider(value: object) -> str:
    if value not in _ROLE_PROVIDERS:
        raise ValueError(f"must be one of {', '.join(_ROLE_PROVIDERS)}, not {shown(value)}")
    return str(value)


_ROLE_READERS: Mapping[str, Callable[[Any], Any]] = {
    "provider": _role_provider,
    "model": _text,
    "effort": _effort_word,
    "base_url": _address,
    "price": _price,
}


# -- lines ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Lines:
    """Finds where a key stands: the TOML reader of Python tells values, but not their lines."""

    origin: str
    lines: list[str]
    tables: str = "models"

    def error(self, table: str, key: str, problem: str, remedy: str = "") -> ModelsFileError:
        """The error about a key of a model's table; about the table itself when `key` is empty."""
        return ModelsFileError(self.origin, self._line(table, key), problem, remedy)

    def _line(self, table: str, key: str) -> int:
        names = rf"[\"']?{re.escape(table)}[\"']?"
        header = re.compile(rf"^\s*\[\s*{self.tables}\s*\.\s*{names}\s*(\.\s*{re.escape(key)}\s*(\.[^\]]*)?)?\]")
        wanted = re.compile(rf"^\s*(\[\s*)?[\"']?{re.escape(key)}[\"']?\s*[.=\]]")
        inside, header_line = not table or table == self.tables, 0
        for number, line in enumerate(self.lines, 1):
            found = header.match(line)
            if found is not None:
                inside, header_line = True, header_line or number
                if key and found.group(1):
                    return number
            elif line.lstrip().startswith("[") and table and table != self.tables:
                inside = False
            elif inside and key and wanted.match(line):
                return number
        return header_line
