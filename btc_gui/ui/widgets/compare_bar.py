"""The bar that puts other answers about the same change beside a case: usual choices as buttons, all in a menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from btc_gui.domain.case import CaseRow
from btc_gui.domain.trajectory import AnswerId
from btc_gui.sessions.comparing import MOST_LANES
from btc_gui.sessions.lane_presets import PRESETS, LanePreset, lane_presets
from btc_gui.ui.case_reading import CaseReading
from btc_gui.ui.widgets.buttons import button, in_button, show_words
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.plain_text import in_line, label, one_line, tooltip
from btc_gui.ui.words import counted

#: So many of the nearest answers come in turn with a key.
_IN_TURN = 5
_MOST_IN_MENU = 200


class CompareBar(QWidget):
    """Offers what to compare a case with."""

    #: The answers to put beside the case, in order (none: read it alone).
    comparison_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading: CaseReading | None = None
        flow = FlowLayout(self, 6)
        self._none = label("There is no other answer about this change to compare with.", "small", wraps=False)
        self._head = in_line("Compare with", "small", button("").sizeHint().height())
        self._presets = {name: self._preset_button(name) for name in PRESETS}
        self._more = self._more_button()
        for each in (self._none, self._head, *self._presets.values(), self._more):
            each.hide()
            flow.addWidget(each)

    @property
    def _shown(self) -> tuple[AnswerId, ...]:
        return self._reading.ids[1:] if self._reading else ()

    def show_others(self, reading: CaseReading) -> None:
        """Offer the other answers of a reading."""
        self._reading = reading
        self._none.setVisible(not reading.others)
        self._head.setVisible(bool(reading.others))
        self._more.setVisible(bool(reading.others))
        show_words(self._more, f"Choose · {len(reading.others)}")
        self._more.setAccessibleName(f"Choose among {counted(len(reading.others), 'other answer')} about this change")
        offered = {preset.name: preset for preset in lane_presets(reading.case, reading.others)}
        for name, made in self._presets.items():
            preset = offered.get(name)
            if preset is None and made.hasFocus():
                # Qt would hand the focus on to a field, and keys be typed.
                self._more.setFocus()
            if preset is not None:
                self._show_preset(made, preset)
            made.setVisible(preset is not None)

    def show_again(self) -> None:
        """Mark what stands beside the case: what was asked for last is not going to."""
        if self._reading is not None:
            self.show_others(self._reading)

    def _preset_button(self, name: str) -> QPushButton:
        made = button("", role="toggle")
        made.setObjectName(f"compare-{name}")
        made.setCheckable(True)
        made.clicked.connect(self._clicked)
        return made

    def _show_preset(self, made: QPushButton, preset: LanePreset) -> None:
        count = f" · {len(preset.ids)}" if len(preset.ids) > 1 else ""
        show_words(made, preset.text + count)
        made.setChecked(preset.ids == self._shown)
        made.setProperty("ids", [int(answer_id) for answer_id in preset.ids])
        named = [other for other in self._reading.others if other.answer_id in preset.ids] if self._reading else []
        words = "\n".join(one_line(other.configuration.title, 100) for other in named)
        more = f"\nand {preset.left_out} more, for which there is no room" if preset.left_out else ""
        made.setToolTip(tooltip(words + more))

    def _more_button(self) -> QToolButton:
        more = QToolButton()
        more.setObjectName("compare-choose")
        more.setProperty("role", "button")
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        # Some hundred answers may be offered: told when somebody looks.
        menu.aboutToShow.connect(self._fill_menu)
        menu.triggered.connect(self._chosen)
        more.setMenu(menu)
        return more

    def _fill_menu(self) -> None:
        menu, reading = self._more.menu(), self._reading
        if reading is None:
            return
        menu.clear()
        for other in reading.others[:_MOST_IN_MENU]:
            probe = "" if other.probe_id == reading.case.probe_id else f"    {one_line(other.probe_text, 50)}"
            action = menu.addAction(in_button(f"{other_words(other, reading.case)}{probe}"))
            action.setData(int(other.answer_id))
            action.setCheckable(True)
            action.setChecked(other.answer_id in self._shown)

    def _clicked(self) -> None:
        made = self.sender()
        if isinstance(made, QPushButton):
            ids = tuple(AnswerId(each) for each in made.property("ids"))
            self.comparison_asked.emit(ids if made.isChecked() else ())

    def _chosen(self, action: QAction) -> None:
        self._toggle(AnswerId(action.data()))

    def take_away(self, answer_id: AnswerId) -> None:
        """Take one of the answers beside the case away."""
        self.comparison_asked.emit(tuple(other for other in self._shown if other != answer_id))

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
    return [*same[: _IN_TURN - 1], *other_kind[:1]]


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
