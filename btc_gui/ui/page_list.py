"""The pages of the window, in the order of the rail."""

from __future__ import annotations

import gc
import importlib
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Final

from btc_gui.progress import Progress
from btc_gui.records import dataclass
from btc_gui.store.database import Database
from btc_gui.store.probe_places import all_places
from btc_gui.ui.context import Context
from btc_gui.ui.shell import Page

#: What pages load when it is first needed: numpy and pyqtgraph, and the statistics.
_LATER: Final = (
    "numpy",
    "pyqtgraph",
    "btc_gui.ui.plots.timeline_plot",
    "btc_gui.ui.plots.confusion_plot",
    "btc_gui.ui.widgets.judges_dialog",
)
_PAUSE_SECONDS: Final = 0.02
_PAUSES_BETWEEN_TRIES: Final = (0.05, 0.2, 0.5)


def help_topics() -> list[tuple[str, str]]:
    """The texts of the help in their order: the name of each, and what the list calls it."""
    return [("start", "First steps"), *((entry.name, entry.title) for entry in PAGES), ("glossary", "Words")]


def load_module(name: str) -> ModuleType:
    """Import a module while another thread may be importing, too.

    When each of two threads waits for a module that the other one is loading, Python gives one of them a half-made
    module rather than let both wait for ever. That import fails; a moment later it works.
    """
    for pause in _PAUSES_BETWEEN_TRIES:
        try:
            return importlib.import_module(name)
        except ImportError:
            time.sleep(pause)
    return importlib.import_module(name)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """What the rail shows of a page before the page is made."""

    name: str
    title: str
    icon: str
    class_name: str

    def make(self, context: Context) -> Page:
        """Make the page: its module is loaded on its first visit, so that the window opens quickly."""
        module = load_module(f"btc_gui.ui.pages.{self.name}_page")
        made: Page = getattr(module, self.class_name)(context)
        return made


def read_first(database: Database, progress: Progress) -> None:
    """Read what the review shows a part of, beside the loading and making of its page: it takes as long as either."""
    all_places(database)


def warm_up(progress: Progress) -> None:
    """Load the pages' modules and what they draw with, on a worker thread, so that no first visit waits for it.

    Between modules the window gets its turn: an import holds Python's lock.
    """
    modules = [f"btc_gui.ui.pages.{entry.name}_page" for entry in PAGES]
    for name in (*modules, *_LATER):
        load_module(name)
        progress.wait(_PAUSE_SECONDS)
    # Its patterns take a tenth of a second, and the first edit must not wait for them.
    from btc_gui.store.lint_check import the_linter

    the_linter()
    # What was loaded stays: without this, Python's collector looks through all of it again and again, and a
    # frame waits a tenth of a second for it.
    gc.freeze()


def read_ahead(database: Database, pages: Sequence[Page], progress: Progress) -> None:
    """Read what stores and pages keep and what takes long the first time: on a worker thread, so that nobody waits.

    In a project of full size that is a second or two: how far runs are, what the linter found, who retains what,
    how probes are ordered. Ends soon after it was cancelled: whoever goes to a page comes first.
    """
    # Not needed for the first page: they are loaded by now.
    from btc_gui.store.case_search import stopping
    from btc_gui.store.events import EventQuery, EventStore
    from btc_gui.store.lint import LintStore
    from btc_gui.store.probes import ProbeQuery, ProbeStore
    from btc_gui.store.retention import RetentionStore
    from btc_gui.store.runs import RunStore
    from btc_gui.store.sample_order import ranked_probes

    with stopping(database.read(), progress):
        runs = RunStore(database)
        for run_id in runs.ids():
            progress.check()
            runs.progress(run_id)
        progress.check()
        LintStore(database).counts()
        progress.check()
        RetentionStore(database).counts()
        progress.check()
        ranked_probes(database)
        for order in ("event", "entity", "kind", "text"):
            progress.check()
            ProbeStore(database).ids(ProbeQuery(order=order))
        # What entities are called, as a search compares it.
        EventStore(database).ids(EventQuery(contains="-"))
        for page in pages:
            progress.check()
            page.read_ahead(progress)


PAGES: Final[tuple[PageEntry, ...]] = (
    PageEntry("events", "Events", "calendar-event", "EventsPage"),
    PageEntry("probes", "Probes", "message-question", "ProbesPage"),
    PageEntry("review", "Review", "checklist", "ReviewPage"),
    PageEntry("runs", "Runs", "player-play", "RunsPage"),
    PageEntry("cases", "Cases", "layout-columns", "CasesPage"),
    PageEntry("validation", "Validation", "certificate", "ValidationPage"),
    PageEntry("results", "Results", "chart-bar", "ResultsPage"),
    PageEntry("settings", "Settings", "settings", "SettingsPage"),
)
