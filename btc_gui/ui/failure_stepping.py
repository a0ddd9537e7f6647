"""From failed answer to failed answer through a list of cases, in its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from btc_gui.domain.case import CaseRow
from btc_gui.domain.trajectory import AnswerId
from btc_gui.domain.verdict import Label
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob

#: So many cases are read at a time: failures are never far in most lists.
_AT_ONCE = 500
Fetch = Callable[[Sequence[AnswerId]], dict[AnswerId, CaseRow]]


class FailureStepping(QObject):
    """Looks for the next case that was judged incorrect, and selects it. Labels that are not told are no failures."""

    def __init__(self, context: Context, fetch: Fetch, select: Callable[[AnswerId], object], parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._fetch, self._select = context, fetch, select
        self._job = LatestJob(context.job_runner, "Find a failure", self._show, self, drops_older=True)

    def look(self, ids: Sequence[AnswerId], direction: str) -> None:
        """Look through these cases, the nearest first; `direction` (“further”, “earlier”) is for words."""
        fetch = self._fetch

        def find(progress: Progress) -> tuple[AnswerId | None, str]:
            for start in range(0, len(ids), _AT_ONCE):
                progress.check()
                part = ids[start : start + _AT_ONCE]
                rows = fetch(part)
                for answer_id in part:
                    if answer_id in rows and rows[answer_id].label is Label.INCORRECT:
                        return answer_id, direction
            return None, direction

        self._job.ask(find)

    def _show(self, found: object) -> None:
        if not isinstance(found, tuple):
            return
        answer_id, direction = found
        if answer_id is None:
            self._context.shell.say(f"No {direction} failed answer in this list")
        else:
            self._select(answer_id)
