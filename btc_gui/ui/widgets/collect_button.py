"""Puts cases into collections: a menu of them, where they can be made, opened and arranged, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from btc_gui.domain.case_remarks import CaseCollection, CollectionId
from btc_gui.domain.trajectory import AnswerId
from btc_gui.errors import BtcError
from btc_gui.store.case_collections import CaseCollectionStore
from btc_gui.ui.case_set import CaseSet
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.widgets.buttons import in_button
from btc_gui.ui.widgets.menu_button import MenuButton
from btc_gui.ui.widgets.name_dialog import NameDialog
from btc_gui.ui.widgets.plain_text import one_line
from btc_gui.ui.words import counted

#: More cases than these are collected by a job: the window does not wait.
_AT_ONCE = 200


class CollectButton(MenuButton):
    """`ids` gives the cases that would be collected. For a single case, a chosen collection that has it lets it go."""

    #: A case was put into a collection, or taken out.
    changed = Signal()

    def __init__(
        self,
        context: Context,
        ids: Callable[[], Sequence[AnswerId]],
        words: str = "Collect",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(words, f"{words}: collections of cases", parent)
        self._context, self._ids = context, ids
        self.dialog: NameDialog | None = None
        self._collecting: tuple[AnswerId, ...] = ()
        self.setToolTip("Collections of cases")
        self.menu().aboutToShow.connect(self.fill)
        self.menu().triggered.connect(self._take)

    @property
    def _store(self) -> CaseCollectionStore:
        return CaseCollectionStore(self._context.database)

    def fill(self) -> None:
        """Offer the collections as they are now."""
        menu, ids = self.menu(), tuple(self._ids())
        menu.clear()
        collections = self._store.all()
        holding = {each.id for each in self._store.holding(ids[0])} if len(ids) == 1 else set()
        # Not a section: menus of a style sheet draw it as a line without its words.
        menu.addAction(f"Put {'this case' if len(ids) == 1 else counted(len(ids), 'case')} into").setEnabled(False)
        for each in collections:
            action = self._add(menu, f"{_words(each)}\t{each.cases:,}", ("put", each.id))
            action.setEnabled(bool(ids))
            if len(ids) == 1:
                action.setCheckable(True)
                action.setChecked(each.id in holding)
        self._add(menu, "New collection…", ("new", None)).setEnabled(bool(ids))
        menu.addSeparator()
        opening = menu.addMenu("Open a collection")
        opening.setEnabled(bool(collections))
        for each in collections:
            self._add(opening, f"{_words(each)}\t{each.cases:,}", ("open", each.id))
        self._add(menu, "Collections…", ("arrange", None))

    def _add(self, menu: QMenu, words: str, data: tuple[str, CollectionId | None]) -> QAction:
        action = menu.addAction(words)
        action.setData(data)
        return action

    def _take(self, action: QAction) -> None:
        verb, collection_id = action.data()
        if verb == "new":
            self.ask_name()
        elif verb == "arrange":
            self.arrange()
        elif verb == "open":
            open_collection(self._context, collection_id)
        else:
            self.put(collection_id)

    def put(self, collection_id: CollectionId) -> None:
        """Put the cases into a collection; a single one that is in it is taken out."""
        ids, author, store = tuple(self._ids()), self._context.settings.reviewer, self._store

        def work() -> str:
            name = one_line(store.get(collection_id).name, 60)
            if len(ids) == 1 and collection_id in {each.id for each in store.holding(ids[0])}:
                store.remove(collection_id, ids, author)
                return f"Taken out of “{name}”"
            added = store.add(collection_id, ids, author)
            known = f"; {len(ids) - added:,} in it before" if added < len(ids) else ""
            return f"Put {counted(added, 'case')} into “{name}”{known}"

        self._write(work, len(ids))

    def ask_name(self) -> None:
        """Ask for the name of a new collection for the cases."""
        self._collecting = tuple(self._ids())
        self.dialog = dialog = NameDialog(
            "New collection",
            f"{counted(len(self._collecting), 'case')} will be in it. A description can be added later.",
            "Make it",
            frozenset(),
            self.window(),
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._make)
        dialog.open()

    def _make(self) -> None:
        if self.dialog is None:
            return
        name, ids, author = self.dialog.name, self._collecting, self._context.settings.reviewer
        store = self._store

        def work() -> str:
            store.add(store.create(name, "", author), ids, author)
            return f"Made “{one_line(name, 60)}” of {counted(len(ids), 'case')}"

        self._write(work, len(ids))

    def _write(self, work: Callable[[], str], cases: int) -> None:
        """Write and tell; a long list is written by a job."""
        if cases > _AT_ONCE:
            self._context.job_runner.start(
                "Collect cases", lambda progress: work(), lane="collect-cases", succeeded=self._written
            )
            return
        try:
            words = work()
        except BtcError as error:
            self._context.shell.show_error(error)
        else:
            self._written(words)

    def _written(self, words: object) -> None:
        self._context.shell.say(str(words))
        self._tell()

    def arrange(self) -> None:
        """Open the dialog in which collections are described and arranged."""
        from btc_gui.ui.widgets.case_collections_dialog import CaseCollectionsDialog

        CaseCollectionsDialog(self._context, self.window()).show()

    def _tell(self) -> None:
        self._context.changes.tell(Subject.NOTES)
        self.changed.emit()


def open_collection(context: Context, collection_id: CollectionId) -> None:
    """Show a collection's cases on the Cases page, in its order."""
    store = CaseCollectionStore(context.database)
    try:
        collection = store.get(collection_id)
    except BtcError as error:
        context.shell.show_error(error)
        return
    context.shell.open("cases", CaseSet(collection.name, tuple(store.ids(collection_id)), keeps_order=True))


def _words(collection: CaseCollection) -> str:
    return in_button(one_line(collection.name, 60))
