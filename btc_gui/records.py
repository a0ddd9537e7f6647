"""Frozen dataclasses with slots, as in `dataclasses`, whose making takes a third of the time.

Until Python 3.13 the standard library compiles each method of a dataclass by itself, more than a millisecond a class;
the first page needs half a hundred of them. Here only `__init__` is compiled. All else is as it was:
`dataclasses.fields`, `replace` and `asdict` take them, and to a type checker they are the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> type | Callable[[type], type]:
        """A dataclass with these options; usual ones that are frozen and have slots are made here."""

        def make(plain: type) -> type:
            if options == {"frozen": True, "slots": True} and _is_usual(plain):
                return _record(plain)
            return dataclasses.dataclass(plain, **options)

        return make if cls is None else make(cls)


_OWN = frozenset({"__init__", "__eq__", "__hash__", "__repr__", "__setattr__", "__delattr__"})
_ABSENT = object()


def _is_usual(plain: type) -> bool:
    """Whether it has no method of its own in place of one that is made, no fields of another class, no special ones."""
    return (
        _OWN.isdisjoint(vars(plain))
        and not any(map(dataclasses.is_dataclass, plain.__mro__))
        and all(
            value.init and value.repr and value.compare and value.hash is None and value.kw_only is not True
            for value in vars(plain).values()
            if isinstance(value, dataclasses.Field)
        )
    )


def _record(plain: type) -> type:
    cls: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(plain)
    # As it is: who makes a dataclass of this one must freeze it as well.
    cls.__dataclass_params__.frozen = cls.__dataclass_params__.eq = True
    fields = dataclasses.fields(cls)
    methods = [_initializer(cls, fields), *_values(cls, [field.name for field in fields]), *_frozen(cls)]
    for method in methods:
        method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
        setattr(cls, method.__name__, method)
    return cls  # type: ignore[no-any-return]


def _initializer(cls: type, fields: Sequence[dataclasses.Field[Any]]) -> Callable[..., None]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_absent": _ABSENT}
    parameters, lines = ["self"], []
    for field in fields:
        name, value = field.name, field.name
        if field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            parameters.append(f"{name}=_absent")
            value = f"_make_{name}() if {name} is _absent else {name}"
        else:
            parameters.append(name)
        lines.append(f" _set(self,{name!r},{value})")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    made: dict[str, Any] = {}
    exec(f"def __init__({','.join(parameters)}):\n" + ("\n".join(lines) or " pass"), known, made)
    return made["__init__"]  # type: ignore[no-any-return]


def _values(cls: type, names: Sequence[str]) -> list[Callable[..., Any]]:
    """What goes by the values of all fields: equality, hash, words and copies."""
    if len(names) > 1:
        values: Callable[[Any], tuple[Any, ...]] = attrgetter(*names)
    else:

        def values(self: object) -> tuple[Any, ...]:
            return tuple(getattr(self, name) for name in names)

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    def __repr__(self: object) -> str:  # noqa: N807
        told = ", ".join(f"{name}={value!r}" for name, value in zip(names, values(self), strict=True))
        return f"{self.__class__.__qualname__}({told})"

    def __getstate__(self: object) -> tuple[Any, ...]:  # noqa: N807
        return values(self)

    def __setstate__(self: object, state: tuple[Any, ...]) -> None:  # noqa: N807
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return [__eq__, __hash__, __repr__, __getstate__, __setstate__]


def _frozen(cls: type) -> list[Callable[..., None]]:
    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807
        if type(self) is cls or name in cls.__dataclass_fields__:  # type: ignore[attr-defined]
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in cls.__dataclass_fields__:  # type: ignore[attr-defined]
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    return [__setattr__, __delattr__]
