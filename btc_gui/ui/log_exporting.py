"""Writing a run as Inspect logs from the window: where to, as a job, and what was written."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.run import Run
from btc_gui.exports.files import safe_name
from btc_gui.jobs.export_log import ExportedLog, export_log
from btc_gui.progress import Progress
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_save
from btc_gui.ui.words import counted


class LogExport(QObject):
    """Its progress and cancel stand in the job bar."""

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context, self._page = context, page

    def ask(self, run: Run) -> None:
        """Ask where a run's logs should go, and write them there: one file a configuration."""
        name = safe_name(run.name, f"run_{run.id}")
        proposed = paths.exports() / f"{name}.eval"
        path = ask_save(self._page, "Export the run as Inspect logs", proposed, "Inspect logs (*.eval)", ".eval")
        if path is None:
            return
        database, run_id = self._context.database, run.id

        def work(progress: Progress) -> list[ExportedLog]:
            path.parent.mkdir(parents=True, exist_ok=True)
            return export_log(database, run_id, path, progress)

        self._context.job_runner.start(f"Export “{run.name}”", work, lane="export-log", succeeded=self._written)

    def _written(self, written: object) -> None:
        if isinstance(written, list) and written:
            samples = sum(each.samples for each in written)
            what = written[0].path.name if len(written) == 1 else counted(len(written), "log")
            self._context.shell.say(f"{what} with {counted(samples, 'answer')} in {written[0].path.parent}")
