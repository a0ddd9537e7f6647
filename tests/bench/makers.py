"""Processes that make answers, pack their texts and find their words, while the one that asks writes them."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TypeVar

from btc_gui.domain.configuration import Configuration
from btc_gui.domain.event import EventFacts
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.trajectory import Trajectory
from btc_gui.store.answers import PreparedAnswer, prepare
from btc_gui.store.bodies import PackedTexts, pack
from tests.bench.made_answers import AnswerMaker, Large, MadeAnswer
from tests.bench.words import Words

Ask = TypeVar("Ask")
Made = TypeVar("Made")
#: An answer of a filter: its number, about what, and whether it recommends it. One with steps: what `make` takes.
TextAsk = tuple[int, EventFacts, bool]
AnswerAsk = tuple[int, Configuration, EventFacts, ProbeKind, Large | None]
#: More would only wait for the one that writes.
_MOST_PROCESSES = 3
_maker: AnswerMaker


class Makers:
    """Some processes that make answers, or none: then they are made here, and the same ones."""

    def __init__(self, words: Callable[[int], Words], seed: int, *, alone: bool) -> None:
        self._processes = 0 if alone else min(_MOST_PROCESSES, max(1, (os.cpu_count() or 1) - 1))
        self._pool: AbstractContextManager[ProcessPoolExecutor | None] = nullcontext()
        if self._processes:
            spawn = multiprocessing.get_context("spawn")
            pool = ProcessPoolExecutor(self._processes, spawn, _begin, (words, seed))
            # So that they begin now: each of them needs a while to make its words.
            pool.submit(os.getpid)
            self._pool = pool
        else:
            _begin(words, seed)

    def each(self, make: Callable[[Sequence[Ask]], Made], asks: Sequence[Ask], size: int) -> Iterator[tuple[int, Made]]:
        """What `make` gives for each so many of the asks, in their order, and where in them these begin."""
        starts = range(0, len(asks), size)
        if not isinstance(self._pool, ProcessPoolExecutor):
            yield from ((start, make(asks[start : start + size])) for start in starts)
            return
        waiting: deque[tuple[int, Future[Made]]] = deque()
        for start in starts:
            waiting.append((start, self._pool.submit(make, asks[start : start + size])))
            if len(waiting) > 2 * self._processes:
                begun, future = waiting.popleft()
                yield begun, future.result()
        yield from ((begun, future.result()) for begun, future in waiting)

    def __enter__(self) -> Makers:
        self._pool.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.__exit__(kind, error, trace)


def _begin(words: Callable[[int], Words], seed: int) -> None:
    global _maker
    _maker = AnswerMaker(words(seed), seed)


def made_texts(asks: Sequence[TextAsk]) -> tuple[list[Trajectory], PackedTexts]:
    """Answers of a filter, and their texts packed."""
    made = [_maker.no_search(*each) for each in asks]
    return made, pack(each.answer for each in made)


def made_answers(asks: Sequence[AnswerAsk]) -> list[tuple[MadeAnswer, PreparedAnswer]]:
    """Answers with steps, ready to be stored."""
    made = [_maker.make(*each) for each in asks]
    return [(each, prepare(each.trajectory)) for each in made]
