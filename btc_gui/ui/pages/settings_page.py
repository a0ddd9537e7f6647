"""Settings: who is working here, how it looks, which keys are set, the shortcuts, where things lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from btc_gui import paths
from btc_gui.remote.service_address import TITLES
from btc_gui.remote.service_keys import KEYRING_SERVICE, SERVICES, adopt_keyring, set_variables
from btc_gui.settings import QUERY_SERVICES, settings_path
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.shell import Page
from btc_gui.ui.theme import BETWEEN, INSIDE
from btc_gui.ui.widgets.buttons import icon_button
from btc_gui.ui.widgets.category_card import CategoryCard
from btc_gui.ui.widgets.combo import Combo
from btc_gui.ui.widgets.frames import Card, PageHeader, page_column, scrolling, text_scale_of
from btc_gui.ui.widgets.model_list import ModelList
from btc_gui.ui.widgets.plain_text import label, set_role
from btc_gui.ui.widgets.shortcut_editor import ShortcutEditor

#: Pixels at normal text size that two columns need.
_LEAST_FOR_TWO: Final = 760
_THEMES: Final = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))
_SIZES: Final = tuple((str(scale), f"{scale * 100:.0f} %") for scale in (0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0))


class SettingsPage(Page):
    """Everything is saved at once; there is no button to forget."""

    name, title, icon = "settings", "Settings", "settings"
    subjects = frozenset({Subject.SETTINGS, Subject.PROJECT})

    def __init__(self, context: Context) -> None:
        super().__init__(context.place)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # For its keys; there is nothing to see on it.
        self.setAccessibleName("Settings")
        self._context = context
        column = page_column(self)
        column.addWidget(PageHeader("Settings"))
        content = QWidget()
        whole = QVBoxLayout(content)
        whole.setContentsMargins(0, 0, INSIDE, 0)
        whole.setSpacing(BETWEEN)
        self._sides = sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        sides.setSpacing(BETWEEN)
        whole.addLayout(sides)
        left, right = QVBoxLayout(), QVBoxLayout()
        for side in (left, right):
            side.setSpacing(12)
            sides.addLayout(side, 1)
        left.addStretch(1)
        column.addWidget(scrolling(content, "All settings"), 1)
        # Each card in a turn of its own: all of them together would hold the window for a fifth of a second.
        self._to_build: list[tuple[Callable[[], Card], Callable[[], None] | None, QVBoxLayout, int]] = [
            (self._person, self._show_person, left, 0),
            (self._looks, self._show_looks, left, 0),
            (self._service_keys, self._show_keys, left, 0),
            (self._places, None, left, 0),
            # Tab goes through them in this order: down on the left, then down on the right.
            (self._shortcuts, self._show_shortcuts, right, 1),
            (self._categories, None, right, 0),
            (self._models, self._show_models, whole, 0),
        ]
        self._shown: list[Callable[[], None]] = []
        self._left = left
        self._building = QTimer(self)
        self._building.setSingleShot(True)
        self._building.setInterval(0)
        self._building.timeout.connect(self._build_next)

    def _build_next(self) -> None:
        if not self._to_build:
            return
        make, show, layout, stretch = self._to_build.pop(0)
        card = make()
        # On the left, what stretches stays last.
        layout.insertWidget(layout.count() - (layout is self._left), card, stretch)
        if show is not None:
            show()
            self._shown.append(show)
        if self._to_build:
            self._building.start()

    def leave(self) -> None:
        # What is left to build asks the project, which may be closed next; it goes on at the next visit.
        self._building.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_sides()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place_sides()

    def _place_sides(self) -> None:
        """Put the two columns below each other where they can't be read side by side."""
        is_narrow = self.width() < _LEAST_FOR_TWO * text_scale_of(self)
        ways = QBoxLayout.Direction
        self._sides.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)

    # -- building ---------------------------------------------------------------------------------------------

    def _person(self) -> Card:
        card = Card("You")
        self.reviewer, self.contact = QLineEdit(), QLineEdit()
        self.reviewer.editingFinished.connect(self._save_person)
        self.contact.editingFinished.connect(self._save_person)
        self.contact.setPlaceholderText("name@example.org, or a web page")
        fields = _fields(card)
        _add_field(fields, "Name", self.reviewer, "Stands beside your decisions, labels and notes.")
        _add_field(fields, "Contact", self.contact, "Wikimedia asks programs to say whom to write to.")
        self.query_service = Combo("Wikidata")
        self.query_service.activated.connect(self._save_person)
        _add_field(fields, "Wikidata", self.query_service, "Where events are collected. QLever may lag behind.")
        return card

    def _looks(self) -> Card:
        card = Card("Looks")
        self.theme_box = Combo("Theme", _THEMES)
        self.theme_box.activated.connect(self._save_looks)
        self.size_box = Combo("Text size", _SIZES)
        self.size_box.activated.connect(self._save_looks)
        fields = _fields(card)
        _add_field(fields, "Theme", self.theme_box)
        _add_field(fields, "Text size", self.size_box)
        return card

    def _service_keys(self) -> Card:
        card = Card("Keys of services")
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        self.key_states = {}
        for position, service in enumerate(SERVICES):
            state = label("", wraps=False)
            grid.addWidget(label(service.title), position * 2, 0)
            grid.addWidget(label(" or ".join(service.variables), "mono", selectable=True), position * 2, 1)
            grid.addWidget(state, position * 2, 2)
            grid.addWidget(label(service.used_for, "small"), position * 2 + 1, 0, 1, 3)
            self.key_states[service.title] = state
        card.body.addLayout(grid)
        note = "Keys are read from the environment. They are never shown, stored or written to a log."
        card.body.addWidget(label(note, "small"))
        self.keyring_box = QCheckBox("Also look in the system’s keyring")
        self.keyring_box.toggled.connect(self._save_keyring)
        card.body.addWidget(self.keyring_box)
        self.keyring_note = label("", "small")
        card.body.addWidget(self.keyring_note)
        return card

    def _shortcuts(self) -> Card:
        card = Card("Shortcuts")
        self.shortcuts = ShortcutEditor(self._context.theme)
        self.shortcuts.keys_chosen.connect(self._save_keys)
        card.body.addWidget(self.shortcuts, 1)
        return card

    def _models(self) -> Card:
        self.models = ModelList(self._context)
        return self.models

    def _categories(self) -> Card:
        self.categories = CategoryCard(self._context)
        return self.categories

    def _places(self) -> Card:
        card = Card("Where things are")
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        places = (
            ("This project", self._context.database.path),
            ("New projects", paths.projects()),
            ("Exports", paths.exports()),
            ("Logs", paths.state()),
            ("Settings", settings_path()),
        )
        for row, (words, path) in enumerate(places):
            grid.addWidget(label(words, "small", wraps=False), row, 0)
            grid.addWidget(label(str(path).replace("/", "/\u200b"), selectable=True), row, 1)
            open_button = icon_button("folder-open", f"Open the folder of: {words}")
            open_button.setProperty("folder", str(path if path.is_dir() else path.parent))
            open_button.clicked.connect(self._open_folder)
            grid.addWidget(open_button, row, 2)
        card.body.addLayout(grid)
        return card

    # -- showing ----------------------------------------------------------------------------------------------

    def activate(self) -> None:
        for show in self._shown:
            show()
        if self._to_build:
            self._building.start()

    def _show_person(self) -> None:
        settings = self._context.settings
        for field, text in ((self.reviewer, settings.reviewer), (self.contact, settings.operator_contact)):
            if not field.hasFocus():
                field.setText(text)
        services = [(name, TITLES[name]) for name in QUERY_SERVICES]
        self.query_service.set_choices(services, settings.query_service)

    def _show_looks(self) -> None:
        settings = self._context.settings
        self.theme_box.set_choices(_THEMES, settings.theme)
        nearest = min(_SIZES, key=lambda size: abs(float(size[0]) - settings.text_scale))
        self.size_box.set_choices(_SIZES, nearest[0])

    def _show_shortcuts(self) -> None:
        self.shortcuts.show_keys(self._context.commands.keys)

    def _show_models(self) -> None:
        self.models.refresh()

    def take_focus(self) -> None:
        # Not the first field: a key meant for a command (“?”) would overwrite the name that it selects.
        self.setFocus()

    def _show_keys(self) -> None:
        self.keyring_box.blockSignals(True)
        self.keyring_box.setChecked(self._context.settings.use_keyring)
        self.keyring_box.blockSignals(False)
        available = set_variables()
        for service in SERVICES:
            state = self.key_states[service.title]
            is_set = any(name in available for name in service.variables)
            state.setText("✓ set" if is_set else "not set")
            set_role(state, "success" if is_set else "secondary")
        if not self._context.settings.use_keyring:
            self.keyring_note.setText(
                f"Store a key there with: keyring set {KEYRING_SERVICE} {SERVICES[0].variables[0]}"
            )

    # -- saving -----------------------------------------------------------------------------------------------

    def _save_person(self) -> None:
        settings = self._context.settings
        reviewer = self.reviewer.text().strip()
        if not reviewer:
            self.reviewer.setText(settings.reviewer)
            self._context.shell.say("A name is needed: it stands beside every decision.")
            return
        self._context.shell.change_settings(
            replace(
                settings,
                reviewer=reviewer,
                operator_contact=self.contact.text().strip(),
                query_service=self.query_service.value,
            )
        )

    def _save_looks(self) -> None:
        settings = self._context.settings
        self._context.shell.change_settings(
            replace(settings, theme=self.theme_box.value, text_scale=float(self.size_box.value))
        )

    def _save_keys(self, keys: dict[str, str]) -> None:
        self._context.shell.change_settings(replace(self._context.settings, keys=keys))

    def _save_keyring(self, is_used: bool) -> None:
        self._context.shell.change_settings(replace(self._context.settings, use_keyring=is_used))
        if is_used:
            self.keyring_note.setText("Looking in the keyring…")
            self._context.job_runner.start(
                "Look in the keyring",
                adopt_keyring,
                lane="keyring",
                succeeded=self._keyring_read,
                failed=self._keyring_failed,
                is_quiet=True,
            )

    def _keyring_read(self, found: object) -> None:
        names = sorted(found) if isinstance(found, frozenset) else []
        self.keyring_note.setText(f"Found there: {', '.join(names)}." if names else "Nothing of ours is stored there.")
        self._show_keys()

    def _keyring_failed(self, error: object) -> None:
        self.keyring_note.setText(str(error))

    def _open_folder(self) -> None:
        opener = self.sender()
        folder = Path(str(opener.property("folder"))) if opener is not None else None
        if folder is not None and folder.is_dir():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
        else:
            self._context.shell.say("That folder does not exist yet.")


def _fields(card: Card) -> QGridLayout:
    """Lines of a card with the name of a field and the field, all of which begin at one place."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(2)
    grid.setColumnMinimumWidth(0, 80)
    grid.setColumnStretch(1, 1)
    card.body.addLayout(grid)
    return grid


def _add_field(fields: QGridLayout, words: str, field: QWidget, note: str = "") -> None:
    name = label(words, wraps=False)
    name.setBuddy(field)
    field.setAccessibleName(words)
    line = fields.rowCount()
    fields.addWidget(name, line, 0, Qt.AlignmentFlag.AlignVCenter)
    fields.addWidget(field, line, 1)
    if note:
        fields.addWidget(label(note, "small"), line + 1, 1)
    fields.setRowMinimumHeight(line + 2, 4)
