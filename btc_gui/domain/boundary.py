"""Where the classes of queries meet: rules that classifier and annotators are told in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from btc_gui.domain.failure_mode import QueryClass
from btc_gui.errors import SettingsError
from btc_gui.outside_data import toml_from
from btc_gui.records import dataclass

_KEYS = {"key", "class", "rule", "examples"}


@dataclass(frozen=True, slots=True)
class Boundary:
    """One close case: the rule, the class it leads to, and queries it decides (the entity in square brackets)."""

    key: str
    query_class: QueryClass
    rule: str
    examples: tuple[str, ...]


def boundary_text(boundaries: Sequence[Boundary]) -> str:
    """The boundaries as a list: each with its examples and the class in bold."""
    return "\n".join(f"* {each.rule} {_examples(each)}: **{each.query_class}**." for each in boundaries)


def _examples(boundary: Boundary) -> str:
    parts = []
    for example in boundary.examples:
        query, _, entity = example.removesuffix("]").partition(" [")
        parts.append(f"“{query}”" if entity in query else f"“{query}” (the entity: {entity})")
    return ", ".join(parts)


def load_boundaries(path: Path) -> tuple[Boundary, ...]:
    """Read a category's `boundaries.toml`; none when there is no such file.

    Raises `SettingsError` naming the boundary that is wrong: a key twice, an unknown class, no rule, no example.
    """
    if not path.is_file():
        return ()
    try:
        table = toml_from(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"The file {path} can't be read: {error}.") from error
    rows = table.get("boundary")
    if not isinstance(rows, list):
        raise SettingsError(f"{path}: there is no [[boundary]] in it.")
    found = tuple(_boundary(path, number, row) for number, row in enumerate(rows, 1))
    keys = [each.key for each in found]
    for key in keys:
        if keys.count(key) > 1:
            raise SettingsError(f"{path}: the boundary “{key}” stands there twice.")
    return found


def _boundary(path: Path, number: int, row: object) -> Boundary:
    where = f"{path}: boundary {number}"
    if not isinstance(row, dict) or set(row) != _KEYS:
        raise SettingsError(f"{where}: it must have exactly the keys {', '.join(sorted(_KEYS))}.")
    key, rule, examples = row["key"], row["rule"], row["examples"]
    if not isinstance(key, str) or not isinstance(rule, str) or not key.strip() or not rule.strip():
        raise SettingsError(f"{where}: key and rule must be texts.")
    if not isinstance(examples, list) or not examples or not all(isinstance(each, str) for each in examples):
        raise SettingsError(f"{where}: examples must be a list of queries.")
    try:
        query_class = QueryClass(row["class"])
    except ValueError as error:
        known = ", ".join(QueryClass)
        raise SettingsError(f"{where}: “{row['class']}” is no class of queries ({known}).") from error
    return Boundary(key, query_class, rule.strip(), tuple(examples))
