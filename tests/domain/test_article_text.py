"""The text of a rendered article, and where it gives the change away."""

from __future__ import annotations

import calendar

import pytest

from btc_gui.domain.article import About, Article, AsOf, find_leaks, years_in_descriptions
from btc_gui.domain.article_text import article_text
from btc_gui.domain.event import EventId
from tests.builders import make_facts

# The shape of what action=parse gives (headings in a wrapper, notes, boxes), in our own words.
PAGE = """
<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">
<div class="shortdescription nomobile noexcerpt noprint">American quarterback (1943–2026)</div>
<div role="note" class="hatnote">For others, see <a href="/x">Morton</a>.</div>
<style data-mw-deduplicate="x">.infobox{border:1px}</style>
<table class="infobox vcard"><tbody><tr><th>Died</th><td>May 9, 2026</td></tr></tbody></table>
<p class="mw-empty-elt"></p>
<p><b>Craig Example</b> (born February 5, 1943) is a former
<a href="/q">quarterback</a>.<sup id="cite_ref-1" class="reference"><a href="#n">[1]</a></sup> He speaks at camps.</p>
<meta property="mw:PageProp/toc" />
<div class="mw-heading mw-heading2"><h2 id="Life">Life</h2></div>
<p>He was born in Flint.<br />He moved west.</p>
<ul><li>One team</li><li>Another&nbsp;team<sup class="reference">[2]</sup></li></ul>
<table class="wikitable"><caption>Seasons</caption><tr><th>Year</th><th>Games</th></tr>
<tr><td>1977</td><td>14</td></tr></table>
<div class="mw-heading mw-heading2"><h2 id="Gallery">Gallery</h2></div>
<figure class="mw-default-size"><figcaption>A photo</figcaption></figure>
<div class="mw-heading mw-heading2"><h2 id="References">References</h2></div>
<div class="mw-references-wrap"><ol class="references"><li>A book</li></ol></div>
<div class="mw-heading mw-heading3"><h3 id="More">More</h3></div><p>Web sources.</p>
<div class="navbox"><ul><li>Quarterbacks</li></ul></div>
<div class="metadata">Portal</div>
</div>
"""


def test_what_people_read_is_kept_and_nothing_else() -> None:
    """Paragraphs, headings, lists and tables; no notes, boxes, sources or navigation."""
    assert article_text(PAGE) == "\n\n".join(
        [
            "Craig Example (born February 5, 1943) is a former quarterback. He speaks at camps.",
            "== Life ==",
            "He was born in Flint.",
            "He moved west.",
            "• One team",
            "• Another team",
            "Seasons",
            "Year Games",
            "1977 14",
        ]
    )


@pytest.mark.parametrize("html", ["", "<div></div>", "<p>", "<div class='navbox'><div class='navbox'>x</div></div>"])
def test_pages_without_text_give_none(html: str) -> None:
    """Empty, broken, nested boxes: an empty text and no error."""
    assert article_text(html) == ""


def test_older_headings_end_their_section_too() -> None:
    """Before 2024 headings stood bare."""
    html = "<p>A.</p><h2>See also</h2><ul><li>B</li></ul><h2>Works</h2><p>C.</p>"
    assert article_text(html) == "A.\n\n== Works ==\n\nC."


@pytest.mark.parametrize(
    "text",
    [
        "He died on 9 May 2026 at home.",
        "He died May 9, 2026.",
        "A notice of 2026-05-09 says so.",
        "Craig Example (1943–2026) was a quarterback.",
        "Craig Example (February 5, 1943 – May 9, 2026) was one.",
        "In 2026 he died.",
    ],
)
def test_places_that_tell_of_the_change_are_found(text: str) -> None:
    """The day, a life's span, or a word of the change beside its year."""

    def words(sentence: str) -> list[tuple[int, int]]:
        at = sentence.find("died")
        return [(at, at + 4)] if at >= 0 else []

    leaks = find_leaks(text, make_facts(entity="Craig Example", date="2026-05-09"), words)
    assert leaks
    assert all(text[leak.start : leak.end] for leak in leaks)


@pytest.mark.parametrize("text", ["He sang until 9 May 2026.", "He sang until Sep. 9, 2026."])
def test_days_are_read_in_english_on_a_german_machine(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's names of the months are the system's once the window is open."""
    monkeypatch.setattr(calendar, "month_name", ["", *["Monat"] * 12])
    monkeypatch.setattr(calendar, "month_abbr", ["", *["Mon"] * 12])
    days = [make_facts(date=day) for day in ("2026-05-09", "2026-09-09")]
    assert any(find_leaks(text, facts) for facts in days)


@pytest.mark.parametrize(
    "text",
    [
        "Craig Example (born 1943) is a quarterback.",
        "His father died in 1970. He signed until 2026.",
        "He played (1965–1982) for three teams.",
        "On 9 May 2025 he spoke.",
    ],
)
def test_other_dates_and_deaths_are_no_leaks(text: str) -> None:
    """What was known before the change stays."""

    def words(sentence: str) -> list[tuple[int, int]]:
        at = sentence.find("died")
        return [(at, at + 4)] if at >= 0 else []

    assert find_leaks(text, make_facts(date="2026-05-09"), words) == ()


@pytest.mark.parametrize(
    ("description", "count"),
    [
        ("Ukrainian-American businessman (1982–2026)", 1),
        ("Prime Minister of Hungary (2010-present)", 1),
        ("Supreme Leader of Iran since 1989", 1),
        ("English painter", 0),
        ("Olympic champion (100 metres)", 0),
    ],
)
def test_years_in_descriptions_are_flagged(description: str, count: int) -> None:
    """Real descriptions that tell too much, and harmless ones."""
    assert len(years_in_descriptions(make_facts(description=description))) == count


def test_years_in_the_positions_description_are_flagged_too() -> None:
    """The position's description stands with its article; a person's article has none."""
    told = "office in Hungary (2010–2026)"
    position = Article(EventId(1), About.POSITION, "Mayor", AsOf.WINDOW, None, description=told)
    entity = Article(EventId(1), About.ENTITY, "Ada Example", AsOf.WINDOW, None, description="")
    facts = make_facts(category="tenure", description="politician since 1998")
    assert years_in_descriptions(facts, [entity, position]) == (
        "Years in the description: since 1998.",
        "Years in the position's description: (2010–2026).",
    )
