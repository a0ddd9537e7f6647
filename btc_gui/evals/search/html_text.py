"""Web pages as documents: their text, and what their head says about them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning

from btc_gui.domain.document import Document
from btc_gui.domain.search_settings import last_day
from btc_gui.outside_data import json_from

_UNREAD = ["script", "style", "noscript", "template", "nav", "svg", "iframe", "head"]
_BLOCKS = [
    *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "footer"),
    *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table"),
    *("td", "th", "tr", "ul"),
]
#: Names of `meta` elements that hold the day of publication, the most reliable first.
_DATES = (
    *("article:published_time", "datepublished", "citation_publication_date", "citation_date", "dc.date.issued"),
    *("dcterms.issued", "dcterms.date", "dc.date", "publication_date", "publish-date", "pubdate", "date"),
)
#: Ends a paragraph; in no text, as it counts as white space.
_END = "\x1e"


def html_document(content: bytes) -> Document:
    """The page as a document; the encoding is what it says itself, or what fits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        page = BeautifulSoup(content, "html.parser")
    facts = _meta(page)
    title = page.title.get_text() if page.title else ""
    dates = [facts.get(name, "") for name in _DATES] + list(_dates_in_body(page))
    document = Document(
        title=title.strip() or facts.get("og:title", ""),
        url=_canonical(page) or facts.get("og:url", ""),
        published=next((each for each in map(_iso, dates) if last_day(each)), ""),
        text=_text(page),
    )
    page.decompose()
    return document


def _meta(page: BeautifulSoup) -> dict[str, str]:
    facts: dict[str, str] = {}
    for element in page.find_all("meta"):
        name = element.get("property") or element.get("name") or element.get("itemprop")
        if name and element.get("content"):
            facts.setdefault(str(name).lower(), str(element["content"]).strip())
    return facts


def _canonical(page: BeautifulSoup) -> str:
    link = page.find("link", rel="canonical")
    return str(link.get("href") or "") if isinstance(link, Tag) else ""


def _dates_in_body(page: BeautifulSoup) -> Iterator[str]:
    for script in page.find_all("script", type="application/ld+json"):
        yield from _dates_in_data(script.get_text())
    for element in page.find_all("time", attrs={"datetime": True}):
        if element.has_attr("pubdate") or element.get("itemprop") == "datePublished":
            yield str(element["datetime"])


def _dates_in_data(text: str) -> Iterator[str]:
    try:
        data = json_from(text)
    except ValueError:
        return
    rows = data.get("@graph", [data]) if isinstance(data, dict) else data
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and isinstance(row.get("datePublished"), str):
            yield row["datePublished"]


def _iso(text: str) -> str:
    """`2026/05/09 …` and `20260509` as `2026-05-09`."""
    found = re.match(r"\s*(\d{4})[-/.]?(\d\d)?[-/.]?(\d\d)?(?!\d)", text)
    return "-".join(part for part in found.groups() if part) if found else ""


def _text(page: BeautifulSoup) -> str:
    for element in page.find_all(_UNREAD):
        element.decompose()
    for element in page.find_all(_BLOCKS):
        element.insert_before(_END)
        element.insert_after(_END)
    paragraphs = (" ".join(each.split()) for each in page.get_text().split(_END))
    return "\n\n".join(each for each in paragraphs if each)
