"""The frame of pages: header, cards, lines, scrolling areas, empty states; the room of windows, and where Tab goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QCursor, QGuiApplication, QHideEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from btc_gui.ui.announcing import announce
from btc_gui.ui.icons import icon
from btc_gui.ui.theme import AROUND, BETWEEN, INSIDE, SIZES
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import LineLabel, label

#: Pixels at normal text size in which a list and the chosen thing can be read side by side.
LEAST_BESIDE = 640
#: So begin the names of Qt's own parts of a widget, as the field of a spin box.
_QT_OWN = "qt_"
#: Windows are made for no less than this.
_SMALLEST_SCREEN = QSize(1024, 700)


class Card(QFrame):
    """A surface with a one-pixel border; things are added to `body`."""

    def __init__(self, heading: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(BETWEEN, 12, BETWEEN, BETWEEN)
        self.body.setSpacing(INSIDE)
        self.heading = label(heading, "section", wraps=False)
        self.body.addWidget(self.heading)
        if not heading:
            self.heading.hide()

    # Qt would lay out all texts at these widths for a height that nobody asks for: it depends on the width.

    def sizeHint(self) -> QSize:
        return self.body.sizeHint().grownBy(self.contentsMargins())

    def minimumSizeHint(self) -> QSize:
        return self.body.minimumSize().grownBy(self.contentsMargins())


class PageHeader(QWidget):
    """The top of a page: its title, what it counts, and its filters and buttons on the right; when narrow they stand
    below, in as many lines as they need."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(INSIDE)
        row = QHBoxLayout()
        row.setSpacing(INSIDE)
        self.title = label(title, "title", wraps=False)
        self.counts = LineLabel("secondary")
        self._tools: list[QWidget] = []
        self._beside = QHBoxLayout()
        self._beside.setSpacing(INSIDE)
        self._below = FlowLayout(None, INSIDE)
        self._is_below = False
        row.addWidget(self.title)
        row.addSpacing(INSIDE)
        row.addWidget(self.counts, 1)
        row.addLayout(self._beside)
        column.addLayout(row)
        # A layout, and no widget of its own: all that changes its parent is styled anew.
        column.addLayout(self._below)

    def set_counts(self, text: str) -> None:
        """Say how much is shown; also to who hears it, while the focus is in a filter."""
        focus = QApplication.focusWidget()
        if text != self.counts.text() and focus is not None and self.isAncestorOf(focus):
            announce(self.counts, text)
        self.counts.setText(text)
        self._arrange()

    def add(self, widget: QWidget) -> None:
        """Add a filter or button on the right."""
        self._tools.append(widget)
        (self._below if self._is_below else self._beside).addWidget(widget)

    def minimumSizeHint(self) -> QSize:
        widest = max((tool.minimumSizeHint().width() for tool in self._tools), default=0)
        return QSize(max(widest, self.title.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            # A tool was shown or hidden, or has other words.
            self._arrange()
        return super().event(event)

    def _arrange(self) -> None:
        counts = self.counts.fontMetrics().horizontalAdvance(self.counts.text())
        words = self.title.sizeHint().width() + counts + 4 * INSIDE
        tools = [tool for tool in self._tools if not tool.isHidden()]
        needed = sum(tool.sizeHint().width() for tool in tools) + INSIDE * max(len(tools) - 1, 0)
        is_below = words + needed > self.width()
        if is_below != self._is_below:
            self._is_below = is_below
            for tool in self._tools:
                (self._below if is_below else self._beside).addWidget(tool)
            self.updateGeometry()


class EmptyState(QWidget):
    """Says what would be here and offers the next step (and perhaps another way)."""

    def __init__(
        self, icon_name: str, heading: str, text: str, action: QAction | None = None, other: QAction | None = None
    ) -> None:
        super().__init__()
        self._icon_name = icon_name
        column = QVBoxLayout(self)
        column.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.setSpacing(INSIDE)
        self._picture = QLabel()
        self._picture.setPixmap(icon(icon_name, QPalette.ColorRole.PlaceholderText).pixmap(32, 32))
        self.heading = label(heading, "title")
        self.text = label(text, "secondary")
        for each in (self._picture, self.heading, self.text):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(each)
        self._fit_text()
        column.setAlignment(self.text, Qt.AlignmentFlag.AlignHCenter)
        self.button: QPushButton | None = None
        if action is not None:
            column.addSpacing(INSIDE)
            self.button = CommandButton(action, "primary")
            column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        if other is not None:
            column.addWidget(CommandButton(other), 0, Qt.AlignmentFlag.AlignHCenter)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_text()

    def _fit_text(self) -> None:
        """As wide as lines are read well, but no wider than the smallest window has room for."""
        self.text.setFixedWidth(round(min(480 * text_scale_of(self), 680)))

    @property
    def least_height(self) -> int:
        """So high it must be for all it says."""
        layout = self.layout()
        return layout.totalSizeHint().height() if layout is not None else 0

    def say(self, heading: str, text: str) -> None:
        """Use other words."""
        self.heading.setText(heading)
        self.text.setText(text)


class ReadingState(QWidget):
    """Says that the page is being read, if that takes a moment; what is quick does not flash up."""

    _PATIENCE_MILLISECONDS = 200

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        self.words = label("Reading …", "secondary", wraps=False)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.hide()
        column.addWidget(self.words, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(self._PATIENCE_MILLISECONDS)
        self._wait.timeout.connect(self.words.show)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._wait.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._wait.stop()
        self.words.hide()


def page_column(page: QWidget, spacing: int = 12) -> QVBoxLayout:
    """The vertical layout of a page, with the space around it."""
    column = QVBoxLayout(page)
    column.setContentsMargins(AROUND, BETWEEN, AROUND, BETWEEN)
    column.setSpacing(spacing)
    return column


def _takes_keys(widget: QWidget, window: QWidget) -> bool:
    """Whether Tab would come to it; of choices that exclude each other, it comes to the one that is made."""
    if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or not widget.isVisibleTo(window):
        return False
    return widget.isEnabledTo(window) and (not isinstance(widget, QRadioButton) or widget.isChecked())


def see_through(area: QScrollArea) -> None:
    """Let what lies below an area show through: it is given a viewport that paints nothing.

    Asked for the one that Qt has made, PySide would make the classes of all widgets there are to find out what it is.
    """
    area.setViewport(QWidget())


class ScrollColumn(QScrollArea):
    """Scrolls its content vertically, and asks to be as wide as it; where it can't be, it scrolls sideways, too, so
    that nothing is cut off on the right."""

    def __init__(self, content: QWidget, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked = QSize()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        see_through(self)
        self.setWidget(content)
        # setWidget turns this on; the surface below must show through.
        content.setAutoFillBackground(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # A dialog begins at its first field, not at the area around its fields.
        if isinstance(window := self.window(), QDialog) and window.focusWidget() is None:
            stops = [each for each in window.findChildren(QWidget) if _takes_keys(each, window)]
            if stops[:1] == [self]:
                fields = [each for each in stops[1:] if self.isAncestorOf(each)]
                buttons = [each for each in stops if isinstance(each, QPushButton) and each.isDefault()]
                for each in [*fields, *buttons][:1]:
                    each.setFocus()

    def minimumSizeHint(self) -> QSize:
        content = self.widget()
        width = content.minimumSizeHint().width() if content is not None else 0
        # The frame is the style sheet's, which keeps it for the ring of the focus.
        width += self.verticalScrollBar().sizeHint().width() + 2 * self.frameWidth()
        # Every screen has room for most: which one it is takes longer to find out than all else here.
        is_small = width <= _SMALLEST_SCREEN.width() - 5 * AROUND
        return QSize(width if is_small else min(width, largest_size().width() - 4 * AROUND), 80)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Qt tells those around only where a scroll area adjusts to its contents. Laying out a page takes time, so they
        # are told only of what changes something for them.
        is_laid_out = watched is self.widget() and event.type() == QEvent.Type.LayoutRequest
        if is_laid_out and (asked := self.minimumSizeHint()) != self._asked:
            self._asked = asked
            self.updateGeometry()
        return super().eventFilter(watched, event)

    @contextmanager
    def changing(self, part: QWidget) -> Iterator[None]:
        """Change much of a part of the content within this, and it is laid out once, from the outside in.

        Left to itself Qt does so again for each widget that is shown, and for each level from the inside out, and
        paints in between what is half done.
        """
        parts = [part, *(each for each in part.findChildren(QWidget) if each.layout() is not None)]
        while parts[0] is not self.widget() and (around := parts[0].parentWidget()) is not None:
            parts.insert(0, around)
        layouts = [layout for each in parts if (layout := each.layout()) is not None]
        for layout in layouts:
            layout.setEnabled(False)
        try:
            yield
        finally:
            for layout in layouts:
                layout.setEnabled(True)
            for each in reversed(parts):
                each.updateGeometry()
            QCoreApplication.sendPostedEvents(self.viewport(), QEvent.Type.LayoutRequest.value)
            for layout in layouts:
                layout.activate()


def scrolling(content: QWidget, name: str, parent: QWidget | None = None) -> ScrollColumn:
    """A borderless area that scrolls `content` vertically.

    Much content is best put into it afterwards, each part made within its place: a style sheet is applied anew to all
    that a widget holds each time that it gets another parent.
    """
    return ScrollColumn(content, name, parent)


def height_now(widget: QWidget, width: int) -> int:
    """How high a widget with a layout is at a width, whatever has changed in it.

    Left to itself Qt lays out one level, from the inside out, each time that events are handled.
    """
    layout = widget.layout()
    assert layout is not None
    _lay_out(layout)
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def _lay_out(layout: QLayout) -> None:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget = item.widget() if item is not None else None
        inner = widget.layout() if widget is not None and not widget.isHidden() else None
        if inner is not None:
            _lay_out(inner)
    layout.activate()


def text_scale_of(widget: QWidget) -> float:
    """How large the text of a widget is: 1 for the normal size."""
    return widget.font().pointSizeF() / SIZES["body"]


class _Fitting(QObject):
    """Makes a window as high as its contents need at its width, when it is shown: words that wrap need more lines with
    large text, or in another font, than whoever gave it a size thought."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and (layout := watched.layout()):
            layout.activate()
            needs_width = layout.hasHeightForWidth()
            needed = layout.totalHeightForWidth(watched.width()) if needs_width else layout.totalMinimumSize().height()
            watched.resize(watched.width(), min(max(needed, watched.height()), largest_size().height()))
        return False


def room_at(place: QPoint) -> QRect:
    """The part for windows of the screen at a global place.

    No widget is asked for its screen: PySide takes the screen for a part of that widget, and when Python clears both
    away as garbage it deletes the screen, and the next window that opens crashes.
    """
    return (QGuiApplication.screenAt(place) or QGuiApplication.primaryScreen()).availableGeometry()


def largest_size() -> QSize:
    """As large as a window may be on the screen that somebody works on; its frame takes room, too."""
    return room_at(QCursor.pos()).size().expandedTo(_SMALLEST_SCREEN) - QSize(AROUND, 3 * AROUND)


def size_window(window: QWidget, width: int, height: int) -> None:
    """Make a window so large (in pixels), with larger text larger, and high enough for its contents, but never larger
    than the screen has room for: its buttons are at the bottom."""
    scale = max(1.0, text_scale_of(window))
    window.resize(QSize(round(width * scale), round(height * scale)).boundedTo(largest_size()))
    window.installEventFilter(_Fitting(window))


def tab_after(place: QWidget, widgets: Iterable[QWidget]) -> None:
    """Let Tab come to widgets that were made later, and what is in them, where they stand: after `place`, their parent.

    Qt puts what is made later behind everything else of the window.
    """
    before, policy = place, place.focusPolicy()
    # Qt puts nothing after what can't have the focus.
    place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for widget in (part for each in widgets for part in (each, *each.findChildren(QWidget))):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.objectName().startswith(_QT_OWN):
            QWidget.setTabOrder(before, widget)
            before = widget
    place.setFocusPolicy(policy)


def line() -> QFrame:
    """A horizontal line of one pixel."""
    made = QFrame()
    made.setProperty("role", "line")
    made.setFixedHeight(1)
    return made
