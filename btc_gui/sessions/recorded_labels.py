"""Labelling without a screen: labels from a file, given one by one as a person would."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from btc_gui.domain.packet import ItemId
from btc_gui.errors import InputError, why_unreadable
from btc_gui.sessions.labelling import LabellingSession


@dataclass(frozen=True, slots=True)
class RecordedLabel:
    """One row of a file of labels; `line` is where it stands."""

    line: int
    item: ItemId
    label: str
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RejectedLabel:
    """A row that gave no label, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class LabellingReport:
    """What became of the rows: `given` are new, `known` were there before. `done` of `total` items have a label."""

    given: int
    known: int
    done: int
    total: int
    rejected: tuple[RejectedLabel, ...] = field(default_factory=tuple)

    def as_json(self) -> dict[str, object]:
        """The report as data."""
        return asdict(self)


def read_labels(path: Path) -> tuple[list[RecordedLabel], list[RejectedLabel]]:
    """Read JSON lines {"item", "label", "reason"?, "note"?}; rows that can't be read are listed with their line.

    Raises `InputError` when the file can't be read at all.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} can't be read: {why_unreadable(error)}.", "Give a file of JSON lines in UTF-8."
        ) from error
    rows: list[RecordedLabel] = []
    rejected: list[RejectedLabel] = []
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            row = json.loads(content)
            rows.append(
                RecordedLabel(
                    line,
                    ItemId(str(row["item"])),
                    str(row["label"]),
                    str(row.get("reason") or ""),
                    str(row.get("note") or ""),
                )
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            rejected.append(RejectedLabel(line, "this is not a JSON object with “item” and “label”"))
    return rows, rejected


def give_labels(session: LabellingSession, rows: Iterable[RecordedLabel]) -> LabellingReport:
    """Give every row's label to its item, in the order of the rows. Twice is the same as once.

    An item that has another label already, an unknown item and a label that is not allowed are rejected rows.
    """
    given = known = 0
    rejected: list[RejectedLabel] = []
    for row in rows:
        if not session.show(row.item):
            rejected.append(RejectedLabel(row.line, f"there is no item {row.item} in this packet"))
            continue
        present = session.given
        if present is not None:
            if present.label == row.label:
                known += 1
            else:
                rejected.append(RejectedLabel(row.line, "the item has another label already"))
            continue
        try:
            given += session.label(row.item, row.label, reason=row.reason, note=row.note)
        except InputError as error:
            rejected.append(RejectedLabel(row.line, error.message))
    session.to_next_open()
    return LabellingReport(given, known, session.done, session.total, tuple(rejected))
