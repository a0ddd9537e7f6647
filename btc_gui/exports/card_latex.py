"""Case cards as LaTeX: no command in a text can run; passages in other scripts are marked for their fonts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from btc_gui.domain.case_card import CardPart, CardSheet, CaseCard, card_head, card_parts
from btc_gui.domain.outside_text import printable
from btc_gui.exports.latex import tex

_LATEX_HEAD: Final = r"""% Cards of cases, for \input in a document that LuaLaTeX or XeLaTeX sets with fontspec.
% Passages in other scripts than Latin stand in \btcscript{Name}{text}: with \newfontfamily\btcName{Font} in the
% preamble they are set in that font, such as \newfontfamily\btcCjk{Noto Serif CJK SC} or
% \newfontfamily\btcArabic[Script=Arabic]{Noto Naskh Arabic}. Right-to-left scripts need LuaLaTeX and
% \usepackage[english,bidi=basic]{babel}.
\providecommand{\btcscript}[2]{{\ifcsname btc#1\endcsname\csname btc#1\endcsname\fi #2}}
"""

_NEW_LINE: Final = "\\par "


def tex_text(text: str) -> str:
    """Outside text: no command in it can run; passages of other scripts are marked for their fonts."""
    pieces = []
    for script, run in _runs(" ".join(printable(text).split())):
        words = tex(f"x{run}x")[1:-1]
        pieces.append(rf"\btcscript{{{script}}}{{{words}}}" if script else words)
    return "".join(pieces)


def _tex_address(link: str) -> str:
    """An address that may be broken behind its signs."""
    return re.sub(r"(/|-|\\&|=|\.|\?)", r"\1\\allowbreak{}", tex_text(link))


def cards_latex(sheet: CardSheet) -> str:
    """The cards as text for a document: sections, quotes and lists of plain LaTeX."""
    lines = [_LATEX_HEAD, *_scripts_in(sheet), rf"\section*{{{tex_text(sheet.title)}}}"]
    lines += [f"{tex_text(text)}\n" for text in (sheet.description, sheet.note) if text]
    for card in sheet.cards:
        lines += [rf"\subsection*{{{tex_text(card.change)}}}", rf"\noindent {{\small {tex_text(card_head(card))}}}", ""]
        for part in card_parts(card):
            lines += [rf"\paragraph{{{tex_text(part.title)}}}", *_tex_part(part), ""]
    return "\n".join(lines).rstrip() + "\n"


def _tex_part(part: CardPart) -> Iterator[str]:
    numbered = [line for line in part.lines if line.number]
    if numbered:
        yield r"\begin{itemize}"
        for line in numbered:
            note = rf" {{\small ({tex_text(line.note)})}}" if line.note else ""
            yield rf"\item[{line.number}.] {tex_text(line.text)}{note}"
        yield r"\end{itemize}"
    for line in part.lines:
        if line.number:
            continue
        note = tex_text(line.note)
        if line.link:
            note += (": " if note else "") + rf"\texttt{{{_tex_address(line.link)}}}"
        if line.is_quote:
            rows = [tex_text(row) for row in printable(line.text).split("\n") if row.strip()]
            behind = rf"\par {{\small --- {note}}}" if note else ""
            yield rf"\begin{{quote}}{_NEW_LINE.join(rows)}{behind}\end{{quote}}"
        else:
            behind = rf" {{\small ({note})}}" if note and line.text else rf"{{\small {note}}}" if note else ""
            yield rf"{tex_text(line.text)}{behind}\par"


# Scripts by the words that begin their characters' names; Han, kana and Hangul are set in one font.
_CJK: Final = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "KATAKANA-HIRAGANA",
    "HANGUL",
    "IDEOGRAPHIC",
    "FULLWIDTH",
    "HALFWIDTH",
    "BOPOMOFO",
)


def _script(sign: str) -> str | None:
    """The name of a sign's script for `\\btcscript`; empty for Latin, None for what goes with its neighbours."""
    if sign < "\u0250":
        return "" if sign.isalnum() else None
    first = unicodedata.name(sign, "").split(" ")[0]
    kind = unicodedata.category(sign)
    if first in _CJK:
        return "Cjk"
    if first == "LATIN" or sign == "π":
        return ""
    if first == "COMBINING" or kind in ("Cf", "Me"):
        return None
    if kind in ("So", "Sk", "Cn", "Co"):
        return "Symbol"
    return re.sub("[^A-Za-z]", "", first).capitalize() if kind[0] in "LMN" else None


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """The text in runs of one script; signs between two letters of one script belong to it."""
    scripts = [_script(sign) for sign in text]
    before: list[str] = []
    for script in scripts:
        before.append(script if script is not None else before[-1] if before else "")
    after = ""
    for place in range(len(scripts) - 1, -1, -1):
        own = scripts[place]
        after = own if own is not None else after
        if own is None and before[place] != after:
            before[place] = ""
    for script, run in groupby(zip(before, text, strict=True), key=lambda pair: pair[0]):
        yield script, "".join(sign for _, sign in run)


def _scripts_in(sheet: CardSheet) -> list[str]:
    text = " ".join([sheet.title, sheet.description, *(_whole(card) for card in sheet.cards)])
    found = sorted({script for script, _ in _runs(printable(text)) if script})
    return [f"% Scripts in this file: {', '.join(found)}.\n"] if found else []


def _whole(card: CaseCard) -> str:
    return " ".join(f"{line.text} {line.note}" for part in card_parts(card) for line in part.lines)
