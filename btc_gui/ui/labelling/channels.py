"""Everything that a window says to its reader, to a screen reader, to the clipboard: the channels of a leak audit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QAction, QClipboard
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QTextEdit,
    QWidget,
)

from btc_gui.domain.leak_audit import Piece
from btc_gui.domain.mode_form import QueryLabel
from btc_gui.domain.outside_text import showable
from btc_gui.domain.packet import PacketManifest
from btc_gui.ui.widgets.rendered_text import RenderedText

#: The plain texts of a widget by the channel that they belong to.
_WIDGET_TEXTS = {
    "window titles": ("windowTitle", "windowIconText", "windowFilePath", "windowRole"),
    "tool tips": ("toolTip", "statusTip", "whatsThis"),
    "accessible names": ("accessibleName", "accessibleDescription"),
}


def window_pieces(window: QWidget, manifest: PacketManifest, shown: Sequence[str]) -> list[Piece]:
    """All texts of a window as it stands, and of the clipboard. `shown` are the texts of the item that it shows.

    The names of the packet's labels are allowed where they stand for the button of that label and nowhere else.
    """
    # As views show it.
    shown = [showable(text) for text in shown]
    choices = {choice.text for choice in manifest.choices}
    allowed = {f"choose:{choice.value}" for choice in manifest.choices} | {text for text in shown if text}
    if manifest.relations:
        # A form that asks for classes of queries has a button for each; a failure mode is called as one of them.
        classes = [label.value for label in QueryLabel]
        choices |= {name.capitalize() for name in classes}
        allowed |= {f"class:{name}" for name in classes} | {f"This query is {name}" for name in classes}

    def may_be_seen(where: str, text: str) -> Sequence[str]:
        if where == RenderedText.__name__:
            # The page to label by, without its marks: words are counted against it.
            return shown
        if text in allowed or any(showable(text) in other for other in shown):
            return [text]
        # “Correct (1)”: the name of a label at the beginning, once.
        return [max((name for name in choices if text.startswith(name)), key=len, default="")]

    return [
        Piece(channel, where, text, may_be_seen(where, text))
        for channel, where, text in [*_window_texts(window), *_clipboard_texts()]
        if text
    ]


def _window_texts(window: QWidget) -> Iterator[tuple[str, str, str]]:
    for widget in [window, *window.findChildren(QWidget)]:
        where = type(widget).__name__
        for channel, getters in _WIDGET_TEXTS.items():
            for getter in getters:
                yield channel, where, str(getattr(widget, getter)())
        yield "object names", where, widget.objectName()
        for text in _read_texts(widget):
            yield "window texts", where, text
    for action in window.findChildren(QAction):
        yield "object names", "QAction", action.objectName()
        for text in (action.text(), action.iconText()):
            yield "window texts", "QAction", text.replace("&", "")
        for text in (action.toolTip(), action.statusTip(), action.whatsThis()):
            yield "tool tips", "QAction", text.replace("&", "")
        data = str(action.data() or "")
        if action.objectName() != f"choose:{data}":
            yield "action data", "QAction", data
    for thing in [window, *window.findChildren(QObject)]:
        for name in thing.dynamicPropertyNames():
            key = bytes(name.data()).decode()
            try:
                yield "properties", type(thing).__name__, f"{key}={thing.property(key)}"
            except RuntimeError:
                # Qt's own: a value that Python has no type for.
                continue


def _read_texts(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text().replace("&", "")
    elif isinstance(widget, QLineEdit):
        yield widget.text()
        yield widget.placeholderText()
    elif isinstance(widget, QTextEdit | QPlainTextEdit):
        yield widget.toPlainText()
        yield widget.placeholderText()
    elif isinstance(widget, QProgressBar):
        yield widget.format()


def _clipboard_texts() -> Iterator[tuple[str, str, str]]:
    clipboard = QApplication.clipboard()
    for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
        mime = clipboard.mimeData(mode)
        if isinstance(mime, QMimeData):
            for kind in mime.formats():
                yield "clipboard", kind, bytes(mime.data(kind).data()).decode("utf-8", "replace")
