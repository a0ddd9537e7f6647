"""What a screen reader and a keyboard find in a window, as sentences on what is wrong with it.

Windows are read from the top down, and Tab is pressed: a widget that is asked for its parent, its window or its
neighbour becomes the owner of that in PySide, and garbage of Python's then deletes what is on the screen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QButtonGroup,
    QComboBox,
    QLabel,
    QRadioButton,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QWidget,
)

#: A ring of one pixel around something small has so many.
FOCUS_PIXELS = 40
#: So many pixels may two things overlap that stand one after another.
_SLACK = 6
_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])
_LINEAR = np.array(
    [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in np.arange(256) / 255]
)
#: What a tooltip that Qt takes for markup begins with; texts from outside may hold tags of their own.
_MARKUP = re.compile(r"^<(?:span|qt|html|p|b)>|&lt;")
_MUST_SAY = frozenset(
    {
        QAccessible.Role.ListItem,
        QAccessible.Role.RowHeader,
        QAccessible.Role.ColumnHeader,
        QAccessible.Role.PageTab,
        QAccessible.Role.Slider,
    }
)
#: Of a long table its first rows are heard.
_MOST_CHILDREN = 80
#: A letter that Qt underlines, which is not seen as an ampersand.
_MNEMONIC = re.compile(r"(?<!&)&(?:&&)*(?!&)(.)")


class WindowReading:
    """All widgets of a shown window, each with those that it stands in, the outermost first."""

    def __init__(self, window: QWidget) -> None:
        self.window = window
        self.around: dict[QWidget, tuple[QWidget, ...]] = {}
        self._read(window, (window,))

    def _read(self, widget: QWidget, path: tuple[QWidget, ...]) -> None:
        for child in widget.children():
            if isinstance(child, QWidget) and not child.isWindow():
                self.around[child] = path
                self._read(child, (*path, child))

    def focusable(self) -> list[QWidget]:
        """Every visible widget that can have the focus, also by the mouse alone."""
        return [
            widget
            for widget in self.around
            if widget.isVisible()
            and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
            and not self.is_inside(widget)
            # Its bar of tabs has the focus.
            and not isinstance(widget, QTabWidget)
        ]

    def is_inside(self, widget: QWidget) -> bool:
        """Whether a widget is a part of one of Qt's own (the field of a spin box), which speaks for it."""
        owner = self.around[widget][-1]
        is_qts_own = widget.objectName().startswith("qt_") and not isinstance(widget, QTabBar)
        return isinstance(owner, QAbstractSpinBox | QComboBox) or is_qts_own

    def stops(self) -> set[QWidget]:
        """The widgets that Tab must come to."""
        return {
            widget
            for widget in self.focusable()
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled() and not self._is_beside(widget)
        }

    def _is_beside(self, widget: QWidget) -> bool:
        """Whether it is one of several buttons of which another is pressed: arrows go to it."""
        if not isinstance(widget, QAbstractButton) or not widget.isCheckable() or widget.isChecked():
            return False
        groups = [group.buttons() for group in self.window.findChildren(QButtonGroup) if group.exclusive()]
        if isinstance(widget, QRadioButton):
            beside = self.around[widget]
            groups.append(
                [each for each in self.around if isinstance(each, QRadioButton) and self.around[each] == beside]
            )
        return any(widget in group and any(each.isChecked() for each in group) for group in groups)

    def rect(self, widget: QWidget) -> QRect:
        """Where it is in the window."""
        return QRect(widget.mapTo(self.window, QPoint(0, 0)), widget.size())

    def place(self, widget: QWidget) -> str:
        """Where it is, for a person who reads a failure."""
        return " < ".join(type(each).__name__ for each in self.around[widget][:-4:-1])

    # -- names -----------------------------------------------------------------------------------------------

    def faults_of_names(self) -> Iterator[str]:
        """Without a name, with the name of a neighbour, an icon without words, an ampersand that is not seen."""
        seen: Counter[tuple[str, str]] = Counter()
        for widget in self.focusable():
            name = named(widget)
            if isinstance(widget, QLabel):
                continue  # Says what it shows.
            if not name:
                yield f"no name: {described(widget)} in {self.place(widget)}"
            else:
                seen[(name, _role(widget))] += 1
        for (name, role), count in seen.items():
            if count > 1:
                yield f"{count} of one name: {role} “{name}”"
        for button in self.around:
            if isinstance(button, QAbstractButton) and button.isVisible() and not self.is_inside(button):
                yield from self._faults_of_button(button)

    def _faults_of_button(self, button: QAbstractButton) -> Iterator[str]:
        if not button.icon().isNull() and not button.text().strip() and not button.toolTip():
            yield f"an icon without a tool tip: {described(button)} in {self.place(button)}"
        raw = QAbstractButton.text(button)
        if _MNEMONIC.search(raw):
            yield f"an ampersand is not seen: {raw!r}"

    def faults_of_letters(self) -> Iterator[str]:
        """Two labels of a form with the same underlined letter, or one that leads nowhere."""
        letters: Counter[str] = Counter()
        for widget in self.around:
            if isinstance(widget, QLabel) and widget.isVisible() and (buddy := widget.buddy()) is not None:
                for letter in _MNEMONIC.findall(widget.text()):
                    letters[letter.casefold()] += 1
                    target = buddy.focusProxy() or buddy
                    if target.focusPolicy() == Qt.FocusPolicy.NoFocus:
                        yield f"Alt+{letter} leads nowhere: {widget.text()!r}"
        for letter, count in letters.items():
            if count > 1:
                yield f"Alt+{letter} stands {count} times"

    # -- the tree --------------------------------------------------------------------------------------------

    def faults_of_tree(self) -> Iterator[str]:
        """What a screen reader walks through: markup in a name or a description, something that can have the focus and
        has no role, a row or a cell that says nothing."""
        yield from _faults_below(QAccessible.queryAccessibleInterface(self.window), "")

    # -- keys ------------------------------------------------------------------------------------------------

    def walk(self, key: Qt.Key) -> list[QWidget]:
        """Where a key goes, from the first stop until it is back there or comes to where it was before."""
        stops = self.stops()
        for widget in stops:
            if isinstance(widget, QAbstractButton) and widget.isChecked():
                # Only once one of a group had the focus Qt passes the others over.
                widget.setFocus()
        start = next((widget for widget in self.around if widget in stops), None)
        way: list[QWidget] = []
        if start is None:
            return way
        start.setFocus()
        now = QApplication.focusWidget()
        while now is not None and now not in way:
            way.append(now)
            QTest.keyClick(now, key)
            now = QApplication.focusWidget()
        return way

    def faults_of_tab(self) -> Iterator[str]:
        """Tab does not come to every stop, or goes back: to what stands wholly above or left of what it comes from.
        Shift+Tab takes another way."""
        way = self.walk(Qt.Key.Key_Tab)
        stops = self.stops()
        for widget in self.around:
            if widget in stops and widget not in way:
                yield f"Tab does not come to {described(widget)} in {self.place(widget)}"
        for widget in way:
            if widget not in stops:
                yield f"Tab comes to {described(widget)}, too"
        if not way or set(way) != stops:
            return
        back = self.walk(Qt.Key.Key_Backtab)
        if back != [way[0], *way[:0:-1]]:
            yield "Shift+Tab does not take the same way back"
        for one, other in pairwise(way):
            a, b = (self.rect(each) for each in self._beside_each_other(one, other))
            is_above = b.bottom() <= a.top() + _SLACK and _overlap(a.left(), a.right(), b.left(), b.right())
            is_left = b.right() <= a.left() + _SLACK and _overlap(a.top(), a.bottom(), b.top(), b.bottom())
            if is_above or is_left:
                yield f"Tab goes {'up' if is_above else 'left'} from {described(one)} to {described(other)}"

    def _beside_each_other(self, one: QWidget, other: QWidget) -> tuple[QWidget, QWidget]:
        """The two widgets of one parent that these stand in."""
        for a, b in zip((*self.around[one], one), (*self.around[other], other), strict=False):
            if a is not b:
                return a, b
        return one, other

    # -- the focus -------------------------------------------------------------------------------------------

    def faults_of_focus(self, seen: set[tuple[str, ...]]) -> Iterator[str]:
        """The focus is not seen on a kind of widget (`seen` holds the kinds that were looked at): one is grabbed with
        it and without, and enough of what differs has a contrast of 3 : 1 (WCAG 2.2, 2.4.13 and 1.4.11)."""
        for widget in self.stops():
            kind = (type(widget).__name__, str(widget.property("role")), str(widget.property("bare")))
            if kind in seen:
                continue
            seen.add(kind)
            for area in self.around[widget]:
                if isinstance(area, QScrollArea):
                    area.ensureWidgetVisible(widget)
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.processEvents()
            around = self.rect(widget).adjusted(-3, -3, 3, 3).intersected(self.window.rect())
            with_focus = self.window.grab(around).toImage()
            widget.clearFocus()
            QApplication.processEvents()
            clear = _clear_pixels(with_focus, self.window.grab(around).toImage())
            if clear < FOCUS_PIXELS:
                yield f"the focus is not seen ({clear} pixels): {described(widget)}, {kind}"


