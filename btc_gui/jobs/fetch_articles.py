"""Fetch the articles about events as they stood before the change, as clean text with where it is from.

A page that is not the right one, or on which the service fails, is a row with its reason; the work goes on. Each
article is stored as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from btc_gui import paths
from btc_gui.domain.article import About, Article, AsOf, FindWords, find_leaks, no_words, years_in_descriptions
from btc_gui.domain.article_text import article_text
from btc_gui.domain.category import Category
from btc_gui.domain.dates import now_utc
from btc_gui.domain.event import EventFacts, EventId
from btc_gui.domain.lint import Severity
from btc_gui.domain.lint.words import load_category_words
from btc_gui.errors import ServiceError
from btc_gui.progress import Progress
from btc_gui.remote.http import TimedOutError, WebClient
from btc_gui.remote.wikidata import ITEMS_A_CALL, ApiError, Wikidata
from btc_gui.remote.wikipedia import ArticleError, ForeignPageError, Wikipedia
from btc_gui.settings import Settings
from btc_gui.store.articles import ArticleStore
from btc_gui.store.candidates import CandidateStore
from btc_gui.store.database import Database
from btc_gui.store.events import EventQuery, EventStore

#: So many articles in a row may fail for reasons of the service; then it is not asked any more.
_MOST_FAILURES = 5


@dataclass(frozen=True, slots=True)
class ArticleRequest:
    """Which revisions are wanted. `window_start` is for events that no collection found; `again` asks for all anew.

    `event_ids` None means every event of the project that is not rejected.
    """

    as_of: AsOf = AsOf.WINDOW
    window_start: date | None = None
    event_ids: Sequence[EventId] | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class ArticleOutcome:
    """What came of it: texts `fetched` (of which `leaking` tell of the change), `known` ones left as they are, and
    `failed` ones with their reasons, by event. `years` are those in descriptions, by event, of all that were meant."""

    fetched: int
    known: int
    failed: Mapping[EventId, str]
    leaking: int
    requests: int
    years: Mapping[EventId, tuple[str, ...]]

    @property
    def text(self) -> str:
        """One line for a person."""
        parts = [f"{self.fetched:,} articles fetched", f"{self.known:,} known", f"{len(self.failed):,} without one"]
        if self.leaking:
            parts.append(f"{self.leaking:,} mention the change: look at them")
        if self.years:
            parts.append(f"{len(self.years):,} with years in a description")
        return ", ".join(parts)


def fetch_articles(
    database: Database,
    categories: Mapping[str, Category],
    request: ArticleRequest,
    settings: Settings,
    progress: Progress,
) -> ArticleOutcome:
    """Fetch what is missing (of entities, and of positions where the category has them).

    What is there is missing all the same when another day or title is wanted by now. Where an event was corrected
    since, the places that tell of the change are looked for again.
    Raises `SettingsError` without a contact, `ServiceError` when Wikipedia gives no answer or fails on one article
    after the other (what came is kept), and `Cancelled`.
    """
    events, store = EventStore(database), ArticleStore(database)
    ids = list(request.event_ids) if request.event_ids is not None else events.ids(EventQuery(rejected=False))
    missing = _Missing(database, categories, request, ids)
    wanted = [event_id for event_id in ids if missing.is_wanted(event_id)]
    missing.mark_again(set(ids) - set(wanted))
    fetched, failed, leaking = 0, dict[EventId, str](), 0
    with WebClient(settings.operator_contact, progress) as client:
        fetching = _Fetching(database, Wikipedia(client, settings), Wikidata(client, settings), request, categories)
        for start in range(0, len(wanted), ITEMS_A_CALL):
            part = events.fetch(wanted[start : start + ITEMS_A_CALL])
            client.said = _teller(progress, start, len(wanted))
            fetching.look_up_positions([event.facts for event in part.values()])
            for done, event in enumerate(part.values(), start):
                progress.report(done, len(wanted), event.facts.entity)
                client.said = _teller(progress, done, len(wanted))
                found = fetching.articles_of(event.id, event.facts, words_of_change(event.facts.category))
                store.keep(_worth_keeping(store, found, fetching.failures))
                if found[0].problem:
                    failed[event.id] = found[0].problem
                else:
                    fetched += 1
                    leaking += bool(found[0].leaks)
        progress.report(len(wanted), len(wanted))
        return ArticleOutcome(fetched, len(ids) - len(wanted), failed, leaking, client.sent, _years(database, ids))


def _years(database: Database, ids: Sequence[EventId]) -> dict[EventId, tuple[str, ...]]:
    """The events whose descriptions, or whose position's, have years in them."""
    events, positions = EventStore(database).fetch(ids), ArticleStore(database).standing(ids, About.POSITION)
    told = {
        each: years_in_descriptions(events[each].facts, [positions[each]] if each in positions else ())
        for each in ids
        if each in events
    }
    return {event_id: years for event_id, years in told.items() if years}


