"""Articles as they stood on a day: the right page, the right revision, or a reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from btc_gui.remote.http import WebClient
from btc_gui.remote.wikipedia import ArticleError, PageRevision, Wikipedia
from btc_gui.settings import Settings
from tests.fakes.mediawiki import FakePage, FakeRevision, WikiWorld, mediawiki
from tests.fakes.patience import Impatient

ADA = FakePage(
    "Ada Example",
    7,
    "Q7",
    [
        FakeRevision(70, "2025-12-01T10:00:00Z", "<p>Old.</p>"),
        FakeRevision(71, "2026-01-20T10:00:00Z", "<p>Alive.</p>"),
        FakeRevision(72, "2026-05-09T18:00:00Z", "<p>Died.</p>"),
    ],
)
WORLD = WikiWorld(
    pages={
        "Ada Example": ADA,
        "Example": FakePage("Example", 8, "Q8", [FakeRevision(80, "2020-01-01T00:00:00Z", "")], is_list=True),
        "Itemless": FakePage("Itemless", 9, "", [FakeRevision(90, "2020-01-01T00:00:00Z", "")]),
    },
    redirects={"A. Example": "Ada Example"},
)


@pytest.fixture
def wikipedia() -> Iterator[Wikipedia]:
    with mediawiki(WORLD) as server, WebClient("curator@example.org", Impatient()) as client:
        yield Wikipedia(client, Settings(services={"wikipedia": f"{server.address}/w/api.php"}))


@pytest.mark.parametrize(
    ("before", "revision"), [(date(2026, 2, 1), 71), (date(2026, 1, 1), 70), (date(2026, 5, 9), 71), (None, 72)]
)
def test_the_revision_is_the_last_before_the_day(wikipedia: Wikipedia, before: date | None, revision: int) -> None:
    """Before the window, the day before the event, or now."""
    found = wikipedia.revision("Ada Example", before, "Q7")
    assert found.revision_id == revision
    assert (found.page_id, found.qid) == (7, "Q7")


def test_html_and_attribution_are_those_of_the_revision(wikipedia: Wikipedia) -> None:
    """A permanent address, the history for the authors, the licence."""
    found = wikipedia.revision("Ada Example", date(2026, 2, 1), "Q7")
    assert wikipedia.html(found) == "<p>Alive.</p>"
    assert found.url.endswith("title=Ada_Example&oldid=71")
    assert "revision 71 of 2026-01-20" in found.attribution
    assert "action=history" in found.attribution
    assert "CC BY-SA 4.0" in found.attribution


def test_redirects_are_followed_to_the_page_of_the_item(wikipedia: Wikipedia) -> None:
    """An old title leads to the article; the title kept is today's."""
    assert wikipedia.revision("A. Example", None, "Q7").title == "Ada Example"


@pytest.mark.parametrize(
    ("title", "qid", "before", "words"),
    [
        ("Nobody", "Q1", None, "There is no article"),
        ("Example", "Q8", None, "only lists pages"),
        ("Ada Example", "Q8", None, "belongs to Q7, not to Q8"),
        ("Itemless", "Q9", None, "belongs to no item"),
        ("Ada Example", "Q7", date(2025, 1, 1), "no revision before 1 January 2025"),
    ],
)
def test_other_pages_are_refused_with_a_reason(
    wikipedia: Wikipedia, title: str, qid: str, before: date | None, words: str
) -> None:
    """Never a search for something like it."""
    with pytest.raises(ArticleError, match=words):
        wikipedia.revision(title, before, qid)


def test_a_revision_that_was_deleted_is_a_reason(wikipedia: Wikipedia) -> None:
    """The row stays, without a text."""
    with pytest.raises(ArticleError, match="could not be read"):
        wikipedia.html(PageRevision("Ada Example", 7, 999, "2026-01-01T00:00:00Z", "Q7", ""))
