"""What pages do with the linter's findings: filter by them, mark them in a text, look anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from btc_gui.domain.lint import Finding, Severity
from btc_gui.domain.lint.rules import RULES
from btc_gui.domain.outside_text import showable
from btc_gui.progress import Progress
from btc_gui.store.database import Database
from btc_gui.store.lint import CLEAN, UNCHECKED, WAIVED, LintStore
from btc_gui.ui.changes import Subject
from btc_gui.ui.context import Context
from btc_gui.ui.qt_offsets import utf16_offsets
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.filter_bar import Choice
from btc_gui.ui.wording import counted


def lint_choices(counts: Mapping[str, int]) -> list[Choice]:
    """What a list of probes can be narrowed to, with how many each has; rules that found nothing are left out."""
    words = {severity.value: f"Any {severity.value}" for severity in Severity}
    words |= {CLEAN: "Nothing found", WAIVED: "Let pass", UNCHECKED: "Not checked as it is now"}
    always = [Choice(value, text, counts.get(value, 0)) for value, text in words.items()]
    return always + [Choice(r.name, r.title, counts[r.name]) for r in RULES.values() if counts.get(r.name)]


_WORST = {Severity.ERROR: ("an error", "incorrect"), Severity.WARNING: ("a warning", "stale")}


def worst_words(worst: Severity | None) -> str:
    """The worst of a probe's findings in words, for a list; nothing for notes."""
    return f"The linter has {_WORST[worst][0]}" if worst in _WORST else ""


def worst_mark(worst: Severity | None) -> str:
    """The same as a mark."""
    return _WORST[worst][1] if worst in _WORST else ""


def mark_findings(view: QTextEdit, theme: Theme, text: str, findings: Sequence[Finding]) -> None:
    """Mark in a view what the findings are about, as long as it shows `text` as it stands."""
    spans = [(f.start, f.end) for f in findings if f.is_about_part and not f.is_waived and f.end <= len(text)]
    selections = []
    text = showable(text)
    if spans and view.toPlainText() == text:
        units = utf16_offsets(text, [offset for span in spans for offset in span])
        for start, stop in spans:
            look = QTextCharFormat()
            look.setBackground(theme.color("evidence"))
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            look.setUnderlineColor(theme.color("warning"))
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(view.document())
            selection.cursor.setPosition(units[start])
            selection.cursor.setPosition(units[stop], QTextCursor.MoveMode.KeepAnchor)
            selection.format = look
            selections.append(selection)
    view.setExtraSelections(selections)


class Linting(QObject):
    """Checks probes anew, for a page."""

    def __init__(self, context: Context, page: QWidget) -> None:
        super().__init__(page)
        self._context = context

    def check(self) -> None:
        """Check, as a job, the probes that were not checked as they are now."""
        work = partial(_refresh, self._context.database)
        self._context.job_runner.start("Check probes", work, lane="lint", succeeded=self._checked)

    def _checked(self, count: int) -> None:
        self._context.changes.tell(Subject.PROBES)
        self._context.shell.say(f"{counted(count, 'probe')} checked." if count else "Every probe is checked already.")


def _refresh(database: Database, progress: Progress) -> int:
    return LintStore(database).refresh(progress=progress)
