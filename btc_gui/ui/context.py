"""What every page is given."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from btc_gui.domain.category import Category
from btc_gui.records import dataclass
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.ui.changes import Changes
from btc_gui.ui.commands import Commands
from btc_gui.ui.job_runner import JobRunner
from btc_gui.ui.shell import Shell
from btc_gui.ui.theme import Theme


@dataclass(slots=True)
class Context:
    """The open project and the parts of the window that pages share. `settings` is replaced when they change.

    Pages are made within their `place`: a whole page that is put there later tells each of its parts, level by level,
    of its new style.
    """

    database: Database
    settings: Settings
    categories: Mapping[str, Category]
    job_runner: JobRunner
    changes: Changes
    theme: Theme
    commands: Commands
    shell: Shell
    place: QWidget | None = None