def faults(window: QWidget, seen: set[tuple[str, ...]]) -> list[str]:
    """All that is wrong with a shown and active window; `seen` are the kinds of widgets whose focus was looked at."""
    reading = WindowReading(window)
    found = [
        *reading.faults_of_names(),
        *reading.faults_of_letters(),
        *reading.faults_of_tree(),
        *reading.faults_of_tab(),
    ]
    return [*found, *reading.faults_of_focus(seen)]


def _faults_below(told: QAccessibleInterface | None, place: str) -> Iterator[str]:
    if told is None or not told.isValid() or told.state().invisible:
        return
    role = told.role()
    name, description = (told.text(each) for each in (QAccessible.Text.Name, QAccessible.Text.Description))
    here = f"{role.name} “{name[:40]}” in {place}"
    for words in (name, description):
        if _MARKUP.search(words):
            yield f"markup is read out: {words[:60]!r} of {here}"
    if told.state().focusable and role is QAccessible.Role.NoRole:
        yield f"it has no role: {here}"
    if role in _MUST_SAY and not name:
        yield f"it says nothing: {here}"
    for at in range(min(told.childCount(), _MOST_CHILDREN)):
        yield from _faults_below(told.child(at), name or place)


def named(widget: QWidget) -> str:
    """What a screen reader calls a widget, asked through the accessibility tree."""
    interface = cast("QAccessibleInterface | None", QAccessible.queryAccessibleInterface(widget))
    if interface is None:
        return ""
    if isinstance(widget, QComboBox):
        # Its name is what is chosen where Qt speaks by AT-SPI; its label or its description says what that is.
        return _label_of(interface) or interface.text(QAccessible.Text.Description).strip()
    return interface.text(QAccessible.Text.Name).strip()


def _label_of(interface: QAccessibleInterface) -> str:
    labels = interface.relations(QAccessible.RelationFlag.Label)
    return labels[0][0].text(QAccessible.Text.Name).strip() if labels else ""


def described(widget: QWidget) -> str:
    """A widget for a person who reads a failure."""
    return f"{type(widget).__name__} “{named(widget) or widget.objectName()}”"


def _role(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).role().name


def _overlap(a: int, b: int, c: int, d: int) -> bool:
    return min(b, d) - max(a, c) > _SLACK


def _clear_pixels(one: QImage, other: QImage) -> int:
    """How many pixels differ by 3 : 1 or more."""
    a, b = _luminances(one), _luminances(other)
    ratio = (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
    return int(np.count_nonzero(ratio >= 3))


def _luminances(image: QImage) -> NDArray[np.float64]:
    """Relative luminance by WCAG 2.2, of each pixel."""
    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    rows = np.frombuffer(bytes(plain.constBits()), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    parts = rows[:, : plain.width() * 4].reshape(plain.height(), plain.width(), 4)[:, :, :3]
    return np.asarray(_LINEAR[parts] @ _WEIGHTS)
