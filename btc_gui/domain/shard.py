"""A shard: the part of a run's items that one of several processes answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from btc_gui.domain.hashing import sha256
from btc_gui.domain.run import PlannedItem


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `count`, from 1. All shards together hold every item once, on whatever machine."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read `2/8`. Raises ValueError."""
        first, _, second = text.partition("/")
        shard = cls(int(first), int(second))
        if not 1 <= shard.number <= shard.count:
            raise ValueError(f"{text} is no shard")
        return shard

    @property
    def text(self) -> str:
        """`2/8`."""
        return f"{self.number}/{self.count}"

    @property
    def folder(self) -> str:
        """The name of the folder with this shard's logs."""
        return f"shard-{self.number}-of-{self.count}"

    def holds(self, item: PlannedItem) -> bool:
        """Whether an item falls into this shard: by the hash of what it is."""
        key = f"{item.probe_key}/{item.configuration_id}/{item.repetition}"
        return int(sha256(key)[:15], 16) % self.count == self.number - 1

    def of(self, items: Iterable[PlannedItem]) -> list[PlannedItem]:
        """Those of `items` that fall into this shard."""
        return [item for item in items if self.holds(item)]


def shards(count: int) -> tuple[Shard, ...]:
    """All shards of a run that is cut into `count`."""
    return tuple(Shard(number, count) for number in range(1, count + 1))
