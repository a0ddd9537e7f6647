"""Deciding on many probes at once: what would change is shown before anything does."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from btc_gui.domain.probe import ProbeId, ReviewStatus
from btc_gui.domain.review import REJECT_REASONS, Action
from btc_gui.errors import BtcError, InputError
from btc_gui.progress import Progress
from btc_gui.sessions.bulk_reviewing import BULK_ACTIONS, BulkPlan, plan_bulk
from btc_gui.ui.context import Context
from btc_gui.ui.latest_job import LatestJob
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import line, size_window
from btc_gui.ui.widgets.plain_text import label, one_line, set_role
from btc_gui.ui.wording import STATUS_WORDS, counted

_WORDS = {
    Action.ACCEPT: ("Accept", "accepted"),
    Action.REJECT: ("Reject", "rejected"),
    Action.DEFER: ("Defer", "deferred"),
    Action.FLAG: ("Flag", "flagged"),
    Action.UNFLAG: ("Remove the flag of", "without a flag"),
}


class BulkDialog(QDialog):
    """`confirmed` carries the plan that was shown, and what was chosen in words."""

    confirmed = Signal(object, str)  # BulkPlan, scope

    def __init__(self, context: Context, ids: Sequence[ProbeId], scope: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._ids, self._scope = context, tuple(ids), scope
        self._plan: BulkPlan | None = None
        self._asked: object = None
        self.setWindowTitle("Decide on many probes")
        size_window(self, 720, 640)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(f"Decide on {counted(len(self._ids), 'probe')}", "title"))
        column.addWidget(label(scope, "secondary"))
        form = QFormLayout()
        self.action = Combo("What to do", [(each, _WORDS[each][0].removesuffix(" of")) for each in BULK_ACTIONS])
        self.action.currentIndexChanged.connect(self._look)
        form.addRow("&What to do", self.action)
        self.note = QLineEdit()
        self.note.setAccessibleName("Note")
        self.note.textChanged.connect(self._look)
        form.addRow("&Note", self.note)
        column.addLayout(form)
        self._reasons = QWidget()
        self._reasons.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        grid = QGridLayout(self._reasons)
        grid.setContentsMargins(0, 0, 0, 0)
        self.boxes: dict[str, QCheckBox] = {}
        for position, (code, words) in enumerate(REJECT_REASONS.items()):
            box = QCheckBox(words)
            box.toggled.connect(self._look)
            grid.addWidget(box, position // 2, position % 2)
            self.boxes[code] = box
        column.addWidget(self._reasons)
        column.addWidget(line())
        self.headline = label("", "heading")
        self.details = label("", "secondary")
        self.examples = label("", selectable=True)
        for widget in (self.headline, self.details, self.examples):
            column.addWidget(widget)
        column.addStretch(1)
        self.confirm_button = button("Accept", role="primary")
        self.confirm_button.clicked.connect(self._confirm)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(label("One undo in the review takes all of it back.", "small"), 1)
        row.addWidget(cancel)
        row.addWidget(self.confirm_button)
        column.addLayout(row)
        self._reading = LatestJob(context.job_runner, "Look ahead", self._show, self)
        self._look()

    def _choice(self) -> tuple[Action, tuple[str, ...], str]:
        action = Action(self.action.value)
        reasons = tuple(code for code, box in self.boxes.items() if box.isChecked())
        return action, reasons if action is Action.REJECT else (), self.note.text()

    def _look(self, _: object = None) -> None:
        choice = self._asked = self._choice()
        self._reasons.setVisible(choice[0] is Action.REJECT)
        self.confirm_button.setEnabled(False)
        database, ids = self._context.database, self._ids

        def look(progress: Progress) -> tuple[object, BulkPlan | BtcError]:
            try:
                return choice, plan_bulk(database, ids, *choice)
            except InputError as error:
                return choice, error

        self._reading.ask(look)

    def _show(self, found: tuple[object, BulkPlan | BtcError]) -> None:
        if found[0] != self._asked:
            return
        plan = found[1]
        is_plan = isinstance(plan, BulkPlan)
        set_role(self.headline, "heading" if is_plan else "warning")
        self._plan = plan if isinstance(plan, BulkPlan) else None
        if not isinstance(plan, BulkPlan):
            self.headline.setText(str(plan))
            self.details.setText("")
            self.examples.setText("")
            return
        number = len(plan.changes)
        self.headline.setText(f"{number:,} of {counted(plan.chosen, 'probe')} would change")
        self.details.setText(plan_words(plan))
        lines = [
            f"{each.entity} ({STATUS_WORDS[each.before].lower()}): {one_line(each.text, 70)}" for each in plan.examples
        ]
        self.examples.setText("\n".join(lines))
        self.confirm_button.setText(f"{_WORDS[plan.action][0]} {counted(number, 'probe')}")
        self.confirm_button.setEnabled(bool(number))

    def _confirm(self) -> None:
        if self._plan is not None:
            self.confirmed.emit(self._plan, self._scope)
            self.accept()


def plan_words(plan: BulkPlan) -> str:
    """What would change, and what not and why: `400 unreviewed, 12 deferred. 80 are accepted already. …`."""
    before = ", ".join(
        f"{plan.before[status]:,} {STATUS_WORDS[status].lower()}" for status in ReviewStatus if plan.before.get(status)
    )
    parts = [f"Now {before}." if before else ""]
    parts.append(f"{plan.renewed:,} approvals are made anew for the present facts." if plan.renewed else "")
    errors = "is" if plan.with_errors == 1 else "are"
    parts.append(f"{plan.with_errors:,} {errors} accepted against the linter's errors." if plan.with_errors else "")
    parts.append(f"{plan.already:,} stay: {_WORDS[plan.action][1]} already." if plan.already else "")
    parts += [f"{number:,} left out: {reason}." for reason, number in plan.refused.items()]
    return " ".join(part for part in parts if part)
