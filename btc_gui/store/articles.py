"""Articles about events: the text, where it is from, or why there is none."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from btc_gui.domain.article import About, Article, AsOf, Leak
from btc_gui.domain.event import EventId
from btc_gui.store import bodies
from btc_gui.store.database import Database
from btc_gui.store.query import CHUNK, LOADED, placeholders


@dataclass(frozen=True, slots=True)
class ArticleCounts:
    """How the articles about entities stand: with a text, without one (a reason is kept), with leaks, never asked."""

    fetched: int
    failed: int
    leaking: int
    missing: int


class ArticleStore:
    """The articles of a project's events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_event(self, event_id: EventId, *, with_text: bool = True) -> list[Article]:
        """The articles of one event: its entity's, then its position's."""
        connection = self._database.read()
        rows = connection.execute(
            "SELECT * FROM event_article WHERE event_id = ? ORDER BY about", (event_id,)
        ).fetchall()
        texts = bodies.fetch(connection, [row["body_id"] for row in rows]) if with_text else {}
        return [_article(row, texts.get(row["body_id"], "")) for row in rows]

    def standing(self, event_ids: Sequence[EventId], about: About = About.ENTITY) -> dict[EventId, Article]:
        """The articles of these events without their texts."""
        found: dict[EventId, Article] = {}
        for start in range(0, len(event_ids), CHUNK):
            part = event_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                f"SELECT * FROM event_article WHERE about = ? AND event_id IN ({placeholders(part)})", (about, *part)
            )
            found.update({EventId(row["event_id"]): _article(row, "") for row in rows})
        return found

    def older_than_facts(self, event_ids: Sequence[EventId]) -> set[EventId]:
        """Those of these events that were corrected after their article was fetched: its leaks are for other facts."""
        found: set[EventId] = set()
        for start in range(0, len(event_ids), CHUNK):
            part = event_ids[start : start + CHUNK]
            rows = self._database.read().execute(
                "SELECT event_article.event_id FROM event_article JOIN event ON event.id = event_article.event_id "
                "JOIN event_revision ON event_revision.id = event.revision_id "
                f"WHERE event_revision.at >= fetched_at AND event_article.event_id IN ({placeholders(part)})",
                part,
            )
            found.update(EventId(row[0]) for row in rows)
        return found

    def counts(self) -> ArticleCounts:
        """How many events have an article of their entity, and how many have none."""
        row = (
            self._database.read()
            .execute(
                "SELECT count(event_article.event_id) AS asked, ifnull(sum(event_article.problem <> ''), 0) AS failed, "
                "ifnull(sum(event_article.leaks <> '[]'), 0) AS leaking, count(*) AS events FROM event "
                "LEFT JOIN event_article ON event_article.event_id = event.id AND event_article.about = 'entity' "
                f"WHERE {LOADED.format(table='event')}"
            )
            .fetchone()
        )
        return ArticleCounts(row["asked"] - row["failed"], row["failed"], row["leaking"], row["events"] - row["asked"])

    def keep(self, articles: Iterable[Article]) -> None:
        """Keep articles, each in place of the one before it; one transaction."""
        with self._database.write() as connection:
            for article in articles:
                _keep(connection, article)


def _keep(connection: sqlite3.Connection, article: Article) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO event_article (event_id, about, asked, as_of, before_day, fetched_at, problem, title, "
        "page_id, revision_id, revised_at, url, attribution, description, leaks, body_id) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            article.event_id,
            article.about,
            article.asked,
            article.as_of,
            article.before.isoformat() if article.before else "",
            article.fetched_at,
            article.problem,
            article.title,
            article.page_id,
            article.revision_id,
            article.revised_at,
            article.url,
            article.attribution,
            article.description,
            json.dumps([[leak.start, leak.end, leak.why] for leak in article.leaks], ensure_ascii=False),
            bodies.put_or_none(connection, article.text),
        ),
    )


def _article(row: sqlite3.Row, text: str) -> Article:
    return Article(
        event_id=EventId(row["event_id"]),
        about=About(row["about"]),
        asked=row["asked"],
        as_of=AsOf(row["as_of"]),
        before=date.fromisoformat(row["before_day"]) if row["before_day"] else None,
        fetched_at=row["fetched_at"],
        problem=row["problem"],
        title=row["title"],
        page_id=row["page_id"],
        revision_id=row["revision_id"],
        revised_at=row["revised_at"],
        url=row["url"],
        attribution=row["attribution"],
        description=row["description"],
        leaks=tuple(Leak(start, end, why) for start, end, why in json.loads(row["leaks"])),
        text=text,
    )
