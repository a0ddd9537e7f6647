"""Labelling without a screen: labels from a file, given one by one as a person would; items to read as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from btc_gui.domain.hashing import canonical_json
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import GivenLabel, ItemId
from btc_gui.domain.practice import PracticeRound
from btc_gui.errors import InputError, why_unreadable
from btc_gui.outside_data import json_from
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.sessions.practising import PracticeSession
from btc_gui.store.whole_text import whole_text

_NO_ROW = "this is not a JSON object with “item” and “label”"


@dataclass(frozen=True, slots=True)
class RecordedLabel:
    """One row of a file of labels; `line` is where it stands. `state` is the label with the parts of its form."""

    line: int
    item: ItemId
    state: ItemState


@dataclass(frozen=True, slots=True)
class RejectedLabel:
    """A row that gave no label, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class LabellingReport:
    """What became of the rows: `given` are new, `known` were there before. `done` of `total` items have a label.

    `practice` are the rounds of practice so far; their rows are counted as given, too.
    """

    given: int
    known: int
    done: int
    total: int
    rejected: tuple[RejectedLabel, ...] = field(default_factory=tuple)
    practice: tuple[PracticeRound, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The report as data."""
        return asdict(self)


def read_labels(path: Path) -> tuple[list[RecordedLabel], list[RejectedLabel]]:
    """Read JSON lines {"item", "label", "reason"?, "note"?, "confidence"?, "answers"?}.

    `confidence` is 1 to 3, `answers` an object in the form of the packet's kind. Rows that can't be read are listed
    with their line. Raises `InputError` when the file can't be read at all.
    """
    try:
        text = whole_text(path)
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
            row = _row(line, json_from(content))
        except (ValueError, TypeError, KeyError, AttributeError):
            rejected.append(RejectedLabel(line, _NO_ROW))
            continue
        if row.state.confidence in (None, 1, 2, 3):
            rows.append(row)
        else:
            rejected.append(RejectedLabel(line, "“confidence” is 1 (low), 2 or 3 (high)"))
    return rows, rejected


def _row(line: int, row: dict[str, object]) -> RecordedLabel:
    answers, confidence = row.get("answers"), row.get("confidence")
    if not isinstance(confidence, int | None) or isinstance(confidence, bool):
        confidence = 0
    state = ItemState(
        str(row["label"]),
        str(row.get("reason") or ""),
        str(row.get("note") or ""),
        confidence,
        canonical_json(answers) if answers else "",
    )
    return RecordedLabel(line, ItemId(str(row["item"])), state)


def give_labels(session: LabellingSession, rows: Iterable[RecordedLabel]) -> LabellingReport:
    """Give every row's label to its item, in the order of the rows. Twice is the same as once.

    An item that has another label already, an unknown item and a label that is not allowed are rejected rows. Rows of
    practice items are practice; until it reached its mark no other row is taken.
    """
    given = known = 0
    rejected: list[RejectedLabel] = []
    for row in rows:
        try:
            if _give(session, row):
                given += 1
            else:
                known += 1
        except InputError as error:
            rejected.append(RejectedLabel(row.line, error.message))
    session.to_next_open()
    return LabellingReport(given, known, session.done, session.total, tuple(rejected), tuple(session.practice_rounds))


def _give(session: LabellingSession, row: RecordedLabel) -> bool:
    """Give one label; False when the same one was there before. Raises `InputError` for what can't be given."""
    if row.item in session.practice_items:
        return session.practice is not None and _practise(session.practice, row)
    if not session.show(row.item):
        raise InputError(f"there is no item {row.item} in this packet")
    present = session.given
    if present is None:
        return session.label_as(row.item, row.state)
    if not _is_same(present, row.state):
        raise InputError("the item has another label already")
    return False


def _practise(practice: PracticeSession, row: RecordedLabel) -> bool:
    if not practice.show(row.item):
        raise InputError("the practice item has a label in this round already")
    practice.label_as(row.item, row.state)
    practice.go_on()
    if practice.result is not None:
        practice.go_on()
    return True


def _is_same(given: GivenLabel, state: ItemState) -> bool:
    return given.label == state.choice and (given.answers == state.answers or not state.answers)


def items_to_read(session: LabellingSession) -> Iterator[dict[str, object]]:
    """What a person would read in the window, for labelling elsewhere: first the pages, then practice, then items.

    Each is an object with one of the keys `page`, `practice` and `item`; items that have a label are left out.
    """
    for name, content in session.pages.items():
        yield {"page": name, "content": content}
    practice = session.practice
    if practice is not None:
        for entry in practice.open_items:
            yield {"practice": entry.item, "page": entry.page, **entry.values}
    for item in session.open_items():
        yield {"item": item.item, "page": item.page, **item.values}
