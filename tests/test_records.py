"""Records are what the standard library's frozen dataclasses with slots are: it says what is right here."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import pytest

from btc_gui import records

_OPTIONS = {"frozen": True, "slots": True}


def _shapes(make: Callable[[type], type]) -> list[Any]:
    @make
    class Shape:
        """One with all that fields can have."""

        KINDS: ClassVar[tuple[str, ...]] = ("a", "b")
        name: str
        size: float = 1.5
        parts: list[int] = dataclasses.field(default_factory=list)

        @property
        def twice(self) -> float:
            """A property stays."""
            return 2 * self.size

    @make
    class Alone:
        """One field."""

        value: float

    @make
    class Empty:
        """No field."""

    @make
    class Checked:
        """One that refuses values."""

        low: int
        high: int = 3

        def __post_init__(self) -> None:
            if self.low > self.high:
                raise ValueError(self.low)

    @make
    class Equal:
        """One with an equality and words of its own."""

        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Equal) and str(self.name).lower() == str(other.name).lower()

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "equal"

    return [Shape, Alone, Empty, Checked, Equal]


@records.dataclass(frozen=True, slots=True)
class Place:
    """A record that pickle finds by its name."""

    x: int
    names: tuple[str, ...] = ()


@pytest.fixture(params=range(5))
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """The same class as a record and as the standard library makes it."""
    made = _shapes(records.dataclass(**_OPTIONS))[request.param]
    return made, _shapes(dataclasses.dataclass(frozen=True, slots=True))[request.param]


def _told(cls: type, *arguments: object, **named: object) -> list[Any]:
    """Whatever can be seen of two objects made with the same arguments."""
    try:
        one: Any = cls(*arguments, **named)
        other = cls(*arguments, **named)
    except (TypeError, ValueError) as error:
        return [type(error), str(error).replace("_shapes.<locals>.", "")]
    told: list[Any] = [one == other, one != other, one == object(), repr(one), dataclasses.asdict(one)]
    names = vars(cls)["__match_args__"]
    told += [names, cls.__doc__, vars(cls)["__slots__"], hasattr(one, "__dict__"), copy.deepcopy(one) == one]
    try:
        told.append(hash(one))
    except TypeError as error:
        told.append(str(error))
    for name in names:
        for change in (partial(setattr, one, name, 1), partial(delattr, one, name)):
            try:
                change()
            except (AttributeError, TypeError) as error:
                told += [type(error), str(error)]
    return told


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), {}),
        ((4,), {}),
        ((1, 2), {}),
        (("a", 2.0, [3]), {}),
        ((), {"low": 5}),
        ((1,), {"high": 0}),
        ((), {"name": "b"}),
    ],
)
def test_a_record_is_a_frozen_dataclass(
    pair: tuple[Any, Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> None:
    record, usual = pair
    assert _told(record, *arguments, **named) == _told(usual, *arguments, **named)
    told = [(field.name, field.type, field.default) for field in dataclasses.fields(record)]
    assert told == [(field.name, field.type, field.default) for field in dataclasses.fields(usual)]


def test_values_decide_what_is_equal() -> None:
    shape, _, _, checked, _ = _shapes(records.dataclass(**_OPTIONS))
    assert shape("a") != shape("b")
    assert shape("a").parts is not shape("a").parts
    assert shape("a", 4).twice == 8
    assert dataclasses.replace(checked(1, 2), high=5) == checked(1, 5)
    with pytest.raises(ValueError, match="9"):
        dataclasses.replace(checked(1, 2), low=9)


def test_records_go_through_pickle_and_match() -> None:
    place = pickle.loads(pickle.dumps(Place(3, ("a",))))
    assert place == Place(3, ("a",))
    match place:
        case Place(x, names):
            assert (x, names) == (3, ("a",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        place.other = 4
    assert len({Place(1), Place(1), Place(2)}) == 2


def test_what_is_not_usual_is_made_by_the_standard_library() -> None:
    @records.dataclass(frozen=True, slots=True)
    class Further(Place):
        z: int = 0

    assert Further(1, (), 2) == Further(1, (), 2) != Further(1, (), 3)
    assert repr(Further(1)).endswith("Further(x=1, names=(), z=0)")

    @records.dataclass
    class Open:
        value: int = 1

    changed = Open()
    changed.value = 2
    assert changed == Open(2)
