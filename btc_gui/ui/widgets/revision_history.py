"""The wordings of one probe, newest first, each with what it changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from btc_gui.domain.probe import ProbeRevision, ProbeText
from btc_gui.ui.theme import Theme
from btc_gui.ui.widgets.plain_text import ReadingText, label
from btc_gui.ui.widgets.word_diff import write_diff
from btc_gui.ui.wording import when

_SHOWN = 20


class RevisionHistory(QWidget):
    """Removed words are struck through, added ones underlined, both on a wash of their colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._revisions: Sequence[ProbeRevision] = ()
        theme.changed.connect(self._show)

    def show_revisions(self, revisions: Sequence[ProbeRevision]) -> None:
        """Show these wordings (oldest first, as stored)."""
        self._revisions = revisions
        self._show()

    def _show(self) -> None:
        while self._column.count():
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        pairs = list(zip([None, *self._revisions], self._revisions, strict=False))
        for before, revision in reversed(pairs[-_SHOWN:]):
            who = f"Revision {revision.number} · {revision.origin} · {revision.author}, {when(revision.at)}"
            self._column.addWidget(label(who, "small"))
            text = ReadingText(role="body")
            text.setAccessibleName(f"Revision {revision.number}")
            self._column.addWidget(text)
            before_content = before.content if before is not None else revision.content
            write_diff(text, self._theme, before_content.text, revision.content.text)
            varied = _varied(before_content, revision.content)
            if varied:
                self._column.addWidget(label(varied, "small", selectable=True))
            self._column.addSpacing(8)


def _varied(before: ProbeText, after: ProbeText) -> str:
    """What else an edit changed: `requester: a host → an editor`."""
    parts = []
    for name in ("requester", "situation", "consequence"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            parts.append(f"{name}: {old or '–'} → {new or '–'}")
    return " · ".join(parts)
