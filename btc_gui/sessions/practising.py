"""Practice in a packet: items with known answers, feedback after each, rounds until the mark is reached."""

from __future__ import annotations

from dataclasses import dataclass

from btc_gui.domain.form_difference import parts_apart
from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import Choice, ItemId, PacketItem, PacketOutline
from btc_gui.domain.practice import PracticeRound, open_items, practice_rounds
from btc_gui.sessions.active_time import ActiveTime
from btc_gui.sessions.answering import checked_choice
from btc_gui.store.packet_file import PacketFile


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody is told after a practice label: what they said, what is known, which parts differ, and why."""

    given: Choice
    known: Choice
    why: str
    parts: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the given label is the known one."""
        return self.given.value == self.known.value


class PracticeSession:
    """What the screen shows and does while somebody practises.

    After each label comes its `feedback`, and with `go_on` the next item; after the last item of a round its
    `result`, and with `go_on` another round, or (the mark is reached) the end of the practice.
    """

    def __init__(self, file: PacketFile, outline: PacketOutline, time: ActiveTime) -> None:
        self._file = file
        self._manifest = outline.manifest
        self._pages = outline.pages
        self._time = time
        self._items = {item.item: item for item in outline.practice}
        self._known = {item.item: item.label for item in self._items.values()}
        self._labels = file.practice_labels()
        self._left = open_items(self._known, self._labels, self._manifest.practice_mark)
        self._is_over = not self._left
        self._item = self._left[0] if self._left else None
        self._feedback: Feedback | None = None
        self._result: PracticeRound | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is nothing (left) to practise: labelling may begin."""
        return self._is_over

    @property
    def items(self) -> frozenset[ItemId]:
        """The ids of the practice items."""
        return frozenset(self._items)

    @property
    def open_items(self) -> list[PacketItem]:
        """The items that are left of this round, with their texts."""
        return [self._as_item(item) for item in self._left]

    @property
    def current(self) -> PacketItem | None:
        """The item on screen, also while its feedback is; None while the result of a round is."""
        return self._as_item(self._item) if self._item is not None else None

    @property
    def page(self) -> str:
        """The criteria to label the current item by."""
        return self._pages[self._items[self._item].page] if self._item is not None else ""

    @property
    def total(self) -> int:
        """How many items a round has."""
        return len(self._items)

    @property
    def done(self) -> int:
        """How many items of this round are labelled."""
        return self.total - len(self._left)

    @property
    def needed(self) -> int:
        """How many right labels a round needs."""
        return PracticeRound.needed_of(self.total, self._manifest.practice_mark)

    @property
    def feedback(self) -> Feedback | None:
        """What is told about the label just given."""
        return self._feedback

    @property
    def result(self) -> PracticeRound | None:
        """The round just finished, once its last feedback was read."""
        return self._result

    @property
    def rounds(self) -> list[PracticeRound]:
        """All rounds so far."""
        return practice_rounds(self._known, self._labels, self._manifest.practice_mark)

    def show(self, item: ItemId) -> bool:
        """Show another item that is left of this round; False when it is not."""
        if item not in self._left or self._feedback is not None:
            return False
        self._item = item
        self._time.restart()
        return True

    def label_as(self, item: ItemId, state: ItemState) -> bool:
        """Label the item on screen and tell the feedback; True once the label is on the disk.

        False, and nothing written, when `item` is not waiting for a label. Raises `InputError` for a label that can't
        be given, `PacketError` when the packet can't be written.
        """
        if item != self._item or self._feedback is not None or item not in self._left:
            return False
        choice = checked_choice(self._manifest, self._as_item(item), state)
        known = self._items[item]
        right = self._manifest.choice(known.label)
        assert right is not None  # Checked when the packet was written.
        seconds = round(self._time.seconds, 1)
        row = self._file.add_practice_label(item, choice.value, answers=state.answers, active_seconds=seconds)
        self._labels.append(row)
        self._left.remove(item)
        parts = parts_apart(state.answers, known.answers, self._manifest.relations)
        self._feedback = Feedback(choice, right, known.why, parts)
        return True

    def go_on(self) -> None:
        """Show what comes after the feedback or the result on screen."""
        if self._result is not None:
            self._is_over = self._result.is_passed
            self._result = None
            self._left = [] if self._is_over else list(self._items)
            self._item = self._left[0] if self._left else None
        elif self._feedback is not None:
            self._feedback = None
            self._item = self._left[0] if self._left else None
            self._result = None if self._left else self.rounds[-1]
        self._time.restart()

    def _as_item(self, item: ItemId) -> PacketItem:
        kept = self._items[item]
        return PacketItem(item, list(self._items).index(item) + 1, kept.page, kept.values)
