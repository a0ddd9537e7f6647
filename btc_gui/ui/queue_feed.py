"""Reads the review queue for the page on a worker thread, and only when something that it is made of has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QObject

from btc_gui.progress import Progress
from btc_gui.records import dataclass
from btc_gui.sessions.review_queue import Fingerprint, Queue, QueueScope
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.latest_job import LatestJob


@dataclass(frozen=True, slots=True)
class News:
    """What reading the queue gave. `scope` is None when nothing has changed; `is_late` when it came after a moment."""

    queue: Queue
    scope: QueueScope | None
    fingerprint: Fingerprint
    models: Sequence[str]
    is_late: bool = False


class QueueFeed(QObject):
    """`show` is called with the news (of the queue that was asked for last, on the window's thread)."""

    def __init__(
        self, runner: JobRunner, session: ReviewSession, show: Callable[[News], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._show = session, show
        self._reading = LatestJob(runner, "Read the review queue", self._take, self)
        self._queue = session.queue
        self._known: Fingerprint | None = None
        self._is_late = False

    def ask(self, queue: Queue, *, is_new: bool) -> None:
        """Read a queue; one that is not new only if something has changed since it was read."""
        if is_new:
            self._known = None
        self._queue = queue
        session = self._session

        def read(progress: Progress) -> News:
            fingerprint = session.fingerprint(queue)
            # Compared with what is known by then: somebody may have decided since it was asked for.
            if fingerprint == self._known:
                return News(queue, None, fingerprint, ())
            return News(queue, session.read_scope(queue), fingerprint, session.models())

        self._is_late = False
        self._reading.ask(read)
        self._is_late = self._reading.is_reading

    @contextmanager
    def own_decision(self) -> Iterator[None]:
        """What one decision changes within this block is known, and needs no reading."""
        is_current = self._known is not None and self._session.fingerprint(self._queue) == self._known
        yield
        now = self._session.fingerprint(self._queue)
        if is_current and self._known is not None and self._known.is_followed_by(now):
            self._known = now

    def _take(self, news: News) -> None:
        if news.queue != self._queue:
            return
        if news.scope is not None:
            if self._session.is_outdated(news.scope):
                # Something was decided here meanwhile.
                self.ask(self._queue, is_new=False)
                return
            # What was not read anew stays known, with all that was decided here since it was looked at.
            self._known = news.fingerprint
        self._show(News(news.queue, news.scope, news.fingerprint, news.models, self._is_late))
