"""The chosen probe beside the list: its wording with what the linter says, where it is from, and its history."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.generation import Provenance
from btc_gui.ui.linting import mark_findings
from btc_gui.ui.probe_reading import ProbeDetail
from btc_gui.ui.theme import INSIDE, Theme
from btc_gui.ui.widgets.buttons import CommandButton, link_button
from btc_gui.ui.widgets.chip_row import ChipRow
from btc_gui.ui.widgets.decision_log import DecisionLog
from btc_gui.ui.widgets.flow_layout import FlowLayout
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.lint_row import LintRow
from btc_gui.ui.widgets.plain_text import CutText, label
from btc_gui.ui.widgets.revision_history import RevisionHistory
from btc_gui.ui.wording import STATUS_WORDS
from btc_gui.ui.words import money


class ProbeDetailView(QWidget):
    """Shows one probe; what is shown already is left as it is. `event_link` leads to its event."""

    def __init__(self, theme: Theme, commands: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: ProbeDetail | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(INSIDE, 0, 0, 0)
        column.setSpacing(12)
        card = Card()
        self.chips = ChipRow(theme)
        self.text = CutText()
        self.text.view.setAccessibleName("Text of the probe")
        self.lint_row = LintRow(theme)
        self.varied = label("", "secondary", selectable=True)
        self.provenance = label("", "small", selectable=True)
        self.retention = label("", "secondary", selectable=True)
        self.event_link = link_button("")
        for widget in (self.chips, self.text, self.lint_row, self.varied, self.provenance, self.retention):
            card.body.addWidget(widget)
        card.body.addWidget(self.event_link, 0, Qt.AlignmentFlag.AlignLeft)
        self.wordings = RevisionHistory(theme)
        self.wordings_card = Card("Wordings")
        self.wordings_card.body.addWidget(self.wordings)
        self.history = DecisionLog(theme)
        history_card = Card("Decisions")
        history_card.body.addWidget(self.history)
        column.addWidget(card)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        for action in commands:
            flow.addWidget(CommandButton(action))
        column.addWidget(buttons)
        column.addWidget(self.wordings_card)
        column.addWidget(history_card)
        column.addStretch(1)
        theme.changed.connect(self._mark_findings)

    @property
    def shown(self) -> ProbeDetail | None:
        """The probe that is shown, or None."""
        return self._shown

    def show_detail(self, detail: ProbeDetail | None) -> None:
        """Show a probe, or nothing."""
        self.setVisible(detail is not None)
        before, self._shown = self._shown, detail
        if detail is None or detail == before:
            return
        row, content = detail.row, detail.row.probe.content
        probe = row.probe
        facts = [(STATUS_WORDS[probe.status], probe.status.value)]
        facts += [("Accepted for other facts", "stale")] if probe.is_stale else []
        facts += [("Flagged", "flagged")] if probe.is_flagged else []
        facts += [(words, "") for words in (probe.kind.value, f"revision {probe.revision}", probe.origin) if words]
        self.chips.show_facts(facts)
        if before is None or probe.text != before.row.probe.text:
            self.text.set_text(probe.text)
        self.lint_row.show_findings(detail.findings)
        self._mark_findings()
        varied = [part for part in (content.requester, content.situation, content.consequence) if part]
        self.varied.setText(" · ".join(varied))
        self.varied.setVisible(bool(varied))
        self.provenance.setText(_provenance_words(detail.source) if detail.source else "")
        self.provenance.setVisible(detail.source is not None)
        self.retention.setText(detail.retention)
        self.retention.setVisible(bool(detail.retention))
        self.event_link.setText(row.event.title if row.event else "")
        self.event_link.setVisible(row.event is not None)
        self.wordings_card.setVisible(len(detail.revisions) > 1)
        if len(detail.revisions) > 1:
            self.wordings.show_revisions(detail.revisions)
        self.history.show_log(detail.log)

    def _mark_findings(self) -> None:
        if (shown := self._shown) is not None:
            mark_findings(self.text.view, self._theme, shown.row.probe.text, shown.findings or ())


def _provenance_words(source: Provenance) -> str:
    """Where a wording is from: `Written by gemini-x (high), prompt 1a2b3c4d · Also thought of: …`."""
    words = f"Written by {source.model}, prompt {source.prompt_hash[:8]}"
    words += f", {money(source.cost)}" if source.cost is not None else ""
    words += f" · Note: {source.note}" if source.note else ""
    return f"{words} · Also thought of: {', '.join(source.candidates)}" if source.candidates else words
