"""Whether a dataclass that was made of JSON holds what it declares: JSON may have anything in any place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: More than any number here, and less than a database can hold.
_MOST = 10**15


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return type(value) is int and abs(value) <= _MOST


def _is_number(value: object) -> bool:
    return _is_whole(value) or (type(value) is float and math.isfinite(value))


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _are_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(_is_text, (*value, *value.values())))


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_text, value))


#: By annotation. What is declared as anything else is made by its own class, which refuses what it does not know.
_KINDS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("str", "PacketId", "ItemId"), _is_text),
    "int": _is_whole,
    "float": _is_number,
    "bool": _is_flag,
    "float | None": lambda value: value is None or _is_number(value),
    "int | None": lambda value: value is None or _is_whole(value),
    "Mapping[str, str]": _are_texts,
    "tuple[str, ...]": _is_list_of_texts,
}


def check_kinds(*parts: DataclassInstance) -> None:
    """Raise `TypeError` naming a field that holds something else than the texts, numbers and flags it declares."""
    for part in parts:
        for each in fields(part):
            fits = _KINDS.get(str(each.type))
            if fits is not None and not fits(getattr(part, each.name)):
                raise TypeError(f"“{each.name}” is of another kind")
