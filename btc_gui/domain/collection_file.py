"""The [collection] of a category.toml: how the category is collected, checked before anything is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.collection_plan import MEANINGS, CollectionPlan, DateOfChange, QueryKind, QuerySpec
from btc_gui.errors import SettingsError, why_unreadable

_SELECT = re.compile(r"SELECT\s+(?:DISTINCT\s+)?((?:\?\w+\s+)+)", re.IGNORECASE)
_LARGEST_BATCH = 500


def load_plan(folder: Path, table: Mapping[str, object]) -> CollectionPlan | None:
    """How the category of this folder is collected, or None when its file doesn't say.

    Queries stand in the folder's `queries/`, in `queries/` beside the categories for all of them, or in that of the
    app, as do the prefixes that each query begins with. Raises `SettingsError` naming the file and what is wrong.
    """
    found = table.get("collection")
    if found is None:
        return None
    return _Reader(folder).plan(found)


class _Reader:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "category.toml"
        shared = paths.resources() / "categories" / "queries"
        self._folders = (folder / "queries", folder.parent / "queries", shared)
        self._prefixes = self._file("prefixes.rq")

    def plan(self, found: object) -> CollectionPlan:
        if not isinstance(found, dict):
            raise self._wrong("[collection] must be a table")
        change = found.get("change")
        if change not in list(DateOfChange):
            raise self._wrong(f"[collection] needs change = {' or '.join(DateOfChange)}")
        entries = found.get("query", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries) or not entries:
            raise self._wrong("[collection] needs [[collection.query]]")
        queries = tuple(self._query(entry) for entry in entries)
        days = found.get("slice_days", 1)
        if not isinstance(days, int) or days < 1:
            raise self._wrong("slice_days must be a number of days")
        slices = {spec.name for spec in queries if spec.is_slice}
        asked = {spec.name: self._asked(entry) for spec, entry in zip(queries, entries, strict=True)}
        self._check_order(queries, asked)
        return CollectionPlan(
            prop=self._text(found, "property"),
            change=DateOfChange(str(change)),
            queries=tuple(spec for spec in queries if "collect" in asked[spec.name]),
            verify=tuple(_for_events(spec, slices) for spec in queries if "verify" in asked[spec.name]),
            names_position=bool(found.get("names_position", False)),
            values=self._texts(found, "values"),
            slice_days=days,
        )

    def _query(self, entry: Mapping[str, object]) -> QuerySpec:
        name, file = self._text(entry, "name"), self._text(entry, "file")
        kind = entry.get("kind")
        if kind not in list(QueryKind):
            raise self._wrong(f"the query “{name}” needs kind = {' or '.join(QueryKind)}")
        text = self._file(file)
        fallback = self._file(self._text(entry, "fallback")) if "fallback" in entry else ""
        variables = _variables(text)
        if not variables or (fallback and _variables(fallback) != variables):
            raise self._wrong(f"the query “{name}” must select named variables, the same ones in its fallback")
        size = entry.get("batch_size", 0)
        if kind == QueryKind.BATCH and not (isinstance(size, int) and 0 < size <= _LARGEST_BATCH):
            raise self._wrong(f"the query “{name}” needs batch_size from 1 to {_LARGEST_BATCH}")
        places = ("{FROM}", "{TO}") if kind == QueryKind.SLICE else ("{VALUES}",)
        for place in places:
            if place not in text or (fallback and place not in fallback):
                raise self._wrong(f"the query “{name}” has no {place}")
        return QuerySpec(
            name=name,
            file=file,
            kind=QueryKind(str(kind)),
            text=f"{self._prefixes}\n{text}",
            variables=variables,
            batch_size=size if isinstance(size, int) else 0,
            ids_from=self._texts(entry, "ids_from"),
            fallback=f"{self._prefixes}\n{fallback}" if fallback else "",
            columns=self._columns(name, entry.get("columns"), variables),
        )

    def _asked(self, entry: Mapping[str, object]) -> tuple[str, ...]:
        asked = self._texts(entry, "asked_to") or ("collect",)
        if not set(asked) <= {"collect", "verify"} or (entry["kind"] == QueryKind.SLICE and "verify" in asked):
            raise self._wrong(f"the query “{entry['name']}” is asked to collect, to verify (batches only), or both")
        return asked

    def _columns(self, name: str, found: object, variables: tuple[str, ...]) -> Mapping[str, str]:
        if not isinstance(found, dict) or "item" not in found:
            raise self._wrong(f"the query “{name}” needs columns, at least that of the item")
        for meaning, column in found.items():
            if meaning not in MEANINGS:
                raise self._wrong(f"“{meaning}” is no meaning of a column (there are {', '.join(sorted(MEANINGS))})")
            if column not in variables:
                raise self._wrong(f"the query “{name}” has no column “{column}”")
        return dict(found)

    def _check_order(self, queries: tuple[QuerySpec, ...], asked: Mapping[str, tuple[str, ...]]) -> None:
        seen: dict[str, QuerySpec] = {}
        for spec in queries:
            if spec.name in seen:
                raise self._wrong(f"two queries are called “{spec.name}”")
            if not spec.is_slice and not spec.ids_from and "collect" in asked[spec.name]:
                raise self._wrong(f"the query “{spec.name}” needs ids_from")
            for place in spec.ids_from:
                query, _, column = place.partition(".")
                if query not in seen or column not in seen[query].variables:
                    raise self._wrong(f"the query “{spec.name}” takes ids from “{place}”, which no earlier query gives")
            seen[spec.name] = spec

    def _file(self, name: str) -> str:
        for folder in self._folders:
            path = folder / name
            if path.is_file():
                try:
                    return path.read_text(encoding="utf-8-sig").strip()
                except (OSError, UnicodeDecodeError) as error:
                    raise SettingsError(f"{path} can't be read: {why_unreadable(error)}.") from error
        raise self._wrong(f"there is no query {name}")

    def _text(self, table: Mapping[str, object], key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(f"[collection]: the key “{key}” must be a text")
        return value

    def _texts(self, table: Mapping[str, object], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self._wrong(f"[collection]: the key “{key}” must be a list of texts")
        return tuple(value)

    def _wrong(self, what: str) -> SettingsError:
        return SettingsError(f"{self._path}: {what}.")


def _variables(text: str) -> tuple[str, ...]:
    match = _SELECT.search(text)
    return tuple(name.lstrip("?") for name in match.group(1).split()) if match else ()


def _for_events(spec: QuerySpec, slices: set[str]) -> QuerySpec:
    # What is asked about rows of a slice is asked about the project's events themselves.
    places = tuple(place for place in spec.ids_from if place.partition(".")[0] not in slices)
    return replace(spec, ids_from=places)
