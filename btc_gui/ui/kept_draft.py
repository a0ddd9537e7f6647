"""What is typed into a field and not given yet: in the project within a second of the last key, by place."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from btc_gui.domain.outside_text import printable
from btc_gui.errors import BtcError
from btc_gui.store.drafts import DraftStore
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.note_field import NoteField

#: What is typed is on the disk this long after the first key since the last time.
AUTOSAVE_MILLISECONDS = 600


class KeptDraft(QObject):
    """Keeps the text of a field under a place, and brings it back."""

    def __init__(self, context: Context, field: NoteField) -> None:
        super().__init__(field)
        self._context, self._field = context, field
        self._place = ""
        self._kept = ""
        self._is_told = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AUTOSAVE_MILLISECONDS)
        self._timer.timeout.connect(self.flush)
        field.textChanged.connect(self._changed)

    def begin(self, place: str, text: str = "") -> None:
        """Go to another place: what was being typed is kept; its unfinished text is shown, or else `text`."""
        if place == self._place:
            return
        self.flush()
        self._place = place
        self._kept = DraftStore(self._context.database).get(place) if place else ""
        self._field.setText(printable(self._kept or text))
        self._timer.stop()

    def done(self) -> None:
        """What was typed was given: nothing of it is unfinished any more."""
        self._field.setText("")
        self.flush()

    def flush(self) -> None:
        """Keep what is being typed."""
        self._timer.stop()
        text = self._field.text()
        # What could not be written is held elsewhere: until it is, also a text as before has to take its place.
        if not self._place or (text == self._kept and not self._is_told):
            return
        try:
            DraftStore(self._context.database).keep(self._place, text)
        except BtcError as error:
            # Once: it is held, and tried again with each pause.
            if not self._is_told:
                self._is_told = True
                self._context.shell.show_error(error)
        else:
            self._kept, self._is_told = text, False

    def _changed(self) -> None:
        # Not restarted by each key: also somebody who never stops typing is saved within the interval.
        if self._place and not self._timer.isActive():
            self._timer.start()
