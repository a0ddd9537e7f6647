"""English Wikipedia: an article as it stood on a day, as HTML, with what its licence asks to be named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from urllib.parse import quote, urlsplit

from btc_gui.domain.dates import day_words
from btc_gui.domain.entity_json import table
from btc_gui.errors import ServiceError
from btc_gui.remote.http import WebClient
from btc_gui.remote.service_address import address_of
from btc_gui.remote.wikidata import ApiError, call_api
from btc_gui.settings import Settings

#: The licence of article texts since June 2023 (https://en.wikipedia.org/wiki/Wikipedia:Copyrights).
LICENCE: Final = "CC BY-SA 4.0"
_GONE: Final = frozenset({"nosuchrevid", "missingtitle", "permissiondenied", "nosuchpageid"})


@dataclass(frozen=True, slots=True)
class PageRevision:
    """One revision of an article. `qid` is the item that the page belongs to today; `revised_at` is ISO-8601."""

    title: str
    page_id: int
    revision_id: int
    revised_at: str
    qid: str
    url: str

    @property
    def attribution(self) -> str:
        """What the licence asks to be named with the text."""
        return (
            f"“{self.title}”, English Wikipedia, revision {self.revision_id} of {self.revised_at[:10]}, "
            f"by its authors ({self.url}&action=history), {LICENCE}"
        )


class ArticleError(ServiceError):
    """There is no such article as was asked for: a row with this reason, not an end of the work."""


class ForeignPageError(ArticleError):
    """The page belongs to another item than the one asked for: to `item`."""

    def __init__(self, message: str, item: str) -> None:
        super().__init__(message)
        self.item = item


class Wikipedia:
    """Asks English Wikipedia through `client`."""

    def __init__(self, client: WebClient, settings: Settings) -> None:
        self.client = client
        self._api = address_of("wikipedia", settings)
        parts = urlsplit(self._api)
        self._site = f"{parts.scheme}://{parts.netloc}"

    def revision(self, title: str, before: date | None, qid: str = "") -> PageRevision:
        """The last revision of the article before a day (midnight UTC), or the current one.

        The exact title is asked for (that of the item's link), never searched. Raises `ArticleError` when there
        is no such page or no such revision, when it only lists pages of one name, or belongs to another item than
        `qid` (`ForeignPageError`); and what `WebClient.post` raises.
        """
        form = {
            "action": "query",
            "prop": "revisions|pageprops|info",
            "titles": title,
            "redirects": "1",
            "rvlimit": "1",
            "rvprop": "ids|timestamp",
            "ppprop": "disambiguation|wikibase_item",
            "format": "json",
            "formatversion": "2",
            "maxlag": "5",
        }
        if before is not None:
            form |= {"rvdir": "older", "rvstart": f"{before.isoformat()}T00:00:00Z"}
        page = _page(call_api(self.client, "Wikipedia", self._api, form), title)
        props = table(page, "pageprops")
        if "disambiguation" in props:
            raise ArticleError(f"“{title}” only lists pages of that name.")
        item = str(props.get("wikibase_item") or "")
        if qid and item and item != qid:
            raise ForeignPageError(f"“{title}” belongs to {item}, not to {qid}.", item)
        if qid and not item:
            raise ArticleError(f"“{title}” belongs to no item, so it may be about something else than {qid}.")
        revisions = page.get("revisions") or []
        if not revisions:
            when = f"before {day_words(before)}" if before else "at all"
            raise ArticleError(f"“{title}” has no revision {when}.")
        try:
            revision, name = revisions[0], str(page["title"])
            return PageRevision(
                title=name,
                page_id=int(page["pageid"]),
                revision_id=int(revision["revid"]),
                revised_at=str(revision["timestamp"]),
                qid=item,
                url=f"{self._site}/w/index.php?title={quote(name.replace(' ', '_'))}&oldid={revision['revid']}",
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ArticleError(f"“{title}” came without what a revision is named by.") from error

    def html(self, revision: PageRevision) -> str:
        """The revision rendered as HTML. Raises `ArticleError` when it was deleted or hidden."""
        form = {
            "action": "parse",
            "oldid": str(revision.revision_id),
            "prop": "text|revid",
            "disableeditsection": "1",
            "disabletoc": "1",
            "disablelimitreport": "1",
            "format": "json",
            "formatversion": "2",
            "maxlag": "5",
        }
        try:
            parsed = call_api(self.client, "Wikipedia", self._api, form).get("parse")
        except ApiError as error:
            if error.code not in _GONE:
                raise
            parsed = None
        if not isinstance(parsed, Mapping) or parsed.get("revid") != revision.revision_id:
            raise ArticleError(f"Revision {revision.revision_id} of “{revision.title}” could not be read.")
        return str(parsed.get("text") or "")


def _page(reply: Mapping[str, Any], title: str) -> Mapping[str, Any]:
    pages = table(reply, "query").get("pages")
    page = pages[0] if isinstance(pages, list) and pages else {}
    if not isinstance(page, Mapping) or "missing" in page or "invalid" in page or "pageid" not in page:
        raise ArticleError(f"There is no article “{title}”.")
    return page
