"""What the linter says of a probe: a chip for each kind of finding, and beside it why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QSize
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


def _times(words: str, count: int) -> str:
    """Words that would be said so many times, once."""
    return f"{words} × {count}" if count > 1 else words


class LintRow(QWidget):
    """Nothing is shown for a probe that was not looked at; “no findings” for one that is clean."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.chips = ChipRow(theme)
        self.why = label("", "small", selectable=True)
        self.why.setIndent(2)
        column.addWidget(self.chips)
        column.addWidget(self.why)

    # As in a card: the height depends on the width.

    def sizeHint(self) -> QSize:
        return self._column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._column.minimumSize()

    def show_findings(self, findings: Sequence[Finding] | None) -> None:
        """Show these findings; None when the linter has not looked at the probe yet."""
        self.setVisible(findings is not None)
        if findings is None:
            return
        chips = Counter(
            (finding_words(each), "accepted" if each.is_waived else _MARKS[each.severity]) for each in findings
        )
        facts = [(_times(words, count), mark) for (words, mark), count in chips.items()]
        self.chips.show_facts(facts or [("No findings", "accepted")])
        # Those that count first; a waived one has its reason beside it.
        lines = Counter(
            f"{finding_words(each)}: {each.why}" + (f" Waived: {each.waiver.reason}" if each.waiver else "")
            for each in sorted(findings, key=lambda each: each.is_waived)
        )
        self.why.setText("\n".join(_times(line, count) for line, count in list(lines.items())[:_EXPLAINED]))
        self.why.setVisible(bool(lines))
