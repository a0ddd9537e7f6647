"""What is typed and chosen but not given yet: on the disk within a second of the last key."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from btc_gui.domain.item_state import ItemState
from btc_gui.domain.packet import ItemId
from btc_gui.errors import BtcError
from btc_gui.sessions.labelling import LabellingSession

#: What is typed is on the disk this long after the first keystroke since the last time.
AUTOSAVE_MILLISECONDS = 600


class Draft(QObject):
    """The unfinished form of the item on screen."""

    said = Signal(str, str)

    def __init__(self, session: LabellingSession, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._item: ItemId | None = None
        self._unsaved: ItemState | None = None
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(AUTOSAVE_MILLISECONDS)
        self.timer.timeout.connect(self.flush)

    def begin(self, item: ItemId | None) -> None:
        """Forget what was typed: it was given, or another item is on screen. None: nothing is kept."""
        self.timer.stop()
        self._item, self._unsaved = item, None

    def change(self, state: ItemState) -> None:
        """The form has changed."""
        self.said.emit("", "small")
        if self._item is None:
            return
        self._unsaved = state
        # Not restarted by each key: also somebody who never stops typing is saved within the interval.
        if not self.timer.isActive():
            self.timer.start()

    def flush(self) -> bool:
        """Save what was typed; False when that fails: then it must stay where it can be seen."""
        self.timer.stop()
        if self._item is None or self._unsaved is None:
            return True
        before = self._session.draft
        try:
            self._session.keep_draft(self._unsaved, self._item)
        except BtcError as error:
            self.said.emit(f"What you typed is not saved. {error}", "danger")
            return False
        # Of a label that asks for a reason nothing is said before there is one.
        is_told = replace(self._unsaved, choice=before.choice) != before
        self._unsaved = None
        if is_told:
            self.said.emit("Kept for later ✓", "success")
        return True
