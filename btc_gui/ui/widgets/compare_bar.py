"""The bar that puts another answer about the same change beside a case: the nearest as buttons, the rest in a menu."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from btc_gui.domain.case import CaseRow
from btc_gui.domain.trajectory import AnswerId
from btc_gui.sessions.comparing import MOST_LANES
from btc_gui.ui.case_reading import CaseReading
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import in_line, label, one_line, tooltip

#: More configurations than this go into a menu: the bar stays one or two lines.
_BUTTONS = 5


class CompareBar(QWidget):
    """Offers what to compare a case with."""

    #: The answers to put beside the case, in order (none: read it alone).
    comparison_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading: CaseReading | None = None
        self._flow = FlowLayout(self, 6)

    @property
    def _shown(self) -> tuple[AnswerId, ...]:
        return self._reading.ids[1:] if self._reading else ()

    def show_others(self, reading: CaseReading) -> None:
        """Offer the other answers of a reading."""
        self._reading = reading
        self._flow.clear()
        if not reading.others:
            self._flow.addWidget(
                label("There is no other answer about this change to compare with.", "small", wraps=False)
            )
            return
        self._flow.addWidget(in_line("Compare with", "small", button("").sizeHint().height()))
        near = near_answers(reading)
        for other in near:
            made = button(other_words(other, reading.case), role="toggle")
            made.setCheckable(True)
            made.setChecked(other.answer_id in self._shown)
            made.setProperty("answer", int(other.answer_id))
            made.setToolTip(tooltip(f"{other.configuration.title}: {other.probe_text}"))
            made.clicked.connect(self._clicked)
            self._flow.addWidget(made)
        rest = [other for other in reading.others if other not in near]
        if rest:
            self._flow.addWidget(self._more_button(reading, rest))

    def _more_button(self, reading: CaseReading, rest: Sequence[CaseRow]) -> QToolButton:
        more = QToolButton()
        more.setProperty("role", "button")
        more.setText(f"{len(rest)} more")
        more.setAccessibleName(f"{len(rest)} more answers about this change")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        for other in rest:
            probe = "" if other.probe_id == reading.case.probe_id else f"    {one_line(other.probe_text, 50)}"
            action = menu.addAction(f"{other_words(other, reading.case)}{probe}".replace("&", "&&"))
            action.setData(int(other.answer_id))
        menu.triggered.connect(self._chosen)
        more.setMenu(menu)
        return more

    def _clicked(self) -> None:
        made = self.sender()
        if isinstance(made, QPushButton):
            self._toggle(AnswerId(made.property("answer")))

    def _chosen(self, action: QAction) -> None:
        self._toggle(AnswerId(action.data()))

    def _toggle(self, answer_id: AnswerId) -> None:
        """Put an answer beside the others, in the place of the last one where all are taken, or take it away."""
        shown = [other for other in self._shown if other != answer_id]
        if answer_id not in self._shown:
            shown = [*shown[: MOST_LANES - 2], answer_id]
        self.comparison_asked.emit(tuple(shown))

    def compare_next(self) -> None:
        """Compare with the next of the nearest answers, then with none."""
        reading = self._reading
        if reading is None or not reading.others:
            return
        ids = [other.answer_id for other in near_answers(reading)]
        last = self._shown[-1] if self._shown else None
        place = ids.index(last) + 1 if last in ids else 0
        self.comparison_asked.emit(tuple(ids[place : place + 1]))


def near_answers(reading: CaseReading) -> list[CaseRow]:
    """The answers that are compared most: other configurations on this probe, this configuration's direct probe."""
    case = reading.case
    same = [other for other in reading.others if other.probe_id == case.probe_id]
    other_kind = [
        other
        for other in reading.others
        if other.kind is not case.kind and other.configuration_id == case.configuration_id
    ]
    return [*same[: _BUTTONS - 1], *other_kind[:1]]


def other_words(other: CaseRow, case: CaseRow) -> str:
    """What tells another answer from this one."""
    words = one_line(f"{other.configuration.model} · {other.configuration.effort.text}", 40)
    if other.configuration.harness != case.configuration.harness:
        words += f" · {other.configuration.harness}"
    if other.kind is not case.kind:
        words += f" · {other.kind} probe"
    if other.repetition != 1 or case.repetition != 1:
        words += f" · {other.repetition}"
    if other.run_id != case.run_id:
        words += f" · run {other.run_id}"
    return words
