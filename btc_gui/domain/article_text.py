"""From the HTML of an article to its text: paragraphs, headings and lists; no notes, boxes, navigation, coordinates."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

#: What is no text of the article. Infoboxes go too: they may read Wikidata, and so today's state.
_DROPPED = (
    "style, script, link, meta, noscript, template, figure, audio, video, "
    "sup.reference, .mw-editsection, .navbox, .navbox-styles, .metadata, .infobox, .sidebar, .vertical-navbox, "
    ".hatnote, .noprint, .noexcerpt, .nomobile, .mw-empty-elt, .reflist, .references, .mw-references-wrap, "
    ".refbegin, .sistersitebox, .ambox, .thumb, .toc, .catlinks, .shortdescription, .geo, .coordinates, "
    ".mw-authority-control, .authority-control, .stub, .mw-hidden-catlinks, .error"
)
#: Sections that hold sources and links only; they end with the next heading of their level.
_SECTIONS = frozenset(
    {"references", "notes", "external links", "further reading", "see also", "sources", "citations", "bibliography"}
    - {"bibliography"}  # For writers it is the list of works.
)
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")
_BLOCKS = ("p", "li", "dd", "dt", "blockquote", "tr", "caption", "pre", *_HEADINGS)
_END = "\x1e"


def article_text(html: str) -> str:
    """The text of a rendered article, a blank line between paragraphs, headings as `== Life ==`."""
    page = BeautifulSoup(html, "html.parser")
    for element in page.select(_DROPPED):
        # Inside something that went before it is gone already.
        if not element.decomposed:
            element.decompose()
    _drop_sections(page)
    for element in page.find_all(_BLOCKS):
        if element.name in _HEADINGS:
            level = int(element.name[1])
            element.insert(0, "=" * level + " ")
            element.append(" " + "=" * level)
        elif element.name == "li":
            element.insert(0, "• ")
        element.insert_before(_END)
        element.insert_after(_END)
    for cell in page.find_all(("td", "th")):
        cell.append(" ")
    for line_break in page.find_all("br"):
        line_break.replace_with(_END)
    paragraphs = [" ".join(each.split()) for each in page.get_text().split(_END)]
    page.decompose()
    kept = [each for each in paragraphs if each and each != "•"]
    return "\n\n".join(each for place, each in enumerate(kept) if not _is_empty_section(kept, place))


def _is_empty_section(paragraphs: list[str], place: int) -> bool:
    level = _level(paragraphs[place])
    if not level:
        return False
    following = _level(paragraphs[place + 1]) if place + 1 < len(paragraphs) else 1
    return 0 < following <= level


def _level(paragraph: str) -> int:
    marks = len(paragraph) - len(paragraph.lstrip("="))
    return marks if 2 <= marks <= 6 and paragraph.endswith("=" * marks) else 0


def _drop_sections(page: BeautifulSoup) -> None:
    for heading in page.find_all(_HEADINGS):
        if heading.decomposed or heading.get_text().strip().casefold() not in _SECTIONS:
            continue
        # Since 2024 headings stand in a wrapper of their own.
        first = heading.parent if heading.parent and "mw-heading" in (heading.parent.get("class") or []) else heading
        assert isinstance(first, Tag)
        level = heading.name
        for following in list(first.next_siblings):
            if isinstance(following, Tag) and _begins_section(following, level):
                break
            following.extract()
        first.decompose()


def _begins_section(element: Tag, level: str) -> bool:
    heading = element if element.name in _HEADINGS else element.find(_HEADINGS)
    return (
        isinstance(heading, Tag)
        and heading.name <= level
        and (element is heading or "mw-heading" in str(element.get("class")))
    )
