"""Pictures of every page with something meaningful on it, drawn without a display."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from btc_gui.domain.case import CaseQuery
from btc_gui.domain.category import installed_categories
from btc_gui.domain.failure_mode import FailureMode
from btc_gui.domain.studies.failure_mode import FailureModeKind
from btc_gui.errors import BtcError
from btc_gui.sessions.labelling import LabellingSession
from btc_gui.settings import Settings
from btc_gui.store.cases import CaseStore
from btc_gui.store.database import Database
from btc_gui.store.packet_file import SUFFIX, PacketFile
from btc_gui.store.runs import RunStore
from btc_gui.store.studies import StudyStore
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.labelling.window import LabellingWindow
from btc_gui.ui.main_window import MainWindow
from btc_gui.ui.pages.cases_page import CasesPage
from btc_gui.ui.start import application
from btc_gui.ui.theme import Theme

_WIDTH, _HEIGHT = 1440, 900
#: A page that has not settled after this long never will.
_PATIENCE = 60.0
#: A timer that fires once and no later than this is a pause before the window does what it was asked to.
_LONGEST_PAUSE_MILLISECONDS = 500


def save_pictures(database_path: Path, out: Path, packet: Path | None = None) -> list[Path]:
    """Draw each page of a project, and the labelling window on `packet`, into `out`; gives the pictures' paths.

    Without a `packet` one of the folder `packets` beside the project is taken. The application must run on the
    offscreen platform (the caller sets QT_QPA_PLATFORM). The project is read, not changed, and no packet is
    labelled. Raises `BtcError` when the project can't be opened.
    """
    out.mkdir(parents=True, exist_ok=True)
    app = application()
    theme = Theme("light")
    written: list[Path] = []
    with _window(database_path, theme) as window:
        for name, item in _views(window):
            window.go(name, item)
            settle(window.job_runner)
            if isinstance(window.current_page, CasesPage):
                window.current_page.compare_next()
                settle(window.job_runner)
            written.append(_save(window, out / f"{name}.png"))
        theme.choose("dark", 1.0)
        window.go("cases")
        settle(window.job_runner)
        written.append(_save(window, out / "cases_dark.png"))
        theme.choose("light", 1.0)
    packets = [packet] if packet is not None else sorted((database_path.parent / "packets").glob(f"*{SUFFIX}"))
    written += _labelling(packets, theme, out)
    app.processEvents()
    return written


@contextmanager
def _window(path: Path, theme: Theme) -> Iterator[MainWindow]:
    # Named as recent already, so that nothing is written to the person's settings.
    settings = Settings(reviewer="demo", recent=(str(path.resolve()),))
    window = MainWindow(settings, installed_categories(), theme)
    window.resize(_WIDTH, _HEIGHT)
    window.show_project(Database.open(path))
    window.show()
    try:
        yield window
    finally:
        settle(window.job_runner)
        window.close()
        # The window closes itself once its project is closed, in a later turn.
        end = time.monotonic() + _PATIENCE
        while window.isVisible() and time.monotonic() < end:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))


def _views(window: MainWindow) -> list[tuple[str, object]]:
    """The pages in the rail's order, each with something to look at."""
    assert window.context is not None
    database = window.context.database
    reasoning = CaseStore(database).ids(CaseQuery(modes=(FailureMode.REASONING.value,)))
    runs = RunStore(database).ids()
    studies = StudyStore(database).all()
    unblinded = [study.id for study in studies if study.state.is_unblinded]
    return [
        ("events", None),
        ("probes", None),
        ("review", None),
        ("runs", runs[0] if runs else None),
        ("cases", reasoning[0] if reasoning else None),
        ("validation", unblinded[-1] if unblinded else None),
        ("results", "accuracy"),
        ("settings", None),
    ]


def _labelling(packets: Sequence[Path], theme: Theme, out: Path) -> list[Path]:
    """The labelling window on the first packet that it can show, those of failure modes before others: their form has
    all that the other has. On a copy, so that the packet stays as it is."""
    for packet in sorted(packets, key=_is_of_verdicts):
        with tempfile.TemporaryDirectory() as folder:
            try:
                session = LabellingSession(Path(shutil.copy2(packet, folder)))
            except BtcError:
                continue
            if session.is_finished:
                # The last item again: a finished packet shows only that it is finished.
                session.back()
            window = LabellingWindow(session, theme)
            can_show = window.can_show
            if can_show:
                window.resize(1180, 780)
                window.show()
                settle(None)
                _save(window, out / "labelling.png")
            window.close()
            window.deleteLater()
            if can_show:
                return [out / "labelling.png"]
    return []


def _is_of_verdicts(packet: Path) -> bool:
    try:
        with PacketFile.open(packet, to_label=False) as file:
            return file.outline().manifest.kind != FailureModeKind.name
    except BtcError:
        return True


def settle(runner: JobRunner | None, patience: float = _PATIENCE) -> None:
    """Let the window work until its jobs are done, no short pause is left and everything is laid out.

    Raises `BtcError` when that is not so after `patience` seconds.
    """
    end = time.monotonic() + patience
    calm = 0
    while calm < 10:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete))
        jobs = runner.jobs() if runner is not None else []
        calm = 0 if jobs or _is_pausing() else calm + 1
        if calm < 10 and time.monotonic() > end:
            titles = ", ".join(job.title for job in jobs) or "it goes on by itself"
            raise BtcError(f"The window has not come to rest after {patience:.0f} s: {titles}.")
        time.sleep(0.01)


def _is_pausing() -> bool:
    """Whether a widget is about to do something, a moment after a person's last key."""
    return any(
        timer.isActive() and timer.isSingleShot() and timer.interval() <= _LONGEST_PAUSE_MILLISECONDS
        for window in QApplication.topLevelWidgets()
        for timer in window.findChildren(QTimer)
    )


def _save(widget: QWidget, path: Path) -> Path:
    widget.grab().save(str(path))
    return path
