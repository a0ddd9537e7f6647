"""Case cards in three formats: complete, the same every time, and nothing in a text acts."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from btc_gui.domain.case_card import CardEvidence, CardQuery, CardSheet, CaseCard, DirectAnswer
from btc_gui.exports.card_html import cards_html
from btc_gui.exports.card_latex import cards_latex, tex_text
from btc_gui.exports.card_markdown import cards_markdown, markdown_text
from btc_gui.exports.case_card import write_cards

EVIL = (
    "<script>alert(1)</script> <img src=http://x.test/p.png> ![p](http://x.test/p.png) [a](javascript:b) `c` *d* "
    "\\input{/etc/passwd} \\write18{rm} $x$ % & # _ ^ ~ {y} \u202eabc\u0000\ud800 www.x.test "
    "http://x.test a@b.test | 1. # -"
)


def card(text: str = "plain", link: str = "https://news.test/a?b=1&c=2") -> CaseCard:
    """A card with `text` everywhere that text comes from outside."""
    return CaseCard(
        reference="btc:17",
        change=text,
        before=text,
        source=link,
        kind="indirect probe",
        probe=text,
        configuration=text,
        asked="1 July 2026",
        direct=DirectAnswer("btc:18", text, text, "judged correct"),
        no_direct="",
        queries=(CardQuery(1, text, "explicit", 5, "12 May 2026"), CardQuery(2, text, "", 0, "")),
        evidence=(CardEvidence(1, text, text, link, "12 May 2026", True),),
        no_evidence="",
        answer=text,
        ending="",
        mode="Reasoning",
        mode_reason=text,
        verdicts=(text,),
    )


def sheet(text: str = "plain", link: str = "https://news.test/a?b=1&c=2") -> CardSheet:
    return CardSheet((card(text, link),), text, text, text)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)


def _of_html(page: str) -> _Tags:
    parser = _Tags()
    parser.feed(page)
    return parser


def test_html_escapes_every_text_and_links_to_the_web_only() -> None:
    plain, evil = _of_html(cards_html(sheet())), _of_html(cards_html(sheet(EVIL, "javascript:alert(1)")))
    assert plain.tags - evil.tags == {"a"}
    assert evil.tags <= plain.tags
    assert not evil.tags & {"script", "img", "link", "iframe"}
    assert [value for name, value in plain.attributes if name == "href"] == ["https://news.test/a?b=1&c=2"]
    assert not [name for name, _ in evil.attributes if name in ("href", "src") or name.startswith("on")]
    page = cards_html(sheet(EVIL))
    assert html.escape("<script>alert(1)</script>") in page
    assert "\u202e" not in page
    assert "\x00" not in page


def test_markdown_of_hostile_texts_renders_as_those_texts() -> None:
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    plain, evil = _of_html(reader.render(cards_markdown(sheet()))), _of_html(reader.render(cards_markdown(sheet(EVIL))))
    assert evil.tags == plain.tags
    assert not evil.tags & {"script", "img", "em", "code"}
    links = {value for name, value in evil.attributes if name == "href"}
    assert links == {"https://news.test/a?b=1&c=2"}
    for text in (EVIL, "1. first", "12) x", "# head", "- item", "+ item", "=", "> q", "a\n# b", "a_b_c", "~~~", "***"):
        shown = re.sub("<[^>]+>", "", reader.render(markdown_text(text)))
        wanted = " ".join(re.sub("[\x00\u202e\ud800]", "", text).split())
        assert html.unescape(shown).strip() == wanted


def test_no_command_of_a_text_runs_in_latex() -> None:
    text = cards_latex(sheet(EVIL))
    ours = {
        *("section", "subsection", "paragraph", "noindent", "small", "begin", "end", "item", "par", "texttt"),
        *("textbackslash", "textasciitilde", "textasciicircum", "allowbreak"),
    }
    body = "\n".join(line for line in text.splitlines() if not line.startswith(("%", "\\providecommand")))
    assert set(re.findall(r"\\([A-Za-z]+)", body)) <= ours
    assert not re.findall(r"(?<!\\)[$&#_%]", re.sub(r"\\(section|subsection|paragraph)\*?", "", body))
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", body):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0


def test_other_scripts_are_marked_for_their_fonts_in_latex() -> None:
    assert tex_text("Über Peré Ñandú – “so”") == "Über Peré Ñandú -- ``so''"
    assert tex_text("died 死去 (2026)") == r"died \btcscript{Cjk}{死去} (2026)"
    assert tex_text("مات في مايو, said") == r"\btcscript{Arabic}{مات في مايو}, said"
    assert tex_text("Виктор, 東京と 대한 🕯 ok") == (
        r"\btcscript{Cyrillic}{Виктор}, \btcscript{Cjk}{東京と 대한} \btcscript{Symbol}{🕯} ok"
    )
    assert tex_text("エージェント") == r"\btcscript{Cjk}{エージェント}"
    assert "% Scripts in this file: Cjk." in cards_latex(sheet("死"))


def test_everything_on_a_card_is_in_every_format(tmp_path: Path) -> None:
    files = write_cards(sheet(), tmp_path, "cards")
    assert [file.name for file in files] == ["cards.md", "cards.html", "cards.tex"]
    before = [file.read_bytes() for file in files]
    for data in before:
        text = data.decode()
        for words in (
            "btc:17",
            "btc:18",
            "1 July 2026",
            "12 May 2026",
            "5 results",
            "explicit",
            "Reasoning",
            "first result",
        ):
            assert words in text, words
    write_cards(sheet(), tmp_path, "cards")
    assert [file.read_bytes() for file in files] == before
