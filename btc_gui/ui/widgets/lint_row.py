"""What the linter says of a probe: a chip for each finding, and beside it why."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.rules import RULES
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.chip_row import ChipRow
from btc_gui.ui.widgets.plain_text import label

_MARKS = {Severity.ERROR: "incorrect", Severity.WARNING: "stale", Severity.NOTE: "unreviewed"}
_EXPLAINED = 4


def finding_words(finding: Finding) -> str:
    """The rule's words, and whether a person let it pass."""
    rule = RULES.get(finding.rule)
    words = rule.title if rule is not None else finding.rule
    return f"{words} (waived)" if finding.is_waived else words


class LintRow(QWidget):
    """Nothing is shown for a probe that was not looked at; “no findings” for one that is clean."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.chips = ChipRow(theme)
        self.why = label("", "small", selectable=True)
        self.why.setIndent(2)
        column.addWidget(self.chips)
        column.addWidget(self.why)

    def show_findings(self, findings: Sequence[Finding] | None) -> None:
        """Show these findings; None when the linter has not looked at the probe yet."""
        self.setVisible(findings is not None)
        if findings is None:
            return
        facts = [(finding_words(each), "accepted" if each.is_waived else _MARKS[each.severity]) for each in findings]
        self.chips.show_facts(facts or [("No findings", "accepted")])
        # Those that count first; a waived one has its reason beside it.
        told = sorted(findings, key=lambda each: each.is_waived)[:_EXPLAINED]
        lines = [
            f"{finding_words(each)}: {each.why}" + (f" Waived: {each.waiver.reason}" if each.waiver else "")
            for each in told
        ]
        self.why.setText("\n".join(lines))
        self.why.setVisible(bool(lines))
