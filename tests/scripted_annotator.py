"""A scripted annotator: labels a packet through the real window in a process that gets killed.

The child tells its parent through a pipe (not through the packet) what the window has acknowledged. The parent kills
it in the middle of its work and compares the packet with what it was told.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import string
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import GivenLabel, ItemId
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.store.packet_file import PacketFile
from btc_gui.ui.labelling import window as labelling_window
from btc_gui.ui.labelling.desk import LabelDesk
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme

#: What is typed has to be on the disk by then. The child's own event loop measures it, so a busy machine is no fault.
SAVED_WITHIN_MILLISECONDS = 1_000


@dataclass(frozen=True, slots=True)
class Habits:
    """How the annotator works. `is_hasty`: every key is held down and pressed twice, at the window's real pace."""

    is_hasty: bool = False
    seed: str = "s"


@dataclass(frozen=True, slots=True)
class Kill:
    """When the process dies: after so many decisions, or while a note is typed, after so many keystrokes of it."""

    decisions: int = 0
    keystrokes: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that the window has acknowledged. `what`: label, undo, skip, or typed (due to be on the disk).

    Forms also tell each of their states (`state`, with `answers`) and, a second later, how many were due (`due`).
    """

    what: str
    item: str
    label: str = ""
    reason: str = ""
    note: str = ""
    answers: str = ""

    @property
    def is_act(self) -> bool:
        """Something done, and not a state of something half done."""
        return self.what in ("label", "undo", "skip")


@dataclass
class Findings:
    """What the parent saw over all sessions; `problems` must be empty.

    So many keystrokes of notes (`typed`) and states of forms (`due`) were to be on the disk.
    """

    sessions: int = 0
    acknowledged: int = 0
    unacknowledged: int = 0
    typed: int = 0
    due: int = 0
    problems: list[str] = field(default_factory=list)


class Annotator:
    """Gives verdicts; see `scripted_form` for forms."""

    def __init__(self, packet: Path, pipe: Connection, habits: Habits, session: int) -> None:
        self._pipe = pipe
        self._habits = habits
        self._random = random.Random(f"{habits.seed} {session}")
        if not habits.is_hasty:
            labelling_window.SETTLE_MILLISECONDS = 0
        application()
        self._window = LabellingWindow(LabellingSession(packet), Theme("light", 1.0))
        self._window.show()
        self._window.activateWindow()
        QTest.qWaitForWindowActive(self._window)

    def work(self, *, only_types: bool) -> None:
        """Label until all is labelled; `only_types`: write an endless note on the first item instead."""
        if only_types and self._item is not None:
            self._type(self._item)
        while (item := self._item) is not None:
            chance = self._random.random()
            if chance < 0.60:
                self._decide(item)
            elif chance < 0.75:
                self._take_note(item, "".join(self._random.choices(string.ascii_lowercase + " 10", k=6)) + "!")
                self._decide(item)
            elif chance < 0.85:
                self._give(item, self._random.choice("ux"), "because " + str(self._done))
            elif chance < 0.90:
                self._skip(item)
            elif chance < 0.95 and self._done:
                self._undo()
            elif self._done:
                self._change()
        self._window.close()

    # -- one step each ---------------------------------------------------------------------------------------

    def _decide(self, item: str) -> None:
        self._give(item, self._random.choice("10"))

    def _give(self, item: str, key: str, reason: str = "") -> None:
        note = self._desk.note.text().strip()
        rows = len(self._window._session._labels)
        self._press(key, again=not reason)
        if reason:
            QTest.keyClicks(self._focus, reason)
            self._press_key(Qt.Key.Key_Return)
        label = {"1": "correct", "0": "incorrect", "u": "unsure", "x": "broken"}[key]
        self._acknowledged(rows, Told("label", item, label, reason, note))

    def _acknowledged(self, rows: int, told: Told) -> None:
        """Tell a label, of which the window must have said that it is saved; there were so many `rows` before it."""
        said = self._window._message.text()
        if "✓" not in said and self._item is not None:
            raise AssertionError(f"the window did not acknowledge {told}: {said!r}")
        assert len(self._window._session._labels) == rows + 1
        self._pipe.send(asdict(told))

    def _undo(self) -> None:
        newest = self._window._session._labels[-1]
        self._press("z", again=False)
        self._tell("undo", self._item or "", note=newest.item)

    def _skip(self, item: str) -> None:
        self._press("s", again=False)
        self._tell("skip", item)

    def _change(self) -> None:
        """Back to an item that has a label perhaps, and another one for it."""
        self._press("b", again=False)
        item = self._item
        if item is not None:
            self._decide(item)

    def _take_note(self, item: str, text: str) -> None:
        self._press("n", again=False)
        QTest.keyClicks(self._focus, text)
        self._press_key(Qt.Key.Key_Escape)

    def _type(self, item: str) -> None:
        """Type slowly; each keystroke is told once the window has had its second."""
        self._press("n", again=False)
        for letter in itertools.cycle(string.ascii_lowercase):
            QTest.keyClicks(self._focus, letter)
            text = self._desk.note.text()
            QTimer.singleShot(SAVED_WITHIN_MILLISECONDS, self._window, lambda text=text: self._typed(item, text))
            self._wait(0.035)

    def _typed(self, item: str, text: str) -> None:
        self._tell("typed", item, note=text)

    # -- hands -----------------------------------------------------------------------------------------------

    @property
    def _desk(self) -> LabelDesk:
        desk = self._window.findChild(LabelDesk)
        assert desk is not None
        return desk

    @property
    def _item(self) -> str | None:
        return self._window._shown_item

    @property
    def _done(self) -> int:
        return self._window._session.done

    @property
    def _focus(self) -> QWidget:
        return self._window.focusWidget() or self._window

    def _press(self, key: str, *, again: bool) -> None:
        if self._habits.is_hasty:
            while self._window._is_too_soon():
                self._wait(0.02)
        if not self._habits.is_hasty or not again:
            QTest.keyClicks(self._focus, key)
            return
        # And once more, as nervous fingers do.
        self._hold(Qt.Key(ord(key.upper())), key)
        QTest.keyClicks(self._focus, key)

    def _hold(self, key: Qt.Key, text: str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Hold a key down until the keyboard repeats it, and let go."""
        for is_repeat in (False, True, True, True):
            QTest.simulateEvent(self._focus, True, key.value, modifier, text, is_repeat)
        QTest.simulateEvent(self._focus, False, key.value, modifier, text, False)

    def _press_key(self, key: Qt.Key) -> None:
        QTest.keyClick(self._focus, key)

    def _tell(self, what: str, item: str, label: str = "", reason: str = "", note: str = "") -> None:
        self._pipe.send(asdict(Told(what, item, label, reason, note)))

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, int(left * 1000) + 1)
            time.sleep(min(left, 0.002))


