"""Case cards as CommonMark: nothing in a text acts as markup, no address becomes a link by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from btc_gui.domain.case_card import CardPart, CardSheet, card_head, card_parts, web_address
from btc_gui.domain.outside_text import printable

_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>()&~|$@!^])")
_STARTS_LIST: Final = re.compile(r"^(\s*)([#+=:-]|\d+[.)])")


def markdown_text(text: str) -> str:
    """Outside text on one line: no sign in it is markup, no address becomes a link by itself."""
    text = _MARKDOWN.sub(r"\\\1", " ".join(printable(text).split()))
    text = text.replace("://", "\\://").replace("www.", "www\\.")
    return _STARTS_LIST.sub(lambda found: found[1] + found[2][:-1] + "\\" + found[2][-1], text)


def cards_markdown(sheet: CardSheet) -> str:
    """The cards as CommonMark."""
    lines = [f"# {markdown_text(sheet.title)}", ""]
    for text in (sheet.description, sheet.note):
        if text:
            lines += [markdown_text(text), ""]
    for card in sheet.cards:
        lines += [f"## {markdown_text(card.change)}", "", markdown_text(card_head(card)), ""]
        for part in card_parts(card):
            lines += [f"### {markdown_text(part.title)}", "", *_markdown_lines(part), ""]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_lines(part: CardPart) -> Iterator[str]:
    for place, line in enumerate(part.lines):
        if place and not line.number:
            yield ""
        note = markdown_text(line.note)
        if line.link and (link := web_address(line.link)):
            note += (": " if note else "") + "<" + link.replace("\\", "%5C") + ">"
        elif line.link:
            note += (": " if note else "") + markdown_text(line.link)
        if line.is_quote:
            for row in printable(line.text).strip().split("\n"):
                yield f"> {markdown_text(row)}".rstrip()
            if note:
                yield f">\n> — {note}"
        elif line.number:
            yield f"{line.number}. {markdown_text(line.text)}" + (f" — {note}" if note else "")
        else:
            yield markdown_text(line.text) + (f" ({note})" if note and line.text else note)
