"""The categories of change that this installation knows, and those of the project that it lacks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui import paths
from btc_gui.errors import BtcError
from btc_gui.store.own_categories import UsedCategory, restore_category, used_categories
from btc_gui.ui.context import Context
from btc_gui.ui.error_dialog import confirm
from btc_gui.ui.theme import INSIDE
from btc_gui.ui.widgets.buttons import button
from btc_gui.ui.widgets.frames import Card
from btc_gui.ui.widgets.plain_text import label


class CategoryCard(Card):
    """All categories in their order; what is missing or has changed stands below them."""

    def __init__(self, context: Context) -> None:
        super().__init__("Categories")
        for category in context.categories.values():
            own = " (your own)" if paths.category_folder(category.name).parent == paths.own_categories() else ""
            self.body.addWidget(label(f"{category.plural}{own}", "heading"))
            self.body.addWidget(label(f"{category.before}  →  {category.after}", "secondary"))
        self.odd = [OddCategory(context, used) for used in used_categories(context.database) if used.problem]
        for each in self.odd:
            self.body.addWidget(each)
        note = f"A category is a folder. Your own go into {paths.own_categories()}, and are read when the app starts."
        self.body.addWidget(label(note, "small", selectable=True))


class OddCategory(QWidget):
    """A category of the project that is not here, or is here with other files; the project may hold its files."""

    def __init__(self, context: Context, used: UsedCategory) -> None:
        super().__init__()
        self._context, self._used = context, used
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(INSIDE)
        self.words = label(_words(used), "warning")
        column.addWidget(self.words)
        self.take = button(f"Take “{used.name}” from the project…")
        self.take.clicked.connect(self._take)
        column.addWidget(self.take, alignment=Qt.AlignmentFlag.AlignLeft)
        self.take.setVisible(used.folder is None and used.is_kept)

    def _take(self) -> None:
        agreed = confirm(
            self,
            f"Take the category “{self._used.name}” from this project?",
            f"Its files are written into {paths.own_categories()}. The linter runs the patterns in them: do this with "
            "projects of people you trust.",
            "Take it",
        )
        if not agreed:
            return
        try:
            folder = restore_category(self._context.database, self._used.name)
        except BtcError as error:
            self._context.shell.show_error(error)
            return
        self.take.hide()
        self.words.setText(f"Wrote {folder}. It is read when the app starts again.")


def _words(used: UsedCategory) -> str:
    if used.folder is None and used.is_kept:
        return f"This project has events of “{used.name}”, a category that is not here. The project holds its files."
    return used.problem
