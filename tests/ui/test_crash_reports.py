"""What people send to others when something went wrong: the dialog, its copy, the log and the terminal hold no key."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from btc_gui import app, paths
from btc_gui.errors import ModelError
from btc_gui.ui.error_dialog import CrashNet, ErrorDialog

KEY = "sk-planted-marker-0123456789"
LOGIN = "ada:hunter2@"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", KEY)


@pytest.fixture
def _log() -> Iterator[None]:
    logger = logging.getLogger("btc_gui")
    before = list(logger.handlers), logger.level
    app._write_log()
    yield
    for handler in set(logger.handlers) - set(before[0]):
        logger.removeHandler(handler)
        handler.close()
    logger.setLevel(before[1])


def _fault() -> BaseException:
    """An error of a client library that carries all that it was about to send."""
    try:
        try:
            raise ValueError(f"Illegal header value b'Bearer {KEY}'")
        except ValueError as error:
            raise RuntimeError(f"POST http://{LOGIN}localhost/v1?key=abc failed") from error
    except RuntimeError as error:
        return error


@pytest.mark.parametrize("error", [_fault(), ModelError(f"Refused: {KEY}", f"Ask at http://{LOGIN}localhost.")])
def test_the_dialog_and_its_copy_hold_no_key(qtbot: QtBot, error: BaseException) -> None:
    dialog = ErrorDialog(error)
    qtbot.addWidget(dialog)
    dialog._copy()
    details = [view.toPlainText() for view in dialog.findChildren(QPlainTextEdit)]
    shown = "\n".join([dialog.message.text(), dialog.remedy.text(), *details])
    for text in (shown, QGuiApplication.clipboard().text()):
        assert "(key)" in text
        assert "http://localhost" in text
        assert KEY not in text
        assert "hunter2" not in text


@pytest.mark.usefixtures("_log")
def test_the_log_holds_no_key(qtbot: QtBot) -> None:
    error = _fault()
    CrashNet()._of_main(type(error), error, error.__traceback__)
    logging.getLogger("btc_gui.jobs").warning("%s failed: %s", "A job", error.__cause__)
    written = (paths.state() / "btc_gui.log").read_text(encoding="utf-8")
    assert written.count("Bearer (key)") == 2
    assert "POST http://localhost/v1?key=(key) failed" in written
    assert KEY not in written
    assert "hunter2" not in written


def test_a_fault_of_a_command_is_told_without_a_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(words: list[str]) -> int:
        raise _fault()

    monkeypatch.setattr(app, "_dispatch", fail)
    with pytest.raises(SystemExit) as ended:
        app.main([])
    told = capsys.readouterr().err
    assert ended.value.code == 1
    assert "RuntimeError: POST http://localhost/v1?key=(key) failed" in told
    assert "Bearer (key)" in told
    assert KEY not in told
