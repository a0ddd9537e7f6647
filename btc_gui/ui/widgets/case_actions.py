"""What can be made of the case that is read: a card, a place in a collection."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from btc_gui.domain.case_remarks import CaseRemarks
from btc_gui.domain.trajectory import AnswerId
from btc_gui.ui.card_exporting import CardExport
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import CommandButton
from btc_gui.ui.widgets.collect_button import CollectButton
from btc_gui.ui.widgets.menu_button import MenuButton
from btc_gui.ui.widgets.plain_text import one_line, tooltip


class CaseActions(QWidget):
    """Three buttons: try the probe again, Collect, and Card."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._remarks: CaseRemarks | None = None
        self.cards = CardExport(context, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(CommandButton(context.commands.action("cases.try"), has_words=False))
        self.collect = CollectButton(context, self._ids)
        self.collect.setAccessibleName("Collect this case")
        row.addWidget(self.collect)
        self.card = MenuButton("Card", "Case card")
        self.card.setToolTip("This case on one page")
        self.card.menu().addAction("Save as PDF, Markdown, HTML or LaTeX…").triggered.connect(self.save_card)
        self.card.menu().addAction("Copy as Markdown").triggered.connect(self.copy_card)
        row.addWidget(self.card)

    @property
    def commands(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        """What the page's keys do here: names of the command table with their methods."""
        return (
            ("cases.collect", self.collect_case),
            ("cases.collections", self.collect.arrange),
            ("cases.card", self.save_card),
            ("cases.copy_card", self.copy_card),
        )

    def show_case(self, remarks: CaseRemarks) -> None:
        """Act on this case."""
        self._remarks = remarks
        count = len(remarks.collections)
        self.collect.setText(f"Collect · {count}" if count else "Collect")
        names = ", ".join(f"“{one_line(each.name, 60)}”" for each in remarks.collections)
        self.collect.setToolTip(tooltip(f"In {names}" if names else "Collections of cases"))

    def _ids(self) -> Sequence[AnswerId]:
        return [self._remarks.answer_id] if self._remarks else []

    def collect_case(self) -> None:
        """Open the menu of collections."""
        if self._remarks is not None:
            self.collect.showMenu()

    def save_card(self) -> None:
        """Ask where the card should go."""
        self.cards.ask(self._ids())

    def copy_card(self) -> None:
        """Copy the card as Markdown."""
        if self._remarks is not None:
            self.cards.copy(self._remarks.answer_id)
