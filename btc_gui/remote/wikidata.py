"""Wikidata: SPARQL at its query service or at QLever, and items from its own API.

A reply counts only when it is whole: status 200, the right content type, JSON to its end, the variables as asked.
Anything else is named for what it is (a time-out, a refusal, a mistake in the query) and never used in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from btc_gui.domain.collection_plan import Binding
from btc_gui.domain.entity_json import table
from btc_gui.domain.sparql_rows import UnusableReply, read_results
from btc_gui.errors import ServiceError
from btc_gui.outside_data import json_from
from btc_gui.remote.http import RefusedError, Reply, TimedOutError, TryAgain, WebClient, after_refusal, retry_after
from btc_gui.remote.service_address import TITLES, address_of
from btc_gui.settings import Settings

_RESULTS: Final = "application/sparql-results+json"
#: What only Blazegraph understands: it makes the range of dates use its index. On QLever it would match no data.
_RANGE_HINT: Final = "hint:Prior hint:rangeSafe true ."
#: Both services say when their data was last changed, in this triple.
_DATA_DATE: Final = "SELECT ?t WHERE { <http://www.wikidata.org> <http://schema.org/dateModified> ?t }"
#: The most items that one call of `wbgetentities` gives.
ITEMS_A_CALL: Final = 50
_OUT_OF_TIME = re.compile(
    r"TimeoutException|timed? ?out|time ?limit|cancelled due to timeout|QueryTimeoutException", re.IGNORECASE
)
_ROW = re.compile(r'\{\s*"[A-Za-z_]\w*"\s*:\s*\{')
_WRONG_QUERY = re.compile(
    r"MalformedQueryException|QueryParseException|Lexical error|Parse error|Invalid SPARQL|ParseException",
    re.IGNORECASE,
)


class ApiError(RefusedError):
    """The Action API's word that a call can't be done. `code` is its own."""

    def __init__(self, message: str, remedy: str = "", code: str = "") -> None:
        super().__init__(message, remedy)
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query: `text` as it came, `bindings` read from it."""

    text: str
    bindings: tuple[Binding, ...]
    seconds: float


class Wikidata:
    """Asks Wikidata through `client`; queries go to the settings' query service (or to `service`)."""

    def __init__(self, client: WebClient, settings: Settings, service: str = "") -> None:
        self.client = client
        self.service = service or settings.query_service
        self.title = TITLES[self.service]
        self.address = address_of(self.service, settings)
        self._api = address_of("wikidata", settings)

    @property
    def range_hint(self) -> str:
        """What a query over a range of dates needs at this service."""
        return _RANGE_HINT if self.service == "wdqs" else ""

    def query(self, text: str, variables: Sequence[str]) -> Answer:
        """Ask one SPARQL query whose SELECT names `variables` (without `?`).

        Raises `TimedOutError` (ask for less), `RefusedError` (final: a mistake in the query, no contact),
        `ServicePausedError`, `ServiceError`, `Cancelled`.
        """
        reply = self.client.post(self.title, self.address, {"query": text}, _RESULTS, self._check_query)
        if reply.status != 200:
            raise RefusedError(
                f"{self.title} does not take the query ({reply.status}): “{reply.beginning}”.",
                "This is a mistake in the query, not of the connection: it is not tried again.",
            )
        if reply.content_type not in (_RESULTS, "application/json"):
            raise RefusedError(
                f"{self.title} sent {reply.content_type or 'no content type'} instead of results: “{reply.beginning}”.",
                after_refusal(reply),
            )
        try:
            return Answer(reply.text, read_results(reply.text, variables).rows, reply.seconds)
        except UnusableReply as error:
            if not error.is_cut:
                raise ServiceError(f"{self.title} gave no results: {error}.") from error
            why = "ran out of time" if error.timed_out else "broke off"
            begun = len(_ROW.findall(reply.text.partition('"bindings"')[2]))
            raise TimedOutError(
                f"{self.title} {why} after about {begun:,} rows; none of them is used.", body=reply.text
            ) from error

    def data_date(self) -> str:
        """The date of the service's data as it says itself; empty when it does not say within the time.

        Raises what `query` does, but for `TimedOutError`.
        """
        try:
            rows = self.query(_DATA_DATE, ("t",)).bindings
        except TimedOutError:
            return ""
        return max((row.get("t", {}).get("value", "") for row in rows), default="")

    def items(self, ids: Iterable[str], props: str = "labels|descriptions|sitelinks") -> dict[str, dict[str, Any]]:
        """The items of `ids`, by the id asked for; each has the `id` that it has now. Missing ones are left out.

        Fifty a call, in English and “mul” (names that are the same in all languages).
        """
        return dict(self._items("ids", ids, props))

    def items_of_articles(self, titles: Iterable[str]) -> dict[str, str]:
        """The ids of the items of English articles, by title; titles without an item are left out."""
        found = {}
        for title, item in self._items("titles", titles, "sitelinks"):
            found[title] = str(item["id"])
        return found

    def _items(self, kind: str, wanted: Iterable[str], props: str) -> Iterator[tuple[str, dict[str, Any]]]:
        unique = list(dict.fromkeys(wanted))
        for start in range(0, len(unique), ITEMS_A_CALL):
            part = unique[start : start + ITEMS_A_CALL]
            form = {
                "action": "wbgetentities",
                kind: "|".join(part),
                "props": f"info|{props}",
                "languages": "en|mul",
                "sitefilter": "enwiki",
                "format": "json",
                "formatversion": "2",
                "maxlag": "5",
            }
            if kind == "titles":
                form["sites"] = "enwiki"
            yield from _by_what_was_asked(kind, part, call_api(self.client, "Wikidata", self._api, form))

    def _check_query(self, reply: Reply) -> None:
        if reply.status == 200:
            return
        text = reply.text[:20_000]
        # The query service answers 500 both to a query that took too long and to one that it can't read; QLever
        # answers 429 when a query took too long.
        if reply.status in (400, 429, 500, 504) and not _WRONG_QUERY.search(text) and _OUT_OF_TIME.search(text):
            # A gateway says so too when nobody stands behind it.
            raise TimedOutError(f"{self.title} ran out of time.", body=reply.text, is_unclear=reply.status == 504)
        if reply.status == 500 and not _WRONG_QUERY.search(text):
            raise TimedOutError(
                f"{self.title} failed on the query (500): “{reply.beginning}”.", body=reply.text, is_unclear=True
            )


