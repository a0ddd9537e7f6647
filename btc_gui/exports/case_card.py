"""Case cards as files: Markdown, HTML and LaTeX. The same cards give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from btc_gui.domain.case_card import CardSheet
from btc_gui.exports.card_html import cards_html
from btc_gui.exports.card_latex import cards_latex
from btc_gui.exports.card_markdown import cards_markdown
from btc_gui.exports.files import write_whole

#: The formats by the ends of their files' names.
FORMATS: Final[dict[str, Callable[[CardSheet], str]]] = {
    "md": cards_markdown,
    "html": cards_html,
    "tex": cards_latex,
}


def write_cards(sheet: CardSheet, folder: Path, name: str, formats: Sequence[str] = tuple(FORMATS)) -> list[Path]:
    """Write the cards in each format as one file. Raises KeyError for another format, InputError as `write_whole`."""
    made = {end: FORMATS[end](sheet).encode("utf-8", "replace") for end in formats}
    return [write_whole(folder / f"{name}.{end}", data) for end, data in made.items()]
