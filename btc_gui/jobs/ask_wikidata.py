"""Asking the queries of a plan: day by day and in batches, smaller where the service runs out of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from btc_gui.domain.collection import Collection, CollectionId, ReplyOutcome
from btc_gui.domain.collection_plan import Binding, CollectionPlan, QuerySpec, fill_query, halves, ids_for, slices
from btc_gui.domain.dates import day_words
from btc_gui.domain.hashing import hash_of
from btc_gui.domain.sparql_rows import read_results
from btc_gui.errors import ServiceError
from btc_gui.progress import Progress
from btc_gui.remote.http import BACK_OFF, TimedOutError
from btc_gui.remote.wikidata import Answer, Wikidata
from btc_gui.store.collections import CollectionStore

_NAMED = 5
#: So many parts that can't be made smaller may fail one after the other: then the service is not asked any more.
_MOST_FAILURES = 5


def part_of(start: date, end: date) -> str:
    """The name under which the answer about the days [start, end) is kept."""
    return f"{start.isoformat()}/{end.isoformat()}"


def _days_text(start: date, end: date) -> str:
    last = date.fromordinal(end.toordinal() - 1)
    text = day_words(start)
    return text if last == start else f"{text} to {day_words(last)}"


@dataclass
class _Setbacks:
    """The failures since the last answer: a service that may be broken is given time, and not asked for ever."""

    wikidata: Wikidata
    _smallest: int = 0
    _unclear: int = 0
    _seconds: float = 0.0

    def query(self, text: str, variables: Sequence[str], is_smallest: bool) -> Answer:
        """Ask as `Wikidata.query` does, after a wait when the failure before said nothing of time."""
        if self._seconds:
            seconds, self._seconds = self._seconds, 0.0
            self.wikidata.client.wait(
                seconds, f"{self.wikidata.title} failed: asking for less in {seconds:.0f} seconds"
            )
        try:
            answer = self.wikidata.query(text, variables)
        except TimedOutError as error:
            self._smallest += is_smallest
            if error.is_unclear:
                self._seconds = BACK_OFF[min(self._unclear, len(BACK_OFF) - 1)]
                self._unclear += 1
            raise
        self._smallest = self._unclear = 0
        return answer

    @property
    def are_too_many(self) -> bool:
        """Whether more of the same would be asked in vain."""
        return self._smallest >= _MOST_FAILURES


@dataclass
class Asking:
    """Asks for what is missing of one collection."""

    store: CollectionStore
    collection: Collection
    plan: CollectionPlan
    wikidata: Wikidata
    progress: Progress
    done: int = 0
    total: int = 0
    _known: dict[tuple[str, str], ReplyOutcome] = field(default_factory=dict)
    _missing: list[str] = field(default_factory=list)
    _setbacks: _Setbacks = field(init=False)
    _sent: int = 0
    _waited: float = 0.0

    def __post_init__(self) -> None:
        self._setbacks = _Setbacks(self.wikidata)

    def ask_all(self) -> dict[str, list[Binding]]:
        """Every query of the plan, in order; the rows by query. Raises `ServiceError` when a part got no answer."""
        question = self.collection.question
        self.wikidata.client.said = self._say
        self._known = self.store.parts(self.collection.id)
        stretches = slices(question.first_day, question.last_day, self.plan.slice_days)
        self.total = len(stretches) * sum(1 for spec in self.plan.queries if spec.is_slice)
        if not self.collection.data_date and (data_date := self.wikidata.data_date()):
            self.store.set_data_date(self.collection.id, data_date)
        rows: dict[str, list[Binding]] = {}
        for spec in self.plan.queries:
            if spec.is_slice:
                for start, end in stretches:
                    self._ask_stretch(spec, start, end)
                    self.done += 1
                    self.progress.report(self.done, self.total, _days_text(start, end))
            else:
                self._ask_batches(spec, ids_for(spec, rows))
            self._refuse_missing(spec)
            rows[spec.name] = _rows(self.store, self.collection.id, spec)
        return rows

    # -- stretches of days ------------------------------------------------------------------------------------

    def _ask_stretch(self, spec: QuerySpec, start: date, end: date) -> None:
        part = part_of(start, end)
        known = self._known.get((spec.name, part))
        if known is ReplyOutcome.ANSWERED:
            return
        if known is None and self._ask(spec, part, self._fill(spec, start, end)):
            return
        smaller = halves(start, end)
        for first, after in smaller:
            self._ask_stretch(spec, first, after)
        if smaller:
            return
        simple = f"{part}/simple"
        if self._known.get((spec.name, simple)) is ReplyOutcome.ANSWERED:
            return
        # Without a simpler form the same is asked once more: the service may have been busy then.
        if not self._ask(spec, simple, self._fill(spec, start, end, fallback=True), is_smallest=True):
            self._miss(spec, _days_text(start, end))

    def _fill(self, spec: QuerySpec, start: date, end: date, fallback: bool = False) -> str:
        return fill_query(spec, start=start, end=end, range_hint=self.wikidata.range_hint, fallback=fallback)

    # -- batches of ids ---------------------------------------------------------------------------------------

    def _ask_batches(self, spec: QuerySpec, ids: Sequence[str]) -> None:
        batches = [ids[at : at + spec.batch_size] for at in range(0, len(ids), spec.batch_size)]
        self.total += len(batches)
        for batch in batches:
            self._ask_ids(spec, batch)
            self.done += 1
            self.progress.report(self.done, self.total, f"{spec.name.replace('_', ' ')}: {len(ids):,} items")

    def _ask_ids(self, spec: QuerySpec, ids: Sequence[str]) -> None:
        part = f"ids:{hash_of(list(ids))[:24]}"
        known = self._known.get((spec.name, part))
        if known is ReplyOutcome.ANSWERED:
            return
        is_smallest = len(ids) == 1
        if known is None or is_smallest:
            text = fill_query(spec, ids=ids, range_hint=self.wikidata.range_hint)
            if self._ask(spec, part, text, is_smallest=is_smallest):
                return
        if is_smallest:
            self._miss(spec, ids[0])
            return
        middle = len(ids) // 2
        self._ask_ids(spec, ids[:middle])
        self._ask_ids(spec, ids[middle:])

    # -- one request ------------------------------------------------------------------------------------------

    def _ask(self, spec: QuerySpec, part: str, text: str, *, is_smallest: bool = False) -> bool:
        self.progress.report(self.done, self.total, f"{spec.name.replace('_', ' ')}: {part[:40]}")
        try:
            answer = self._setbacks.query(text, spec.variables, is_smallest)
        except TimedOutError as error:
            self._keep(spec, part, ReplyOutcome.OUT_OF_TIME, error.body, 0, 0.0)
            return False
        self._keep(spec, part, ReplyOutcome.ANSWERED, answer.text, len(answer.bindings), answer.seconds)
        return True

    def _keep(self, spec: QuerySpec, part: str, outcome: ReplyOutcome, text: str, rows: int, seconds: float) -> None:
        client = self.wikidata.client
        sent, waited = client.sent - self._sent, client.waited - self._waited
        self._sent, self._waited = client.sent, client.waited
        self.store.add_reply(self.collection.id, spec.name, part, outcome, text, rows, seconds, sent, waited)
        self._known[(spec.name, part)] = outcome

    def _say(self, text: str) -> None:
        # Said before each wait, and waits can be longer than the collection is held without a sign of life.
        self.store.renew(self.collection.id)
        self.progress.tell(self.done, self.total, text)

    def _miss(self, spec: QuerySpec, name: str) -> None:
        """Note a part without an answer. Raises `ServiceError` after so many that the service can't be well."""
        self._missing.append(name)
        if self._setbacks.are_too_many:
            self._refuse_missing(spec)

    def _refuse_missing(self, spec: QuerySpec) -> None:
        if not self._missing:
            return
        named = ", ".join(self._missing[:_NAMED]) + (", …" if len(self._missing) > _NAMED else "")
        raise ServiceError(
            f"{self.wikidata.title} ran out of time on {len(self._missing):,} parts of “{spec.name}”: {named}.",
            "Nothing was decided on a part of the answers. Collect again later: only what is missing is asked then.",
        )