@cache
def words_of_change(category: str) -> FindWords:
    """What finds the words that tell of a category's change: those that probes may not have either."""
    phrases = [
        each
        for each in load_category_words(paths.category_folder(category)).words
        if each.severity is not Severity.NOTE
    ]
    if not phrases:
        return no_words
    return lambda text: sorted({span for each in phrases for span in each.search(text)})


def _teller(progress: Progress, done: int, total: int) -> Callable[[str], None]:
    return lambda text: progress.tell(done, total, text)


class _Missing:
    """Which of the events `ids` need their articles fetched, by what stands in the project."""

    def __init__(
        self, database: Database, categories: Mapping[str, Category], request: ArticleRequest, ids: Sequence[EventId]
    ) -> None:
        self._store, self._candidates = ArticleStore(database), CandidateStore(database)
        self._categories, self._request = categories, request
        self._known = {} if request.again else self._store.standing(ids)
        self._positions = self._store.standing(list(self._known), About.POSITION)
        self._corrected = self._store.older_than_facts(list(self._known))
        self._events = EventStore(database).fetch(list(self._known))

    def is_wanted(self, event_id: EventId) -> bool:
        """Whether there is no text, or that of another title, of another day, or perhaps of another position."""
        article = self._known.get(event_id)
        if article is None or article.problem or event_id not in self._events:
            return True
        facts = self._events[event_id].facts
        return (
            article.as_of is not self._request.as_of
            or article.asked != facts.article
            or article.before != _before(self._candidates, self._request, event_id, facts)
            or (event_id in self._corrected and _has_position(self._categories, facts))
            or (event_id not in self._positions and facts.position_qid != "" and _has_position(self._categories, facts))
        )

    def mark_again(self, ids: Set[EventId]) -> None:
        """Look for leaks again in what is there about those of these events that were corrected since."""
        for event_id in sorted(ids & self._corrected):
            facts = self._events[event_id].facts
            for article in self._store.of_event(event_id):
                words = words_of_change(facts.category) if article.about is About.ENTITY else no_words
                leaks = find_leaks(article.text, facts, words)
                if leaks != article.leaks:
                    self._store.keep([replace(article, leaks=leaks)])


def _has_position(categories: Mapping[str, Category], facts: EventFacts) -> bool:
    category = categories.get(facts.category)
    return category is not None and bool(facts.position_qid) and "position" in category.required


def _before(candidates: CandidateStore, request: ArticleRequest, event_id: EventId, facts: EventFacts) -> date | None:
    """The day before which the revision must be."""
    if request.as_of is AsOf.NOW:
        return None
    day = facts.date.as_day() or date(facts.date.year, facts.date.month or 1, 1)
    if request.as_of is AsOf.EVENT:
        return day
    if request.window_start is not None:
        return min(request.window_start, day)
    provenance = candidates.provenance(event_id)
    if provenance is not None:
        return min(provenance.collection.question.first_day, day)
    # Loaded from a file: nobody said when the window starts.
    return day


def _worth_keeping(store: ArticleStore, found: Sequence[Article], failures: Collection[str]) -> list[Article]:
    """What was found, without failures of the service where there is a text from before: that stays.

    A position's never counts: without an entry it is asked for by the next fetch.
    """
    failed = {each.about for each in found if each.problem in failures}
    if not failed:
        return list(found)
    there = store.of_event(found[0].event_id, with_text=False)
    left_out = {About.POSITION, *(each.about for each in there if not each.problem)} & failed
    return [each for each in found if each.about not in left_out]


