"""One signal says which subjects of the project changed, whoever changed them."""

from __future__ import annotations

import time
from enum import StrEnum

from PySide6.QtCore import QObject, QTimer, Signal

from btc_gui.errors import BtcError
from btc_gui.store.database import Database

_LOOK_MILLISECONDS = 1_000
#: After the reads that others' writes led to, so many times as long is waited before the next: a big project that is
#: written to all the time must not be read all the time. At most so many seconds.
_REST, _LONGEST_REST_SECONDS = 5.0, 15.0


class Subject(StrEnum):
    """What can change."""

    PROJECT = "project"
    EVENTS = "events"
    PROBES = "probes"
    REVIEWS = "reviews"
    RUNS = "runs"
    ANSWERS = "answers"
    VERDICTS = "verdicts"
    NOTES = "notes"
    STUDIES = "studies"
    SETTINGS = "settings"


#: Everything that lies in the project file.
IN_PROJECT = frozenset(Subject) - {Subject.SETTINGS}


class Changes(QObject):
    """Pages tell what they changed and listen to what others did.

    Writes by jobs, other windows and the command line are noticed by SQLite's `data_version` once a second;
    they count as a change of everything in the project.
    """

    changed = Signal(object)  # frozenset[Subject]

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._database: Database | None = None
        self._version = 0
        self._told_at = self._rests_until = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MILLISECONDS)
        self._timer.timeout.connect(self._look_unless_resting)

    def tell(self, *subjects: Subject) -> None:
        """Say that these subjects changed."""
        self.changed.emit(frozenset(subjects))

    def watch(self, database: Database) -> None:
        """Notice what others write to this project."""
        self._database = database
        self._version = database.version_of_data()
        self._told_at = self._rests_until = 0.0
        self._timer.start()

    def stop(self) -> None:
        """Stop watching, before the project is closed."""
        self._timer.stop()
        self._database = None

    def reads_took(self, began: float, ended: float) -> None:
        """Hear of a read for what is shown (seconds of `time.monotonic`): after a long one, looks come more rarely."""
        if self._told_at and began >= self._told_at:
            rest = min((ended - began) * _REST, _LONGEST_REST_SECONDS)
            self._rests_until = max(self._rests_until, ended + rest)

    def _look_unless_resting(self) -> None:
        if time.monotonic() >= self._rests_until:
            self.look()

    def look(self) -> None:
        """Look now whether others wrote."""
        if self._database is None:
            return
        try:
            version = self._database.version_of_data()
        except BtcError:
            return  # Shown by the next thing a person does; a timer must not nag.
        if version != self._version:
            self._version = version
            self._told_at = time.monotonic()
            self.changed.emit(IN_PROJECT)
