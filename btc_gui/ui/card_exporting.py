"""Writing case cards from the window: where to, as a job, and what was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from btc_gui import paths
from btc_gui.domain.case_card import CardSheet
from btc_gui.domain.case_remarks import place_reference
from btc_gui.domain.results_record import ILLUSTRATIVE
from btc_gui.domain.trajectory import AnswerId
from btc_gui.exports.card_markdown import cards_markdown
from btc_gui.exports.case_card import FORMATS
from btc_gui.exports.files import safe_name, write_whole
from btc_gui.progress import Progress
from btc_gui.sessions.case_cards import CaseCards, case_cards
from btc_gui.store.projects import ProjectStore
from btc_gui.ui.card_printing import print_cards
from btc_gui.ui.context import Context
from btc_gui.ui.file_dialogs import ask_save
from btc_gui.ui.widgets.plain_text import copy_to_clipboard
from btc_gui.ui.words import counted

_KINDS = "PDF (*.pdf);;Markdown (*.md);;HTML (*.html);;LaTeX (*.tex)"


@dataclass(frozen=True, slots=True)
class _Written:
    """What came of it: the file, or the text to copy; None and empty where no case had a card."""

    made: CaseCards
    path: Path | None = None
    text: str = ""


class CardExport(QObject):
    """Its progress and cancel stand in the job bar."""

    def __init__(self, context: Context, widget: QWidget) -> None:
        super().__init__(widget)
        self._context, self._widget = context, widget

    def ask(self, ids: Sequence[AnswerId], title: str = "", description: str = "") -> None:
        """Ask where the cards of these cases should go; the file's ending says the format."""
        if not ids:
            self._context.shell.say("There is no case to make a card of")
            return
        title = title or (f"Case {place_reference(ids[0])}" if len(ids) == 1 else "Cases")
        name = f"case_{ids[0]}" if len(ids) == 1 else f"cases_{safe_name(title)}"
        proposed = paths.exports() / self._context.database.path.stem / f"{name}.pdf"
        path = ask_save(self._widget, "Save case cards", proposed, _KINDS, ".pdf")
        if path is not None:
            self.write(ids, path, title, description)

    def write(self, ids: Sequence[AnswerId], path: Path, title: str, description: str = "") -> None:
        """Write the cards to a file as its ending says: .pdf, .md, .html or .tex; any other is PDF."""

        def work(progress: Progress) -> _Written:
            made = self._made(ids, progress)
            if not made.cards:
                return _Written(made)
            sheet = CardSheet(made.cards, title, description, self._note())
            form = FORMATS.get(path.suffix.lower().removeprefix("."))
            if form is None:
                return _Written(made, print_cards(sheet, path))
            return _Written(made, write_whole(path, form(sheet).encode("utf-8", "replace")))

        self._context.job_runner.start("Write case cards", work, lane="case-cards", succeeded=self._written)

    def copy(self, answer_id: AnswerId) -> None:
        """Copy the card of a case as Markdown."""

        def work(progress: Progress) -> _Written:
            made = self._made([answer_id], progress)
            sheet = CardSheet(made.cards, f"Case {place_reference(answer_id)}", note=self._note())
            return _Written(made, text=cards_markdown(sheet) if made.cards else "")

        self._context.job_runner.start("Copy a case card", work, lane="case-cards", succeeded=self._written)

    def _made(self, ids: Sequence[AnswerId], progress: Progress) -> CaseCards:
        return case_cards(self._context.database, self._context.categories, ids, progress)

    def _note(self) -> str:
        return ILLUSTRATIVE if ProjectStore(self._context.database).is_illustrative else ""

    def _written(self, written: object) -> None:
        if not isinstance(written, _Written):
            return
        left_out = len(written.made.in_study)
        parts = []
        if written.path is not None:
            parts.append(f"{counted(len(written.made.cards), 'card')} in {written.path}")
        if written.text:
            copy_to_clipboard(written.text)
            parts.append("Copied the card as Markdown")
        if left_out:
            verb = "has no card: it is" if left_out == 1 else "have no card: they are"
            parts.append(f"{counted(left_out, 'case')} {verb} part of a study that is not unblinded yet")
        self._context.shell.say("; ".join(parts))
