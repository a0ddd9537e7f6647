"""Opens cases in the reader: reads them on a worker thread, asks before one of an open study, follows changes."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject

from btc_gui.domain.trajectory import AnswerId
from btc_gui.progress import Progress
from btc_gui.sessions.comparing import Target
from btc_gui.store.outlines import OutlineStore
from btc_gui.ui.case_reading import CaseGate, CaseReading, read_case
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.case_reader import CaseReader

#: So many readings are kept.
_KEPT = 6


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read, and the state of the project before that."""

    state: object
    shown: CaseReading | CaseGate


class CaseOpening(QObject):
    """What the reader is to show. Reads of anything else that come later are dropped."""

    def __init__(self, context: Context, reader: CaseReader, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._reader = context, reader
        self._reading = LatestJob(context.job_runner, "Read case", self._keep, self)
        self._searching = LatestJob(context.job_runner, "Look for mentions", self._show_rest, self, drops_older=True)
        self._outlines = OutlineStore(context.database)
        self._ids: tuple[AnswerId, ...] = ()
        # The last ones, of one state of the project: going back to one of them shows it at once.
        self._kept: dict[tuple[AnswerId, ...], CaseReading] = {}
        self._kept_of: object = None
        self._step_number: int | None = None
        # What is searched for mentions once it is painted.
        self._to_search: CaseReading | None = None
        # Who agreed to see what: another person at the same window is asked anew.
        self._agreed: set[tuple[str, AnswerId]] = set()
        reader.comparison_asked.connect(self.compare_with)
        reader.consented.connect(self._agree)
        reader.changed.connect(self.read_again)
        reader.painted.connect(self._search_rest)

    @property
    def current(self) -> AnswerId | None:
        """The case that is open or about to be."""
        return self._ids[0] if self._ids else None

    def open(self, answer_id: AnswerId, others: Sequence[AnswerId] = (), step_number: int | None = None) -> None:
        """Open a case with others beside it, at a step of it if one is named."""
        self._ids = (answer_id, *others)
        self._step_number = step_number
        self._read()

    def close(self, heading: str = "No case chosen", text: str = "Choose one on the left.") -> None:
        """Show no case, and why."""
        self._ids = ()
        self._reader.show_nothing(heading, text)

    def compare_with(self, others: Sequence[AnswerId]) -> None:
        """Put these cases beside the one that is shown."""
        # While another case is still being read, what the reader offers to compare belongs to the one before.
        if self.current is not None and self._reader.case_id in (self.current, None):
            self.open(self.current, others)

    def read_again(self) -> None:
        """Show what has changed of what is open."""
        if self._ids:
            self._read()

    def forget(self) -> None:
        """Read what is opened next from the project, though it was opened before."""
        self._kept.clear()
        self._outlines = OutlineStore(self._context.database)

    def _read(self) -> None:
        ids, person = self._ids, self._context.settings.reviewer
        database, categories = self._context.database, self._context.categories
        has_agreed, outlines = self._agreed.issuperset((person, each) for each in ids), self._outlines
        state = (database.state_of_data(), person)
        if state != self._kept_of:
            self._kept_of, self._kept = state, {}
        kept = self._kept.get(ids)
        if kept is not None:
            self._show(kept)
            return
        # What stands beside a case changes more often than what it can be compared with.
        others = next((each.others for each in self._kept.values() if each.ids[:1] == ids[:1]), None)

        def read(progress: Progress) -> _Read:
            reading = read_case(
                database, categories, ids, person, has_agreed=has_agreed, outlines=outlines, others=others
            )
            # The timeline's libraries take a second to load: here, where nobody waits for it.
            importlib.import_module("btc_gui.ui.plots.timeline_view")
            return _Read(state, reading)

        self._reading.ask(read)

    def _keep(self, read: object) -> None:
        if not isinstance(read, _Read):
            return
        if isinstance(read.shown, CaseReading) and read.state == self._kept_of:
            self._kept[read.shown.ids] = read.shown
            for old in list(self._kept)[:-_KEPT]:
                del self._kept[old]
        self._show(read.shown)

    def _show(self, read: CaseReading | CaseGate) -> None:
        if read.ids != self._ids:
            return
        if isinstance(read, CaseGate):
            self._reader.ask_consent(read)
            return
        self._to_search = read
        self._reader.show_reading(read)
        if self._step_number is not None:
            number, self._step_number = self._step_number, None
            self._reader.show_step(0, number)

    def _search_rest(self) -> None:
        """Look for mentions in what is not read at once, now that the case is painted: threads that work at once make
        each other wait."""
        reading, self._to_search = self._to_search, None
        if reading is None or reading.find_in_rest is None or reading.ids != self._ids:
            return
        find, ids = reading.find_in_rest, reading.ids

        def search(progress: Progress) -> tuple[tuple[AnswerId, ...], list[Target]]:
            return ids, find(progress)

        self._searching.ask(search)

    def _show_rest(self, found: object) -> None:
        if isinstance(found, tuple) and found[0] == self._ids:
            self._reader.add_mentions(found[1])

    def _agree(self, gate: object) -> None:
        """The person opens a case of an open study: reading it records that."""
        if isinstance(gate, CaseGate):
            self._agreed.update((self._context.settings.reviewer, each) for each in gate.ids)
            self._read()
