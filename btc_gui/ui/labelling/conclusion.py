"""What follows from a failure-mode form: the derived mode and why, or the reason for giving another one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from btc_gui.domain.failure_mode import DerivedMode, FailureMode
from btc_gui.domain.mode_form import OverrideCode
from btc_gui.domain.packet import Choice
from btc_gui.ui.labelling.desk import FieldLine
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.buttons import CommandButton, button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.marks import MarkLabel, mark_of_mode
from btc_gui.ui.widgets.plain_text import label


class Conclusion(QStackedWidget):
    """Shows the derived mode with its trace and a button that gives it; asks for a reason when another one is given."""

    #: Another mode is given: the mode, the reason's code, its words.
    overridden = Signal(object, object, str)
    #: A reason was chosen or typed; see `code` and `words`.
    changed = Signal()
    #: No other mode after all.
    left = Signal()
    said = Signal(str, str)

    def __init__(self, theme: Theme, confirm: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._confirm = confirm
        self._mode: FailureMode | None = None
        self.addWidget(self._derived_row(theme))
        self.addWidget(self._reason_row())

    def _derived_row(self, theme: Theme) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        self._mark = MarkLabel(theme, mark_of_mode(None))
        self._words = label("")
        self._button = CommandButton(self._confirm, "primary")
        layout.addWidget(self._mark)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._button)
        return row

    def _reason_row(self) -> QWidget:
        row = QWidget()
        flow = FlowLayout(row)
        self._asks = label("", "warning", wraps=False)
        self.codes = Combo("Reason for another mode", [(code.value, code.text) for code in OverrideCode])
        self.codes.setMinimumContentsLength(30)
        self.codes.activated.connect(self.changed)
        self.reason = FieldLine()
        self.reason.setPlaceholderText("A few words; Enter saves")
        self.reason.setAccessibleName("Why another mode, in a few words")
        self.reason.setMinimumWidth(260)
        self.reason.textEdited.connect(self.changed)
        self.reason.returnPressed.connect(self.give)
        self.reason.left.connect(self.stop_asking)
        self.reason.said.connect(self.said)
        save = button("Save", role="primary")
        save.clicked.connect(self.give)
        cancel = button("Cancel")
        cancel.clicked.connect(self.stop_asking)
        for each in (self._asks, self.codes, self.reason, save, cancel):
            flow.addWidget(each)
        return row

    @property
    def asked_mode(self) -> FailureMode | None:
        """The mode whose reason is being asked for."""
        return self._mode

    @property
    def code(self) -> OverrideCode:
        """The chosen reason."""
        return OverrideCode(self.codes.value)

    @property
    def words(self) -> str:
        """The reason in words, as typed so far."""
        return self.reason.text().strip()

    def show_derived(self, derived: DerivedMode, choice: Choice | None, missing: tuple[str, ...]) -> None:
        """Show what follows; `missing` is what the form still needs."""
        if missing:
            words = f"Still needed: {', then '.join(missing)}."
        elif choice is None:
            words = f"No mode follows: {derived.trace}. Decide it, choose a mode with a reason, or say unsure."
        else:
            words = f"{choice.text} follows: {derived.trace}."
        mode = derived.mode if not missing else None
        self._mark.show_mark(mark_of_mode(mode), choice.text if choice and not missing else "undecided")
        self._words.setText(words)
        self._confirm.setEnabled(choice is not None and not missing)
        self._button.setVisible(choice is not None and not missing)

    def ask(self, mode: FailureMode, choice: Choice, code: OverrideCode | None, words: str) -> None:
        """Ask why this mode is given."""
        self._mode = mode
        self._asks.setText(f"{choice.text}: why not what follows?")
        self.codes.setCurrentIndex(max(0, self.codes.findData(code.value if code else OverrideCode.BORDER.value)))
        self.reason.setText(words)
        self.setCurrentIndex(1)

    def stop(self) -> None:
        """Show what follows again, without telling."""
        self._mode = None
        self.setCurrentIndex(0)

    def stop_asking(self) -> None:
        """Give no other mode after all."""
        if self._mode is not None:
            self.stop()
            self.left.emit()

    def give(self) -> None:
        """Give the other mode with the reason that is chosen and typed."""
        if self._mode is None:
            return
        if self.words:
            self.overridden.emit(self._mode, self.code, self.words)
        else:
            self.said.emit("A few words are needed: why does another mode fit better?", "warning")
            self.reason.setFocus()
