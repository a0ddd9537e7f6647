"""Case cards as PDF: Qt sets the page, with the system's fonts for every script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QThread
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from btc_gui.domain.case_card import CardSheet
from btc_gui.exports.card_html import cards_html
from btc_gui.exports.files import write_whole

# What Qt knows of CSS: no variables, no media, sizes in points.
_STYLE: Final = """
body { color: #1f2328; }
.h1 { font-size: 17pt; font-weight: 600; margin-bottom: 8px; }
.h2 { font-size: 13pt; font-weight: 600; margin-top: 10px; margin-bottom: 2px; }
.h3 { font-size: 9pt; font-weight: 600; color: #59636e; margin-top: 16px; margin-bottom: 3px; }
p { margin-top: 3px; margin-bottom: 3px; }
.note { color: #59636e; font-size: 9pt; }
.behind { margin-left: 20px; }
.card { page-break-before: always; }
.first { page-break-before: auto; }
blockquote { margin-left: 20px; margin-right: 20px; margin-top: 4px; margin-bottom: 4px; white-space: pre-wrap; }
ol { margin-top: 3px; margin-bottom: 3px; }
a { color: #1f5fbf; }
"""
# Qt takes the sizes of headings from the size of the text, whatever a style says.
_HEADING: Final = re.compile(r"<(/?)h([123])(?= |>)")
_POINTS: Final = 10.0


class _Printing(QThread):
    """Sets the pages. A document needs a thread of Qt's, which the threads of jobs are not."""

    def __init__(self, title: str, page: str) -> None:
        super().__init__()
        self._title, self._page = title, page
        self.data = b""
        self.error: Exception | None = None

    def run(self) -> None:
        """Set the pages; what goes wrong is kept for the thread that waits."""
        try:
            self.data = _pdf(self._title, self._page)
        except Exception as error:
            self.error = error


def print_cards(sheet: CardSheet, path: Path) -> Path:
    """Write the cards as a PDF of A4 pages, each card on a new one. May be called from any thread; it waits.

    Raises `InputError` when the file can't be written.
    """
    printing = _Printing(sheet.title, page_of(sheet))
    printing.start()
    printing.wait()
    if printing.error is not None:
        raise printing.error
    return write_whole(path, printing.data)


def page_of(sheet: CardSheet) -> str:
    """The cards as HTML that Qt sets well."""
    page = cards_html(sheet, _STYLE).replace('<div class="card">', '<div class="card first">', 1)
    return _HEADING.sub(lambda found: "</p" if found[1] else f'<p class="h{found[2]}"', page)


def _pdf(title: str, page: str) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("btc_gui")
    margins = QMarginsF(20, 20, 20, 20)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter
        )
    )
    document = QTextDocument()
    font = QFont()
    font.setPointSizeF(_POINTS)
    document.setDefaultFont(font)
    document.setHtml(page)
    document.print_(writer)
    buffer.close()
    return bytes(data.data())
