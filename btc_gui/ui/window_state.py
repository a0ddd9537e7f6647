"""Where the window was, how wide its columns and panes were: the only thing kept in QSettings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter, QTableView

from btc_gui import paths

if TYPE_CHECKING:
    from btc_gui.ui.shell import Page
    from btc_gui.ui.tables.table_view import TableView

_LARGEST = 10.0


class WindowState:
    """An INI file in the state folder. Nothing in it matters: a broken one is like none."""

    def __init__(self) -> None:
        self._settings = QSettings(str(paths.state() / "window.ini"), QSettings.Format.IniFormat)

    def restore_window(self, window: QMainWindow) -> None:
        """Put the window where it was."""
        geometry = self._bytes("window/geometry")
        if geometry is None or not window.restoreGeometry(geometry):
            window.resize(1280, 820)

    def save_window(self, window: QMainWindow) -> None:
        """Keep where the window is."""
        self._settings.setValue("window/geometry", window.saveGeometry())

    def restore_parts(self, page: Page, name: str) -> None:
        """Give the tables and splitters of a page the sizes they had."""
        if name not in self._settings.childGroups():
            return
        for key, table in _tables(page, name):
            state = self._bytes(f"{key}/{table.model().columnCount()}")
            if state is not None:
                header = table.horizontalHeader()
                # Widths are kept, the order is not: its arrow stays with the column that the rows are sorted by.
                order = header.isSortIndicatorShown(), header.sortIndicatorSection(), header.sortIndicatorOrder()
                if _is_ours(table):
                    table.restore_columns(state, self._scale(f"{key}/scale"))
                else:
                    header.restoreState(state)
                header.setSortIndicator(*order[1:])
                header.setSortIndicatorShown(order[0])
        for key, splitter in _splitters(page, name):
            state = self._bytes(key)
            if state is not None:
                splitter.restoreState(state)

    def save_parts(self, page: Page, name: str) -> None:
        """Keep the sizes of a page's tables and splitters."""
        for key, table in _tables(page, name):
            self._settings.setValue(f"{key}/{table.model().columnCount()}", table.horizontalHeader().saveState())
            if _is_ours(table):
                self._settings.setValue(f"{key}/scale", table.width_scale)
        for key, splitter in _splitters(page, name):
            self._settings.setValue(key, splitter.saveState())

    def sync(self) -> None:
        """Write to disk."""
        self._settings.sync()

    def _scale(self, key: str) -> float:
        """The size of text that columns were kept at."""
        try:
            scale = float(str(self._settings.value(key, 1.0)))
        except ValueError:
            return 1.0
        return scale if 1.0 <= scale <= _LARGEST else 1.0

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._settings.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None


def _is_ours(table: QTableView) -> TypeGuard[TableView[Any]]:
    # The first page may have no table: all that draws one is loaded with the first.
    from btc_gui.ui.tables.table_view import TableView

    return isinstance(table, TableView)


def _tables(page: Page, name: str) -> list[tuple[str, QTableView]]:
    found = [part for part in page.kept_parts() if isinstance(part, QTableView) and part.objectName()]
    return [(f"{name}/{table.objectName()}", table) for table in found]


def _splitters(page: Page, name: str) -> list[tuple[str, QSplitter]]:
    found = [part for part in page.kept_parts() if isinstance(part, QSplitter) and part.objectName()]
    return [(f"{name}/{splitter.objectName()}", splitter) for splitter in found]
