"""The strata of a design: how many are wanted and there, and the interval they would give."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study_plan import PlannedStratum
from btc_gui.sessions.validating import FramePreview, StratumPreview
from btc_gui.ui.widgets.frames import tab_after
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.widgets.plain_text import label, one_line, set_role, tooltip
from btc_gui.ui.words import counted

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_HEADINGS = ("Stratum", "Wanted", "Drawn", "Assumed errors", "Agreement then")
_ASSUMED = (
    "How many of these labels you expect to differ from the machine's. It decides the planned intervals and nothing "
    "else; look at no labels for it."
)


def needed_text(planned: Sequence[PlannedStratum]) -> str:
    """How many labels lower limits take, with as many errors as the stratum with most."""
    most = max(planned, key=lambda stratum: stratum.errors, default=None)
    if most is None:
        return ""
    needed = ", ".join(f"{target:.2f}: {labels:,}" for target, labels in most.needed.items())
    return f"Labels that a stratum with {counted(most.errors, 'error')} takes for a lower limit of {needed}"


class StrataTable(QWidget):
    """A row a stratum. `sizes` and `errors` hold what somebody changed by hand, by stratum."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self.sizes: dict[str, int] = {}
        self.errors: dict[str, int] = {}
        self.names: tuple[str, ...] = ()
        self.wanted: dict[str, NumberBox] = {}
        self.assumed: dict[str, NumberBox] = {}
        self._cells: dict[str, list[QLabel]] = {}

    def forget(self) -> None:
        """What was changed by hand does not hold for other strata."""
        self.sizes, self.errors = {}, {}

    def show_preview(self, strata: Sequence[Stratum], preview: FramePreview) -> None:
        """Show the strata with their numbers; what is being edited keeps the focus."""
        names = tuple(stratum.name for stratum in strata)
        if names != self.names:
            self._rebuild(names)
        for stratum, planned in zip(preview.strata, preview.plan.strata, strict=True):
            self._show_row(stratum, planned)

    def _show_row(self, stratum: StratumPreview, planned: PlannedStratum) -> None:
        for box, value in ((self.wanted[stratum.name], stratum.wanted), (self.assumed[stratum.name], planned.errors)):
            if not box.hasFocus() and box.value() != value:
                was_blocked = box.blockSignals(True)
                box.setValue(value)
                box.blockSignals(was_blocked)
        drawn, then = self._cells[stratum.name]
        drawn.setText(f"{stratum.drawn:,} of {stratum.available:,}")
        set_role(drawn, "warning" if stratum.drawn < stratum.wanted else "")
        then.setText(planned.agreement.text)
        needed = ", ".join(f"{labels:,} for {target:.2f}" for target, labels in planned.needed.items())
        then.setToolTip(
            tooltip(
                f"Exact 95 % interval. With {counted(planned.errors, 'error')} a lower limit takes {needed} labels."
            )
        )

    def _rebuild(self, names: tuple[str, ...]) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.names = names
        self.wanted, self.assumed, self._cells = {}, {}, {}
        for column, words in enumerate(_HEADINGS):
            heading = label(words, "section")
            heading.setToolTip(tooltip(_ASSUMED if words.startswith("Assumed") else ""))
            if column:
                heading.setAlignment(_RIGHT)
            self._grid.addWidget(heading, 0, column)
        for row, name in enumerate(names, start=1):
            self._add_row(row, name)
        tab_after(self, [box for name in names for box in (self.wanted[name], self.assumed[name])])

    def _add_row(self, row: int, name: str) -> None:
        wanted = self.wanted[name] = NumberBox()
        wanted.setRange(0, 99_999)
        wanted.setAccessibleName(f"Wanted of {name}")
        wanted.valueChanged.connect(lambda value: self._resized(name, value))
        assumed = self.assumed[name] = NumberBox()
        assumed.setRange(0, 9_999)
        assumed.setAccessibleName(f"Assumed errors of {name}")
        assumed.setToolTip(tooltip(_ASSUMED))
        assumed.valueChanged.connect(lambda value: self._assumed(name, value))
        cells = self._cells[name] = [label("–", wraps=False) for _ in range(2)]
        for cell in cells:
            cell.setAlignment(_RIGHT)
        title = label(one_line(name, 80))
        title.setMinimumWidth(title.fontMetrics().averageCharWidth() * 14)
        for column, widget in enumerate((title, wanted, cells[0], assumed, cells[1])):
            self._grid.addWidget(widget, row, column)

    def _resized(self, name: str, value: int) -> None:
        self.sizes[name] = value
        self.changed.emit()

    def _assumed(self, name: str, value: int) -> None:
        self.errors[name] = value
        self.changed.emit()
