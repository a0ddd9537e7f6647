"""Let a rule of the linter pass on one probe, with a reason; or take that back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.lint import Finding
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.probe import ProbeId
from btc_gui.errors import BtcError
from btc_gui.store.lint import LintStore
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.plain_text import label, one_line


class WaiveDialog(QDialog):
    """Asks which of the rules that found something may be broken, and why. `changed` tells that one was let pass,
    or that it counts again."""

    changed = Signal()

    def __init__(
        self, context: Context, probe_id: ProbeId, findings: Sequence[Finding], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context, self._probe_id = context, probe_id
        self._store = LintStore(context.database)
        self._findings: dict[str, Finding] = {}
        for finding in findings:
            self._findings.setdefault(finding.rule, finding)
        self.setWindowTitle("Let a rule pass")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(10)
        column.addWidget(label("Let a rule pass on this probe", "title"))
        about = "It holds for the present wording, and is kept with your name and the time."
        column.addWidget(label(about, "secondary"))
        self.rules = QComboBox()
        self.rules.setAccessibleName("Rule")
        self.rules.setAccessibleDescription("Rule")
        for rule in self._findings:
            self.rules.addItem(RULES[rule].title if rule in RULES else rule, rule)
        self.rules.currentIndexChanged.connect(self._show_rule)
        column.addWidget(self.rules)
        self.why = label("", "small", selectable=True)
        column.addWidget(self.why)
        self.reason_field = QLineEdit()
        self.reason_field.setAccessibleName("Reason")
        self.reason_field.setPlaceholderText("Why the rule may be broken here")
        self.reason_field.textChanged.connect(self._enable)
        column.addWidget(self.reason_field)
        column.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = button("Cancel")
        cancel.clicked.connect(self.reject)
        self.do_button = button("Let it pass", role="primary")
        self.do_button.setDefault(True)
        self.do_button.clicked.connect(self.do)
        row.addWidget(cancel)
        row.addWidget(self.do_button)
        column.addLayout(row)
        self._show_rule()
        # The height follows from the words.
        self.resize(max(520, self.fontMetrics().averageCharWidth() * 46), 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        """Be as high as the words need, which differ from rule to rule; Qt leaves wrapped lines out of account."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setMinimumHeight(layout.totalHeightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_height()

    def do(self) -> None:
        """Store what was chosen, and close. What can't be stored is said, and the dialog stays."""
        author = self._context.settings.reviewer
        try:
            if self.withdraws:
                self._store.withdraw_waiver(self._probe_id, self.rule, author)
            else:
                self._store.waive(self._probe_id, self.rule, self.reason, author)
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        self.accept()
        self.changed.emit()

    @property
    def rule(self) -> str:
        """The chosen rule's name."""
        return str(self.rules.currentData())

    @property
    def reason(self) -> str:
        """What was written."""
        return self.reason_field.text().strip()

    @property
    def withdraws(self) -> bool:
        """Whether the chosen rule is waived already."""
        return self._findings[self.rule].is_waived

    def _show_rule(self, _: int = 0) -> None:
        finding = self._findings[self.rule]
        waiver = finding.waiver
        excerpt = f"“{one_line(finding.excerpt, 80)}”: " if finding.is_about_part else ""
        self.why.setText(
            f"{excerpt}{finding.why}" + (f"\nLet pass by {waiver.author}: {waiver.reason}" if waiver else "")
        )
        self.reason_field.setEnabled(waiver is None)
        self.do_button.setText("Let it pass" if waiver is None else "Take that back")
        self._enable()
        if self.isVisible():
            self._fit_height()

    def _enable(self, _: str = "") -> None:
        self.do_button.setEnabled(self.withdraws or bool(self.reason))
