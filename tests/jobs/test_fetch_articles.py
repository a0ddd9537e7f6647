"""Articles about events: as of the right revision, with where they are from, or a row that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from btc_gui import paths
from btc_gui.domain.article import About, Article, AsOf
from btc_gui.domain.category import Category, load_categories
from btc_gui.domain.dates import parse_event_date
from btc_gui.domain.event import EventId
from btc_gui.errors import ServiceError, SettingsError
from btc_gui.jobs.fetch_articles import ArticleOutcome, ArticleRequest, fetch_articles
from btc_gui.remote.http import ServicePausedError
from btc_gui.settings import Settings
from btc_gui.store.articles import ArticleStore
from btc_gui.store.contexts import ContextStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventStore
from tests.builders import add_event
from tests.fakes.mediawiki import mediawiki
from tests.fakes.patience import Impatient
from tests.fakes.service_faults import FaultyServer
from tests.fakes.world import make_world

WORLD = make_world(6, 4, date(2026, 2, 1), 10)
ADA = WORLD.dead[0]
FROM_FEBRUARY = ArticleRequest(window_start=date(2026, 2, 1))


@pytest.fixture(scope="module")
def categories() -> dict[str, Category]:
    return load_categories(paths.resources() / "categories")


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    wiki = WORLD.wiki()
    wiki.merged["Q77"] = ADA.qid
    with mediawiki(wiki) as made:
        yield made


@pytest.fixture
def settings(server: FaultyServer) -> Settings:
    address = f"{server.address}/w/api.php"
    return Settings(operator_contact="curator@example.org", services={"wikipedia": address, "wikidata": address})


def _event(database: Database, **changes: object) -> EventId:
    facts = {"entity": ADA.name, "qid": ADA.qid, "article": ADA.name, "date": ADA.end} | changes
    return add_event(database, **facts)


class Fetching:
    """Fetches with the fixtures of a test."""

    def __init__(self, database: Database, categories: dict[str, Category], settings: Settings) -> None:
        self.database, self.categories, self.settings = database, categories, settings

    def go(self, request: ArticleRequest = FROM_FEBRUARY) -> ArticleOutcome:
        return fetch_articles(self.database, self.categories, request, self.settings, Impatient())


@pytest.fixture
def fetching(database: Database, categories: dict[str, Category], settings: Settings) -> Fetching:
    return Fetching(database, categories, settings)


@pytest.mark.parametrize(
    ("as_of", "revised"), [(AsOf.WINDOW, "2026-01-15"), (AsOf.EVENT, "2026-01-15"), (AsOf.NOW, "2026-02-02")]
)
def test_the_revision_is_the_one_asked_for(fetching: Fetching, database: Database, as_of: AsOf, revised: str) -> None:
    """Text, revision, address and licence are kept; today's article tells of the change and is flagged."""
    event_id = _event(database)
    outcome = fetching.go(ArticleRequest(as_of, date(2026, 2, 1)))
    assert (outcome.fetched, dict(outcome.failed)) == (1, {})
    article = ArticleStore(database).of_event(event_id)[0]
    assert article.revised_at[:10] == revised
    assert str(article.revision_id) in article.url
    assert "CC BY-SA" in article.attribution
    assert article.text.startswith(ADA.name)
    assert "[1]" not in article.text
    assert bool(article.leaks) == (as_of is AsOf.NOW)
    assert outcome.leaking == (1 if as_of is AsOf.NOW else 0)


def test_what_is_there_is_not_fetched_again(fetching: Fetching, database: Database, server: FaultyServer) -> None:
    """Unless asked for."""
    _event(database)
    fetching.go()
    asked = len(server.asked)
    assert (fetching.go().fetched, fetching.go().known) == (0, 1)
    assert len(server.asked) == asked
    assert fetching.go(ArticleRequest(window_start=date(2026, 2, 1), again=True)).fetched == 1


def test_another_day_or_title_is_fetched(fetching: Fetching, database: Database) -> None:
    """The window starts earlier, the date was corrected to before it, or the event names another article."""
    event_id, events = _event(database), EventStore(database)
    assert fetching.go().fetched == 1
    assert fetching.go(ArticleRequest(window_start=date(2026, 1, 20))).fetched == 1
    assert fetching.go(ArticleRequest(window_start=date(2026, 1, 20))).fetched == 0
    events.revise(event_id, replace(events.get(event_id).facts, date=parse_event_date("2026-01-18")), "mara")
    assert fetching.go(ArticleRequest(window_start=date(2026, 1, 20))).fetched == 1
    assert ArticleStore(database).of_event(event_id)[0].before == date(2026, 1, 18)
    events.revise(event_id, replace(events.get(event_id).facts, article="Nobody At All"), "mara")
    assert list(fetching.go(ArticleRequest(window_start=date(2026, 1, 20))).failed) == [event_id]


