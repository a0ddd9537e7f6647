"""What a failure is judged by: the change, the request, the answer, the codebook; in an assisted packet the
classifier's evidence too."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from btc_gui.domain.packet import OWN_ANSWERS, FieldForm, PacketItem
from btc_gui.domain.timeline import published_date
from btc_gui.ui.labelling.criteria_fold import CriteriaFold
from btc_gui.ui.labelling.earlier import EarlierLabels
from btc_gui.ui.labelling.form import FormContext, reading_width, run_from_left
from btc_gui.ui.widgets.marked_text import TextBlock
from btc_gui.ui.widgets.plain_text import label

_ENTITY = "entity"
_SHORT = (_ENTITY, "before", "after")
_LONG = ("probe", "answer")
#: Other texts are earlier labels of the item.
_KNOWN = (*_SHORT, *_LONG, OWN_ANSWERS)


class GivenColumn(QWidget):
    """The fields of one item, and the page to label it by."""

    def __init__(self, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.fields: dict[str, TextBlock] = {}
        inner = QVBoxLayout(self)
        inner.setContentsMargins(16, 12, 16, 12)
        inner.setSpacing(4)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        inner.addLayout(grid)
        entries = {entry.name: entry for entry in context.manifest.fields}
        for name in _SHORT:
            title = _section(entries[name].title)
            title.setContentsMargins(0, 3, 0, 0)  # Smaller letters, on the line of the text beside them.
            self.fields[name] = TextBlock(context.theme, entries[name].title)
            run_from_left(self.fields[name])
            row = grid.rowCount()
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self.fields[name], row, 1)
        for name in _LONG:
            self.fields[name] = TextBlock(context.theme, entries[name].title, "reading", cut_at=2_000)
            inner.addSpacing(8)
            inner.addWidget(_section(entries[name].title))
            inner.addWidget(self.fields[name])
        others = [e for e in entries.values() if e.form is FieldForm.TEXT and e.name not in _KNOWN]
        self.earlier = EarlierLabels(context, others)
        inner.addWidget(self.earlier)
        self._excerpts = [entry for entry in entries.values() if entry.form is FieldForm.EXCERPTS]
        self._found_area = QWidget()
        self._found = QVBoxLayout(self._found_area)
        self._found.setContentsMargins(0, 8, 0, 0)
        self._found.setSpacing(4)
        inner.addWidget(self._found_area)
        inner.addSpacing(8)
        self._fold = CriteriaFold("Codebook", context.manifest.codebook_version, 280)
        self.criteria = self._fold.text
        inner.addWidget(self._fold, 1)
        context.theme.changed.connect(self._limit_lines)
        self._limit_lines()

    def _limit_lines(self) -> None:
        """Lines are at most 80 characters long, however wide the window is."""
        for block in (self.criteria, *self.fields.values()):
            block.setMaximumWidth(reading_width(self._context.theme))

    def toggle_criteria(self) -> None:
        """Open or close the page to label by."""
        self._fold.toggle()

    def show_item(self, item: PacketItem, page: str) -> None:
        """Show another item and the page to label it by."""
        entity = item.text(_ENTITY)
        for name, block in self.fields.items():
            text = item.text(name)
            block.show_text(text or "(no text)", self._context.find_mentions(text, entity) if name in _LONG else ())
        self.earlier.show_item(item)
        self._show_found(item)
        # A title in the size of a page's would fill a small column.
        self._fold.show_page(f"##{page}" if page.startswith("# ") else page)

    def show_findings(self, is_shown: bool) -> None:
        """Show the classifier's evidence, where there is any: not before the received texts are."""
        self._found_area.setVisible(is_shown and bool(self._excerpts))

    def _show_found(self, item: PacketItem) -> None:
        while (old := self._found.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for entry in self._excerpts:
            excerpts = item.excerpts(entry.name)
            self._found.addWidget(_section(entry.title))
            if not excerpts:
                self._found.addWidget(label("none", "secondary"))
            for excerpt in excerpts:
                block = TextBlock(self._context.theme, entry.title, cut_at=600)
                block.show_text(excerpt.text)
                self._found.addWidget(block)
                day = published_date(excerpt.published) if excerpt.published else None
                source = TextBlock(self._context.theme, "Source", cut_at=200)
                source.show_text(f"{excerpt.source} · {day.text if day else 'no date'}")
                self._found.addWidget(source)


def _section(text: str) -> QLabel:
    made = label(text, "section")
    made.setIndent(2)  # In line with the text below, which keeps room for a focus ring.
    return made
