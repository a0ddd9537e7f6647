"""MediaWiki's Action API on the loopback: items (wbgetentities), revisions of articles, and their HTML.

`python -m tests.fakes.mediawiki --port 8802` starts one by hand for Wikidata and Wikipedia alike: set
WIKIDATA_BASE_URL and WIKIPEDIA_BASE_URL to http://127.0.0.1:8802/w/api.php.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.service_faults import FAULTS, FAULTS_HELP, Asked, FaultyServer, Given


@dataclass
class FakeRevision:
    """One revision of a page: `at` as `2026-01-31T12:00:00Z`."""

    id: int
    at: str
    html: str


@dataclass
class FakePage:
    """A page with its revisions, the oldest first; `is_list` makes it a disambiguation page."""

    title: str
    id: int
    qid: str
    revisions: list[FakeRevision]
    is_list: bool = False


@dataclass
class WikiWorld:
    """Pages and items. `redirects` lead from title to title, `merged` from item to item."""

    pages: dict[str, FakePage] = field(default_factory=dict)
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)

    def answer(self, asked: Asked) -> Given:
        """The reply to one call."""
        form = asked.form
        calls = {"wbgetentities": self._items, "query": self._query, "parse": self._parse}
        call = calls.get(form.get("action", ""))
        if call is None:
            return _json({"error": {"code": "badvalue", "info": "Unrecognized value for parameter “action”."}})
        return _json(call(form))

    def _items(self, form: Mapping[str, str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if "titles" in form:
            by_title = {item["sitelinks"]["enwiki"]["title"]: item for item in self.items.values()}
            for place, title in enumerate(form["titles"].split("|"), 1):
                item = by_title.get(title)
                key = item["id"] if item else f"-{place}"
                found[key] = item or {"site": "enwiki", "title": title, "missing": ""}
            return {"entities": found, "success": 1}
        ids = form.get("ids", "").split("|")
        if len(ids) > 50:
            return {"error": {"code": "toomanyvalues", "info": "Too many values supplied for parameter “ids”."}}
        for wanted in ids:
            target = self.merged.get(wanted, wanted)
            item = self.items.get(target)
            if item is None:
                found[wanted] = {"id": wanted, "missing": ""}
            elif target != wanted:
                found[wanted] = item | {"redirects": {"from": wanted, "to": target}}
            else:
                found[wanted] = item
        return {"entities": found, "success": 1}

    def _query(self, form: Mapping[str, str]) -> dict[str, Any]:
        title = form.get("titles", "")
        target = self.redirects.get(title, title)
        query: dict[str, Any] = {}
        if target != title:
            query["redirects"] = [{"from": title, "to": target}]
        page = self.pages.get(target)
        if page is None:
            return {"query": query | {"pages": [{"ns": 0, "title": target, "missing": True}]}}
        until = form.get("rvstart", "9999")
        revisions = [revision for revision in page.revisions if revision.at <= until][-1:]
        props = {"wikibase_item": page.qid} if page.qid else {}
        shown: dict[str, Any] = {"pageid": page.id, "ns": 0, "title": page.title}
        if props or page.is_list:
            shown["pageprops"] = props | ({"disambiguation": ""} if page.is_list else {})
        if revisions:
            shown["revisions"] = [{"revid": revisions[0].id, "parentid": 0, "timestamp": revisions[0].at}]
        return {"batchcomplete": True, "query": query | {"pages": [shown]}}

    def _parse(self, form: Mapping[str, str]) -> dict[str, Any]:
        wanted = int(form.get("oldid", "0"))
        for page in self.pages.values():
            for revision in page.revisions:
                if revision.id == wanted:
                    return {"parse": {"title": page.title, "pageid": page.id, "revid": wanted, "text": revision.html}}
        return {"error": {"code": "nosuchrevid", "info": f"There is no revision with ID {wanted}."}}


def _json(body: object) -> Given:
    return Given(json.dumps(body, ensure_ascii=False), 200, "application/json; charset=utf-8")


def mediawiki(world: WikiWorld, port: int = 0) -> FaultyServer:
    """The server over a world; calls go to `address + /w/api.php`."""
    return FaultyServer(world.answer, port)


def main() -> None:
    """Serve the invented people by hand."""
    from tests.fakes.world import make_world

    parser = argparse.ArgumentParser(description=__doc__, epilog=FAULTS_HELP)
    parser.add_argument("--port", type=int, default=8802)
    parser.add_argument("--demises", type=int, default=60)
    parser.add_argument("--tenures", type=int, default=40)
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        choices=["ok", *FAULTS],
        metavar="FAULT",
        help="what the first requests meet, in order; may be given several times",
    )
    options = parser.parse_args()
    server = mediawiki(make_world(options.demises, options.tenures).wiki(), options.port)
    server.give_faults(*options.fault)
    address = f"{server.address}/w/api.php"
    server.serve("MediaWiki", f"  export WIKIDATA_BASE_URL={address}\n  export WIKIPEDIA_BASE_URL={address}")


if __name__ == "__main__":
    main()
