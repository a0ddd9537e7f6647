"""The only place that shows an error, and the net that catches the ones nobody expected."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui import __version__, paths
from btc_gui.errors import BtcError
from btc_gui.known_secrets import without_secrets
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import size_window
from btc_gui.ui.widgets.plain_text import PlainView, copy_to_clipboard, label

_log = logging.getLogger(__name__)


class ErrorDialog(QDialog):
    """What happened, what to do, and for a fault of the program the text to copy. All of it plain text."""

    def __init__(self, error: BaseException, parent: QWidget | None = None, title: str = "That did not work") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title if isinstance(error, BtcError) else "Something went wrong in btc_gui")
        if isinstance(error, BtcError):
            message, remedy, details = without_secrets(error.message), without_secrets(error.remedy), ""
        else:
            message = "Something went wrong that the program did not foresee. What you did last may not have worked."
            remedy = f"You can go on. If it happens again, report the text below; it is in {paths.state()} too."
            # People copy it and send it to others.
            details = without_secrets("".join(traceback.format_exception(error)))
        #: All of it, as it is copied.
        self.says = f"{message}\n{remedy}\n\nbtc_gui {__version__}\n{details}".strip()
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, AROUND, AROUND, BETWEEN)
        column.setSpacing(INSIDE)
        self.message = label(message, "heading", selectable=True)
        column.addWidget(self.message)
        self.remedy = label(remedy, "secondary", selectable=True)
        column.addWidget(self.remedy)
        self.remedy.setVisible(bool(remedy))
        if details:
            view = PlainView(details, "mono")
            view.setAccessibleName("Details")
            column.addWidget(view, 1)
        else:
            column.addStretch(1)
        column.addSpacing(INSIDE)
        row = QHBoxLayout()
        copy = button("Copy", "copy")
        copy.clicked.connect(self._copy)
        close = button("Close", role="primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(close)
        column.addLayout(row)
        size_window(self, *((640, 420) if details else (460, 0)))
        close.setFocus()

    def _copy(self) -> None:
        copy_to_clipboard(self.says)


def open_once(error: BaseException, window: QWidget, title: str = "That did not work") -> None:
    """Tell an error over its window, unless just that is on screen already: a disk that is gone fails many reads."""
    dialog = ErrorDialog(error, window, title)
    others = (each for each in window.findChildren(ErrorDialog) if each is not dialog)
    if any(each.isVisible() and each.says == dialog.says for each in others):
        dialog.deleteLater()
    elif window.isVisible():
        dialog.open()
    else:
        # At the start: over the window, not before it.
        QTimer.singleShot(0, dialog, dialog.open)


class MessageDialog(QDialog):
    """Says something, or asks (with `yes`); nothing happens unless somebody presses that."""

    def __init__(
        self, heading: str, details: str, no: str = "Close", *, yes: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(yes or heading)
        column = QVBoxLayout(self)
        column.setContentsMargins(AROUND, AROUND, AROUND, BETWEEN)
        column.setSpacing(INSIDE)
        column.addWidget(label(heading, "heading"))
        column.addWidget(label(details, "secondary", selectable=True))
        column.addStretch(1)
        column.addSpacing(INSIDE)
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        row.addStretch(1)
        if yes:
            accept = button(yes)
            accept.setAutoDefault(False)
            accept.clicked.connect(self.accept)
            row.addWidget(accept)
        refuse = button(no)
        refuse.setDefault(True)
        refuse.clicked.connect(self.reject)
        row.addWidget(refuse)
        column.addLayout(row)
        size_window(self, 460, 0)
        refuse.setFocus()


def confirm(parent: QWidget | None, question: str, details: str, yes: str, no: str = "Cancel") -> bool:
    """Ask before something that can't be taken back; whether the person said `yes`."""
    dialog = MessageDialog(question, details, no, yes=yes, parent=parent)
    said = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return said


class CrashNet(QObject):
    """Catches exceptions that nothing else caught, in any thread: log, then tell; the program goes on."""

    caught = Signal(object)
    _from_thread = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._from_thread.connect(self.caught, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Take over the hooks of the interpreter."""
        sys.excepthook = self._of_main
        threading.excepthook = self._of_thread

    def remove(self) -> None:
        """Give the hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def _of_main(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        _log.error("not caught", exc_info=(kind, error, trace))
        # Queued: an exception during a paint event must not open a dialog within it.
        self._from_thread.emit(error.with_traceback(trace))

    def _of_thread(self, caught: threading.ExceptHookArgs) -> None:
        if caught.exc_value is None or issubclass(caught.exc_type, SystemExit):
            return
        _log.error("not caught in %s", caught.thread, exc_info=caught.exc_value)
        self._from_thread.emit(caught.exc_value)
