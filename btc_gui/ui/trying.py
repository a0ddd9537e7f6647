"""Trying a probe from a page: asked how, done as a job, and its case opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from btc_gui.domain.probe import Probe, ProbeId
from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.probes import ProbeStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.plain_text import one_line
from btc_gui.ui.words import counted

if TYPE_CHECKING:
    from btc_gui.jobs.run_session import RunControl
    from btc_gui.jobs.try_probe import Trial
    from btc_gui.ui.run_composing import Composition
    from btc_gui.ui.widgets.try_dialog import TryDialog

#: Trials go one after another: each takes the run of its day.
_LANE = "trial"


class Trying(QObject):
    """Tries probes for a page. `shown` gives the probe that the page shows now: the case is opened only if that is
    still the one that was tried, so that nobody is taken away from what they have gone on to.
    """

    def __init__(self, context: Context, page: QWidget, shown: Callable[[], ProbeId | None]) -> None:
        super().__init__(page)
        self._context, self._page, self._shown = context, page, shown
        self.dialog: TryDialog | None = None

    def ask(self) -> None:
        """Ask how the probe that is shown should be tried."""
        # Brings the side of the app that runs agents: the page is painted before that.
        from btc_gui.ui.widgets.try_dialog import TryDialog

        probe_id = self._shown()
        if probe_id is None:
            self._context.shell.say("No probe of this project is shown here.")
            return
        try:
            probe = ProbeStore(self._context.database).get(probe_id)
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        dialog = TryDialog(self._context, probe, self._page.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._start)
        self._probe, self.dialog = probe, dialog
        dialog.open()

    def _start(self) -> None:
        from btc_gui.jobs.run_session import RunControl

        outlook = self.dialog.outlook if self.dialog is not None else None
        if outlook is None:
            return
        database, author, probe = self._context.database, self._context.settings.reviewer, self._probe
        composition, control = outlook.composition, RunControl()

        def work(progress: Progress) -> tuple[Probe, Trial]:
            return probe, _try(database, probe, composition, author, progress, control)

        self._context.job_runner.start(
            f"Try “{one_line(probe.text, 60)}”", work, lane=_LANE, succeeded=self._done, control=control
        )

    def _done(self, result: object) -> None:
        from btc_gui.domain.case_reference import CaseReference
        from btc_gui.ui.case_set import CaseSet

        if not isinstance(result, tuple):
            return
        probe, trial = result
        self._context.changes.tell(Subject.RUNS, Subject.ANSWERS)
        if not trial.answers:
            self._context.shell.say("The trial was stopped before an answer came.")
            return
        first = trial.answers[0]
        if self._page.isVisible() and self._shown() == probe.id:
            several = CaseSet(counted(len(trial.answers), "trial"), trial.answers, keeps_order=True)
            self._context.shell.open("cases", first if len(trial.answers) == 1 else several)
        else:
            self._context.shell.say(f"“{one_line(probe.text, 60)}” has its answer: {CaseReference(first)} in Cases.")


def _try(
    database: Database, probe: Probe, composition: Composition, author: str, progress: Progress, control: RunControl
) -> Trial:
    from btc_gui.jobs.try_probe import try_probe
    from btc_gui.ui.run_composing import configurations_for

    configurations = configurations_for(database, composition, progress)
    return try_probe(
        database,
        probe.id,
        configurations,
        composition.recipe,
        composition.folder,
        progress,
        author=author,
        control=control,
    )