def stored_rows(store: CollectionStore, collection_id: CollectionId, plan: CollectionPlan) -> dict[str, list[Binding]]:
    """What a complete collection was answered, by query; nothing is asked."""
    return {spec.name: _rows(store, collection_id, spec) for spec in plan.queries}


def _rows(store: CollectionStore, collection_id: CollectionId, spec: QuerySpec) -> list[Binding]:
    rows: list[Binding] = []
    for _, text in store.answers(collection_id, spec.name):
        rows.extend(read_results(text, spec.variables).rows)
    return rows


def ask_about(
    wikidata: Wikidata, spec: QuerySpec, ids: Sequence[str], progress: Progress
) -> tuple[list[Binding], list[str]]:
    """The rows of a batch query for these ids, and the ids without an answer. Batches that take too long are halved.

    Nothing of it is kept. Raises what `Wikidata.query` raises: `TimedOutError` only when several ids in a row, each
    asked about alone, took too long.
    """
    rows: list[Binding] = []
    unanswered: list[str] = []
    setbacks = _Setbacks(wikidata)
    waiting = [ids[at : at + spec.batch_size] for at in range(0, len(ids), spec.batch_size)][::-1]
    while waiting:
        progress.check()
        batch = waiting.pop()
        try:
            text = fill_query(spec, ids=batch)
            rows.extend(setbacks.query(text, spec.variables, len(batch) == 1).bindings)
        except TimedOutError:
            if setbacks.are_too_many:
                raise
            if len(batch) == 1:
                unanswered += batch
                continue
            middle = len(batch) // 2
            waiting += [batch[middle:], batch[:middle]]
    return rows, unanswered
