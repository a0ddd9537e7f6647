"""What stands behind a run's search: recorded results, the web or a folder, as of which day, and how much of it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui.domain.search_settings import SearchKind
from btc_gui.ui.file_dialogs import ask_folder
from btc_gui.ui.run_composing import SEARCH, SearchChoice
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.number_box import NumberBox

_SEARCHES = (
    (SearchKind.REPLAY.value, "Recorded results"),
    (SearchKind.EXA.value, "The web, by Exa"),
    (SearchKind.LOCAL.value, "A folder of documents"),
)


class SearchFields(QWidget):
    """Asks for a `SearchChoice`; `changed` comes with every change of it."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_chosen = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._first_line())
        column.addWidget(self._folder_line())
        column.addLayout(self._limits())
        self.setFocusProxy(self.kind)  # For the label of the row.

    def _first_line(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.kind = Combo("What stands behind the shared harness's search", _SEARCHES)
        self.kind.currentIndexChanged.connect(self._show_folder)
        self.kind.activated.connect(self._keep_kind)
        self.as_of = QLineEdit()
        self.as_of.setPlaceholderText("as of: 2026-05-09")
        self.as_of.setAccessibleName("As of: results published later are dropped")
        self.as_of.setToolTip("Results published after this day are dropped, and the agents are told that it is today")
        self.as_of.textEdited.connect(self.changed)
        self.as_of.textChanged.connect(self._show_undated)
        row.addWidget(self.kind, 2)
        row.addWidget(self.as_of, 1)
        return row

    def _folder_line(self) -> QWidget:
        self._folder_row = QWidget()
        row = QHBoxLayout(self._folder_row)
        row.setContentsMargins(0, 0, 0, 0)
        self.folder = QLineEdit()
        self.folder.setAccessibleName("Folder of documents to search")
        self.folder.setPlaceholderText("Folder of documents")
        self.folder.textChanged.connect(self.changed)
        choose = button("Folder…", "folder-open")
        choose.setAccessibleName("Folder of documents to search…")
        choose.clicked.connect(self._choose_folder)
        row.addWidget(self.folder, 1)
        row.addWidget(choose)
        self._folder_row.setVisible(False)
        return self._folder_row

    def _limits(self) -> QHBoxLayout:
        """How much a query brings; and, with an as-of day, whether results without a date count."""
        row = QHBoxLayout()
        self.results, self.characters = NumberBox(), NumberBox()
        self.results.setRange(0, 1_000)
        self.results.setValue(SEARCH.results)
        self.results.setSuffix(" results")
        self.results.setSpecialValueText("all results")
        self.results.setAccessibleName("Results for a query at most")
        self.results.setToolTip("At most so many results for a query; 0 for all")
        self.characters.setRange(0, 1_000_000)
        self.characters.setSingleStep(500)
        self.characters.setValue(SEARCH.characters)
        self.characters.setSuffix(" characters each")
        self.characters.setSpecialValueText("whole excerpts")
        self.characters.setAccessibleName("Characters of excerpts in a result at most")
        self.characters.setToolTip("At most so many characters of excerpts in a result; 0 for all of them")
        self.keep_undated = QCheckBox("Keep results without a date")
        self.keep_undated.setChecked(SEARCH.keep_undated)
        self.keep_undated.setToolTip("Nobody knows whether they are from after the as-of day")
        for each in (self.results, self.characters):
            each.valueChanged.connect(self.changed)
            row.addWidget(each)
        self.keep_undated.toggled.connect(self.changed)
        self.keep_undated.setVisible(False)
        row.addWidget(self.keep_undated)
        row.addStretch(1)
        return row

    @property
    def choice(self) -> SearchChoice:
        """What is chosen."""
        return SearchChoice(
            SearchKind(self.kind.value),
            self.folder.text().strip(),
            self.as_of.text().strip(),
            self.results.value(),
            self.characters.value(),
            self.keep_undated.isChecked(),
        )

    def suggest(self, kind: SearchKind) -> None:
        """Choose a kind, unless somebody has chosen one."""
        if not self._is_chosen:
            self.kind.setCurrentIndex(self.kind.findData(kind.value))

    def take(self, settings: Mapping[str, object]) -> None:
        """Choose what was kept before; what is missing or odd stays as it is."""
        self.kind.setCurrentIndex(max(0, self.kind.findData(settings.get("kind"))))
        self.folder.setText(str(settings.get("folder", "")))
        self.as_of.setText(str(settings.get("as_of", "")))
        for box, name in ((self.results, "results"), (self.characters, "characters")):
            value = settings.get(name)
            if isinstance(value, int):
                box.setValue(value)
        self.keep_undated.setChecked(settings.get("keep_undated") is not False)

    def _show_undated(self, text: str) -> None:
        self.keep_undated.setVisible(bool(text.strip()))

    def _choose_folder(self) -> None:
        chosen = ask_folder(self, "Folder of documents to search")
        if chosen is not None:
            self.folder.setText(str(chosen))

    def _show_folder(self) -> None:
        self._folder_row.setVisible(self.kind.value == SearchKind.LOCAL)
        self.changed.emit()

    def _keep_kind(self) -> None:
        self._is_chosen = True
