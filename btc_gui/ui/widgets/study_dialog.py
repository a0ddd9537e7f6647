"""Designing a study: who is asked what about which answers, with a look at the frame before anything is fixed."""

from __future__ import annotations

import secrets
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.packet import Mode
from btc_gui.domain.probe import ProbeKind
from btc_gui.domain.sampling import AllocationRule
from btc_gui.domain.studies import study_kind
from btc_gui.domain.studies.kind import Stratum
from btc_gui.domain.study import FrameFilter, StudyDesign, StudyId
from btc_gui.errors import BtcError
from btc_gui.progress import Progress
from btc_gui.sessions.validating import FramePreview, ValidatingSession
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import line, scrolling
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.words import counted

_RULES = {
    AllocationRule.EQUAL_BY_CONFIGURATION: "The same number from each configuration",
    AllocationRule.PROPORTIONAL: "In proportion to each configuration",
    AllocationRule.POOLED: "From all configurations together",
}
_USUAL_SIZE = 200


class StudyDialog(QDialog):
    """After `accepted`, `study_id` is the draft that was made."""

    def __init__(self, context: Context, session: ValidatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._session = context, session
        self.study_id: StudyId | None = None
        self._strata: tuple[Stratum, ...] = ()
        self._sizes: list[QSpinBox] = []
        self._counts: list[QLabel] = []
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(200)
        self._wait.timeout.connect(self._look)
        self.setWindowTitle("New study")
        self.resize(680, 660)
        self._build()
        self._kind_changed()
        self._name.setFocus()

    # -- building --------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("New study", "title"))
        body = QWidget()
        form = self._form = QFormLayout(body)
        form.setContentsMargins(0, 0, 8, 0)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._name = QLineEdit()
        self._name.textChanged.connect(self._sync)
        form.addRow("&Name", self._name)
        self._kind = QComboBox()
        for kind in self._session.kinds:
            self._kind.addItem(f"{kind.title}: {kind.question}", kind.name)
        self._kind.currentIndexChanged.connect(self._kind_changed)
        form.addRow("&Asked", self._kind)
        self._machine = QComboBox()
        self._machine.currentIndexChanged.connect(self._wait.start)
        form.addRow("&Checks", self._machine)
        self._mode = QComboBox()
        form.addRow("&Mode", self._mode)
        form.addRow("Categories", self._category_row())
        form.addRow("Probes", self._probe_row())
        self._quota = QCheckBox()
        self._quota.toggled.connect(self._strata_changed)
        form.addRow("Strata", self._quota)
        self._stratum_box = QWidget()
        self._stratum_grid = QGridLayout(self._stratum_box)
        self._stratum_grid.setContentsMargins(0, 0, 0, 0)
        self._stratum_grid.setHorizontalSpacing(16)
        form.addRow("", self._stratum_box)
        self._rule = QComboBox()
        for rule, words in _RULES.items():
            self._rule.addItem(words, rule.value)
        self._rule.currentIndexChanged.connect(self._wait.start)
        form.addRow("&Drawn", self._rule)
        self._annotators = QLineEdit(self._context.settings.reviewer)
        self._annotators.setPlaceholderText("Names or initials, with commas between")
        self._annotators.textChanged.connect(self._sync)
        form.addRow("A&nnotators", self._annotators)
        self._seed = QLineEdit(secrets.token_hex(4))
        self._seed.textChanged.connect(self._wait.start)
        form.addRow("Seed of the dra&w", self._seed)
        self._order_seed = QLineEdit(secrets.token_hex(4))
        self._order_seed.textChanged.connect(self._sync)
        form.addRow("Seed of the &order", self._order_seed)
        column.addWidget(scrolling(body, "Design"), 1)
        column.addWidget(line())
        self._headline = label("", "heading")
        self._details = label("", "secondary")
        column.addWidget(self._headline)
        column.addWidget(self._details)
        row = QHBoxLayout()
        self.missing = label("", "secondary")
        row.addWidget(self.missing, 1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.create_button = button("Create draft", role="primary")
        self.create_button.setDefault(True)
        self.create_button.clicked.connect(self._create)
        row.addWidget(cancel)
        row.addWidget(self.create_button)
        column.addLayout(row)

    def _category_row(self) -> QWidget:
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(holder, 12)
        self._categories = []
        for name, category in self._context.categories.items():
            box = QCheckBox(one_line(category.plural.capitalize(), 40).replace("&", "&&"))
            box.setChecked(True)
            box.toggled.connect(self._wait.start)
            self._categories.append((box, name))
            flow.addWidget(box)
        return holder

    def _probe_row(self) -> QWidget:
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        flow = FlowLayout(holder, 12)
        self._kinds = [(QCheckBox("Indirect"), ProbeKind.INDIRECT), (QCheckBox("Direct"), ProbeKind.DIRECT)]
        for box, kind in self._kinds:
            box.setChecked(kind is ProbeKind.INDIRECT)
            box.toggled.connect(self._wait.start)
            flow.addWidget(box)
        return holder

    # -- what depends on what --------------------------------------------------------------------------------

    def _kind_changed(self) -> None:
        kind = study_kind(str(self._kind.currentData()))
        self._mode.clear()
        for mode in kind.modes:
            self._mode.addItem(mode.text.capitalize(), mode.value)
        self._mode.setEnabled(len(kind.modes) > 1)
        self._machine.clear()
        machines = self._session.machines(kind.name)
        self._machine.addItems(machines)
        self._form.setRowVisible(self._machine, len(machines) > 1)
        self._form.setRowVisible(self._quota, bool(kind.presets))
        self._quota.setText(kind.presets[0].text if kind.presets else "")
        if not kind.presets:
            self._quota.setChecked(False)
        self._strata_changed()

    def _strata_changed(self) -> None:
        kind = study_kind(str(self._kind.currentData()))
        has_quota = self._quota.isChecked() and bool(kind.presets)
        self._strata = kind.presets[0].strata if has_quota else kind.strata(_USUAL_SIZE)
        while self._stratum_grid.count():
            item = self._stratum_grid.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._sizes, self._counts = [], []
        for column, words in enumerate(("Stratum", "Wanted", "In the frame", "Drawn")):
            self._stratum_grid.addWidget(label(words, "section", wraps=False), 0, column)
        for row, stratum in enumerate(self._strata, start=1):
            size = QSpinBox()
            size.setRange(0, 100_000)
            size.setValue(stratum.size)
            size.setAccessibleName(f"Wanted of {stratum.name}")
            size.valueChanged.connect(self._wait.start)
            self._sizes.append(size)
            self._stratum_grid.addWidget(label(stratum.name, wraps=False), row, 0)
            self._stratum_grid.addWidget(size, row, 1)
            for column in (2, 3):
                cell = label("–", wraps=False)
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self._counts.append(cell)
                self._stratum_grid.addWidget(cell, row, column)
        self._look()

    def _design(self) -> StudyDesign:
        categories = tuple(name for box, name in self._categories if box.isChecked())
        kinds = tuple(kind.value for box, kind in self._kinds if box.isChecked())
        frame = FrameFilter(categories=categories, probe_kinds=kinds, machine=self._machine.currentText())
        names = tuple(name.strip() for name in self._annotators.text().split(",") if name.strip())
        design = self._session.propose(
            str(self._kind.currentData()),
            names or ("nobody yet",),
            self._seed.text().strip(),
            frame=frame,
            mode=Mode(str(self._mode.currentData())),
        )
        strata = tuple(replace(s, size=size.value()) for s, size in zip(self._strata, self._sizes, strict=True))
        return replace(
            design,
            strata=strata,
            order_seed=self._order_seed.text().strip(),
            rule=AllocationRule(str(self._rule.currentData())),
        )

    def _missing(self) -> str:
        """What the form still lacks, in words."""
        if not self._name.text().strip():
            return "Give the study a name."
        if not any(name.strip() for name in self._annotators.text().split(",")):
            return "Name at least one annotator."
        if not self._seed.text().strip() or not self._order_seed.text().strip():
            return "Give both seeds."
        if not any(box.isChecked() for box, _ in self._categories):
            return "Choose a category."
        if not any(box.isChecked() for box, _ in self._kinds):
            return "Choose a kind of probe."
        return ""

    def _sync(self) -> None:
        missing = self._missing()
        self.create_button.setEnabled(not missing)
        self.missing.setText(missing)

    # -- the preview -----------------------------------------------------------------------------------------

    def _look(self) -> None:
        self._sync()
        session, design = self._session, self._design()

        def look(progress: Progress) -> tuple[StudyDesign, FramePreview]:
            return design, session.preview(design)

        self._context.job_runner.start(
            "Look at the frame", look, is_quiet=True, succeeded=self._show_preview, failed=self._show_problem
        )

    def _show_preview(self, found: object) -> None:
        if not isinstance(found, tuple) or found[0].strata != self._design().strata:
            return
        preview: FramePreview = found[1]
        for place, stratum in enumerate(preview.strata):
            for offset, count in enumerate((stratum.available, stratum.drawn)):
                if place * 2 + offset < len(self._counts):
                    self._counts[place * 2 + offset].setText(f"{count:,}")
        frame = preview.frame
        self._headline.setText(f"{preview.drawn:,} of {counted(len(frame.items), 'answer')} in the frame are drawn")
        set_role(self._headline, "warning" if preview.problem else "heading")
        left_out = " · ".join(f"{count:,} {reason}" for reason, count in frame.excluded.items() if count)
        words = [preview.problem, f"Left out: {left_out}." if left_out else ""]
        short = [s for s in preview.strata if s.drawn < s.wanted]
        if short and not preview.problem:
            words.append("Where there are fewer than wanted, all are taken and the shortfall is reported.")
        self._details.setText(" ".join(word for word in words if word))

    def _show_problem(self, error: object) -> None:
        self._headline.setText("Nothing to draw from")
        set_role(self._headline, "warning")
        self._details.setText(str(error))

    def _create(self) -> None:
        if self._missing():
            return
        try:
            self.study_id = self._session.new(
                self._name.text().strip(), self._design(), self._context.settings.reviewer
            )
        except BtcError as error:
            self._headline.setText("Not created")
            set_role(self._headline, "danger")
            self._details.setText(str(error))
            return
        self.accept()
