"""The commands of the window itself, and the menus made from the command table.

What a command opens is loaded with its first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QMenu

from btc_gui import __version__, paths
from btc_gui.errors import InputError
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.ui.command_table import EVERYWHERE
from btc_gui.ui.page_list import PAGES, help_topics
from btc_gui.ui.widgets.buttons import in_button
from btc_gui.ui.widgets.plain_text import one_line

if TYPE_CHECKING:
    from btc_gui.ui.help_window import HelpWindow
    from btc_gui.ui.main_window import MainWindow
    from btc_gui.ui.packet_opening import PacketOpening

_SCALES = (0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)
_MENUS = ("File", "View", "Help")
#: Commands that act without a project.
_ALWAYS = frozenset(
    {
        "file.new", "file.open", "file.demo", "file.packet", "file.quit",
        "view.light", "view.dark", "view.system", "view.larger", "view.smaller",
        "help.page", "help.palette", "help.keys", "help.log", "help.about",
    }
)  # fmt: skip


def _copy(database: Database, target: Path, progress: Progress) -> Path:
    return database.copy(target)


class WindowCommands(QObject):
    """Binds the commands that act everywhere to a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._commands = window.commands
        self._page = ""
        self._help_window: HelpWindow | None = None
        self._packet_opening: PacketOpening | None = None
        methods = {
            "file.new": self._new,
            "file.open": self._open,
            "file.demo": window.open_demo,
            "file.packet": self._open_packet,
            "file.copy": self._copy,
            "file.check": self._check,
            "file.import_events": self._import_events,
            "file.import_probes": self._import_probes,
            "file.import_answers": self._import_answers,
            "file.load_logs": self._load_logs,
            "file.close": self._close,
            "file.quit": window.close,
            "view.filter": self._filter,
            "view.refresh": self._refresh,
            "view.judges": self._judges,
            "view.light": self._light,
            "view.dark": self._dark,
            "view.system": self._system,
            "view.larger": self._larger,
            "view.smaller": self._smaller,
            "help.page": self._help,
            "help.palette": self._palette,
            "help.keys": self._keys,
            "help.log": self._log,
            "help.about": self._about,
        }
        for name, method in methods.items():
            self._commands.bind(name, method, window)
        for entry in PAGES:
            action = self._commands.bind(f"go.{entry.name}", self._go, window)
            action.setData(entry.name)
        self._make_menus()

    def set_open(self, is_open: bool) -> None:
        """Enable what needs a project."""
        for command in self._commands.keys.commands:
            if command.page == EVERYWHERE:
                self._commands.action(command.name).setEnabled(is_open or command.name in _ALWAYS)

    def show_page(self, name: str) -> None:
        """Put the commands of a page into its menu."""
        self._page = name
        actions = self._commands.of_page(name) if name else []
        title = next((entry.title for entry in PAGES if entry.name == name), "")
        self._page_menu.clear()
        # V opens the menu View.
        self._page_menu.setTitle(f"V&{title[1:]}" if title.startswith("V") else f"&{title}")
        self._page_menu.addActions(actions)
        self._page_menu.menuAction().setVisible(bool(actions))

    # -- menus ------------------------------------------------------------------------------------------------

    def _make_menus(self) -> None:
        bar = self._window.menuBar()
        self._recent = QMenu("Open recent", self._window)
        self._recent.aboutToShow.connect(self._fill_recent)
        self._recent.triggered.connect(self._open_recent)
        self._page_menu = QMenu(self._window)
        for name in _MENUS:
            if name == "Help":
                bar.addMenu(self._page_menu)
            menu = bar.addMenu(f"&{name}")
            group = ""
            for command in self._commands.keys.commands:
                if command.menu != name:
                    continue
                if group and command.group != group:
                    menu.addSeparator()
                group = command.group
                menu.addAction(self._commands.action(command.name))
                if command.name == "file.open":
                    menu.addMenu(self._recent)

    def _fill_recent(self) -> None:
        self._recent.clear()
        for project in self._window.settings.recent:
            path = Path(project)
            action = self._recent.addAction(in_button(one_line(f"{path.stem}   ({path.parent})")))
            action.setData(project)
        self._recent.setEnabled(True)
        if not self._window.settings.recent:
            self._recent.addAction("None yet").setEnabled(False)

    def _open_recent(self, action: QAction) -> None:
        if action.data():
            self._window.open_project(Path(str(action.data())))

    # -- File -------------------------------------------------------------------------------------------------

    def _new(self) -> None:
        from btc_gui.ui.file_dialogs import ask_save

        path = ask_save(self._window, "New project", paths.projects() / "project.btc")
        if path is not None:
            self._window.create_project(path)

    def _open(self) -> None:
        from btc_gui.ui.file_dialogs import ask_open

        path = ask_open(self._window, "Open project")
        if path is not None:
            self._window.open_project(path)

    @property
    def _packets(self) -> PacketOpening:
        if self._packet_opening is None:
            from btc_gui.ui.packet_opening import PacketOpening

            self._packet_opening = PacketOpening(self._window.job_runner, self._window.shell, self._window)
        return self._packet_opening

    def _open_packet(self) -> None:
        self._packets.ask()

    def take_dropped(self, files: Sequence[Path]) -> None:
        """Open what was dropped on the window: a project, or a packet."""
        for file in files:
            if file.suffix in (".btc", ".btcp"):
                (self._window.open_project if file.suffix == ".btc" else self._packets.open)(file)
                return
        self._window.show_error(
            InputError(
                f"{files[0].name} is neither a project nor a packet.",
                "Projects (.btc) and packets (.btcp) can be dropped here. Tables and logs are read by the menu File, "
                "once a project is open.",
            )
        )

    def _copy(self) -> None:
        context = self._window.context
        if context is None:
            return
        from btc_gui.ui.file_dialogs import ask_save

        source = context.database.path
        path = ask_save(self._window, "Copy project", source.with_name(f"{source.stem} copy.btc"))
        if path is not None:
            work = partial(_copy, context.database, path)
            self._window.job_runner.start(f"Copy the project to {path.name}", work, lane="copy")

    def _check(self) -> None:
        context = self._window.context
        if context is not None:
            # Brings the statistics: not before somebody asks for them.
            from btc_gui.jobs.check_project import check_project

            work = partial(check_project, context.database)
            self._window.job_runner.start("Check the project", work, lane="check", succeeded=self._checked)

    def _checked(self, findings: object) -> None:
        from btc_gui.ui.widgets.check_dialog import CheckDialog

        if self._window.context is not None and isinstance(findings, list):
            dialog = CheckDialog(self._window.context.database.path.name, findings, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def _import_events(self) -> None:
        self._window.go("events")
        self._commands.action("events.import").trigger()

    def _import_probes(self) -> None:
        self._window.go("probes")
        self._commands.action("probes.import").trigger()

    def _import_answers(self) -> None:
        context = self._window.context
        from btc_gui.ui.file_dialogs import TABLES, ask_open

        path = ask_open(self._window, "Import answers", TABLES) if context is not None else None
        if context is not None and path is not None:
            from btc_gui.domain.column_mapping import LoadSubject
            from btc_gui.ui.import_dialog import ImportDialog

            ImportDialog(LoadSubject.ANSWERS, path, context, self._window).open()

    def _load_logs(self) -> None:
        # Brings the engine's side of the app: not before somebody asks for it.
        from btc_gui.ui.widgets.log_load_dialog import LogLoadDialog

        if self._window.context is not None:
            LogLoadDialog(self._window.context, self._window).open()

    def _close(self) -> None:
        self._window.leave_project(self._nothing)

    def _nothing(self) -> None:
        """Nothing follows the closing of a project."""

    # -- View -------------------------------------------------------------------------------------------------

    def _go(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.go(str(action.data()))

    def _filter(self) -> None:
        if self._window.current_page is not None:
            self._window.current_page.focus_filter()

    def _refresh(self) -> None:
        if self._window.current_page is not None:
            self._window.current_page.activate()

    def _judges(self) -> None:
        # Brings the statistics: not before somebody asks for them (or the window had time to load them).
        from btc_gui.ui.widgets.judges_dialog import JudgesDialog

        if self._window.context is not None:
            JudgesDialog(self._window.context, self._window).show()

    def _light(self) -> None:
        self._window.change_theme("light")

    def _dark(self) -> None:
        self._window.change_theme("dark")

    def _system(self) -> None:
        self._window.change_theme("system")

    def _larger(self) -> None:
        self._scale(1)

    def _smaller(self) -> None:
        self._scale(-1)

    def _scale(self, step: int) -> None:
        now = self._window.settings.text_scale
        nearest = min(range(len(_SCALES)), key=lambda i: abs(_SCALES[i] - now))
        wanted = _SCALES[max(0, min(nearest + step, len(_SCALES) - 1))]
        self._window.take_settings(replace(self._window.settings, text_scale=wanted))

    # -- Help -------------------------------------------------------------------------------------------------

    def _help(self) -> None:
        if self._help_window is None:
            from btc_gui.ui.help_window import HelpWindow

            self._help_window = HelpWindow(help_topics(), self._window)
        self._help_window.show_topic(self._page or "start")

    def _palette(self) -> None:
        from btc_gui.ui.command_palette import CommandPalette, Entry

        titles = {entry.name: entry.title for entry in PAGES}
        entries = []
        for command in self._commands.keys.commands:
            action = self._commands.action(command.name)
            is_of_page = command.page != EVERYWHERE
            if (is_of_page and self._window.context is not None) or (not is_of_page and action.isEnabled()):
                place = titles.get(command.page, command.menu)
                text = f"Go to {command.text}" if command.name.startswith("go.") else command.text
                entries.append(Entry(command.name, text, place, self._commands.keys.key(command.name)))
        # Of two commands of one name that of the page one is on is meant.
        entries.sort(key=lambda entry: self._commands.keys.command(entry.name).page != self._page)
        palette = CommandPalette(entries, self._window.theme, self._window, has_cases=self._window.context is not None)
        palette.chosen.connect(self._run, Qt.ConnectionType.QueuedConnection)
        palette.open()

    def _run(self, name: str) -> None:
        from btc_gui.domain.case_reference import is_reference, parse_reference

        if is_reference(name):
            self._window.go("cases", parse_reference(name))
            return
        page = self._commands.keys.command(name).page
        if page != EVERYWHERE and page != self._page:
            self._window.go(page)
        self._commands.action(name).trigger()

    def _keys(self) -> None:
        from btc_gui.ui.key_sheet import KeySheet

        pages = [(entry.name, entry.title) for entry in PAGES]
        KeySheet(self._commands.keys, pages, self._page, self._window).open()

    def _log(self) -> None:
        paths.state().mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.state())))

    def _about(self) -> None:
        from btc_gui.ui.error_dialog import MessageDialog

        dialog = MessageDialog(
            f"BlindToChange workbench {__version__}",
            "Builds, runs, checks and explains benchmarks of agentic search.\n"
            "MIT licence. Icons: Tabler Icons (MIT). The benchmark: arXiv 2610.41435 (CC BY 4.0).",
            parent=self._window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("About")
        dialog.open()