def _child(
    annotator: type[Annotator], packet: Path, pipe: Connection, habits: Habits, session: int, only_types: bool
) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    annotator(packet, pipe, habits, session).work(only_types=only_types)
    pipe.send(None)


def label_with_kills(
    packet: Path,
    kills: Iterator[Kill],
    habits: Habits,
    *,
    annotator: type[Annotator] = Annotator,
    patience: float = 120.0,
) -> Findings:
    """Have the packet labelled, killing the process again and again, until all is done.

    When `kills` has ended the rest is labelled in one go. `patience` is how long to wait for the next word.
    """
    context = multiprocessing.get_context("forkserver")
    # The child is forked from a process that has everything loaded: as quick as a thread, and as dead when killed.
    context.set_forkserver_preload([__name__, annotator.__module__])
    found = Findings()
    hand = random.Random(f"{habits.seed} kills")
    known: list[GivenLabel] = []
    typed: dict[str, str] = {}
    is_over = False
    while not is_over:
        mine, theirs = context.Pipe(duplex=False)
        kill = next(kills, None)
        only_types = kill is not None and kill.keystrokes > 0
        child = context.Process(target=_child, args=(annotator, packet, theirs, habits, found.sessions, only_types))
        child.start()
        theirs.close()
        heard: list[Told] = []
        while kill is None or not _is_reached(kill, heard):
            try:
                word = _hear(mine, patience)
            except EOFError:
                child.join()
                found.problems.append(f"the window's process ended by itself, with code {child.exitcode}")
                return found
            if word is None:
                is_over = True
                break
            heard.append(word)
        if not is_over:
            # Into the middle of the next decision, or not far from it.
            time.sleep(hand.random() * (0.45 if habits.is_hasty else 0.05))
            child.kill()
        with suppress(EOFError):
            while (word := _hear(mine, patience)) is not None:
                heard.append(word)
        child.join()
        mine.close()
        found.sessions += 1
        known = _compare(packet, known, heard, typed, found)
    return found


