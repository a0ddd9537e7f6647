"""Case cards as one HTML page: no scripts, nothing loaded, every outside text escaped."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Final

from btc_gui.domain.case_card import CardLine, CardPart, CardSheet, card_head, card_parts, web_address
from btc_gui.domain.outside_text import printable

_STYLE: Final = """
body { margin: 2.5rem auto; max-width: 46rem; padding: 0 1.25rem; background: #ffffff; color: #1f2328;
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 0 0 .25rem; }
h3 { font-size: .875rem; margin: 1.25rem 0 .25rem; color: #59636e; font-weight: 600; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
.note { color: #59636e; font-size: .875rem; }
.behind { margin-left: .9rem; }
.card { margin: 2rem 0; padding-top: 1.25rem; border-top: 1px solid #c9c9c2; }
blockquote { margin: .35rem 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid #c9c9c2; white-space: pre-wrap;
  overflow-wrap: anywhere; }
ol { margin: .25rem 0; padding-left: 1.6rem; }
a { color: #1f5fbf; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { background: #15171b; color: #e6e8eb; } h3, .note { color: #a3abb5; } a { color: #7fb2ff; }
  .card { border-color: #464d58; } blockquote { border-color: #464d58; } }
@media print { body { margin: 0; max-width: none; } .card { break-before: page; border: 0; }
  .card:first-of-type { break-before: auto; } blockquote, li { break-inside: avoid; } h3 { break-after: avoid; } }
""".strip()

# Nothing may be loaded or run, whatever a text contains.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def html_text(text: str) -> str:
    """Outside text: escaped."""
    return html.escape(printable(text), quote=True)


def cards_html(sheet: CardSheet, style: str = _STYLE) -> str:
    """The cards as one page without scripts, which loads nothing. `style` is its style sheet."""
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html_text(sheet.title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f'<h1 dir="auto">{html_text(sheet.title)}</h1>',
        *(f'<p dir="auto">{html_text(text)}</p>' for text in (sheet.description, sheet.note) if text),
    ]
    for card in sheet.cards:
        lines += [
            '<div class="card">',
            f'<h2 dir="auto">{html_text(card.change)}</h2>',
            f'<p class="note" dir="auto">{html_text(card_head(card))}</p>',
            *(row for part in card_parts(card) for row in _html_part(part)),
            "</div>",
        ]
    return "\n".join([*lines, "</body>", "</html>"]) + "\n"


def _html_part(part: CardPart) -> Iterator[str]:
    yield f"<h3>{html_text(part.title)}</h3>"
    numbered = [line for line in part.lines if line.number]
    if numbered:
        yield "<ol>"
        for line in numbered:
            note = f'<br><span class="note">{html_text(line.note)}</span>' if line.note else ""
            yield f'<li value="{line.number}" dir="auto">{html_text(line.text)}{note}</li>'
        yield "</ol>"
    for line in part.lines:
        if not line.number:
            yield from _html_line(line)


def _html_line(line: CardLine) -> Iterator[str]:
    if line.is_quote:
        yield f'<blockquote dir="auto">{html_text(line.text.strip())}</blockquote>'
    note = html_text(line.note)
    if line.link:
        shown, link = html_text(line.link), html_text(web_address(line.link))
        note += (": " if note else "") + (f'<a href="{link}" rel="noreferrer">{shown}</a>' if link else shown)
    if line.is_quote or not line.text:
        if note:
            place = "note behind" if line.is_quote else "note"
            yield f'<p class="{place}" dir="auto">{note}</p>'
    else:
        behind = f' <span class="note">({note})</span>' if note else ""
        yield f'<p dir="auto">{html_text(line.text)}{behind}</p>'
