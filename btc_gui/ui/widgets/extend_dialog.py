"""A larger sample of a locked study along the same draw: its name, and how many items each stratum then has."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.study import Study
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import scrolling, size_window
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.widgets.plain_text import label, one_line
from btc_gui.ui.words import counted

_WORDS = (
    "A new draft along the same draw: its sample holds all of this one. Locking it refuses where the answers have "
    "changed so that it would not. Decide on it before any label is compared; the manifest names what it extends."
)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ExtendDialog(QDialog):
    """After `accepted`, `name` and `sizes` (by stratum) hold what was asked for."""

    def __init__(self, study: Study, taken: frozenset[str], parent: QWidget | None = None) -> None:
        """`taken` are names of studies."""
        super().__init__(parent)
        self._study, self._taken = study, taken
        self.setWindowTitle("Extend the sample")
        size_window(self, 560, 380)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(f"Extend “{one_line(study.name, 80)}”", "title"))
        column.addWidget(label(_WORDS, "secondary"))
        self.field = QLineEdit(_free_name(study.name, taken))
        self.field.setAccessibleName("Name of the larger study")
        self.field.textChanged.connect(self._sync)
        column.addWidget(self.field)
        self.boxes: dict[str, NumberBox] = {}
        column.addWidget(scrolling(self._strata(), "Strata"), 1)
        self.said = label("", "small")
        column.addWidget(self.said)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.do_button = button("Make the draft", role="primary")
        self.do_button.setDefault(True)
        self.do_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.do_button)
        column.addLayout(row)
        self._sync()
        self.field.selectAll()
        self.field.setFocus()

    def _strata(self) -> QWidget:
        frame = self._study.manifest["frame"]["by_stratum"]
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        for place, words in enumerate(("Stratum", "In the frame", "Now", "Then")):
            grid.addWidget(label(words, "section", wraps=False), 0, place, _RIGHT if place else Qt.AlignmentFlag(0))
        for line, stratum in enumerate(self._study.design.strata, start=1):
            box = self.boxes[stratum.name] = NumberBox()
            box.setRange(stratum.size, 99_999)
            box.setAccessibleName(f"Items of {stratum.name}, then")
            box.valueChanged.connect(self._sync)
            title = label(one_line(stratum.name, 80))
            title.setMinimumWidth(title.fontMetrics().averageCharWidth() * 14)
            grid.addWidget(title, line, 0)
            for place, count in ((1, frame.get(stratum.name, 0)), (2, stratum.size)):
                grid.addWidget(label(f"{count:,}", wraps=False), line, place, _RIGHT)
            grid.addWidget(box, line, 3)
        grid.setRowStretch(len(self.boxes) + 1, 1)
        return made

    @property
    def name(self) -> str:
        """The name of the new study."""
        return self.field.text().strip()

    @property
    def sizes(self) -> dict[str, int]:
        """How many items each stratum then has."""
        return {name: box.value() for name, box in self.boxes.items()}

    @Slot()
    def _sync(self) -> None:
        more = sum(self.sizes.values()) - sum(stratum.size for stratum in self._study.design.strata)
        is_taken = self.name in self._taken
        told = f"{counted(more, 'item')} more." if more else "Give a stratum more items."
        self.said.setText(f"There is a study “{one_line(self.name, 60)}” already." if is_taken else told)
        self.do_button.setEnabled(bool(self.name) and not is_taken and more > 0)


def _free_name(name: str, taken: frozenset[str]) -> str:
    """`Name, larger`, with a number where that is taken."""
    found, number = f"{name}, larger", 2
    while found in taken:
        found, number = f"{name}, larger {number}", number + 1
    return found
