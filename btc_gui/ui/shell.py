"""What a page may ask of the window around it, and what a page is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from btc_gui.progress import Progress
from btc_gui.settings import Settings
from btc_gui.ui.changes import Subject


class Shell(QObject):
    """Pages talk to the window by these calls and never reach into each other."""

    page_asked = Signal(str, object)
    said = Signal(str)
    failed = Signal(object)
    settings_asked = Signal(object)

    def open(self, page: str, item: object = None) -> None:
        """Go to a page; with `item` (an id, or what that page takes) it shows that."""
        self.page_asked.emit(page, item)

    def say(self, text: str) -> None:
        """Tell one short thing in the bar at the bottom, for some seconds."""
        self.said.emit(text)

    def show_error(self, error: BaseException) -> None:
        """Show an error in the one error dialog."""
        self.failed.emit(error)

    def change_settings(self, settings: Settings) -> None:
        """Save other settings and let the whole window follow them."""
        self.settings_asked.emit(settings)


class Page(QWidget):
    """One page of the rail. Constructed as `SomePage(context)`."""

    #: The page's name in commands and links, its words in the rail, and its icon.
    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    icon: ClassVar[str] = ""
    #: Changes of these subjects make the window call `activate` (at once when visible, else when shown).
    subjects: ClassVar[frozenset[Subject]] = frozenset()
    #: Pixels at normal text size that the page needs to be read; in a lower window it scrolls. 0: it fits any.
    least_height: ClassVar[int] = 0
    #: Whether its parts stand side by side where there is room, and then need less height.
    can_stand_beside: ClassVar[bool] = True

    def activate(self) -> None:
        """Show the present state of the project. Called when shown, and on changes while visible."""

    def kept_parts(self) -> Sequence[QWidget]:
        """The tables and splitters whose sizes are kept.

        Looking for them makes Python objects of all that Qt has made for itself: who knows them says so.
        """
        return self.findChildren(QWidget)

    def read_ahead(self, progress: Progress) -> None:
        """Read and keep what the first visit would have to wait for. Called on a worker thread, in a quiet moment."""

    def prepare(self) -> bool:
        """Make, out of sight and in a quiet moment, a part of what the first visit shows: some frames' work.

        Gives whether there was something to make; it is called until there is nothing.
        """
        return False

    def show_item(self, item: object) -> None:
        """Show one thing by its id."""

    def focus_filter(self) -> None:
        """Put the cursor into the page's filter, if it has one (Ctrl+F)."""

    def take_focus(self) -> None:
        """Put the focus where the page's keys act. Called after `activate` when the page is shown."""

    def leave(self) -> None:
        """Keep what is being typed. Called when another page is shown and before the project is closed."""
