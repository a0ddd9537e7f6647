"""The pages of the window, in the order of the rail."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Final

from btc_gui.ui.context import Context
from btc_gui.ui.shell import Page


@dataclass(frozen=True, slots=True)
class PageEntry:
    """What the rail shows of a page before the page is made."""

    name: str
    title: str
    icon: str
    class_name: str

    def make(self, context: Context) -> Page:
        """Make the page: its module is loaded on its first visit, so that the window opens quickly."""
        module = importlib.import_module(f"btc_gui.ui.pages.{self.name}_page")
        made: Page = getattr(module, self.class_name)(context)
        return made


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
