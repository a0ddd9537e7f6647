"""A small table of texts, as high as its rows up to a point, then scrolling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QWidget

from btc_gui.ui.tables.lazy_table import Column, LazyTable
from btc_gui.ui.tables.table_view import TableView
from btc_gui.ui.theme import Theme

TextRow = tuple[str, ...]
#: A column is between so many pixels wide (at text size 1), whatever it holds.
_WIDEST = 300
_NARROWEST = 48
#: The cells that decide how wide a column is, and how much of each.
_MEASURED = 100
_CHARACTERS = 80
#: The frame of a table that has the focus.
_FOCUS_RING = 2


class TextTable(TableView[int]):
    """Shows rows of texts under `heads`; the column at place `filler` takes what the others leave, `least` at least.

    Its ids are the rows' places: `opened` carries one. With `most_rows` it is as high as its rows, so many at most.
    """

    def __init__(
        self,
        theme: Theme,
        name: str,
        heads: Sequence[str],
        rows: Sequence[TextRow] = (),
        *,
        filler: int = 0,
        least: int = 0,
        numbers: Sequence[int] = (),
        most_rows: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        self._heads = tuple(heads)
        self._texts: list[TextRow] = []
        self._filler = filler
        self._most_rows = most_rows
        columns = [
            Column(head, _text_of(place), 0 if place == filler else _NARROWEST, is_number=place in numbers, least=least)
            for place, head in enumerate(heads)
        ]
        self._rows: LazyTable[int, TextRow] = LazyTable(columns, self._fetch)
        super().__init__(self._rows, theme, name, parent)
        self._rows.setParent(self)
        self._look = theme
        self.setSelectionMode(TableView.SelectionMode.SingleSelection)
        if most_rows:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_rows(rows)

    def show_rows(self, rows: Sequence[TextRow]) -> None:
        """Show other rows."""
        self._texts = list(rows)
        self._rows.show_ids(range(len(rows)))
        metrics = QFontMetrics(self._look.font("body"))
        scale = max(1.0, self._look.text_scale)
        for place, head in enumerate(self._heads):
            if place != self._filler:
                cells = [head, *(row[place][:_CHARACTERS] for row in self._texts[:_MEASURED] if place < len(row))]
                widest = max(metrics.horizontalAdvance(cell) for cell in cells) + 24
                width = round(min(max(widest, _NARROWEST * scale), _WIDEST * scale))
                self.horizontalHeader().resizeSection(place, width)
        self.updateGeometry()

    @property
    def texts(self) -> list[TextRow]:
        """The rows that are shown."""
        return self._texts

    def _fetch(self, ids: Sequence[int]) -> Mapping[int, TextRow]:
        return {place: self._texts[place] for place in ids if place < len(self._texts)}

    def sizeHint(self) -> QSize:
        """As high as its rows, or as the most that it may show."""
        hint = super().sizeHint()
        if not self._most_rows:
            return hint
        shown = min(max(len(self._texts), 1), self._most_rows)
        rows = shown * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height()
        return QSize(hint.width(), self.horizontalHeader().sizeHint().height() + rows + bar + 2 * _FOCUS_RING)

    def minimumSizeHint(self) -> QSize:
        """No less high than it asks to be, where it stands among others."""
        return QSize(160, self.sizeHint().height() if self._most_rows else 80)


def _text_of(place: int) -> Callable[[TextRow], str]:
    def text(row: TextRow) -> str:
        return row[place] if place < len(row) else ""

    return text
