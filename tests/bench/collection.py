"""Collect 150 days end to end from the loopback fakes: 2,078 demises and 751 tenures, then their articles.

`python -m tests.bench.collection [--articles N]` prints requests and seconds, and what of them is the fake's own time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from datetime import date
from pathlib import Path

from btc_gui import paths
from btc_gui.domain.category import load_categories
from btc_gui.jobs.collect_events import collect_events, question_of
from btc_gui.jobs.fetch_articles import ArticleRequest, fetch_articles
from btc_gui.jobs.verify_events import verify_events
from btc_gui.progress import Progress
from btc_gui.settings import Settings
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from tests.fakes.mediawiki import mediawiki
from tests.fakes.wdqs import QueryWorld, wdqs
from tests.fakes.world import make_world

_FIRST, _LAST = date(2026, 2, 1), date(2026, 6, 30)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--articles", type=int, default=100, help="how many events get their articles")
    options = parser.parse_args()
    categories = load_categories(paths.resources() / "categories")
    # Every hundredth is known to the month only and is dropped: so many more are there to be asked.
    world = make_world(2_078 + 20, 751)
    with (
        tempfile.TemporaryDirectory() as folder,
        wdqs(QueryWorld(world.tables())) as server,
        mediawiki(world.wiki()) as wiki,
        Database.create(Path(folder) / "bench.btc") as database,
    ):
        api = f"{wiki.address}/w/api.php"
        services = {"wdqs": f"{server.address}/sparql", "wikidata": api, "wikipedia": api}
        settings = Settings(operator_contact="bench@example.org", services=services)
        for name in ("demise", "tenure"):
            category = categories[name]
            question = question_of(category, _FIRST, _LAST, settings)
            began = time.perf_counter()
            outcome = collect_events(database, category, question, settings, Progress(), author="bench")
            seconds = time.perf_counter() - began
            print(f"{name}: {outcome.collection.requests} requests, {outcome.new:,} events, {seconds:.1f} s")
        size = database.path.stat().st_size
        print(f"{len(EventStore(database).ids()):,} events; the project has {size / 1e6:.1f} MB")
        began = time.perf_counter()
        verified = verify_events(database, categories["demise"], settings, Progress())
        seconds = time.perf_counter() - began
        print(f"asking again about {verified.checked:,} demises: {verified.requests} requests, {seconds:.1f} s")
        began = time.perf_counter()
        ids = EventStore(database).ids()[: options.articles]
        fetched = fetch_articles(database, categories, ArticleRequest(event_ids=ids), settings, Progress())
        seconds = time.perf_counter() - began
        each = seconds / max(fetched.fetched, 1) * 1000
        print(f"articles of {fetched.fetched:,} events: {fetched.requests} requests, {each:.0f} ms each")


if __name__ == "__main__":
    main()
