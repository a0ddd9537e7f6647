"""The whole program in a process of its own: it opens, and it ends with code 0 even in the middle of work."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from btc_gui.store.database import Database

SCRIPT = """
    import faulthandler
    import sys
    from pathlib import Path
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QPushButton
    from btc_gui.ui import start
    from btc_gui.ui.error_dialog import MessageDialog
    from btc_gui.ui.main_window import MainWindow

    def endless(progress):
        while True:
            progress.wait(0.01)
            progress.report(1, 2)

    def window():
        return next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))

    def press():
        box = QApplication.activeModalWidget()
        if not isinstance(box, MessageDialog) or not box.isVisible():
            QTimer.singleShot(20, press)
            return
        next(b for b in box.findChildren(QPushButton) if b.text() == "Stop and close").click()

    def act():
        if window().context is None:
            QTimer.singleShot(50, act)
            return
        print(window().windowTitle())
        QTimer.singleShot(500, end)
        1 / 0 if WITH_FAULT else None

    def end():
        if WITH_JOB:
            window().job_runner.start("Long work", endless)
            QTimer.singleShot(0, press)
        window().close()

    # Says where it hangs, before the test gives it up.
    faulthandler.dump_traceback_later(240, exit=True)
    start.application()
    QTimer.singleShot(100, act)
    sys.exit(start.run_window(Path(sys.argv[1])))
"""


def _run(project: Path, *, with_job: bool = False, with_fault: bool = False) -> subprocess.CompletedProcess[str]:
    script = f"WITH_JOB, WITH_FAULT = {with_job}, {with_fault}\n{textwrap.dedent(SCRIPT)}"
    command = [sys.executable, "-c", script, str(project)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def _project(folder: Path) -> Path:
    path = folder / "spring.btc"
    Database.create(path, "Spring").close()
    return path


def test_it_opens_a_project_and_ends_with_code_0(tmp_path: Path) -> None:
    path = _project(tmp_path)
    ended = _run(path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("Spring")
    assert sorted(file.name for file in tmp_path.glob("spring.btc*")) == ["spring.btc"]


def test_it_ends_with_code_0_in_the_middle_of_a_job(tmp_path: Path) -> None:
    ended = _run(_project(tmp_path), with_job=True)
    assert ended.returncode == 0, ended.stderr
    assert "RuntimeError" not in ended.stderr


def test_a_fault_in_the_program_does_not_end_it(tmp_path: Path) -> None:
    ended = _run(_project(tmp_path), with_fault=True)
    assert ended.returncode == 0, ended.stderr
