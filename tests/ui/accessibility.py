"""What a screen reader and a keyboard find in a window, as sentences on what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLabel, QWidget

#: So many pixels may two things overlap that stand one after another.
_SLACK = 6


def named(widget: QWidget) -> str:
    """What a screen reader calls a widget, asked through the accessibility tree."""
    interface = QAccessible.queryAccessibleInterface(widget)
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


def stops(window: QWidget) -> list[QWidget]:
    """The widgets of a window that Tab goes to, in its order."""
    found: list[QWidget] = []
    widget = window.nextInFocusChain()
    while widget is not window:
        if _takes_tab(widget) and widget.window() is window:
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def _settled(window: QWidget) -> list[QWidget]:
    """The stops once every group of buttons of which one is pressed had the focus: only that one takes Tab then."""
    for widget in stops(window):
        if isinstance(widget, QAbstractButton) and widget.isChecked() and widget.group() is not None:
            widget.setFocus()
    return stops(window)


def _takes_tab(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def focusable(window: QWidget) -> list[QWidget]:
    """Every visible widget of a window that can have the focus, also by the mouse alone."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.window() is window
        and widget.isVisibleTo(window)
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not _is_inside(widget)
    ]


def _is_inside(widget: QWidget) -> bool:
    """Whether a widget is a part of one of Qt's own (the field of a spin box), which speaks for it."""
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractSpinBox | QComboBox) or widget.objectName().startswith("qt_")


def faults(window: QWidget) -> Iterator[str]:
    """All that is wrong with a shown window."""
    yield from faults_of_names(window)
    yield from faults_of_order(window)
    yield from faults_of_tab(window)


def faults_of_names(window: QWidget) -> Iterator[str]:
    """Without a name, with the name of a neighbour, an icon without words."""
    seen: Counter[tuple[str, str]] = Counter()
    for widget in focusable(window):
        name = named(widget)
        if not name and not (isinstance(widget, QLabel) and not widget.text()):
            yield f"no name: {described(widget)} in {_place(widget)}"
        elif widget.isVisible() and not isinstance(widget, QLabel):
            seen[(name, _role(widget))] += 1
    for (name, role), count in seen.items():
        if count > 1:
            yield f"{count} of one name: {role} “{name}”"
    for button in window.findChildren(QAbstractButton):
        has_words = button.text().strip() or button.toolTip()
        if button.isVisibleTo(window) and not button.icon().isNull() and not has_words and not _is_inside(button):
            yield f"an icon without a tool tip: {described(button)} in {_place(button)}"


def _role(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.role().name


def _place(widget: QWidget) -> str:
    names: list[str] = []
    parent = widget.parentWidget()
    while parent is not None and len(names) < 4:
        names.append(type(parent).__name__)
        parent = parent.parentWidget()
    return " < ".join(names)


def faults_of_order(window: QWidget) -> Iterator[str]:
    """Tab goes back: to something that stands wholly above or left of what it comes from."""
    chain = _settled(window)
    for one, other in pairwise(chain):
        first, second = _siblings(one, other)
        a, b = _rect(first, window), _rect(second, window)
        is_above = b.bottom() <= a.top() + _SLACK and _overlap(a.left(), a.right(), b.left(), b.right())
        is_left = b.right() <= a.left() + _SLACK and _overlap(a.top(), a.bottom(), b.top(), b.bottom())
        if is_above or is_left:
            yield f"Tab goes {'up' if is_above else 'left'} from {described(one)} to {described(other)}"


def _overlap(a: int, b: int, c: int, d: int) -> bool:
    return min(b, d) - max(a, c) > _SLACK


def _rect(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def _siblings(one: QWidget, other: QWidget) -> tuple[QWidget, QWidget]:
    """The two widgets of one parent that these stand in."""
    above = [one]
    while (parent := above[-1].parentWidget()) is not None:
        above.append(parent)
    path = [other]
    while path[-1] not in above:
        parent = path[-1].parentWidget()
        assert parent is not None
        path.append(parent)
    place = above.index(path[-1])
    if place == 0:
        return one, other
    if len(path) == 1:
        return above[place], other
    return above[place - 1], path[-2]


def faults_of_tab(window: QWidget) -> Iterator[str]:
    """Pressing Tab visits every stop once and comes back to the first; Shift+Tab takes the same way back."""
    expected = _settled(window)
    if not expected:
        return
    for key, way in ((Qt.Key.Key_Tab, expected), (Qt.Key.Key_Backtab, expected[::-1])):
        way[0].setFocus()
        for widget in (*way[1:], way[0]):
            before = QApplication.focusWidget()
            if before is None:
                yield f"no focus before {described(widget)}"
                return
            QTest.keyClick(before, key)
            if QApplication.focusWidget() is not widget:
                now = QApplication.focusWidget()
                went = described(now) if now else "nothing"
                yield f"{key.name} from {described(before)} goes to {went}, not {described(widget)}"
                return
