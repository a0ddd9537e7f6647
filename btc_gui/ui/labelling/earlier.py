"""Earlier labels of an item, side by side: what an adjudicator decides between. Whose they are nobody sees."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.packet import Field, PacketItem
from btc_gui.ui.labelling.form import FormContext
from btc_gui.ui.widgets.marked_text import TextBlock
from btc_gui.ui.widgets.plain_text import label


class EarlierLabels(QWidget):
    """Shows fields of the packet in boxes beside each other; not there when the packet has none of them."""

    def __init__(self, context: FormContext, fields: Sequence[Field], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.blocks: dict[str, TextBlock] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 12)
        row.setSpacing(12)
        for entry in fields:
            box = QFrame()
            box.setProperty("role", "sunken")
            column = QVBoxLayout(box)
            column.setContentsMargins(12, 8, 12, 8)
            column.setSpacing(2)
            column.addWidget(label(entry.title, "section", wraps=False))
            self.blocks[entry.name] = TextBlock(context.theme, entry.title)
            column.addWidget(self.blocks[entry.name])
            column.addStretch(1)
            row.addWidget(box, 1)
        self.setVisible(bool(fields))

    def show_item(self, item: PacketItem) -> None:
        """Show another item's."""
        for name, block in self.blocks.items():
            block.show_text(item.text(name) or "(none)")
