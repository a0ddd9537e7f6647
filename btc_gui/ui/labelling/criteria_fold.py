"""The page to label by, below a line that opens and closes it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from btc_gui.ui.widgets.marked_text import ShrinkingButton
from btc_gui.ui.widgets.rendered_text import RenderedText


class CriteriaFold(QWidget):
    """Open at first. Takes the room that is left, also while it is closed, so that nothing above it moves."""

    def __init__(self, name: str, version: str, least_height: int, parent: QWidget | None = None) -> None:
        """`name` and `version` are said in the line; open, the page is no lower than `least_height` pixels."""
        super().__init__(parent)
        self._title = f"{name}, version {version[:12]}"
        self._page = ""
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self._button = ShrinkingButton()  # A long text must not widen the column: it would clip.
        self._button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._button.setCheckable(True)
        self._button.setChecked(True)
        self._button.toggled.connect(self._show_page)
        layout.addWidget(self._button)
        self.text = RenderedText("Criteria")
        self.text.setMinimumHeight(least_height)
        layout.addWidget(self.text, 1)
        self._filler = QWidget()
        layout.addWidget(self._filler)
        self._show_page(True)

    def show_page(self, page: str) -> None:
        """Show another page; the same one stays where it was scrolled to, and takes no time."""
        if page != self._page:
            self._page = page
            self.text.show_markdown(page)

    @Slot()
    def toggle(self) -> None:
        """Open or close it."""
        self._button.toggle()

    @Slot(bool)
    def _show_page(self, is_open: bool) -> None:
        self._button.setText(f"{'▾' if is_open else '▸'} {self._title}")
        self.text.setVisible(is_open)
        self._filler.setVisible(not is_open)
        self._layout.setStretchFactor(self._filler, 0 if is_open else 1)
