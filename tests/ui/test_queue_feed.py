"""The queue of the review is read anew when others changed something, and not for what was decided here."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent import futures

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from btc_gui.domain.review import Action
from btc_gui.sessions.review_queue import Queue
from btc_gui.sessions.reviewing import ReviewSession
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.queue_feed import News, QueueFeed


class _Desk(QObject):
    """Where a queue is followed and decided on, without a page."""

    def __init__(self, database: Database, runner: JobRunner) -> None:
        super().__init__()
        self.session = ReviewSession(database, {}, "ada")
        self.session.start(Queue())
        self.runner = runner
        self.news: list[News] = []
        self.feed = QueueFeed(runner, self.session, self.news.append, self)

    def ask(self) -> None:
        """Look whether something has changed, as when others wrote to the file; nobody waits for it."""
        with self.runner.unasked():
            self.feed.ask(Queue(), is_new=False)

    def decide(self) -> None:
        item = self.session.item()
        assert item is not None
        with self.feed.own_decision():
            self.session.decide(item.probe, Action.ACCEPT)


@pytest.fixture
def desk(qtbot: QtBot, filled: Database) -> Iterator[_Desk]:
    runner = JobRunner()
    made = _Desk(filled, runner)
    made.feed.ask(Queue(), is_new=True)
    qtbot.waitUntil(lambda: not runner.jobs())
    assert [news.scope is not None for news in made.news] == [True]
    made.news.clear()
    yield made
    runner.shut_down()


def test_a_decision_between_a_look_and_its_result_stays_known(desk: _Desk, qtbot: QtBot) -> None:
    desk.ask()
    futures.wait([job.task.future for job in desk.runner.jobs() if job.task.future is not None], 60)
    # The look has found nothing new; before the window hears of it, somebody decides.
    desk.decide()
    qtbot.waitUntil(lambda: not desk.runner.jobs())
    desk.decide()
    desk.ask()
    qtbot.waitUntil(lambda: not desk.runner.jobs())
    assert [news.scope for news in desk.news] == [None, None]


def test_what_others_decide_is_read(desk: _Desk, filled: Database, qtbot: QtBot) -> None:
    last = ProbeStore(filled).get(desk.session.ids[-1])
    ReviewStore(filled).decide(last.id, last.revision_id, Action.DEFER, "bob")
    desk.decide()
    desk.ask()
    qtbot.waitUntil(lambda: not desk.runner.jobs())
    assert [news.scope is not None for news in desk.news] == [True]
