"""The tags of a case and its steps, and a field for another."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QPushButton, QWidget

from btc_gui.domain.case_remarks import LONGEST_TAG, CaseTag
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import in_line, tooltip
from btc_gui.ui.words import moment


class _TagField(QLineEdit):
    """Tells when somebody goes into it, and when Escape leaves it."""

    entered = Signal()
    escaped = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.entered.emit()
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
            self.escaped.emit()
            return
        super().keyPressEvent(event)


class TagRow(QWidget):
    """`added` carries what was typed (commas part tags); `taken` the `CaseTag` to take off."""

    added = Signal(str)
    taken = Signal(object)
    #: Somebody goes into the field: tags to complete from are wanted.
    entered = Signal()
    #: Escape was pressed in the field: the focus belongs where it was needed before.
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, 6)
        self._buttons: list[QPushButton] = []
        self.field = _TagField()
        self.field.entered.connect(self.entered)
        self.field.escaped.connect(self.escaped)
        self.field.setPlaceholderText("Add a tag")
        self.field.setAccessibleName("Add a tag; commas part tags")
        self.field.setMaxLength(LONGEST_TAG * 8)
        self.field.setFixedWidth(self.field.fontMetrics().averageCharWidth() * 16)
        self.field.returnPressed.connect(self._add)
        self._known = QStringListModel(self)
        completer = QCompleter(self._known, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.field.setCompleter(completer)
        self._title = in_line("Tags", "small", self.field.sizeHint().height())
        self._flow.addWidget(self._title)
        self._flow.addWidget(self.field)

    def show_tags(self, tags: Sequence[tuple[CaseTag, str]]) -> None:
        """Show tags, each with words for where it is (empty: on the case itself)."""
        for each in (*self._buttons, self.field):
            self._flow.removeWidget(each)
        for each in self._buttons:
            each.hide()
            each.deleteLater()
        self._buttons = [self._button(tag, place) for tag, place in tags]
        for made in (*self._buttons, self.field):
            self._flow.addWidget(made)
            made.show()
        self.updateGeometry()

    def complete_from(self, tags: Sequence[str]) -> None:
        """The tags that the project has."""
        if self._known.stringList() != list(tags):
            self._known.setStringList(list(tags))

    def _button(self, tag: CaseTag, place: str) -> QPushButton:
        words = f"{tag.tag} · {place}" if place else tag.tag
        made = button(f"{words.replace('&', '&&')}  ✕", role="chip")
        made.setAccessibleName(f"Take the tag {words} off")
        made.setToolTip(tooltip(f"{tag.author or 'somebody unnamed'}, {moment(tag.at)}. Click to take it off."))
        made.setProperty("tag", tag)
        made.clicked.connect(self._take)
        return made

    def _take(self) -> None:
        self.taken.emit(self.sender().property("tag"))

    def _add(self) -> None:
        text = self.field.text().strip()
        if text:
            self.added.emit(text)
