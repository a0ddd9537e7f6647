"""Adding an event by hand, or correcting one: the same checks as for files, said beside the form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.event import Event, EventId
from btc_gui.domain.outside_text import printable
from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.sessions.event_desk import FIELDS, EventDesk, texts_of
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import scrolling, size_window
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.wording import counted

_HINTS: Mapping[str, str] = {
    "date": "2026-05-09, 2026-05 or 2026",
    "started": "2019-01-07",
    "ends": "empty when it lasts",
    "qid": "Q42",
    "position_qid": "Q42",
    "article": "the exact title, such as Anne Hidalgo",
    "source": "https://…",
}
_OF_OFFICES = ("position", "position_qid", "started")


def _save(desk: EventDesk, event_id: EventId | None, values: Mapping[str, str], progress: Progress) -> EventId:
    if event_id is None:
        return desk.add(values)
    return desk.correct(event_id, values).id


class EventDialog(QDialog):
    """`saved` carries the event's id. Without an `event` a new one is added."""

    saved = Signal(object)

    def __init__(self, context: Context, event: Event | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context, self._event = context, event
        self._desk = EventDesk(context.database, context.categories, context.settings.reviewer)
        title = f"Correct {event.facts.entity}" if event else "Add an event"
        self.setWindowTitle(one_line(title, 120))
        size_window(self, 620, 640)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(title, "title"))
        column.addWidget(label(self._words(), "secondary"))
        column.addWidget(scrolling(self._build_form(), "Facts"), 1)
        self.problem = label("", "danger", selectable=True)
        self.problem.hide()
        column.addWidget(self.problem)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.save_button = button("Save" if event else "Add", role="primary")
        self.save_button.setDefault(True)
        self.save_button.clicked.connect(self._try)
        row.addWidget(cancel)
        row.addWidget(self.save_button)
        column.addLayout(row)
        self._show_fields()
        self.fields["entity"].setFocus()

    def _words(self) -> str:
        if self._event is None:
            return "Stands with your name as its author. Days are written 2026-05-09."
        approvals = self._desk.consequence(self._event.id).approvals
        stale = (
            f" Other facts make {counted(approvals, 'approval')} of its probes stale: they are to be looked at again."
            if approvals
            else ""
        )
        return f"A correction is a new revision of the facts; the old ones are kept.{stale}"

    def _build_form(self) -> QWidget:
        body = QWidget()
        self._form = form = QFormLayout(body)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        values = texts_of(self._event.facts) if self._event else {}
        choices = [(each.name, each.title) for each in self._context.categories.values()]
        self.category = Combo("Category")
        self.category.set_choices(choices, values.get("category", ""))
        self.category.activated.connect(self._show_fields)
        form.addRow(FIELDS["category"], self.category)
        self.fields: dict[str, QLineEdit] = {}
        for name, words in FIELDS.items():
            if name == "category":
                continue
            field = QLineEdit(printable(values.get(name, "")))
            field.setAccessibleName(words)
            field.setPlaceholderText(_HINTS.get(name, ""))
            field.setCursorPosition(0)
            field.returnPressed.connect(self._try)
            form.addRow(words, field)
            self.fields[name] = field
        return body

    def _show_fields(self, _: object = None) -> None:
        category = self._context.categories.get(self.category.value)
        has_position = category is not None and "position" in category.required
        for name in _OF_OFFICES:
            self._form.setRowVisible(self.fields[name], has_position)
        has_end = category is not None and category.has_end
        # An end that was written once stays to be seen.
        self._form.setRowVisible(self.fields["ends"], has_end or bool(self.fields["ends"].text()))

    def _values(self) -> dict[str, str]:
        hidden = [name for name in (*_OF_OFFICES, "ends") if not self._form.isRowVisible(self.fields[name])]
        values = {name: field.text() for name, field in self.fields.items() if name not in hidden}
        return {"category": self.category.value} | values

    def _try(self) -> None:
        if not self.save_button.isEnabled():
            return
        event_id = self._event.id if self._event else None
        self.save_button.setEnabled(False)
        self._context.job_runner.start(
            "Save the event",
            partial(_save, self._desk, event_id, self._values()),
            lane="load",
            succeeded=self._saved,
            failed=self._failed,
            is_quiet=True,
        )

    def _saved(self, event_id: object) -> None:
        self._context.changes.tell(Subject.EVENTS, Subject.PROBES)
        self.saved.emit(event_id)
        self.accept()

    def _failed(self, error: object) -> None:
        self.save_button.setEnabled(True)
        self.problem.setText(str(error))
        self.problem.show()
        if not isinstance(error, BtcError) and isinstance(error, BaseException):
            self._context.shell.show_error(error)
