"""Sharing probes out among curators: how many each gets, and how many are the same for all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.dates import now_utc
from btc_gui.domain.probe import ProbeId
from btc_gui.domain.review_assignment import AssignmentPlan, Round, RoundId, plan_assignment
from btc_gui.errors import BtcError
from btc_gui.store.review_assignments import AssignmentStore
from btc_gui.store.reviews import ReviewStore
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import button, link_button
from btc_gui.ui.widgets.frames import line, size_window
from btc_gui.ui.widgets.number_box import NumberBox
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.wording import counted, when

_EACH, _OVERLAP = 200, 20


class AssignDialog(QDialog):
    """`assigned` tells, in words for the bar at the bottom, that something was assigned or taken back."""

    assigned = Signal(str)

    def __init__(self, context: Context, ids: Sequence[ProbeId], scope: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._store = AssignmentStore(context.database)
        self._free = self._store.unassigned(ids)
        self._plan: AssignmentPlan | None = None
        self.setWindowTitle("Assign probes")
        size_window(self, 620, 460)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 20, 24, 16)
        self._column.setSpacing(12)
        self._column.addWidget(label("Assign probes to curators", "title"))
        self._column.addWidget(
            label(f"{scope} Not assigned yet: {len(self._free):,}. They are shared out in this order.", "secondary")
        )
        form = QFormLayout()
        self.name = QLineEdit(f"Round of {when(now_utc()).partition(',')[0]}")
        known = [context.settings.reviewer, *self._store.reviewers(), *ReviewStore(context.database).reviewers()]
        # A name that can't be seen as it is would be another one once it is read from the field.
        self.curators = QLineEdit(", ".join(name for name in dict.fromkeys(known) if name == one_line(name)))
        self.curators.setPlaceholderText("Names, separated by commas")
        self.each = NumberBox()
        self.each.setRange(1, 100_000)
        self.each.setValue(_EACH)
        self.overlap = NumberBox()
        self.overlap.setRange(0, 100)
        self.overlap.setSuffix(" %")
        self.overlap.setValue(_OVERLAP)
        for words, field in (
            ("&Name", self.name),
            ("&Curators", self.curators),
            ("&Probes for each", self.each),
            ("&Same for all", self.overlap),
        ):
            field.setAccessibleName(words.replace("&", ""))
            form.addRow(words, field)
        self._column.addLayout(form)
        self._column.addWidget(
            label(
                "Commas between the names, each as its curator has it in Settings. What is the same for all is judged "
                "blind by each, and tells their agreement.",
                "small",
            )
        )
        self.headline = label("")
        self._column.addWidget(self.headline)
        self._rounds = QVBoxLayout()
        self._column.addLayout(self._rounds)
        self._column.addStretch(1)
        self.assign_button = button("Assign", role="primary")
        self.assign_button.setDefault(True)
        self.assign_button.clicked.connect(self._assign)
        cancel = button("Close")
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.assign_button)
        self._column.addLayout(row)
        self.curators.textChanged.connect(self._look)
        self.each.valueChanged.connect(self._look)
        self.overlap.valueChanged.connect(self._look)
        self._look()
        self._show_rounds()

    def _look(self, _: object = None) -> None:
        names = [name.strip() for name in self.curators.text().split(",") if name.strip()]
        try:
            self._plan = plan_assignment(self._free, names, self.each.value(), self.overlap.value() / 100)
        except BtcError as error:
            self._plan = None
            set_role(self.headline, "warning")
            self.headline.setText(str(error))
        else:
            set_role(self.headline, "secondary")
            self.headline.setText(plan_words(self._plan))
        self.assign_button.setEnabled(self._plan is not None)

    def _assign(self) -> None:
        if self._plan is None:
            return
        try:
            self._store.add(self.name.text(), self._plan, self._context.settings.reviewer)
        except BtcError as error:
            set_role(self.headline, "warning")
            self.headline.setText(str(error))
            return
        self.assigned.emit(f"Assigned: {plan_words(self._plan)} “Assigned to me” on Review is one's own share.")
        self.accept()

    def _show_rounds(self) -> None:
        rounds = self._store.rounds()[:5]
        if rounds:
            self._rounds.addWidget(line())
        for each in rounds:
            row = QHBoxLayout()
            row.addWidget(label(round_words(each), "small"), 1)
            withdraw = link_button("Take back")
            withdraw.setProperty("round", int(each.id))
            withdraw.clicked.connect(self._withdraw)
            row.addWidget(withdraw)
            self._rounds.addLayout(row)

    def _withdraw(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._store.withdraw(RoundId(int(sender.property("round"))))
            self.assigned.emit("The assignment is taken back; decisions stay.")
            self.accept()


def plan_words(plan: AssignmentPlan) -> str:
    """`200 for each of 2 curators, 40 of them the same: 360 probes.`"""
    short = f" There are too few for {plan.wanted:,} each." if plan.each < plan.wanted else ""
    shared = f", {len(plan.shared):,} of them the same" if plan.shared else ""
    people = counted(len(plan.by_reviewer), "curator")
    return f"{plan.each:,} for each of {people}{shared}: {counted(plan.probes, 'probe')}.{short}"


def round_words(each: Round) -> str:
    """What an assignment is, in a line."""
    people = ", ".join(f"{name} {count:,}" for name, count in each.counts.items())
    return f"{each.name}: {people}; {each.shared:,} shared · {each.created_by}, {when(each.created_at)}"