def test_leaks_are_those_of_the_date_as_it_is_now(fetching: Fetching, database: Database, server: FaultyServer) -> None:
    """A corrected date is looked for in the text that is there; nothing is asked."""
    event_id, events = _event(database, date="2026-07-01"), EventStore(database)
    fetching.go(ArticleRequest(AsOf.NOW))
    assert "names the day" not in str(ArticleStore(database).of_event(event_id)[0].leaks)
    asked = len(server.asked)
    events.revise(event_id, replace(events.get(event_id).facts, date=parse_event_date("2026-02-02")), "mara")
    fetching.go(ArticleRequest(AsOf.NOW))
    assert "names the day" in str(ArticleStore(database).of_event(event_id)[0].leaks)
    assert len(server.asked) == asked


def test_a_tenure_has_the_article_of_its_position_too(fetching: Fetching, database: Database) -> None:
    """With Wikidata's description of the position; generators get both."""
    left = WORLD.left[0]
    event_id = add_event(
        database,
        entity=left.name,
        qid=left.qid,
        article=left.name,
        category="tenure",
        date=left.end,
        position="Mayor of Exampleton",
        position_qid=left.office,
    )
    fetching.go()
    entity, position = ArticleStore(database).of_event(event_id)
    assert (entity.title, position.title) == (left.name, "Mayor of Exampleton")
    assert position.description == "invented office"
    assert "leads the office" in ContextStore(database).fetch([event_id])[event_id]


def test_years_in_descriptions_are_told_with_the_articles(fetching: Fetching, database: Database) -> None:
    """Those of the entity's and of the position's, of new articles and known ones, by event."""
    event_id = _event(database, description="invented painter (1930–2026)")
    position = Article(event_id, About.POSITION, "", AsOf.WINDOW, None, description="office (2010-present)")
    ArticleStore(database).keep([position])
    _event(database, entity="Bo Plain", qid="Q99999", description="invented painter")
    outcome = fetching.go()
    assert outcome.years == {
        event_id: (
            "Years in the description: (1930–2026).",
            "Years in the position's description: (2010-present).",
        )
    }
    assert "1 with years in a description" in outcome.text


def test_leaks_of_a_position_are_each_events_own(database: Database, categories: dict[str, Category]) -> None:
    """Its article is read once for all; places are of the text, whatever Wikidata's description says."""
    left = WORLD.left[0]
    wiki = WORLD.wiki()
    office = "Mayor of Exampleton"
    text = f"<p>The {office} leads the office. An election was held on 3 March 2026.</p>"
    wiki.pages[office].revisions[0] = replace(wiki.pages[office].revisions[0], html=text)
    wiki.items[left.office]["descriptions"]["en"]["value"] = "invented office (2010–2026)"
    ids = [
        add_event(
            database,
            entity=f"Person {day}",
            category="tenure",
            date=day,
            position=office,
            position_qid=left.office,
        )
        for day in ("2026-02-10", "2026-03-03", "2026-04-01")
    ]
    with mediawiki(wiki) as server:
        address = f"{server.address}/w/api.php"
        services = {"wikipedia": address, "wikidata": address}
        settings = Settings(operator_contact="curator@example.org", services=services)
        Fetching(database, categories, settings).go()
    found = [ArticleStore(database).of_event(event_id)[1] for event_id in ids]
    assert {each.revision_id for each in found} == {found[0].revision_id}
    assert [[each.text[leak.start : leak.end] for leak in each.leaks] for each in found] == [[], ["3 March 2026"], []]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"article": ""}, "names no article"),
        ({"article": "Nobody At All"}, "There is no article"),
        ({"qid": WORLD.dead[1].qid}, "belongs to"),
    ],
)
def test_what_is_not_the_right_page_is_a_row(
    fetching: Fetching, database: Database, changes: dict[str, object], words: str
) -> None:
    """The others are fetched all the same."""
    _event(database, entity="Another", date="2026-02-03", **changes)
    _event(database)
    outcome = fetching.go()
    assert outcome.fetched == 1
    assert words in next(iter(outcome.failed.values()))
    counts = ArticleStore(database).counts()
    assert (counts.fetched, counts.failed, counts.missing) == (1, 1, 0)


