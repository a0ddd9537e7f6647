"""Items put together from many rows: the same whatever order the rows come in, and however often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from btc_gui.domain.statements import Item, Rank, StatedDate, Statement

_LISTS = ("aliases", "classes", "parents", "jurisdictions")
_DATES = ("died", "begins", "finishes")
_RANKS = (Rank.DEPRECATED, Rank.NORMAL, Rank.PREFERRED)


class StatementDraft:
    """A statement of which rows tell parts."""

    def __init__(self, key: str, item: str) -> None:
        self.key = key
        self.item = item
        self.rank: Rank | None = None
        self.texts: dict[str, set[str]] = defaultdict(set)
        self.dates: dict[str, set[StatedDate]] = defaultdict(set)

    def add_rank(self, rank: Rank) -> None:
        """Of two ranks (the statement changed between two queries) the lower one counts."""
        if self.rank is None or _RANKS.index(rank) < _RANKS.index(self.rank):
            self.rank = rank

    def finish(self, now: Mapping[str, str]) -> Statement:
        """The statement; `now` has the present id of merged items."""
        values = {now.get(value, value) for value in self.texts["value"]}
        return Statement(
            id=self.key,
            item=now.get(self.item, self.item),
            rank=self.rank or Rank.NORMAL,
            value=min(values, default=""),
            terms=tuple(sorted(self.texts["terms"])),
            natures=tuple(sorted(self.texts["natures"])),
            dates=_settled(self.dates["dates"]),
            starts=_settled(self.dates["starts"]),
            ends=_settled(self.dates["ends"]),
        )


class ItemDraft:
    """An item of which rows tell parts."""

    def __init__(self) -> None:
        self.texts: dict[str, set[str]] = defaultdict(set)
        self.dates: dict[str, set[StatedDate]] = defaultdict(set)
        self.sitelinks = 0
        self.former: set[str] = set()

    def take(self, other: ItemDraft) -> None:
        """Add what is known of an item that was merged into this one."""
        for name, texts in other.texts.items():
            self.texts[name] |= texts
        for name, dates in other.dates.items():
            self.dates[name] |= dates
        self.sitelinks = max(self.sitelinks, other.sitelinks)

    def finish(self, qid: str, statements: list[Statement], now: Mapping[str, str]) -> Item:
        """The item with its statements."""
        one = {
            name: min(self.texts[name], default="")
            for name in ("label_en", "label_mul", "title", "description", "country")
        }
        lists = {name: tuple(sorted({now.get(text, text) for text in self.texts[name]})) for name in _LISTS}
        dates = {name: _settled(self.dates[name]) for name in _DATES}
        return Item(
            qid=qid,
            label_en=one["label_en"],
            label_mul=one["label_mul"],
            title=one["title"],
            description=one["description"],
            country=one["country"],
            aliases=lists["aliases"],
            sitelinks=self.sitelinks,
            classes=lists["classes"],
            parents=lists["parents"],
            jurisdictions=lists["jurisdictions"],
            died=dates["died"],
            begins=dates["begins"],
            finishes=dates["finishes"],
            statements=tuple(sorted(statements, key=lambda statement: statement.id)),
            former=tuple(sorted(self.former)),
        )


class Draft:
    """All items of some rows."""

    def __init__(self) -> None:
        self.items: dict[str, ItemDraft] = defaultdict(ItemDraft)
        self.statements: dict[str, StatementDraft] = {}
        self.moved: dict[str, str] = {}

    def statement(self, key: str, item: str) -> StatementDraft:
        """The draft of a statement, begun when it is new."""
        found = self.statements.get(key)
        if found is None:
            found = self.statements[key] = StatementDraft(key, item)
        return found

    def finish(self) -> dict[str, Item]:
        """The items by their present id."""
        now = {old: self._present(old) for old in self.moved}
        for old, new in sorted(now.items()):
            if old in self.items:
                self.items[new].take(self.items.pop(old))
            self.items[new].former.add(old)
        by_item: dict[str, list[Statement]] = defaultdict(list)
        for draft in self.statements.values():
            statement = draft.finish(now)
            by_item[statement.item].append(statement)
        qids = {*self.items, *by_item}
        return {qid: self.items[qid].finish(qid, by_item.get(qid, []), now) for qid in qids}

    def _present(self, qid: str) -> str:
        seen = {qid}
        while (following := self.moved.get(qid)) and following not in seen:
            qid = following
            seen.add(qid)
        return qid


def _settled(dates: set[StatedDate]) -> tuple[StatedDate, ...]:
    if len(dates) < 2:
        return tuple(dates)
    # The same date may come with its precision from one query and without it from another: the readable one counts.
    known = {stated.written for stated in dates if stated.date is not None}
    kept = [stated for stated in dates if stated.date is not None or not stated.written or stated.written not in known]
    return tuple(sorted(kept, key=lambda stated: (stated.state, stated.date is None, stated.date, stated.written)))