def _is_reached(kill: Kill, heard: list[Told]) -> bool:
    typed = len([word for word in heard if word.what == "typed"])
    return typed >= kill.keystrokes and sum(word.is_act for word in heard) >= kill.decisions


def _hear(pipe: Connection, patience: float) -> Told | None:
    if not pipe.poll(patience):
        raise TimeoutError("The annotator fell silent.")
    word = pipe.recv()
    return None if word is None else Told(**word)


def _compare(
    packet: Path, known: list[GivenLabel], heard: list[Told], typed: dict[str, str], found: Findings
) -> list[GivenLabel]:
    """What the packet holds now, after noting what is not as the window said."""
    with PacketFile.open(packet, to_label=False) as file:
        rows, skips = file.labels(), file.skips()
        states = {word.item: file.draft(ItemId(word.item)) for word in heard}
        drafts = {item: ItemState.from_text(state).note for item, state in states.items()}
    for word in (word for word in heard if word.what == "typed"):
        typed[word.item] = max(typed.get(word.item, ""), word.note, key=len)
        kept = [drafts[word.item], *(row.note for row in rows if row.item == word.item)]
        if not any(note.startswith(word.note) for note in kept):
            found.problems.append(f"{word.item}: typed {word.note!r} a second ago, kept {kept}")
    found.typed += len([word for word in heard if word.what == "typed"])
    _compare_states(heard, rows, states, found)
    said = [word for word in heard if word.what in ("label", "undo")]
    new = rows[len(known) :]
    if rows[: len(known)] != known:
        found.problems.append("rows from before have changed")
    for word, row in zip(said, new, strict=False):
        is_same = (
            (row.label, row.reason, row.note, row.answers) == (word.label, word.reason, word.note, word.answers)
            if word.what == "label"
            else row.undoes is not None
        )
        if row.item != word.item or not is_same:
            found.problems.append(f"acknowledged {word}, kept {row}")
    surplus = len(new) - len(said)
    # One may have been on the disk when the process died before it could say so; none may be missing or doubled.
    if surplus not in (0, 1):
        found.problems.append(f"{len(said)} rows were acknowledged, {len(new)} are kept")
    for word in (word for word in heard if word.what == "skip"):
        if word.item not in skips and not any(row.item == word.item for row in rows):
            found.problems.append(f"{word.item} was skipped, and it is not kept")
    found.acknowledged += sum(word.is_act for word in heard)
    found.unacknowledged += max(surplus, 0)
    return rows


def _compare_states(heard: list[Told], rows: list[GivenLabel], drafts: dict[str, str], found: Findings) -> None:
    """The form on screen when the process died is kept as it was a second before, or later."""
    told = [word for word in heard if word.what in ("state", "due") or word.is_act]
    last_act = max((place for place, word in enumerate(told) if word.is_act), default=-1)
    states = [word for word in told if word.what == "state"]
    due = max((int(word.label) for word in told if word.what == "due"), default=0)
    found.due += due
    since = [word for word in told[last_act + 1 :] if word.what == "state"]
    if not since or due <= len(states) - len(since):
        return  # What was due then was given, or nothing was due yet.
    item = since[-1].item
    may_be = {word.answers for word in states[due - 1 :] if word.item == item}
    if drafts[item] not in may_be and not any(row.item == item and row.undoes is None for row in rows[-1:]):
        found.problems.append(f"{item}: {drafts[item]!r} is kept of a form that was filled in a second ago")
