"""The contents of the Results page: every table and view under a few headings, and why one is empty."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import tooltip

_NAME = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: the name of a table or view, its words, and why it may be empty."""

    name: str
    text: str
    empty: str = ""


#: The table that is counted when it is asked for.
RETENTION: Final = "retention"
#: Views of the page that are no tables.
FIGURES, COMPARISON, VALIDATION = "figures", "comparison", "validation"

CONTENTS: Final[tuple[tuple[str, tuple[Entry, ...]], ...]] = (
    (
        "Accuracy",
        (
            Entry("accuracy", "Direct and indirect"),
            Entry("corrected_accuracy", "Corrected accuracy", "No answer is scored yet."),
            Entry("gaps", "Gaps", "No configuration has scored direct and indirect answers about the same events."),
            Entry("corrected_gaps", "Corrected gaps", "No category has scored answers of both kinds."),
            Entry("category_gaps", "Between categories", "No configuration answered in two categories."),
            Entry("common_probes", "Common probes", "It takes two models in the shared harness."),
            Entry("common_probe_list", "List of common probes", "No probe was put to all models."),
        ),
    ),
    (
        "Failures",
        (
            Entry("failure_modes", "Failure modes"),
            Entry("corrected_modes", "Corrected modes", "No study of the classifier is finished."),
        ),
    ),
    (
        "Search",
        (
            Entry("queries", "By number of queries", "No indirect answer is scored yet."),
            Entry("behaviour", "Search behaviour", "No indirect answer is scored yet."),
            Entry("effort_change", "High less low effort", "No model answered the same events at both efforts."),
            Entry("harness_change", "Shared less native", "No model answered the same events in both harnesses."),
        ),
    ),
    (
        "Views",
        (
            Entry(FIGURES, "Figures"),
            Entry(COMPARISON, "Releases and dates"),
            Entry(VALIDATION, "Validation"),
        ),
    ),
    (
        "Benchmark",
        (
            Entry(RETENTION, "Retained probes"),
            Entry("models", "Models by stage", "No model is known."),
            Entry("cutoffs", "Knowledge cutoffs", "No model answered yet."),
            Entry("efforts", "Effort values", "No model answered yet."),
            Entry("repetitions", "Repeated answers", "No configuration has two scored answers to a probe."),
        ),
    ),
)
NAMES: Final = tuple(entry.name for _, entries in CONTENTS for entry in entries)


class ResultContents(QListWidget):
    """Shows the contents; `chosen` carries the name of the table or view."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        #: As wide as its longest line; 0 while that is not known.
        self._whole_width = 0
        self.setAccessibleName("Tables and figures")
        self.setObjectName("result-contents")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._heads: list[QListWidgetItem] = []
        self._items: dict[str, QListWidgetItem] = {}
        self._empty: dict[str, str] = {}
        for heading, entries in CONTENTS:
            head = QListWidgetItem(heading, self)
            head.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self._heads.append(head)
            for entry in entries:
                item = QListWidgetItem(entry.text, self)
                item.setData(_NAME, entry.name)
                self._items[entry.name] = item
                self._empty[entry.name] = entry.empty
        self.currentItemChanged.connect(self._tell)
        theme.changed.connect(self._take_theme)
        self._take_theme()

    def _take_theme(self) -> None:
        font = self._theme.font("small")
        font.setWeight(QFont.Weight.DemiBold)
        for place, head in enumerate(self._heads):
            head.setFont(font)
            head.setForeground(self._theme.color("secondary"))
            lines = QFontMetrics(font).height() + (16 if place else 8)
            head.setSizeHint(QSize(0, lines))
            head.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        for item in self._items.values():
            item.setForeground(self._theme.color("text" if item.flags() & Qt.ItemFlag.ItemIsSelectable else "disabled"))
        self._whole_width = 0
        self.updateGeometry()

    @property
    def current(self) -> str:
        """The name that is chosen; empty before any is."""
        item = self.currentItem()
        return str(item.data(_NAME) or "") if item is not None else ""

    def choose(self, name: str) -> bool:
        """Choose a table or view; whether it can be."""
        item = self._items.get(name)
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsSelectable:
            return False
        self.setCurrentItem(item)
        return True

    def show_filled(self, tables: Collection[str], withheld: Mapping[str, str] | None = None) -> None:
        """Let only those be chosen that have something to show; the others say why they have not: what `withheld` says
        of them, or that there is nothing."""
        for name, item in self._items.items():
            is_filled = not self._empty[name] or name in tables
            on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            item.setFlags(on if is_filled else Qt.ItemFlag.NoItemFlags)
            why = "" if is_filled else (withheld or {}).get(name) or self._empty[name]
            item.setToolTip(tooltip(why) if why else "")
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, why)
        self._take_theme()

    def sizeHint(self) -> QSize:
        # Layouts ask again and again, and Qt would lay out each line each time.
        if not self._whole_width:
            bar = self.verticalScrollBar().sizeHint().width()
            self._whole_width = max(self.sizeHintForColumn(0), 120) + bar + 12
        return QSize(self._whole_width, super().sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        self._whole_width = 0  # Another font, perhaps.
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)

    def _tell(self, current: QListWidgetItem | None, _: QListWidgetItem | None) -> None:
        if current is not None and current.data(_NAME):
            self.chosen.emit(str(current.data(_NAME)))
