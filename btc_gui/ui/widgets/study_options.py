"""The finer points of a study's design: good as they are, folded away until somebody wants them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies.kind import StudyKind
from btc_gui.domain.study import LeftOut, StudyId, UnsureRule
from btc_gui.errors import BtcError
from btc_gui.sessions.designing import Composed
from btc_gui.sessions.validating import ValidatingSession
from btc_gui.ui.file_dialogs import ask_open
from btc_gui.ui.widgets.buttons import button, link_button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.widgets.plain_text import in_line, label, set_role
from btc_gui.ui.words import counted

_RULES = (
    (AllocationRule.EQUAL_BY_CONFIGURATION.value, "The same number from each configuration"),
    (AllocationRule.PROPORTIONAL.value, "In proportion to each configuration"),
    (AllocationRule.POOLED.value, "From all configurations together"),
)
_UNSURE = (
    (UnsureRule.EXCLUDED.value, "Left out of the main figures"),
    (UnsureRule.DISAGREEMENT.value, "Counted as a disagreement"),
)
_CSV = "Tables (*.csv);;All files (*)"
_RELATIONS = (("states", "states the change"), ("entails", "entails it"), ("suggests", "suggests it"))


@dataclass(frozen=True, slots=True)
class Options:
    """What was chosen. `repeats` and `practice` of None are the usual ones."""

    rule: AllocationRule
    floor: int
    cap: int
    is_exact: bool
    repeats: int | None
    practice: int | None
    practice_mark: float
    ask_confidence: bool
    unsure_rule: UnsureRule
    relations: tuple[str, ...]
    break_minutes: int
    left_out: tuple[LeftOut, ...]
    seed: str
    order_seed: str


class StudyOptions(QWidget):
    """A form; `changed` tells of every change."""

    changed = Signal()

    def __init__(self, session: ValidatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._repeats_by_hand = self._practice_by_hand = False
        self._left_out: tuple[LeftOut, ...] = ()
        self._machine = "judge"
        form = self._form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._add_labelling()
        self._add_drawing()
        self._add_left_out()
        self._add_seeds()

    # -- building --------------------------------------------------------------------------------------------

    def _count(self, name: str, most: int = 10_000, *, zero: str = "", suffix: str = "") -> NumberBox:
        box = NumberBox()
        box.setRange(0, most)
        box.setAccessibleName(name)
        box.setSpecialValueText(zero)
        box.setSuffix(suffix)
        box.valueChanged.connect(self.changed)
        return box

    def _beside(self, *widgets: QWidget) -> QWidget:
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(holder, 8)
        for widget in widgets:
            flow.addWidget(widget)
        return holder

    def _words(self, text: str) -> QWidget:
        """Words in line with the field beside them."""
        return in_line(text, "secondary", self._repeats.sizeHint().height())

    def _add_labelling(self) -> None:
        self._repeats = self._count("Repeats", zero="None")
        self._repeats.valueChanged.connect(self._touch_repeats)
        self._form.addRow("&Repeats", self._beside(self._repeats, self._words("items come again, unmarked")))
        self._practice = self._count("Practice items", 100, zero="None")
        self._practice.valueChanged.connect(self._touch_practice)
        self._mark = self._count("Share that must be right", 100, suffix=" %")
        self._mark.setValue(80)
        words = self._words("come first;"), self._words("must be right")
        self._form.addRow("&Practice items", self._beside(self._practice, words[0], self._mark, words[1]))
        self._practice_told = label("", "small")
        self._practice_told.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._form.addRow("", self._practice_told)
        self._confidence = QCheckBox("Ask how sure one is (1 to 3)")
        self._confidence.toggled.connect(self.changed)
        self._form.addRow("Confidence", self._confidence)
        self._unsure = Combo("Unsure labels", _UNSURE)
        self._unsure.currentIndexChanged.connect(self.changed)
        self._form.addRow("&Unsure labels", self._unsure)
        self._relations = []
        for value, words_of in _RELATIONS:
            box = QCheckBox(words_of.capitalize())
            box.setChecked(value != "suggests")
            box.toggled.connect(self.changed)
            self._relations.append((box, value))
        self._relation_row = self._beside(*(box for box, _ in self._relations))
        self._form.addRow("Evidence", self._relation_row)
        self._break = self._count("Minutes to a break", 600, zero="Never", suffix=" min")
        self._break.setValue(45)
        self._form.addRow("Suggest a &break after", self._beside(self._break))

    def _add_drawing(self) -> None:
        self._rule = Combo("Drawn", _RULES)
        self._rule.currentIndexChanged.connect(self._follow_rule)
        self._form.addRow("&Drawn", self._rule)
        self._floor = self._count("At least from each configuration", zero="No least")
        self._cap = self._count("At most from each configuration", zero="No limit")
        self._limits = self._beside(
            self._words("at least"),
            self._floor,
            self._words("at most"),
            self._cap,
        )
        self._form.addRow("From each one", self._limits)
        self._exact = QCheckBox("Don't lock with fewer than wanted")
        self._exact.toggled.connect(self.changed)
        self._form.addRow("Shortfall", self._exact)

    def _add_left_out(self) -> None:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self._left_out_told = label("", "secondary")
        column.addWidget(self._left_out_told)
        from_file = button("From a file…")
        from_file.setToolTip("A CSV file with the columns key (or probe) and reason")
        from_file.clicked.connect(self._ask_left_out)
        self._earlier = Combo("Leave out the items of a study")
        self._earlier.setMinimumContentsLength(20)
        self._earlier.currentIndexChanged.connect(self._leave_out_study)
        self._clear = link_button("Clear")
        self._clear.clicked.connect(self._clear_left_out)
        column.addWidget(self._beside(from_file, self._earlier, self._clear))
        self._form.addRow("Left out", holder)
        studies = self._session.locked_studies()
        self._earlier.set_choices([("", "Items of a study…"), *((str(study.id), study.name) for study in studies)])
        self._earlier.setVisible(bool(studies))
        self._tell_left_out()

    def _add_seeds(self) -> None:
        self._seed, self._order_seed = QLineEdit(secrets.token_hex(4)), QLineEdit(secrets.token_hex(4))
        for edit in (self._seed, self._order_seed):
            edit.textChanged.connect(self.changed)
        self._form.addRow("Seed of the dra&w", self._seed)
        self._form.addRow("Seed of the &order", self._order_seed)

    # -- what depends on what --------------------------------------------------------------------------------

    def show_kind(self, kind: StudyKind) -> None:
        """Which rows and words a kind of study has."""
        self._form.setRowVisible(self._relation_row, kind.has_form)
        self._machine = kind.machine
        self._tell_left_out()

    def show_composed(self, composed: Composed) -> None:
        """The usual numbers, where nobody has chosen others."""
        design = composed.design
        for box, value in ((self._repeats, design.repeats), (self._practice, design.practice)):
            if not box.hasFocus():
                was_blocked = box.blockSignals(True)
                box.setValue(value)
                box.blockSignals(was_blocked)
        there = composed.practice_items
        self._practice_told.setText(
            f"The categories have {counted(there, 'practice item')} for this study. "
            "You can give a file of your own when you lock it."
        )
        set_role(self._practice_told, "warning" if design.practice > there else "small")

    def _touch_repeats(self) -> None:
        self._repeats_by_hand = True

    def _touch_practice(self) -> None:
        self._practice_by_hand = True

    def _follow_rule(self) -> None:
        is_pooled = self._rule.value == AllocationRule.POOLED
        self._form.setRowVisible(self._limits, not is_pooled)
        if is_pooled:
            self._floor.setValue(0)
            self._cap.setValue(0)
        self.changed.emit()

    # -- left out --------------------------------------------------------------------------------------------

    def _ask_left_out(self) -> None:
        path = ask_open(self, "Answers to leave out", _CSV)
        if path is not None:
            self.leave_out(path)

    def leave_out(self, path: Path) -> None:
        """Leave out what a CSV file lists."""
        try:
            self._add_to_left_out(self._session.read_left_out(path))
        except BtcError as error:
            self._left_out_told.setText(str(error))
            set_role(self._left_out_told, "danger")

    def _leave_out_study(self) -> None:
        if self._earlier.value:
            found = self._session.left_out_of(StudyId(int(self._earlier.value)))
            self._earlier.setCurrentIndex(0)
            self._add_to_left_out(found)

    def _add_to_left_out(self, found: tuple[LeftOut, ...]) -> None:
        self._left_out = tuple({entry.key: entry for entry in (*self._left_out, *found)}.values())
        self._tell_left_out()
        self.changed.emit()

    def _clear_left_out(self) -> None:
        self._left_out = ()
        self._tell_left_out()
        self.changed.emit()

    def _tell_left_out(self) -> None:
        set_role(self._left_out_told, "secondary")
        self._clear.setVisible(bool(self._left_out))
        self._left_out_told.setText(
            f"{counted(len(self._left_out), 'key')} left out by hand"
            if self._left_out
            else f"Nothing by hand. Leave out what the {self._machine}'s prompt was developed on."
        )

    # -- what was chosen -------------------------------------------------------------------------------------

    @property
    def summary(self) -> str:
        """What is worth knowing while the form is folded."""
        minutes = self._break.value()
        parts = [
            counted(self._repeats.value(), "repeat") if self._repeats.value() else "no repeats",
            counted(self._practice.value(), "practice item") if self._practice.value() else "no practice",
            f"a break after {minutes} min" if minutes else "no breaks",
        ]
        parts += [f"{counted(len(self._left_out), 'key')} left out"] if self._left_out else []
        return ", ".join(parts)

    @property
    def values(self) -> Options:
        """What was chosen."""
        return Options(
            rule=AllocationRule(self._rule.value),
            floor=self._floor.value(),
            cap=self._cap.value(),
            is_exact=self._exact.isChecked(),
            repeats=self._repeats.value() if self._repeats_by_hand else None,
            practice=self._practice.value() if self._practice_by_hand else None,
            practice_mark=self._mark.value() / 100,
            ask_confidence=self._confidence.isChecked(),
            unsure_rule=UnsureRule(self._unsure.value),
            relations=tuple(value for box, value in self._relations if box.isChecked()),
            break_minutes=self._break.value(),
            left_out=self._left_out,
            seed=self._seed.text().strip(),
            order_seed=self._order_seed.text().strip(),
        )
