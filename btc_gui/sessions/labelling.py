"""Labelling one packet: one item at a time, every decision on the disk before the next item is shown.

The packet alone is opened: no project, no settings. Nothing here counts labels by class.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import GivenLabel, ItemId, OutlineEntry, PacketItem, PacketManifest, check_log, standing
from btc_gui.domain.practice import PracticeRound
from btc_gui.errors import InputError
from btc_gui.sessions.active_time import ActiveTime
from btc_gui.sessions.answering import checked_choice
from btc_gui.sessions.practising import PracticeSession
from btc_gui.store.packet_file import PacketFile


class LabellingSession:
    """What the labelling screen shows and does.

    The item on screen is the first open one (skipped ones come last), unless somebody went back. Labels are
    given for the item that the caller saw: a second call for it, after the screen has moved on, does nothing.
    Methods that change something raise `PacketError` when the file can't be written; then nothing has changed.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Open the packet and lock it. Raises `PacketError` (see `PacketFile.open` and `PacketFile.outline`)."""
        self._file = PacketFile.open(path, to_label=True)
        try:
            self._outline = self._file.outline()
            self._labels = self._file.labels()
            check_log(self._labels, {entry.item for entry in self._outline.entries}, self._outline.manifest)
            self._skips = self._file.skips()
            self._time = ActiveTime(clock)
            self._practice = PracticeSession(self._file, self._outline, self._time)
        except BaseException:
            self._file.close()
            raise
        self._entries = {entry.item: entry for entry in self._outline.entries}
        # A window may commit on a worker thread: two submits must not both find the item on screen.
        self._lock = threading.RLock()
        self._item: PacketItem | None = None
        self._show(self._next_open())

    def close(self) -> None:
        """Release the packet. Safe to call twice."""
        self._file.close()

    def __enter__(self) -> LabellingSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- what is on screen -----------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The packet's file."""
        return self._file.path

    @property
    def manifest(self) -> PacketManifest:
        """What is asked, how, and the labels that can be given."""
        return self._outline.manifest

    @property
    def practice(self) -> PracticeSession | None:
        """The practice that comes before the first label, until its mark is reached; None when there is none."""
        return None if self._practice.is_over else self._practice

    @property
    def practice_items(self) -> frozenset[ItemId]:
        """The ids of the practice items, also when practice is over."""
        return self._practice.items

    @property
    def practice_rounds(self) -> list[PracticeRound]:
        """The rounds of practice so far, oldest first."""
        return self._practice.rounds

    @property
    def pages(self) -> Mapping[str, str]:
        """All criteria and codebooks of the packet, by name."""
        return self._outline.pages

    def open_items(self) -> Iterator[PacketItem]:
        """The items without a label, with their texts, in the packet's order."""
        labelled = {row.item for row in standing(self._labels)}
        return (self._file.item(entry) for entry in self._outline.entries if entry.item not in labelled)

    @property
    def current(self) -> PacketItem | None:
        """The item on screen; None on the finished screen."""
        return self._item

    @property
    def page(self) -> str:
        """The criteria and codebook to label the current item by."""
        return self._outline.pages[self._item.page] if self._item else ""

    @property
    def given(self) -> GivenLabel | None:
        """The label that this annotator gave the current item, latest one; None for an open item."""
        return self._given(self._item.item) if self._item else None

    @property
    def first(self) -> GivenLabel | None:
        """The label of the current item that stays the one analysed, however often it was changed; None: open."""
        item = self._item
        return next((row for row in standing(self._labels) if item and row.item == item.item), None)

    @property
    def draft(self) -> ItemState:
        """The form of the current item as it was left, kept from before; else as it was given with its label."""
        if self._item is None:
            return ItemState()
        kept = self._file.draft(self._item.item)
        return ItemState.from_text(kept) if kept else ItemState.of(self.given)

    @property
    def total(self) -> int:
        """How many items the packet has."""
        return len(self._outline.entries)

    @property
    def done(self) -> int:
        """How many items have a label. There are no counts by class."""
        return len({row.item for row in standing(self._labels)})

    @property
    def skipped(self) -> int:
        """How many open items were put off."""
        labelled = {row.item for row in standing(self._labels)}
        return len([item for item in self._skips if item not in labelled])

    @property
    def is_finished(self) -> bool:
        """Whether every item has a label."""
        return self.done == self.total

    @property
    def can_undo(self) -> bool:
        """Whether there is a label to withdraw: also on the finished screen, also from before a restart."""
        return bool(standing(self._labels))

    # -- doing -----------------------------------------------------------------------------------------------

    def label(
        self,
        item: ItemId,
        value: str,
        *,
        reason: str = "",
        note: str = "",
        confidence: int | None = None,
        answers: str = "",
    ) -> bool:
        """`label_as` with the parts of the form named."""
        return self.label_as(item, ItemState(value, reason, note, confidence, answers))

    def label_as(self, item: ItemId, state: ItemState) -> bool:
        """Give the item on screen a label and show the next one; True once it is safely on the disk.

        False, and nothing written, when `item` is not on screen any more (a second key press, a double click).
        A label for an item that has one is a change: a new row, the first one stays the one analysed. Raises
        `InputError` for an unknown label, when the label needs a reason, when the parts of the form can't be right, and
        while practice is not over.
        """
        with self._lock:
            if self._item is None or item != self._item.item:
                return False
            if self.practice is not None:
                raise InputError("Practice comes first.", "Label the practice items until the mark is reached.")
            choice = checked_choice(self.manifest, self._item, state)
            row = self._file.add_label(
                item,
                choice.value,
                reason=state.reason,
                note=state.note,
                active_seconds=round(self._time.seconds, 1),
                confidence=state.confidence,
                answers=state.answers,
            )
            self._labels.append(row)
            self._show(self._next_open())
            return True

    def undo(self) -> ItemId | None:
        """Withdraw the newest label by one more row, and show its item, its form as it was; None: none is left."""
        with self._lock:
            left = standing(self._labels)
            if not left:
                return None
            newest = left[-1]
            kept = ItemState.of(newest).text
            self._labels.append(self._file.add_label(newest.item, "", undoes=newest.sequence, draft=kept))
            self._show(self._entries[newest.item])
            return newest.item

    def skip(self, item: ItemId) -> bool:
        """Put the item on screen off until the others are done; it stays open. False when it is not on screen."""
        with self._lock:
            if self._item is None or item != self._item.item:
                return False
            if self.given is None:
                self._skips[item] = self._file.add_skip(item)
            self._show(self._next_open())
            return True

    def back(self) -> bool:
        """Show the item before this one in the packet's order (from the finished screen: the last one)."""
        position = self._item.position - 1 if self._item else self.total
        return self._show_position(position)

    def forward(self) -> bool:
        """Show the item after this one in the packet's order, or after the last one that all is labelled, if it is."""
        if self._item is not None and self._item.position == self.total and self._next_open() is None:
            self._show(None)
            return True
        return self._item is not None and self._show_position(self._item.position + 1)

    def to_next_open(self) -> None:
        """Show the next item without a label, or the finished screen."""
        self._show(self._next_open())

    def show(self, item: ItemId) -> bool:
        """Show an item by its id; False when the packet has none of that id."""
        entry = self._entries.get(item)
        if entry is not None:
            self._show(entry)
        return entry is not None

    def keep_draft(self, state: ItemState, item: ItemId | None = None) -> None:
        """Keep an unfinished form on the disk. `item` is the one it was filled in for (default: the one on screen)."""
        place = item if item is not None else (self._item.item if self._item else None)
        if place in self._entries:
            self._file.keep_draft(place, state.text)

    # -- time ------------------------------------------------------------------------------------------------

    def touch(self) -> None:
        """A sign of life from the person (a key, the mouse, scrolling)."""
        self._time.touch()

    def pause(self) -> None:
        """Stop the clock of active time."""
        self._time.pause()

    def resume(self) -> None:
        """Go on after a pause."""
        self._time.resume()

    @property
    def since_break(self) -> float:
        """Active seconds since the last break of two minutes or more, or since the packet was opened."""
        return self._time.since_break

    @property
    def is_paused(self) -> bool:
        """Whether the annotator takes a break."""
        return self._time.is_paused

    # -- inside ----------------------------------------------------------------------------------------------

    def _given(self, item: ItemId) -> GivenLabel | None:
        return next((row for row in reversed(standing(self._labels)) if row.item == item), None)

    def _next_open(self) -> OutlineEntry | None:
        labelled = {row.item for row in standing(self._labels)}
        waiting = [entry for entry in self._outline.entries if entry.item not in labelled]
        return min(waiting, key=lambda entry: (self._skips.get(entry.item, 0), entry.position), default=None)

    def _show_position(self, position: int) -> bool:
        if not 1 <= position <= self.total:
            return False
        self._show(self._outline.entries[position - 1])
        return True

    def _show(self, entry: OutlineEntry | None) -> None:
        self._item = self._file.item(entry) if entry else None
        self._time.restart()
