"""What nobody holds any more is taken apart on the window's thread, whoever made the garbage."""

import gc
import threading
import weakref

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from btc_gui.ui.garbage import GarbageTurns


class _Part(QObject):
    """Holds itself, as parts of a page hold their page: only the collector sees that nobody else does."""

    def __init__(self) -> None:
        super().__init__()
        self.me = self


def test_a_job_that_makes_many_objects_takes_nothing_of_the_window_apart(qtbot: QtBot) -> None:
    gc.enable()
    owner = QObject()
    turns = GarbageTurns(owner)
    where: list[threading.Thread] = []
    weakref.finalize(_Part(), lambda: where.append(threading.current_thread()))
    made: list[list[int]] = []

    job = threading.Thread(target=lambda: made.extend([number] for number in range(100_000)))
    job.start()
    job.join()
    assert where == []

    qtbot.waitUntil(lambda: where != [])
    assert where == [threading.main_thread()]
    assert turns.parent() is owner