def _by_what_was_asked(
    kind: str, part: Sequence[str], reply: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    entities = reply.get("entities")
    if not isinstance(entities, dict):
        raise ServiceError("Wikidata sent no items.")
    items = [item for item in entities.values() if isinstance(item, dict) and "missing" not in item]
    if kind == "ids":
        by_id = {str(item.get("id")): item for item in items}
        merged = {str(table(item, "redirects").get("from")): item for item in items if item.get("redirects")}
        for wanted in part:
            # With redirects the entity stands under the id asked for or under the new one, by version of the API.
            item = merged.get(wanted) or by_id.get(wanted) or entities.get(wanted)
            if isinstance(item, dict) and "missing" not in item and "id" in item:
                yield wanted, item
        return
    by_title = {str(table(table(item, "sitelinks"), "enwiki").get("title")): item for item in items}
    for wanted in part:
        if wanted in by_title:
            yield wanted, by_title[wanted]


def call_api(client: WebClient, title: str, address: str, form: Mapping[str, str]) -> dict[str, Any]:
    """One call of MediaWiki's Action API.

    Raises what `WebClient.post` does; `ApiError` for an error of the API; `TimedOutError` for a reply that broke off
    or a failure on this call (500); `RefusedError` for what no API sends.
    """

    def check(reply: Reply) -> None:
        # Rate limits and lag come with status 200, as an error in the JSON.
        if reply.status == 200 and '"error"' in reply.text[:2_000]:
            code = _error(reply).get("code", "")
            if code in ("maxlag", "ratelimited", "readonly"):
                raise TryAgain(str(code), retry_after(reply))

    reply = client.post(title, address, form, "application/json", check)
    if reply.status == 500:
        raise TimedOutError(f"{title} failed on the call (500): “{reply.beginning}”.", body=reply.text, is_unclear=True)
    if reply.status != 200 or reply.content_type != "application/json":
        raise RefusedError(
            f"{title} sent {reply.content_type or 'no content type'} ({reply.status}): “{reply.beginning}”.",
            after_refusal(reply),
        )
    problem = _error(reply)
    if problem:
        raise ApiError(
            f"{title} refused the call: {problem.get('info') or problem.get('code')}.", code=str(problem.get("code"))
        )
    found = json_from(reply.text, is_trusted=True)
    assert isinstance(found, dict)
    return found


def _error(reply: Reply) -> dict[str, Any]:
    try:
        found = json_from(reply.text, is_trusted=True)
    except ValueError as error:
        raise TimedOutError(f"The answer broke off after {len(reply.text):,} characters; it is not used.") from error
    problem = found.get("error") if isinstance(found, dict) else {"info": "the answer is no JSON object"}
    return problem if isinstance(problem, dict) else {}
