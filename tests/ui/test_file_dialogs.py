"""Asking for a file never touches the files of the folder: a project that is open there keeps its locks."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import btc_gui
from btc_gui.store.database import Database
from btc_gui.ui.file_dialogs import FileDialog
from btc_gui.ui.theme import Theme

_TYPE = 2


def _write_elsewhere(path: Path) -> None:
    """Another process writes to the project and closes it in order."""
    words = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
    statement = "INSERT INTO project (key, value) VALUES ('other', '1')"
    subprocess.run([sys.executable, "-c", words, str(path), statement], check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="locks are of the handle there")
def test_a_file_dialog_over_the_open_project_leaves_its_locks(qtbot: QtBot, tmp_path: Path) -> None:
    """Reading the type of a file from its content, as Qt's dialog does, would give the locks away."""
    path = tmp_path / "one.btc"
    parent = QWidget()
    qtbot.addWidget(parent)
    with Database.create(path) as database:
        with database.write() as connection:
            connection.execute("INSERT INTO project (key, value) VALUES ('mine', '1')")
        dialog = FileDialog(parent, "Open", QFileDialog.FileMode.ExistingFile, "All files (*)")
        dialog.setDirectory(str(tmp_path))
        dialog.open()
        (model,) = dialog.findChildren(QFileSystemModel)
        qtbot.waitUntil(lambda: model.index(str(path)).siblingAtColumn(_TYPE).data() == "btc", timeout=60_000)
        dialog.close()
        _write_elsewhere(path)
        assert path.with_name("one.btc-wal").exists()
        assert database.read().execute("SELECT count(*) FROM project WHERE key IN ('mine', 'other')").fetchone()[0] == 2


def test_its_buttons_are_seen_in_the_dark(qtbot: QtBot, theme: Theme) -> None:
    """Qt's own arrows are black there, too."""
    theme.choose("dark", 1.0)
    parent = QWidget()
    qtbot.addWidget(parent)
    tools = FileDialog(parent, "Open", QFileDialog.FileMode.ExistingFile).findChildren(QToolButton)
    images = [tool.icon().pixmap(16, 16).toImage() for tool in tools]
    assert len(images) == 6
    for image in images:
        points = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        assert max(point.lightness() for point in points if point.alpha() > 200) > 128


def test_no_other_module_opens_qts_file_dialog() -> None:
    package = Path(btc_gui.__file__).parent
    users = [path.name for path in package.rglob("*.py") if "QFileDialog" in path.read_text(encoding="utf-8")]
    assert users == ["file_dialogs.py"]