class _Fetching:
    """Fetches the articles of one event after the other; a position's only once.

    `failures` are the reasons of articles that the service failed on: they may be there all the same.
    """

    def __init__(
        self,
        database: Database,
        wikipedia: Wikipedia,
        wikidata: Wikidata,
        request: ArticleRequest,
        categories: Mapping[str, Category],
    ) -> None:
        self._candidates = CandidateStore(database)
        self._wikipedia, self._wikidata = wikipedia, wikidata
        self._request, self._categories = request, categories
        self._positions: dict[str, tuple[str, str]] = {}
        self._texts: dict[tuple[str, date | None], Article] = {}
        self._unknown: dict[str, str] = {}
        self.failures: set[str] = set()
        self._in_a_row = 0

    def look_up_positions(self, facts: Sequence[EventFacts]) -> None:
        """Read descriptions and articles' titles of the positions that these events are about, fifty a call."""
        wanted = {each.position_qid for each in facts if _has_position(self._categories, each)}
        missing = sorted(wanted - self._positions.keys())
        self._unknown = {}
        try:
            items = self._wikidata.items(missing)
        except (ApiError, TimedOutError) as error:
            self._note_failure(error)
            self._unknown = dict.fromkeys(missing, error.message)
            return
        for qid, item in items.items():
            self._positions[qid] = (
                str(item.get("descriptions", {}).get("en", {}).get("value", "")),
                str(item.get("sitelinks", {}).get("enwiki", {}).get("title", "")),
            )

    def articles_of(self, event_id: EventId, facts: EventFacts, words: FindWords) -> list[Article]:
        """The entity's article, and the position's where the category is about one."""
        before = _before(self._candidates, self._request, event_id, facts)
        entity = Article(event_id, About.ENTITY, facts.article, self._request.as_of, before, now_utc())
        if not facts.article:
            # Wikipedia is not searched: “Kale” would find “Kal”.
            found = [replace(entity, problem="The event names no article.")]
        else:
            found = [self._fetch(entity, facts.qid, facts, words)]
        if _has_position(self._categories, facts):
            found.append(self._position(event_id, facts, before))
        return found

    def _fetch(self, asked: Article, qid: str, facts: EventFacts, words: FindWords) -> Article:
        """The article, or why there is none. Raises `ServiceError` when the service fails on one after the other."""
        try:
            found = self._read(asked, qid, facts, words)
        except ArticleError as error:
            found = replace(asked, problem=error.message)
        except (ApiError, TimedOutError) as error:
            # Perhaps this page alone: what stands behind it must not wait for it.
            self._note_failure(error)
            return replace(asked, problem=error.message)
        self._in_a_row = 0
        return found

    def _note_failure(self, error: ServiceError) -> None:
        self.failures.add(error.message)
        self._in_a_row += 1
        if self._in_a_row >= _MOST_FAILURES:
            raise ServiceError(
                f"Wikipedia or Wikidata failed {self._in_a_row} times in a row: {error.message}",
                "What was fetched is kept. Fetch again later: only what is missing is asked then.",
            ) from error

    def _read(self, asked: Article, qid: str, facts: EventFacts, words: FindWords) -> Article:
        try:
            revision = self._wikipedia.revision(asked.asked, asked.before, qid)
        except ForeignPageError as error:
            if not self._is_merged(qid, error.item):
                raise
            revision = self._wikipedia.revision(asked.asked, asked.before)
        text = article_text(self._wikipedia.html(revision))
        if not text:
            return replace(asked, problem=f"“{revision.title}” has no text.")
        return replace(
            asked,
            title=revision.title,
            page_id=revision.page_id,
            revision_id=revision.revision_id,
            revised_at=revision.revised_at,
            url=revision.url,
            attribution=revision.attribution,
            leaks=find_leaks(text, facts, words),
            text=text,
        )

    def _is_merged(self, qid: str, other: str) -> bool:
        """Whether the item `other` is what this one was merged into."""
        item = self._wikidata.items([qid], "sitelinks").get(qid)
        return item is not None and qid != other == str(item["id"])

    def _position(self, event_id: EventId, facts: EventFacts, before: date | None) -> Article:
        description, title = self._positions.get(facts.position_qid, ("", ""))
        asked = Article(event_id, About.POSITION, title, self._request.as_of, before, now_utc())
        key = (facts.position_qid, before)
        if key not in self._texts:
            missing = replace(asked, problem=self._unknown.get(facts.position_qid, "The position has no article."))
            self._texts[key] = self._fetch(asked, facts.position_qid, facts, no_words) if title else missing
        found = self._texts[key]
        # The text is that of every event about the position; what gives a change away is each event's own.
        leaks = find_leaks(found.text, facts)
        return replace(found, event_id=event_id, description=description, leaks=leaks)
