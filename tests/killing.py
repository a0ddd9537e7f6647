"""Lives that are ended by kill -9: work in a process of its own, at a random moment of which its parent kills it.

The process tells its parent what it was told is saved, through a pipe. The parent looks at what is on the disk then.
Scenes of this work are in `tests/kill_scenes.py`, `kill_engine_scenes.py`, `kill_asking_scenes.py` and
`kill_file_scenes.py`;
`tests/bench/kills.py` kills each of them thirty times.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

#: A word to the parent: each scene has its own.
Told: TypeAlias = Any
Tell = Callable[[Told], None]
#: How long to wait for a process that says nothing, in seconds.
_PATIENCE = 240.0


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: so many seconds after so many things were told."""

    told: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Life:
    """What a process told until it ended or was killed, and how long it lived."""

    heard: list[Told] = field(default_factory=list)
    seconds: float = 0.0
    is_killed: bool = False

    def anywhere(self, hand: random.Random) -> Moment:
        """Any moment of a life such as this one, each as likely as the next."""
        return Moment(0, hand.random() * self.seconds)

    def amid(self, hand: random.Random) -> Moment:
        """After any of the things that this life told, about until the next: for work that has a long way to it."""
        return Moment(hand.randint(1, len(self.heard)), hand.random() * 1.5 * self.seconds / len(self.heard))


class Scene(Protocol):
    """Work that may be killed at any moment."""

    #: What is going on, in one word.
    name: str

    def prepare(self, folder: Path) -> None:
        """Make what is needed, once."""
        ...

    def begin(self, folder: Path) -> None:
        """Make ready for one life."""
        ...

    def work(self, folder: Path, tell: Tell) -> None:
        """The work of a life, in a process of its own. What has been told must be there afterwards."""
        ...

    def moment(self, hand: random.Random, whole: Life) -> Moment:
        """When to kill. `whole`: a life that was not killed; an empty one where none is measured."""
        ...

    def problems(self, folder: Path, heard: list[Told]) -> list[str]:
        """What is not as it should be after a life in which this was told."""
        ...


@runtime_checkable
class Serving(Protocol):
    """A scene that has something open in the parent."""

    def close(self) -> None:
        """Close it, at the very end."""
        ...


@dataclass
class Findings:
    """What came of a scene; `problems` must be empty."""

    kills: int = 0
    told: int = 0
    problems: list[str] = field(default_factory=list)


def kill_again_and_again(
    scene: Scene, folder: Path, kills: int, seed: str, on_life: Callable[[str], None] = lambda _: None
) -> Findings:
    """Kill the scene's work so many times at seeded random moments, and let it come to its end once, last of all.

    A life that ended before its moment had come counts as none.
    """
    hand = random.Random(f"{seed} {scene.name}")
    found = Findings()
    scene.prepare(folder)
    try:
        _kill(scene, folder, kills, hand, found, on_life)
    finally:
        if isinstance(scene, Serving):
            scene.close()
    return found


def _kill(
    scene: Scene, folder: Path, kills: int, hand: random.Random, found: Findings, on_life: Callable[[str], None]
) -> None:
    whole = Life()
    if getattr(scene, "is_measured", True):
        scene.begin(folder)
        whole = _live(scene, folder, None)
    while True:
        scene.begin(folder)
        moment = scene.moment(hand, whole) if found.kills < kills else None
        life = _live(scene, folder, moment)
        found.kills += life.is_killed
        found.told += len(life.heard)
        said = [f"kill {found.kills} ({moment}): {text}" for text in scene.problems(folder, life.heard)]
        found.problems += said
        on_life(f"{scene.name}: {found.kills} kills, {len(life.heard)} told{''.join(f'; {text}' for text in said)}")
        if moment is None:
            return
        if not life.is_killed:
            whole = life


def _live(scene: Scene, folder: Path, moment: Moment | None) -> Life:
    context = multiprocessing.get_context("forkserver")
    # Forked from a process that has everything loaded: as quick as a thread, and as dead when killed.
    context.set_forkserver_preload(["tests.kill_asking_scenes", "tests.kill_engine_scenes", "tests.kill_file_scenes"])
    mine, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(scene, folder, theirs))
    child.start()
    theirs.close()
    heard: list[Told] = []
    assert _hear(mine) == "begun"
    begun = time.monotonic()
    is_killed = False
    with suppress(EOFError):
        while moment is None or len(heard) < moment.told:
            heard.append(_hear(mine))
        if not _is_over_by(mine, heard, moment.seconds):
            child.kill()
            is_killed = True
        while True:
            heard.append(_hear(mine))
    child.join()
    mine.close()
    is_over = bool(heard) and heard[-1] == "over"
    if is_over:
        heard.pop()
    assert is_killed or is_over, f"{scene.name} ended by itself with code {child.exitcode} after {heard[-3:]}"
    return Life(heard, time.monotonic() - begun, is_killed=is_killed and not is_over)


def _is_over_by(pipe: Connection, heard: list[Told], seconds: float) -> bool:
    """Hear what is told until the moment has come; whether the life ended before."""
    until = time.monotonic() + seconds
    while pipe.poll(max(0.0, until - time.monotonic())):
        try:
            heard.append(pipe.recv())
        except EOFError:
            return True
    return False


def _hear(pipe: Connection) -> Told:
    if not pipe.poll(_PATIENCE):
        raise TimeoutError("the process fell silent")
    return pipe.recv()


def tell_of_files(tell: Tell, folder: Path) -> None:
    """Tell the name of each file of `folder` that comes to its place by being renamed, until the process ends.

    Python itself says so, so that what is killed needs to know nothing of it.
    """

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        if event == "os.rename" and (target := Path(str(arguments[1]))).is_relative_to(folder):
            tell(("coming", target.name))

    sys.addaudithook(heard)


def own_folders(folder: Path) -> dict[str, str]:
    """The variables that make the settings and logs of whoever has them stand in a scene's folder."""
    home = folder / "home"
    found = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
    return {**found, "HOME": str(home)}


def _child(scene: Scene, folder: Path, pipe: Connection) -> None:
    os.environ.update(own_folders(folder))
    pipe.send("begun")
    scene.work(folder, pipe.send)
    pipe.send("over")