def test_an_item_that_was_merged_still_has_its_article(fetching: Fetching, database: Database) -> None:
    """The old id leads to the page of the new one."""
    _event(database, qid="Q77")
    assert fetching.go().fetched == 1


def test_a_stopped_fetch_goes_on(fetching: Fetching, database: Database, server: FaultyServer) -> None:
    """What came is kept; the next call asks for the rest."""
    for person in WORLD.dead[:4]:
        add_event(database, entity=person.name, qid=person.qid, article=person.name, date=person.end)
    server.give_faults("ok", "ok", "ok", "ok", "ban")
    with pytest.raises(ServicePausedError, match="banned"):
        fetching.go()
    assert ArticleStore(database).counts().fetched == 2


@pytest.mark.parametrize("fault", ["broken", "short", "api-failed"])
def test_a_page_that_fails_holds_nobody_up(
    fetching: Fetching, database: Database, server: FaultyServer, fault: str
) -> None:
    """It is a row with the reason, asked for again by the next fetch; a text from before stays."""
    for person in WORLD.dead[:3]:
        add_event(database, entity=person.name, qid=person.qid, article=person.name, date=person.end)
    server.give_faults("ok", "ok", "ok", fault)
    outcome = fetching.go()
    assert (outcome.fetched, len(outcome.failed)) == (2, 1)
    assert ArticleStore(database).counts().failed == 1
    assert (fetching.go().fetched, fetching.go().known) == (1, 3)
    server.give_faults("ok", fault)
    assert len(fetching.go(replace(FROM_FEBRUARY, again=True)).failed) == 1
    assert ArticleStore(database).counts().fetched == 3


@pytest.mark.parametrize("before", [0, 3])
def test_a_position_that_fails_is_asked_for_again(
    fetching: Fetching, database: Database, server: FaultyServer, before: int
) -> None:
    """Be it its item or its article: the entity's is kept, and the next fetch asks for both."""
    left = WORLD.left[0]
    event_id = add_event(
        database,
        entity=left.name,
        qid=left.qid,
        article=left.name,
        category="tenure",
        date=left.end,
        position="Mayor of Exampleton",
        position_qid=left.office,
    )
    server.give_faults(*["ok"] * before, "broken")
    assert fetching.go().fetched == 1
    assert [each.about for each in ArticleStore(database).of_event(event_id)] == [About.ENTITY]
    assert fetching.go().fetched == 1
    assert [each.problem for each in ArticleStore(database).of_event(event_id)] == ["", ""]
    assert fetching.go().known == 1


def test_a_service_that_always_fails_is_soon_left_alone(
    fetching: Fetching, database: Database, server: FaultyServer
) -> None:
    """Five articles in a row are not the articles' fault."""
    for person in WORLD.dead:
        add_event(database, entity=person.name, qid=person.qid, article=person.name, date=person.end)
    server.give_faults(*["broken"] * 5)
    with pytest.raises(ServiceError, match=r"5 times in a row.*kept"):
        fetching.go()
    assert len(server.asked) == 5
    assert fetching.go().fetched == 6


def test_an_item_merged_into_another_one_is_not_this_one(fetching: Fetching, database: Database) -> None:
    """Q100 is not Q1003, though it stands in it."""
    wiki = WORLD.wiki()
    person = WORLD.dead[3]
    wiki.merged["Q77"] = person.qid[:-1]
    wiki.items[person.qid[:-1]] = {"id": person.qid[:-1]}
    with mediawiki(wiki) as server:
        address = f"{server.address}/w/api.php"
        fetching.settings = replace(fetching.settings, services={"wikipedia": address, "wikidata": address})
        event_id = _event(database, entity=person.name, qid="Q77", article=person.name)
        assert "belongs to" in fetching.go().failed[event_id]


def test_without_a_contact_nothing_is_asked(fetching: Fetching, database: Database, server: FaultyServer) -> None:
    """The first thing that is looked at."""
    _event(database)
    fetching.settings = Settings(services=fetching.settings.services)
    with pytest.raises(SettingsError, match="contact"):
        fetching.go()
    assert server.asked == []
