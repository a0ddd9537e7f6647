"""One packet labelled on two machines: two logs become one, nothing is lost, and once more changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from btc_gui.domain.packet import GivenLabel, standing
from btc_gui.errors import PacketError


@dataclass(frozen=True, slots=True)
class _Identity:
    """What makes a row itself, whatever number it has: its content, the row it undoes, the how-manieth such it is."""

    content: tuple[object, ...]
    undoes: _Identity | None
    copy: int


@dataclass(frozen=True, slots=True)
class MergedLabels:
    """The log with the rows that were new. `extends` says that these stand at its end, so that all earlier rows kept
    their numbers. `twice` counts the items that were labelled in both logs: the label of the earlier time comes
    first, the other is a change."""

    labels: tuple[GivenLabel, ...]
    new_rows: int
    extends: bool
    twice: int
    is_merge: bool


def merge_labels(known: Sequence[GivenLabel], incoming: Sequence[GivenLabel], *, at_end: bool = False) -> MergedLabels:
    """Put the rows of `incoming` that `known` lacks where their times say, each log's own order kept.

    The times are the annotator's clock. `at_end` puts them after all that is known, whatever the time: what comes
    late changes nothing that was counted. Raises `PacketError` when a row of `incoming` is a known one with another
    label: that was altered, not labelled.
    """
    known_ids, incoming_ids = _identities(known), _identities(incoming)
    place = {identity: index for index, identity in enumerate(known_ids)}
    fresh: list[tuple[int, _Identity, GivenLabel]] = []
    after = -1
    for identity, row in zip(incoming_ids, incoming, strict=True):
        if identity in place:
            after = max(after, place[identity])
        else:
            fresh.append((after, identity, row))
    _check_unaltered(known, [row for _, _, row in fresh])
    order: list[tuple[_Identity, GivenLabel]] = []
    waiting = list(reversed(fresh))
    for index, (identity, row) in enumerate(zip(known_ids, known, strict=True)):
        while not at_end and waiting and waiting[-1][0] < index and waiting[-1][2].at < row.at:
            _, new_identity, new = waiting.pop()
            order.append((new_identity, new))
        order.append((identity, row))
    extends = len(order) == len(known)
    order += [(identity, row) for _, identity, row in reversed(waiting)]
    is_merge = bool(fresh) and bool(set(known_ids) - set(incoming_ids))
    twice = _labelled_twice(known, [row for _, _, row in fresh]) if is_merge else 0
    return MergedLabels(_numbered(order), len(fresh), extends, twice, is_merge)


def _identities(labels: Sequence[GivenLabel]) -> list[_Identity]:
    by_number: dict[int, _Identity] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for row in labels:
        undone = by_number.get(row.undoes) if row.undoes is not None else None
        content = _content(row)
        seen[*content, undone] += 1
        identity = _Identity(content, undone, seen[*content, undone])
        by_number[row.sequence] = identity
        found.append(identity)
    return found


def _content(row: GivenLabel) -> tuple[object, ...]:
    return (row.item, row.at, row.label, row.reason, row.note, row.active_seconds, row.confidence, row.answers)


def _check_unaltered(known: Sequence[GivenLabel], fresh: Sequence[GivenLabel]) -> None:
    moments = {(row.item, row.at, row.active_seconds, row.undoes is None) for row in known}
    if any((row.item, row.at, row.active_seconds, row.undoes is None) in moments for row in fresh):
        raise PacketError(
            "This packet came back before, with another label at the same moment: it was altered.",
            "What came back first stays.",
        )


def _numbered(order: Sequence[tuple[_Identity, GivenLabel]]) -> tuple[GivenLabel, ...]:
    number = {identity: place for place, (identity, _) in enumerate(order, start=1)}
    rows = []
    for place, (identity, row) in enumerate(order, start=1):
        undoes = number[identity.undoes] if identity.undoes is not None else None
        rows.append(replace(row, sequence=place, undoes=undoes))
    return tuple(rows)


def _labelled_twice(known: Sequence[GivenLabel], fresh: Sequence[GivenLabel]) -> int:
    here = {row.item for row in standing(known)}
    return len({row.item for row in fresh if row.undoes is None} & here)
