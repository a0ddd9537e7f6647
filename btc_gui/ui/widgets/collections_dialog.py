"""The project's collections, each with its funnel and its rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from btc_gui.domain.collection import Collection, CollectionId
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.collected_view import CollectedView, collection_title
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import scrolling, size_window
from btc_gui.ui.widgets.plain_text import label


class CollectionsDialog(QDialog):
    """Shows complete collections, the newest first."""

    def __init__(self, context: Context, collections: Sequence[Collection], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("What became of the rows")
        size_window(self, 980, 620)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(label("What became of the rows", "title"))
        self.choice = Combo(
            "Collection",
            [(str(each.id), f"{each.id}: {collection_title(context, each)}") for each in collections],
        )
        self.choice.activated.connect(self._show)
        column.addWidget(self.choice)
        self.collected_view = CollectedView(context)
        # Large text on a small screen needs more height than there is.
        column.addWidget(scrolling(self.collected_view, "What became of the rows"), 1)
        row = QHBoxLayout()
        row.addStretch(1)
        self.close_button = button("Close", role="primary")
        self.close_button.setDefault(True)
        self.close_button.clicked.connect(self.reject)
        row.addWidget(self.close_button)
        column.addLayout(row)
        self._show()

    def _show(self, _: object = None) -> None:
        self.collected_view.show_collection(CollectionId(int(self.choice.value)))
